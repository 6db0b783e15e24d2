//! `docs/cli.md`, generated from the definitions of the commands and flags. After an intended change, run with
//! `UPDATE_PAGES=1`.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use super::Arguments;

const OPENING: &str = "# The command

This page lists every command and flag of `concause`, as `--help` does; `-h` lists the most common flags. It is
generated from the definitions (`UPDATE_PAGES=1 cargo test -p concause-cli`), like the manual pages (`concause man`) and
the shell completions (`concause completions`).

Results are written to standard output or to `-o FILE`; a file is complete or absent, never partial. Notices, progress
and a summary are written to standard error. Exit codes: 0 success; 2 the command line or the input is wrong; 1 any
other failure; 130 interrupted (the results so far are written).
";

fn render_page() -> String {
    let mut program = Arguments::command();
    program.build();
    let mut page = OPENING.to_owned();
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        write_section(&mut page, command).expect("writing to a string does not fail");
    }
    page
}

fn write_section(page: &mut String, command: &Command) -> std::fmt::Result {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    write!(page, "\n## `concause {}`\n\n{about}.\n", command.get_name())?;
    let usage = command.clone().render_usage().to_string();
    write!(page, "\n```text\n{}\n```\n", usage.trim_start_matches("Usage: "))?;
    // Headings in the order of their first flag; flags without a heading come first.
    let mut headings: Vec<Option<&str>> = vec![None];
    for heading in command.get_arguments().map(Arg::get_help_heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        let flags: Vec<&Arg> = command
            .get_arguments()
            .filter(|flag| {
                flag.get_help_heading() == heading && flag.get_id() != "help" && !flag.is_hide_set()
            })
            .collect();
        if flags.is_empty() {
            continue;
        }
        write!(page, "\n| {} | |\n| :--- | :--- |\n", heading.unwrap_or("Arguments"))?;
        for flag in flags {
            writeln!(page, "| {} | {} |", name(flag), help(flag))?;
        }
    }
    if let Some(examples) = command.get_after_long_help().or(command.get_after_help()) {
        write!(page, "\n```text\n{examples}\n```\n")?;
    }
    Ok(())
}

fn name(flag: &Arg) -> String {
    let values = || {
        flag.get_value_names()
            .unwrap_or_default()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let Some(long) = flag.get_long() else { return format!("`{}`", values()) };
    let short = flag.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    match flag.get_action().takes_values() {
        true => format!("{short}`--{long} {}`", values()),
        false => format!("{short}`--{long}`"),
    }
}

fn help(flag: &Arg) -> String {
    let help = flag.get_long_help().or(flag.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = help.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    let choices: Vec<String> =
        flag.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if !choices.is_empty() && flag.get_action().takes_values() && !flag.is_hide_possible_values_set() {
        let _ = write!(text, ": {}", choices.join(", "));
    }
    let default: Vec<String> =
        flag.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !default.is_empty() && flag.get_action().takes_values() {
        let _ = write!(text, " [default: {}]", default.join(" "));
    }
    text
}

#[test]
fn the_page_on_the_command_is_generated_from_its_definitions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let page = render_page();
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
    } else {
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(there == page, "docs/cli.md differs from the definitions; run with UPDATE_PAGES=1");
    }
}

#[test]
fn every_command_has_examples_that_can_be_parsed() {
    let mut program = Arguments::command();
    program.build();
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let examples = command.get_after_long_help().or(command.get_after_help());
        let examples = examples.map(ToString::to_string).unwrap_or_default();
        let mut parsed = 0;
        for line in
            examples.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '))
        {
            // The part of a pipe that is ours, without what the shell does.
            let Some(ours) = line.split(" | ").find(|part| part.starts_with("concause ")) else { continue };
            let ours = ours.split(" > ").next().unwrap_or(ours).replace('\'', "");
            let words: Vec<&str> = ours.split(' ').collect();
            let result = Arguments::command().try_get_matches_from(&words);
            assert!(
                result.is_ok(),
                "{line}: {}",
                result.err().map(|error| error.to_string()).unwrap_or_default()
            );
            parsed += 1;
        }
        assert!(parsed > 0, "concause {} --help has no example", command.get_name());
    }
}

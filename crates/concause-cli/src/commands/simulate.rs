//! `concause simulate`: data with known causes, from a recipe.

use std::fs;
use std::path::{Path, PathBuf};

use concause_io::{WRITES_PARQUET, write_parquet};
use concause_report::truth_to_json;
use concause_run::{RunError, find_recipe};
use concause_simulate::{Recipe, Simulated};

use crate::arguments::{SimulateArguments, TableFormat};
use crate::error::CommandError;
use crate::output;
use crate::progress::is_interrupted;

const TRUTH: &str = "truth.json";

/// Runs the command.
pub fn run(arguments: &SimulateArguments) -> Result<(), CommandError> {
    let Some(name) = &arguments.recipe else { return list(&Recipe::NAMES) };
    let recipe = find_recipe(name, &arguments.run.request)?;
    if arguments.list {
        return list(&recipe.parameters());
    }
    if arguments.format == TableFormat::Parquet && !WRITES_PARQUET {
        return Err(CommandError::input(
            "this build cannot write Parquet; build concause with --features arrow",
        ));
    }
    let folder = arguments.output.as_deref().unwrap_or(Path::new("."));
    let sets: Vec<(u64, PathBuf)> = match &arguments.seeds {
        Some(seeds) => seeds.clone().map(|seed| (seed, folder.join(seed.to_string()))).collect(),
        None => vec![(arguments.seed, folder.to_owned())],
    };
    for (_, folder) in &sets {
        check_folder(folder, arguments)?;
    }
    let mut summary = String::new();
    for (seed, folder) in &sets {
        let simulated = recipe.simulate(*seed).map_err(RunError::from)?;
        if is_interrupted() {
            return Err(CommandError::interrupted());
        }
        write(&simulated, folder, arguments.format)?;
        summary = format!("{} rows and {} causes", simulated.rows(), simulated.truth.causes.len());
    }
    if !arguments.quiet {
        let sets = if let [_] = sets[..] { String::new() } else { format!(", {} data sets", sets.len()) };
        eprintln!(
            "concause: wrote {} and {TRUTH} in {}{sets}: {summary}",
            arguments.format.file_name(),
            folder.display()
        );
    }
    Ok(())
}

/// Prints names with their descriptions.
fn list(lines: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<(), CommandError> {
    let width = lines.iter().map(|(name, _)| name.as_ref().len()).max().unwrap_or(0);
    output::write(None, |out| {
        lines.iter().try_for_each(|(name, text)| writeln!(out, "{:width$}  {}", name.as_ref(), text.as_ref()))
    })
}

/// Rejects a path that is no directory, or a directory whose data set may not be replaced, before any work is done.
fn check_folder(folder: &Path, arguments: &SimulateArguments) -> Result<(), CommandError> {
    if folder.exists() && !folder.is_dir() {
        return Err(CommandError::input(format!(
            "{}: is not a directory; give a directory for the data",
            folder.display()
        )));
    }
    let own = arguments.format.file_name();
    for name in [own, TRUTH, TableFormat::Csv.file_name(), TableFormat::Parquet.file_name()] {
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        if !arguments.force {
            return Err(CommandError::input(format!(
                "{}: already exists; give another directory, or replace it with --force",
                path.display()
            )));
        }
        if name != own && name != TRUTH {
            return Err(CommandError::input(format!(
                "{}: already exists, and does not match the new {TRUTH}; remove it first",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Writes the data, then its truth, so that a truth always belongs to the data beside it.
fn write(simulated: &Simulated, folder: &Path, format: TableFormat) -> Result<(), CommandError> {
    fs::create_dir_all(folder)
        .map_err(|error| CommandError::input(format!("{}: cannot be created ({error})", folder.display())))?;
    let truth = folder.join(TRUTH);
    if truth.exists() {
        fs::remove_file(&truth).map_err(|error| {
            CommandError::system(format!("{}: cannot be replaced ({error})", truth.display()))
        })?;
    }
    output::write(Some(&folder.join(format.file_name())), |out| match format {
        TableFormat::Csv => simulated.write_csv(out),
        TableFormat::Parquet => write_parquet(&simulated.variables, out),
    })?;
    output::write(Some(&truth), |out| out.write_all(truth_to_json(&simulated.truth).as_bytes()))
}

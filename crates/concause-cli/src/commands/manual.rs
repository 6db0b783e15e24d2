//! `concause completions` and `concause man`: generated from the definitions of the flags.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments, ManArguments};
use crate::error::CommandError;
use crate::output;

/// Prints shell completions.
pub fn completions(arguments: &CompletionsArguments) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "concause", &mut script);
    output::write(None, |out| out.write_all(&script))
}

/// Prints the manual page, or writes the manual pages of all commands.
pub fn man(arguments: &ManArguments) -> Result<(), CommandError> {
    let mut command = Arguments::command();
    command.build();
    let Some(folder) = &arguments.folder else {
        return output::write(None, |out| render(command, out));
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| CommandError::input(format!("{}: cannot be created ({error})", folder.display())))?;
    let pages = command.get_subcommands().filter(|page| page.get_name() != "help").map(|page| {
        let name = format!("concause-{}", page.get_name());
        (name.clone(), page.clone().name(&*name.leak()))
    });
    let pages: Vec<(String, clap::Command)> =
        pages.chain(std::iter::once(("concause".to_owned(), command.clone()))).collect();
    for (name, page) in pages {
        output::write(Some(&folder.join(format!("{name}.1"))), |out| render(page, out))?;
    }
    Ok(())
}

fn render(command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    out.write_all(&page)
}

//! `concause simulate`: data whose causes are known, from a recipe or a Bayesian network.

use std::fs;
use std::path::{Path, PathBuf};

use concause::simulate::{Recipe, Simulated};
use concause_io::write_parquet;
use concause_report::truth_to_json;
use concause_run::{Failure, Maker};

use crate::arguments::{SimulateArguments, TableFormat};
use crate::output;
use crate::progress::interrupted;

const TRUTH: &str = "truth.json";

/// Runs the command.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let Some(name) = &arguments.recipe else { return list(&Recipe::NAMES) };
    if arguments.list && Maker::is_network(name) {
        return Err(Failure::Input(format!(
            "{name}: a network has no parameters: --list, --set and --split are for recipes"
        )));
    }
    let maker = Maker::new(name, &arguments.recipe_settings)?;
    if let (Maker::Recipe(recipe), true) = (&maker, arguments.list) {
        return list(&recipe.parameters());
    }
    if arguments.format == TableFormat::Parquet && !cfg!(feature = "arrow") {
        return Err(Failure::Input(
            "this build cannot write Parquet; build with the feature \"arrow\"".into(),
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
    let mut told = String::new();
    for (seed, folder) in &sets {
        let simulated = maker.make(*seed)?;
        if interrupted() {
            return Err(Failure::Interrupted);
        }
        write(&simulated, folder, arguments.format)?;
        told = format!("{} rows and {} causes", simulated.rows(), simulated.truth.causes.len());
    }
    if !arguments.quiet {
        let sets = if let [_] = sets[..] { String::new() } else { format!(", {} data sets", sets.len()) };
        eprintln!(
            "concause: wrote {} and {TRUTH} in {}{sets}: {told}",
            arguments.format.file(),
            folder.display()
        );
    }
    Ok(())
}

/// Prints names, each with what belongs to it.
fn list(lines: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<(), Failure> {
    let width = lines.iter().map(|(name, _)| name.as_ref().len()).max().unwrap_or(0);
    output::write(None, |out| {
        lines.iter().try_for_each(|(name, text)| writeln!(out, "{:width$}  {}", name.as_ref(), text.as_ref()))
    })
}

/// Refuses, before any work is done, a folder that cannot be one or holds a data set that is not to be replaced.
fn check_folder(folder: &Path, arguments: &SimulateArguments) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Input(format!("{}: is not a folder; name one for the data", folder.display())));
    }
    let own = arguments.format.file();
    for name in [own, TRUTH, TableFormat::Csv.file(), TableFormat::Parquet.file()] {
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        if !arguments.force {
            return Err(Failure::Input(format!(
                "{}: is already there; name another folder, or replace it with --force",
                path.display()
            )));
        }
        if name != own && name != TRUTH {
            return Err(Failure::Input(format!(
                "{}: is already there, and would not belong to the new {TRUTH}; remove it first",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Writes the data, then its truth: where there is a truth, it is that of the data beside it.
fn write(simulated: &Simulated, folder: &Path, format: TableFormat) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Input(format!("{}: cannot be made ({error})", folder.display())))?;
    let truth = folder.join(TRUTH);
    if truth.exists() {
        fs::remove_file(&truth)
            .map_err(|error| Failure::Other(format!("{}: cannot be replaced ({error})", truth.display())))?;
    }
    output::write(Some(&folder.join(format.file())), |out| match format {
        TableFormat::Csv => simulated.write_csv(out),
        TableFormat::Parquet => write_parquet(&simulated.variables, out),
    })?;
    output::write(Some(&truth), |out| out.write_all(truth_to_json(&simulated.truth).as_bytes()))
}

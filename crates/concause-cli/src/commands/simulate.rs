//! `concause simulate`: data whose causes are known, from a recipe or a Bayesian network.

use std::fs;
use std::path::{Path, PathBuf};

use concause::dataset::Target;
use concause::simulate::bif::Network;
use concause::simulate::{Recipe, Simulated};
use concause_io::{Source, suggestion_among, write_parquet};
use concause_report::truth_to_json;

use crate::arguments::{SimulateArguments, TableFormat};
use crate::failure::Failure;
use crate::output;
use crate::progress::interrupted;

const TRUTH: &str = "truth.json";

/// Runs the command.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let Some(name) = &arguments.recipe else { return list(&Recipe::NAMES) };
    let maker = Maker::new(name, arguments)?;
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

/// What makes data of a seed.
enum Maker {
    Recipe(Recipe),
    Network { network: Network, rows: usize, target: Target },
}

impl Maker {
    fn new(name: &str, arguments: &SimulateArguments) -> Result<Self, Failure> {
        let source = Source::parse(name);
        if source.extension().as_deref() == Some("bif") {
            Self::network(&source, arguments)
        } else {
            Self::recipe(name, arguments).map_err(Failure::Input)
        }
    }

    fn recipe(name: &str, arguments: &SimulateArguments) -> Result<Self, String> {
        let mut recipe = Recipe::named(name).ok_or_else(|| {
            let near = suggestion_among("recipes", name, Recipe::NAMES.iter().map(|(name, _)| *name));
            format!("there is no recipe {name:?}{near}")
        })?;
        if arguments.target.is_some() {
            return Err("--target is for networks: the target of a recipe is always T".into());
        }
        let flags =
            [("rows", arguments.rows.map(|rows| rows.to_string())), ("split", arguments.split.clone())];
        for (name, value) in flags {
            if let Some(value) = value {
                recipe.set(name, &value)?;
            }
        }
        arguments.set.iter().try_for_each(|(name, value)| recipe.set(name, value))?;
        recipe.check()?;
        Ok(Self::Recipe(recipe))
    }

    fn network(source: &Source, arguments: &SimulateArguments) -> Result<Self, Failure> {
        let refused = |what: &str| Err(Failure::Input(format!("{source}: {what}")));
        if arguments.list || arguments.split.is_some() || !arguments.set.is_empty() {
            return refused("a network has no parameters: --list, --set and --split are for recipes");
        }
        let network = Network::parse(&source.read_text()?)
            .map_err(|error| Failure::Input(format!("{source}, {error}")))?;
        let Some(written) = &arguments.target else {
            return refused("say which of its variables is the outcome, --target NAME[=VALUE]");
        };
        let Some(rows) = arguments.rows else {
            return refused("say how many rows to draw, --rows N");
        };
        let target = target(written, &network).map_err(|near| {
            Failure::Input(format!("{source}: there is no variable {written:?} for the target{near}"))
        })?;
        Ok(Self::Network { network, rows, target })
    }

    fn make(&self, seed: u64) -> Result<Simulated, Failure> {
        match self {
            Self::Recipe(recipe) => recipe.simulate(seed),
            Self::Network { network, rows, target } => network.sample(*rows, target, seed),
        }
        .map_err(Failure::Input)
    }
}

/// The target as it was written, NAME or NAME=VALUE; names may hold a `=` themselves. If there is no such variable,
/// the nearest one.
fn target(written: &str, network: &Network) -> Result<Target, String> {
    let names = network.nodes.iter().map(|node| node.name.as_str());
    let known = |name: &str| names.clone().any(|known| known == name);
    if known(written) {
        return Ok(Target { name: written.to_owned(), value: None });
    }
    let mut cuts = written.match_indices('=').map(|(place, _)| (&written[..place], &written[place + 1..]));
    match cuts.find(|(name, _)| known(name)) {
        Some((name, value)) => Ok(Target { name: name.to_owned(), value: Some(value.to_owned()) }),
        None => {
            let name = written.split('=').next().unwrap_or(written);
            Err(suggestion_among("variables", name, names))
        }
    }
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

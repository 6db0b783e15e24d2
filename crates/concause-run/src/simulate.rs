//! Data whose causes are known, from a recipe or a Bayesian network.

use concause::dataset::Target;
use concause::simulate::bif::Network;
use concause::simulate::{Recipe, Simulated};
use concause_io::{Source, suggestion_among};

use crate::arguments::RecipeArguments;
use crate::failure::Failure;

/// What makes data of a seed.
#[derive(Clone, Debug)]
pub enum Maker {
    /// A recipe, with its parameters.
    Recipe(Recipe),
    /// A network, with what it does not say itself.
    Network {
        /// The network.
        network: Network,
        /// How many rows to draw.
        rows: usize,
        /// The outcome.
        target: Target,
    },
}

impl Maker {
    /// The recipe of this name, or the network in this `.bif` file.
    pub fn new(name: &str, arguments: &RecipeArguments) -> Result<Self, Failure> {
        if Self::is_network(name) {
            Self::network(&Source::parse(name), arguments)
        } else {
            Self::recipe(name, arguments).map_err(Failure::Input)
        }
    }

    /// Whether this is the name of a file with a network, and not that of a recipe.
    pub fn is_network(name: &str) -> bool {
        Source::parse(name).extension().as_deref() == Some("bif")
    }

    fn recipe(name: &str, arguments: &RecipeArguments) -> Result<Self, String> {
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

    fn network(source: &Source, arguments: &RecipeArguments) -> Result<Self, Failure> {
        let refused = |what: &str| Err(Failure::Input(format!("{source}: {what}")));
        if arguments.split.is_some() || !arguments.set.is_empty() {
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

    /// The data of a seed.
    pub fn make(&self, seed: u64) -> Result<Simulated, Failure> {
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

//! Generates data with known causes, from a recipe or a Bayesian network.

use concause::dataset::Target;
use concause::simulate::bif::Network;
use concause::simulate::{Recipe, Simulated};
use concause_io::{Source, suggestion_among};

use crate::error::RunError;
use crate::requests::SimulateRequest;

/// Generates data from a seed.
#[derive(Clone, Debug)]
pub enum DataGenerator {
    /// A recipe, with its parameters.
    Recipe(Recipe),
    /// A network, with what its file does not say.
    Network {
        /// The network.
        network: Network,
        /// The number of rows to draw.
        rows: usize,
        /// The outcome.
        target: Target,
    },
}

impl DataGenerator {
    /// The recipe of this name, or the network in this `.bif` file.
    pub fn new(name: &str, request: &SimulateRequest) -> Result<Self, RunError> {
        if Self::is_network(name) {
            Self::from_network(&Source::parse(name), request)
        } else {
            Self::from_recipe(name, request)
        }
    }

    /// Whether this is the name of a file with a network, and not that of a recipe.
    pub fn is_network(name: &str) -> bool {
        Source::parse(name).extension().as_deref() == Some("bif")
    }

    fn from_recipe(name: &str, request: &SimulateRequest) -> Result<Self, RunError> {
        let mut recipe = Recipe::named(name).ok_or_else(|| {
            let names = Recipe::NAMES.iter().map(|(name, _)| *name);
            let suggestion = suggestion_among("recipes", name, names);
            RunError::UnknownRecipe { name: name.to_owned(), suggestion }
        })?;
        if request.target.is_some() {
            return Err(RunError::NotForRecipes { setting: "target" });
        }
        let rows = request.rows.map(|rows| ("rows".to_owned(), rows.to_string()));
        let split = request.split.clone().map(|split| ("split".to_owned(), split));
        for (name, value) in rows.iter().chain(&split).chain(&request.set) {
            recipe.set(name, value).map_err(recipe_error)?;
        }
        recipe.check().map_err(recipe_error)?;
        Ok(Self::Recipe(recipe))
    }

    fn from_network(source: &Source, request: &SimulateRequest) -> Result<Self, RunError> {
        let file = source.to_string();
        if request.split.is_some() || !request.set.is_empty() {
            return Err(RunError::NotForNetworks { file });
        }
        let network = Network::parse(&source.read_text()?)
            .map_err(|error| RunError::Network { file: file.clone(), reason: error.to_string() })?;
        let Some(name) = &request.target else {
            return Err(RunError::NetworkNeeds { file, setting: "target" });
        };
        let Some(rows) = request.rows else {
            return Err(RunError::NetworkNeeds { file, setting: "rows" });
        };
        let target = find_target(name, &network).ok_or_else(|| {
            let variable = name.split('=').next().unwrap_or(name);
            let names = network.nodes.iter().map(|node| node.name.as_str());
            let suggestion = suggestion_among("variables", variable, names);
            RunError::UnknownVariable { file, name: name.clone(), suggestion }
        })?;
        Ok(Self::Network { network, rows, target })
    }

    /// The data of a seed.
    pub fn generate(&self, seed: u64) -> Result<Simulated, RunError> {
        match self {
            Self::Recipe(recipe) => recipe.simulate(seed),
            Self::Network { network, rows, target } => network.sample(*rows, target, seed),
        }
        .map_err(recipe_error)
    }
}

fn recipe_error(error: impl std::fmt::Display) -> RunError {
    RunError::Recipe { reason: error.to_string() }
}

/// The target of a text NAME or NAME=VALUE, where names may contain `=`; none if there is no such variable.
fn find_target(text: &str, network: &Network) -> Option<Target> {
    let is_known = |name: &str| network.nodes.iter().any(|node| node.name == name);
    if is_known(text) {
        return Some(Target { name: text.to_owned(), value: None });
    }
    let mut cuts = text.match_indices('=').map(|(place, _)| (&text[..place], &text[place + 1..]));
    let (name, value) = cuts.find(|(name, _)| is_known(name))?;
    Some(Target { name: name.to_owned(), value: Some(value.to_owned()) })
}

//! Finds the recipe of simulated data.

use concause_io::suggestion_among;
use concause_simulate::{Recipe, SimulateError};

use crate::error::RunError;
use crate::requests::SimulateRequest;

/// The recipe of this name, with the parameters of the request.
pub fn find_recipe(name: &str, request: &SimulateRequest) -> Result<Recipe, RunError> {
    let mut recipe = Recipe::named(name).ok_or_else(|| {
        let names = Recipe::NAMES.iter().map(|(name, _)| *name);
        RunError::UnknownRecipe {
            name: name.to_owned(),
            suggestion: suggestion_among("recipes", name, names),
        }
    })?;
    let rows = request.rows.map(|rows| ("rows".to_owned(), rows.to_string()));
    let split = request.split.clone().map(|split| ("split".to_owned(), split));
    for (name, value) in rows.iter().chain(&split).chain(&request.set) {
        recipe.set(name, value)?;
    }
    recipe.check()?;
    Ok(recipe)
}

impl From<SimulateError> for RunError {
    fn from(error: SimulateError) -> Self {
        RunError::Recipe { reason: error.to_string() }
    }
}

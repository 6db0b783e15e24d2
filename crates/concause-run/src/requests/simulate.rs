//! How to generate data with known causes.

use concause_simulate::Split;

use crate::settings::values::{choose, parse_assignment, parse_count};
use crate::settings::{FromSettings, Setting};

/// The parameters of a recipe; see [`find_recipe`](crate::find_recipe).
#[derive(Clone, Debug, Default)]
pub struct SimulateRequest {
    /// Parameters of the recipe, by name.
    pub set: Vec<(String, String)>,
    /// The number of rows.
    pub rows: Option<usize>,
    /// How combined causes are split into parts.
    pub split: Option<String>,
}

impl FromSettings for SimulateRequest {
    fn settings() -> Vec<Setting<Self>> {
        vec![
            Setting::list(
                "set",
                "NAME=VALUE",
                "Set a parameter of the recipe; may be repeated",
                |request: &mut Self, text| parse_assignment(text).map(|parameter| request.set.push(parameter)),
            ),
            Setting::value("rows", "N", "Number of rows", |request: &mut Self, text| {
                parse_count(text).map(|rows| request.rows = Some(rows))
            }),
            Setting::value(
                "split",
                "HOW",
                "How combined causes are split into parts: aware (no part is associated with the target), blind or \
                 blind-half (regardless of the target)",
                |request: &mut Self, text| {
                    let split = choose(text, &Split::ALL, Split::name)?;
                    request.split = Some(split.name().to_owned());
                    Ok(())
                },
            )
            .choices(Split::ALL.map(Split::name).to_vec()),
        ]
    }
}

//! The flags that say how data is made.

use clap::Args;
use clap::builder::PossibleValuesParser;
use concause::simulate::Split;

/// The settings of a [`Maker`](crate::Maker).
#[derive(Clone, Debug, Args)]
pub struct RecipeArguments {
    /// Set a parameter of the recipe; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
    /// The number of rows; a network has none of its own
    #[arg(long, value_name = "N")]
    pub rows: Option<usize>,
    /// How combined causes are split into their parts: so that no part is associated with the target (aware), or
    /// without an eye on it (blind, blind-half)
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Split::ALL.map(Split::name)), hide_possible_values = true)]
    pub split: Option<String>,
    /// The outcome in a network; recipes call theirs T
    #[arg(long, short, value_name = "NAME[=VALUE]")]
    pub target: Option<String>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("give NAME=VALUE, e.g. rows=20000")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

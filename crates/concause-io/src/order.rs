//! A temporal order declared by the user: tiers of names, the earliest first.

use std::collections::HashMap;

use serde::Deserialize;

use crate::error::{DeclarationError, Error};
use crate::source::Source;
use crate::toml_text;

/// Tiers of names, the earliest first; the order within a tier is unknown.
///
/// ```
/// let order = concause_io::Order::parse(r#"
/// tiers = [
///     ["sex", "age"],
///     ["smoking"],
///     ["sick"],       # the outcome
///     ["drug"],       # given to sick patients
/// ]
/// "#)?;
/// assert_eq!(order.after("sick").unwrap(), ["drug"]);
/// # Ok::<(), concause_io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    tiers: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderFile {
    tiers: Vec<Vec<String>>,
}

impl Order {
    /// Reads an order in TOML.
    pub fn read(source: &Source) -> Result<Self, Error> {
        toml_text::read_source(source, "order", Self::from_toml)
    }

    /// Reads an order from TOML text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::from_toml(text).map_err(|error| error.in_source(&"the order"))
    }

    fn from_toml(text: &str) -> Result<Self, Error> {
        let OrderFile { tiers } = toml_text::parse_fields(text)?;
        let mut seen = HashMap::new();
        for (second, names) in (1..).zip(&tiers) {
            for name in names {
                if let Some(first) = seen.insert(name, second) {
                    let name = name.clone();
                    return Err(DeclarationError::DuplicateTier { name, first, second }.into());
                }
            }
        }
        Ok(Self { tiers })
    }

    /// All names, the earliest first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tiers.iter().flatten().map(String::as_str)
    }

    /// The names in the tiers after the tier of the target; `None` if the target has no tier.
    pub fn after(&self, target: &str) -> Option<Vec<&str>> {
        let tier = self.tiers.iter().position(|names| names.iter().any(|name| name == target))?;
        Some(self.tiers[tier + 1..].iter().flatten().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_after_the_target_are_in_later_tiers() {
        let order = Order::parse("tiers = [[\"a\", \"b\"], [\"t\", \"c\"], [\"d\"], [], [\"e\"]]").unwrap();
        assert_eq!(order.after("t").unwrap(), ["d", "e"]);
        assert_eq!(order.after("e").unwrap(), [""; 0]);
        assert_eq!(order.after("x"), None);
        assert_eq!(order.names().collect::<String>(), "abtcde");
    }

    #[test]
    fn errors_name_the_tier_or_the_line() {
        for (text, expected) in [
            ("tiers = [[\"a\"], [\"b\", \"a\"]]", "\"a\" is in tier 1 and again in tier 2"),
            ("\ntier = []", "line 2"),
            ("tiers = [\"a\"]", "line 1"),
            ("", "missing field"),
        ] {
            let sentence = Order::parse(text).unwrap_err().to_string();
            assert!(sentence.contains(expected) && !sentence.contains('\n'), "{text}: {sentence}");
        }
    }
}

//! An order of time, as a user writes it down: tiers of names, the earliest first.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::toml_file;

/// Tiers of names, the earliest first; within a tier nothing is known of the order.
///
/// ```
/// let order = concause_io::Order::parse(r#"
/// tiers = [
///     ["sex", "age"],
///     ["smoking"],
///     ["sick"],       # the outcome
///     ["drug"],       # given to those who are sick
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
struct File {
    tiers: Vec<Vec<String>>,
}

impl Order {
    /// Reads an order from a TOML file.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        Self::interpret(&toml_file::text(path, "order")?).map_err(|fault| toml_file::at(path, fault))
    }

    /// Reads an order from TOML text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::interpret(text).map_err(|(line, sentence)| {
            Error::request(match line {
                Some(line) => format!("the order, line {line}: {sentence}"),
                None => format!("the order: {sentence}"),
            })
        })
    }

    fn interpret(text: &str) -> Result<Self, toml_file::Fault> {
        let File { tiers } = toml_file::fields(text)?;
        let mut seen = HashMap::new();
        for (tier, names) in (1..).zip(&tiers) {
            for name in names {
                if let Some(other) = seen.insert(name, tier) {
                    let sentence = format!("{name:?} is in tier {other} and again in tier {tier}");
                    return Err((None, sentence));
                }
            }
        }
        Ok(Self { tiers })
    }

    /// All names, the earliest first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tiers.iter().flatten().map(String::as_str)
    }

    /// The names of the tiers after that of the target; none if it has no tier.
    pub fn after(&self, target: &str) -> Option<Vec<&str>> {
        let tier = self.tiers.iter().position(|names| names.iter().any(|name| name == target))?;
        Some(self.tiers[tier + 1..].iter().flatten().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_the_target_is_in_later_tiers() {
        let order = Order::parse("tiers = [[\"a\", \"b\"], [\"t\", \"c\"], [\"d\"], [], [\"e\"]]").unwrap();
        assert_eq!(order.after("t").unwrap(), ["d", "e"]);
        assert_eq!(order.after("e").unwrap(), [""; 0]);
        assert_eq!(order.after("x"), None);
        assert_eq!(order.names().collect::<String>(), "abtcde");
    }

    #[test]
    fn faults_are_told() {
        for (text, part) in [
            ("tiers = [[\"a\"], [\"b\", \"a\"]]", "\"a\" is in tier 1 and again in tier 2"),
            ("\ntier = []", "line 2"),
            ("tiers = [\"a\"]", "line 1"),
            ("", "missing field"),
        ] {
            let sentence = Order::parse(text).unwrap_err().to_string();
            assert!(sentence.contains(part) && !sentence.contains('\n'), "{text}: {sentence}");
        }
    }
}

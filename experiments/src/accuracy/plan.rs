//! What is simulated in which part, and how often.

use concause::search::Method;
use concause::simulate::{Recipe, Split};

/// The recipes of a part with all their variations.
pub struct Plan {
    /// The name of the part.
    pub part: &'static str,
    /// The heading of its page.
    pub heading: &'static str,
    /// What is simulated, in the order of the page.
    pub variations: Vec<Variation>,
}

/// A recipe with a split.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The name of the recipe.
    pub recipe: &'static str,
    /// How the combined causes are split into their parts.
    pub split: Split,
    /// Whether random parents are split, and not the strongest ones, where the recipe knows the difference.
    pub random_parents: bool,
    /// The largest number of columns in a combined cause.
    pub max_level: usize,
    /// The share of the seeds that this one gets: less where it is slow.
    pub share_of_seeds: f64,
    /// The share that slow methods get: the naïve ones, which take seconds a data set where parts are associated
    /// with the target.
    pub share_of_slow: f64,
    /// The tests that PC-select and the naïve methods may need at worst.
    pub max_tests: u64,
}

/// The budget of tests where the naïve methods should run.
const MANY_TESTS: u64 = 10_000_000_000_000;

/// The budget of tests where a search is not to take longer than some seconds.
const FEW_TESTS: u64 = 1_000_000_000_000;

impl Variation {
    fn new(recipe: &'static str, split: Split) -> Self {
        Variation {
            recipe,
            split,
            random_parents: false,
            max_level: 2,
            share_of_seeds: 1.0,
            share_of_slow: 1.0,
            max_tests: MANY_TESTS,
        }
    }

    /// The share of the seeds that a method gets.
    pub fn share_for(&self, method: Method) -> f64 {
        let is_slow = matches!(method, Method::NaiveH | Method::NaiveS);
        if is_slow { self.share_of_seeds.min(self.share_of_slow) } else { self.share_of_seeds }
    }

    /// The recipe with this variation's parameters.
    pub fn recipe(&self) -> Result<Recipe, String> {
        let mut recipe =
            Recipe::named(self.recipe).ok_or_else(|| format!("there is no recipe '{}'", self.recipe))?;
        recipe.set("split", self.split.name())?;
        if self.random_parents {
            recipe.set("parents", "random")?;
        }
        Ok(recipe)
    }

    /// What tells this variation of the recipe from others, for people.
    pub fn label(&self) -> String {
        let parents = if self.random_parents { ", random parents" } else { "" };
        format!("{}{parents}", self.split.name())
    }

    /// What tells this variation from others, for the store.
    pub fn key(&self) -> String {
        format!("{}/{}/level {}", self.recipe, self.label(), self.max_level)
    }
}

impl Plan {
    /// The paper's five small synthetic data sets.
    pub fn small(quick: bool) -> Plan {
        let recipes: &[&str] =
            if quick { &["syn-7", "syn-20"] } else { &["syn-7", "syn-10", "syn-12", "syn-16", "syn-20"] };
        let mut variations = Vec::new();
        for recipe in recipes {
            variations.extend(Split::ALL.map(|split| Variation::new(recipe, split)));
            variations.push(Variation { random_parents: true, ..Variation::new(recipe, Split::Aware) });
        }
        Plan { part: "small", heading: "The small synthetic data sets", variations }
    }

    /// The paper's five larger ones.
    pub fn large(quick: bool) -> Plan {
        let recipes: &[&str] = if quick {
            &["syn-50", "syn-100"]
        } else {
            &["syn-50", "syn-60", "syn-80", "syn-100", "syn-120"]
        };
        let of = |&recipe: &&'static str| Split::ALL.map(|split| Variation::new(recipe, split));
        Plan {
            part: "large",
            heading: "The larger synthetic data sets",
            variations: recipes.iter().flat_map(of).collect(),
        }
    }

    /// Syn-100 made harder in eight ways.
    pub fn hard(quick: bool) -> Plan {
        let recipes: &[(&str, f64)] = if quick {
            &[("weak", 1.0), ("three-way", 0.5)]
        } else {
            &[
                ("corr", 0.1),
                ("rare-target", 1.0),
                ("weak", 1.0),
                ("mixed", 1.0),
                ("rare-causes", 1.0),
                ("three-way", 1.0),
                ("wide", 0.05),
                ("wide-long", 0.02),
            ]
        };
        let of = |&(recipe, share_of_seeds): &(&'static str, f64)| {
            let max_level = if recipe == "three-way" { 3 } else { 2 };
            Split::ALL.map(|split| Variation {
                max_level,
                share_of_seeds,
                share_of_slow: 0.05,
                max_tests: FEW_TESTS,
                ..Variation::new(recipe, split)
            })
        };
        Plan { part: "hard", heading: "Harder data", variations: recipes.iter().flat_map(of).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variation_is_a_recipe_of_its_own() {
        for plan in [Plan::small, Plan::large, Plan::hard].map(|plan| plan(false)) {
            let mut keys: Vec<String> = plan.variations.iter().map(Variation::key).collect();
            plan.variations
                .iter()
                .for_each(|variation| assert_eq!(variation.recipe().unwrap().check(), Ok(())));
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), plan.variations.len(), "{}", plan.part);
        }
    }
}

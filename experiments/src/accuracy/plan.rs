//! The recipes of each experiment, and their numbers of seeds.

use concause::search::Method;
use concause_bench::error::ToolError;
use concause_simulate::{Recipe, Split};

/// The recipes of an experiment with all their variations.
pub struct Plan {
    /// The name of the experiment.
    pub experiment: &'static str,
    /// The heading of the page.
    pub heading: &'static str,
    /// The variations in the order of the page.
    pub variations: Vec<Variation>,
}

/// A recipe with a split.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The name of the recipe.
    pub recipe: &'static str,
    /// How the combined causes are split into their parts.
    pub split: Split,
    /// Whether random parents are split instead of the recipe's default.
    pub random_parents: bool,
    /// The largest number of columns in a combined cause.
    pub max_level: usize,
    /// The share of the seeds for this variation; below 1 if it is slow.
    pub share_of_seeds: f64,
    /// The share of the seeds for the naïve methods, which take seconds for each data set if parts are associated with
    /// the target.
    pub share_of_slow: f64,
    /// The budget of tests of PC-select and the naïve methods.
    pub max_tests: u64,
}

/// The budget of tests that lets the naïve methods run.
const MANY_TESTS: u64 = 10_000_000_000_000;

/// The budget of tests that limits a search to some seconds.
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

    /// The share of the seeds for a method.
    pub fn share_for(&self, method: Method) -> f64 {
        let is_slow = [Method::NAIVE_H, Method::NAIVE_S].contains(&method);
        if is_slow { self.share_of_seeds.min(self.share_of_slow) } else { self.share_of_seeds }
    }

    /// The recipe with the parameters of the variation.
    pub fn recipe(&self) -> Result<Recipe, ToolError> {
        let mut recipe =
            Recipe::named(self.recipe).ok_or_else(|| ToolError::UnknownRecipe(self.recipe.into()))?;
        recipe.set("split", self.split.name())?;
        if self.random_parents {
            recipe.set("parents", "random")?;
        }
        Ok(recipe)
    }

    /// What distinguishes the variation from others of the recipe, for readers.
    pub fn label(&self) -> String {
        let parents = if self.random_parents { ", random parents" } else { "" };
        format!("{}{parents}", self.split.name())
    }

    /// What distinguishes the variation from all others, for the store.
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
        Plan { experiment: "small", heading: "The small synthetic data sets", variations }
    }

    /// The paper's five larger synthetic data sets.
    pub fn large(quick: bool) -> Plan {
        let (recipes, share_of_seeds): (&[&str], f64) = if quick {
            (&["syn-50", "syn-60"], 0.5)
        } else {
            (&["syn-50", "syn-60", "syn-80", "syn-100", "syn-120"], 1.0)
        };
        let variations = |&recipe: &&'static str| {
            Split::ALL.map(|split| Variation { share_of_seeds, ..Variation::new(recipe, split) })
        };
        Plan {
            experiment: "large",
            heading: "The larger synthetic data sets",
            variations: recipes.iter().flat_map(variations).collect(),
        }
    }

    /// Syn-100 made harder in eight ways.
    pub fn hard(quick: bool) -> Plan {
        let recipes: &[(&str, f64)] = if quick {
            &[("rare-causes", 0.5), ("three-way", 0.5)]
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
        let variations = |&(recipe, share_of_seeds): &(&'static str, f64)| {
            let max_level = if recipe == "three-way" { 3 } else { 2 };
            Split::ALL.map(|split| Variation {
                max_level,
                share_of_seeds,
                share_of_slow: 0.05,
                max_tests: FEW_TESTS,
                ..Variation::new(recipe, split)
            })
        };
        Plan {
            experiment: "hard",
            heading: "Harder data",
            variations: recipes.iter().flat_map(variations).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variation_is_a_distinct_valid_recipe() {
        for plan in [Plan::small, Plan::large, Plan::hard].map(|plan| plan(false)) {
            let mut keys: Vec<String> = plan.variations.iter().map(Variation::key).collect();
            plan.variations
                .iter()
                .for_each(|variation| assert_eq!(variation.recipe().unwrap().check(), Ok(())));
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), plan.variations.len(), "{}", plan.experiment);
        }
    }
}

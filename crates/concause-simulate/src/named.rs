//! The named recipes.

use super::risk_recipes::named_risk_model;
use super::{
    CompleteTable, Concept, Logistic, Parents, Planted, RandomNetwork, Recipe, RecipeKind, Split, Uniform,
};

impl Recipe {
    /// The named recipes, each with a line that describes it.
    ///
    /// `syn-7` to `syn-120` have the rows, predictors, share of T=1 and numbers of single and combined causes of the
    /// paper's synthetic data sets. The harder variants are `syn-100` with one property changed. From `logistic` on,
    /// recipes without other numbers have 49 predictors and 5000 rows.
    pub const NAMES: [(&str, &str); 54] = [
        ("syn-7", "random network: 6 predictors, 1000 rows, 2 single causes, 1 combined"),
        ("syn-10", "random network: 9 predictors, 1000 rows, 3 single causes, 2 combined"),
        ("syn-12", "random network: 11 predictors, 2000 rows, 4 single causes, 3 combined"),
        ("syn-16", "random network: 15 predictors, 2000 rows, 4 single causes, 3 combined"),
        ("syn-20", "random network: 19 predictors, 2000 rows, 4 single causes, 4 combined"),
        ("syn-50", "logistic: 49 predictors, 5000 rows, 5 single causes, 5 combined"),
        ("syn-60", "logistic: 59 predictors, 5000 rows, 5 single causes, 5 combined"),
        ("syn-80", "logistic: 79 predictors, 5000 rows, 5 single causes, 5 combined"),
        ("syn-100", "logistic: 99 predictors, 5000 rows, 5 single causes, 5 combined"),
        ("syn-120", "logistic: 119 predictors, 5000 rows, 5 single causes, 5 combined"),
        ("corr", "syn-100 with predictors correlated in groups of about 5"),
        ("rare-target", "syn-100 with T=1 in 5 % of the rows"),
        ("weak", "syn-100 with coefficients of 0.35 to 0.7 instead of 1"),
        ("mixed", "syn-100 with shares of 0.2 to 0.8 and coefficients of 0.6 to 1.4 of either sign"),
        ("rare-causes", "syn-100 with shares of 0.05 to 0.3 and coefficients of 0.8 to 1.5"),
        ("three-way", "syn-100 with 4 combined causes of 3 columns each"),
        ("wide", "syn-100 with 499 predictors"),
        ("wide-long", "syn-100 with 499 predictors, 50,000 rows and coefficients of 0.35 to 0.7"),
        ("logistic", "3 single and 3 combined causes, logistic model"),
        ("sufficient", "3 single and 3 combined causes, each sufficient with its own probability (noisy-OR)"),
        ("additive", "3 single and 3 combined causes whose risks add up"),
        ("multiplicative", "3 single and 3 combined causes whose risks are multiplied"),
        ("probit", "3 single and 3 combined causes, probit model"),
        ("shared-logistic", "A&B and A&C, and 2 single causes, logistic model"),
        ("shared-sufficient", "A&B and A&C, and 2 single causes, noisy-OR"),
        ("triangle-logistic", "A&B, B&C and A&C, and 2 single causes, logistic model"),
        ("triangle-sufficient", "A&B, B&C and A&C, and 2 single causes, noisy-OR"),
        ("nested-logistic", "A raises the risk and A&B raises it much more, twice, logistic model"),
        ("nested-sufficient", "A raises the risk and A&B raises it much more, twice, noisy-OR"),
        ("negation-logistic", "3 combined causes A&!B and 2 single causes, logistic model"),
        ("negation-sufficient", "3 combined causes A&!B and 2 single causes, noisy-OR"),
        ("singles-logistic", "6 single causes, no combined cause, logistic model"),
        ("singles-sufficient", "6 single causes, no combined cause, noisy-OR"),
        ("singles-additive", "6 single causes, no combined cause, risks add up"),
        ("singles-multiplicative", "6 single causes, no combined cause, risks are multiplied"),
        ("singles-probit", "6 single causes, no combined cause, probit model"),
        (
            "network",
            "logistic, with confounders, mediators, 3 effects of T and later columns from a random network",
        ),
        (
            "attributes",
            "3 single and 3 combined causes in binary, nominal and numeric attributes, logistic model",
        ),
        (
            "singles-nominal",
            "6 single causes, nominal attributes whose 5 values each have an effect, logistic model",
        ),
        ("singles-numeric", "6 single causes, numeric attributes with a linear effect, logistic model"),
        ("missing", "logistic, with 10 % of the cells empty, completely at random"),
        ("shuffled", "an outcome that is independent of all predictors"),
        (
            "hubin-1",
            "Hubin et al. (2020), scenario 1: 3 pairs, one with a negation, 50 predictors, 1000 rows",
        ),
        ("hubin-2", "Hubin et al. (2020), scenario 2: scenario 1 with weaker effects"),
        (
            "hubin-3",
            "Hubin et al. (2020), scenario 3: a pair, a triple and a quadruple, 50 predictors, 1000 rows",
        ),
        ("hubin-1-rounded", "hubin-1 as in the published scripts: T is the rounded risk, without chance"),
        ("hubin-3-rounded", "hubin-3 as in the published scripts: T is the rounded risk, without chance"),
        (
            "hegel",
            "a pair that causes T in 3/4 of its rows, 5 % errors: 1000 predictors of share 1/4, 500 rows",
        ),
        ("logic-forest", "two pairs that determine T, 10 % errors: 50 predictors, 200 rows"),
        ("monk-1", "MONK's problem 1, complete: head = body or jacket red, 6 attributes, 432 rows"),
        (
            "monk-2",
            "MONK's problem 2, complete: exactly two of 6 attributes have their first value, 432 rows",
        ),
        ("monk-3", "MONK's problem 3, complete: two pairs, one of negations, 6 attributes, 432 rows"),
        ("tic-tac-toe", "whether x has won, complete: 8 triples that share columns, 9 attributes, 958 rows"),
        ("multiplexer-6", "two bits select one of four others, complete: 4 triples, 6 predictors, 64 rows"),
    ];

    /// Finds a recipe by its name.
    ///
    /// ```
    /// use concause_simulate::Recipe;
    ///
    /// assert_eq!(Recipe::named("syn-7").unwrap().rows, 1000);
    /// assert_eq!(Recipe::named("syn-8"), None);
    /// ```
    pub fn named(name: &str) -> Option<Recipe> {
        let (rows, predictors, kind) = match name {
            "syn-7" => (1000, 6, small(0.391, 2, 1)),
            "syn-10" => (1000, 9, small(0.422, 3, 2)),
            "syn-12" => (2000, 11, small(0.721, 4, 3)),
            "syn-16" => (2000, 15, small(0.452, 4, 3)),
            "syn-20" => (2000, 19, small(0.556, 4, 4)),
            "syn-50" => (5000, 49, large(0.308, |_| {})),
            "syn-60" => (5000, 59, large(0.308, |_| {})),
            "syn-80" => (5000, 79, large(0.305, |_| {})),
            "syn-100" => (5000, 99, large(0.3, |_| {})),
            "syn-120" => (5000, 119, large(0.304, |_| {})),
            "corr" => (5000, 99, large(0.3, |recipe| recipe.correlation = 0.5)),
            "rare-target" => (5000, 99, large(0.05, |_| {})),
            "weak" => (5000, 99, large(0.3, |recipe| recipe.coefficients = WEAK)),
            "mixed" => (
                5000,
                99,
                large(0.3, |recipe| {
                    recipe.shares = Uniform { low: 0.2, high: 0.8 };
                    recipe.coefficients = Uniform { low: 0.6, high: 1.4 };
                    recipe.signed = true;
                }),
            ),
            "rare-causes" => (
                5000,
                99,
                large(0.3, |recipe| {
                    recipe.shares = Uniform { low: 0.05, high: 0.3 };
                    recipe.coefficients = Uniform { low: 0.8, high: 1.5 };
                }),
            ),
            "three-way" => (
                5000,
                99,
                large(0.3, |recipe| {
                    recipe.planted.combined = 4;
                    recipe.planted.parts = 3;
                }),
            ),
            "wide" => (5000, 499, large(0.3, |_| {})),
            "wide-long" => (50_000, 499, large(0.3, |recipe| recipe.coefficients = WEAK)),
            "monk-1" => complete_table(Concept::Monk1),
            "monk-2" => complete_table(Concept::Monk2),
            "monk-3" => complete_table(Concept::Monk3),
            "tic-tac-toe" => complete_table(Concept::TicTacToe),
            "multiplexer-6" => complete_table(Concept::Multiplexer6),
            _ => {
                let (rows, predictors, model) = named_risk_model(name)?;
                (rows, predictors, RecipeKind::RiskModel(model))
            }
        };
        Some(Recipe { name: name.to_owned(), rows, predictors, kind })
    }
}

const WEAK: Uniform = Uniform { low: 0.35, high: 0.7 };

/// The target and causes of the paper's data sets: combined causes of two columns, split with knowledge of the target.
fn planted(share: f64, singles: usize, combined: usize) -> Planted {
    Planted {
        share,
        singles,
        combined,
        parts: 2,
        split: Split::Aware,
        parents: Parents::Random,
        least_g2: 10.83,
    }
}

/// The paper's small data sets: the strongest parents are split.
fn small(share: f64, singles: usize, combined: usize) -> RecipeKind {
    let planted = Planted { parents: Parents::Strongest, ..planted(share, singles, combined) };
    RecipeKind::Network(RandomNetwork { planted, neighbours: 1.0, most_parents: 4 })
}

/// The paper's large data sets, after a change.
fn large(share: f64, change: impl Fn(&mut Logistic)) -> RecipeKind {
    let mut recipe = Logistic {
        planted: planted(share, 5, 5),
        coefficients: Uniform::always(1.0),
        signed: false,
        shares: Uniform::always(0.5),
        correlation: 0.0,
        group: 5,
    };
    change(&mut recipe);
    RecipeKind::Logistic(recipe)
}

fn complete_table(concept: Concept) -> (usize, usize, RecipeKind) {
    let (rows, predictors) = concept.size();
    (rows, predictors, RecipeKind::CompleteTable(CompleteTable { concept, errors: 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_valid_recipe() {
        for (name, description) in Recipe::NAMES {
            let recipe = Recipe::named(name).unwrap();
            assert_eq!((recipe.name.as_str(), recipe.check()), (name, Ok(())));
            assert!(!description.is_empty());
        }
    }
}

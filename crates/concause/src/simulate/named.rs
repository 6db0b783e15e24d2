//! The recipes that have a name.

use super::{Epistasis, Formulas, Kind, Logistic, Parents, Planted, RandomNetwork, Recipe, Split, Uniform};

impl Recipe {
    /// The named recipes, each with a line that describes it.
    ///
    /// `syn-7` to `syn-120` have the rows, predictors, share of T=1 and numbers of single and combined causes of the paper's
    /// synthetic data sets; the hard variants are `syn-100` with something changed.
    pub const NAMES: [(&str, &str); 20] = [
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
        (
            "d-highdim",
            "two Boolean formulas with negations and 3-way terms: 50 factors, 1191 rows, 20 % noise",
        ),
        (
            "epistasis",
            "two of 100 loci that act only together: 2000 rows, half of them cases, heritability 0.1",
        ),
    ];

    /// The recipe of a name.
    ///
    /// ```
    /// use concause::simulate::Recipe;
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
            "d-highdim" => (1191, 49, Kind::Formulas(Formulas::default())),
            "epistasis" => (2000, 100, Kind::Epistasis(Epistasis::default())),
            _ => return None,
        };
        Some(Recipe { name: name.to_owned(), rows, predictors, kind })
    }
}

const WEAK: Uniform = Uniform { low: 0.35, high: 0.7 };

/// The target and causes of the paper's data sets: combined causes of two columns, split with an eye on the target.
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
fn small(share: f64, singles: usize, combined: usize) -> Kind {
    let planted = Planted { parents: Parents::Strongest, ..planted(share, singles, combined) };
    Kind::Network(RandomNetwork { planted, neighbours: 1.0, most_parents: 4 })
}

/// The paper's large data sets, with a change.
fn large(share: f64, change: impl Fn(&mut Logistic)) -> Kind {
    let mut recipe = Logistic {
        planted: planted(share, 5, 5),
        coefficients: Uniform::always(1.0),
        signed: false,
        shares: Uniform::always(0.5),
        correlation: 0.0,
        group: 5,
    };
    change(&mut recipe);
    Kind::Logistic(recipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_recipe_that_can_be_made() {
        for (name, description) in Recipe::NAMES {
            let recipe = Recipe::named(name).unwrap();
            assert_eq!((recipe.name.as_str(), recipe.check()), (name, Ok(())));
            assert!(!description.is_empty());
        }
    }
}

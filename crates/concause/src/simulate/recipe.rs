//! A recipe: all that is settled before a seed is chosen.

use super::{Epistasis, Formulas, Logistic, Random, RandomNetwork, Simulated};

/// So many cells, and no more, can be asked for: 8 GB of codes.
const MOST_CELLS: u64 = 1 << 32;

/// How data is made. Start from a [named](Recipe::named) one and change what you like.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// A name for people; a changed recipe keeps that of the one it came from.
    pub name: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns beside the target.
    pub predictors: usize,
    /// What the columns and the target follow.
    pub kind: Kind,
}

/// What the columns and the target follow.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A random Bayesian network.
    Network(RandomNetwork),
    /// A logistic model.
    Logistic(Logistic),
    /// Two Boolean formulas, with noise.
    Formulas(Formulas),
    /// Two loci of a genome that act only together.
    Epistasis(Epistasis),
}

impl Recipe {
    /// The first thing that is wrong with the parameters, as a sentence.
    ///
    /// ```
    /// let mut recipe = concause::simulate::Recipe::named("syn-7").unwrap();
    /// recipe.set("combined", "3")?;
    /// assert_eq!(
    ///     recipe.check().unwrap_err(),
    ///     "2 single causes and 3 combined ones of 2 parts need 8 predictors, but there are 6"
    /// );
    /// # Ok::<(), String>(())
    /// ```
    pub fn check(&self) -> Result<(), String> {
        check_size(self.rows, self.predictors.saturating_add(1))?;
        match &self.kind {
            Kind::Network(network) => network.check(self.predictors),
            Kind::Logistic(logistic) => logistic.check(self.predictors),
            Kind::Formulas(formulas) => formulas.check(self.predictors),
            Kind::Epistasis(epistasis) => epistasis.check(self.predictors),
        }
    }

    /// The data of a seed: the same for the same recipe and seed, on every machine.
    pub fn simulate(&self, seed: u64) -> Result<Simulated, String> {
        self.check()?;
        let (rows, predictors) = (self.rows, self.predictors);
        let mut random = Random::new(seed);
        let draft = match &self.kind {
            Kind::Network(network) => network.draft(rows, predictors, &mut random)?,
            Kind::Logistic(logistic) => logistic.draft(rows, predictors, &mut random)?,
            Kind::Formulas(formulas) => formulas.draft(rows, predictors, &mut random),
            Kind::Epistasis(epistasis) => epistasis.draft(rows, predictors, &mut random)?,
        };
        Ok(draft.finish(self, seed, &mut random))
    }
}

/// Refuses a table without rows and one that is too large.
pub(super) fn check_size(rows: usize, columns: usize) -> Result<(), String> {
    if rows == 0 {
        return Err("rows must be at least 1".into());
    }
    if (rows as u64).checked_mul(columns as u64).is_none_or(|cells| cells > MOST_CELLS) {
        return Err(format!(
            "{rows} rows of {columns} columns are too many: together they must not exceed {MOST_CELLS} cells"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_parameters_get_a_sentence() {
        let refused = |name: &str, parameter: &str, value: &str| {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set(parameter, value).unwrap();
            assert_eq!(recipe.check(), recipe.simulate(1).map(|_| ()));
            recipe.check().unwrap_err()
        };
        assert_eq!(refused("syn-7", "rows", "0"), "rows must be at least 1");
        assert_eq!(
            refused("syn-7", "rows", "99999999999"),
            "99999999999 rows of 7 columns are too many: together they must not exceed 4294967296 cells"
        );
        assert_eq!(
            refused("syn-7", "predictors", "3"),
            "2 single causes and 1 combined ones of 2 parts need 4 predictors, but there are 3"
        );
        for share in ["0", "1", "-0.5"] {
            let sentence = format!("share must lie between 0 and 1, both excluded, but is {share}");
            assert_eq!(refused("syn-50", "share", share), sentence);
        }
        assert_eq!(refused("syn-7", "parts", "1"), "parts must be 2 to 8, but is 1");
        assert_eq!(
            refused("syn-50", "combined", "18446744073709551615"),
            "5 single causes and 18446744073709551615 combined ones of 2 parts need 18446744073709551615 predictors, \
             but there are 49"
        );
        let mut many = Recipe::named("syn-20").unwrap();
        for (parameter, value) in [("singles", "13"), ("predictors", "30")] {
            many.set(parameter, value).unwrap();
        }
        assert_eq!(
            many.check().unwrap_err(),
            "a random network has at most 16 causes, but singles and combined are 17: choose a logistic recipe for more"
        );
        assert_eq!(refused("syn-7", "most-parents", "17"), "most-parents must be at most 16, but is 17");
        assert_eq!(
            refused("syn-7", "neighbours", "-1"),
            "neighbours must be a number that is not negative, but is -1"
        );
        assert_eq!(
            refused("syn-7", "least-g2", "-1"),
            "least-g2 must be a number that is not negative, but is -1"
        );
        assert_eq!(
            refused("mixed", "shares", "0..0.5"),
            "shares must lie between 0 and 1, both excluded, but are 0..0.5"
        );
        assert_eq!(
            refused("mixed", "coefficients", "2..1"),
            "coefficients must name the smaller number first, but are 2..1"
        );
        assert_eq!(
            refused("corr", "correlation", "1"),
            "correlation must be at least 0 and less than 1, but is 1"
        );
        assert_eq!(refused("corr", "group", "0"), "group must be at least 1");
    }

    #[test]
    fn what_chance_never_gives_is_an_error() {
        let mut recipe = Recipe::named("syn-7").unwrap();
        recipe.set("rows", "5").unwrap();
        assert_eq!(
            recipe.simulate(1).unwrap_err(),
            "none of 2000 random networks had enough parents of the target with a G² of 10.83 or more (1 needed): ask for \
             more rows, fewer combined causes, a smaller least-g2, or random parents"
        );
    }
}

//! A recipe: the parameters from which a seed generates data.

use concause::random::Random;

use super::{AllowedRange, CompleteTable, Logistic, RandomNetwork, RiskModel, SimulateError, Simulated};

/// The largest table: 8 GB of codes.
const MAX_CELLS: u64 = 1 << 32;

/// How data is generated. Start from a [named](Recipe::named) recipe and change its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The name; a changed recipe keeps the name of the original.
    pub name: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns without the target.
    pub predictors: usize,
    /// The model that generates columns and target.
    pub kind: RecipeKind,
}

/// The model that generates columns and target.
#[derive(Clone, Debug, PartialEq)]
pub enum RecipeKind {
    /// A random Bayesian network.
    Network(RandomNetwork),
    /// A logistic model.
    Logistic(Logistic),
    /// Planted causes that act on a chosen scale.
    RiskModel(RiskModel),
    /// The complete table of a concept.
    CompleteTable(CompleteTable),
}

impl Recipe {
    /// Returns the first error among the parameters.
    ///
    /// ```
    /// let mut recipe = concause_simulate::Recipe::named("syn-7").unwrap();
    /// recipe.set("combined", "3")?;
    /// assert_eq!(
    ///     recipe.check().unwrap_err().to_string(),
    ///     "2 single and 3 combined causes of 2 columns each need 8 predictors, but there are 6"
    /// );
    /// # Ok::<(), concause_simulate::SimulateError>(())
    /// ```
    pub fn check(&self) -> Result<(), SimulateError> {
        check_size(self.rows, self.predictors.saturating_add(1))?;
        match &self.kind {
            RecipeKind::Network(network) => network.check(self.predictors),
            RecipeKind::Logistic(logistic) => logistic.check(self.predictors),
            RecipeKind::RiskModel(model) => model.check(self.predictors),
            RecipeKind::CompleteTable(table) => table.check(self.predictors),
        }
    }

    /// Generates the data of a seed. The same recipe and seed give the same data on every machine.
    pub fn simulate(&self, seed: u64) -> Result<Simulated, SimulateError> {
        self.check()?;
        let (rows, predictors) = (self.rows, self.predictors);
        let mut random = Random::new(seed);
        let data = match &self.kind {
            RecipeKind::Network(network) => network.generate(rows, predictors, &mut random)?,
            RecipeKind::Logistic(logistic) => logistic.generate(rows, predictors, &mut random)?,
            RecipeKind::RiskModel(model) => model.generate(rows, predictors, &mut random)?,
            RecipeKind::CompleteTable(table) => table.generate(rows, predictors, &mut random),
        };
        Ok(data.shuffle_and_name(self, seed, &mut random))
    }
}

/// Rejects a table without rows and one that is too large.
fn check_size(rows: usize, columns: usize) -> Result<(), SimulateError> {
    AllowedRange::at_least(1.0).check_count("rows", rows)?;
    if (rows as u64).checked_mul(columns as u64).is_none_or(|cells| cells > MAX_CELLS) {
        return Err(SimulateError::TooManyCells { rows, columns, limit: MAX_CELLS });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_parameters_are_rejected() {
        let rejected = |name: &str, parameter: &str, value: &str| {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set(parameter, value).unwrap();
            assert_eq!(recipe.check(), recipe.simulate(1).map(|_| ()));
            recipe.check().unwrap_err().to_string()
        };
        assert_eq!(rejected("syn-7", "rows", "0"), "rows must be at least 1, but is 0");
        assert_eq!(
            rejected("syn-7", "rows", "99999999999"),
            "99999999999 rows of 7 columns are too many: a table has at most 4294967296 cells"
        );
        assert_eq!(
            rejected("syn-7", "predictors", "3"),
            "2 single and 1 combined causes of 2 columns each need 4 predictors, but there are 3"
        );
        for share in ["0", "1", "-0.5"] {
            let sentence = format!("share must be greater than 0 and less than 1, but is {share}");
            assert_eq!(rejected("syn-50", "share", share), sentence);
        }
        assert_eq!(rejected("syn-7", "parts", "1"), "parts must be at least 2 and at most 8, but is 1");
        assert_eq!(
            rejected("syn-50", "combined", "18446744073709551615"),
            "5 single and 18446744073709551615 combined causes of 2 columns each need 18446744073709551615 \
             predictors, but there are 49"
        );
        let mut many = Recipe::named("syn-20").unwrap();
        for (parameter, value) in [("singles", "13"), ("predictors", "30")] {
            many.set(parameter, value).unwrap();
        }
        assert_eq!(
            many.check().unwrap_err().to_string(),
            "a random network has at most 16 causes, but singles and combined add up to 17: choose a logistic recipe \
             for more"
        );
        assert_eq!(rejected("syn-7", "most-parents", "17"), "most-parents must be at most 16, but is 17");
        assert_eq!(rejected("syn-7", "neighbours", "-1"), "neighbours must be at least 0, but is -1");
        assert_eq!(rejected("syn-7", "least-g2", "-1"), "least-g2 must be at least 0, but is -1");
        assert_eq!(
            rejected("mixed", "shares", "0..0.5"),
            "shares must be greater than 0 and less than 1, but is 0..0.5"
        );
        assert_eq!(
            rejected("mixed", "coefficients", "2..1"),
            "coefficients must name the smaller number first, but is 2..1"
        );
        assert_eq!(
            rejected("corr", "correlation", "1"),
            "correlation must be at least 0 and less than 1, but is 1"
        );
        assert_eq!(rejected("corr", "group", "0"), "group must be at least 1, but is 0");
    }

    #[test]
    fn parents_that_are_never_strong_enough_are_an_error() {
        let mut recipe = Recipe::named("syn-7").unwrap();
        recipe.set("rows", "5").unwrap();
        assert_eq!(
            recipe.simulate(1).unwrap_err().to_string(),
            "no random network out of 2000 had 1 or more parents of the target with a G² of at least 10.83: use \
             more rows, fewer combined causes, a smaller least-g2, or random parents"
        );
    }
}

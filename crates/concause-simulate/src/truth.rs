//! The true causes of simulated data, and how the data was generated.

use std::collections::BTreeSet;

use super::score::{Score, ScoredLiteral, score_literals, split_negation};

/// The true causes of simulated data, and everything needed to generate the data again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The target, as `NAME` or `NAME=VALUE`.
    pub target: String,
    /// The causes, single causes first, each with its columns in data order. `!V3` is the negation of the column `V3`.
    /// A cause that acts through a nominal or numeric variable as a whole names the variable.
    pub causes: Vec<Vec<String>>,
    /// The variables that give a column per value, such as `V3=Aa`.
    pub nominal: Vec<String>,
    /// The variables that give columns for ranges of numbers, such as `V3>=0.5`, `V3<0.5` and `0<=V3<0.5`.
    pub numeric: Vec<String>,
    /// The version of the generator, [`GENERATOR`](super::GENERATOR).
    pub generator: u32,
    /// The name of the recipe, or of the network in the file.
    pub recipe: String,
    /// The seed.
    pub seed: u64,
    /// Name and value of every parameter, as [`Recipe::set`](super::Recipe::set) takes them.
    pub parameters: Vec<(String, String)>,
}

impl Truth {
    /// Scores the causes found, given by the names of their columns. A column of a nominal or numeric variable counts
    /// as the variable: if the truth is `V1&V2`, then `V1=Aa&V2=aa` is a hit. So is any other pair of their columns,
    /// but all these pairs count as one finding.
    ///
    /// The stricter score [`exact`](super::ByCauseKind::exact) compares literals: `V1=Aa` is not `V1=aa`, and `V1>=2`
    /// is not `V1<2`. The limits of numbers are not compared, because a search chooses its own. If a true cause names a
    /// variable as a whole, then any column of the variable is right.
    pub fn score(&self, found: &[Vec<String>]) -> Score {
        let literals = self.causes.iter().flatten().map(|literal| split_negation(literal).0);
        let whole: BTreeSet<&str> =
            literals.filter(|name| self.variables().any(|variable| variable == name)).collect();
        score_literals(&self.parse_causes(found, &whole), &self.parse_causes(&self.causes, &whole))
    }

    /// The variables that give several columns.
    fn variables(&self) -> impl Iterator<Item = &String> {
        self.nominal.iter().chain(&self.numeric)
    }

    fn parse_causes<'a>(
        &'a self,
        causes: &'a [Vec<String>],
        whole: &BTreeSet<&str>,
    ) -> Vec<Vec<ScoredLiteral<'a>>> {
        let parse = |literal: &'a String| self.parse_literal(literal, whole);
        causes.iter().map(|cause| cause.iter().map(parse).collect()).collect()
    }

    /// The literal of a binary column, or of the variable to which the column belongs. All columns of a variable that
    /// is a cause as a whole are the same literal.
    fn parse_literal<'a>(&'a self, literal: &'a str, whole: &BTreeSet<&str>) -> ScoredLiteral<'a> {
        let (column, is_negation) = split_negation(literal);
        let parsed = self.variables().filter_map(|name| Some((name, parse_value(name, column)?)));
        let Some((name, (value, is_below))) = parsed.max_by_key(|(name, _)| name.len()) else {
            return ScoredLiteral::parse(literal);
        };
        if whole.contains(name.as_str()) {
            return ScoredLiteral { column: name, value: "", negated: false };
        }
        ScoredLiteral { column: name, value, negated: is_negation ^ is_below }
    }
}

/// The value of a variable that a column stands for, and whether the column is the negation of that value; none if it
/// is no column of the variable.
fn parse_value<'a>(variable: &str, column: &'a str) -> Option<(&'a str, bool)> {
    if let Some(rest) = column.strip_prefix(variable) {
        let is_number = |text: &str| text.parse::<f64>().is_ok();
        return match rest.strip_prefix('=') {
            _ if rest.is_empty() => Some(("", false)),
            Some(value) => Some((value, false)),
            None if rest.strip_prefix(">=").is_some_and(is_number) => Some((">=", false)),
            None if rest.strip_prefix('<').is_some_and(is_number) => Some((">=", true)),
            None => None,
        };
    }
    let (low, high) = column.split_once(&format!("<={variable}<"))?;
    let is_interval = low.parse::<f64>().is_ok() && high.parse::<f64>().is_ok();
    is_interval.then_some(("interval", false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn columns_of_a_variable_count_as_the_variable() {
        let truth = Truth {
            causes: vec![names(&["V1", "V12"])],
            nominal: names(&["V1", "V12", "V1=a"]),
            ..Truth::default()
        };
        let found = [names(&["V12=x", "V1=y"]), names(&["V1=z", "V12=x"]), names(&["V12=x"])];
        let score = truth.score(&found);
        assert_eq!((score.combined.hits, score.combined.found, score.single.found), (1, 1, 1));
        // `V1=a=b` is a column of the variable `V1=a`, not of `V1`.
        assert_eq!(truth.score(&[names(&["V1=a=b", "V12=x"])]).combined.hits, 0);
        // Any column is right where the truth names the variable.
        assert_eq!((score.exact.hits, score.exact.found), (1, 2));
        // Without nominal variables names are taken as they are.
        let plain = Truth { causes: vec![names(&["V1=y"])], ..Truth::default() };
        assert_eq!(plain.score(&[names(&["V1=y"])]).single.hits, 1);
    }

    #[test]
    fn ranges_of_numbers_count_as_the_variable() {
        let truth = Truth {
            causes: vec![names(&["age"]), names(&["age>=60", "wind=low"]), names(&["V2", "rain>=3.5"])],
            nominal: names(&["wind"]),
            numeric: names(&["age", "rain", "r"]),
            ..Truth::default()
        };
        let found = [names(&["40<=age<60"]), names(&["wind=mid", "!age<50"]), names(&["rain<3", "V2"])];
        let score = truth.score(&found);
        assert_eq!((score.single.hits, score.combined.hits, score.all.found), (1, 2, 3));
        // `age` is a cause as a whole; wind is not low; rain is below its limit.
        assert_eq!((score.exact.hits, score.exact.found, score.exact.truth), (1, 3, 3));
        // Two limits of a variable are one variable, and another limit is the same literal.
        let score = truth.score(&[names(&["age>=40", "age<60"]), names(&["rain>=3", "V2"])]);
        assert_eq!((score.single.hits, score.combined.hits, score.exact.hits), (1, 1, 2));
        // These are other columns.
        let other = truth.score(&[names(&["ages"]), names(&["3<=ages<5"]), names(&["age>=x"])]);
        assert_eq!((other.single.hits, other.single.found), (0, 3));
    }
}

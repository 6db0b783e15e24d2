//! The causes that were built into simulated data, and how the data was made.

use std::collections::BTreeSet;

use super::score::{Score, score};

/// The causes that were built into simulated data, and all that is needed to make the data again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The target as people write it: `NAME` or `NAME=VALUE`.
    pub target: String,
    /// The causes: each its columns in data order, single ones first. `!V3` is the opposite of the column `V3`.
    pub causes: Vec<Vec<String>>,
    /// The variables that give a column per value, such as `V3=Aa`. Causes name such a variable, not its columns.
    pub nominal: Vec<String>,
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
    /// The score of what was found, by the names of columns. A column of a nominal variable counts as the variable:
    /// if the truth is `V1&V2`, then `V1=Aa&V2=aa` is a hit, and so is any other pair of their columns, but all of them
    /// together are one finding.
    pub fn score(&self, found: &[Vec<String>]) -> Score {
        let of_variables: Vec<Vec<String>> = found
            .iter()
            .map(|cause| {
                let variables: BTreeSet<&str> = cause.iter().map(|column| self.variable_of(column)).collect();
                variables.into_iter().map(str::to_owned).collect()
            })
            .collect();
        score(&of_variables, &self.causes)
    }

    /// The nominal variable a column belongs to, or the column itself.
    fn variable_of<'a>(&'a self, column: &'a str) -> &'a str {
        let belongs =
            |name: &&String| column.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('='));
        self.nominal.iter().filter(belongs).max_by_key(|name| name.len()).map_or(column, String::as_str)
    }
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
        // Without nominal variables names are taken as they are.
        let plain = Truth { causes: vec![names(&["V1=y"])], ..Truth::default() };
        assert_eq!(plain.score(&[names(&["V1=y"])]).single.hits, 1);
    }
}

//! The numbers of the paper (Ma, Li, Liu, Le 2016), each with the table it comes from.

use concause_simulate::score;

/// A line of the table *A Brief Description of Data Sets* (`table:data`).
pub struct PaperDataSet {
    /// The name in the paper.
    pub name: &'static str,
    /// The number of rows.
    pub records: u64,
    /// The number of binary predictors.
    pub variables: usize,
    /// The first of the two shares, in per cent.
    pub percent: f64,
    /// The numbers of single and combined causes, if known.
    pub truth: Option<(usize, usize)>,
}

/// The table of data sets.
pub const DATA_SETS: [PaperDataSet; 17] = [
    data("Syn-7", 1000, 6, 39.1, Some((2, 1))),
    data("Syn-10", 1000, 9, 42.2, Some((3, 2))),
    data("Syn-12", 2000, 11, 72.1, Some((4, 3))),
    data("Syn-16", 2000, 15, 45.2, Some((4, 3))),
    data("Syn-20", 2000, 19, 55.6, Some((4, 4))),
    data("Syn-50", 5000, 49, 30.8, Some((5, 5))),
    data("Syn-60", 5000, 59, 30.8, Some((5, 5))),
    data("Syn-80", 5000, 79, 30.5, Some((5, 5))),
    data("Syn-100", 5000, 99, 30.0, Some((5, 5))),
    data("Syn-120", 5000, 119, 30.4, Some((5, 5))),
    data("CMC", 1473, 22, 57.3, None),
    data("German", 1000, 60, 30.0, None),
    data("House-votes-84", 435, 16, 61.4, None),
    data("Hypothyroid", 3163, 51, 4.8, None),
    data("Kr-vs-kp", 3196, 74, 47.8, None),
    data("Sick", 2800, 58, 6.1, None),
    data("Census", 299_285, 495, 6.2, None),
];

const fn data(
    name: &'static str,
    records: u64,
    variables: usize,
    percent: f64,
    truth: Option<(usize, usize)>,
) -> PaperDataSet {
    PaperDataSet { name, records, variables, percent, truth }
}

/// A row of the comparison with the naïve methods (`table:Syn`).
pub struct NaiveRow {
    /// The data set, by the name of its recipe.
    pub data_set: &'static str,
    /// The method, by its name on our command line.
    pub method: &'static str,
    /// The causes that the method returned.
    pub causes: &'static [&'static str],
}

/// The true causes of the two data sets of `table:Syn`, with the paper's names of columns.
pub const NAIVE_TRUTH: [(&str, &[&str]); 2] =
    [("syn-7", &["V3", "V4", "V1&V2"]), ("syn-10", &["V5", "V6", "V7", "V1&V2", "V3&V4"])];

/// The comparison with the naïve methods (`table:Syn`).
pub const NAIVE: [NaiveRow; 8] = [
    naive_row("syn-7", "naive-h", &["V3", "V4", "V1&V2", "V3&V5", "V4&V5"]),
    naive_row("syn-7", "naive-s", &["V3", "V4", "V3&V5", "V4&V5"]),
    naive_row("syn-7", "mh-pc-f", &["V3", "V4", "V1&V2"]),
    naive_row("syn-7", "mh-pc-b", &["V3", "V4", "V1&V2"]),
    naive_row("syn-10", "naive-h", &["V5", "V6", "V1&V2", "V3&V4", "V1&V3", "V4&V5", "V5&V6"]),
    naive_row("syn-10", "naive-s", &["V5", "V6", "V1&V2", "V3&V4", "V5&V6", "V5&V9"]),
    naive_row("syn-10", "mh-pc-f", &["V5", "V6", "V1&V2", "V3&V4"]),
    naive_row("syn-10", "mh-pc-b", &["V5", "V6", "V1&V2", "V3&V4"]),
];

const fn naive_row(
    data_set: &'static str,
    method: &'static str,
    causes: &'static [&'static str],
) -> NaiveRow {
    NaiveRow { data_set, method, causes }
}

/// Precision, recall and F1 of combined causes, as printed.
pub type PrintedScores = [f64; 3];

/// P, R and F1 of combined causes on the small and the larger synthetic data sets (`table:Syn-small` and
/// `table:Syn-large`): the recipe, and the values of CR-CS, CR-PA, MH-PC-F and MH-PC-B.
pub const COMBINED: [(&str, [PrintedScores; 4]); 8] = [
    ("syn-12", [[0.25, 1.0, 0.40], [0.16, 1.0, 0.27], [0.67, 0.67, 0.67], [0.67, 0.67, 0.67]]),
    ("syn-16", [[0.23, 1.0, 0.38], [0.17, 1.0, 0.29], [0.50, 1.0, 0.67], [0.50, 1.0, 0.67]]),
    ("syn-20", [[0.36, 1.0, 0.53], [0.27, 1.0, 0.42], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]),
    ("syn-50", [[0.71, 1.0, 0.83], [0.71, 1.0, 0.83], [0.83, 1.0, 0.91], [0.83, 1.0, 0.91]]),
    ("syn-60", [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.71, 1.0, 0.83], [0.71, 1.0, 0.83]]),
    ("syn-80", [[0.71, 1.0, 0.83], [0.83, 1.0, 0.91], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]),
    ("syn-100", [[0.83, 1.0, 0.91], [0.83, 1.0, 0.91], [0.83, 1.0, 0.91], [0.83, 1.0, 0.91]]),
    ("syn-120", [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.83, 1.0, 0.91], [0.83, 1.0, 0.91]]),
];

/// The methods of [`COMBINED`], by their names on our command line.
pub const COMBINED_METHODS: [&str; 4] = ["cr-cs", "cr-pa", "mh-pc-f", "mh-pc-b"];

/// The paper's scores of combined causes for a recipe and a method, if any. Those of Syn-7 and Syn-10 are calculated
/// from the causes in `table:Syn`.
pub fn combined_scores(recipe: &str, method: &str) -> Option<PrintedScores> {
    if let Some(row) = NAIVE.iter().find(|row| row.data_set == recipe && row.method == method) {
        let (_, truth) = NAIVE_TRUTH.iter().find(|(name, _)| *name == recipe)?;
        let rates = score(&split_causes(row.causes), &split_causes(truth)).combined;
        return Some([rates.precision(), rates.recall(), rates.f1()]);
    }
    let place = COMBINED_METHODS.iter().position(|&name| name == method)?;
    COMBINED.iter().find(|(name, _)| *name == recipe).map(|(_, values)| values[place])
}

/// The columns of each cause.
pub fn split_causes(causes: &[&str]) -> Vec<Vec<String>> {
    causes.iter().map(|cause| cause.split('&').map(str::to_owned).collect()).collect()
}

/// The numbers of single and combined causes in real data (`table_number`).
pub const REAL: [(&str, usize, usize); 6] = [
    ("CMC", 2, 0),
    ("German", 1, 13),
    ("House-votes-84", 0, 18),
    ("Hypothyroid", 3, 4),
    ("Kr-vs-kp", 7, 12),
    ("Sick", 3, 8),
];

/// The examples of combined causes (`table:ExmComCauses`): the data set, the cause as printed, and its name in our
/// encoding.
pub const EXAMPLES: [(&str, &str, &str); 4] = [
    ("Sick", "T3 < 1.151 & TT4 < 87.5", "T3<1.15&TT4<87.5"),
    ("Sick", "sick = true & T3 < 1.151", "sick=t&T3<1.15"),
    (
        "German",
        "Checking.account = no-account & Savings.account < 100DM",
        "checking_account=A14&savings_account=A61",
    ),
    (
        "German",
        "Property = real.estate & Other.installment.plans = none",
        "property=A121&other_installment_plans=A143",
    ),
];

/// The numbers of variables of the figure of Census (`fig:cen-var`), at 50,000 records.
pub const CENSUS_VARIABLES: [usize; 5] = [30, 50, 70, 100, 150];

/// The numbers of records of the other figure of Census (`fig:cen-record`), with 100 variables.
pub const CENSUS_RECORDS: [usize; 5] = [50_000, 100_000, 150_000, 200_000, 250_000];

#[cfg(test)]
mod tests {
    use concause_simulate::Recipe;

    use super::*;

    #[test]
    fn printed_f1_follows_from_printed_precision_and_recall() {
        for (name, values) in COMBINED {
            for [precision, recall, f1] in values {
                let calculated = 2.0 * precision * recall / (precision + recall);
                // The printed values are rounded to two decimals.
                assert!((calculated - f1).abs() < 0.011, "{name}: {precision} {recall} {f1}");
            }
        }
    }

    #[test]
    fn scores_are_calculated_from_listed_causes() {
        assert_eq!(combined_scores("syn-7", "mh-pc-f"), Some([1.0, 1.0, 1.0]));
        assert_eq!(combined_scores("syn-7", "naive-s"), Some([0.0, 0.0, 0.0]));
        assert_eq!(combined_scores("syn-10", "naive-h"), Some([0.4, 1.0, 4.0 / 7.0]));
        assert_eq!(combined_scores("syn-60", "cr-pa"), Some([1.0, 1.0, 1.0]));
        assert_eq!(combined_scores("syn-60", "naive-h"), None);
    }

    #[test]
    fn every_synthetic_data_set_is_a_recipe_of_the_same_size() {
        for data_set in DATA_SETS.iter().filter(|data_set| data_set.truth.is_some()) {
            let recipe = Recipe::named(&data_set.name.to_lowercase()).unwrap();
            assert_eq!((recipe.rows as u64, recipe.predictors), (data_set.records, data_set.variables));
            let causes = recipe.simulate(1).unwrap().truth.causes;
            let single = causes.iter().filter(|cause| cause.len() == 1).count();
            assert_eq!(data_set.truth, Some((single, causes.len() - single)));
        }
    }
}

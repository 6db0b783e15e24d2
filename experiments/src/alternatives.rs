//! The experiment `alternatives`: the causes that the joint method finds in two real data sets, with their
//! probabilities and what may take their place, beside the causes that MH-PC-F finds.

use std::collections::BTreeSet;

use concause::count::LocalCounter;
use concause::dataset::{Block, Candidate, Column, Dataset};
use concause::evidence::trust::stability::{Stability, stability};
use concause::progress::NoProgress;
use concause::search::{Findings, Method, Posterior};
use concause_bench::error::ToolError;
use concause_bench::numbers::thousands;
use concause_bench::text_table::TextTable;
use concause_bench::uci::{CENSUS, PaperEncoding, RESULT_TABLE_DATA_SETS, UciDataSet};
use serde::{Deserialize, Serialize};

use crate::experiment_run::{ExperimentPage, ExperimentRun};
use crate::method_under_test::{MethodUnderTest, search};
use crate::numbers::{percent, two_decimals};

/// The methods, the joint method first.
const METHODS: [Method; 2] = [Method::JOINT, Method::MH_PC_F];

/// Sets of columns with at least this probability that are not causes are possible causes.
const POSSIBLE: f64 = 0.1;

/// A set of columns that some method finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FoundSet {
    /// The name of the term that the first method to find it reports.
    name: String,
    /// The probability in the posterior of the joint method.
    probability: f64,
    /// The set that most probably takes its place, with the probability of that.
    alternative: Option<(String, f64)>,
    /// For the joint method and each other one: whether it finds the set, and its stability.
    by_method: Vec<(bool, Option<f64>)>,
}

/// The causes of a data set.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AlternativesResult {
    rows: u64,
    columns: usize,
    /// The sets that the joint method finds, then those that only others find.
    sets: Vec<FoundSet>,
    possible: Vec<(String, f64)>,
    undecided: Vec<(String, f64)>,
    scales: Vec<(String, f64)>,
}

/// The findings of a method, and their stability if half-samples were searched.
struct MethodFindings {
    findings: Findings,
    stability: Option<Stability>,
}

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    let german = RESULT_TABLE_DATA_SETS.iter().find(|real| real.name == "German");
    let half_samples = if run.quick { 2 } else { 20 };
    let data_sets: Vec<(&UciDataSet, usize)> =
        german.into_iter().map(|german| (german, half_samples)).chain([(&CENSUS, 0)]).collect();
    let bar = run.progress_bar("alternatives", data_sets.len() as u64);
    let mut markdown = introduction(half_samples);
    let mut csv = TextTable::new(csv_header());
    let mut findings = Vec::new();
    for (real, half_samples) in data_sets {
        markdown += &format!("\n## {}\n\n", real.name);
        if let Some(note) = missing_note(run, real) {
            run.report(&note);
            markdown += &format!("{note}.\n");
            findings.push(format!("{note}."));
        } else {
            let key = format!("alternatives/{}/{half_samples}", real.name);
            let result = run.store.get_or_compute(&key, || compute_result(run, real, half_samples))?;
            let summary = summary_sentence(&result);
            markdown += &section(&result, &summary, half_samples > 0);
            findings.push(format!("{}: {summary}", real.name));
            add_to_csv(&mut csv, real.name, &result);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(ExperimentPage { markdown, files: vec![("alternatives.csv".into(), csv.to_csv())], findings })
}

/// Why a data set is left out, if it is.
fn missing_note(run: &ExperimentRun, real: &UciDataSet) -> Option<String> {
    if run.quick && real.name == CENSUS.name {
        return Some("A quick run leaves out Census".into());
    }
    run.missing_note(real)
}

fn introduction(half_samples: usize) -> String {
    format!(
        "# Alternatives\n\nThe causes that the joint method finds in two real data sets, with the probability of each. \
         *Alternative* is the set of columns that shares a column with the cause and most probably takes its place, \
         with the probability that it is in the model and the cause is not. *MH-PC-F* shows whether that \
         method, with the preset `paper`, finds the same set of columns, with any signs. Columns that are equal or \
         complementary in the data count as one. *Stability* is the \
         share of {half_samples} random half-samples in which the same method finds a cause over the same attributes; it is not computed \
         for Census, where a search takes most of a minute. *Possible causes* are the other sets of columns \
         with a probability of at least .1. A column *matters in an undecided form* if its probability is at least \
         .5, but no cause contains it.\n\nThe data are observational: a cause that is found may be a cause, \
         an effect, or a proxy for something that was not recorded. The probabilities assume that the true causes are \
         among the models that are compared.\n"
    )
}

fn compute_result(
    run: &ExperimentRun,
    real: &UciDataSet,
    half_samples: usize,
) -> Result<AlternativesResult, ToolError> {
    let dataset = real.read(&run.data, PaperEncoding::DataTable)?;
    compare_methods(&dataset, half_samples)
}

fn compare_methods(dataset: &Dataset, half_samples: usize) -> Result<AlternativesResult, ToolError> {
    let find = |method: Method| -> Result<MethodFindings, ToolError> {
        let settings = MethodUnderTest { method, max_k: 3 }.settings(2);
        let findings = search(dataset, &settings, &NoProgress)?;
        let counter = LocalCounter::new(dataset);
        let stability = match half_samples {
            0 => None,
            number => Some(stability(&counter, &settings, number, &NoProgress)?),
        };
        Ok(MethodFindings { findings, stability })
    };
    let methods = METHODS.into_iter().map(find).collect::<Result<Vec<MethodFindings>, _>>()?;
    let columns = dataset.columns();
    let posterior = methods.iter().find_map(|one| one.findings.posterior.as_ref());
    Ok(AlternativesResult {
        rows: dataset.rows(),
        columns: columns.len(),
        sets: list_sets(&methods, posterior, dataset),
        possible: posterior.map_or_else(Vec::new, |posterior| list_possible(posterior, columns)),
        undecided: posterior.map_or_else(Vec::new, |posterior| list_undecided(posterior, dataset)),
        scales: posterior.into_iter().flat_map(name_scales).collect(),
    })
}

/// Columns without duplicates: the first column that has the same rows as a column, or all others.
struct DistinctColumns {
    first: Vec<u32>,
}

impl DistinctColumns {
    fn new(dataset: &Dataset) -> Self {
        let opposite = |bits: &[Block]| {
            let rows = dataset.layout().full();
            let without = |(rows, held): (&Block, &Block)| {
                Block(std::array::from_fn(|word| rows.0[word] & !held.0[word]))
            };
            rows.iter().zip(bits).map(without).collect::<Vec<Block>>()
        };
        let find_first = |column: usize| {
            let (bits, opposite) = (dataset.bits(column), opposite(dataset.bits(column)));
            let is_same = |&other: &usize| dataset.bits(other) == bits || dataset.bits(other) == opposite;
            (0..column).find(is_same).unwrap_or(column) as u32
        };
        DistinctColumns { first: (0..dataset.columns().len()).map(find_first).collect() }
    }

    /// The set of columns of a candidate. Conjunctions with the same set differ at most in their signs.
    fn set(&self, candidate: &Candidate) -> Candidate {
        Candidate::new(candidate.columns().into_iter().map(|column| self.first[column as usize]))
    }
}

impl MethodFindings {
    fn finds(&self, set: &Candidate, distinct: &DistinctColumns) -> bool {
        self.findings.causes.iter().any(|cause| distinct.set(&cause.candidate) == *set)
    }

    /// The share of half-samples with a cause over the same attributes.
    fn frequency(&self, cause: &Candidate, columns: &[Column]) -> Option<f64> {
        self.stability.as_ref()?.frequency(cause, columns)
    }
}

/// The sets of columns that any method finds, in the order of the methods and of their results.
fn list_sets(methods: &[MethodFindings], posterior: Option<&Posterior>, dataset: &Dataset) -> Vec<FoundSet> {
    let (columns, distinct) = (dataset.columns(), DistinctColumns::new(dataset));
    let mut listed: BTreeSet<Candidate> = BTreeSet::new();
    let mut sets = Vec::new();
    for cause in methods.iter().flat_map(|one| &one.findings.causes) {
        let own = distinct.set(&cause.candidate);
        if !listed.insert(own.clone()) {
            continue;
        }
        let known = posterior.into_iter().flat_map(|posterior| &posterior.attribute_sets);
        let attributes = cause.candidate.attributes(columns);
        let in_posterior = known.into_iter().find(|set| set.attributes == attributes);
        let alternative = in_posterior.and_then(|set| set.alternative());
        sets.push(FoundSet {
            name: cause.candidate.name(columns),
            probability: in_posterior.map_or(0.0, |set| set.probability),
            alternative: alternative.map(|(other, probability)| (other.name(columns), *probability)),
            by_method: methods
                .iter()
                .map(|one| (one.finds(&own, &distinct), one.frequency(&cause.candidate, columns)))
                .collect(),
        });
    }
    sets
}

fn list_possible(posterior: &Posterior, columns: &[Column]) -> Vec<(String, f64)> {
    let possible = posterior.attribute_sets.iter().filter(|set| !set.is_cause && set.probability >= POSSIBLE);
    let named = possible.filter_map(|set| Some((set.terms.first()?.0.name(columns), set.probability)));
    named.collect()
}

/// The attributes that matter although no set that contains them is a cause.
fn list_undecided(posterior: &Posterior, dataset: &Dataset) -> Vec<(String, f64)> {
    let undecided = posterior.attribute_sets.iter().filter(|set| set.is_undecided);
    let name = |attribute: &usize| dataset.attributes()[*attribute].clone();
    undecided.map(|set| (set.attributes.iter().map(name).collect(), set.matters)).collect()
}

fn name_scales(posterior: &Posterior) -> Vec<(String, f64)> {
    let probable = posterior.scales.iter().filter(|(_, probability)| *probability >= 0.01);
    probable.map(|(scale, probability)| (scale.name().to_owned(), *probability)).collect()
}

fn summary_sentence(result: &AlternativesResult) -> String {
    let of_joint: Vec<&FoundSet> = result.sets.iter().filter(|set| set.by_method[0].0).collect();
    let also = |method: usize| of_joint.iter().filter(|set| set.by_method[method].0).count();
    let all = |method: usize| result.sets.iter().filter(|set| set.by_method[method].0).count();
    format!(
        "The joint method finds {} sets of columns. MH-PC-F finds {} of them and {} others.",
        of_joint.len(),
        also(1),
        all(1) - also(1)
    )
}

fn section(result: &AlternativesResult, summary: &str, has_stability: bool) -> String {
    let (of_joint, of_others): (Vec<&FoundSet>, Vec<&FoundSet>) =
        result.sets.iter().partition(|set| set.by_method[0].0);
    let mut text = format!("{} rows and {} columns. {summary}\n\n", thousands(result.rows), result.columns);
    text += &joint_table(&of_joint, has_stability).to_markdown();
    text += &format!(
        "\n- Possible causes: {}\n- Columns that matter in an undecided form: {}\n- Scale of risk: {}\n",
        list_probabilities(&result.possible),
        list_probabilities(&result.undecided),
        list_probabilities(&result.scales)
    );
    if !of_others.is_empty() {
        text += "\nSets of columns that only MH-PC-F finds:\n\n";
        text += &others_table(&of_others, has_stability).to_markdown();
    }
    text
}

fn joint_table(sets: &[&FoundSet], has_stability: bool) -> TextTable {
    let stability = if has_stability { Some("stability") } else { None };
    let header = ["cause", "probability"].into_iter().chain(stability);
    let mut table = TextTable::new(header.chain(["alternative", "its probability", "MH-PC-F"]));
    for set in sets {
        let own = set.by_method[0].1.map(percent);
        let (name, probability) = alternative_cells(set);
        let head = [format!("`{}`", set.name), two_decimals(set.probability)].into_iter().chain(own);
        let others = set.by_method[1..].iter().map(|found| method_cell(*found));
        table.add_row(head.chain([name, probability]).chain(others));
    }
    table
}

fn others_table(sets: &[&FoundSet], has_stability: bool) -> TextTable {
    let header = ["cause", "probability in joint"].into_iter();
    let stability = if has_stability { Some("stability in joint") } else { None };
    let mut table = TextTable::new(header.chain(stability).chain(["MH-PC-F"]));
    for set in sets {
        let own = set.by_method[0].1.map(percent);
        let head = [format!("`{}`", set.name), two_decimals(set.probability)].into_iter().chain(own);
        table.add_row(head.chain(set.by_method[1..].iter().map(|found| method_cell(*found))));
    }
    table
}

/// The alternative and its probability.
fn alternative_cells(set: &FoundSet) -> (String, String) {
    match &set.alternative {
        Some((name, probability)) => (format!("`{name}`"), two_decimals(*probability)),
        None => ("–".into(), "–".into()),
    }
}

/// Whether a method finds a set, with its stability if it does.
fn method_cell((is_found, stability): (bool, Option<f64>)) -> String {
    match (is_found, stability) {
        (false, _) => "no".into(),
        (true, None) => "yes".into(),
        (true, Some(share)) => format!("yes ({})", percent(share)),
    }
}

fn list_probabilities(names: &[(String, f64)]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let text = |(name, probability): &(String, f64)| format!("`{name}` {}", two_decimals(*probability));
    names.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn csv_header() -> [&'static str; 10] {
    [
        "data set",
        "kind",
        "columns",
        "probability",
        "alternative",
        "probability of the alternative",
        "joint",
        "mh-pc-f",
        "stability in joint",
        "stability in mh-pc-f",
    ]
}

fn add_to_csv(csv: &mut TextTable, name: &str, result: &AlternativesResult) {
    let number = |value: f64| format!("{value:.4}");
    for set in &result.sets {
        let (alternative, probability) = set.alternative.clone().unzip();
        let found = set.by_method.iter().map(|(is_found, _)| is_found.to_string());
        let shares = set.by_method.iter().map(|(_, share)| share.map_or(String::new(), number));
        let head = [
            name.to_owned(),
            "cause".into(),
            set.name.clone(),
            number(set.probability),
            alternative.unwrap_or_default(),
            probability.map_or(String::new(), number),
        ];
        csv.add_row(head.into_iter().chain(found).chain(shares));
    }
    for (kind, names) in [("possible", &result.possible), ("undecided form", &result.undecided)] {
        for (columns, probability) in names {
            csv.add_row([name, kind, columns, &number(*probability)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::dataset::{DatasetBuilder, Target};
    use concause_simulate::Recipe;

    #[test]
    fn causes_come_with_alternatives_and_the_results_of_other_methods() {
        let simulated = Recipe::named("shared-logistic").unwrap().simulate(3).unwrap();
        let result = compare_methods(&simulated.dataset(), 2).unwrap();
        assert!(result.sets[0].by_method[0].0, "{result:?}");
        assert!(result.sets.iter().all(|set| set.by_method.len() == 2));
        assert!(result.sets.iter().all(|set| set.by_method[0].1.is_some()));
        let names: BTreeSet<&str> = result.sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names.len(), result.sets.len());
        let text = section(&result, "Summary.", true);
        assert!(text.contains("| cause | probability | stability | alternative |"), "{text}");
        let mut csv = TextTable::new(csv_header());
        add_to_csv(&mut csv, "data", &result);
        assert!(csv.to_csv().lines().count() > result.sets.len());
    }

    #[test]
    fn complementary_columns_are_one() {
        let target = Target { name: "T".into(), value: None };
        let mut builder = DatasetBuilder::new(target, vec![true, false, true, false]);
        let rows = [Some(0), Some(1), Some(1), Some(0)];
        builder.attribute("A", vec!["A=1".into(), "A=2".into()], rows);
        builder.attribute("B", vec!["B".into()], [Some(0), Some(0), None, None]);
        let dataset = builder.finish();
        let distinct = DistinctColumns::new(&dataset);
        let set = |name: &str| distinct.set(&Candidate::parse(name, dataset.columns()).unwrap());
        assert_eq!(set("A=2&B"), set("!A=1&B"));
        assert_ne!(set("A=2"), set("B"));
    }

    #[test]
    fn a_cell_says_whether_and_how_often_a_set_is_found() {
        assert_eq!(method_cell((false, Some(0.5))), "no");
        assert_eq!(method_cell((true, Some(0.5))), "yes (50.0 %)");
        assert_eq!(method_cell((true, None)), "yes");
        assert_eq!(list_probabilities(&[("A&B".into(), 0.25)]), "`A&B` 0.25");
    }
}

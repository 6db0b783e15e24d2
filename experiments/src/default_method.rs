//! The causes that the default method finds in the real data sets, with their evidence.

use concause::count::LocalCounter;
use concause::dataset::{Candidate, Dataset};
use concause::evidence::trust::calibration::calibrate;
use concause::evidence::trust::stability::stability;
use concause::evidence::{Estimate, estimate_evidence};
use concause::progress::NoProgress;
use concause::search::Settings;
use concause_bench::error::ToolError;
use concause_bench::text_table::TextTable;
use concause_bench::uci::{PaperEncoding, RESULT_TABLE_DATA_SETS, UciDataSet};
use serde::{Deserialize, Serialize};

use crate::experiment_run::ExperimentRun;
use crate::method_under_test::search;
use crate::numbers::{percent, two_decimals};

/// How often the search is repeated for each data set.
#[derive(Clone, Copy)]
struct Repetitions {
    half_samples: usize,
    shuffles: usize,
}

impl Repetitions {
    fn of(run: &ExperimentRun) -> Self {
        match run.quick {
            true => Repetitions { half_samples: 4, shuffles: 2 },
            false => Repetitions { half_samples: 100, shuffles: 20 },
        }
    }
}

/// A cause with its evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CauseEvidence {
    name: String,
    p_value: f64,
    risk_with: Option<f64>,
    risk_without: Option<f64>,
    /// The risk ratio adjusted for the other causes, and its interval.
    adjusted: Option<[f64; 3]>,
    /// The share of half-samples in which the cause is found.
    stability: f64,
}

/// The causes found in a data set, and the mean number found with a shuffled outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct DefaultResult {
    causes: Vec<CauseEvidence>,
    causes_if_shuffled: f64,
}

/// The chapter of the page: a table for every data set, which marks the causes that `paper-table` finds too.
pub fn chapter(run: &ExperimentRun, of_paper_table: &[(&str, Vec<String>)]) -> Result<String, ToolError> {
    let repetitions = Repetitions::of(run);
    let Repetitions { half_samples, shuffles } = repetitions;
    let mut text = format!(
        "## Causes found by the default method\n\nThe joint method with the default settings, in the columns that give the \
         paper's numbers. *Max p* is the larger of two p-values of the cause: alone, and given all other causes. \
         *Adjusted RR* is the risk ratio adjusted for the other causes. *Stability* is the share of {half_samples} \
         random half-samples in which the same cause is found. *paper-table* shows whether the preset `paper-table` \
         finds the cause too. The line below each table has the mean number of causes that the same settings find \
         in {shuffles} data sets with a shuffled outcome.\n\n\
         These results are not proof. The data sets are observational, and some are small. A cause that is found \
         may be a cause, an effect, or a proxy for something that was not recorded. In Sick and Hypothyroid most \
         columns are laboratory values that follow from the illness, and *class* was assigned with knowledge of \
         some of them. In Kr-vs-kp the outcome is a function of the columns by the rules of chess. A cause with low \
         stability is a hint, not a finding.\n"
    );
    for real in RESULT_TABLE_DATA_SETS {
        if run.missing_note(&real).is_some() {
            continue;
        }
        let result = compute_result(run, &real, repetitions)?;
        let theirs = of_paper_table.iter().find(|(name, _)| *name == real.name).map(|(_, causes)| causes);
        text += &format!("\n### {}\n\n", real.name);
        text += &evidence_table(&result, theirs.map_or(&[], |causes| causes)).to_markdown();
        let only: Vec<&String> = theirs
            .into_iter()
            .flatten()
            .filter(|name| result.causes.iter().all(|cause| cause.name != **name))
            .collect();
        text += &format!(
            "\nWith a shuffled outcome: {} causes on average. Causes found by `paper-table` only: {} of {}.\n",
            two_decimals(result.causes_if_shuffled),
            only.len(),
            theirs.map_or(0, Vec::len)
        );
    }
    Ok(text)
}

fn evidence_table(result: &DefaultResult, of_paper_table: &[String]) -> TextTable {
    let mut table = TextTable::new([
        "cause",
        "max p",
        "risk with",
        "risk without",
        "adjusted RR",
        "stability",
        "paper-table",
    ]);
    let share = |risk: Option<f64>| risk.map_or_else(String::new, percent);
    for one in &result.causes {
        let adjusted = one.adjusted.map(|[value, low, high]| format!("{value:.2} ({low:.2}–{high:.2})"));
        let shared = if of_paper_table.contains(&one.name) { "yes" } else { "no" };
        table.add_row([
            format!("`{}`", one.name),
            format!("{:.1e}", one.p_value),
            share(one.risk_with),
            share(one.risk_without),
            adjusted.unwrap_or_default(),
            percent(one.stability),
            shared.to_owned(),
        ]);
    }
    table
}

fn compute_result(
    run: &ExperimentRun,
    real: &UciDataSet,
    repetitions: Repetitions,
) -> Result<DefaultResult, ToolError> {
    run.store.get_or_compute(&format!("default/{}", real.name), || {
        let dataset = real.read(&run.data, PaperEncoding::ResultTable)?;
        let settings = Settings::default();
        let calibration =
            calibrate(&LocalCounter::new(&dataset), &settings, repetitions.shuffles, &NoProgress)?;
        Ok(DefaultResult {
            causes: find_with_evidence(&dataset, &settings, repetitions.half_samples)?,
            causes_if_shuffled: calibration.total().map_or(0.0, |total| total.mean),
        })
    })
}

/// Finds the causes and their evidence.
fn find_with_evidence(
    dataset: &Dataset,
    settings: &Settings,
    half_samples: usize,
) -> Result<Vec<CauseEvidence>, ToolError> {
    let counter = LocalCounter::new(dataset);
    let findings = search(dataset, settings, &NoProgress)?;
    let stability = stability(&counter, settings, half_samples, &NoProgress)?;
    let causes: Vec<Candidate> = findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
    let evidence = estimate_evidence(&counter, &causes, &[], dataset.columns())?;
    let value = |estimate: &Result<Estimate, _>| estimate.as_ref().ok().map(|estimate| estimate.value);
    let found = findings.causes.iter().zip(&evidence).map(|(cause, evidence)| CauseEvidence {
        name: cause.candidate.name(dataset.columns()),
        p_value: cause.max_p.p_value,
        risk_with: value(&evidence.risk_with),
        risk_without: value(&evidence.risk_without),
        adjusted: evidence
            .adjusted
            .effects
            .risk_ratio()
            .ok()
            .map(|ratio| [ratio.value, ratio.low, ratio.high]),
        stability: stability.frequency(&cause.candidate, dataset.columns()).unwrap_or(0.0),
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause_simulate::Recipe;

    #[test]
    fn causes_come_with_their_evidence() {
        let mut recipe = Recipe::named("logistic").unwrap();
        recipe.set("predictors", "10").unwrap();
        let data = recipe.simulate(3).unwrap().dataset();
        let found = find_with_evidence(&data, &Settings::default(), 20).unwrap();
        assert!(!found.is_empty());
        assert!(found.iter().all(|one| one.p_value <= 0.05 && one.risk_with.is_some()), "{found:?}");
        assert!(found.iter().any(|one| one.stability > 0.3 && one.adjusted.is_some()), "{found:?}");
        let result = DefaultResult { causes: found.clone(), causes_if_shuffled: 0.0 };
        let table = evidence_table(&result, &[found[0].name.clone()]);
        assert_eq!(table.to_markdown().matches("| yes |").count(), 1);
    }
}

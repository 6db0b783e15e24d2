//! What the default finds in a real data set, with the evidence for it.

use concause::count::LocalCounter;
use concause::dataset::{Candidate, Dataset};
use concause::evidence::calibration::calibrate;
use concause::evidence::stability::stability;
use concause::evidence::{Estimate, gather};
use concause::search::{Settings, Unwatched};
use serde::{Deserialize, Serialize};

use crate::contestant::search;
use crate::real::{Columns, Real, SIX};
use crate::run::Run;
use crate::table::{Table, percent, two};

const HALF_SAMPLES: usize = 100;
const SHUFFLES: usize = 20;

/// A cause with its evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Finding {
    name: String,
    p_value: f64,
    risk_with: Option<f64>,
    risk_without: Option<f64>,
    /// The risk ratio where the other causes are held fixed, and its interval.
    adjusted: Option<[f64; 3]>,
    /// In how many half-samples it is found again.
    again: f64,
}

/// What the default finds in a data set, and with shuffled outcomes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Findings {
    found: Vec<Finding>,
    by_chance: f64,
}

/// The chapter of the page: a table for every data set, beside the causes of `paper-table` by data set.
pub fn chapter(run: &Run, of_paper_table: &[(&str, Vec<String>)]) -> Result<String, String> {
    let mut text = format!(
        "## What the default finds\n\nMH-PC-X with the default settings, in the columns that give the paper's numbers. *Largest p* is the larger of the p-values of \
         the cause by itself and beside all others; *adjusted RR* is the risk ratio where the others are held fixed; *again* is the \
         share of {HALF_SAMPLES} random halves of the rows in which the same cause is found; *paper-table* says whether the paper's own \
         choice has it too. Below each table stands what the same settings find in {SHUFFLES} data sets with a shuffled outcome.\n\n\
         None of this is proof. The data sets are observational, some are small, and what is found may be a cause, an \
         effect or a stand-in for something that was not recorded: in Sick and Hypothyroid most columns are laboratory values that follow from \
         the illness, and *class* was decided with some of them in view; in Kr-vs-kp the outcome is a function of the columns by the rules of chess. A \
         cause that comes back in few halves is a hint, not a finding.\n"
    );
    for real in SIX {
        if real.missing(&run.data).is_some() {
            continue;
        }
        let findings = findings(run, &real)?;
        let theirs = of_paper_table.iter().find(|(name, _)| *name == real.name).map(|(_, causes)| causes);
        text += &format!("\n### {}\n\n", real.name);
        text += &table(&findings, theirs.map_or(&[], |causes| causes)).markdown();
        let only: Vec<&String> = theirs
            .into_iter()
            .flatten()
            .filter(|name| findings.found.iter().all(|finding| finding.name != **name))
            .collect();
        text += &format!(
            "\nWith a shuffled outcome: {} causes on average. Found by `paper-table` alone: {} of its {}.\n",
            two(findings.by_chance),
            only.len(),
            theirs.map_or(0, Vec::len)
        );
    }
    Ok(text)
}

fn table(findings: &Findings, of_paper_table: &[String]) -> Table {
    let mut table =
        Table::new(["cause", "largest p", "risk with", "without", "adjusted RR", "again", "paper-table"]);
    let share = |risk: Option<f64>| risk.map_or_else(String::new, percent);
    for one in &findings.found {
        let adjusted =
            one.adjusted.map(|[value, low, high]| format!("{} ({}–{})", two(value), two(low), two(high)));
        let shared = if of_paper_table.contains(&one.name) { "yes" } else { "no" };
        table.row([
            format!("`{}`", one.name),
            format!("{:.1e}", one.p_value),
            share(one.risk_with),
            share(one.risk_without),
            adjusted.unwrap_or_default(),
            percent(one.again),
            shared.to_owned(),
        ]);
    }
    table
}

fn findings(run: &Run, real: &Real) -> Result<Findings, String> {
    run.store.get_or(&format!("default/{}", real.name), || {
        let dataset = real.read(&run.data, Columns::OfResultTable)?;
        let settings = Settings::default();
        let by_chance = calibrate(&LocalCounter::new(&dataset), &settings, SHUFFLES, &Unwatched);
        let by_chance = by_chance.map_err(|error| error.to_string())?.all().map_or(0.0, |all| all.mean);
        Ok(Findings { found: evident(&dataset, &settings)?, by_chance })
    })
}

/// The causes with their evidence.
fn evident(dataset: &Dataset, settings: &Settings) -> Result<Vec<Finding>, String> {
    let counter = LocalCounter::new(dataset);
    let findings = search(dataset, settings, &Unwatched)?;
    let again = stability(&counter, settings, HALF_SAMPLES, &Unwatched).map_err(|error| error.to_string())?;
    let causes: Vec<Candidate> = findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
    let evidence = gather(&counter, &causes, &[]);
    let value = |estimate: &Result<Estimate, _>| estimate.as_ref().ok().map(|estimate| estimate.value);
    let found = findings.causes.iter().zip(&evidence).map(|(cause, evidence)| Finding {
        name: cause.candidate.name(dataset.columns()),
        p_value: cause.weakest.p_value,
        risk_with: value(&evidence.risk_with),
        risk_without: value(&evidence.risk_without),
        adjusted: evidence
            .adjusted
            .effects
            .risk_ratio
            .as_ref()
            .ok()
            .map(|ratio| [ratio.value, ratio.low, ratio.high]),
        again: again.frequency(&cause.candidate).unwrap_or(0.0),
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::simulate::Recipe;

    #[test]
    fn causes_come_with_their_evidence() {
        let data = Recipe::named("syn-10").unwrap().simulate(3).unwrap().dataset().unwrap();
        let found = evident(&data, &Settings::default()).unwrap();
        assert!(!found.is_empty());
        assert!(found.iter().all(|one| one.p_value <= 0.05 && one.risk_with.is_some()), "{found:?}");
        assert!(found.iter().any(|one| one.again > 0.3 && one.adjusted.is_some()), "{found:?}");
        let shown = table(&Findings { found: found.clone(), by_chance: 0.0 }, &[found[0].name.clone()]);
        assert_eq!(shown.markdown().matches("| yes |").count(), 1);
    }
}

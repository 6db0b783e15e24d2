//! The experiment `naive`: MH-PC beside methods that treat conjunctions as additional columns, on Syn-7 and Syn-10.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use concause::dataset::Dataset;
use concause::progress::NoProgress;
use concause::search::Method;
use concause_bench::error::ToolError;
use concause_bench::text_table::TextTable;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read_sources};
use concause_simulate::Recipe;

use crate::experiment_run::{ExperimentPage, ExperimentRun, FIRST_SEED};
use crate::method_under_test::{MethodUnderTest, cause_columns, search};
use crate::numbers::code_list;
use crate::paper::{self, split_causes};

/// A data set with its true causes.
struct LabelledData {
    heading: String,
    recipe: &'static str,
    /// Whether it is the paper's own data set.
    is_of_paper: bool,
    dataset: Dataset,
    truth: Vec<Vec<String>>,
}

/// The causes that a method returned, classified by the truth, and those it missed.
#[derive(Default)]
struct ClassifiedCauses {
    hits: Vec<String>,
    redundant: Vec<String>,
    wrong: Vec<String>,
    missed: Vec<String>,
}

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    let bar = run.progress_bar("naive", 2);
    let mut notes = Vec::new();
    let mut markdown = String::from(
        "# MH-PC and the naïve methods\n\nThe paper's Table 2. *Redundant* causes are combinations that contain a \
         true single cause. The paper does not state max_k. The naïve methods are shown with max_k 3 and 1, the \
         other methods with the same max_k as in the other experiments.\n",
    );
    let mut csv = TextTable::new(["data", "source", "method", "max_k", "kind", "cause"]);
    let mut findings = Vec::new();
    for example in [load_syn_7(run, &mut notes)?, simulate("syn-10")?] {
        let mut table = TextTable::new([
            "source",
            "method",
            "true causes found",
            "redundant causes",
            "other false causes",
            "missed",
        ]);
        let mut add_rows = |source: &str, method: String, max_k: &str, causes: ClassifiedCauses| {
            let lists = [&causes.hits, &causes.redundant, &causes.wrong, &causes.missed];
            let cells = lists.map(|list| code_list(list));
            table.add_row([source.to_owned(), method.clone()].into_iter().chain(cells));
            for (kind, list) in ["true", "redundant", "wrong", "missed"].into_iter().zip(lists) {
                for cause in list {
                    csv.add_row([example.recipe, source, &method, max_k, kind, cause]);
                }
            }
        };
        let (_, paper_truth) =
            paper::NAIVE_TRUTH.into_iter().find(|(name, _)| *name == example.recipe).unwrap_or_default();
        for row in paper::NAIVE.iter().filter(|row| row.data_set == example.recipe) {
            let causes = classify(&split_causes(row.causes), &split_causes(paper_truth));
            add_rows("paper", row.method.to_owned(), "", causes);
        }
        for entry in methods() {
            let found = search(&example.dataset, &entry.settings(2), &NoProgress)?;
            let causes = classify(&cause_columns(&found, &example.dataset), &example.truth);
            let summarised = [Method::NAIVE_H, Method::NAIVE_S, Method::MH_PC_F, Method::MH_PC_B];
            if summarised.contains(&entry.method) {
                findings.push(format!(
                    "{}, {}: {} true, {} redundant and {} other false causes, {} missed.",
                    example.heading,
                    entry.name(),
                    causes.hits.len(),
                    causes.redundant.len(),
                    causes.wrong.len(),
                    causes.missed.len()
                ));
            }
            add_rows("ours", entry.name(), &entry.max_k.to_string(), causes);
        }
        let truth: Vec<String> = example.truth.iter().map(|cause| cause.join("&")).collect();
        let other = if example.is_of_paper {
            ""
        } else {
            " The paper used a different data set of the same size, so its rows name different columns."
        };
        markdown += &format!(
            "\n## {}\n\nTrue causes: {}.{other}\n\n{}",
            example.heading,
            code_list(&truth),
            table.to_markdown()
        );
        bar.inc(1);
    }
    bar.finish_and_clear();
    if notes.is_empty() {
        markdown += "\nThe paper's claim holds on its own Syn-7: the naïve methods return redundant combinations in \
                     addition to true causes, and MH-PC-F and MH-PC-B return exactly the true causes. The paper's \
                     rows for the naïve methods cannot be reproduced with G², however. `V3` is independent of the \
                     class given `V1&V2` (p = 0.099), so a method that conditions on both drops it. With the \
                     partial correlations of R's pcalg instead of G², the rows are reproduced except for `V3` (see \
                     [decisions.md](../decisions.md)).\n";
    }
    markdown += "\nThe paper's Syn-10 is not public. Ours is the first seed of the recipe and was not selected from \
                 several. [small.md](small.md) shows how often the methods return false causes over many data \
                 sets.\n";
    for note in &notes {
        run.report(note);
        markdown += &format!("\n{note}.\n");
    }
    Ok(ExperimentPage { markdown, files: vec![("naive.csv".into(), csv.to_csv())], findings })
}

/// The methods of the experiment; the naïve methods also with max_k 1.
fn methods() -> Vec<MethodUnderTest> {
    let mut all = MethodUnderTest::all_for_combined_causes();
    all.extend([Method::NAIVE_H, Method::NAIVE_S].map(|method| MethodUnderTest { method, max_k: 1 }));
    all
}

/// Classifies the causes found by the truth.
fn classify(found: &[Vec<String>], truth: &[Vec<String>]) -> ClassifiedCauses {
    let set = |cause: &Vec<String>| cause.iter().cloned().collect::<BTreeSet<_>>();
    let true_sets: BTreeSet<BTreeSet<String>> = truth.iter().map(set).collect();
    let found_sets: BTreeSet<BTreeSet<String>> = found.iter().map(set).collect();
    let mut classified = ClassifiedCauses::default();
    for cause in found {
        let contains_single = cause.len() > 1
            && cause.iter().any(|column| true_sets.contains(&BTreeSet::from([column.clone()])));
        let list = match true_sets.contains(&set(cause)) {
            true => &mut classified.hits,
            false if contains_single => &mut classified.redundant,
            false => &mut classified.wrong,
        };
        list.push(cause.join("&"));
    }
    let missed = truth.iter().filter(|cause| !found_sets.contains(&set(cause)));
    classified.missed = missed.map(|cause| cause.join("&")).collect();
    classified
}

/// Loads the paper's own Syn-7 from beside the folder of real data, or simulates the recipe of the same name.
fn load_syn_7(run: &ExperimentRun, notes: &mut Vec<String>) -> Result<LabelledData, ToolError> {
    let path = run.data.join("../syn7/syn-7.csv");
    if !path.exists() {
        notes.push(format!(
            "The paper's own Syn-7 is left out: {} does not exist; get data/data_example.csv from the repository \
             masais1205/miningCombinedCauses on GitHub",
            path.display()
        ));
        return simulate("syn-7");
    }
    Ok(LabelledData {
        heading: "Syn-7, the paper's own data".into(),
        recipe: "syn-7",
        is_of_paper: true,
        dataset: read_csv(&path, "Class")?,
        truth: split_causes(&["V3", "V4", "V1&V2"]),
    })
}

fn read_csv(path: &Path, target: &str) -> Result<Dataset, ToolError> {
    let declaration = Declaration::default();
    let sources = [Source::Path(path.to_owned())];
    let table =
        read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))?;
    let options = EncodeOptions { target: target.into(), ..EncodeOptions::default() };
    Ok(encode(table, &options, &declaration)?.dataset)
}

fn simulate(name: &'static str) -> Result<LabelledData, ToolError> {
    let recipe = Recipe::named(name).ok_or_else(|| ToolError::UnknownRecipe(name.into()))?;
    let simulated = recipe.simulate(FIRST_SEED)?;
    Ok(LabelledData {
        heading: format!("{} from our recipe, seed {FIRST_SEED}", name.replace("syn", "Syn")),
        recipe: name,
        is_of_paper: false,
        dataset: simulated.dataset(),
        truth: simulated.truth.causes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_classified() {
        let found = split_causes(&["V4", "V5&V4", "V2&V1", "V6"]);
        let causes = classify(&found, &split_causes(&["V3", "V4", "V1&V2"]));
        assert_eq!(causes.hits, ["V4", "V2&V1"]);
        assert_eq!((causes.redundant, causes.wrong), (vec!["V5&V4".to_owned()], vec!["V6".to_owned()]));
        assert_eq!(causes.missed, ["V3"]);
    }
}

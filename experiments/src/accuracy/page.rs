//! The pages of the experiments `small`, `large` and `hard`.

use std::fmt::Write as _;

use concause::search::Method;
use concause_bench::text_table::TextTable;
use concause_simulate::{Recipe, Split};

use super::seed_result::{mean_false_combined, summarise};
use super::{Plan, SeedResult, VariationResults};
use crate::experiment_run::ExperimentPage;
use crate::method_under_test::MethodUnderTest;
use crate::numbers::{mean_and_deviation, two_decimals};
use crate::paper;

/// Writes the page of a plan, its CSV file and its summary.
pub fn write_page(plan: &Plan, results: &[VariationResults]) -> ExperimentPage {
    let mut out = format!("# {}\n\n{}", plan.heading, introduction(plan.experiment));
    let _ = write!(out, "\n## Combined causes: F1 at a glance\n\n{}", overview_table(results).to_markdown());
    let _ = write!(
        out,
        "\nMean F1 over the seeds. A dash marks a search that was refused because it could exceed the budget of \
         tests.\n"
    );
    let _ = write!(out, "\n## MH-PC-F and MH-PC-B compared\n\n{}", agreement_text(results));
    for recipe in recipes(results) {
        let description =
            Recipe::NAMES.iter().find(|(name, _)| *name == recipe).map_or("", |(_, text)| *text);
        let _ = write!(out, "\n## {recipe}\n\n{}.\n", capitalise(description));
        for one in results.iter().filter(|one| one.variation.recipe == recipe) {
            let label = one.variation.label();
            let _ = write!(out, "\nSplit {label}:\n\n{}", variation_table(one).to_markdown());
        }
    }
    ExperimentPage {
        markdown: out,
        files: vec![(format!("{}.csv", plan.experiment), full_table(results).to_csv())],
        findings: summary_sentences(plan.experiment, results),
    }
}

fn introduction(experiment: &str) -> String {
    let end = "Every number is the mean over the seeds ± the standard deviation of a single data set. Single-cause \
               methods (`hiton-pc`, `pc-select`) cannot find combined causes; their precision, recall and F1 of \
               combined causes are 0 by definition. \"False\" is the mean number of false combined causes.\n";
    let data = match experiment {
        "small" => {
            "Random Bayesian networks with the sizes, shares of T=1 and numbers of causes of the paper's Syn-7 to \
             Syn-20. The paper generated one data set of each size with TETRAD; only its Syn-7 is public. The tables \
             show its numbers where it states any; for Syn-7 and Syn-10 they are calculated from the causes it lists. \
             Our recipe splits the strongest parents of T and redraws the network until each of them has G² ≥ 10.83; \
             \"random parents\" omits this condition.\n"
        }
        "large" => {
            "Logistic data with the sizes of the paper's Syn-50 to Syn-120. The split `aware` uses T to fill the \
             parts of a combined cause, so that no part is associated with T, as in the paper's own data. `blind` \
             and `blind-half` fill the parts independently of T. The paper does not state its max_k.\n"
        }
        _ => {
            "Each recipe is `syn-100` with one property changed. The paper has no such data. `three-way` is \
             searched up to level 3, except by the causal rules, which are defined for two columns. All other \
             recipes are searched up to level 2.\n"
        }
    };
    format!("{data}\n{end}")
}

fn recipes(results: &[VariationResults]) -> Vec<&'static str> {
    let mut recipes: Vec<&str> = results.iter().map(|one| one.variation.recipe).collect();
    recipes.dedup();
    recipes
}

/// The mean F1 of combined causes by split, method and recipe.
fn overview_table(results: &[VariationResults]) -> TextTable {
    let recipes = recipes(results);
    let mut table = TextTable::new(["split", "method"].into_iter().chain(recipes.iter().copied()));
    let mut labels: Vec<String> = results.iter().map(|one| one.variation.label()).collect();
    labels.sort_by_key(|label| Split::ALL.iter().position(|split| split.name() == label).unwrap_or(9));
    labels.dedup();
    if recipes.iter().any(|recipe| paper::combined_scores(recipe, "mh-pc-f").is_some()) {
        for method in paper::COMBINED_METHODS.into_iter().chain(["naive-h", "naive-s"]) {
            let cell = |recipe: &&str| {
                paper::combined_scores(recipe, method).map_or(String::new(), |[.., f1]| two_decimals(f1))
            };
            let cells: Vec<String> = recipes.iter().map(cell).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                let head = ["the paper's data set".to_owned(), format!("{method} (paper)")];
                table.add_row(head.into_iter().chain(cells));
            }
        }
    }
    for label in labels {
        for entry in MethodUnderTest::all_for_combined_causes() {
            let cell = |recipe: &&str| {
                let matches = |one: &&VariationResults| {
                    one.variation.recipe == *recipe && one.variation.label() == label
                };
                let found =
                    results.iter().find(matches).and_then(|one| summarise(method_results(one, entry)));
                found.map_or("–".to_owned(), |summary| two_decimals(summary.f1.combined.mean))
            };
            let cells: Vec<String> = recipes.iter().map(cell).collect();
            table.add_row([label.clone(), entry.name()].into_iter().chain(cells));
        }
    }
    table
}

fn method_results(results: &VariationResults, entry: MethodUnderTest) -> &[SeedResult] {
    results.by_method.iter().find(|(one, _)| *one == entry).map_or(&[], |(_, results)| results)
}

/// The scores of one variation.
fn variation_table(results: &VariationResults) -> TextTable {
    let variation = &results.variation;
    let is_as_in_paper = variation.split == Split::Aware && !variation.random_parents;
    let mut table = TextTable::new([
        "method",
        "seeds",
        "precision, combined",
        "recall, combined",
        "F1, combined",
        "false",
        "F1, single",
        "paper: P, R, F1",
    ]);
    for (entry, results) in &results.by_method {
        let refused = results.iter().filter(|result| result.score().is_none()).count();
        let printed =
            paper::combined_scores(variation.recipe, entry.method.name()).filter(|_| is_as_in_paper);
        let printed = printed.map_or(String::new(), |values| values.map(two_decimals).join(", "));
        let seeds = results.len().to_string();
        let name = match refused {
            0 => entry.name(),
            all if all == results.len() => format!("{} (refused)", entry.name()),
            some => format!("{} (refused in {some})", entry.name()),
        };
        match summarise(results) {
            None => table.add_row([
                name,
                seeds,
                "–".into(),
                "–".into(),
                "–".into(),
                "–".into(),
                "–".into(),
                printed,
            ]),
            Some(summary) => table.add_row([
                name,
                seeds,
                mean_and_deviation(summary.precision.combined),
                mean_and_deviation(summary.recall.combined),
                mean_and_deviation(summary.f1.combined),
                two_decimals(mean_false_combined(results)),
                mean_and_deviation(summary.f1.single),
                printed,
            ]),
        }
    }
    table
}

/// The scores of all variations, with more digits.
fn full_table(results: &[VariationResults]) -> TextTable {
    let mut table = TextTable::new([
        "recipe",
        "split",
        "max_level",
        "method",
        "max_k",
        "seeds",
        "refused",
        "precision_combined",
        "precision_combined_sd",
        "recall_combined",
        "recall_combined_sd",
        "f1_combined",
        "f1_combined_sd",
        "false_combined",
        "precision_single",
        "precision_single_sd",
        "recall_single",
        "recall_single_sd",
        "f1_single",
        "f1_single_sd",
        "f1_all",
        "f1_all_sd",
        "tests",
    ]);
    for one in results {
        for (entry, results) in &one.by_method {
            let refused = results.iter().filter(|result| result.score().is_none()).count();
            let mut row = vec![
                one.variation.recipe.to_owned(),
                one.variation.label(),
                entry.settings(one.variation.max_level).max_level.to_string(),
                entry.method.name().to_owned(),
                entry.max_k.to_string(),
                results.len().to_string(),
                refused.to_string(),
            ];
            if let Some(summary) = summarise(results) {
                let mut add =
                    |numbers: &[f64]| row.extend(numbers.iter().map(|number| format!("{number:.4}")));
                for spread in [summary.precision.combined, summary.recall.combined, summary.f1.combined] {
                    add(&[spread.mean, spread.deviation]);
                }
                add(&[mean_false_combined(results)]);
                let (p, r, f1) = (summary.precision.single, summary.recall.single, summary.f1.single);
                for spread in [p, r, f1, summary.f1.all] {
                    add(&[spread.mean, spread.deviation]);
                }
                let searches = (results.len() - refused) as u64;
                row.push((results.iter().map(|result| result.tests).sum::<u64>() / searches).to_string());
            }
            table.add_row(row);
        }
    }
    table
}

/// The number of data sets in which MH-PC-F and MH-PC-B found different causes, and the number of data sets.
fn count_differences(results: &[&VariationResults], max_k: usize) -> (usize, usize) {
    let count = |one: &&VariationResults| -> (usize, usize) {
        let results_of = |method: Method| method_results(one, MethodUnderTest { method, max_k });
        let (full, backward) = (results_of(Method::MH_PC_F), results_of(Method::MH_PC_B));
        let differ = full.iter().zip(backward).filter(|(f, b)| f.fingerprint != b.fingerprint).count();
        (differ, full.len())
    };
    results.iter().map(count).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn agreement_text(results: &[VariationResults]) -> String {
    let mut table =
        TextTable::new(["recipe", "split", "data sets", "differ at max_k 2", "differ at max_k 3"]);
    for one in results {
        let ((two, all), (three, _)) = (count_differences(&[one], 2), count_differences(&[one], 3));
        let cells = [all, two, three].map(|number| number.to_string());
        table.add_row([one.variation.recipe.to_owned(), one.variation.label()].into_iter().chain(cells));
    }
    format!(
        "The paper reports that both methods always return the same causes. The table shows in how many data sets \
         they differ in any single or combined cause:\n\n{}",
        table.to_markdown()
    )
}

fn summary_sentences(experiment: &str, results: &[VariationResults]) -> Vec<String> {
    let mut sentences = Vec::new();
    let all: Vec<&VariationResults> = results.iter().collect();
    let ((two_k, sets), (three_k, _)) = (count_differences(&all, 2), count_differences(&all, 3));
    let of_split = |split: Split| {
        all.iter().filter(move |one| one.variation.split == split && !one.variation.random_parents)
    };
    for split in [Split::Aware, Split::Blind, Split::BlindHalf] {
        let mut clauses = Vec::new();
        for entry in MethodUnderTest::all_for_combined_causes() {
            let means: Vec<f64> = of_split(split)
                .filter_map(|one| summarise(method_results(one, entry)))
                .map(|summary| summary.f1.combined.mean)
                .collect();
            let low = means.iter().copied().fold(f64::INFINITY, f64::min);
            let high = means.iter().copied().fold(0.0, f64::max);
            clauses.push(match means.is_empty() {
                true => format!("{} (refused)", entry.name()),
                false => format!("{} ({low:.2} to {high:.2})", entry.name()),
            });
        }
        sentences.push(format!(
            "Mean F1 of combined causes with the split {}, as the range over the recipes: {}.",
            split.name(),
            clauses.join("; ")
        ));
    }
    sentences.push(format!(
        "MH-PC-F and MH-PC-B find different causes in {two_k} (max_k 2) and {three_k} (max_k 3) of the {sets} data \
         sets of the experiment `{experiment}`. The paper reports that they always agree."
    ));
    sentences
}

fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

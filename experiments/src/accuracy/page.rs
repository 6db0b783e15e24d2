//! The pages of the parts `small`, `large` and `hard`.

use std::fmt::Write as _;

use concause::search::Method;
use concause::simulate::{Recipe, Split};

use super::outcome::{false_combined, summary};
use super::{Measured, Outcome, Plan};
use crate::contestant::Contestant;
use crate::paper;
use crate::run::Section;
use crate::table::{Table, spread, two};

/// The page of a plan, its CSV file, and what it showed.
pub fn section(plan: &Plan, measured: &[Measured]) -> Section {
    let mut out = format!("# {}\n\n{}", plan.heading, introduction(plan.part));
    let _ = write!(out, "\n## Combined causes: F1 at a glance\n\n{}", glance(measured).markdown());
    let _ = write!(
        out,
        "\nMean F1 over the seeds; a dash: refused, because it might need more tests than the budget.\n"
    );
    let _ = write!(out, "\n## MH-PC-F and MH-PC-B compared\n\n{}", agreement_text(measured));
    for recipe in recipes(measured) {
        let description =
            Recipe::NAMES.iter().find(|(name, _)| *name == recipe).map_or("", |(_, text)| *text);
        let _ = write!(out, "\n## {recipe}\n\n{}.\n", capital(description));
        for of_split in measured.iter().filter(|measured| measured.variation.recipe == recipe) {
            let _ = write!(out, "\n{}\n\n{}", caption(of_split), table(of_split).markdown());
        }
    }
    Section {
        markdown: out,
        files: vec![(format!("{}.csv", plan.part), csv(measured).csv())],
        findings: findings(plan.part, measured),
    }
}

fn introduction(part: &str) -> String {
    let end = "Every number is the mean over the seeds ± the standard deviation of a single data set. Single-cause methods \
               (`hiton-pc`, `pc-select`) cannot find combined causes; their precision, recall and F1 of those are 0 by \
               definition. \"False\" is the mean number of combined causes found that were not built in.\n";
    let what = match part {
        "small" => {
            "Random Bayesian networks of the size of the paper's Syn-7 to Syn-20, with its shares of T=1 and its \
             numbers of causes. The paper made one data set each, with TETRAD; only its Syn-7 is public. Its numbers \
             stand beside ours where it states any (for Syn-7 and Syn-10 they are reckoned from the causes it lists). \
             In our recipe the strongest parents of T are split, and networks are drawn again until each has \
             G² ≥ 10.83; \"random parents\" does without that.\n"
        }
        "large" => {
            "Logistic data of the size of the paper's Syn-50 to Syn-120. The split `aware` fills the parts of a combined \
             cause with an eye on T, so that neither part is associated with it, as the paper's own data does; `blind` \
             and `blind-half` fill them without looking. The paper does not say which max_k it used.\n"
        }
        _ => {
            "`syn-100` with one thing changed each. The paper has no such data. `three-way` is searched up to level 3 (but \
             by the causal rules, which are defined for two columns), all else to level 2.\n"
        }
    };
    format!("{what}\n{end}")
}

fn recipes(measured: &[Measured]) -> Vec<&'static str> {
    let mut recipes: Vec<&str> = measured.iter().map(|measured| measured.variation.recipe).collect();
    recipes.dedup();
    recipes
}

fn caption(measured: &Measured) -> String {
    format!("Split {}:", measured.variation.label())
}

/// Recipes against contestants, for each split: the mean F1 of combined causes.
fn glance(measured: &[Measured]) -> Table {
    let recipes = recipes(measured);
    let mut table = Table::new(["split", "method"].into_iter().chain(recipes.iter().copied()));
    let mut labels: Vec<String> = measured.iter().map(|measured| measured.variation.label()).collect();
    labels.sort_by_key(|label| Split::ALL.iter().position(|split| split.name() == label).unwrap_or(9));
    labels.dedup();
    if recipes.iter().any(|recipe| paper::combined(recipe, "mh-pc-f").is_some()) {
        for method in paper::COMBINED_METHODS.into_iter().chain(["naive-h", "naive-s"]) {
            let cell =
                |recipe: &&str| paper::combined(recipe, method).map_or(String::new(), |[.., f1]| two(f1));
            let cells: Vec<String> = recipes.iter().map(cell).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                let head = ["the paper's one data set".to_owned(), format!("{method} (paper)")];
                table.row(head.into_iter().chain(cells));
            }
        }
    }
    for label in labels {
        for contestant in Contestant::of_combined_causes() {
            let cell = |recipe: &&str| {
                let of = |one: &&Measured| one.variation.recipe == *recipe && one.variation.label() == label;
                let outcomes = measured.iter().find(of).map(|one| of_contestant(one, contestant));
                outcomes.and_then(summary).map_or("–".to_owned(), |summary| two(summary.f1.combined.mean))
            };
            let cells: Vec<String> = recipes.iter().map(cell).collect();
            table.row([label.clone(), contestant.name()].into_iter().chain(cells));
        }
    }
    table
}

fn of_contestant(measured: &Measured, contestant: Contestant) -> &[Outcome] {
    measured.outcomes.iter().find(|(one, _)| *one == contestant).map_or(&[], |(_, outcomes)| outcomes)
}

/// All measures of one variation.
fn table(measured: &Measured) -> Table {
    let aware = measured.variation.split == Split::Aware && !measured.variation.random_parents;
    let mut table = Table::new([
        "method",
        "seeds",
        "precision, combined",
        "recall, combined",
        "F1, combined",
        "false",
        "F1, single",
        "paper: P, R, F1",
    ]);
    for (contestant, outcomes) in &measured.outcomes {
        let refused = outcomes.iter().filter(|outcome| outcome.score().is_none()).count();
        let printed = paper::combined(measured.variation.recipe, contestant.method.name());
        let printed = printed.filter(|_| aware).map_or(String::new(), |values| values.map(two).join(", "));
        let seeds = outcomes.len().to_string();
        let name = match refused {
            0 => contestant.name(),
            all if all == outcomes.len() => format!("{} (refused)", contestant.name()),
            some => format!("{} (refused in {some})", contestant.name()),
        };
        match summary(outcomes) {
            None => {
                table.row([name, seeds, "–".into(), "–".into(), "–".into(), "–".into(), "–".into(), printed])
            }
            Some(summary) => table.row([
                name,
                seeds,
                spread(summary.precision.combined),
                spread(summary.recall.combined),
                spread(summary.f1.combined),
                two(false_combined(outcomes)),
                spread(summary.f1.single),
                printed,
            ]),
        }
    }
    table
}

/// All measures of all variations, with more digits.
fn csv(measured: &[Measured]) -> Table {
    let mut table = Table::new([
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
    for one in measured {
        for (contestant, outcomes) in &one.outcomes {
            let refused = outcomes.iter().filter(|outcome| outcome.score().is_none()).count();
            let mut row = vec![
                one.variation.recipe.to_owned(),
                one.variation.label(),
                contestant.settings(one.variation.max_level).max_level.to_string(),
                contestant.method.name().to_owned(),
                contestant.max_k.to_string(),
                outcomes.len().to_string(),
                refused.to_string(),
            ];
            if let Some(summary) = summary(outcomes) {
                let mut add =
                    |numbers: &[f64]| row.extend(numbers.iter().map(|number| format!("{number:.4}")));
                for spread in [summary.precision.combined, summary.recall.combined, summary.f1.combined] {
                    add(&[spread.mean, spread.deviation]);
                }
                add(&[false_combined(outcomes)]);
                let (p, r, f1) = (summary.precision.single, summary.recall.single, summary.f1.single);
                for spread in [p, r, f1, summary.f1.all] {
                    add(&[spread.mean, spread.deviation]);
                }
                let ran = (outcomes.len() - refused) as u64;
                row.push((outcomes.iter().map(|outcome| outcome.tests).sum::<u64>() / ran).to_string());
            }
            table.row(row);
        }
    }
    table
}

/// In how many data sets F and B found something else, of how many.
fn differences(measured: &[&Measured], max_k: usize) -> (usize, usize) {
    let pair = |one: &&Measured| -> (usize, usize) {
        let of = |method: Method| of_contestant(one, Contestant { method, max_k });
        let (full, backward) = (of(Method::MhPcF), of(Method::MhPcB));
        let differ = full.iter().zip(backward).filter(|(f, b)| f.fingerprint != b.fingerprint).count();
        (differ, full.len())
    };
    measured.iter().map(pair).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn agreement_text(measured: &[Measured]) -> String {
    let mut table = Table::new(["recipe", "split", "data sets", "differ at max_k 2", "differ at max_k 3"]);
    for one in measured {
        let ((two, all), (three, _)) = (differences(&[one], 2), differences(&[one], 3));
        let cells = [all, two, three].map(|number| number.to_string());
        table.row([one.variation.recipe.to_owned(), one.variation.label()].into_iter().chain(cells));
    }
    format!(
        "The paper reports that both always returned the same causes. In how many data sets they did not (any difference, \
         in single or combined causes):\n\n{}",
        table.markdown()
    )
}

fn findings(part: &str, measured: &[Measured]) -> Vec<String> {
    let mut sentences = Vec::new();
    let all: Vec<&Measured> = measured.iter().collect();
    let ((two_k, sets), (three_k, _)) = (differences(&all, 2), differences(&all, 3));
    let plain = |split: Split| {
        all.iter().filter(move |one| one.variation.split == split && !one.variation.random_parents)
    };
    for split in [Split::Aware, Split::Blind, Split::BlindHalf] {
        let mut clauses = Vec::new();
        for contestant in Contestant::of_combined_causes() {
            let means: Vec<f64> = plain(split)
                .filter_map(|one| summary(of_contestant(one, contestant)))
                .map(|summary| summary.f1.combined.mean)
                .collect();
            let low = means.iter().copied().fold(f64::INFINITY, f64::min);
            let high = means.iter().copied().fold(0.0, f64::max);
            clauses.push(match means.is_empty() {
                true => format!("{} refused", contestant.name()),
                false => format!("{} {} to {}", contestant.name(), two(low), two(high)),
            });
        }
        sentences.push(format!(
            "Mean F1 of combined causes, split {}, lowest and highest over the recipes: {}.",
            split.name(),
            clauses.join("; ")
        ));
    }
    sentences.push(format!(
        "MH-PC-F and MH-PC-B found different causes in {two_k} (max_k 2) and {three_k} (max_k 3) of {sets} data sets of the \
         part `{part}`; the paper says they always agree."
    ));
    sentences
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

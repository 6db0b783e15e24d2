//! What was found against the truth, for one data set or several.

use concause::simulate::{Levels, Rates, Score, Spread, Summary};
use serde_json::{Value, json};

use crate::csv;
use crate::figures::{exact, thousands};
use crate::sheet::{Cell, Look, Sheet};

/// The format of the JSON.
const SCHEMA: &str = "concause-evaluation/1";

/// The scores of one or several results, each against the truth of its data.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The scores, in the order asked for.
    pub pairs: Vec<Pair>,
}

/// One result against one truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Where the result came from.
    pub found: String,
    /// Where the truth came from.
    pub truth: String,
    /// How well they agree.
    pub score: Score,
}

/// The sets of causes that are scored, by the names in results.
fn levels<T: Copy>(levels: &Levels<T>) -> [(&'static str, T); 4] {
    [("single", levels.single), ("combined", levels.combined), ("all", levels.all), ("parts", levels.parts)]
}

/// The three measures of a summary for each set of causes: precision, recall and F1.
fn spreads(summary: &Summary) -> [(&'static str, [Spread; 3]); 4] {
    let (precision, recall, f1) = (levels(&summary.precision), levels(&summary.recall), levels(&summary.f1));
    std::array::from_fn(|place| (precision[place].0, [precision[place].1, recall[place].1, f1[place].1]))
}

const MEASURES: [&str; 3] = ["precision", "recall", "F1"];

impl Evaluation {
    /// Means and standard deviations over all pairs; none without a pair.
    pub fn summary(&self) -> Option<Summary> {
        let scores: Vec<Score> = self.pairs.iter().map(|pair| pair.score).collect();
        Summary::of(&scores)
    }

    /// As JSON, ended by a newline.
    pub fn to_json(&self) -> String {
        let pairs: Vec<Value> = self.pairs.iter().map(Pair::to_json).collect();
        let summary = self.summary().map(|summary| {
            let mut object = json!({ "pairs": summary.scores });
            for (name, [precision, recall, f1]) in spreads(&summary) {
                object[name] = json!({
                    "precision": spread_json(precision),
                    "recall": spread_json(recall),
                    "f1": spread_json(f1),
                });
            }
            object
        });
        let document = json!({
            "schema": SCHEMA,
            "version": env!("CARGO_PKG_VERSION"),
            "pairs": pairs,
            "summary": summary,
        });
        format!("{document:#}\n")
    }

    /// As CSV: a line for each set of causes of each pair.
    pub fn to_csv(&self) -> String {
        let header = ["found", "truth", "causes", "hits", "n_found", "n_truth", "precision", "recall", "f1"]
            .map(str::to_owned);
        let mut lines = csv::line(&header);
        for pair in &self.pairs {
            for (name, rates) in levels(&pair.score) {
                lines += &csv::line(&[
                    pair.found.clone(),
                    pair.truth.clone(),
                    name.to_owned(),
                    rates.hits.to_string(),
                    rates.found.to_string(),
                    rates.truth.to_string(),
                    exact(rates.precision()),
                    exact(rates.recall()),
                    exact(rates.f1()),
                ]);
            }
        }
        lines
    }

    /// As tables for a terminal.
    pub fn to_table(&self) -> String {
        self.page(Look::Terminal)
    }

    /// As a page of Markdown.
    pub fn to_markdown(&self) -> String {
        self.page(Look::Markdown)
    }

    fn page(&self, look: Look) -> String {
        let mut paragraphs = Vec::new();
        for pair in &self.pairs {
            let title = format!("{} against {}", look.name(&pair.found), look.name(&pair.truth));
            paragraphs.push(look.title(&title));
            paragraphs.push(look.sheet(&pair.sheet()));
        }
        if let Some(summary) = self.summary().filter(|summary| summary.scores > 1) {
            paragraphs.push(look.title(&format!("Mean ± standard deviation of {}", summary.scores)));
            paragraphs.push(look.sheet(&summary_sheet(&summary)));
        }
        paragraphs.push(
            "A cause is right as a whole or not at all; parts are the columns of combined causes, whatever they are \
             combined with."
                .into(),
        );
        look.page(&paragraphs)
    }
}

impl Pair {
    fn to_json(&self) -> Value {
        let mut object = json!({ "found": self.found, "truth": self.truth });
        for (name, rates) in levels(&self.score) {
            object[name] = json!({
                "hits": rates.hits,
                "found": rates.found,
                "truth": rates.truth,
                "precision": rates.precision(),
                "recall": rates.recall(),
                "f1": rates.f1(),
            });
        }
        object
    }

    fn sheet(&self) -> Sheet {
        let row = |(name, rates): (&str, Rates)| {
            let counts = [rates.hits, rates.found, rates.truth].map(|count| thousands(count as u64));
            let measures =
                [rates.precision(), rates.recall(), rates.f1()].map(|measure| format!("{measure:.3}"));
            line(name, counts.into_iter().chain(measures))
        };
        let headings = ["causes", "hits", "found", "true"].into_iter().chain(MEASURES);
        Sheet {
            headings: headings.map(str::to_owned).collect(),
            rows: levels(&self.score).map(row).into_iter().collect(),
        }
    }
}

fn summary_sheet(summary: &Summary) -> Sheet {
    let row = |(name, measures): (&str, [Spread; 3])| {
        line(name, measures.map(|spread| format!("{:.3} ± {:.3}", spread.mean, spread.deviation)).into_iter())
    };
    Sheet {
        headings: ["causes"].into_iter().chain(MEASURES).map(str::to_owned).collect(),
        rows: spreads(summary).map(row).into_iter().collect(),
    }
}

fn line(name: &str, figures: impl Iterator<Item = String>) -> Vec<Cell> {
    std::iter::once(Cell::Name(name.to_owned())).chain(figures.map(Cell::Figure)).collect()
}

fn spread_json(spread: Spread) -> Value {
    json!({ "mean": spread.mean, "deviation": spread.deviation })
}

//! Results compared with the true causes, for one or several data sets.

use concause_simulate::{ByCauseKind, Rates, Score, ScoreSummary, Spread};
use serde_json::{Value, json};

use crate::csv::csv_line;
use crate::numbers::{exact, thousands};
use crate::text_table::{PageSyntax, TextCell, TextTable};

/// The format of the JSON.
const SCHEMA: &str = "concause-evaluation/1";

/// The scores of one or several results, each against the truth of its data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The scored results, in the order requested.
    pub pairs: Vec<ScoredResult>,
}

/// One result and its score against one truth.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredResult {
    /// The source of the result.
    pub found: String,
    /// The source of the truth.
    pub truth: String,
    /// How well they agree.
    pub score: Score,
}

/// The sets of causes that are scored, with their names in the output.
fn scored_sets<T: Copy>(levels: &ByCauseKind<T>) -> [(&'static str, T); 5] {
    [
        ("single", levels.single),
        ("combined", levels.combined),
        ("all", levels.all),
        ("parts", levels.parts),
        ("exact", levels.exact),
    ]
}

/// Precision, recall and F1 of a summary for each set of causes.
fn spreads(summary: &ScoreSummary) -> [(&'static str, [Spread; 3]); 5] {
    let (precision, recall, f1) =
        (scored_sets(&summary.precision), scored_sets(&summary.recall), scored_sets(&summary.f1));
    std::array::from_fn(|place| (precision[place].0, [precision[place].1, recall[place].1, f1[place].1]))
}

const MEASURES: [&str; 3] = ["precision", "recall", "F1"];

impl Evaluation {
    /// Means and standard deviations over all results; none without results.
    pub fn summary(&self) -> Option<ScoreSummary> {
        let scores: Vec<Score> = self.pairs.iter().map(|pair| pair.score).collect();
        ScoreSummary::from_scores(&scores)
    }

    /// As JSON, terminated by a newline.
    pub(crate) fn to_json(&self) -> String {
        let pairs: Vec<Value> = self.pairs.iter().map(ScoredResult::to_json).collect();
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

    /// As CSV: one line per result and set of causes.
    pub(crate) fn to_csv(&self) -> String {
        let header = ["found", "truth", "causes", "hits", "n_found", "n_truth", "precision", "recall", "f1"]
            .map(str::to_owned);
        let mut lines = csv_line(&header);
        for pair in &self.pairs {
            for (name, rates) in scored_sets(&pair.score) {
                lines += &csv_line(&[
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

    /// As a page of tables.
    pub(crate) fn to_page(&self, syntax: PageSyntax) -> String {
        let mut paragraphs = Vec::new();
        for pair in &self.pairs {
            let (found, truth) = (syntax.render_name(&pair.found), syntax.render_name(&pair.truth));
            paragraphs.push(syntax.render_title(&format!("{found} against {truth}")));
            paragraphs.push(syntax.render_table(&pair.score_table()));
        }
        if let Some(summary) = self.summary().filter(|summary| summary.scores > 1) {
            let title = format!("Mean ± standard deviation of {} results", summary.scores);
            paragraphs.push(syntax.render_title(&title));
            paragraphs.push(syntax.render_table(&summary_table(&summary)));
        }
        paragraphs.push(
            "A cause counts as found only if all of its columns match; parts are the columns of combined causes, regardless of \
             the combination; exact also compares negations and values."
                .into(),
        );
        syntax.render_page(&paragraphs)
    }
}

impl ScoredResult {
    fn to_json(&self) -> Value {
        let mut object = json!({ "found": self.found, "truth": self.truth });
        for (name, rates) in scored_sets(&self.score) {
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

    fn score_table(&self) -> TextTable {
        let row = |(name, rates): (&str, Rates)| {
            let counts = [rates.hits, rates.found, rates.truth].map(|count| thousands(count as u64));
            let measures =
                [rates.precision(), rates.recall(), rates.f1()].map(|measure| format!("{measure:.3}"));
            table_row(name, counts.into_iter().chain(measures))
        };
        let headings = ["causes", "hits", "found", "true"].into_iter().chain(MEASURES);
        TextTable {
            headings: headings.map(str::to_owned).collect(),
            rows: scored_sets(&self.score).map(row).into_iter().collect(),
        }
    }
}

fn summary_table(summary: &ScoreSummary) -> TextTable {
    let row = |(name, measures): (&str, [Spread; 3])| {
        table_row(
            name,
            measures.map(|spread| format!("{:.3} ± {:.3}", spread.mean, spread.deviation)).into_iter(),
        )
    };
    TextTable {
        headings: ["causes"].into_iter().chain(MEASURES).map(str::to_owned).collect(),
        rows: spreads(summary).map(row).into_iter().collect(),
    }
}

fn table_row(name: &str, numbers: impl Iterator<Item = String>) -> Vec<TextCell> {
    std::iter::once(TextCell::Name(name.to_owned())).chain(numbers.map(TextCell::Number)).collect()
}

fn spread_json(spread: Spread) -> Value {
    json!({ "mean": spread.mean, "deviation": spread.deviation })
}

//! Several methods side by side: which found which cause, how far they agree, and what it cost.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::csv;
use crate::document::{CauseEntry, Document};
use crate::figures::{counted, thousands};
use crate::sheet::{Cell, Look, Sheet};
use crate::wording;

/// The format of the JSON.
const SCHEMA: &str = "concause-comparison/1";

/// The results of several methods on the same data.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Each method with its result, or the sentence with which it refused.
    pub runs: Vec<(String, Result<Document, String>)>,
}

/// How far two methods agree.
struct Agreement<'a> {
    methods: [&'a str; 2],
    common: usize,
    either: usize,
}

impl Agreement<'_> {
    /// The share of causes found by either that both found; 1 if neither found any.
    fn jaccard(&self) -> f64 {
        if self.either == 0 { 1.0 } else { self.common as f64 / self.either as f64 }
    }
}

impl Comparison {
    /// As JSON, ended by a newline; `null` if no method ran.
    pub fn to_json(&self) -> String {
        let Some((_, first)) = self.results().next() else { return "null\n".into() };
        let methods: Vec<Value> = self
            .runs
            .iter()
            .map(|(method, run)| match run {
                Ok(document) => json!({
                    "method": method,
                    "complete": document.complete,
                    "causes": document.causes.len(),
                    "tests": tests(document),
                    "search_seconds": document.timing.search_seconds,
                    "refused": null,
                }),
                Err(sentence) => json!({
                    "method": method,
                    "complete": false,
                    "causes": null,
                    "tests": null,
                    "search_seconds": null,
                    "refused": sentence,
                }),
            })
            .collect();
        let causes: Vec<Value> = self
            .causes()
            .iter()
            .map(|cause| {
                json!({
                    "name": cause.name,
                    "columns": cause.columns,
                    "level": cause.level,
                    "found_by": self.finders(cause).collect::<Vec<_>>(),
                })
            })
            .collect();
        let agreement: Vec<Value> = self
            .agreement()
            .iter()
            .map(|pair| {
                json!({
                    "methods": pair.methods,
                    "common": pair.common,
                    "either": pair.either,
                    "jaccard": pair.jaccard(),
                })
            })
            .collect();
        let mut settings = json!(first.settings);
        if let Some(fields) = settings.as_object_mut() {
            fields.shift_remove("method");
        }
        let document = json!({
            "schema": SCHEMA,
            "version": first.version,
            "data": first.data,
            "target": first.target,
            "settings": settings,
            "methods": methods,
            "causes": causes,
            "agreement": agreement,
            "notices": self.notices(),
        });
        format!("{document:#}\n")
    }

    /// As CSV: a line for each cause, with 1 or 0 for each method that ran.
    pub fn to_csv(&self) -> String {
        let methods = self.results().map(|(method, _)| method.to_owned());
        let header: Vec<String> = ["name", "level"].map(str::to_owned).into_iter().chain(methods).collect();
        let mut lines = csv::line(&header);
        for cause in self.causes() {
            let marks = self.results().map(|(_, document)| u8::from(has(document, cause)).to_string());
            let fields: Vec<String> =
                [cause.name.clone(), cause.level.to_string()].into_iter().chain(marks).collect();
            lines += &csv::line(&fields);
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
        let Some((_, first)) = self.results().next() else { return String::new() };
        let target = look.name(&first.target.label());
        let mut paragraphs =
            vec![look.title(&wording::title(first, &target)), look.sheet(&self.methods_sheet())];
        for (method, run) in &self.runs {
            match run {
                Err(sentence) => paragraphs.push(format!("{method} refused: {}", look.words(sentence))),
                Ok(document) if !document.complete => {
                    paragraphs.push(format!("{method}: {}", wording::INCOMPLETE));
                }
                Ok(_) => {}
            }
        }
        if self.causes().is_empty() {
            paragraphs.push(format!("No method found a cause of {target}."));
        } else {
            paragraphs.push(look.sheet(&self.causes_sheet()));
        }
        let agreement = self.agreement();
        if !agreement.is_empty() {
            paragraphs.push(look.sheet(&agreement_sheet(&agreement)));
        }
        look.page(&paragraphs)
    }

    /// The methods that ran.
    fn results(&self) -> impl Iterator<Item = (&str, &Document)> {
        self.runs.iter().filter_map(|(method, run)| Some((method.as_str(), run.as_ref().ok()?)))
    }

    /// All causes, each once: by level, then in the order in which the methods have them.
    fn causes(&self) -> Vec<&CauseEntry> {
        let mut seen = BTreeSet::new();
        let all = self.results().flat_map(|(_, document)| &document.causes);
        let mut causes: Vec<&CauseEntry> = all.filter(|cause| seen.insert(&cause.columns)).collect();
        causes.sort_by_key(|cause| cause.level);
        causes
    }

    fn finders<'a>(&'a self, cause: &'a CauseEntry) -> impl Iterator<Item = &'a str> {
        self.results().filter(|(_, document)| has(document, cause)).map(|(method, _)| method)
    }

    /// Every pair of methods that ran.
    fn agreement(&self) -> Vec<Agreement<'_>> {
        let results: Vec<(&str, &Document)> = self.results().collect();
        let mut pairs = Vec::new();
        for (place, &(left_name, left)) in results.iter().enumerate() {
            for &(right_name, right) in &results[place + 1..] {
                let common = left.causes.iter().filter(|cause| has(right, cause)).count();
                let either = left.causes.len() + right.causes.len() - common;
                pairs.push(Agreement { methods: [left_name, right_name], common, either });
            }
        }
        pairs
    }

    /// The notices of all methods, each once.
    fn notices(&self) -> Vec<&String> {
        let mut seen = BTreeSet::new();
        let all = self.results().flat_map(|(_, document)| &document.notices);
        all.filter(|notice| seen.insert(*notice)).collect()
    }

    fn methods_sheet(&self) -> Sheet {
        let rows = self.runs.iter().map(|(method, run)| {
            let figures = match run {
                Ok(document) => {
                    let levels = |wanted: fn(u64) -> bool| {
                        document.causes.iter().filter(|cause| wanted(cause.level)).count() as u64
                    };
                    [
                        thousands(levels(|level| level == 1)),
                        thousands(levels(|level| level > 1)),
                        thousands(tests(document)),
                        format!("{:.3} s", document.timing.search_seconds),
                    ]
                }
                Err(_) => ["–", "–", "–", "refused"].map(str::to_owned),
            };
            std::iter::once(Cell::Name(method.clone())).chain(figures.map(Cell::Figure)).collect()
        });
        let headings = ["method", "single causes", "combined", "tests", "time"].map(str::to_owned);
        Sheet { headings: headings.to_vec(), rows: rows.collect() }
    }

    fn causes_sheet(&self) -> Sheet {
        let methods = self.results().map(|(method, _)| method.to_owned());
        let rows = self.causes().into_iter().map(|cause| {
            let marks = self.results().map(|(_, document)| if has(document, cause) { "yes" } else { "–" });
            let marks = marks.map(|mark| Cell::Figure(mark.to_owned()));
            std::iter::once(Cell::Name(cause.name.clone())).chain(marks).collect()
        });
        Sheet { headings: std::iter::once("cause".to_owned()).chain(methods).collect(), rows: rows.collect() }
    }
}

fn agreement_sheet(agreement: &[Agreement<'_>]) -> Sheet {
    let rows = agreement.iter().map(|pair| {
        vec![
            Cell::Name(pair.methods[0].to_owned()),
            Cell::Name(pair.methods[1].to_owned()),
            Cell::Figure(format!(
                "{} of {}",
                thousands(pair.common as u64),
                counted(pair.either as u64, "cause", "causes")
            )),
            Cell::Figure(format!("{:.3}", pair.jaccard())),
        ]
    });
    let headings = ["method", "and", "in common", "Jaccard index"].map(str::to_owned);
    Sheet { headings: headings.to_vec(), rows: rows.collect() }
}

/// Causes are the same if their columns are.
fn has(document: &Document, cause: &CauseEntry) -> bool {
    document.causes.iter().any(|other| other.columns == cause.columns)
}

fn tests(document: &Document) -> u64 {
    document.levels.iter().fold(0, |sum, level| sum.saturating_add(level.tests))
}

//! Several methods on the same data: the causes each found, how far the methods agree, and their cost.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::csv::csv_line;
use crate::document::{CauseEntry, Document};
use crate::numbers::{counted, thousands};
use crate::sentences;
use crate::text_table::{PageSyntax, TextCell, TextTable};

/// The format of the JSON.
const SCHEMA: &str = "concause-comparison/1";

/// The results of several methods on the same data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The methods, in the order requested.
    pub methods: Vec<ComparedMethod>,
}

/// One method of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedMethod {
    /// The name of the method.
    pub method: String,
    /// Its result, or why it did not run.
    pub result: Result<Document, Refusal>,
}

/// Why a method did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason as a sentence for users.
    pub message: String,
}

/// How far two methods agree.
struct Agreement<'a> {
    methods: [&'a str; 2],
    common: usize,
    either: usize,
}

impl Agreement<'_> {
    /// The proportion of causes found by either that both found; 1 if neither found any.
    fn jaccard(&self) -> f64 {
        if self.either == 0 { 1.0 } else { self.common as f64 / self.either as f64 }
    }
}

impl Comparison {
    /// As JSON, terminated by a newline; `null` if no method ran.
    pub(crate) fn to_json(&self) -> String {
        let Some((_, first)) = self.results().next() else { return "null\n".into() };
        let methods: Vec<Value> = self
            .methods
            .iter()
            .map(|ComparedMethod { method, result }| match result {
                Ok(document) => json!({
                    "method": method,
                    "complete": document.complete,
                    "causes": document.causes.len(),
                    "tests": document.count_tests(),
                    "search_seconds": document.timing.search_seconds,
                    "refused": null,
                }),
                Err(refusal) => json!({
                    "method": method,
                    "complete": false,
                    "causes": null,
                    "tests": null,
                    "search_seconds": null,
                    "refused": refusal.message,
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

    /// As CSV: one line per cause, with 1 or 0 for each method that ran.
    pub(crate) fn to_csv(&self) -> String {
        let methods = self.results().map(|(method, _)| method.to_owned());
        let header: Vec<String> = ["name", "level"].map(str::to_owned).into_iter().chain(methods).collect();
        let mut lines = csv_line(&header);
        for cause in self.causes() {
            let marks = self.results().map(|(_, document)| u8::from(has(document, cause)).to_string());
            let fields: Vec<String> =
                [cause.name.clone(), cause.level.to_string()].into_iter().chain(marks).collect();
            lines += &csv_line(&fields);
        }
        lines
    }

    /// As a page of tables.
    pub(crate) fn to_page(&self, syntax: PageSyntax) -> String {
        let Some((_, first)) = self.results().next() else { return String::new() };
        let target = syntax.render_name(&first.target.label());
        let mut paragraphs = vec![
            syntax.render_title(&sentences::title(first, &target)),
            syntax.render_table(&self.methods_table()),
        ];
        for ComparedMethod { method, result } in &self.methods {
            match result {
                Err(refusal) => {
                    let reason = syntax.render_sentence(&refusal.message);
                    paragraphs.push(format!("{method} did not run: {reason}"));
                }
                Ok(document) if !document.complete => {
                    paragraphs.push(format!("{method}: {}", sentences::INCOMPLETE));
                }
                Ok(_) => {}
            }
        }
        if self.causes().is_empty() {
            paragraphs.push(format!("No method found a cause of {target}."));
        } else {
            paragraphs.push(syntax.render_table(&self.causes_table()));
        }
        let agreement = self.agreement();
        if !agreement.is_empty() {
            paragraphs.push(syntax.render_table(&agreement_table(&agreement)));
        }
        syntax.render_page(&paragraphs)
    }

    /// The methods that ran, with their results.
    fn results(&self) -> impl Iterator<Item = (&str, &Document)> {
        self.methods.iter().filter_map(|it| Some((it.method.as_str(), it.result.as_ref().ok()?)))
    }

    /// All causes without repetition, by level and then in the order of the methods.
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

    /// The agreement of each pair of methods that ran.
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

    /// The notices of all methods without repetition.
    fn notices(&self) -> Vec<&String> {
        let mut seen = BTreeSet::new();
        let all = self.results().flat_map(|(_, document)| &document.notices);
        all.filter(|notice| seen.insert(*notice)).collect()
    }

    fn methods_table(&self) -> TextTable {
        let rows = self.methods.iter().map(|ComparedMethod { method, result }| {
            let numbers = match result {
                Ok(document) => {
                    let levels = |wanted: fn(u64) -> bool| {
                        document.causes.iter().filter(|cause| wanted(cause.level)).count() as u64
                    };
                    [
                        thousands(levels(|level| level == 1)),
                        thousands(levels(|level| level > 1)),
                        thousands(document.count_tests()),
                        format!("{:.3} s", document.timing.search_seconds),
                    ]
                }
                Err(_) => ["–", "–", "–", "did not run"].map(str::to_owned),
            };
            std::iter::once(TextCell::Name(method.clone())).chain(numbers.map(TextCell::Number)).collect()
        });
        let headings = ["method", "single causes", "combined", "tests", "time"].map(str::to_owned);
        TextTable { headings: headings.to_vec(), rows: rows.collect() }
    }

    fn causes_table(&self) -> TextTable {
        let methods = self.results().map(|(method, _)| method.to_owned());
        let rows = self.causes().into_iter().map(|cause| {
            let marks = self.results().map(|(_, document)| if has(document, cause) { "yes" } else { "–" });
            let marks = marks.map(|mark| TextCell::Number(mark.to_owned()));
            std::iter::once(TextCell::Name(cause.name.clone())).chain(marks).collect()
        });
        TextTable {
            headings: std::iter::once("cause".to_owned()).chain(methods).collect(),
            rows: rows.collect(),
        }
    }
}

fn agreement_table(agreement: &[Agreement<'_>]) -> TextTable {
    let rows = agreement.iter().map(|pair| {
        vec![
            TextCell::Name(pair.methods[0].to_owned()),
            TextCell::Name(pair.methods[1].to_owned()),
            TextCell::Number(format!(
                "{} of {}",
                thousands(pair.common as u64),
                counted(pair.either as u64, "cause", "causes")
            )),
            TextCell::Number(format!("{:.3}", pair.jaccard())),
        ]
    });
    let headings = ["method", "other method", "in common", "Jaccard index"].map(str::to_owned);
    TextTable { headings: headings.to_vec(), rows: rows.collect() }
}

/// Whether a result has this cause. Causes are equal if their columns are.
fn has(document: &Document, cause: &CauseEntry) -> bool {
    document.causes.iter().any(|other| other.columns == cause.columns)
}

//! One line per cause, for spreadsheets and data frames.
//!
//! Numbers have the digits of the JSON. Lists (the challenger, the equivalent candidates) are joined by `; `. Names
//! may contain that separator; the JSON keeps lists as lists.

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::csv::csv_line;
use crate::document::{CauseEntry, Document, EstimateEntry, EvidenceEntry, InteractionEntry};
use crate::evaluation::Evaluation;
use crate::numbers::exact;

pub(super) struct CsvFormat;

impl OutputFormat for CsvFormat {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn description(&self) -> &'static str {
        "CSV with one line per cause, for spreadsheets and data frames"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn render(&self, document: &Document, _: &TextStyle) -> Vec<u8> {
        render_causes(document).into_bytes()
    }

    fn render_comparison(&self, comparison: &Comparison) -> Option<String> {
        Some(comparison.to_csv())
    }

    fn render_evaluation(&self, evaluation: &Evaluation) -> Option<String> {
        Some(evaluation.to_csv())
    }

    fn supports_comparisons(&self) -> bool {
        true
    }
}

/// The columns that every cause has.
const HEADER: [&str; 16] = [
    "name",
    "level",
    "statistic",
    "df",
    "p_value",
    "association_p_value",
    "probability",
    "challenger",
    "with_positive",
    "with_negative",
    "without_positive",
    "without_negative",
    "risk_with",
    "risk_without",
    "equivalent",
    "stability",
];

/// The estimates that follow, each as three columns: the value and the limits of its interval.
const ESTIMATES: [(&str, Estimate); 9] = [
    ("risk_difference", |evidence| Some(&evidence.risk_difference)),
    ("risk_ratio", |evidence| Some(&evidence.risk_ratio)),
    ("odds_ratio", |evidence| Some(&evidence.odds_ratio)),
    ("adjusted_risk_difference", |evidence| Some(&evidence.adjusted.risk_difference)),
    ("adjusted_risk_ratio", |evidence| Some(&evidence.adjusted.risk_ratio)),
    ("adjusted_odds_ratio", |evidence| Some(&evidence.adjusted.odds_ratio)),
    ("reri", |evidence| evidence.interaction.as_ref().map(|it| &it.reri)),
    ("attributable_proportion", |evidence| {
        evidence.interaction.as_ref().map(|it| &it.attributable_proportion)
    }),
    ("synergy_index", |evidence| evidence.interaction.as_ref().map(|it| &it.synergy_index)),
];

type Estimate = fn(&EvidenceEntry) -> Option<&EstimateEntry>;

/// The tests of interaction that follow.
const CONTRASTS: [(&str, Contrast); 2] = [
    ("sufficient_cause_p_value", |interaction| interaction.sufficient_cause.p_value),
    ("monotone_sufficient_cause_p_value", |interaction| interaction.monotone_sufficient_cause.p_value),
];

/// The last columns: the rows of the evidence, and the test in held-out rows.
const HELD_OUT: [&str; 3] = ["estimated_on", "held_out_p_value", "replicated"];

type Contrast = fn(&InteractionEntry) -> Option<f64>;

fn render_causes(document: &Document) -> String {
    let estimates =
        ESTIMATES.iter().flat_map(|(name, _)| ["", "_low", "_high"].map(|end| format!("{name}{end}")));
    let contrasts = CONTRASTS.iter().map(|(name, _)| (*name).to_owned());
    let held_out = HELD_OUT.map(str::to_owned);
    let header: Vec<String> =
        HEADER.map(str::to_owned).into_iter().chain(estimates).chain(contrasts).chain(held_out).collect();
    let mut lines = csv_line(&header);
    for cause in &document.causes {
        let fields: Vec<String> = cause_fields(cause)
            .into_iter()
            .chain(evidence_fields(cause))
            .chain(held_out_fields(cause))
            .collect();
        lines += &csv_line(&fields);
    }
    lines
}

/// The numbers of the evidence; empty where there are none.
fn evidence_fields(cause: &CauseEntry) -> impl Iterator<Item = String> {
    let evidence = cause.evidence.as_ref();
    let estimates = ESTIMATES.iter().flat_map(move |(_, select)| match evidence.and_then(select) {
        Some(estimate) => [estimate.value, estimate.low, estimate.high],
        None => [None; 3],
    });
    let interaction = evidence.and_then(|evidence| evidence.interaction.as_ref());
    let contrasts = CONTRASTS.iter().map(move |(_, select)| interaction.and_then(select));
    estimates.chain(contrasts).map(|value| value.map(exact).unwrap_or_default())
}

fn held_out_fields(cause: &CauseEntry) -> [String; HELD_OUT.len()] {
    let holdout = cause.holdout_test;
    [
        cause.evidence.as_ref().map(|evidence| evidence.estimated_on.clone()).unwrap_or_default(),
        holdout.and_then(|holdout| holdout.test).map(|test| exact(test.p_value)).unwrap_or_default(),
        holdout.map(|holdout| holdout.replicated.to_string()).unwrap_or_default(),
    ]
}

fn cause_fields(cause: &CauseEntry) -> [String; HEADER.len()] {
    let counts = &cause.counts;
    [
        cause.name.clone(),
        cause.level.to_string(),
        exact(cause.statistic),
        cause.df.to_string(),
        exact(cause.p_value),
        exact(cause.association.p_value),
        cause.probability.map(exact).unwrap_or_default(),
        cause.challenger.given.join("; "),
        counts.with.positive.to_string(),
        counts.with.negative.to_string(),
        counts.without.positive.to_string(),
        counts.without.negative.to_string(),
        cause.risk_with.map(exact).unwrap_or_default(),
        cause.risk_without.map(exact).unwrap_or_default(),
        cause.equivalent.join("; "),
        cause.stability.map(exact).unwrap_or_default(),
    ]
}

//! One line per cause, for spreadsheets and data frames.
//!
//! Numbers have the digits of the JSON. Lists (the challenger, the equivalent candidates) are joined by `; `. Names
//! may contain that separator; the JSON keeps lists as lists.

use concause::evidence::{ADDITIVE_MEASURES, EFFECT_MEASURES, Effects, RISK_CONTRASTS};

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::csv::csv_line;
use crate::document::{CauseEntry, Document};
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
const HEADER: [&str; 18] = [
    "name",
    "level",
    "statistic",
    "df",
    "p_value",
    "association_p_value",
    "probability",
    "matters",
    "undecided",
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

/// The last columns: the rows of the evidence, and the test in held-out rows.
const HELD_OUT: [&str; 3] = ["estimated_on", "held_out_p_value", "replicated"];

fn render_causes(document: &Document) -> String {
    let effects = |prefix: &'static str| EFFECT_MEASURES.iter().map(move |it| format!("{prefix}{}", it.key));
    let estimates =
        effects("").chain(effects("adjusted_")).chain(ADDITIVE_MEASURES.iter().map(|it| it.key.to_owned()));
    let estimates = estimates.flat_map(|key| ["", "_low", "_high"].map(|end| format!("{key}{end}")));
    let contrasts = RISK_CONTRASTS.iter().map(|contrast| format!("{}_p_value", contrast.key));
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

/// The numbers of the evidence, each estimate as its value and the limits of its interval; empty where there are none.
fn evidence_fields(cause: &CauseEntry) -> impl Iterator<Item = String> {
    let evidence = cause.evidence.as_ref();
    let interaction = evidence.and_then(|evidence| evidence.interaction.as_ref()).map(|it| &it.measures);
    let effects = |effects: Option<&Effects>| match effects {
        Some(effects) => effects.iter().map(|(_, estimate)| estimate.ok()).collect(),
        None => vec![None; EFFECT_MEASURES.len()],
    };
    let additive = match interaction {
        Some(interaction) => interaction.additive().map(|(_, estimate)| estimate.ok()).collect(),
        None => vec![None; ADDITIVE_MEASURES.len()],
    };
    let contrasts = match interaction {
        Some(interaction) => interaction.contrasts().map(|(_, it)| Some(it.ok()?.p_value)).collect(),
        None => vec![None; RISK_CONTRASTS.len()],
    };
    let (crude, adjusted) = (evidence.map(|it| &it.effects), evidence.map(|it| &it.adjusted.effects));
    let estimates = [effects(crude), effects(adjusted), additive].concat().into_iter();
    let numbers = estimates.flat_map(|it| [it.map(|it| it.value), it.map(|it| it.low), it.map(|it| it.high)]);
    numbers.chain(contrasts).map(|value| value.map(exact).unwrap_or_default())
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
        cause.matters.map(exact).unwrap_or_default(),
        if cause.probability.is_some() { cause.undecided.to_string() } else { String::new() },
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

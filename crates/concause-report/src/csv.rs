//! One line per cause, for spreadsheets and data frames.
//!
//! Quoting is that of RFC 4180, lines end with a newline alone. Figures have the digits of the JSON. Lists (the
//! challenger, the equivalents) are joined by `; `; whoever has to take apart names that contain that reads the
//! JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::document::{CauseEntry, Document, EstimateEntry, EvidenceEntry, InteractionEntry};
use crate::figures::exact;

/// What every cause has.
const HEADER: [&str; 15] = [
    "name",
    "level",
    "statistic",
    "df",
    "p_value",
    "association_p_value",
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

/// The estimates that follow, each as three columns: the figure and the ends of its interval.
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

/// The tests that come last.
const CONTRASTS: [(&str, Contrast); 2] = [
    ("sufficient_cause_p_value", |interaction| interaction.sufficient_cause.p_value),
    ("monotone_sufficient_cause_p_value", |interaction| interaction.monotone_sufficient_cause.p_value),
];

/// What follows last: where the evidence is from, and how the cause fared in rows that the search did not see.
const HELD_OUT: [&str; 3] = ["estimated_on", "held_out_p_value", "confirmed"];

type Contrast = fn(&InteractionEntry) -> Option<f64>;

/// Writes the causes.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let estimates =
        ESTIMATES.iter().flat_map(|(name, _)| ["", "_low", "_high"].map(|end| format!("{name}{end}")));
    let contrasts = CONTRASTS.iter().map(|(name, _)| (*name).to_owned());
    let held_out = HELD_OUT.map(str::to_owned);
    let header: Vec<String> =
        HEADER.map(str::to_owned).into_iter().chain(estimates).chain(contrasts).chain(held_out).collect();
    write_line(&header, out)?;
    document.causes.iter().try_for_each(|cause| {
        let fields: Vec<String> =
            fields(cause).into_iter().chain(evidence(cause)).chain(held_out_fields(cause)).collect();
        write_line(&fields, out)
    })
}

/// The figures of the evidence; empty where there are none.
fn evidence(cause: &CauseEntry) -> impl Iterator<Item = String> {
    let evidence = cause.evidence.as_ref();
    let estimates = ESTIMATES.iter().flat_map(move |(_, of)| match evidence.and_then(of) {
        Some(estimate) => [estimate.value, estimate.low, estimate.high],
        None => [None; 3],
    });
    let interaction = evidence.and_then(|evidence| evidence.interaction.as_ref());
    let contrasts = CONTRASTS.iter().map(move |(_, of)| interaction.and_then(of));
    estimates.chain(contrasts).map(|figure| figure.map(exact).unwrap_or_default())
}

fn held_out_fields(cause: &CauseEntry) -> [String; HELD_OUT.len()] {
    let found = cause.confirmation;
    [
        cause.evidence.as_ref().map(|evidence| evidence.estimated_on.clone()).unwrap_or_default(),
        found.and_then(|found| found.test).map(|test| exact(test.p_value)).unwrap_or_default(),
        found.map(|found| found.confirmed.to_string()).unwrap_or_default(),
    ]
}

fn fields(cause: &CauseEntry) -> [String; HEADER.len()] {
    let counts = &cause.counts;
    [
        cause.name.clone(),
        cause.level.to_string(),
        exact(cause.statistic),
        cause.df.to_string(),
        exact(cause.p_value),
        exact(cause.association.p_value),
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

fn write_line(fields: &[String], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(line(fields).as_bytes())
}

/// One line, ended by a newline.
pub(crate) fn line(fields: &[String]) -> String {
    let quoted: Vec<Cow<'_, str>> = fields.iter().map(|field| quote(field)).collect();
    quoted.join(",") + "\n"
}

fn quote(field: &str) -> Cow<'_, str> {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_what_would_break_a_line() {
        let quoted: Vec<Cow<'_, str>> =
            ["a&b=c", "a,b", "a\"b", "a\nb", "a\rb", ""].into_iter().map(quote).collect();
        assert_eq!(quoted, ["a&b=c", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"", "\"a\rb\"", ""]);
    }
}

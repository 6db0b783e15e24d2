//! A run summarised in a few lines, for log output.

use concause::search::LevelSummary;

use crate::document::Document;
use crate::numbers::{counted, thousands};
use crate::sentences;

/// The size of a run and its duration: `3,000 rows, 8 columns, 53 tests, 0.02 s`. A posterior has models instead of
/// tests.
pub fn summarise_run(document: &Document) -> String {
    let timing = &document.timing;
    let total = timing.read_seconds
        + timing.encode_seconds
        + timing.search_seconds
        + timing.evidence_seconds
        + timing.resampling_seconds;
    format!(
        "{}, {}, {}, {}",
        counted(document.data.rows, "row", "rows"),
        counted(document.data.columns, "column", "columns"),
        match &document.posterior {
            Some(posterior) => counted(posterior.models, "model", "models"),
            None => counted(document.count_tests(), "test", "tests"),
        },
        duration(total)
    )
}

/// The candidates of each level that remained after each step, the reasons for rejecting the others, and the
/// duration of each step.
pub fn summarise_steps(document: &Document) -> Vec<String> {
    let mut lines: Vec<String> =
        document.levels.iter().flat_map(|level| level_steps(document, level)).collect();
    let timing = &document.timing;
    lines.push(format!(
        "reading {}, encoding {}, search {}, evidence {}, resampling {}",
        duration(timing.read_seconds),
        duration(timing.encode_seconds),
        duration(timing.search_seconds),
        duration(timing.evidence_seconds),
        duration(timing.resampling_seconds)
    ));
    lines
}

fn level_steps(document: &Document, level: &LevelSummary) -> Vec<String> {
    let steps = sentences::level_steps(document).into_iter().map(|(step, count)| match step {
        "candidates" => counted(count(level), "candidate", step),
        "causes" => counted(count(level), "cause", step),
        _ => format!("{} {step}", thousands(count(level))),
    });
    let steps = format!("level {}: {}", level.level, steps.collect::<Vec<_>>().join(" → "));
    let reasons = document.candidates.iter().flat_map(|candidates| &candidates.reasons);
    let reasons: Vec<String> = reasons
        .filter(|count| count.level == level.level as u64)
        .map(|count| format!("{} {}", thousands(count.candidates), count.reason.replace('-', " ")))
        .collect();
    let reasons =
        (!reasons.is_empty()).then(|| format!("level {}: rejected: {}", level.level, reasons.join(", ")));
    std::iter::once(steps).chain(reasons).collect()
}

/// A duration with a suitable unit.
fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 10.0 => format!("{seconds:.2} s"),
        _ if seconds < 120.0 => format!("{seconds:.0} s"),
        _ if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_any_length_are_short() {
        let written: Vec<String> =
            [0.0, 0.019, 9.99, 63.2, 600.0, 9000.0].into_iter().map(duration).collect();
        assert_eq!(written, ["0.00 s", "0.02 s", "9.99 s", "63 s", "10 min", "2.5 h"]);
    }
}

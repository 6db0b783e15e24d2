//! A run in a line or two, for those who watch it.

use crate::document::{Document, LevelEntry};
use crate::figures::{counted, thousands};

/// The size of the run and how long it took: `3,000 rows, 8 columns, 53 tests, 0.02 s`.
pub fn summary(document: &Document) -> String {
    let tests = document.levels.iter().map(|level| level.tests).fold(0, u64::saturating_add);
    let timing = &document.timing;
    let total = timing.read_seconds
        + timing.encode_seconds
        + timing.search_seconds
        + timing.evidence_seconds
        + timing.control_seconds;
    format!(
        "{}, {}, {}, {}",
        counted(document.data.rows, "row", "rows"),
        counted(document.data.columns, "column", "columns"),
        counted(tests, "test", "tests"),
        duration(total)
    )
}

/// How many candidates of each level were left after each step, why the others were not, and how long each part took.
pub fn funnel(document: &Document) -> Vec<String> {
    let mut lines: Vec<String> = document.levels.iter().flat_map(|level| steps(document, level)).collect();
    let timing = &document.timing;
    lines.push(format!(
        "reading {}, encoding {}, search {}, evidence {}, half-samples and shuffles {}",
        duration(timing.read_seconds),
        duration(timing.encode_seconds),
        duration(timing.search_seconds),
        duration(timing.evidence_seconds),
        duration(timing.control_seconds)
    ));
    lines
}

fn steps(document: &Document, level: &LevelEntry) -> Vec<String> {
    let steps = format!(
        "level {}: {} → {} not redundant → {} associated → {}",
        level.level,
        counted(level.candidates, "candidate", "candidates"),
        thousands(level.candidates.saturating_sub(level.redundant)),
        thousands(level.associated),
        counted(level.causes, "cause", "causes")
    );
    let reasons = document.candidates.iter().flat_map(|candidates| &candidates.reasons);
    let reasons: Vec<String> = reasons
        .filter(|count| count.level == level.level)
        .map(|count| format!("{} {}", thousands(count.candidates), count.reason.replace('-', " ")))
        .collect();
    let reasons =
        (!reasons.is_empty()).then(|| format!("level {}: of which {}", level.level, reasons.join(", ")));
    std::iter::once(steps).chain(reasons).collect()
}

/// A time as people read it.
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

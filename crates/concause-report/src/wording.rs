//! The sentences that every format for people says of a result, so that they say the same.
//!
//! The target's name is passed as the format shows it: plain, in code marks, or escaped.

use concause::dataset::Column;
use concause::rules::MOST_CONTROLS;
use concause::search::{Findings, Settings};

use crate::document::{CauseEntry, Document, EstimatedOn, LevelEntry};
use crate::figures::{counted, difference, exact, mean, p_phrase, p_value, percent, thousands};
use crate::reason::enumerated;

/// The most causes of a conditioning set that are named if it is all other causes.
const NAMED: usize = 5;

/// What to say of the set that came nearest to explaining a cause away where it is all the others, too many to name.
pub(crate) fn all_others(document: &Document, cause: &CauseEntry) -> Option<String> {
    let given = &cause.challenger.given;
    let is_cause = |name: &String| document.causes.iter().any(|cause| cause.name == *name);
    let is_all =
        given.len() > NAMED && given.len() + 1 == document.causes.len() && given.iter().all(is_cause);
    is_all.then(|| format!("all {} other causes", thousands(given.len() as u64)))
}

/// What came nearest to explaining a cause away, its members as the format shows them.
pub(crate) fn explanation(
    document: &Document,
    cause: &CauseEntry,
    show: impl Fn(&[String]) -> String,
) -> String {
    match (&cause.challenger.given[..], all_others(document, cause)) {
        ([], _) => "alone".to_owned(),
        (_, Some(all)) => format!("given {all}"),
        (given, None) => format!("given {}", show(given)),
    }
}

/// What was asked of which data.
pub(crate) fn title(document: &Document, target: &str) -> String {
    format!("Causes of {target} ({})", extent(document))
}

/// How much data there was: rows, cases and columns.
pub(crate) fn extent(document: &Document) -> String {
    let (positive, negative) = (document.target.positive, document.target.negative);
    let total = positive as f64 + negative as f64;
    let share = if total > 0.0 { format!(" = {}", percent(positive as f64 / total)) } else { String::new() };
    let weights = match &document.data.weights {
        Some(weights) => format!(" (weighted, {} read)", thousands(weights.rows_read)),
        None => String::new(),
    };
    format!(
        "{}{weights}, {} with it{share}; {}",
        counted(document.data.rows, "row", "rows"),
        thousands(positive),
        counted(document.data.columns, "column", "columns")
    )
}

/// The letter of the statistic.
pub(crate) fn statistic(document: &Document) -> &'static str {
    if document.settings.test.starts_with("x2") { "X²" } else { "G²" }
}

/// The warning of a search that was stopped.
pub(crate) const INCOMPLETE: &str = "The search was stopped before its end: only the levels that were finished \
                                     are reported, and there may be more causes.";

/// What cannot be known, said once.
pub(crate) fn direction(target: &str) -> String {
    format!("These are parents and children of {target}: the data alone cannot tell cause from effect.")
}

/// What was known before the search, a sentence for each kind; `show` gives a name as the format shows it.
pub(crate) fn known(document: &Document, target: &str, show: impl Fn(&str) -> String) -> Vec<String> {
    let knowledge = &document.settings.knowledge;
    let told = [
        ("Held fixed in every test: ".to_owned(), &knowledge.covariates),
        (format!("Left out because they come after {target}: "), &knowledge.after),
        ("Not allowed as causes: ".to_owned(), &knowledge.forbidden),
        ("Required as causes, whatever the tests say: ".to_owned(), &knowledge.required),
    ];
    let sentence = |(opening, names): (String, &Vec<String>)| {
        let names: Vec<String> = names.iter().map(|name| show(name)).collect();
        (!names.is_empty()).then(|| format!("{opening}{}.", enumerated(&names)))
    };
    told.into_iter().filter_map(sentence).collect()
}

/// What the adjusted risk ratio is, if there is any.
pub(crate) fn adjusted(document: &Document) -> Option<String> {
    let evidence = document.causes.iter().find_map(|cause| cause.evidence.as_ref())?;
    let rows = match &evidence.estimated_on[..] {
        held_out if held_out == EstimatedOn::HeldOutRows.name() => {
            "; all risks are of the rows that the search did not see"
        }
        _ => "",
    };
    Some(format!(
        "adjusted RR: the risk ratio where the other causes are held fixed, with its 95 % interval{rows}."
    ))
}

/// Combined causes whose parts are told of in words; the others are in the JSON.
const MOST_TOGETHER: usize = 10;

/// What the two parts of each combined cause do alone and together; names as the format shows them.
pub(crate) fn together(document: &Document, name: impl Fn(&str) -> String) -> Vec<String> {
    document.causes.iter().filter_map(|cause| parts_together(cause, &name)).take(MOST_TOGETHER).collect()
}

fn parts_together(cause: &CauseEntry, name: impl Fn(&str) -> String) -> Option<String> {
    let interaction = cause.evidence.as_ref()?.interaction.as_ref()?;
    let [none, first, second, both] = &interaction.cells[..] else { return None };
    let risk = |risk: Option<f64>| risk.map_or_else(|| "no rows".to_owned(), percent);
    let alone = |part: usize| name(cause.columns.get(part).map_or("", String::as_str));
    // A relative excess says nothing where a part alone goes with a lower risk than none.
    let reri = (interaction.preventive.is_empty() && interaction.reri.value.is_some())
        .then(|| format!("; RERI {}", difference(&interaction.reri)));
    let sufficient = interaction
        .sufficient_cause
        .p_value
        .map(|p| format!("; sufficient-cause interaction {}", p_phrase(p)));
    Some(format!(
        "{}: {} with neither, {} with {} alone, {} with {} alone, {} with both{}{}",
        name(&cause.name),
        risk(none.risk.value),
        risk(first.risk.value),
        alone(0),
        risk(second.risk.value),
        alone(1),
        risk(both.risk.value),
        reri.unwrap_or_default(),
        sufficient.unwrap_or_default(),
    ))
}

/// What to make of a result without a cause.
pub(crate) fn nothing_found(document: &Document, target: &str) -> String {
    let sum = |count: fn(&LevelEntry) -> u64| {
        document.levels.iter().fold(0u64, |sum, level| sum.saturating_add(count(level)))
    };
    let (candidates, associated) = (sum(|level| level.candidates), sum(|level| level.associated));
    let found = format!("No cause of {target} was found");
    if !document.complete {
        format!("{found} in the levels that were finished.")
    } else if document.data.columns == 0 {
        format!("{found}: the data has no other usable column.")
    } else if associated == 0 {
        format!(
            "{found}: of {} none is associated with it at alpha = {}{}. More rows would show weaker causes; a \
             larger alpha admits them too, with more false ones among them.",
            counted(candidates, "candidate", "candidates"),
            exact(document.settings.alpha),
            if document.settings.fdr.is_some() { " as a false discovery rate" } else { "" }
        )
    } else {
        format!(
            "{found}: {} associated with it, but {}",
            counted(associated, "candidate is", "candidates are"),
            if document.settings.method.starts_with("cr-") {
                "too rare, or without enough of an effect where others are held fixed."
            } else {
                "explained away by others. A smaller max_k tries fewer explanations."
            }
        )
    }
}

/// What a reader has to know of how this search went: what causal rules held fixed, or how causes work together.
pub fn search_notice(
    settings: &Settings,
    findings: &Findings,
    columns: &[Column],
    target: &str,
) -> Option<String> {
    if findings.work_together {
        return Some(format!(
            "what the causes of {target} do does not add up (they strengthen or weaken one another), so each was judged in the \
             rows that agree in all others"
        ));
    }
    let controls: Vec<String> =
        findings.controls.iter().take(MOST_CONTROLS).map(|control| control.name(columns)).collect();
    let associated = findings.controls.len();
    if controls.is_empty() {
        return None;
    }
    let which = if associated > controls.len() {
        format!("the {} strongest of the {associated} columns associated with {target}", controls.len())
    } else {
        format!("the columns associated with {target}")
    };
    Some(format!(
        "{} held fixed {which}, for each rule those that are not its own: {}",
        settings.method,
        enumerated(&controls)
    ))
}

/// What was found in half-samples; names are shown by `name`.
pub(crate) fn stability(document: &Document, name: impl Fn(&str) -> String) -> Option<String> {
    let stability = document.stability.as_ref()?;
    let searched = done(stability.samples, stability.asked, "half-sample", "half-samples");
    let Some(mean) = stability.mean_causes else {
        return Some(format!("Stability is not known: {searched}."));
    };
    let others: Vec<String> = stability
        .others
        .iter()
        .map(|other| format!("{} ({})", name(&other.name), percent(other.stability)))
        .collect();
    let others = if others.is_empty() {
        "nothing else was a cause in half of them or more".to_owned()
    } else {
        format!("often a cause there, but not in all rows: {}", enumerated(&others))
    };
    Some(format!("Stability: {searched}, {} on average; {others}.", mean_causes(mean)))
}

/// What was found with shuffled outcomes.
pub(crate) fn calibration(document: &Document) -> Option<String> {
    let calibration = document.calibration.as_ref()?;
    let searched = done(calibration.shuffles, calibration.asked, "shuffled outcome", "shuffled outcomes");
    let (Some(all), Some(single), Some(combined)) =
        (calibration.all, calibration.single, calibration.combined)
    else {
        return Some(format!("Calibration is not known: {searched}."));
    };
    Some(format!(
        "Calibration: {searched}; with these settings a shuffled outcome yields {} on average (most: {}), {} single \
         (most: {}) and {} combined (most: {}).",
        mean_causes(all.mean),
        all.most,
        mean(single.mean),
        single.most,
        mean(combined.mean),
        combined.most
    ))
}

/// How the causes fared in the rows that the search did not see; names are shown by `name`.
pub(crate) fn holdout(document: &Document, name: impl Fn(&str) -> String) -> Option<String> {
    let holdout = document.holdout.as_ref()?;
    let rows = holdout.rows.positive.saturating_add(holdout.rows.negative);
    let held_out = format!(
        "Held out: {} that the search did not see, {} with it",
        counted(rows, "row", "rows"),
        thousands(holdout.rows.positive)
    );
    if document.causes.is_empty() {
        return Some(held_out + ".");
    }
    let fails = |cause: &&CauseEntry| cause.confirmation.is_some_and(|found| !found.confirmed);
    let failed: Vec<String> = document.causes.iter().filter(fails).map(|cause| name(&cause.name)).collect();
    let failed = if failed.is_empty() { String::new() } else { format!("; not {}", enumerated(&failed)) };
    Some(format!(
        "{held_out}; {} of {} there, in the same direction and with p ≤ {} where the others are held fixed{failed}.",
        thousands(holdout.confirmed),
        counted(document.causes.len() as u64, "cause holds up", "causes hold up"),
        exact(document.settings.alpha),
    ))
}

/// The share of target 1 among the rows with a cause and among those without it, from the rows of its evidence.
pub(crate) fn risks(cause: &CauseEntry) -> [Option<f64>; 2] {
    match &cause.evidence {
        Some(evidence) => [evidence.risk_with.value, evidence.risk_without.value],
        None => [cause.risk_with, cause.risk_without],
    }
}

/// How many of the searches came to their end.
fn done(done: u64, asked: u64, one: &str, many: &str) -> String {
    if done == asked {
        counted(done, one, many)
    } else {
        format!("{} of the {} asked for", counted(done, one, many), thousands(asked))
    }
}

fn mean_causes(value: f64) -> String {
    format!("{} {}", mean(value), if value == 1.0 { "cause" } else { "causes" })
}

/// What happened at one level.
pub(crate) fn level(level: &LevelEntry, fdr: Option<&str>) -> String {
    let unclear = match level.not_testable {
        0 => String::new(),
        number => format!(", {} not testable", thousands(number)),
    };
    let threshold = match level.threshold {
        Some(threshold) if fdr.is_some() => format!(" (p ≤ {})", p_value(threshold)),
        _ => String::new(),
    };
    format!(
        "level {}: {}, {} redundant, {} associated{threshold}, {} ({}{unclear})",
        level.level,
        counted(level.candidates, "candidate", "candidates"),
        thousands(level.redundant),
        thousands(level.associated),
        counted(level.causes, "cause", "causes"),
        counted(level.tests, "test", "tests"),
    )
}

//! Sentences about a result that several formats share, so that all of them say the same.
//!
//! Names are passed as the format shows them: as they are, in code spans or escaped.

use std::collections::HashSet;

use concause::evidence::EffectMeasure;
use concause::search::LevelSummary;

use crate::descriptors::{decides_by_tests, finds_rules};
use crate::document::{CauseEntry, Document, EstimatedOn, InteractionCellEntry, POSSIBLE, PosteriorSummary};
use crate::measures::{difference, is_corrected, leading_measures};
use crate::numbers::{counted, enumerated, exact, mean, p_phrase, p_value, percent, probability, thousands};

/// A conditioning set of all other causes is named member by member only up to this size.
const MAX_NAMED: usize = 5;

/// The phrase for a challenger that consists of all other causes, if these are too many to name.
pub(crate) fn all_other_causes(document: &Document, cause: &CauseEntry) -> Option<String> {
    let given = &cause.challenger.given;
    let is_cause = |name: &String| document.causes.iter().any(|cause| cause.name == *name);
    let is_all =
        given.len() > MAX_NAMED && given.len() + 1 == document.causes.len() && given.iter().all(is_cause);
    is_all.then(|| format!("all {} other causes", thousands(given.len() as u64)))
}

/// The conditioning set with the largest p-value; `show` formats its members.
pub(crate) fn challenger_set(
    document: &Document,
    cause: &CauseEntry,
    show: impl Fn(&[String]) -> String,
) -> String {
    match (&cause.challenger.given[..], all_other_causes(document, cause)) {
        ([], _) => "none".to_owned(),
        (_, Some(all)) => all,
        (given, None) => show(given),
    }
}

/// The title of a result: the target and the size of the data.
pub(crate) fn title(document: &Document, target: &str) -> String {
    format!("Causes of {target} ({})", data_size(document))
}

/// The numbers of rows, cases and columns.
pub(crate) fn data_size(document: &Document) -> String {
    let (positive, negative) = (document.target.positive, document.target.negative);
    let total = positive as f64 + negative as f64;
    let share = if total > 0.0 { format!(" = {}", percent(positive as f64 / total)) } else { String::new() };
    let weights = match &document.data.weights {
        Some(weights) => format!(" (weighted, {} read)", thousands(weights.rows_read)),
        None => String::new(),
    };
    format!(
        "{}{weights}, {}{share}; {}",
        counted(document.data.rows, "row", "rows"),
        counted(positive, "case", "cases"),
        counted(document.data.columns, "column", "columns")
    )
}

/// The warning about a search that was stopped.
pub(crate) const INCOMPLETE: &str =
    "The search was stopped early: these are the results so far, and there may be more causes.";

/// The caveat about causal direction.
pub(crate) fn direction(target: &str) -> String {
    format!(
        "These are parents and children of {target}; the data alone cannot distinguish causes from effects."
    )
}

/// The background knowledge, one sentence per kind; `show` formats a name.
pub(crate) fn background_knowledge(
    document: &Document,
    target: &str,
    show: impl Fn(&str) -> String,
) -> Vec<String> {
    let knowledge = &document.settings.knowledge;
    let kinds = [
        ("Held fixed in every test: ".to_owned(), &knowledge.covariates),
        (format!("Excluded because they come after {target}: "), &knowledge.after),
        ("Not allowed as causes: ".to_owned(), &knowledge.forbidden),
        ("Required as causes regardless of the tests: ".to_owned(), &knowledge.required),
    ];
    let sentence = |(opening, names): (String, &Vec<String>)| {
        let names: Vec<String> = names.iter().map(|name| show(name)).collect();
        (!names.is_empty()).then(|| format!("{opening}{}.", enumerated(&names)))
    };
    kinds.into_iter().filter_map(sentence).collect()
}

/// The definition of the adjusted measures that tables show, if there is any evidence.
pub(crate) fn adjusted_definition(document: &Document) -> Option<String> {
    let evidence = document.causes.iter().find_map(|cause| cause.evidence.as_ref())?;
    let rows = if evidence.estimated_on == EstimatedOn::HeldOutRows.name() {
        "; all risks are estimated from rows held out from the search"
    } else {
        ""
    };
    let define = |measure: &EffectMeasure| {
        format!(
            "adjusted {}: the {} with all other causes held fixed, with its 95 % confidence interval",
            measure.abbreviation, measure.title
        )
    };
    let definitions: Vec<String> = leading_measures().map(define).collect();
    Some(format!("{}{rows}.", definitions.join("; ")))
}

/// Whether a sentence of [`interactions`] has a `*`.
pub(crate) fn interactions_are_corrected(document: &Document) -> bool {
    let described = document.causes.iter().filter(|cause| interaction(cause, str::to_owned).is_some());
    let excesses = described
        .take(MAX_INTERACTIONS)
        .filter_map(|cause| cause.evidence.as_ref()?.interaction.as_ref()?.meaningful_excess());
    excesses.into_iter().any(is_corrected)
}

/// The largest number of combined causes whose interaction is described in words; the JSON has all.
const MAX_INTERACTIONS: usize = 10;

/// The risks with each of the two parts of a combined cause, one line per cause; `name` formats a name.
pub(crate) fn interactions(document: &Document, name: impl Fn(&str) -> String) -> Vec<String> {
    document.causes.iter().filter_map(|cause| interaction(cause, &name)).take(MAX_INTERACTIONS).collect()
}

fn interaction(cause: &CauseEntry, name: impl Fn(&str) -> String) -> Option<String> {
    let interaction = cause.evidence.as_ref()?.interaction.as_ref()?;
    let [none, first, second, both] = &interaction.cells[..] else { return None };
    let risk =
        |cell: &InteractionCellEntry| cell.risk.map_or_else(|_| "no rows".to_owned(), |it| percent(it.value));
    let part = |cell: &InteractionCellEntry| name(&cell.held.join("&"));
    let reri = interaction.meaningful_excess().map(|excess| format!("; RERI {}", difference(excess)));
    let sufficient = interaction.measures.sufficient_cause().ok();
    let sufficient =
        sufficient.map(|contrast| format!("; sufficient-cause interaction {}", p_phrase(contrast.p_value)));
    Some(format!(
        "{}: risk {} with neither, {} with {} alone, {} with {} alone, {} with both{}{}",
        name(&cause.name),
        risk(none),
        risk(first),
        part(first),
        risk(second),
        part(second),
        risk(both),
        reri.unwrap_or_default(),
        sufficient.unwrap_or_default(),
    ))
}

/// Why no cause was found, and what to try.
pub(crate) fn no_cause_found(document: &Document, target: &str) -> String {
    let sum = |count: fn(&LevelSummary) -> u64| {
        document.levels.iter().fold(0u64, |sum, level| sum.saturating_add(count(level)))
    };
    let (candidates, associated) = (sum(|level| level.candidates), sum(|level| level.associated));
    let opening = format!("No cause of {target} was found");
    if !document.complete {
        format!("{opening} before the search was stopped.")
    } else if document.data.columns == 0 {
        format!("{opening}: the data have no other usable column.")
    } else if !decides_by_tests(&document.settings) {
        format!("{opening}: none has a probability of ½ or more. More rows would reveal weaker causes.")
    } else if associated == 0 {
        format!(
            "{opening}: none of {} is associated with it at {} = {}. More rows would reveal weaker causes; a larger alpha \
             would too, but with more false positives.",
            counted(candidates, "candidate", "candidates"),
            if document.settings.fdr.is_some() { "a false discovery rate of alpha" } else { "alpha" },
            exact(document.settings.alpha),
        )
    } else {
        format!(
            "{opening}: {} associated with it, but {}",
            counted(associated, "candidate is", "candidates are"),
            if finds_rules(&document.settings) {
                "too rare or without a clear effect when other columns are held fixed."
            } else {
                "independent of it given others. A smaller max_k tests fewer conditioning sets."
            }
        )
    }
}

/// The results in half-samples; `name` formats a name.
pub(crate) fn stability(document: &Document, name: impl Fn(&str) -> String) -> Option<String> {
    let stability = document.stability.as_ref()?;
    let searched = completed(stability.samples, stability.requested, "half-sample", "half-samples");
    let Some(mean) = stability.mean_causes else {
        return Some(format!("Stability is unknown: {searched}."));
    };
    let others: Vec<String> = stability
        .others
        .iter()
        .map(|other| format!("{} ({})", name(&other.name), percent(other.stability)))
        .collect();
    let others = if others.is_empty() {
        "no other candidate was a cause in half of them or more".to_owned()
    } else {
        format!("causes in many half-samples but not in all rows: {}", enumerated(&others))
    };
    Some(format!("Stability: {searched}, {} on average; {others}.", mean_causes(mean)))
}

/// The results with shuffled outcomes.
pub(crate) fn calibration(document: &Document) -> Option<String> {
    let calibration = document.calibration.as_ref()?;
    let searched =
        completed(calibration.shuffles, calibration.requested, "shuffled outcome", "shuffled outcomes");
    let (Some(all), Some(single), Some(combined)) =
        (calibration.all, calibration.single, calibration.combined)
    else {
        return Some(format!("Calibration is unknown: {searched}."));
    };
    Some(format!(
        "Calibration: {searched}; with these settings a shuffled outcome yields {} on average (maximum {}): {} single \
         (maximum {}) and {} combined (maximum {}).",
        mean_causes(all.mean),
        all.most,
        mean(single.mean),
        single.most,
        mean(combined.mean),
        combined.most
    ))
}

/// The tests in held-out rows; `name` formats a name.
pub(crate) fn holdout(document: &Document, name: impl Fn(&str) -> String) -> Option<String> {
    let holdout = document.holdout.as_ref()?;
    let rows = holdout.rows.positive.saturating_add(holdout.rows.negative);
    let held_out = format!(
        "Holdout: {} held out from the search, {}",
        counted(rows, "row", "rows"),
        counted(holdout.rows.positive, "case", "cases")
    );
    if document.causes.is_empty() {
        return Some(held_out + ".");
    }
    let fails = |cause: &&CauseEntry| cause.holdout_test.is_some_and(|test| !test.replicated);
    let failed: Vec<String> = document.causes.iter().filter(fails).map(|cause| name(&cause.name)).collect();
    let failed =
        if failed.is_empty() { String::new() } else { format!("; not replicated: {}", enumerated(&failed)) };
    Some(format!(
        "{held_out}; {} of {} there (same direction and p ≤ {} with the other causes held fixed){failed}.",
        thousands(holdout.replicated),
        counted(document.causes.len() as u64, "cause replicated", "causes replicated"),
        exact(document.settings.alpha),
    ))
}

/// The risk with and without a cause, from the rows of its evidence.
pub(crate) fn risks(cause: &CauseEntry) -> [Option<f64>; 2] {
    match &cause.evidence {
        Some(evidence) => [evidence.risk_with, evidence.risk_without].map(|risk| Some(risk.ok()?.value)),
        None => [cause.risk_with, cause.risk_without],
    }
}

/// How many of the requested searches were completed.
fn completed(done: u64, requested: u64, one: &str, many: &str) -> String {
    if done == requested {
        counted(done, one, many)
    } else {
        format!("{} of {} requested", counted(done, one, many), thousands(requested))
    }
}

fn mean_causes(value: f64) -> String {
    format!("{} {}", mean(value), if value == 1.0 { "cause" } else { "causes" })
}

/// The term that most probably takes the place of a cause, with its probability.
pub(crate) fn alternative(
    posterior: &PosteriorSummary,
    cause: &CauseEntry,
    name: impl Fn(&str) -> String,
) -> String {
    match posterior.set_of(cause).and_then(|set| set.alternatives.first()) {
        Some(other) => format!("{} {}", name(&other.name), probability(other.probability)),
        None => "–".to_owned(),
    }
}

/// The forms of undecided causes, the cuts of ordered attributes, the possible causes, and the scale of risk.
pub(crate) fn posterior(document: &Document, name: impl Fn(&str) -> String) -> Vec<String> {
    let Some(posterior) = &document.posterior else { return Vec::new() };
    let listed = |names: &mut dyn Iterator<Item = (String, f64)>| {
        let named = names.map(|(text, value)| format!("{} ({})", name(&text), probability(value)));
        enumerated(&named.collect::<Vec<_>>())
    };
    let mut found = Vec::new();
    for cause in document.causes.iter().filter(|cause| cause.undecided) {
        let forms =
            cause.terms.iter().chain(posterior.set_of(cause).into_iter().flat_map(|set| &set.alternatives));
        let mut forms: Vec<(String, f64)> = forms.map(|term| (term.name.clone(), term.probability)).collect();
        forms.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut seen = HashSet::new();
        forms.retain(|form| seen.insert(form.0.clone()));
        forms.truncate(MOST_FORMS);
        found.push(format!(
            "{} matters with probability {}, in a form that is undecided: {}.",
            name(&cause.attributes.join("&")),
            probability(cause.matters.unwrap_or_default()),
            listed(&mut forms.into_iter()),
        ));
    }
    let mut cuts: Vec<String> = Vec::new();
    for cut in document.causes.iter().filter(|cause| !cause.undecided).flat_map(|cause| &cause.cuts) {
        let cut = format!("{} {} ({} to {})", name(&cut.attribute), cut.value, cut.low, cut.high);
        if !cuts.contains(&cut) {
            cuts.push(cut);
        }
    }
    if !cuts.is_empty() {
        let noun = if cuts.len() == 1 {
            "Cut, with its 95 % credible range"
        } else {
            "Cuts, with their 95 % credible ranges"
        };
        found.push(format!("{noun}: {}.", enumerated(&cuts)));
    }
    let possible: Vec<(String, f64)> = (posterior.attribute_sets.iter())
        .filter(|set| set.probability >= POSSIBLE && !set.is_cause())
        .map(|set| (set.name(), set.probability))
        .collect();
    if !possible.is_empty() {
        found.push(format!("Possible causes: {}.", listed(&mut possible.into_iter())));
    }
    if !document.causes.is_empty() {
        let scales = posterior.scales.iter().filter(|scale| scale.probability >= 0.01);
        let mut scales = scales.map(|scale| (scale.scale.clone(), scale.probability));
        found.push(format!("Scale of risk: {}.", listed(&mut scales)));
    }
    if posterior.no_cause >= 0.01 {
        found.push(format!("Probability that there is no cause: {}.", probability(posterior.no_cause)));
    }
    found
}

/// The number of forms that are listed for an undecided cause.
const MOST_FORMS: usize = 4;

/// The counts of one level.
pub(crate) fn level_counts(level: &LevelSummary, fdr: Option<&str>) -> String {
    let undecided = match level.not_testable {
        0 => String::new(),
        number => format!(", {} not testable", thousands(number)),
    };
    let threshold = match level.threshold {
        Some(threshold) if fdr.is_some() => format!(" (p ≤ {})", p_value(threshold)),
        _ => String::new(),
    };
    format!(
        "level {}: {}, {} redundant, {} associated{threshold}, {} ({}{undecided})",
        level.level,
        counted(level.candidates, "candidate", "candidates"),
        thousands(level.redundant),
        thousands(level.associated),
        counted(level.causes, "cause", "causes"),
        counted(level.tests, "test", "tests"),
    )
}

/// A number of candidates of a level, with its heading.
type LevelCount = (&'static str, fn(&LevelSummary) -> u64);

/// The numbers of candidates of a level that the method has.
pub(crate) fn level_columns(document: &Document) -> Vec<LevelCount> {
    let all: [LevelCount; 6] = [
        ("candidates", |level| level.candidates),
        ("redundant", |level| level.redundant),
        ("associated", |level| level.associated),
        ("causes", |level| level.causes),
        ("tests", |level| level.tests),
        ("not testable", |level| level.not_testable),
    ];
    let of_tests = ["redundant", "associated", "tests", "not testable"];
    let has_tests = decides_by_tests(&document.settings);
    all.into_iter().filter(|(heading, _)| has_tests || !of_tests.contains(heading)).collect()
}

/// The candidates of a level that remained after each step of the method.
pub(crate) fn level_steps(document: &Document) -> Vec<LevelCount> {
    let all: [LevelCount; 4] = [
        ("candidates", |level| level.candidates),
        ("not redundant", |level| level.candidates.saturating_sub(level.redundant)),
        ("associated", |level| level.associated),
        ("causes", |level| level.causes),
    ];
    let has_tests = decides_by_tests(&document.settings);
    all.into_iter()
        .filter(|(heading, _)| has_tests || !["not redundant", "associated"].contains(heading))
        .collect()
}

/// The p-value of a cause in held-out rows, or `–`.
pub(crate) fn held_out_p(cause: &CauseEntry) -> String {
    let test = cause.holdout_test.and_then(|holdout| holdout.test);
    test.map_or_else(|| "–".to_owned(), |test| p_value(test.p_value))
}

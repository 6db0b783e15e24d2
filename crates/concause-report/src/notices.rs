//! Warnings and notices as sentences: the problem, why it matters and what to do about it.
//!
//! Names appear unchanged; each format escapes the sentence in its own way.

use concause::dataset::{Candidate, Column};
use concause::evidence::trust::warnings::{
    CaseShortage, NearDuplicate, NearPerfectPredictor, Relation, RelationKind, Warning,
};
use concause::search::rules::MOST_CONTROLS;
use concause::search::{Findings, Settings};

use crate::numbers::{counted, enumerated, percent, thousands};

/// The largest number of pairs, relations or columns that a sentence names.
const MAX_NAMED: usize = 3;

/// The warning as a sentence, without a full stop.
pub(crate) fn warning_sentence(warning: &Warning, columns: &[Column], target: &str) -> String {
    let name = |candidate: &Candidate| candidate.name(columns);
    match warning {
        Warning::NearPerfectPrediction { by, total } => predictors_sentence(by, *total, name, target),
        Warning::TooFewCases(shortage) => shortage_sentence(shortage, target),
        Warning::NotTestable { tests, not_testable } => format!(
            "{} of {} could not be decided because of too few rows: a candidate whose association cannot be tested is not a \
             cause, and a cause that cannot be separated is kept; smaller conditioning sets or a lower level need fewer rows",
            thousands(*not_testable),
            counted(*tests, "test", "tests")
        ),
        Warning::NearDuplicates { pairs, total, all_pairs } => {
            near_duplicates_sentence(pairs, *total, *all_pairs, name)
        }
        Warning::Deterministic { relations, total } => {
            let shown: Vec<String> =
                relations.iter().take(MAX_NAMED).map(|relation| relation_clause(relation, name)).collect();
            format!(
                "{}: if a column is determined by others, the data cannot show which of them matters",
                listed("relations hold without exception", &shown, *total)
            )
        }
    }
}

fn predictors_sentence(
    predictors: &[NearPerfectPredictor],
    total: u64,
    name: impl Fn(&Candidate) -> String,
    target: &str,
) -> String {
    let shown: Vec<String> =
        predictors.iter().take(MAX_NAMED).map(|it| predictor_clause(it, &name, target)).collect();
    let condition = match total {
        1 => {
            "if it was recorded after the outcome or is part of its definition, exclude it as coming after the target"
        }
        _ => {
            "if they were recorded after the outcome or are part of its definition, exclude them as coming after the \
             target"
        }
    };
    format!("{target} is predicted almost perfectly by {}; {condition}", listed("columns", &shown, total))
}

fn predictor_clause(
    predictor: &NearPerfectPredictor,
    name: impl Fn(&Candidate) -> String,
    target: &str,
) -> String {
    let name = name(&predictor.candidate);
    let (with, all) = (predictor.table.with, predictor.table.total_count());
    let share = |rows: u64, of: u64| percent(rows as f64 / of.max(1) as f64);
    if let Some((held, outcome)) = predictor.without_exception().filter(|_| !predictor.is_two_sided()) {
        let rows = if held { with } else { predictor.table.without };
        let (rows, of) = if outcome { (rows.positive, all.positive) } else { (rows.negative, all.negative) };
        return format!(
            "{name} ({target} is always {} where it {}; these are {} of all rows with {target} {0})",
            u8::from(outcome),
            if held { "holds" } else { "does not hold" },
            share(rows, of)
        );
    }
    format!(
        "{name} (in {} of the rows with {target} and {} of those without)",
        share(with.positive, all.positive),
        share(with.negative, all.negative)
    )
}

fn shortage_sentence(shortage: &CaseShortage, target: &str) -> String {
    let CaseShortage { cases, positive, level, affordable_level, .. } = *shortage;
    let (max_k, feasible_max_k) = (shortage.max_k.unwrap_or(0), shortage.affordable_max_k.unwrap_or(0));
    let mut requested = Vec::new();
    let mut feasible = Vec::new();
    if affordable_level < level {
        requested.push(match level {
            1 => "single causes".to_owned(),
            _ => format!("conjunctions of {level} columns"),
        });
        feasible.push(match affordable_level {
            1 => "single causes only".to_owned(),
            _ => format!("conjunctions of at most {affordable_level} columns"),
        });
    }
    if feasible_max_k < max_k {
        requested.push(format!("conditioning sets of {max_k}"));
        feasible.push(format!("conditioning sets of at most {feasible_max_k}"));
    }
    let advice = if affordable_level == 0 {
        "few columns hold in enough of them".to_owned()
    } else {
        format!("the data support {}", enumerated(&feasible))
    };
    format!(
        "{} {} {target} are too few for {}: {advice}",
        counted(cases, "row", "rows"),
        if positive { "with" } else { "without" },
        enumerated(&requested)
    )
}

fn near_duplicates_sentence(
    pairs: &[NearDuplicate],
    total: u64,
    all_pairs: bool,
    name: impl Fn(&Candidate) -> String,
) -> String {
    let shown = pairs.iter().take(MAX_NAMED).map(|pair| {
        let (one, other) = (name(&pair.one), name(&pair.other));
        let complement = if pair.phi > 0.0 { "" } else { "the complement of " };
        let exceptions = match pair.exceptions {
            0 => "no row differs".to_owned(),
            1 => "1 row differs".to_owned(),
            exceptions => format!("{} rows differ", thousands(exceptions)),
        };
        format!("{one} and {complement}{other} ({exceptions})")
    });
    let shown: Vec<String> = shown.collect();
    let which = if all_pairs { "pairs" } else { "pairs with a column of a cause" };
    format!(
        "near-duplicates: {}; which of the two is reported as a cause, or separates the other, depends on few rows",
        listed(which, &shown, total)
    )
}

fn relation_clause(relation: &Relation, name: impl Fn(&Candidate) -> String) -> String {
    let column = name(&Candidate::single(relation.column));
    let to: Vec<String> = relation.to.iter().map(&name).collect();
    match relation.kind {
        RelationKind::Conjunction => format!("{column} holds exactly where {} hold", enumerated(&to)),
        RelationKind::Disjunction => format!("{column} holds exactly where {} holds", to.join(" or ")),
        RelationKind::Function => format!("{column} is a function of {}, which separate it", enumerated(&to)),
        RelationKind::Implication => format!("{} holds wherever {column} holds", to.join(" and ")),
    }
}

/// All items if there are few; otherwise their number and the first of them.
fn listed(what: &str, shown: &[String], total: u64) -> String {
    if total as usize > shown.len() {
        format!("{} {what}, for example: {}", thousands(total), shown.join("; "))
    } else {
        shown.join("; ")
    }
}

/// A remark on the search: which columns the causal rules held fixed.
pub fn search_notice(
    settings: &Settings,
    findings: &Findings,
    columns: &[Column],
    target: &str,
) -> Option<String> {
    if let Some(most) = findings.posterior.as_ref().and_then(|posterior| posterior.most_terms) {
        return Some(format!(
            "the best model has {most} terms, the largest number that the search allows; {target} may have more causes"
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
        "{} held fixed {which}, except those in the rule itself: {}",
        settings.method,
        enumerated(&controls)
    ))
}

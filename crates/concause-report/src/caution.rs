//! Warnings in words: what is the matter, why it matters, and what can be done.
//!
//! Names are given as they are; each format shows them in its own way.

use concause::dataset::{Candidate, Column};
use concause::evidence::warnings::{Decider, NearDuplicate, Relation, Shortage, Tie, Warning};

use crate::figures::{counted, percent, thousands};
use crate::reason::enumerated;

/// The most pairs, relations and columns that a sentence names.
const MOST_IN_WORDS: usize = 3;

/// The warning in words, without a full stop.
pub(crate) fn sentence(warning: &Warning, columns: &[Column], target: &str) -> String {
    let name = |candidate: &Candidate| candidate.name(columns);
    match warning {
        Warning::TargetDecided { by, total } => decided(by, *total, name, target),
        Warning::TooFewCases(shortage) => too_few_cases(shortage, target),
        Warning::NotTestable { tests, not_testable } => format!(
            "{} of {} had too few rows to tell anything: a candidate that could not be tested for association is no \
             cause, one that could not be separated stays; a smaller --max-k or --max-level asks for fewer rows",
            thousands(*not_testable),
            counted(*tests, "test", "tests")
        ),
        Warning::NearDuplicates { pairs, total, all_pairs } => {
            near_duplicates(pairs, *total, *all_pairs, name)
        }
        Warning::Deterministic { relations, total } => {
            let told: Vec<String> =
                relations.iter().take(MOST_IN_WORDS).map(|relation| tie(relation, name)).collect();
            format!(
                "{}: where a column follows from others, the data cannot tell which of them matters",
                listed("relations hold in every row", &told, *total)
            )
        }
    }
}

fn decided(by: &[Decider], total: u64, name: impl Fn(&Candidate) -> String, target: &str) -> String {
    let told: Vec<String> =
        by.iter().take(MOST_IN_WORDS).map(|decider| decision(decider, &name, target)).collect();
    format!(
        "{target} is almost decided by {}; if {} recorded after the outcome, or part of it, leave {} out with --after",
        listed("columns", &told, total),
        if total == 1 { "it is" } else { "they are" },
        if total == 1 { "it" } else { "them" },
    )
}

fn decision(decider: &Decider, name: impl Fn(&Candidate) -> String, target: &str) -> String {
    let name = name(&decider.candidate);
    let (with, all) = (decider.table.with, decider.table.all());
    let share = |held: u64, of: u64| percent(held as f64 / of.max(1) as f64);
    if let Some((held, outcome)) = decider.without_exception().filter(|_| !decider.is_two_sided()) {
        let (rows, of) = if held { (with, all) } else { (decider.table.without, all) };
        let (rows, of) = if outcome { (rows.positive, of.positive) } else { (rows.negative, of.negative) };
        return format!(
            "{name} (wherever it {}, {target} is {}, and that is {} of all rows with {target} {1})",
            if held { "holds" } else { "does not hold" },
            u8::from(outcome),
            share(rows, of)
        );
    }
    format!(
        "{name} (in {} of the rows with {target} and {} of those without)",
        share(with.positive, all.positive),
        share(with.negative, all.negative)
    )
}

fn too_few_cases(shortage: &Shortage, target: &str) -> String {
    let Shortage { cases, positive, level, affordable_level, .. } = *shortage;
    let (max_k, affordable_max_k) = (shortage.max_k.unwrap_or(0), shortage.affordable_max_k.unwrap_or(0));
    let mut asked = Vec::new();
    let mut affordable = Vec::new();
    if affordable_level < level {
        asked.push(match level {
            1 => "single causes".to_owned(),
            _ => format!("conjunctions of {level} columns"),
        });
        affordable.push(format!("--max-level {affordable_level}"));
    }
    if affordable_max_k < max_k {
        asked.push(format!("conditioning sets of {max_k}"));
        affordable.push(format!("--max-k {affordable_max_k}"));
    }
    let advice = if affordable_level == 0 {
        "few of the columns hold in enough of them".to_owned()
    } else {
        format!("{} can be afforded", enumerated(&affordable))
    };
    format!(
        "{} {} too few for {}: {advice}",
        counted(cases, "row", "rows"),
        if positive { format!("with {target} are") } else { format!("without {target} are") },
        enumerated(&asked)
    )
}

fn near_duplicates(
    pairs: &[NearDuplicate],
    total: u64,
    all_pairs: bool,
    name: impl Fn(&Candidate) -> String,
) -> String {
    let told = pairs.iter().take(MOST_IN_WORDS).map(|pair| {
        let (one, other) = (name(&pair.one), name(&pair.other));
        let opposite = if pair.phi > 0.0 { "" } else { "the opposite of " };
        let exceptions = match pair.exceptions {
            0 => "no row differs".to_owned(),
            1 => "1 row differs".to_owned(),
            exceptions => format!("{} rows differ", thousands(exceptions)),
        };
        format!("{one} and {opposite}{other} ({exceptions})")
    });
    let told: Vec<String> = told.collect();
    let which = if all_pairs { "pairs" } else { "pairs with a column of a cause" };
    format!(
        "almost the same are {}: which of the two is found to be a cause, or explains the other away, hangs on few rows",
        listed(which, &told, total)
    )
}

fn tie(relation: &Relation, name: impl Fn(&Candidate) -> String) -> String {
    let column = name(&Candidate::single(relation.column));
    let to: Vec<String> = relation.to.iter().map(&name).collect();
    match relation.tie {
        Tie::Conjunction => format!("{column} holds just where {} hold", enumerated(&to)),
        Tie::Disjunction => format!("{column} holds just where {} holds", to.join(" or ")),
        Tie::Function => {
            format!("{column}, which was explained away, follows from {}", enumerated(&to))
        }
        Tie::Implication => format!("wherever {column} holds, {} holds", to.join(" and ")),
    }
}

/// All there is, if it is little; otherwise how much there is, and the first of it.
fn listed(what: &str, told: &[String], total: u64) -> String {
    if total as usize > told.len() {
        format!("{} {what}, among them: {}", thousands(total), told.join("; "))
    } else {
        told.join("; ")
    }
}

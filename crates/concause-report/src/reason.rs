//! Why a candidate is, or is not, a cause: as a sentence for people and as JSON for machines.
//!
//! A reason that the search learns to give has to be told here in both forms; the compiler asks for it.

use concause::dataset::{Candidate, Column};
use concause::rules::LEAST_SUPPORT;
use concause::search::{Reason, Role};
use serde_json::{Value, json};

use crate::figures::{self, counted, p_phrase, percent};
use crate::text::printable;

/// The reason in words, without a full stop.
pub fn sentence(reason: &Reason, candidate: &Candidate, columns: &[Column], target: &str) -> String {
    let name = |candidate: &Candidate| printable(&candidate.name(columns));
    let target = printable(target);
    let subject = name(candidate);
    match reason {
        Reason::Cause => format!(
            "{subject} is a parent or child of {target}: it is associated with it, and nothing else that was \
             found explains this away"
        ),
        Reason::Required => {
            format!(
                "{subject} is a cause of {target} because it was required to be one, whatever the tests say"
            )
        }
        Reason::SetAside { column, role: Role::Forbidden } if column == candidate => format!(
            "{subject} is forbidden as a cause, though nothing that was found explains its association with {target} \
             away; it may explain others away"
        ),
        Reason::SetAside { column, role } => {
            let known = match role {
                Role::After => format!("{} comes after {target}", name(column)),
                Role::Covariate => format!("{} is a covariate, held fixed in every test", name(column)),
                Role::Forbidden => format!("{} is forbidden as a cause", name(column)),
            };
            if column == candidate {
                format!("{known}, so it was not considered as a cause")
            } else {
                format!("{subject} cannot be a combined cause: {known}")
            }
        }
        Reason::Constant => {
            format!("{subject} is the same in every row, so it can tell nothing about {target}")
        }
        Reason::Equivalent { to, complement: false } => {
            format!("{subject} holds in the same rows as {}, which stands for both", name(to))
        }
        Reason::Equivalent { to, complement: true } => {
            format!("{subject} holds in exactly the rows in which {} does not; {0} stands for both", name(to))
        }
        Reason::SameAttribute => {
            format!("{subject} cannot be a combined cause: two of its columns come from the same attribute")
        }
        Reason::PartOfCause { cause } if cause.overlaps(candidate) => {
            format!("{subject} cannot be a combined cause: {} is a cause by itself", name(cause))
        }
        Reason::PartOfCause { cause } => format!(
            "{subject} cannot be a combined cause: one of its columns is equivalent to {}, a cause by itself",
            name(cause)
        ),
        Reason::Unformed { part } => format!(
            "{subject} was not formed: no way to split it in two gives two non-causes, for one because {} was \
             not kept as one",
            name(part)
        ),
        Reason::Redundant { part, within, p_value } => format!(
            "{subject} is redundant: where {} holds, {} tells nothing about {target} ({})",
            name(within),
            name(part),
            p_phrase(*p_value)
        ),
        Reason::NotAssociated { p_value } => {
            format!("{subject} is not associated with {target} ({})", p_phrase(*p_value))
        }
        Reason::Separated { by, p_value } => match &by[..] {
            [] => format!("{subject} is independent of {target} ({})", p_phrase(*p_value)),
            by => format!(
                "{subject} is explained by {}: given {} it is independent of {target} ({})",
                enumerated(&by.iter().map(name).collect::<Vec<_>>()),
                if by.len() == 1 { "this" } else { "these" },
                p_phrase(*p_value)
            ),
        },
        Reason::LowSupport { support } => format!(
            "{subject} is too rare for a rule: it holds in {} of the rows with {target}, and {} are asked for",
            percent(*support),
            percent(LEAST_SUPPORT)
        ),
        Reason::NoEffect { controls, odds_ratio, p_value, discordant } => {
            let fixed = match &controls[..] {
                [] => "by itself".to_owned(),
                controls => {
                    format!("where {} held fixed", are(&controls.iter().map(name).collect::<Vec<_>>()))
                }
            };
            let pairs = discordant.map(|pairs| counted(pairs, "discordant pair", "discordant pairs"));
            match odds_ratio {
                None => format!("{subject} cannot be compared {fixed}: it, or {target}, does not vary there"),
                Some(odds_ratio) => format!(
                    "{subject} makes too little or too uncertain a difference to {target} {fixed} (odds ratio {}{}, {})",
                    figures::odds_ratio(*odds_ratio),
                    pairs.map(|pairs| format!(" of {pairs}")).unwrap_or_default(),
                    p_phrase(*p_value)
                ),
            }
        }
        Reason::Replaced { by } => {
            format!("{subject} is part of {}, which explains {target} better and took its place", name(by))
        }
        Reason::AddsNothing { p_value } => format!(
            "{subject} adds too little to what the causes found tell about {target} together ({})",
            p_phrase(*p_value)
        ),
        Reason::NotTestable => {
            format!(
                "{subject} cannot be tested: there are too few rows to tell whether it is associated with {target}"
            )
        }
        Reason::NotReached => format!(
            "{subject} was not reached: the search did not go to its level, or was stopped before it was decided"
        ),
    }
}

/// The name of a reason in JSON.
pub(crate) fn tag(reason: &Reason) -> &'static str {
    match reason {
        Reason::Cause => "cause",
        Reason::Required => "required",
        Reason::SetAside { role: Role::After, .. } => "after",
        Reason::SetAside { role: Role::Covariate, .. } => "covariate",
        Reason::SetAside { role: Role::Forbidden, .. } => "forbidden",
        Reason::Constant => "constant",
        Reason::Equivalent { .. } => "equivalent",
        Reason::SameAttribute => "same-attribute",
        Reason::PartOfCause { .. } => "part-of-cause",
        Reason::Unformed { .. } => "unformed",
        Reason::Redundant { .. } => "redundant",
        Reason::NotAssociated { .. } => "not-associated",
        Reason::Separated { .. } => "separated",
        Reason::LowSupport { .. } => "low-support",
        Reason::NoEffect { .. } => "no-effect",
        Reason::Replaced { .. } => "replaced",
        Reason::AddsNothing { .. } => "adds-nothing",
        Reason::NotTestable => "not-testable",
        Reason::NotReached => "not-reached",
    }
}

/// The reason as `{"candidate", "columns", "reason"}` and the fields of that reason; candidates are given by
/// name, `reason` is a tag such as `not-associated`.
pub fn reason_json(reason: &Reason, candidate: &Candidate, columns: &[Column]) -> Value {
    let name = |candidate: &Candidate| candidate.name(columns);
    let fields = match reason {
        Reason::Cause
        | Reason::Required
        | Reason::Constant
        | Reason::SameAttribute
        | Reason::NotTestable
        | Reason::NotReached => json!({}),
        Reason::SetAside { column, .. } => json!({"column": name(column)}),
        Reason::Equivalent { to, complement } => json!({"to": name(to), "complement": complement}),
        Reason::PartOfCause { cause } => json!({"cause": name(cause)}),
        Reason::Unformed { part } => json!({"part": name(part)}),
        Reason::Redundant { part, within, p_value } => {
            json!({"part": name(part), "within": name(within), "p_value": p_value})
        }
        Reason::NotAssociated { p_value } | Reason::AddsNothing { p_value } => json!({"p_value": p_value}),
        Reason::Separated { by, p_value } => {
            json!({"by": by.iter().map(name).collect::<Vec<_>>(), "p_value": p_value})
        }
        Reason::LowSupport { support } => json!({"support": support}),
        Reason::NoEffect { controls, odds_ratio, p_value, discordant } => json!({
            "controls": controls.iter().map(name).collect::<Vec<_>>(),
            "odds_ratio": odds_ratio,
            "p_value": p_value,
            "discordant": discordant,
        }),
        Reason::Replaced { by } => json!({"by": name(by)}),
    };
    let parts: Vec<String> =
        candidate.columns().iter().map(|&column| name(&Candidate::single(column))).collect();
    let mut told = json!({"candidate": name(candidate), "columns": parts, "reason": tag(reason)});
    if let (Value::Object(told), Value::Object(fields)) = (&mut told, fields) {
        told.extend(fields);
    }
    told
}

/// `A is`, `A and B are`.
fn are(names: &[String]) -> String {
    format!("{} {}", enumerated(names), if names.len() == 1 { "is" } else { "are" })
}

/// `A`, `A and B`, `A, B and C`.
pub(crate) fn enumerated(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        ["V1", "V2", "V4", "V5", "a\nb"]
            .into_iter()
            .enumerate()
            .map(|(attribute, name)| Column { name: name.into(), attribute })
            .collect()
    }

    fn of(columns: &[u32]) -> Candidate {
        Candidate::new(columns.to_vec())
    }

    fn told(reason: &Reason, candidate: &[u32]) -> String {
        sentence(reason, &of(candidate), &columns(), "Class")
    }

    fn json(reason: &Reason, candidate: &[u32]) -> String {
        reason_json(reason, &of(candidate), &columns()).to_string()
    }

    #[test]
    fn a_cause_and_what_is_settled_before_a_test() {
        assert_eq!(
            told(&Reason::Cause, &[2]),
            "V4 is a parent or child of Class: it is associated with it, and nothing else that was found explains \
             this away"
        );
        assert_eq!(json(&Reason::Cause, &[2]), r#"{"candidate":"V4","columns":["V4"],"reason":"cause"}"#);
        assert_eq!(
            told(&Reason::Constant, &[4]),
            "a\\nb is the same in every row, so it can tell nothing about Class"
        );
        let same = Reason::Equivalent { to: of(&[0]), complement: false };
        assert_eq!(told(&same, &[1]), "V2 holds in the same rows as V1, which stands for both");
        let other = Reason::Equivalent { to: of(&[0]), complement: true };
        assert_eq!(
            told(&other, &[1]),
            "V2 holds in exactly the rows in which V1 does not; V1 stands for both"
        );
        assert_eq!(
            json(&other, &[1]),
            r#"{"candidate":"V2","columns":["V2"],"reason":"equivalent","to":"V1","complement":true}"#
        );
    }

    #[test]
    fn conjunctions_that_cannot_be_formed() {
        assert_eq!(
            told(&Reason::SameAttribute, &[0, 1]),
            "V1&V2 cannot be a combined cause: two of its columns come from the same attribute"
        );
        let part = Reason::PartOfCause { cause: of(&[0]) };
        assert_eq!(told(&part, &[0, 1]), "V1&V2 cannot be a combined cause: V1 is a cause by itself");
        assert_eq!(
            told(&part, &[1, 3]),
            "V2&V5 cannot be a combined cause: one of its columns is equivalent to V1, a cause by itself"
        );
        assert_eq!(
            json(&part, &[0, 1]),
            r#"{"candidate":"V1&V2","columns":["V1","V2"],"reason":"part-of-cause","cause":"V1"}"#
        );
        let unformed = Reason::Unformed { part: of(&[0, 1]) };
        assert_eq!(
            told(&unformed, &[0, 1, 3]),
            "V1&V2&V5 was not formed: no way to split it in two gives two non-causes, for one because V1&V2 was \
             not kept as one"
        );
        assert!(json(&unformed, &[0, 1, 3]).ends_with(r#""reason":"unformed","part":"V1&V2"}"#));
        assert!(json(&Reason::SameAttribute, &[0, 1]).ends_with(r#""reason":"same-attribute"}"#));
    }

    #[test]
    fn what_the_tests_decided() {
        let redundant = Reason::Redundant { part: of(&[0]), within: of(&[3]), p_value: 0.41 };
        assert_eq!(
            told(&redundant, &[0, 3]),
            "V1&V5 is redundant: where V5 holds, V1 tells nothing about Class (p = 0.41)"
        );
        assert!(
            json(&redundant, &[0, 3])
                .ends_with(r#""reason":"redundant","part":"V1","within":"V5","p_value":0.41}"#)
        );
        let weak = Reason::NotAssociated { p_value: 0.23 };
        assert_eq!(told(&weak, &[3]), "V5 is not associated with Class (p = 0.23)");
        assert!(json(&weak, &[3]).ends_with(r#""reason":"not-associated","p_value":0.23}"#));
        let by = |by: Vec<Candidate>| Reason::Separated { by, p_value: 0.31 };
        assert_eq!(
            told(&by(vec![of(&[2]), of(&[0, 1])]), &[3]),
            "V5 is explained by V4 and V1&V2: given these it is independent of Class (p = 0.31)"
        );
        assert_eq!(
            told(&by(vec![of(&[2])]), &[3]),
            "V5 is explained by V4: given this it is independent of Class (p = 0.31)"
        );
        assert!(told(&by(vec![of(&[0]), of(&[1]), of(&[2])]), &[3]).contains("V1, V2 and V4: given these"));
        assert_eq!(told(&by(Vec::new()), &[3]), "V5 is independent of Class (p = 0.31)");
        assert!(
            json(&by(vec![of(&[2]), of(&[0, 1])]), &[3])
                .ends_with(r#""reason":"separated","by":["V4","V1&V2"],"p_value":0.31}"#)
        );
    }

    #[test]
    fn what_became_of_rules() {
        let rare = Reason::LowSupport { support: 0.0213 };
        assert_eq!(
            told(&rare, &[0, 1]),
            "V1&V2 is too rare for a rule: it holds in 2.1 % of the rows with Class, and 5.0 % are asked for"
        );
        assert!(json(&rare, &[0, 1]).ends_with(r#""reason":"low-support","support":0.0213}"#));
        let effect = |controls: &[u32], odds_ratio, discordant| Reason::NoEffect {
            controls: controls.iter().map(|&column| of(&[column])).collect(),
            odds_ratio,
            p_value: 0.31,
            discordant,
        };
        let partial = effect(&[2, 1], Some(1.2), None);
        assert_eq!(
            told(&partial, &[3]),
            "V5 makes too little or too uncertain a difference to Class where V4 and V2 are held fixed (odds ratio 1.2, \
             p = 0.31)"
        );
        assert!(json(&partial, &[3]).ends_with(
            r#""reason":"no-effect","controls":["V4","V2"],"odds_ratio":1.2,"p_value":0.31,"discordant":null}"#
        ));
        let pairs = effect(&[2], Some(1.0 / 3.0), Some(8));
        assert_eq!(
            told(&pairs, &[3]),
            "V5 makes too little or too uncertain a difference to Class where V4 is held fixed (odds ratio 0.333 of 8 \
             discordant pairs, p = 0.31)"
        );
        assert!(json(&pairs, &[3]).ends_with(r#""p_value":0.31,"discordant":8}"#));
        let alone = effect(&[], Some(f64::INFINITY), Some(1));
        assert!(
            told(&alone, &[3]).contains("to Class by itself (odds ratio ∞ of 1 discordant pair, p = 0.31)")
        );
        assert!(json(&alone, &[3]).contains(r#""odds_ratio":null"#), "what JSON cannot carry is null");
        let nothing = effect(&[2], None, None);
        assert_eq!(
            told(&nothing, &[3]),
            "V5 cannot be compared where V4 is held fixed: it, or Class, does not vary there"
        );
    }

    #[test]
    fn what_was_not_decided() {
        assert_eq!(
            told(&Reason::NotTestable, &[3]),
            "V5 cannot be tested: there are too few rows to tell whether it is associated with Class"
        );
        assert!(told(&Reason::NotReached, &[3]).starts_with("V5 was not reached"));
        assert!(json(&Reason::NotTestable, &[3]).ends_with(r#""reason":"not-testable"}"#));
        assert!(json(&Reason::NotReached, &[3]).ends_with(r#""reason":"not-reached"}"#));
        // What JSON cannot carry is null.
        let unknown = Reason::NotAssociated { p_value: f64::NAN };
        assert!(json(&unknown, &[3]).ends_with(r#""p_value":null}"#));
        assert!(told(&unknown, &[3]).ends_with("(p = ?)"));
    }
}

//! The reason why a candidate is or is not a cause, as a sentence and as JSON. A new reason of the search needs both
//! forms; the compiler enforces this.

use concause::dataset::{Candidate, Column};
use concause::search::rules::LEAST_SUPPORT;
use concause::search::{Reason, Role};
use concause::{Error, Mining};
use serde_json::{Value, json};

use crate::numbers::{self, counted, enumerated, p_phrase, percent};
use crate::text::printable;

/// Why a column or conjunction is, or is not, a cause, as a sentence.
pub fn explain(mining: &Mining, name: &str) -> Result<String, Error> {
    let candidate = mining.candidate(name)?;
    let reason = mining.explain(name)?;
    Ok(reason_sentence(&reason, &candidate, mining.columns(), &mining.target().label()))
}

/// The reason as a sentence, without a full stop.
pub fn reason_sentence(reason: &Reason, candidate: &Candidate, columns: &[Column], target: &str) -> String {
    let name = |candidate: &Candidate| printable(&candidate.name(columns));
    let target = printable(target);
    let subject = name(candidate);
    match reason {
        Reason::Cause => format!(
            "{subject} is a parent or child of {target}: it is associated with {target}, and no set of other causes \
             explains the association"
        ),
        Reason::Required => {
            format!(
                "{subject} is a cause of {target} because it was required to be one, regardless of the tests"
            )
        }
        Reason::Excluded { column, role: Role::Forbidden } if column == candidate => format!(
            "{subject} is forbidden as a cause, although no set of other causes explains its association with {target}; \
             conditioning sets may still contain it"
        ),
        Reason::Excluded { column, role } => {
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
        Reason::Constant => format!("{subject} is constant, so it cannot be associated with {target}"),
        Reason::Equivalent { to, complement: false } => {
            format!("{subject} holds in the same rows as {}, which represents both", name(to))
        }
        Reason::Equivalent { to, complement: true } => {
            format!("{subject} is the complement of {}, which represents both", name(to))
        }
        Reason::SameAttribute => {
            format!("{subject} cannot be a combined cause: two of its columns come from the same attribute")
        }
        Reason::PartOfCause { cause } if cause.overlaps(candidate) => {
            format!("{subject} cannot be a combined cause: {} is a single cause", name(cause))
        }
        Reason::PartOfCause { cause } => format!(
            "{subject} cannot be a combined cause: one of its columns is equivalent to {}, a single cause",
            name(cause)
        ),
        Reason::Unformed { part } => format!(
            "{subject} was not formed: it cannot be split into two non-causes; for example, {} is not a non-cause",
            name(part)
        ),
        Reason::Redundant { part, within, p_value } => format!(
            "{subject} is redundant: among rows with {}, {} is independent of {target} ({})",
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
                "{subject} is independent of {target} given {} ({})",
                enumerated(&by.iter().map(name).collect::<Vec<_>>()),
                p_phrase(*p_value)
            ),
        },
        Reason::LowSupport { support } => format!(
            "{subject} is too rare for a rule: it holds in {} of the rows with {target}, but at least {} is required",
            percent(*support),
            percent(LEAST_SUPPORT)
        ),
        Reason::NoEffect { controls, odds_ratio, p_value, discordant } => {
            let controls: Vec<String> = controls.iter().map(name).collect();
            match odds_ratio {
                None => format!(
                    "{subject} cannot be compared{}: {subject} or {target} does not vary there",
                    phrase_unless_empty(" within strata of ", &controls, "")
                ),
                Some(odds_ratio) => {
                    let pairs = discordant.map(|pairs| counted(pairs, "discordant pair", "discordant pairs"));
                    format!(
                        "{subject} has no clear effect on {target}{} (odds ratio {}{}, {})",
                        phrase_unless_empty(" with ", &controls, " held fixed"),
                        numbers::odds_ratio(*odds_ratio),
                        pairs.map(|pairs| format!(" from {pairs}")).unwrap_or_default(),
                        p_phrase(*p_value)
                    )
                }
            }
        }
        Reason::Probable { probability, alternative } => {
            let attributes = if *probability < 0.5 { "; that of its attributes is at least ½" } else { "" };
            let instead = alternative.as_ref().map(|(other, probability)| {
                let probability = numbers::probability(*probability);
                format!("; otherwise {} most probably takes its place ({probability})", name(other))
            });
            format!(
                "{subject} is a parent or child of {target} with probability {}{attributes}{}",
                numbers::probability(*probability),
                instead.unwrap_or_default()
            )
        }
        Reason::Improbable { probability, gain, alternative } => {
            let instead =
                alternative.as_ref().map(|other| format!("; most probably {} takes its place", name(other)));
            let effect = match (gain.is_finite(), *gain > 0.0) {
                (false, _) => "it does not raise the risk given the other causes".to_owned(),
                (true, raises) => format!(
                    "adding it to the best model {} the log posterior by {}",
                    if raises { "raises" } else { "lowers" },
                    numbers::significant(gain.abs(), 3)
                ),
            };
            format!(
                "{subject} is not a cause of {target} (probability {}): {effect}{}",
                numbers::probability(*probability),
                instead.unwrap_or_default()
            )
        }
        Reason::NotTestable => {
            format!(
                "{subject} cannot be tested: there are too few rows to test its association with {target}"
            )
        }
        Reason::NotReached => format!(
            "{subject} was not reached: the search did not include its level or stopped before deciding"
        ),
    }
}

fn phrase_unless_empty(before: &str, names: &[String], after: &str) -> String {
    if names.is_empty() { String::new() } else { format!("{before}{}{after}", enumerated(names)) }
}

/// The name of a reason in JSON.
pub(crate) fn reason_tag(reason: &Reason) -> &'static str {
    match reason {
        Reason::Cause | Reason::Probable { .. } => "cause",
        Reason::Required => "required",
        Reason::Excluded { role: Role::After, .. } => "after",
        Reason::Excluded { role: Role::Covariate, .. } => "covariate",
        Reason::Excluded { role: Role::Forbidden, .. } => "forbidden",
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
        Reason::Improbable { .. } => "improbable",
        Reason::NotTestable => "not-testable",
        Reason::NotReached => "not-reached",
    }
}

/// The reason as `{"candidate", "columns", "reason"}` followed by the fields of that reason. Candidates are given by
/// name; `reason` is a tag such as `not-associated`.
pub fn reason_json(reason: &Reason, candidate: &Candidate, columns: &[Column]) -> Value {
    let name = |candidate: &Candidate| candidate.name(columns);
    let fields = match reason {
        Reason::Cause
        | Reason::Required
        | Reason::Constant
        | Reason::SameAttribute
        | Reason::NotTestable
        | Reason::NotReached => json!({}),
        Reason::Excluded { column, .. } => json!({"column": name(column)}),
        Reason::Equivalent { to, complement } => json!({"to": name(to), "complement": complement}),
        Reason::PartOfCause { cause } => json!({"cause": name(cause)}),
        Reason::Unformed { part } => json!({"part": name(part)}),
        Reason::Redundant { part, within, p_value } => {
            json!({"part": name(part), "within": name(within), "p_value": p_value})
        }
        Reason::NotAssociated { p_value } => json!({"p_value": p_value}),
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
        Reason::Probable { probability, alternative } => json!({
            "probability": probability,
            "alternative": alternative.as_ref().map(|(other, _)| name(other)),
        }),
        Reason::Improbable { probability, gain, alternative } => json!({
            "probability": probability,
            "gain": gain.is_finite().then_some(*gain),
            "alternative": alternative.as_ref().map(name),
        }),
    };
    let literals = candidate.in_data_order().into_iter();
    let parts: Vec<&str> = literals.map(|literal| columns[literal.column() as usize].name.as_str()).collect();
    let mut object = json!({"candidate": name(candidate), "columns": parts, "reason": reason_tag(reason)});
    if let (Value::Object(object), Value::Object(fields)) = (&mut object, fields) {
        object.extend(fields);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        ["V1", "V2", "V4", "V5", "a\nb"]
            .into_iter()
            .enumerate()
            .map(|(attribute, name)| Column::named(name, name.into()).of_attribute(attribute))
            .collect()
    }

    fn candidate(columns: &[u32]) -> Candidate {
        Candidate::new(columns.to_vec())
    }

    fn words(reason: &Reason, numbers: &[u32]) -> String {
        reason_sentence(reason, &candidate(numbers), &columns(), "Class")
    }

    fn json(reason: &Reason, numbers: &[u32]) -> String {
        reason_json(reason, &candidate(numbers), &columns()).to_string()
    }

    #[test]
    fn causes_and_candidates_settled_before_a_test() {
        assert_eq!(
            words(&Reason::Cause, &[2]),
            "V4 is a parent or child of Class: it is associated with Class, and no set of other causes explains the \
             association"
        );
        assert_eq!(json(&Reason::Cause, &[2]), r#"{"candidate":"V4","columns":["V4"],"reason":"cause"}"#);
        assert_eq!(
            words(&Reason::Constant, &[4]),
            "a\\nb is constant, so it cannot be associated with Class"
        );
        let same = Reason::Equivalent { to: candidate(&[0]), complement: false };
        assert_eq!(words(&same, &[1]), "V2 holds in the same rows as V1, which represents both");
        let other = Reason::Equivalent { to: candidate(&[0]), complement: true };
        assert_eq!(words(&other, &[1]), "V2 is the complement of V1, which represents both");
        assert_eq!(
            json(&other, &[1]),
            r#"{"candidate":"V2","columns":["V2"],"reason":"equivalent","to":"V1","complement":true}"#
        );
    }

    #[test]
    fn conjunctions_that_cannot_be_formed() {
        assert_eq!(
            words(&Reason::SameAttribute, &[0, 1]),
            "V1&V2 cannot be a combined cause: two of its columns come from the same attribute"
        );
        let part = Reason::PartOfCause { cause: candidate(&[0]) };
        assert_eq!(words(&part, &[0, 1]), "V1&V2 cannot be a combined cause: V1 is a single cause");
        assert_eq!(
            words(&part, &[1, 3]),
            "V2&V5 cannot be a combined cause: one of its columns is equivalent to V1, a single cause"
        );
        assert_eq!(
            json(&part, &[0, 1]),
            r#"{"candidate":"V1&V2","columns":["V1","V2"],"reason":"part-of-cause","cause":"V1"}"#
        );
        let unformed = Reason::Unformed { part: candidate(&[0, 1]) };
        assert_eq!(
            words(&unformed, &[0, 1, 3]),
            "V1&V2&V5 was not formed: it cannot be split into two non-causes; for example, V1&V2 is not a non-cause"
        );
        assert!(json(&unformed, &[0, 1, 3]).ends_with(r#""reason":"unformed","part":"V1&V2"}"#));
        assert!(json(&Reason::SameAttribute, &[0, 1]).ends_with(r#""reason":"same-attribute"}"#));
    }

    #[test]
    fn candidates_decided_by_tests() {
        let redundant = Reason::Redundant { part: candidate(&[0]), within: candidate(&[3]), p_value: 0.41 };
        assert_eq!(
            words(&redundant, &[0, 3]),
            "V1&V5 is redundant: among rows with V5, V1 is independent of Class (p = 0.41)"
        );
        assert!(
            json(&redundant, &[0, 3])
                .ends_with(r#""reason":"redundant","part":"V1","within":"V5","p_value":0.41}"#)
        );
        let weak = Reason::NotAssociated { p_value: 0.23 };
        assert_eq!(words(&weak, &[3]), "V5 is not associated with Class (p = 0.23)");
        assert!(json(&weak, &[3]).ends_with(r#""reason":"not-associated","p_value":0.23}"#));
        let by = |by: Vec<Candidate>| Reason::Separated { by, p_value: 0.31 };
        assert_eq!(
            words(&by(vec![candidate(&[2]), candidate(&[0, 1])]), &[3]),
            "V5 is independent of Class given V4 and V1&V2 (p = 0.31)"
        );
        assert_eq!(words(&by(vec![candidate(&[2])]), &[3]), "V5 is independent of Class given V4 (p = 0.31)");
        assert!(
            words(&by(vec![candidate(&[0]), candidate(&[1]), candidate(&[2])]), &[3])
                .contains("given V1, V2 and V4 (")
        );
        assert_eq!(words(&by(Vec::new()), &[3]), "V5 is independent of Class (p = 0.31)");
        assert!(
            json(&by(vec![candidate(&[2]), candidate(&[0, 1])]), &[3])
                .ends_with(r#""reason":"separated","by":["V4","V1&V2"],"p_value":0.31}"#)
        );
    }

    #[test]
    fn rejected_rules() {
        let rare = Reason::LowSupport { support: 0.0213 };
        assert_eq!(
            words(&rare, &[0, 1]),
            "V1&V2 is too rare for a rule: it holds in 2.1 % of the rows with Class, but at least 5.0 % is required"
        );
        assert!(json(&rare, &[0, 1]).ends_with(r#""reason":"low-support","support":0.0213}"#));
        let effect = |controls: &[u32], odds_ratio, discordant| Reason::NoEffect {
            controls: controls.iter().map(|&column| candidate(&[column])).collect(),
            odds_ratio,
            p_value: 0.31,
            discordant,
        };
        let partial = effect(&[2, 1], Some(1.2), None);
        assert_eq!(
            words(&partial, &[3]),
            "V5 has no clear effect on Class with V4 and V2 held fixed (odds ratio 1.2, p = 0.31)"
        );
        assert!(json(&partial, &[3]).ends_with(
            r#""reason":"no-effect","controls":["V4","V2"],"odds_ratio":1.2,"p_value":0.31,"discordant":null}"#
        ));
        let pairs = effect(&[2], Some(1.0 / 3.0), Some(8));
        assert_eq!(
            words(&pairs, &[3]),
            "V5 has no clear effect on Class with V4 held fixed (odds ratio 0.333 from 8 discordant pairs, p = 0.31)"
        );
        assert!(json(&pairs, &[3]).ends_with(r#""p_value":0.31,"discordant":8}"#));
        let alone = effect(&[], Some(f64::INFINITY), Some(1));
        assert!(words(&alone, &[3]).contains("on Class (odds ratio ∞ from 1 discordant pair, p = 0.31)"));
        assert!(
            json(&alone, &[3]).contains(r#""odds_ratio":null"#),
            "a number that JSON cannot represent is null"
        );
        let nothing = effect(&[2], None, None);
        assert_eq!(
            words(&nothing, &[3]),
            "V5 cannot be compared within strata of V4: V5 or Class does not vary there"
        );
    }

    #[test]
    fn causes_of_the_joint_method() {
        let alternative = Some((Candidate::single(3), 0.25));
        let cause = Reason::Probable { probability: 0.75, alternative };
        assert_eq!(
            words(&cause, &[2]),
            "V4 is a parent or child of Class with probability .75; otherwise V5 most probably takes its place (.25)"
        );
        assert_eq!(
            json(&cause, &[2]),
            r#"{"candidate":"V4","columns":["V4"],"reason":"cause","probability":0.75,"alternative":"V5"}"#
        );
        let by_attributes = Reason::Probable { probability: 0.4, alternative: None };
        assert!(
            words(&by_attributes, &[2]).ends_with("probability .40; that of its attributes is at least ½")
        );
        assert!(json(&by_attributes, &[2]).contains(r#""alternative":null"#));
    }

    #[test]
    fn undecided_candidates() {
        assert_eq!(
            words(&Reason::NotTestable, &[3]),
            "V5 cannot be tested: there are too few rows to test its association with Class"
        );
        assert!(words(&Reason::NotReached, &[3]).starts_with("V5 was not reached"));
        assert!(json(&Reason::NotTestable, &[3]).ends_with(r#""reason":"not-testable"}"#));
        assert!(json(&Reason::NotReached, &[3]).ends_with(r#""reason":"not-reached"}"#));
        // A number that JSON cannot represent is null.
        let unknown = Reason::NotAssociated { p_value: f64::NAN };
        assert!(json(&unknown, &[3]).ends_with(r#""p_value":null}"#));
        assert!(words(&unknown, &[3]).ends_with("(p = ?)"));
    }
}

//! Compares a search with a slow reference implementation: causes, statistics and the reason for every candidate.

use concause::Miner;
use concause::progress::NoProgress;
use concause::search::{Reason, Settings};

use super::Matrix;
use super::sequential::{Result, combinations};

/// The numbers of compared decisions, so that tests can assert that enough were compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub causes: usize,
    pub combined: usize,
    pub separated: usize,
    pub without_effect: usize,
    pub rare: usize,
    /// Candidates with p ≤ alpha that control of the false discovery rate rejected.
    pub undiscovered: usize,
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn same_reason(a: &Reason, b: &Reason) -> bool {
    match (a, b) {
        (Reason::NotAssociated { p_value: p }, Reason::NotAssociated { p_value: q }) => close(*p, *q),
        (Reason::Separated { by, p_value: p }, Reason::Separated { by: other, p_value: q }) => {
            by == other && close(*p, *q)
        }
        (
            Reason::Redundant { part, within, p_value: p },
            Reason::Redundant { part: other_part, within: other_within, p_value: q },
        ) => part == other_part && within == other_within && close(*p, *q),
        (
            Reason::NoEffect { controls, odds_ratio, p_value: p, discordant },
            Reason::NoEffect {
                controls: other_controls,
                odds_ratio: other_odds_ratio,
                p_value: q,
                discordant: other_discordant,
            },
        ) => {
            let same_odds = match (odds_ratio, other_odds_ratio) {
                (Some(one), Some(other)) => one == other || close(*one, *other),
                _ => odds_ratio == other_odds_ratio,
            };
            controls == other_controls && same_odds && close(*p, *q) && discordant == other_discordant
        }
        _ => a == b,
    }
}

/// Compares one search with the reference result for every candidate.
pub fn compare_with(matrix: &Matrix, settings: &Settings, oracle: &Result) -> Compared {
    let dataset = matrix.dataset();
    let mining = Miner::from(settings.clone()).search(&dataset, &NoProgress).unwrap();
    let findings = mining.findings();
    let context = format!("{settings:?}\n{matrix:?}");
    assert!(findings.complete);
    assert_eq!(findings.causes.len(), oracle.causes.len(), "{context}");
    for (candidate, association, max_p, challenger) in &oracle.causes {
        let cause = findings.causes.iter().find(|cause| cause.candidate == *candidate).expect(&context);
        assert!(close(cause.association.statistic, association.statistic), "{context}");
        assert!(close(cause.max_p.p_value, max_p.p_value), "{context}");
        assert_eq!(&cause.challenger, challenger, "{candidate:?} {context}");
        assert_eq!(cause.count, matrix.count(candidate));
    }
    let combined = findings.causes.iter().filter(|cause| cause.candidate.level() > 1).count();
    let mut compared = Compared { causes: findings.causes.len(), combined, ..Compared::default() };
    for level in 1..=settings.max_level {
        for candidate in combinations(matrix.columns.len(), level) {
            let reason = mining.explain_all(std::slice::from_ref(&candidate)).unwrap().remove(0);
            match oracle.reasons.get(&candidate) {
                Some(expected) => {
                    assert!(
                        same_reason(&reason, expected),
                        "{candidate:?}: {reason:?} {expected:?} {context}"
                    );
                }
                None => assert!(
                    matches!(
                        reason,
                        Reason::Unformed { .. }
                            | Reason::Equivalent { .. }
                            | Reason::Constant
                            | Reason::NotReached
                    ),
                    "{candidate:?}: {reason:?} {context}"
                ),
            }
            compared.separated += usize::from(matches!(reason, Reason::Separated { .. }));
            compared.without_effect += usize::from(matches!(reason, Reason::NoEffect { .. }));
            compared.undiscovered +=
                usize::from(matches!(reason, Reason::NotAssociated { p_value } if p_value <= settings.alpha));
            compared.rare += usize::from(matches!(reason, Reason::LowSupport { .. }));
        }
    }
    compared
}

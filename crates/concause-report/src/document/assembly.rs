//! Makes a [`Document`] from what a run has at hand: the last place that sees columns by number and the core's
//! own types.
//!
//! Nothing that JSON cannot carry gets past here: see [`finite`].

use concause::count::{Count, Stratum};
use concause::dataset::{Candidate, Column, Target};
use concause::evidence::calibration::Calibration;
use concause::evidence::stability::Stability;
use concause::evidence::warnings::Warning;
use concause::independence::Tested;
use concause::search::{Cause, Findings, Knowledge, Level, Rejected, Settings};

use crate::wording::search_notice;

use super::estimation::counts;
use super::{
    CalibrationSummary, CandidatesSummary, CauseEntry, Challenger, ClassCounts, ConfirmationEntry, Data,
    Document, Estimation, Figures, HeldOut, HoldoutSummary, KnowledgeSummary, LevelEntry, SCHEMA,
    SettingsSummary, StabilitySummary, TargetSummary, Timing, WarningEntry, WeightsSummary,
};

/// What a document is made from.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Where the data came from, in the order of reading.
    pub sources: Vec<String>,
    /// The rows searched, of each class of the target.
    pub rows: Count,
    /// The number of attributes that gave at least one column.
    pub attributes: usize,
    /// The columns searched; the candidates of `findings` are numbers in this list.
    pub columns: &'a [Column],
    /// A fingerprint of the encoded data.
    pub fingerprint: String,
    /// What the weights of the rows came to, if they have any.
    pub weights: Option<WeightsSummary>,
    /// The outcome whose causes were sought.
    pub target: &'a Target,
    /// What the search was told.
    pub settings: &'a Settings,
    /// The words of a command that gives this result again; none if it was not made by a command.
    pub command: Vec<String>,
    /// What it found.
    pub findings: &'a Findings,
    /// What the data says of each cause.
    pub estimation: &'a Estimation,
    /// The candidates that are no causes, by level and then the strongest first, if these are to be told.
    pub rejected: Option<&'a [Rejected]>,
    /// What was found in half-samples, if that was asked for.
    pub stability: Option<&'a Stability>,
    /// What was found with shuffled outcomes, if that was asked for.
    pub calibration: Option<&'a Calibration>,
    /// The rows that the search did not see, if there are any.
    pub holdout: Option<&'a HeldOut>,
    /// What to know before relying on the result.
    pub warnings: &'a [Warning],
    /// What a reader should know about how the data was read and encoded.
    pub notices: Vec<String>,
    /// How long it took.
    pub timing: Timing,
}

impl Document {
    /// The document of a run.
    pub fn new(run: Run<'_>) -> Document {
        let target = run.target.label();
        let controls = search_notice(run.settings, run.findings, run.columns, &target);
        let causes = (run.findings.causes.iter().enumerate())
            .map(|(number, found)| CauseEntry {
                confirmation: (run.holdout)
                    .and_then(|held_out| held_out.confirmations.get(number))
                    .map(|found| ConfirmationEntry::new(found, run.settings.alpha)),
                evidence: run.estimation.entry(number, &found.candidate, run.columns),
                ..cause(found, &run)
            })
            .collect();
        Document {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            complete: run.findings.complete,
            data: Data {
                sources: run.sources,
                rows: run.rows.positive.saturating_add(run.rows.negative),
                attributes: run.attributes as u64,
                columns: run.columns.len() as u64,
                fingerprint: run.fingerprint,
                weights: run.weights,
            },
            target: TargetSummary {
                name: run.target.name.clone(),
                value: run.target.value.clone(),
                positive: run.rows.positive,
                negative: run.rows.negative,
            },
            settings: settings(run.settings, run.columns),
            command: run.command,
            causes,
            levels: run.findings.levels.iter().map(|found| level(found, run.settings)).collect(),
            candidates: run
                .rejected
                .map(|rejected| CandidatesSummary::new(rejected, run.findings, run.columns, &target)),
            stability: run.stability.map(|found| StabilitySummary::new(found, run.findings, run.columns)),
            calibration: run.calibration.map(CalibrationSummary::new),
            holdout: run.holdout.map(|held_out| HoldoutSummary::new(held_out, run.settings.alpha)),
            warnings: run.warnings.iter().map(|it| WarningEntry::new(it, run.columns, &target)).collect(),
            notices: run.notices.into_iter().chain(controls).collect(),
            timing: Timing {
                read_seconds: finite(run.timing.read_seconds, 0.0),
                encode_seconds: finite(run.timing.encode_seconds, 0.0),
                search_seconds: finite(run.timing.search_seconds, 0.0),
                evidence_seconds: finite(run.timing.evidence_seconds, 0.0),
                control_seconds: finite(run.timing.control_seconds, 0.0),
            },
        }
    }
}

fn settings(settings: &Settings, columns: &[Column]) -> SettingsSummary {
    SettingsSummary {
        preset: settings.preset.name().to_owned(),
        method: settings.method.name().to_owned(),
        test: settings.test.name().to_owned(),
        alpha: finite(settings.alpha, 0.0),
        fdr: settings.fdr.map(|fdr| fdr.name().to_owned()),
        redundancy_alpha: finite(settings.redundancy_alpha, 0.0),
        max_k: settings.max_k as u64,
        max_level: settings.max_level as u64,
        overlap: settings.overlap.name().to_owned(),
        twins: settings.twins.name().to_owned(),
        max_candidates: settings.max_candidates,
        max_tests: settings.max_tests,
        seed: settings.seed,
        knowledge: knowledge(&settings.knowledge, columns),
    }
}

fn knowledge(knowledge: &Knowledge, columns: &[Column]) -> KnowledgeSummary {
    let singles = |numbers: &[u32]| -> Vec<String> {
        numbers.iter().map(|&number| Candidate::single(number).name(columns)).collect()
    };
    KnowledgeSummary {
        after: singles(&knowledge.after),
        covariates: singles(&knowledge.covariates),
        forbidden: singles(&knowledge.forbidden),
        required: names(&knowledge.required, columns),
    }
}

fn cause(cause: &Cause, run: &Run<'_>) -> CauseEntry {
    let (columns, rows) = (run.columns, run.rows);
    let association = figures(&cause.association);
    let weakest = figures(&cause.weakest);
    let without = Count {
        positive: rows.positive.saturating_sub(cause.count.positive),
        negative: rows.negative.saturating_sub(cause.count.negative),
    };
    let counts = counts(&Stratum { with: cause.count, without });
    CauseEntry {
        name: cause.candidate.name(columns),
        columns: names(&cause.candidate.singles(), columns),
        level: cause.candidate.level() as u64,
        statistic: association.statistic,
        df: association.df,
        p_value: weakest.p_value,
        ln_p_value: weakest.ln_p_value,
        association,
        challenger: Challenger { given: names(&cause.challenger, columns), figures: weakest },
        equivalent: names(&cause.equivalent, columns),
        risk_with: risk(counts.with),
        risk_without: risk(counts.without),
        counts,
        stability: (run.stability)
            .filter(|_| !run.settings.knowledge.requires(&cause.candidate))
            .and_then(|stability| stability.frequency(&cause.candidate)),
        confirmation: None,
        evidence: None,
    }
}

pub(super) fn names(candidates: &[Candidate], columns: &[Column]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.name(columns)).collect()
}

pub(super) fn figures(tested: &Tested) -> Figures {
    Figures {
        statistic: finite(tested.statistic, 0.0),
        df: tested.df,
        p_value: finite(tested.p_value, 1.0).clamp(0.0, 1.0),
        ln_p_value: finite(tested.ln_p, 0.0).min(0.0),
    }
}

/// The share of target 1, or `None` where there are no rows.
fn risk(rows: ClassCounts) -> Option<f64> {
    let total = rows.positive.saturating_add(rows.negative);
    (total > 0).then(|| rows.positive as f64 / total as f64)
}

/// JSON has no infinity and no NaN: the former become the largest numbers there are, the latter `unknown`.
pub(super) fn finite(value: f64, unknown: f64) -> f64 {
    if value.is_nan() { unknown } else { value.clamp(f64::MIN, f64::MAX) }
}

fn level(level: &Level, settings: &Settings) -> LevelEntry {
    LevelEntry {
        level: level.level as u64,
        candidates: level.candidates,
        redundant: level.redundant,
        associated: level.associated,
        threshold: Some(finite(level.threshold.unwrap_or(settings.alpha), 0.0)),
        causes: level.causes,
        tests: level.tests,
        not_testable: level.not_testable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_is_beyond_json() {
        let wild = Tested { statistic: f64::INFINITY, df: 1, p_value: f64::NAN, ln_p: f64::NEG_INFINITY };
        let tame = figures(&wild);
        assert_eq!((tame.statistic, tame.p_value, tame.ln_p_value), (f64::MAX, 1.0, f64::MIN));
    }

    #[test]
    fn there_is_no_risk_without_rows() {
        assert_eq!(risk(ClassCounts { positive: 0, negative: 0 }), None);
        assert_eq!(risk(ClassCounts { positive: 1, negative: 3 }), Some(0.25));
    }
}

//! Assembles a [`Document`] from the results of a run. Nothing beyond this file refers to columns by number.
//!
//! JSON has neither infinity nor NaN; [`finite`] replaces both.

use concause::count::{Count, Stratum};
use concause::dataset::{Candidate, Column, Dataset, Target, Weighting};
use concause::evidence::trust::calibration::Calibration;
use concause::evidence::trust::stability::Stability;
use concause::evidence::trust::warnings::Warning;
use concause::search::{Findings, FoundCause, Knowledge, LevelSummary, Rejection, Settings};
use concause::stats::TestResult;

use super::posterior::{AttributeSetEntry, column_names};
use super::{
    CalibrationSummary, CandidatesSummary, CauseEntry, Challenger, DataSummary, Document, EncodingSummary,
    EstimatedOn, Estimation, HeldOut, HoldoutSummary, HoldoutTestEntry, KnowledgeSummary, ModelSummary,
    PosteriorSummary, SCHEMA, SettingsSummary, StabilitySummary, TargetSummary, Timing, WarningEntry,
};
use crate::notices::search_notice;

/// The results of a run from which a document is assembled. [`DocumentInputs::new`] fills in the required ones.
#[derive(Clone, Debug)]
pub struct DocumentInputs<'a> {
    /// The sources of the data, in the order in which they were read.
    pub sources: Vec<String>,
    /// The rows searched, by target value.
    pub rows: Count,
    /// The names of the attributes encoded as at least one column.
    pub attributes: &'a [String],
    /// The columns searched; the candidates of `findings` are indices into this list.
    pub columns: &'a [Column],
    /// A fingerprint of the encoded data.
    pub fingerprint: String,
    /// How the rows are weighted, if they are.
    pub weights: Option<&'a Weighting>,
    /// The outcome whose causes were searched for.
    pub target: &'a Target,
    /// The settings of the search.
    pub settings: &'a Settings,
    /// The arguments of a command that reproduces the result; empty if no command produced it.
    pub command: Vec<String>,
    /// The findings of the search.
    pub findings: &'a Findings,
    /// How the searched rows were encoded, if further rows can be encoded likewise.
    pub encoding: Option<EncodingSummary>,
    /// The evidence for each cause.
    pub estimation: &'a Estimation,
    /// The candidates that are not causes, by level and then by decreasing strength, if they are to be reported.
    pub rejected: Option<&'a [Rejection]>,
    /// The results in half-samples, if requested.
    pub stability: Option<&'a Stability>,
    /// The results with shuffled outcomes, if requested.
    pub calibration: Option<&'a Calibration>,
    /// The rows held out from the search, if any.
    pub holdout: Option<&'a HeldOut>,
    /// Problems of the data or settings that limit the result.
    pub warnings: &'a [Warning],
    /// Remarks on how the data were read and encoded.
    pub notices: Vec<String>,
    /// How long each step took.
    pub timing: Timing,
}

impl<'a> DocumentInputs<'a> {
    /// The findings of a search in a data set, without sources, evidence or trust checks.
    pub fn new(data: &'a Dataset, settings: &'a Settings, findings: &'a Findings) -> Self {
        static NOT_ESTIMATED: Estimation = Estimation { on: EstimatedOn::SearchedRows, evidence: Vec::new() };
        DocumentInputs {
            sources: Vec::new(),
            rows: Count { positive: data.positive(), negative: data.negative() },
            attributes: data.attributes(),
            columns: data.columns(),
            fingerprint: String::new(),
            weights: None,
            target: data.target(),
            settings,
            command: Vec::new(),
            findings,
            encoding: None,
            estimation: &NOT_ESTIMATED,
            rejected: None,
            stability: None,
            calibration: None,
            holdout: None,
            warnings: &[],
            notices: Vec::new(),
            timing: Timing::default(),
        }
    }
}

impl Document {
    /// Assembles the document of a run.
    pub fn new(inputs: DocumentInputs<'_>) -> Document {
        let target = inputs.target.label();
        let (columns, findings, settings) = (inputs.columns, inputs.findings, inputs.settings);
        let notice = search_notice(settings, findings, columns, &target);
        let causes = (findings.causes.iter().enumerate())
            .map(|(number, cause)| CauseEntry {
                holdout_test: (inputs.holdout)
                    .and_then(|held_out| held_out.tests.get(number))
                    .map(|test| HoldoutTestEntry::new(test, settings.alpha)),
                evidence: inputs.estimation.cause_evidence(number, &cause.candidate, columns),
                ..cause_entry(cause, &inputs)
            })
            .collect();
        Document {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            complete: findings.complete,
            data: DataSummary {
                sources: inputs.sources,
                rows: inputs.rows.positive.saturating_add(inputs.rows.negative),
                attributes: inputs.attributes.len() as u64,
                columns: columns.len() as u64,
                fingerprint: inputs.fingerprint,
                weights: inputs.weights.cloned(),
            },
            target: TargetSummary {
                name: inputs.target.name.clone(),
                value: inputs.target.value.clone(),
                positive: inputs.rows.positive,
                negative: inputs.rows.negative,
            },
            settings: summarise_settings(settings, columns),
            command: inputs.command,
            causes,
            levels: findings.levels.iter().map(|level| level_with_threshold(level, settings)).collect(),
            posterior: findings
                .posterior
                .as_ref()
                .map(|found| PosteriorSummary::new(found, columns, inputs.attributes)),
            model: findings
                .posterior
                .as_ref()
                .zip(inputs.encoding)
                .map(|(found, encoding)| ModelSummary::new(&found.average, columns, encoding)),
            candidates: inputs
                .rejected
                .map(|rejected| CandidatesSummary::new(rejected, findings, columns, &target)),
            stability: inputs.stability.map(|found| StabilitySummary::new(found, findings, columns)),
            calibration: inputs.calibration.map(CalibrationSummary::new),
            holdout: inputs.holdout.map(|held_out| HoldoutSummary::new(held_out, settings.alpha)),
            warnings: inputs.warnings.iter().map(|it| WarningEntry::new(it, columns, &target)).collect(),
            notices: inputs.notices.into_iter().chain(notice).collect(),
            timing: Timing {
                read_seconds: finite(inputs.timing.read_seconds, 0.0),
                encode_seconds: finite(inputs.timing.encode_seconds, 0.0),
                search_seconds: finite(inputs.timing.search_seconds, 0.0),
                evidence_seconds: finite(inputs.timing.evidence_seconds, 0.0),
                resampling_seconds: finite(inputs.timing.resampling_seconds, 0.0),
            },
        }
    }
}

fn summarise_settings(settings: &Settings, columns: &[Column]) -> SettingsSummary {
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
        duplicates: settings.duplicates.name().to_owned(),
        max_candidates: settings.max_candidates,
        max_tests: settings.max_tests,
        seed: settings.seed,
        knowledge: summarise_knowledge(&settings.knowledge, columns),
    }
}

fn summarise_knowledge(knowledge: &Knowledge, columns: &[Column]) -> KnowledgeSummary {
    let column_names = |numbers: &[u32]| -> Vec<String> {
        numbers.iter().map(|&number| Candidate::single(number).name(columns)).collect()
    };
    KnowledgeSummary {
        after: column_names(&knowledge.after),
        covariates: column_names(&knowledge.covariates),
        forbidden: column_names(&knowledge.forbidden),
        required: candidate_names(&knowledge.required, columns),
    }
}

fn cause_entry(cause: &FoundCause, inputs: &DocumentInputs<'_>) -> CauseEntry {
    let (columns, rows) = (inputs.columns, inputs.rows);
    let association = finite_test(&cause.association);
    let max_p = finite_test(&cause.max_p);
    let without = Count {
        positive: rows.positive.saturating_sub(cause.count.positive),
        negative: rows.negative.saturating_sub(cause.count.negative),
    };
    let posterior = inputs.findings.posterior.as_ref();
    let set = posterior.and_then(|posterior| match cause.is_undecided {
        // Its candidate may be over more attributes.
        true => posterior.attribute_sets.iter().find(|set| {
            set.is_undecided
                && set.terms.first().is_some_and(|(term, _)| term.unsigned() == cause.candidate.unsigned())
        }),
        false => posterior.attribute_set(&cause.candidate, columns),
    });
    let attributes: Vec<String> = match set {
        Some(set) => set.attributes.iter().map(|&attribute| inputs.attributes[attribute].clone()).collect(),
        None => {
            let attributes = cause.candidate.attributes(columns).into_iter();
            attributes.map(|attribute| inputs.attributes[attribute].clone()).collect()
        }
    };
    let set = set.map(|set| AttributeSetEntry::new(set, columns, inputs.attributes));
    CauseEntry {
        name: cause.candidate.name(columns),
        attributes,
        columns: column_names(&cause.candidate, columns),
        literals: cause.candidate.part_names(columns),
        level: cause.candidate.attribute_level(columns) as u64,
        statistic: association.statistic,
        df: association.df,
        p_value: max_p.p_value,
        ln_p_value: max_p.ln_p,
        association,
        challenger: Challenger { given: candidate_names(&cause.challenger, columns), test: max_p },
        probability: set.as_ref().map(|set| set.probability),
        matters: set.as_ref().map(|set| set.matters),
        undecided: cause.is_undecided,
        terms: set.as_ref().map_or_else(Vec::new, |set| set.terms.clone()),
        cuts: set.map_or_else(Vec::new, |set| set.cuts),
        equivalent: candidate_names(&cause.equivalent, columns),
        risk_with: risk(cause.count),
        risk_without: risk(without),
        counts: Stratum { with: cause.count, without },
        stability: (inputs.stability)
            .filter(|_| !inputs.settings.knowledge.requires(&cause.candidate))
            .and_then(|stability| stability.frequency(&cause.candidate, columns)),
        holdout_test: None,
        evidence: None,
    }
}

pub(super) fn candidate_names(candidates: &[Candidate], columns: &[Column]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.name(columns)).collect()
}

/// A test whose numbers JSON can represent.
pub(super) fn finite_test(test: &TestResult) -> TestResult {
    TestResult {
        statistic: finite(test.statistic, 0.0),
        df: test.df,
        p_value: finite(test.p_value, 1.0).clamp(0.0, 1.0),
        ln_p: finite(test.ln_p, 0.0).min(0.0),
    }
}

/// The proportion of target 1, or `None` if there are no rows.
fn risk(rows: Count) -> Option<f64> {
    let total = rows.positive.saturating_add(rows.negative);
    (total > 0).then(|| rows.positive as f64 / total as f64)
}

/// A number that JSON can represent: infinities become the largest finite numbers, NaN becomes `if_nan`.
pub(super) fn finite(value: f64, if_nan: f64) -> f64 {
    if value.is_nan() { if_nan } else { value.clamp(f64::MIN, f64::MAX) }
}

/// The level with the threshold that was applied: alpha, unless the false discovery rate was controlled.
fn level_with_threshold(level: &LevelSummary, settings: &Settings) -> LevelSummary {
    LevelSummary { threshold: Some(finite(level.threshold.unwrap_or(settings.alpha), 0.0)), ..*level }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_can_be_written_as_json() {
        let wild = TestResult { statistic: f64::INFINITY, df: 1, p_value: f64::NAN, ln_p: f64::NEG_INFINITY };
        let tame = finite_test(&wild);
        assert_eq!((tame.statistic, tame.p_value, tame.ln_p), (f64::MAX, 1.0, f64::MIN));
    }

    #[test]
    fn there_is_no_risk_without_rows() {
        assert_eq!(risk(Count { positive: 0, negative: 0 }), None);
        assert_eq!(risk(Count { positive: 1, negative: 3 }), Some(0.25));
    }
}

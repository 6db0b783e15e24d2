//! The main interface of the library: [`Miner`] holds the settings, [`Mining`] the causes and their evidence.

use std::fmt;
use std::sync::Arc;

use crate::count::{Counter, LocalCounter};
use crate::dataset::{Candidate, Column, Dataset, Target};
use crate::error::Error;
use crate::evidence::trust::calibration::{Calibration, calibrate};
use crate::evidence::trust::holdout::{HoldoutTest, test_holdout};
use crate::evidence::trust::stability::{Stability, stability};
use crate::evidence::trust::warnings::{Warning, warnings};
use crate::evidence::{Adjusted, Evidence, estimate_evidence};
use crate::progress::{NoProgress, Progress};
use crate::search::{
    self, AttributeSet, Context, Findings, Method, Reason, Rejection, Settings, explain_all, rejections,
    search,
};
use crate::stats::Test;

/// Finds the causes of the target of a dataset.
///
/// ```
/// use concause::Miner;
/// use concause::dataset::{DatasetBuilder, Target};
///
/// let outcome: Vec<bool> = (0..400).map(|row| row % 2 == 0).collect();
/// let mut builder = DatasetBuilder::new(Target { name: "fire".into(), value: None }, outcome);
/// let stub = (0..400).map(|row| (row % 2 == 0 || row % 5 == 0).then_some(0));
/// builder.attribute("stub", vec!["stub".into()], stub);
/// builder.attribute("wind", vec!["wind".into()], (0..400).map(|row| (row % 3 == 0).then_some(0)));
/// let dataset = builder.finish();
///
/// let mining = Miner::new().max_level(2).mine(&dataset)?;
/// for cause in mining.causes() {
///     println!("{} p = {:.1e}", cause.name(), cause.max_p_value());
/// }
/// assert_eq!(mining.causes().map(|cause| cause.name()).collect::<Vec<_>>(), ["stub"]);
/// # Ok::<(), concause::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Miner {
    settings: Settings,
}

impl Miner {
    /// A miner with the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the search method.
    pub fn method(mut self, method: Method) -> Self {
        self.settings.method = method;
        self
    }

    /// Sets the test of independence.
    pub fn test(mut self, test: Test) -> Self {
        self.settings.test = test;
        self
    }

    /// Sets the significance level of tests of association and separation.
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.settings.alpha = alpha;
        self
    }

    /// Sets the largest number of columns in a combined cause.
    pub fn max_level(mut self, max_level: usize) -> Self {
        self.settings.max_level = max_level;
        self
    }

    /// Sets the largest conditioning set.
    pub fn max_k(mut self, max_k: usize) -> Self {
        self.settings.max_k = max_k;
        self
    }

    /// Finds the causes of the target of the data and estimates their effects.
    pub fn mine(&self, data: &Dataset) -> Result<Mining, Error> {
        let mut mining = self.search(data, &NoProgress)?;
        mining.evidence = mining.estimate_evidence(mining.counter())?;
        Ok(mining)
    }

    /// Finds the causes of the target of the data, without estimating their effects.
    pub fn search(&self, data: &Dataset, progress: &dyn Progress) -> Result<Mining, Error> {
        self.search_rows(LocalCounter::new(data), progress)
    }

    /// Finds the causes in the rows of a local counter, which may be only some rows of a dataset.
    pub fn search_rows(&self, rows: LocalCounter, progress: &dyn Progress) -> Result<Mining, Error> {
        let mining = self.search_counted(Arc::new(rows.clone()), rows.dataset(), progress)?;
        Ok(Mining { local: Some(rows), ..mining })
    }

    /// Finds the causes in rows that are accessible only through a counter, such as rows on other machines. The dataset
    /// names the columns and the target.
    pub fn search_counted(
        &self,
        counter: Arc<dyn Counter>,
        data: &Dataset,
        progress: &dyn Progress,
    ) -> Result<Mining, Error> {
        let context = Context::new(counter, data, self.settings.clone(), progress)?;
        let findings = search(&context)?;
        Ok(Mining { context: context.without_progress(), findings, evidence: Vec::new(), local: None })
    }
}

impl From<Settings> for Miner {
    fn from(settings: Settings) -> Self {
        Self { settings }
    }
}

/// The result of a search, with access to the data for explanations, effect sizes and checks.
pub struct Mining {
    context: Context<'static>,
    findings: Findings,
    evidence: Vec<Evidence>,
    /// The rows, if they are on this machine.
    local: Option<LocalCounter>,
}

impl fmt::Debug for Mining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mining")
            .field("settings", self.settings())
            .field("findings", &self.findings)
            .finish_non_exhaustive()
    }
}

impl Mining {
    /// The settings of the search.
    pub fn settings(&self) -> &Settings {
        &self.context.settings
    }

    /// The columns of the data.
    pub fn columns(&self) -> &[Column] {
        self.data().columns()
    }

    /// The target.
    pub fn target(&self) -> &Target {
        self.data().target()
    }

    /// The data that were searched. If the rows are on other machines, it has columns and no rows.
    pub fn data(&self) -> &Dataset {
        self.context.data()
    }

    /// Counts the searched rows.
    pub fn counter(&self) -> &dyn Counter {
        self.context.counter()
    }

    /// The causes, and the reasons that the search recorded.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The causes by level, the strongest first.
    pub fn causes(&self) -> impl Iterator<Item = Cause<'_>> {
        let view = |(number, cause)| Cause { cause, mining: self, evidence: self.evidence.get(number) };
        self.findings.causes.iter().enumerate().map(view)
    }

    /// The candidate with this name: a column, or several columns joined by `&`. Column names may contain `&`.
    pub fn candidate(&self, name: &str) -> Result<Candidate, Error> {
        Candidate::parse(name, self.columns()).ok_or_else(|| Error::UnknownColumn { name: name.to_owned() })
    }

    /// The risk of a row in which these columns are 1, averaged over the models of the posterior, if there is one.
    pub fn predict(&self, ones: &[u32]) -> Option<f64> {
        self.findings.posterior.as_ref()?.average.risk(|column| ones.contains(&column))
    }

    /// Why a column or a conjunction is, or is not, a cause.
    pub fn explain(&self, name: &str) -> Result<Reason, Error> {
        Ok(self.explain_all(&[self.candidate(name)?])?.remove(0))
    }

    /// Why candidates are, or are not, causes.
    pub fn explain_all(&self, candidates: &[Candidate]) -> Result<Vec<Reason>, Error> {
        explain_all(&self.context, &self.findings, candidates)
    }

    /// The rejected candidates by level, the strongest first, at most `most` per level.
    pub fn rejections(&self, most: usize) -> Result<Vec<Rejection>, Error> {
        rejections(&self.context, &self.findings, most)
    }

    /// Estimates the evidence for each cause in the rows of a counter, which may differ from the searched rows.
    pub fn estimate_evidence(&self, counter: &dyn Counter) -> Result<Vec<Evidence>, Error> {
        estimate_evidence(counter, &self.cause_candidates(), &self.covariates(), self.columns())
    }

    /// The evidence for each cause in the searched rows; empty unless [`Miner::mine`] estimated it.
    pub fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }

    /// Tests each cause in rows that the search did not use.
    pub fn test_holdout(&self, held_out: &dyn Counter) -> Result<Vec<HoldoutTest>, Error> {
        test_holdout(self.counter(), held_out, &self.cause_candidates(), &self.covariates())
    }

    /// Checks the data for problems that affect the result.
    pub fn warnings(&self) -> Result<Vec<Warning>, Error> {
        warnings(self.counter(), self.columns(), self.settings(), &self.findings)
    }

    /// Searches random half-samples and counts how often each cause is found.
    pub fn stability(&self, samples: usize, progress: &dyn Progress) -> Result<Stability, Error> {
        stability(self.local_counter("stability")?, &self.context.settings, samples, progress)
    }

    /// Counts the causes that the same settings find with shuffled outcomes.
    pub fn calibrate(&self, shuffles: usize, progress: &dyn Progress) -> Result<Calibration, Error> {
        calibrate(self.local_counter("calibrate")?, &self.context.settings, shuffles, progress)
    }

    fn local_counter(&self, setting: &'static str) -> Result<&LocalCounter, Error> {
        self.local.as_ref().ok_or(Error::NeedsLocalRows { setting })
    }

    fn cause_candidates(&self) -> Vec<Candidate> {
        self.findings.causes.iter().map(|cause| cause.candidate.clone()).collect()
    }

    fn covariates(&self) -> Vec<Candidate> {
        self.context.settings.knowledge.covariates.iter().copied().map(Candidate::single).collect()
    }
}

/// A cause with its names, probability and evidence.
#[derive(Clone, Copy, Debug)]
pub struct Cause<'a> {
    cause: &'a search::FoundCause,
    mining: &'a Mining,
    evidence: Option<&'a Evidence>,
}

impl<'a> Cause<'a> {
    /// The names of its columns joined by `&`.
    pub fn name(&self) -> String {
        self.cause.candidate.name(self.mining.columns())
    }

    /// The names of its attributes, in data order.
    pub fn attributes(&self) -> Vec<&'a str> {
        let data = self.mining.data();
        let attributes = self.cause.candidate.attributes(data.columns());
        attributes.into_iter().map(|attribute| &*data.attributes()[attribute]).collect()
    }

    /// Its number of attributes.
    pub fn level(&self) -> usize {
        self.cause.candidate.attribute_level(self.mining.columns())
    }

    /// The posterior probability that it is a cause, if the method computes one.
    pub fn probability(&self) -> Option<f64> {
        Some(self.attribute_set()?.probability)
    }

    /// The terms by which its columns act, each with its posterior probability, the most probable first. A method
    /// without a posterior knows one term.
    pub fn terms(&self) -> Vec<(Candidate, Option<f64>)> {
        match self.attribute_set() {
            Some(set) => set.terms.iter().map(|(term, p)| (term.clone(), Some(*p))).collect(),
            None => vec![(self.cause.candidate.clone(), None)],
        }
    }

    fn attribute_set(&self) -> Option<&'a AttributeSet> {
        self.mining.findings.posterior.as_ref()?.attribute_set(&self.cause.candidate, self.mining.columns())
    }

    /// The largest p-value among the tests that it passed.
    pub fn max_p_value(&self) -> f64 {
        self.cause.max_p.p_value
    }

    /// The cause as the search found it.
    pub fn found(&self) -> &'a search::FoundCause {
        self.cause
    }

    /// The evidence, if it was estimated.
    pub fn evidence(&self) -> Option<&'a Evidence> {
        self.evidence
    }

    /// The effects adjusted for the other causes, if they were estimated.
    pub fn adjusted(&self) -> Option<&'a Adjusted> {
        self.evidence.map(|evidence| &evidence.adjusted)
    }

    /// The risk ratio adjusted for the other causes, if it can be estimated.
    pub fn adjusted_risk_ratio(&self) -> Option<f64> {
        self.adjusted()?.effects.risk_ratio().ok().map(|estimate| estimate.value)
    }
}

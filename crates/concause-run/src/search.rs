//! A search, with its data.

use std::time::Instant;

use concause::dataset::Candidate;
use concause::progress::Progress;
use concause::search::{Findings, Method, Reason, Settings};
use concause::{Miner, Mining};
use concause_io::Holdout;

use crate::error::RunError;
use crate::explain::Explanation;
use crate::input::Input;
use crate::knowledge::NamedKnowledge;
use crate::load::{Loaded, load};
use crate::progress::TimeLimited;
use crate::requests::{DataRequest, SearchRequest};

/// Data, and how to search it.
#[derive(Debug)]
pub(crate) struct Task {
    pub loaded: Loaded,
    pub settings: Settings,
}

impl Task {
    /// Checks the settings, and then reads the data.
    pub fn load(
        input: Input,
        data: &DataRequest,
        search: &SearchRequest,
        method: Option<Method>,
        holdout: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<Self, RunError> {
        Self::prepare(search, method, holdout, |holdout| load(input, data, holdout, progress))
    }

    /// The same for data that are loaded in any way.
    pub fn prepare(
        search: &SearchRequest,
        method: Option<Method>,
        holdout: Option<f64>,
        load: impl FnOnce(Option<Holdout>) -> Result<Loaded, RunError>,
    ) -> Result<Self, RunError> {
        let mut settings = search.resolve_settings(method);
        settings.check()?;
        let knowledge = NamedKnowledge::read(&search.knowledge)?;
        let loaded = load(holdout.map(|share| Holdout { share, seed: settings.seed }))?;
        settings.knowledge = knowledge.resolve(&loaded.encoding)?;
        Ok(Self { loaded, settings })
    }

    /// Runs the search, and returns it with the seconds it took.
    pub fn search<'a>(
        &'a self,
        progress: &dyn Progress,
        limited: &'a TimeLimited<'a>,
    ) -> Result<(Mining<'a>, f64), RunError> {
        let miner = Miner::from(self.settings.clone());
        let start = Instant::now();
        let mining = match self.loaded.remote_rows() {
            Some(counter) => {
                let dataset = &self.loaded.encoding.dataset;
                miner.search_counted(Box::new(counter), dataset.columns(), dataset.target(), limited)
            }
            None => miner.search_rows(self.loaded.local_rows(), limited),
        };
        let seconds = start.elapsed().as_secs_f64();
        progress.finish();
        Ok((mining?, seconds))
    }
}

/// A finished search, with its data.
#[derive(Debug)]
pub struct Search {
    /// The data.
    pub loaded: Loaded,
    /// The settings of the search.
    pub settings: Settings,
    /// Its findings.
    pub findings: Findings,
    /// The seconds it took.
    pub seconds: f64,
}

impl Search {
    /// Why a column or conjunction is a cause or not.
    pub fn explain(&self, name: &str) -> Result<Explanation, RunError> {
        let candidate = crate::names::find_candidate(name, self.loaded.encoding.dataset.columns())?;
        Ok(explain_candidates(&self.to_mining()?, &[candidate])?.remove(0))
    }

    /// The search as the core represents it, for questions about its findings.
    fn to_mining(&self) -> Result<Mining<'_>, RunError> {
        let dataset = &self.loaded.encoding.dataset;
        let miner = Miner::from(self.settings.clone());
        let findings = self.findings.clone();
        Ok(miner.resume(self.loaded.searched_rows(), dataset.columns(), dataset.target(), findings)?)
    }
}

/// Why candidates are causes or not.
pub(crate) fn explain_candidates(
    mining: &Mining<'_>,
    candidates: &[Candidate],
) -> Result<Vec<Explanation>, RunError> {
    let (columns, target) = (mining.columns(), mining.target().label());
    let reasons = mining.explain_all(candidates)?;
    let explanation = |(candidate, reason): (&Candidate, &Reason)| Explanation {
        sentence: concause_report::reason_sentence(reason, candidate, columns, &target),
        json: concause_report::reason_json(reason, candidate, columns),
    };
    Ok(candidates.iter().zip(&reasons).map(explanation).collect())
}

//! A search and the data it is made in.

use std::time::Instant;

use concause::dataset::Candidate;
use concause::search::{Findings, Settings};
use concause_io::Holdout;

use crate::arguments::{DataArguments, SearchArguments};
use crate::elsewhere::answered;
use crate::explain::Explanation;
use crate::failure::Failure;
use crate::input::Input;
use crate::knowledge::Stated;
use crate::load::{Loaded, load};
use crate::observer::{Limited, Observer};

/// Data, and how to search it.
#[derive(Debug)]
pub(crate) struct Task {
    pub loaded: Loaded,
    pub settings: Settings,
}

impl Task {
    /// Refuses settings that cannot be before it reads the data.
    pub fn new(
        input: Input,
        data: &DataArguments,
        search: &SearchArguments,
        observer: &dyn Observer,
    ) -> Result<Self, Failure> {
        Self::of(search, |holdout| load(input, data, holdout, observer))
    }

    /// The same for data that is loaded in any way.
    pub fn of(
        search: &SearchArguments,
        load: impl FnOnce(Option<Holdout>) -> Result<Loaded, Failure>,
    ) -> Result<Self, Failure> {
        let mut settings = search.settings();
        settings.check().map_err(Failure::Input)?;
        let stated = Stated::new(&search.flags.knowledge)?;
        let holdout = search.holdout.map(|share| Holdout { share, seed: settings.seed });
        let loaded = load(holdout)?;
        settings.knowledge = stated.of(&loaded.encoding)?;
        Ok(Self { loaded, settings })
    }

    /// Searches.
    pub fn search(self, observer: &dyn Observer, watch: &Limited<'_>) -> Result<Search, Failure> {
        let Self { loaded, settings } = self;
        let columns = loaded.encoding.dataset.columns();
        let start = Instant::now();
        let findings = concause::search::mine(&*loaded.searched(), columns, &settings, watch);
        let seconds = start.elapsed().as_secs_f64();
        observer.end();
        Ok(Search { findings: findings?, loaded, settings, seconds })
    }
}

/// A search that was made, with the data it was made in.
#[derive(Debug)]
pub struct Search {
    /// The data.
    pub loaded: Loaded,
    /// What the search was told.
    pub settings: Settings,
    /// What it found.
    pub findings: Findings,
    /// How long it took.
    pub seconds: f64,
}

impl Search {
    /// Why a column or conjunction is, or is not, a cause.
    pub fn explain(&self, name: &str) -> Result<Explanation, Failure> {
        let candidate = crate::names::candidate(name, self.loaded.encoding.dataset.columns())?;
        answered(|| Ok(self.explanation(&candidate)))
    }

    pub(crate) fn explanation(&self, candidate: &Candidate) -> Explanation {
        let dataset = &self.loaded.encoding.dataset;
        let columns = dataset.columns();
        let counter = self.loaded.searched();
        let reason = concause::search::explain(&*counter, columns, &self.settings, &self.findings, candidate);
        let target = dataset.target().label();
        Explanation {
            sentence: concause_report::sentence(&reason, candidate, columns, &target),
            json: concause_report::reason_json(&reason, candidate, columns),
        }
    }
}

//! From sources to encoded data.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use concause::count::elsewhere::Elsewhere;
use concause::count::{Counter, LocalCounter};
use concause::dataset::Dataset;
use concause::evidence::calibration::Calibration;
use concause::evidence::stability::Stability;
use concause::evidence::warnings::Warning;
use concause::search::{Findings, Rejected, Settings};
use concause_io::{Declaration, EncodeOptions, Encoding, Holdout, Table, encode};
use concause_report::{Document, Estimation, HeldOut, Run, Timing, WeightsSummary};

use crate::arguments::DataArguments;
use crate::failure::Failure;
use crate::input::Input;
use crate::names::pieces;
use crate::observer::Observer;

/// How far a result is to be trusted: what speaks against it, what was asked for beyond that, and how long it took.
#[derive(Default)]
pub(crate) struct Trust {
    pub stability: Option<Stability>,
    pub calibration: Option<Calibration>,
    pub holdout: Option<HeldOut>,
    pub warnings: Vec<Warning>,
    pub seconds: f64,
}

/// Encoded data, where it came from and how long that took.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The data.
    pub encoding: Encoding,
    /// Where it came from, in the order of reading.
    pub sources: Vec<String>,
    /// How long it took to read the sources.
    pub read_seconds: f64,
    /// How long it took to encode them.
    pub encode_seconds: f64,
    /// The rows that the search may see, if not all.
    searched: Option<Dataset>,
    /// Counts the rows, if these are elsewhere.
    elsewhere: Option<Arc<Elsewhere<'static>>>,
}

impl Loaded {
    /// The sentences about what was left out or guessed.
    pub fn notices(&self) -> Vec<String> {
        self.encoding.notices.iter().map(ToString::to_string).collect()
    }

    /// Data whose rows are elsewhere.
    pub(crate) fn elsewhere(encoding: Encoding, counter: Elsewhere<'static>, times: [f64; 2]) -> Self {
        let [read_seconds, encode_seconds] = times;
        let elsewhere = Some(Arc::new(counter));
        Self { encoding, sources: Vec::new(), read_seconds, encode_seconds, searched: None, elsewhere }
    }

    /// Counts the rows that the search may see.
    pub(crate) fn searched(&self) -> Box<dyn Counter + '_> {
        match &self.elsewhere {
            Some(elsewhere) => Box::new(&**elsewhere),
            None => Box::new(self.here()),
        }
    }

    /// Counts the rows that the search may see and that are here.
    pub(crate) fn here(&self) -> LocalCounter<'_> {
        LocalCounter::new(self.searched.as_ref().unwrap_or(&self.encoding.dataset))
    }

    /// Counts the rows that the search may not see, if there are any.
    pub(crate) fn held_out(&self) -> Option<LocalCounter<'_>> {
        let rows = self.encoding.searched.as_ref()?;
        Some(LocalCounter::new(&self.encoding.dataset).outside(rows))
    }

    /// What the weights of the rows came to, if they have any.
    pub fn weights(&self) -> Option<WeightsSummary> {
        self.encoding.weighting.clone().map(|found| WeightsSummary {
            attribute: found.attribute,
            rows_read: found.rows_read,
            rows_left_out: found.rows_left_out,
            total: found.total,
        })
    }

    /// The result of a search in this data; `timing` lacks only the reading.
    pub(crate) fn document(
        &self,
        settings: &Settings,
        findings: &Findings,
        estimation: &Estimation,
        rejected: Option<&[Rejected]>,
        trust: &Trust,
        timing: Timing,
    ) -> Document {
        let dataset = &self.encoding.dataset;
        Document::new(Run {
            sources: self.sources.clone(),
            rows: self.searched().rows(),
            attributes: dataset.attributes().len(),
            columns: dataset.columns(),
            fingerprint: self.encoding.fingerprint.clone(),
            weights: self.weights(),
            target: dataset.target(),
            settings,
            command: Vec::new(),
            findings,
            estimation,
            rejected,
            stability: trust.stability.as_ref(),
            calibration: trust.calibration.as_ref(),
            holdout: trust.holdout.as_ref(),
            warnings: &trust.warnings,
            notices: self.notices(),
            timing: Timing { read_seconds: self.read_seconds, encode_seconds: self.encode_seconds, ..timing },
        })
    }

    /// Tells what was left out or guessed.
    pub(crate) fn tell(&self, observer: &dyn Observer) {
        self.notices().iter().for_each(|notice| observer.notice(notice));
    }
}

/// Reads and encodes.
pub(crate) fn load(
    input: Input,
    arguments: &DataArguments,
    holdout: Option<Holdout>,
    observer: &dyn Observer,
) -> Result<Loaded, Failure> {
    let declaration = declaration(arguments)?;
    let sources = input.sources();
    let start = Instant::now();
    let table = read(input, arguments, &declaration, observer)?;
    let read_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let names: Vec<&str> = table.names().collect();
    let options = EncodeOptions { holdout, ..with_names(arguments.encode_options(), &names) };
    let encoding = encode(table, &options, &declaration)?;
    let counter = LocalCounter::new(&encoding.dataset);
    let searched = encoding.searched.as_ref().map(|rows| counter.within(rows).copied());
    let encode_seconds = start.elapsed().as_secs_f64();
    Ok(Loaded { encoding, sources, read_seconds, encode_seconds, searched, elsewhere: None })
}

/// Reads a table as far as the observer allows.
pub(crate) fn read(
    input: Input,
    arguments: &DataArguments,
    declaration: &Declaration,
    observer: &dyn Observer,
) -> Result<Table, Failure> {
    let progress = |rows| {
        observer.reading(rows);
        if observer.interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let table = input.read(&arguments.read_options(), declaration, &progress);
    observer.end();
    table
}

/// What is declared of the table.
pub(crate) fn declaration(arguments: &DataArguments) -> Result<Declaration, Failure> {
    Ok(match &arguments.declare {
        Some(path) => Declaration::from_file(path)?,
        None => Declaration::default(),
    })
}

/// Splits lists of names at their commas, but for the commas that belong to one of the names of the table.
pub(crate) fn with_names(mut options: EncodeOptions, names: &[&str]) -> EncodeOptions {
    for list in [&mut options.nominal, &mut options.binary, &mut options.continuous, &mut options.ignore] {
        let known = |name: &str| names.contains(&name).then(|| name.to_owned());
        *list = list
            .iter()
            .flat_map(|text| {
                // An unknown name is passed on, to be refused with the nearest one.
                pieces(text, &[','], &known).unwrap_or_else(|| text.split(',').map(str::to_owned).collect())
            })
            .collect();
    }
    options
}

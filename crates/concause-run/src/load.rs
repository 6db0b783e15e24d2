//! From sources to encoded data.

use std::collections::HashSet;
use std::ops::ControlFlow;

use concause::Mining;
use concause::count::LocalCounter;
use concause::dataset::{Candidate, Weighting, name_ends, split_names};
use concause::evidence::trust::calibration::Calibration;
use concause::evidence::trust::stability::Stability;
use concause::evidence::trust::warnings::Warning;
use concause::progress::Progress;
use concause::search::Rejection;
use concause_io::{Declaration, EncodeOptions, Encoding, Holdout, Labels, Table, encode};
#[cfg(feature = "remote")]
use concause_remote::RemoteCounter;
use concause_report::document::EncodingSummary;
use concause_report::{Document, DocumentInputs, Estimation, HeldOut, Timing};

use crate::error::RunError;
use crate::input::Input;
use crate::requests::DataRequest;

/// The checks of a result, and the seconds they took.
#[derive(Default)]
pub(crate) struct Trust {
    pub stability: Option<Stability>,
    pub calibration: Option<Calibration>,
    pub holdout: Option<HeldOut>,
    pub warnings: Vec<Warning>,
    pub seconds: f64,
}

/// An encoded table, with its sources.
#[derive(Clone, Debug)]
pub struct EncodedTable {
    /// The data.
    pub encoding: Encoding,
    /// The sources, in the order of reading.
    pub sources: Vec<String>,
    /// The seconds it took to read the sources.
    pub read_seconds: f64,
    /// The seconds it took to encode them.
    pub encode_seconds: f64,
    /// The rules of encoding that do not belong to an attribute.
    rules: EncodingSummary,
    rows: Rows,
    /// Counts the held-out rows, if there are any.
    held_out: Option<LocalCounter>,
}

/// Counts the rows that the search uses.
#[derive(Clone, Debug)]
pub(crate) enum Rows {
    /// In memory.
    Local(LocalCounter),
    /// On other machines.
    #[cfg(feature = "remote")]
    Remote(std::sync::Arc<RemoteCounter>),
}

impl EncodedTable {
    /// Messages about what was excluded or guessed.
    pub fn notices(&self) -> Vec<String> {
        self.encoding.notices.iter().map(ToString::to_string).collect()
    }

    /// A table whose rows are remote.
    #[cfg(feature = "remote")]
    pub(crate) fn from_remote(
        encoding: Encoding,
        rules: EncodingSummary,
        counter: RemoteCounter,
        times: [f64; 2],
    ) -> Self {
        let [read_seconds, encode_seconds] = times;
        let rows = Rows::Remote(std::sync::Arc::new(counter));
        Self { encoding, sources: Vec::new(), read_seconds, encode_seconds, rules, rows, held_out: None }
    }

    /// How further rows are encoded as the terms of a search need it; `None` if it has no models.
    fn encoding_of_terms(&self, mining: &Mining) -> Option<EncodingSummary> {
        let average = &mining.findings().posterior.as_ref()?.average;
        let used = average.terms.iter().flat_map(Candidate::columns);
        let names: Vec<String> = used.map(|column| mining.columns()[column as usize].name.clone()).collect();
        let (attributes, declaration) = self.encoding.declaration_of(&names);
        Some(EncodingSummary { attributes, declaration, ..self.rules.clone() })
    }

    /// Counts the rows that the search uses.
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Counts the held-out rows, if there are any.
    pub(crate) fn held_out_rows(&self) -> Option<&LocalCounter> {
        self.held_out.as_ref()
    }

    /// How the rows are weighted, if they are.
    pub fn weights(&self) -> Option<&Weighting> {
        self.encoding.weighting.as_ref()
    }

    /// The result of a search in this table; `timing` lacks only the reading.
    pub(crate) fn document(
        &self,
        mining: &Mining,
        estimation: &Estimation,
        rejected: Option<&[Rejection]>,
        trust: &Trust,
        timing: Timing,
    ) -> Document {
        Document::new(DocumentInputs {
            sources: self.sources.clone(),
            rows: mining.counter().rows(),
            fingerprint: self.encoding.fingerprint.clone(),
            weights: self.weights(),
            encoding: self.encoding_of_terms(mining),
            estimation,
            rejected,
            stability: trust.stability.as_ref(),
            calibration: trust.calibration.as_ref(),
            holdout: trust.holdout.as_ref(),
            warnings: &trust.warnings,
            notices: self.notices(),
            timing: Timing { read_seconds: self.read_seconds, encode_seconds: self.encode_seconds, ..timing },
            ..DocumentInputs::new(&self.encoding.dataset, mining.settings(), mining.findings())
        })
    }

    /// Reports what was excluded or guessed.
    pub(crate) fn report_notices(&self, progress: &dyn Progress) {
        self.notices().iter().for_each(|notice| progress.notice(notice));
    }
}

/// Reads and encodes.
pub(crate) fn load(
    input: Input,
    request: &DataRequest,
    holdout: Option<Holdout>,
    progress: &dyn Progress,
) -> Result<EncodedTable, RunError> {
    let declaration = read_declaration(request)?;
    let sources = input.sources();
    let start = progress.seconds();
    let table = read_table(input, request, &declaration, progress)?;
    let read_seconds = progress.seconds() - start;
    let start = progress.seconds();
    let names: Vec<&str> = table.names().collect();
    let options = EncodeOptions { holdout, ..split_option_lists(request.encode_options(), &names) };
    let rules = encoding_rules(request, &options, &declaration);
    let encoding = encode(table, &options, &declaration)?;
    let all = LocalCounter::new(&encoding.dataset);
    let (rows, held_out) = match &encoding.searched {
        Some(searched) => {
            (LocalCounter::new(&all.within(searched).to_dataset()), Some(all.outside(searched)))
        }
        None => (all, None),
    };
    let encode_seconds = progress.seconds() - start;
    let rows = Rows::Local(rows);
    Ok(EncodedTable { encoding, sources, read_seconds, encode_seconds, rules, rows, held_out })
}

/// The rules of an encoding that do not belong to an attribute.
pub(crate) fn encoding_rules(
    request: &DataRequest,
    options: &EncodeOptions,
    declaration: &Declaration,
) -> EncodingSummary {
    EncodingSummary {
        columns: options.scheme.name().to_owned(),
        missing_as: options.missing_as.name().to_owned(),
        negate: options.negate,
        missing: request.missing.iter().chain(declaration.missing()).cloned().collect(),
        ..EncodingSummary::default()
    }
}

/// Reads a table, unless the progress stops it.
pub(crate) fn read_table(
    input: Input,
    request: &DataRequest,
    declaration: &Declaration,
    progress: &dyn Progress,
) -> Result<Table, RunError> {
    let report = |rows| {
        progress.rows_read(rows);
        if progress.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let table = input.read(&request.read_options(), declaration, &report);
    progress.finish();
    let mut table = table?;
    if let Some(file) = &request.labels {
        table.apply_labels(&Labels::read(file)?)?;
    }
    Ok(table)
}

/// The declaration that the request names; an empty one if there is none.
pub(crate) fn read_declaration(request: &DataRequest) -> Result<Declaration, RunError> {
    Ok(match &request.declare {
        Some(source) => Declaration::read(source)?,
        None => Declaration::default(),
    })
}

/// Splits lists of names at commas, except for commas that belong to a name of the table.
pub(crate) fn split_option_lists(mut options: EncodeOptions, names: &[&str]) -> EncodeOptions {
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let names: HashSet<&str> = names.iter().copied().collect();
    for list in [
        &mut options.nominal,
        &mut options.binary,
        &mut options.continuous,
        &mut options.ignore,
        &mut options.used,
    ] {
        let ends = |rest: &str| name_ends(rest, &[','], longest, &|name| names.contains(name));
        let known = |name: &str| names.contains(name).then(|| name.to_owned());
        *list = list
            .iter()
            .flat_map(|text| {
                // An unknown name is passed on; the encoding rejects it with a suggestion.
                split_names(text, &[','], &ends, &known)
                    .unwrap_or_else(|| text.split(',').map(str::to_owned).collect())
            })
            .collect();
    }
    options
}

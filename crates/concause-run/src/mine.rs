//! From a table to its causes.

use std::time::Instant;

use concause::count::LocalCounter;
use concause::dataset::Candidate;
use concause::evidence::calibration::calibrate;
use concause::evidence::gather;
use concause::evidence::stability::stability;
use concause::search::rejected;
use concause_report::{Document, EstimatedOn, Estimation, Timing, controls_notice, printable};

use crate::arguments::{ControlArguments, MineRequest};
use crate::failure::Failure;
use crate::input::Input;
use crate::load::Trust;
use crate::observer::{Limited, Observer};
use crate::search::{Search, Task};
use crate::threads::on_threads;

/// A search that was made, and its result.
#[derive(Debug)]
pub struct Mined {
    /// The search.
    pub search: Search,
    /// Its result.
    pub document: Document,
}

/// Finds the single and combined causes of an outcome. What is interrupted gives what is known by then.
pub fn mine(input: Input, arguments: &MineRequest, observer: &dyn Observer) -> Result<Mined, Failure> {
    on_threads(arguments.data.threads, || {
        let watch = Limited::new(observer, arguments.search.flags.time_limit);
        let task = Task::new(input, &arguments.data, &arguments.search, observer)?;
        let search = task.search(observer, &watch)?;
        let trust = trust(&arguments.control, &search, &watch);
        observer.end();
        let document = document(&search, &trust?, arguments.reasons, observer);
        Ok(Mined { search, document })
    })
}

/// The same search in half-samples and with shuffled outcomes, as far as asked for.
fn trust(arguments: &ControlArguments, search: &Search, watch: &Limited<'_>) -> Result<Trust, Failure> {
    let start = Instant::now();
    let (counter, settings) = (LocalCounter::new(&search.loaded.encoding.dataset), &search.settings);
    let times = |number: u32| number as usize;
    let stability = arguments
        .stability
        .map(times)
        .map(|samples| stability(&counter, settings, samples, watch))
        .transpose()?;
    let calibration = arguments
        .calibrate
        .map(times)
        .map(|shuffles| calibrate(&counter, settings, shuffles, watch))
        .transpose()?;
    Ok(Trust { stability, calibration, seconds: start.elapsed().as_secs_f64() })
}

/// The result, with the evidence for every cause and the reasons of so many others of each level.
fn document(search: &Search, trust: &Trust, reasons: usize, observer: &dyn Observer) -> Document {
    let Search { loaded, settings, findings, seconds } = search;
    let dataset = &loaded.encoding.dataset;
    loaded.tell(observer);
    if let Some(notice) = controls_notice(settings, findings, dataset.columns(), &dataset.target().label()) {
        observer.notice(&printable(&notice));
    }
    let start = Instant::now();
    let causes: Vec<Candidate> = findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
    let fixed: Vec<Candidate> =
        settings.knowledge.covariates.iter().copied().map(Candidate::single).collect();
    let counter = LocalCounter::new(dataset);
    let evidence = gather(&counter, &causes, &fixed);
    let rejected = rejected(&counter, dataset.columns(), settings, findings, reasons);
    let estimation = Estimation { on: EstimatedOn::SearchedRows, evidence };
    let timing = Timing {
        search_seconds: *seconds,
        evidence_seconds: start.elapsed().as_secs_f64(),
        control_seconds: trust.seconds,
        ..Timing::default()
    };
    loaded.document(settings, findings, &estimation, Some(&rejected), trust, timing)
}

//! From a table to its causes.

use std::time::Instant;

use concause::count::Counter;
use concause::dataset::Candidate;
use concause::evidence::calibration::calibrate;
use concause::evidence::confirmation::confirm;
use concause::evidence::gather;
use concause::evidence::stability::stability;
use concause::evidence::warnings::warnings;
use concause::search::rejected;
use concause_report::{Document, EstimatedOn, Estimation, HeldOut, Timing, printable, search_notice};

use crate::arguments::MineRequest;
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
        carry_out(task, arguments, &watch, observer)
    })
}

/// Searches, and puts the result together.
pub(crate) fn carry_out(
    task: Task,
    arguments: &MineRequest,
    watch: &Limited<'_>,
    observer: &dyn Observer,
) -> Result<Mined, Failure> {
    let search = task.search(observer, watch)?;
    let trust = trust(arguments, &search, watch);
    observer.end();
    let document = document(&search, trust?, arguments.reasons, observer);
    Ok(Mined { search, document })
}

/// The same search in half-samples and with shuffled outcomes, and what it found in rows that it did not see, as far as
/// asked for.
fn trust(arguments: &MineRequest, search: &Search, watch: &Limited<'_>) -> Result<Trust, Failure> {
    let start = Instant::now();
    let (searched, settings) = (search.loaded.here(), &search.settings);
    let times = |number: u32| number as usize;
    let stability = (arguments.control.stability.map(times))
        .map(|samples| stability(&searched, settings, samples, watch))
        .transpose()?;
    let calibration = (arguments.control.calibrate.map(times))
        .map(|shuffles| calibrate(&searched, settings, shuffles, watch))
        .transpose()?;
    let holdout = arguments.search.holdout.zip(search.loaded.held_out()).map(|(share, rows)| HeldOut {
        share,
        rows: rows.rows(),
        confirmations: confirm(&searched, &rows, &causes(search), &fixed(search)),
    });
    Ok(Trust { stability, calibration, holdout, seconds: start.elapsed().as_secs_f64(), ..Trust::default() })
}

/// The result, with the evidence for every cause, what speaks against it, and the reasons of so many others of each level.
fn document(search: &Search, trust: Trust, reasons: usize, observer: &dyn Observer) -> Document {
    let Search { loaded, settings, findings, seconds } = search;
    let dataset = &loaded.encoding.dataset;
    loaded.tell(observer);
    if let Some(notice) = search_notice(settings, findings, dataset.columns(), &dataset.target().label()) {
        observer.notice(&printable(&notice));
    }
    let start = Instant::now();
    let searched = loaded.searched();
    let (on, rows): (_, Box<dyn Counter + '_>) = match loaded.held_out() {
        Some(rows) => (EstimatedOn::HeldOutRows, Box::new(rows)),
        None => (EstimatedOn::SearchedRows, loaded.searched()),
    };
    let estimation = Estimation { on, evidence: gather(&*rows, &causes(search), &fixed(search)) };
    let rejected = rejected(&*searched, dataset.columns(), settings, findings, reasons);
    let warnings = warnings(&*searched, dataset.columns(), settings, findings);
    let trust = Trust { warnings, ..trust };
    let timing = Timing {
        search_seconds: *seconds,
        evidence_seconds: start.elapsed().as_secs_f64(),
        control_seconds: trust.seconds,
        ..Timing::default()
    };
    let document = loaded.document(settings, findings, &estimation, Some(&rejected), &trust, timing);
    for warning in &document.warnings {
        observer.notice(&format!("warning: {}", printable(&warning.sentence)));
    }
    document
}

fn causes(search: &Search) -> Vec<Candidate> {
    search.findings.causes.iter().map(|cause| cause.candidate.clone()).collect()
}

/// What is held fixed beside the causes.
fn fixed(search: &Search) -> Vec<Candidate> {
    search.settings.knowledge.covariates.iter().copied().map(Candidate::single).collect()
}

//! From a table to its causes.

use std::time::Instant;

use concause::Mining;
use concause::count::Counter;
use concause::progress::Progress;
use concause_report::{Document, EstimatedOn, Estimation, HeldOut, Timing, printable, search_notice};

use crate::error::RunError;
use crate::input::Input;
use crate::load::{Loaded, Trust};
use crate::progress::TimeLimited;
use crate::requests::MineRequest;
use crate::search::{Search, Task};
use crate::threads::run_on_threads;

/// A finished search, and its result.
#[derive(Debug)]
pub struct Mined {
    /// The search.
    pub search: Search,
    /// Its result.
    pub document: Document,
}

/// Finds the single and combined causes of an outcome. An interrupted search returns the results so far.
pub fn mine(input: Input, request: &MineRequest, progress: &dyn Progress) -> Result<Mined, RunError> {
    run_on_threads(request.data.threads, || {
        let limited = TimeLimited::new(progress, request.search.time_limit);
        let task =
            Task::load(input, &request.data, &request.search, request.method, request.holdout, progress)?;
        mine_task(task, request, &limited, progress)
    })
}

/// Runs the search, and creates its result.
pub(crate) fn mine_task(
    task: Task,
    request: &MineRequest,
    limited: &TimeLimited<'_>,
    progress: &dyn Progress,
) -> Result<Mined, RunError> {
    let (mining, seconds) = task.search(progress, limited)?;
    let trust = check_trust(request, &task.loaded, &mining, limited);
    progress.finish();
    let document = create_document(&task.loaded, &mining, seconds, trust?, request.reasons, progress)?;
    let findings = mining.into_findings();
    let Task { loaded, settings } = task;
    Ok(Mined { search: Search { loaded, settings, findings, seconds }, document })
}

/// Repeats the search in half-samples and with shuffled outcomes, and tests its causes in the held-out rows, as
/// requested.
fn check_trust(
    request: &MineRequest,
    loaded: &Loaded,
    mining: &Mining<'_>,
    limited: &TimeLimited<'_>,
) -> Result<Trust, RunError> {
    let start = Instant::now();
    let times = |number: u32| number as usize;
    let stability =
        (request.trust.stability.map(times)).map(|samples| mining.stability(samples, limited)).transpose()?;
    let calibration = (request.trust.calibrate.map(times))
        .map(|shuffles| mining.calibrate(shuffles, limited))
        .transpose()?;
    let held_out = request.holdout.zip(loaded.held_out_rows());
    let holdout = held_out
        .map(|(share, rows)| -> Result<HeldOut, RunError> {
            Ok(HeldOut { share, rows: rows.rows(), tests: mining.test_holdout(&rows)? })
        })
        .transpose()?;
    Ok(Trust { stability, calibration, holdout, seconds: start.elapsed().as_secs_f64(), ..Trust::default() })
}

/// The result, with the evidence for every cause, warnings, and the reasons of the strongest non-causes of each level.
fn create_document(
    loaded: &Loaded,
    mining: &Mining<'_>,
    seconds: f64,
    trust: Trust,
    reasons: usize,
    progress: &dyn Progress,
) -> Result<Document, RunError> {
    let (settings, findings) = (mining.settings(), mining.findings());
    loaded.report_notices(progress);
    if let Some(notice) = search_notice(settings, findings, mining.columns(), &mining.target().label()) {
        progress.notice(&printable(&notice));
    }
    let start = Instant::now();
    let (on, rows): (_, Box<dyn Counter + '_>) = match loaded.held_out_rows() {
        Some(rows) => (EstimatedOn::HeldOutRows, Box::new(rows)),
        None => (EstimatedOn::SearchedRows, loaded.searched_rows()),
    };
    let estimation = Estimation { on, evidence: mining.estimate_evidence(&*rows)? };
    let rejections = mining.rejections(reasons)?;
    let trust = Trust { warnings: mining.warnings()?, ..trust };
    let timing = Timing {
        search_seconds: seconds,
        evidence_seconds: start.elapsed().as_secs_f64(),
        resampling_seconds: trust.seconds,
        ..Timing::default()
    };
    let document = loaded.document(settings, findings, &estimation, Some(&rejections), &trust, timing);
    for warning in &document.warnings {
        progress.notice(&format!("warning: {}", printable(&warning.sentence)));
    }
    Ok(document)
}

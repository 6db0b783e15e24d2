//! From a table to its causes.

use concause::count::Counter;
use concause::dataset::{Candidate, ColumnNames};
use concause::progress::Progress;
use concause::search::{Method, Reason, Settings};
use concause::{Miner, Mining};
use concause_io::Holdout;
use concause_report::{Document, EstimatedOn, Estimation, HeldOut, Timing, printable, search_notice};

use crate::error::RunError;
use crate::explain::Explanation;
use crate::input::Input;
use crate::knowledge::NamedKnowledge;
use crate::load::{EncodedTable, Rows, Trust, load};
use crate::names::find_candidate;
use crate::progress::TimeLimited;
use crate::requests::{MineRequest, SearchRequest};
use crate::threads::run_on_threads;

/// A finished run: the data, the search, and the result as people read it.
#[derive(Debug)]
pub struct Run {
    /// The data.
    pub table: EncodedTable,
    /// The search, for questions about its findings.
    pub mining: Mining,
    /// The result.
    pub document: Document,
}

impl Run {
    /// Why columns and conjunctions are causes or not.
    pub fn explain(&self, names: &[String]) -> Result<Vec<Explanation>, RunError> {
        let columns = ColumnNames::new(self.mining.columns());
        let find = |name: &String| find_candidate(name, &columns);
        explain_candidates(&self.mining, &names.iter().map(find).collect::<Result<Vec<_>, _>>()?)
    }
}

/// Finds the single and combined causes of an outcome. An interrupted search returns the results so far.
pub fn mine(input: Input, request: &MineRequest, progress: &dyn Progress) -> Result<Run, RunError> {
    let data = request.search.resolve_data(&request.data);
    let load = |holdout| load(input, &data, holdout, progress);
    mine_loaded(request, progress, load)
}

/// The same for a table that is loaded in any way.
pub(crate) fn mine_loaded(
    request: &MineRequest,
    progress: &dyn Progress,
    load: impl FnOnce(Option<Holdout>) -> Result<EncodedTable, RunError> + Send,
) -> Result<Run, RunError> {
    run_on_threads(request.data.threads, || {
        let limited = TimeLimited::new(progress, request.search.time_limit);
        let (table, settings) = prepare(&request.search, request.method, request.holdout, load)?;
        table.report_notices(progress);
        let (mining, search_seconds) = search(&table, settings, &limited)?;
        let trust = check_trust(request, &table, &mining, &limited);
        progress.finish();
        let timing = Timing { search_seconds, ..Timing::default() };
        let document = create_document(&table, &mining, timing, trust?, request.reasons, progress)?;
        Ok(Run { table, mining, document })
    })
}

/// Checks the settings, loads the table, and finds the columns that the settings name.
pub(crate) fn prepare(
    search: &SearchRequest,
    method: Option<Method>,
    holdout: Option<f64>,
    load: impl FnOnce(Option<Holdout>) -> Result<EncodedTable, RunError>,
) -> Result<(EncodedTable, Settings), RunError> {
    let mut settings = search.resolve_settings(method);
    settings.check()?;
    let knowledge = NamedKnowledge::read(&search.knowledge)?;
    let table = load(holdout.map(|share| Holdout { share, seed: settings.seed }))?;
    settings.knowledge = knowledge.resolve(&table.encoding)?;
    Ok((table, settings))
}

/// Runs the search, and returns it with the seconds it took.
pub(crate) fn search(
    table: &EncodedTable,
    settings: Settings,
    limited: &TimeLimited<'_>,
) -> Result<(Mining, f64), RunError> {
    let miner = Miner::from(settings);
    let start = limited.seconds();
    let mining = match table.rows() {
        Rows::Local(rows) => miner.search_rows(rows.clone(), limited),
        #[cfg(feature = "remote")]
        Rows::Remote(rows) => miner.search_counted(rows.clone(), &table.encoding.dataset, limited),
    };
    limited.finish();
    Ok((mining?, limited.seconds() - start))
}

/// Why candidates are causes or not.
pub(crate) fn explain_candidates(
    mining: &Mining,
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

/// Repeats the search in half-samples and with shuffled outcomes, and tests its causes in the held-out rows, as
/// requested.
fn check_trust(
    request: &MineRequest,
    table: &EncodedTable,
    mining: &Mining,
    limited: &TimeLimited<'_>,
) -> Result<Trust, RunError> {
    let start = limited.seconds();
    let times = |number: u32| number as usize;
    let stability =
        (request.trust.stability.map(times)).map(|samples| mining.stability(samples, limited)).transpose()?;
    let calibration = (request.trust.calibrate.map(times))
        .map(|shuffles| mining.calibrate(shuffles, limited))
        .transpose()?;
    let held_out = request.holdout.zip(table.held_out_rows());
    let holdout = held_out
        .map(|(share, rows)| -> Result<HeldOut, RunError> {
            Ok(HeldOut { share, rows: rows.rows(), tests: mining.test_holdout(rows)? })
        })
        .transpose()?;
    Ok(Trust { stability, calibration, holdout, seconds: limited.seconds() - start, ..Trust::default() })
}

/// The result, with the evidence for every cause, warnings, and the reasons of the strongest non-causes of each level.
fn create_document(
    table: &EncodedTable,
    mining: &Mining,
    timing: Timing,
    trust: Trust,
    reasons: usize,
    progress: &dyn Progress,
) -> Result<Document, RunError> {
    let (settings, findings) = (mining.settings(), mining.findings());
    if let Some(notice) = search_notice(settings, findings, mining.columns(), &mining.target().label()) {
        progress.notice(&printable(&notice));
    }
    let start = progress.seconds();
    let (on, rows) = match table.held_out_rows() {
        Some(rows) => (EstimatedOn::HeldOutRows, rows as &dyn Counter),
        None => (EstimatedOn::SearchedRows, mining.counter()),
    };
    let estimation = Estimation { on, evidence: mining.estimate_evidence(rows)? };
    let rejections = mining.rejections(reasons)?;
    let trust = Trust { warnings: mining.warnings()?, ..trust };
    let timing =
        Timing { evidence_seconds: progress.seconds() - start, resampling_seconds: trust.seconds, ..timing };
    let document = table.document(mining, &estimation, Some(&rejections), &trust, timing);
    for warning in &document.warnings {
        progress.notice(&format!("warning: {}", printable(&warning.sentence)));
    }
    Ok(document)
}

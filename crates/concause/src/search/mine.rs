//! Entry points that run the method of the settings.

use std::sync::Arc;

use super::context::Context;
use super::findings::Findings;
use super::settings::{Algorithm, Settings};
use super::{joint, mh_pc, naive, rules};
use crate::count::{Counter, LocalCounter};
use crate::dataset::Dataset;
use crate::error::Error;
use crate::progress::Progress;

/// Searches for the single and combined causes of the target. If the search is stopped, the result so far is returned,
/// and [`Findings::complete`] is `false`.
///
/// This runs only the search; [`Miner`](crate::Miner) adds explanations, effect sizes and warnings.
pub fn mine(data: &Dataset, settings: &Settings, progress: &dyn Progress) -> Result<Findings, Error> {
    mine_counted(Arc::new(LocalCounter::new(data)), data, settings, progress)
}

/// The same for rows that are accessible only through a counter; the dataset names the columns.
pub fn mine_counted(
    counter: Arc<dyn Counter>,
    data: &Dataset,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Findings, Error> {
    search(&Context::new(counter, data, settings.clone(), progress)?)
}

/// Runs the method of the settings on an existing context.
pub(crate) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    let run = match context.settings.method.algorithm() {
        Algorithm::HitonPc | Algorithm::MhPcF => mh_pc::search_forward,
        Algorithm::MhPcB => mh_pc::search_backward,
        Algorithm::Joint => joint::search,
        Algorithm::PcSelect | Algorithm::NaiveS => naive::search_pc_select,
        Algorithm::NaiveH => naive::search_hiton_pc,
        Algorithm::CrPa => rules::search_partial_association,
        Algorithm::CrCs => rules::search_cohort_study,
    };
    match run(context, &mut findings) {
        Ok(()) => findings.complete = true,
        Err(Error::Stopped) => {}
        Err(error) => return Err(error),
    }
    Ok(findings)
}

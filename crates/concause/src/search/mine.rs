//! Entry points that run the method of the settings.

use super::context::Context;
use super::findings::Findings;
use super::settings::Settings;
use crate::count::Counter;
use crate::dataset::Column;
use crate::error::Error;
use crate::progress::Progress;

/// Searches for the single and combined causes of the target. If the search is stopped, only the finished levels are
/// returned, and [`Findings::complete`] is `false`.
///
/// This runs only the search; [`Miner`](crate::Miner) adds explanations, effect sizes and warnings.
pub fn mine(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Findings, Error> {
    search(&Context::new(Box::new(counter), columns, settings.clone(), progress)?)
}

/// Runs the method of the settings on an existing context.
pub(crate) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    match context.settings.method.implementation().search(context, &mut findings) {
        Ok(()) => findings.complete = true,
        Err(Error::Stopped) => {}
        Err(error) => return Err(error),
    }
    Ok(findings)
}

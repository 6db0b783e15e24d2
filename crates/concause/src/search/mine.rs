//! The door to all searches.

use super::context::Context;
use super::findings::Findings;
use super::settings::{Method, Settings};
use super::watch::Watch;
use super::{mh_pc, mh_pc_x, naive};
use crate::count::Counter;
use crate::dataset::Column;
use crate::error::Error;
use crate::rules;

/// Searches for the single and combined causes of the target.
///
/// ```
/// use concause::count::LocalCounter;
/// use concause::dataset::{DatasetBuilder, Target};
/// use concause::search::{Settings, Unwatched, mine};
///
/// let outcome: Vec<bool> = (0..400).map(|row| row % 2 == 0).collect();
/// let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
/// builder.attribute("A", vec!["A".into()], (0..400).map(|row| (row % 2 == 0 || row % 5 == 0).then_some(0)));
/// builder.attribute("B", vec!["B".into()], (0..400).map(|row| (row % 3 == 0).then_some(0)));
/// let dataset = builder.finish();
/// let counter = LocalCounter::new(&dataset);
/// let findings = mine(&counter, dataset.columns(), &Settings::default(), &Unwatched)?;
/// let names: Vec<String> = findings.causes.iter().map(|cause| cause.candidate.name(dataset.columns())).collect();
/// assert_eq!(names, ["A"]);
/// # Ok::<(), concause::Error>(())
/// ```
pub fn mine(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Findings, Error> {
    settings.check().map_err(Error::Setting)?;
    let context = Context::new(counter, columns, settings, watch)?;
    match settings.method {
        Method::HitonPc | Method::MhPcF | Method::MhPcB => mh_pc::search(&context),
        Method::MhPcX => mh_pc_x::search(&context),
        Method::PcSelect | Method::NaiveH | Method::NaiveS => naive::search(&context),
        Method::CrPa | Method::CrCs => rules::search(&context),
    }
}

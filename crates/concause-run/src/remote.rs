//! From a table whose rows are distributed over many machines to its causes.

use std::sync::Arc;

use concause::count::Count;
use concause::progress::Progress;
use concause_io::EncodeOptions;
use concause_io::partitions::{BlockStatistics, EncodingPlan, PartitionSummary};
use concause_remote::codec::CodecError;
use concause_remote::{RemoteCounter, RemoteError};

use crate::error::{ExecutorError, RunError};
use crate::load::{EncodedTable, encoding_rules, read_declaration, split_option_lists};
use crate::mine::{Run, mine_loaded};
use crate::requests::{DataRequest, MineRequest};

/// The partitions of a distributed table. Each method applies an operation to every partition and returns the sum of
/// their responses.
pub trait Partitions: Send + Sync {
    /// Summarises the named attributes ([`PartitionSummary::scan_partition`], [`PartitionSummary::merge`]); no bytes if
    /// there are no rows.
    fn summarise(&self, scan: &[u8], attributes: &[String]) -> Result<Vec<u8>, ExecutorError>;

    /// Packs the rows into blocks that stay where they are, and returns the statistics of the blocks.
    fn pack(&self, plan: &[u8]) -> Result<Vec<u8>, ExecutorError>;

    /// Counts in the blocks ([`concause_remote::answer_request()`]).
    fn count(&self, request: &[u8]) -> Result<Vec<u8>, ExecutorError>;
}

/// Finds the causes of an outcome in a distributed table: the same result as [`mine`](crate::mine()) on the same rows.
pub fn mine_remote(
    names: &[String],
    partitions: Arc<dyn Partitions>,
    request: &MineRequest,
    progress: &dyn Progress,
) -> Result<Run, RunError> {
    let need_rows = [
        ("stability", request.trust.stability.is_some()),
        ("calibrate", request.trust.calibrate.is_some()),
        ("labels", request.data.labels.is_some()),
    ];
    if let Some((setting, _)) = need_rows.into_iter().find(|(_, is_given)| *is_given) {
        return Err(concause::Error::NeedsLocalRows { setting }.into());
    }
    let load = |holdout| {
        let options =
            EncodeOptions { holdout, ..request.search.resolve_data(&request.data).encode_options() };
        load(names, partitions, &request.data, options, progress)
    };
    mine_loaded(request, progress, load)
}

/// Summarises and packs the partitions.
fn load(
    names: &[String],
    partitions: Arc<dyn Partitions>,
    request: &DataRequest,
    options: EncodeOptions,
    progress: &dyn Progress,
) -> Result<EncodedTable, RunError> {
    let start = progress.seconds();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let options = split_option_lists(options, &known);
    let declaration = read_declaration(request)?;
    let rules = encoding_rules(request, &options, &declaration);
    let mut plan = EncodingPlan::new(names, &request.read_options(), options, declaration)?;
    let targets: Vec<String> = plan.target_attributes().into_iter().map(str::to_owned).collect();
    let first = match &targets[..] {
        [] => PartitionSummary::default(),
        targets => summarise(&*partitions, &plan.target_scan().to_bytes(), targets)?,
    };
    let scan = plan.resolve_target(&first)?.to_bytes();
    let packing = plan.plan_columns(&summarise(&*partitions, &scan, names)?)?;
    let read_seconds = progress.seconds() - start;
    let start = progress.seconds();
    let statistics =
        BlockStatistics::from_bytes(&partitions.pack(&packing.to_bytes())?).map_err(unreadable)?;
    let encoding = plan.finish(&statistics)?;
    let rows = Count { positive: statistics.cases, negative: statistics.controls };
    let count =
        move |request: &[u8]| partitions.count(request).map_err(|error| RemoteError(error.to_string()));
    let counter = RemoteCounter::new(rows, Box::new(count));
    Ok(EncodedTable::from_remote(encoding, rules, counter, [read_seconds, progress.seconds() - start]))
}

fn summarise(
    partitions: &dyn Partitions,
    scan: &[u8],
    attributes: &[String],
) -> Result<PartitionSummary, RunError> {
    let bytes = partitions.summarise(scan, attributes)?;
    if bytes.is_empty() {
        return Err(RunError::NoRows);
    }
    PartitionSummary::from_bytes(&bytes).map_err(unreadable)
}

fn unreadable(error: CodecError) -> RunError {
    ExecutorError::Failed(error.to_string()).into()
}

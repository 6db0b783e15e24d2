//! Why candidates are causes or not.

use concause::dataset::ColumnNames;
use concause::progress::Progress;

use crate::error::RunError;
use crate::input::Input;
use crate::load::load;
use crate::mine::{explain_candidates, prepare, search};
use crate::names::find_candidate;
use crate::progress::TimeLimited;
use crate::requests::ExplainRequest;
use crate::threads::run_on_threads;

/// Why a candidate is a cause or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// A sentence.
    pub sentence: String,
    /// The same as JSON.
    pub json: serde_json::Value,
}

/// Searches, and explains the candidates of the request.
pub fn explain(
    input: Input,
    request: &ExplainRequest,
    progress: &dyn Progress,
) -> Result<Vec<Explanation>, RunError> {
    run_on_threads(request.data.threads, || {
        let limited = TimeLimited::new(progress, request.search.time_limit);
        let data = request.search.resolve_data(&request.data);
        let load = |holdout| load(input, &data, holdout, progress);
        let (table, settings) = prepare(&request.search, request.method, request.holdout, load)?;
        let names = ColumnNames::new(table.encoding.dataset.columns());
        let find = |name: &String| find_candidate(name, &names);
        let candidates = request.x.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let (mining, _) = search(&table, settings, &limited)?;
        if progress.stopped() {
            return Err(RunError::Interrupted);
        }
        explain_candidates(&mining, &candidates)
    })
}

//! Why candidates are causes or not.

use crate::error::RunError;
use crate::input::Input;
use crate::names;
use crate::progress::TimeLimited;
use crate::requests::ExplainRequest;
use crate::search::{Task, explain_candidates};
use crate::threads::run_on_threads;
use concause::progress::Progress;

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
        let task =
            Task::load(input, &request.data, &request.search, request.method, request.holdout, progress)?;
        let columns = task.loaded.encoding.dataset.columns();
        let candidates = request
            .x
            .iter()
            .map(|name| names::find_candidate(name, columns))
            .collect::<Result<Vec<_>, _>>()?;
        let (mining, _) = task.search(progress, &limited)?;
        if progress.stopped() {
            return Err(RunError::Interrupted);
        }
        explain_candidates(&mining, &candidates)
    })
}

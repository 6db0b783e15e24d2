//! Why candidates are, or are not, causes.

use crate::arguments::ExplainRequest;
use crate::failure::Failure;
use crate::input::Input;
use crate::names;
use crate::observer::{Limited, Observer};
use crate::search::Task;
use crate::threads::on_threads;

/// Why a candidate is, or is not, a cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// For people.
    pub sentence: String,
    /// For programs.
    pub json: serde_json::Value,
}

/// Searches, and gives the reasons of the candidates asked for.
pub fn explain(
    input: Input,
    arguments: &ExplainRequest,
    observer: &dyn Observer,
) -> Result<Vec<Explanation>, Failure> {
    on_threads(arguments.data.threads, || {
        let watch = Limited::new(observer, arguments.search.flags.time_limit);
        let task = Task::new(input, &arguments.data, &arguments.search, observer)?;
        let columns = task.loaded.encoding.dataset.columns();
        let candidates =
            arguments.x.iter().map(|name| names::candidate(name, columns)).collect::<Result<Vec<_>, _>>()?;
        let search = task.search(observer, &watch)?;
        if observer.interrupted() {
            return Err(Failure::Interrupted);
        }
        Ok(candidates.iter().map(|candidate| search.explanation(candidate)).collect())
    })
}

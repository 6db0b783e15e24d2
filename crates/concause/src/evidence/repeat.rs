//! The same search, many times.

use rayon::prelude::*;

use crate::error::Error;
use crate::search::{Findings, Watch};

/// Runs so many searches side by side, and returns what is noted of those that came to their end, in order.
///
/// A search that is refused is left out, as one that was stopped; if that is every one, the first refusal is returned.
pub(super) fn repeat<T: Send>(
    stage: &str,
    number: usize,
    watch: &dyn Watch,
    search: impl Fn(usize, &dyn Watch) -> Result<Findings, Error> + Sync,
    note: impl Fn(Findings) -> T + Sync,
) -> Result<Vec<T>, Error> {
    watch.begin(stage, number as u64);
    let run = |place: usize| {
        if watch.stopped() {
            return Ok(None);
        }
        let findings = search(place, &StopOnly(watch))?;
        watch.advance(1);
        Ok(findings.complete.then(|| note(findings)))
    };
    let runs: Vec<Result<Option<T>, Error>> = (0..number).into_par_iter().with_max_len(1).map(run).collect();
    let refused = runs.iter().all(Result::is_err);
    let first = runs.iter().find_map(|run| run.as_ref().err()).filter(|_| refused).cloned();
    match first {
        Some(refusal) => Err(refusal),
        None => Ok(runs.into_iter().filter_map(Result::ok).flatten().collect()),
    }
}

/// Passes on the word to stop, but not how far each of the searches is.
struct StopOnly<'a>(&'a dyn Watch);

impl Watch for StopOnly<'_> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Unwatched;

    #[test]
    fn refusals_are_left_out_unless_there_is_nothing_else() {
        let run = |refused: fn(usize) -> bool| {
            let search = |place: usize, _: &dyn Watch| {
                let findings = Findings { complete: true, ..Findings::default() };
                if refused(place) { Err(Error::Setting(place.to_string())) } else { Ok(findings) }
            };
            repeat("searches", 4, &Unwatched, search, |_| ()).map(|runs| runs.len())
        };
        assert_eq!(run(|_| false), Ok(4));
        assert_eq!(run(|place| place == 2), Ok(3));
        assert_eq!(run(|_| true), Err(Error::Setting("0".into())));
    }
}

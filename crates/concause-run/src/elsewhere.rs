//! From a table whose rows lie in many places to its causes.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Instant;

use concause::count::Count;
use concause::count::elsewhere::{Damaged, Elsewhere, Unanswered};
use concause_io::EncodeOptions;
use concause_io::parts::{Facts, Outline, Summary};

use crate::arguments::{DataArguments, MineRequest};
use crate::failure::Failure;
use crate::load::{Loaded, declaration, with_names};
use crate::mine::{Mined, carry_out};
use crate::observer::{Limited, Observer};
use crate::search::Task;
use crate::threads::on_threads;

/// The parts of a table, wherever they are. Each method has every part do something and returns the sum of what they
/// answer, or why there is none.
pub trait Parts: Send + Sync {
    /// Parts summarise the named attributes ([`Summary::of`], [`Summary::and`]); no bytes if there is no row.
    fn summarise(&self, look: &[u8], attributes: &[String]) -> Result<Vec<u8>, String>;

    /// Parts pack their rows into blocks, keep these, and tell the facts of them.
    fn pack(&self, packing: &[u8]) -> Result<Vec<u8>, String>;

    /// Blocks answer a query ([`concause::count::elsewhere::answer()`]).
    fn ask(&self, query: &[u8]) -> Result<Vec<u8>, String>;
}

/// Finds the causes of an outcome in a table whose rows lie in many places: what [`mine`](crate::mine()) finds in the same
/// rows.
pub fn mine_elsewhere(
    names: &[String],
    parts: Arc<dyn Parts>,
    arguments: &MineRequest,
    observer: &dyn Observer,
) -> Result<Mined, Failure> {
    let needs_rows = [("stability", arguments.control.stability), ("calibrate", arguments.control.calibrate)];
    if let Some((flag, _)) = needs_rows.iter().find(|(_, times)| times.is_some()) {
        return Err(Failure::Input(format!(
            "--{flag} needs all rows on one machine; leave it out, or use a sample of the rows"
        )));
    }
    on_threads(arguments.data.threads, || {
        let watch = Limited::new(observer, arguments.search.flags.time_limit);
        answered(|| {
            let load = |holdout| {
                let options = EncodeOptions { holdout, ..arguments.data.encode_options() };
                load(names, parts, &arguments.data, options)
            };
            carry_out(Task::of(&arguments.search, load)?, arguments, &watch, observer)
        })
    })
}

/// Summarises and packs the parts.
fn load(
    names: &[String],
    parts: Arc<dyn Parts>,
    arguments: &DataArguments,
    options: EncodeOptions,
) -> Result<Loaded, Failure> {
    let start = Instant::now();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let options = with_names(options, &known);
    let mut outline = Outline::new(names, &arguments.read_options(), options, declaration(arguments)?)?;
    let meant: Vec<String> = outline.target_attributes().into_iter().map(str::to_owned).collect();
    let first = match &meant[..] {
        [] => Summary::default(),
        meant => summary(&*parts, &outline.first_look().to_bytes(), meant)?,
    };
    let look = outline.resolve(&first)?.to_bytes();
    let packing = outline.plan(&summary(&*parts, &look, names)?)?;
    let read_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let facts = parts.pack(&packing.to_bytes()).map_err(Failure::Other)?;
    let facts = Facts::from_bytes(&facts).map_err(damaged)?;
    let encoding = outline.finish(&facts)?;
    let rows = Count { positive: facts.cases, negative: facts.controls };
    let counter = Elsewhere::new(rows, Box::new(move |query| parts.ask(query)));
    Ok(Loaded::elsewhere(encoding, counter, [read_seconds, start.elapsed().as_secs_f64()]))
}

fn summary(parts: &dyn Parts, look: &[u8], attributes: &[String]) -> Result<Summary, Failure> {
    let bytes = parts.summarise(look, attributes).map_err(Failure::Other)?;
    if bytes.is_empty() {
        return Err(Failure::Input("the DataFrame: has names but no rows".into()));
    }
    Summary::from_bytes(&bytes).map_err(damaged)
}

fn damaged(damaged: Damaged) -> Failure {
    Failure::Other(damaged.to_string())
}

/// Does some work, which a question without an answer ends.
pub(crate) fn answered<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| match panic.downcast::<Unanswered>() {
        Ok(unanswered) => Err(Failure::Other(unanswered.0)),
        Err(panic) => resume_unwind(panic),
    })
}

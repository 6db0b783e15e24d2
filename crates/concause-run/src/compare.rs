//! Several methods side by side on the same data.

use std::time::Instant;

use concause::count::LocalCounter;
use concause::progress::Progress;
use concause::search::{Method, Settings};
use concause_report::{ComparedMethod, Comparison, Document, Estimation, Refusal, Timing};

use crate::error::{RunError, flag_name};
use crate::input::Input;
use crate::knowledge::NamedKnowledge;
use crate::load::{Loaded, Trust, load};
use crate::progress::TimeLimited;
use crate::requests::CompareRequest;
use crate::threads::run_on_threads;

/// Runs every method. A method that rejects the data is reported with its reason.
pub fn compare(
    input: Input,
    request: &CompareRequest,
    progress: &dyn Progress,
) -> Result<Comparison, RunError> {
    run_on_threads(request.data.threads, || compare_methods(input, request, progress))
}

fn compare_methods(
    input: Input,
    request: &CompareRequest,
    progress: &dyn Progress,
) -> Result<Comparison, RunError> {
    let mut methods: Vec<Method> = Vec::new();
    for &method in &request.methods {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let mut all: Vec<Settings> =
        methods.iter().map(|&method| request.search.resolve_settings(Some(method))).collect();
    // Settings that no method accepts are refused before the data are read.
    let refused: Vec<(Method, RunError)> =
        all.iter().filter_map(|settings| Some((settings.method, check(settings).err()?))).collect();
    if refused.len() == all.len() {
        return Err(RunError::NoMethodRan(refused));
    }
    let named = NamedKnowledge::read(&request.search.knowledge)?;
    let loaded = load(input, &request.data, None, progress)?;
    let knowledge = named.resolve(&loaded.encoding)?;
    all.iter_mut().for_each(|settings| settings.knowledge = knowledge.clone());
    loaded.report_notices(progress);
    let counter = LocalCounter::new(&loaded.encoding.dataset);
    let runs = all
        .iter()
        .map(|settings| (settings.method, search_by_method(request, &loaded, &counter, settings, progress)));
    let runs: Vec<(Method, Result<Document, RunError>)> = runs.collect();
    if runs.iter().any(|(_, run)| run.is_ok()) {
        let named = |(method, run): (Method, Result<Document, RunError>)| {
            let result = run.map_err(|error| Refusal { message: describe_refusal(&error) });
            ComparedMethod { method: method.name().to_owned(), result }
        };
        return Ok(Comparison { methods: runs.into_iter().map(named).collect() });
    }
    if progress.stopped() {
        return Err(RunError::Interrupted);
    }
    let refused = runs.into_iter().filter_map(|(method, run)| Some((method, run.err()?)));
    Err(RunError::NoMethodRan(refused.collect()))
}

fn check(settings: &Settings) -> Result<(), RunError> {
    Ok(settings.check()?)
}

/// The result of one method, to which the time limit applies by itself; or why there is none.
fn search_by_method(
    request: &CompareRequest,
    loaded: &Loaded,
    counter: &LocalCounter<'_>,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Document, RunError> {
    if progress.stopped() {
        return Err(RunError::Interrupted);
    }
    check(settings)?;
    let limited = TimeLimited::new(progress, request.search.time_limit);
    let start = Instant::now();
    let findings = concause::search::mine(counter, loaded.encoding.dataset.columns(), settings, &limited);
    progress.finish();
    let findings = findings?;
    let timing = Timing { search_seconds: start.elapsed().as_secs_f64(), ..Timing::default() };
    Ok(loaded.document(settings, &findings, &Estimation::default(), None, &Trust::default(), timing))
}

/// The reason that the result holds for a method without findings; results name settings by their flags.
fn describe_refusal(error: &RunError) -> String {
    match error {
        RunError::Interrupted => "interrupted before it began".into(),
        error => error.describe(&flag_name),
    }
}

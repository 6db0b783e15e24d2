//! Several methods side by side on the same data.

use concause::progress::Progress;
use concause::search::{Method, Settings};
use concause_report::{ComparedMethod, Comparison, Document, Estimation, Refusal, Timing};

use crate::error::{RunError, flag_name};
use crate::input::Input;
use crate::knowledge::NamedKnowledge;
use crate::load::{EncodedTable, Trust, load};
use crate::mine::search;
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
    let table = load(input, &request.search.resolve_data(&request.data), None, progress)?;
    let knowledge = named.resolve(&table.encoding)?;
    all.iter_mut().for_each(|settings| settings.knowledge = knowledge.clone());
    table.report_notices(progress);
    let runs = all.into_iter().map(|settings| {
        let method = settings.method;
        (method, search_by_method(request, &table, settings, progress))
    });
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
    table: &EncodedTable,
    settings: Settings,
    progress: &dyn Progress,
) -> Result<Document, RunError> {
    if progress.stopped() {
        return Err(RunError::Interrupted);
    }
    check(&settings)?;
    let limited = TimeLimited::new(progress, request.search.time_limit);
    let (mining, search_seconds) = search(table, settings, &limited)?;
    let timing = Timing { search_seconds, ..Timing::default() };
    Ok(table.document(&mining, &Estimation::default(), None, &Trust::default(), timing))
}

/// The reason that the result holds for a method without findings; results name settings by their flags.
fn describe_refusal(error: &RunError) -> String {
    match error {
        RunError::Interrupted => "interrupted before it began".into(),
        error => error.describe(&flag_name),
    }
}

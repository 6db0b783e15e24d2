//! Several methods side by side on the same data.

use std::time::Instant;

use concause::count::LocalCounter;
use concause::search::{Method, Settings};
use concause_report::{Comparison, Document, Estimation, Timing};

use crate::arguments::CompareRequest;
use crate::failure::Failure;
use crate::input::Input;
use crate::knowledge::Stated;
use crate::load::{Loaded, Trust, load};
use crate::observer::{Limited, Observer};
use crate::threads::on_threads;

/// Runs every method; one that refuses is told as such.
pub fn compare(
    input: Input,
    arguments: &CompareRequest,
    observer: &dyn Observer,
) -> Result<Comparison, Failure> {
    on_threads(arguments.data.threads, || run(input, arguments, observer))
}

fn run(input: Input, arguments: &CompareRequest, observer: &dyn Observer) -> Result<Comparison, Failure> {
    let mut methods: Vec<Method> = Vec::new();
    for &method in &arguments.methods {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let mut all: Vec<Settings> =
        methods.iter().map(|&method| arguments.search.settings(Some(method))).collect();
    // What no method could do is refused before the data is read.
    if all.iter().all(|settings| settings.check().is_err()) {
        let runs = all.iter().map(|settings| (settings, settings.check().err().unwrap_or_default()));
        return Err(none_ran(runs.map(|(settings, sentence)| (settings.method.name(), sentence))));
    }
    let stated = Stated::new(&arguments.search.knowledge)?;
    let loaded = load(input, &arguments.data, None, observer)?;
    let knowledge = stated.of(&loaded.encoding)?;
    all.iter_mut().for_each(|settings| settings.knowledge = knowledge.clone());
    loaded.tell(observer);
    let counter = LocalCounter::new(&loaded.encoding.dataset);
    let runs = all.iter().map(|settings| {
        let run = search(arguments, &loaded, &counter, settings, observer);
        (settings.method.name().to_owned(), run)
    });
    let comparison = Comparison { runs: runs.collect() };
    if comparison.runs.iter().all(|(_, run)| run.is_err()) {
        if observer.interrupted() {
            return Err(Failure::Interrupted);
        }
        let refused = comparison.runs.iter();
        return Err(none_ran(refused.filter_map(|(method, run)| Some((method, run.as_ref().err()?)))));
    }
    Ok(comparison)
}

/// The result of one method, which has the whole of the time limit to itself; or why there is none.
fn search(
    arguments: &CompareRequest,
    loaded: &Loaded,
    counter: &LocalCounter<'_>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Document, String> {
    if observer.interrupted() {
        return Err("interrupted before it began".into());
    }
    settings.check()?;
    let watch = Limited::new(observer, arguments.search.time_limit);
    let start = Instant::now();
    let findings = concause::search::mine(counter, loaded.encoding.dataset.columns(), settings, &watch);
    observer.end();
    let findings = findings.map_err(|error| error.to_string())?;
    let timing = Timing { search_seconds: start.elapsed().as_secs_f64(), ..Timing::default() };
    Ok(loaded.document(settings, &findings, &Estimation::default(), None, &Trust::default(), timing))
}

fn none_ran(refused: impl Iterator<Item = (impl std::fmt::Display, impl std::fmt::Display)>) -> Failure {
    let mut sentences: Vec<String> = Vec::new();
    for (method, sentence) in refused {
        sentences.push(format!("{method}: {sentence}"));
    }
    Failure::Input(format!("no method ran; {}", sentences.join("; ")))
}

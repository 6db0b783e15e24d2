//! Measures methods on recipes: mean F1 of combined and single causes, false findings, share of data sets that are
//! exactly right, and seconds for each data set.
//!
//! `cargo run --release -p experiments --example measure -- 20 joint,mh-pc-f syn-50 "network:rows=50000;level=3"`
//! The first argument is the number of seeds, the second the methods; the others are recipes with their parameters.
//! With `-v` last, the causes of each data set are listed, and the probabilities of all sets of columns. `uci:NAME`
//! is one of the paper's real data sets: its causes, the seconds of the search, and the mean share of half-samples in
//! which the causes are found again. The number of half-samples is the number of seeds, except that 1 means none.

use std::time::Instant;

use concause::count::LocalCounter;
use concause::evidence::trust::stability::stability;
use concause::progress::NoProgress;
use concause::search::{AttributeSet, FoundCause, Method};
use concause_bench::uci::{self, PaperEncoding};
use concause_simulate::Recipe;
use experiments::experiment_run::FIRST_SEED;
use experiments::method_under_test::{MethodUnderTest, cause_columns, cause_names, search};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.last().is_some_and(|last| last == "-v") && arguments.pop().is_some();
    let [seeds, methods, recipes @ ..] = &arguments[..] else {
        return Err("usage: measure SEEDS METHOD,… RECIPE[:NAME=VALUE;…]…".into());
    };
    let seeds: u64 = seeds.parse()?;
    println!(
        "{:44} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "recipe", "method", "comb", "single", "false2", "false1", "exact", "sec"
    );
    for recipe in recipes {
        for method in methods.split(',') {
            measure(recipe, method, seeds, verbose)?;
        }
    }
    Ok(())
}

fn method_named(name: &str) -> Result<MethodUnderTest, Failure> {
    let found = Method::ALL.iter().copied().find(|method| method.name() == name);
    Ok(MethodUnderTest { method: found.ok_or_else(|| format!("there is no method {name}"))?, max_k: 3 })
}

fn measure_real(name: &str, method: &str, half_samples: usize) -> Result<(), Failure> {
    let mut sets = uci::RESULT_TABLE_DATA_SETS.iter().chain([&uci::CENSUS]);
    let set = sets.find(|set| set.file == name).ok_or_else(|| format!("there is no data set {name}"))?;
    let dataset = set.read(&uci::default_folder(), PaperEncoding::DataTable)?;
    let start = Instant::now();
    let settings = method_named(method)?.settings(2);
    let findings = search(&dataset, &settings, &NoProgress)?;
    println!("uci:{name} {method} {:.2} s", start.elapsed().as_secs_f64());
    let mut names = cause_names(&findings, &dataset);
    if half_samples > 1 {
        let found = stability(&LocalCounter::new(&dataset), &settings, half_samples, &NoProgress)?;
        let frequency = |cause: &FoundCause| found.frequency(&cause.candidate, dataset.columns());
        let shares: Vec<f64> = findings.causes.iter().filter_map(frequency).collect();
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        println!("  {} causes, {mean:.2} of half-samples", shares.len());
        let others = found.others(&findings, dataset.columns(), 0.1).into_iter();
        let others = others.map(|(set, share)| format!("{} ({share:.2})", set.name(dataset.columns())));
        println!("  other causes of half-samples: {}", others.collect::<Vec<_>>().join(" "));
        names.iter_mut().zip(&shares).for_each(|(name, share)| *name += &format!(" ({share:.2})"));
    }
    println!("  {}", names.join(" "));
    Ok(())
}

fn measure(text: &str, method: &str, seeds: u64, verbose: bool) -> Result<(), Failure> {
    if let Some(name) = text.strip_prefix("uci:") {
        return measure_real(name, method, seeds as usize);
    }
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    let mut recipe = Recipe::named(name).ok_or_else(|| format!("there is no recipe {name}"))?;
    let mut level = 2;
    for (name, value) in parameters.split(';').filter_map(|parameter| parameter.split_once('=')) {
        if name == "level" {
            level = value.parse()?;
        } else {
            recipe.set(name, value)?;
        }
    }
    let entry = method_named(method)?;
    let first = std::env::var("FIRST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(FIRST_SEED);
    let results: Vec<[f64; 6]> = (first..first + seeds)
        .into_par_iter()
        .map(|seed| -> Result<[f64; 6], Failure> {
            let simulated = recipe.simulate(seed)?;
            let dataset = simulated.dataset();
            let start = Instant::now();
            let findings = search(&dataset, &entry.settings(level), &NoProgress)?;
            let seconds = start.elapsed().as_secs_f64();
            let score = simulated.truth.score(&cause_columns(&findings, &dataset));
            if verbose {
                let truth: Vec<String> = simulated.truth.causes.iter().map(|cause| cause.join("&")).collect();
                let sets = findings.posterior.iter().flat_map(|posterior| &posterior.attribute_sets);
                let probability = |set: &AttributeSet| {
                    let term = set.terms.first().map(|(term, _)| term.name(dataset.columns()));
                    format!("\n    {:.3} {}", set.probability, term.unwrap_or_default())
                };
                println!(
                    "  {seed}: {} | truth {}{}",
                    cause_names(&findings, &dataset).join(" "),
                    truth.join(" "),
                    sets.map(probability).collect::<String>()
                );
            }
            let wrong = |rates: concause_simulate::Rates| (rates.found - rates.hits) as f64;
            let exact = score.all.hits == score.all.found && score.all.hits == score.all.truth;
            Ok([
                score.combined.f1(),
                score.single.f1(),
                wrong(score.combined),
                wrong(score.single),
                f64::from(exact),
                seconds,
            ])
        })
        .collect::<Result<_, Failure>>()?;
    let mean = |place: usize| results.iter().map(|result| result[place]).sum::<f64>() / results.len() as f64;
    println!(
        "{text:44} {method:>9} {:6.3} {:6.3} {:6.2} {:6.2} {:6.2} {:7.3}",
        mean(0),
        mean(1),
        mean(2),
        mean(3),
        mean(4),
        mean(5)
    );
    Ok(())
}

//! Complete searches by the default method and by MH-PC-F. (MH-PC-B does not finish on wide data.)

use std::hint::black_box;

use concause::dataset::Dataset;
use concause::progress::NoProgress;
use concause::search::{Method, Preset, Settings, mine};
use concause_bench::error::ToolError;
use concause_bench::numbers::{duration, ratio, thousands, whole_percent};
use concause_bench::text_table::TextTable;
use concause_bench::timing::InterleavedTiming;
use concause_simulate::Recipe;

use crate::scope::{BenchmarkResult, Scope, missing_census_note, read_census, start_threads};

/// The name on the page, the recipe and its parameters.
type Simulated = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SIMULATED: [Simulated; 5] = [
    ("usual", "logistic", &[]),
    ("network", "network", &[("rows", "50000")]),
    ("long", "syn-100", &[("split", "blind"), ("rows", "1000000")]),
    ("wide", "logistic", &[("predictors", "4000"), ("rows", "10000")]),
    ("few rows, many columns", "hegel", &[]),
];

const SIMULATED_QUICKLY: [Simulated; 2] =
    [("usual", "logistic", &[("rows", "1000")]), ("wide", "logistic", &[("predictors", "200")])];

/// Measures searches on one thread.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let rounds = scope.choose(3, 1);
    let mut table = TextTable::new([
        "data",
        "rows",
        "columns",
        "causes",
        "joint",
        "spread",
        "mh-pc-f",
        "spread",
        "× mh-pc-f",
    ]);
    for (name, recipe, parameters) in scope.choose(&SIMULATED[..], &SIMULATED_QUICKLY[..]) {
        let dataset = simulate(recipe, parameters)?;
        table.add_row(measure(&format!("{name} (`{recipe}`)"), &dataset, rounds)?);
    }
    let mut note = String::new();
    if !scope.quick {
        match read_census()? {
            Ok(census) => table.add_row(measure("Census", &census, rounds)?),
            Err(missing) => note = missing_census_note(&missing),
        }
    }
    let text = format!(
        "Search time on one thread, without reading and evidence: minimum of {rounds} interleaved rounds, and the number of \
         causes of joint. MH-PC-F has the preset `paper`.\n\n{}\n{note}",
        table.to_markdown()
    );
    Ok(BenchmarkResult::without_figures(text))
}

fn simulate(recipe: &str, parameters: &[(&str, &str)]) -> Result<Dataset, ToolError> {
    let mut recipe = Recipe::named(recipe).ok_or_else(|| ToolError::UnknownRecipe(recipe.into()))?;
    for (name, value) in parameters {
        recipe.set(name, value)?;
    }
    Ok(recipe.simulate(1)?.dataset())
}

fn settings(method: Method) -> Settings {
    let preset = if method == Method::JOINT { Preset::Default } else { Preset::Paper };
    Settings { method, ..preset.settings() }
}

/// A row of the table.
fn measure(name: &str, dataset: &Dataset, rounds: usize) -> Result<[String; 9], ToolError> {
    let search = |method: Method| mine(dataset, &settings(method), &NoProgress);
    let causes = search(Method::JOINT)?.causes.len();
    let pool = start_threads(1)?;
    let mut timing = InterleavedTiming::new();
    for method in [Method::JOINT, Method::MH_PC_F] {
        let (pool, search) = (&pool, &search);
        timing.add_task(method.name(), move || {
            black_box(pool.install(|| search(method))?);
            Ok(())
        });
    }
    let times = timing.run_rounds(rounds)?;
    let (joint, full) = (&times[0], &times[1]);
    Ok([
        name.into(),
        thousands(dataset.rows()),
        thousands(dataset.columns().len() as u64),
        causes.to_string(),
        duration(joint.minimum()),
        whole_percent(joint.spread()),
        duration(full.minimum()),
        whole_percent(full.spread()),
        ratio(joint.minimum() / full.minimum()),
    ])
}

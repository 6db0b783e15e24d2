//! Runs one small task, whose instructions `benches/instructions` counts. The count does not depend on the load of the
//! machine.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;

use concause::count::kernel::Kernel;
use concause::count::{Counter, Grid, LocalCounter};
use concause::dataset::{Candidate, Dataset, Literal};
use concause::progress::NoProgress;
use concause::search::{Method, Preset, Settings, mine_counted};
use concause_bench::error::ToolError;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read_sources};
use concause_simulate::Recipe;

/// A task and its name.
type Task = (&'static str, fn() -> Result<(), ToolError>);

/// The tasks whose instructions are counted.
const TASKS: [Task; 5] = [
    ("sweep", count_pairs),
    ("mh-pc-f", || search("corr", Method::MH_PC_F)),
    ("mh-pc-b", || search("corr", Method::MH_PC_B)),
    ("joint", || search("logistic", Method::JOINT)),
    ("read", read_and_encode),
];

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1);
    let Some((_, task)) = TASKS.iter().find(|(name, _)| wanted.as_deref() == Some(*name)) else {
        TASKS.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    // One thread, because the work of idle threads is not reproducible.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    match pool.map_err(ToolError::from).and_then(|_| task()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Only the instructions of this function count; the rest prepares the data.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    std::hint::black_box(work())
}

fn find_recipe(name: &str) -> Result<Recipe, ToolError> {
    Recipe::named(name).ok_or_else(|| ToolError::UnknownRecipe(name.into()))
}

fn simulate(recipe: &str, rows: usize) -> Result<Dataset, ToolError> {
    let mut recipe = find_recipe(recipe)?;
    recipe.rows = rows;
    Ok(recipe.simulate(1)?.dataset())
}

/// The kernel whose instructions are counted.
fn avx2_kernel() -> Result<Kernel, ToolError> {
    let kernel = Kernel::available().into_iter().find(|kernel| kernel.name() == "avx2");
    kernel.ok_or(ToolError::MissingInstructions("AVX2"))
}

fn count_pairs() -> Result<(), ToolError> {
    let dataset = simulate("syn-50", 100_000)?;
    let counter = LocalCounter::with_kernel(&dataset, avx2_kernel()?);
    let columns: Vec<Literal> = (0..dataset.columns().len() as u32).map(Literal::plain).collect();
    let grid = Grid { base: &Candidate::default(), left: &columns, right: &columns };
    Ok(measured(|| counter.grids(&[grid], &|_, _| ControlFlow::Continue(())))?)
}

fn search(recipe: &str, method: Method) -> Result<(), ToolError> {
    let dataset = simulate(recipe, 5_000)?;
    let counter = LocalCounter::with_kernel(&dataset, avx2_kernel()?);
    let settings = Settings { method, ..Preset::Paper.settings() };
    let found = measured(|| mine_counted(Arc::new(counter), &dataset, &settings, &NoProgress));
    Ok(found.map(|_| ())?)
}

fn read_and_encode() -> Result<(), ToolError> {
    let recipe = find_recipe("syn-50")?;
    let path = std::env::temp_dir().join(format!("concause-instructions-{}.csv", std::process::id()));
    let mut text = Vec::new();
    recipe.simulate(1)?.write_csv(&mut text).map_err(ToolError::file(&path))?;
    std::fs::write(&path, text).map_err(ToolError::file(&path))?;
    let done = measured(|| {
        let declaration = Declaration::default();
        let source = Source::parse(&path);
        let table =
            read_sources(&[source], &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))?;
        let options = EncodeOptions { target: "T".into(), ..EncodeOptions::default() };
        encode(table, &options, &declaration).map(|_| ())
    });
    std::fs::remove_file(&path).map_err(ToolError::file(&path))?;
    Ok(done?)
}

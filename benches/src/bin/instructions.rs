//! One small piece of work at a time, for `benches/instructions` to count the instructions of: a count does not depend
//! on what else the machine is doing.

use std::ops::ControlFlow;
use std::process::ExitCode;

use concause::count::kernel::Kernel;
use concause::count::{Counter, Grid, LocalCounter};
use concause::dataset::{Candidate, Dataset};
use concause::search::{Method, Preset, Settings, Unwatched, mine};
use concause::simulate::Recipe;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read};

/// A piece of work and its name.
type Work = (&'static str, fn() -> Result<(), String>);

/// What is counted.
const WORK: [Work; 5] = [
    ("sweep", sweep),
    ("mh-pc-f", || search("corr", Method::MhPcF)),
    ("mh-pc-b", || search("corr", Method::MhPcB)),
    ("mh-pc-x", || search("syn-20", Method::MhPcX)),
    ("read", reading),
];

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1);
    let Some((_, work)) = WORK.iter().find(|(name, _)| wanted.as_deref() == Some(*name)) else {
        WORK.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    // One thread, this one: what idle threads do is not repeatable.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    match pool.map_err(|error| error.to_string()).and_then(|_| work()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("instructions: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// What is counted; the rest only makes the data.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    std::hint::black_box(work())
}

fn data(recipe: &str, rows: usize) -> Result<Dataset, String> {
    let mut recipe = Recipe::named(recipe).ok_or("no such recipe")?;
    recipe.rows = rows;
    recipe.simulate(1)?.dataset()
}

/// The kernel whose instructions are guarded, on every machine that has it.
fn kernel() -> Result<Kernel, String> {
    let kernel = Kernel::available().into_iter().find(|kernel| kernel.name() == "avx2");
    kernel.ok_or_else(|| "this machine has no AVX2".to_owned())
}

fn sweep() -> Result<(), String> {
    let dataset = data("syn-50", 100_000)?;
    let counter = LocalCounter::with_kernel(&dataset, kernel()?);
    let columns: Vec<u32> = (0..dataset.columns().len() as u32).collect();
    let grid = Grid { base: &Candidate::default(), left: &columns, right: &columns };
    measured(|| counter.grids(&[grid], &|_, _| ControlFlow::Continue(())));
    Ok(())
}

fn search(recipe: &str, method: Method) -> Result<(), String> {
    let dataset = data(recipe, 5_000)?;
    let counter = LocalCounter::with_kernel(&dataset, kernel()?);
    let settings = Settings { method, ..Preset::Paper.settings() };
    let found = measured(|| mine(&counter, dataset.columns(), &settings, &Unwatched));
    found.map(|_| ()).map_err(|error| error.to_string())
}

fn reading() -> Result<(), String> {
    let recipe = Recipe::named("syn-50").ok_or("no such recipe")?;
    let path = std::env::temp_dir().join(format!("concause-instructions-{}.csv", std::process::id()));
    let mut text = Vec::new();
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    recipe.simulate(1)?.write_csv(&mut text).map_err(told)?;
    std::fs::write(&path, text).map_err(told)?;
    let done = measured(|| {
        let declaration = Declaration::default();
        let source = Source::parse(&path);
        let table = read(&[source], &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))
            .map_err(|error| error.to_string())?;
        let options = EncodeOptions { target: "T".into(), ..EncodeOptions::default() };
        encode(table, &options, &declaration).map(|_| ()).map_err(|error| error.to_string())
    });
    std::fs::remove_file(&path).map_err(told)?;
    done
}

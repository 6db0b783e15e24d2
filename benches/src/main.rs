//! Benchmarks of concause: `cargo run --release -p concause-bench` runs all of them and rewrites `docs/benchmarks.md`
//! and its figures.

mod census_runs;
mod growth;
mod kernels;
mod methods;
mod pairs;
mod peers;
mod registers;
mod rounds;
mod scope;
mod triples;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use concause_bench::error::ToolError;
use concause_bench::machine::BackgroundLoad;
use concause_bench::markdown::{replace_section, wrap_prose};
use scope::{BenchmarkResult, Scope};

const USAGE: &str = "\
usage: concause-bench [BENCHMARK] [--quick] [--write]
       concause-bench pairs --bits FILE [--threads N]

Without a benchmark, all run, and docs/benchmarks.md and docs/benchmarks/*.svg are rewritten. With one, its tables
are printed; --write also updates the page. --quick uses smaller data, takes a few minutes and never writes.

benchmarks: kernels   all pairs of 500 columns, compared with a plain loop and the limit of the instructions
            rounds    contingency tables of conditioning sets, compared with a histogram of keys
            triples   all triples of Census, compared with the AND of bitmaps
            growth    complete searches with more rows, columns, levels and larger max_k
            methods   complete searches by the default method and by MH-PC-F
            census    the command on the Census data, from compressed text to causes
            peers     numpy, scipy and bnlearn, if they are installed
pairs counts all pairs of a file of packed bits and prints JSON; benches/peers.py uses it.";

/// A benchmark and its name on the command line and on the page.
type Benchmark = (&'static str, fn(&Scope) -> Result<BenchmarkResult, ToolError>);

const BENCHMARKS: [Benchmark; 7] = [
    ("kernels", kernels::run),
    ("rounds", rounds::run),
    ("triples", triples::run),
    ("growth", growth::run),
    ("methods", methods::run),
    ("census", census_runs::run),
    ("peers", peers::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("concause-bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), ToolError> {
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return Ok(());
    }
    if arguments.first().is_some_and(|first| first == "pairs") {
        return pairs::run(&arguments[1..]);
    }
    let (mut chosen, mut quick, mut write) = (None, false, false);
    for argument in arguments {
        match argument.as_str() {
            "--quick" => quick = true,
            "--write" => write = true,
            name => match BENCHMARKS.iter().find(|(benchmark, _)| *benchmark == name) {
                Some(benchmark) if chosen.is_none() => chosen = Some(benchmark),
                _ => return Err(ToolError::Usage(format!("unexpected argument {name}\n{USAGE}"))),
            },
        }
    }
    let benchmarks = chosen.map_or(&BENCHMARKS[..], std::slice::from_ref);
    let write = !quick && (write || chosen.is_none());
    for (name, measure) in benchmarks {
        eprintln!("{name} …");
        let scope = Scope { quick, command: command(name, quick), load: BackgroundLoad::start() };
        let mut result = measure(&scope)?;
        result.markdown.insert_str(0, &scope.heading());
        result.markdown = wrap_prose(&result.markdown);
        println!("{}", result.markdown);
        if write {
            write_result(&result, name, &project_folder())?;
        }
    }
    Ok(())
}

/// The command that repeats a benchmark.
fn command(benchmark: &str, quick: bool) -> String {
    let quick = if quick { " --quick" } else { "" };
    format!("cargo run --release -p concause-bench -- {benchmark}{quick}")
}

/// The folder of the project.
fn project_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Updates the section of a benchmark on the page, and its figures.
fn write_result(result: &BenchmarkResult, benchmark: &str, root: &Path) -> Result<(), ToolError> {
    let page = root.join("docs/benchmarks.md");
    let text = std::fs::read_to_string(&page).map_err(ToolError::file(&page))?;
    let text = replace_section(&text, benchmark, &result.markdown).ok_or_else(|| ToolError::InvalidFile {
        path: page.clone(),
        problem: format!("there is no section for {benchmark}: add <!-- {benchmark} -->"),
    })?;
    std::fs::write(&page, text).map_err(ToolError::file(&page))?;
    let folder = root.join("docs/benchmarks");
    std::fs::create_dir_all(&folder).map_err(ToolError::file(&folder))?;
    for (name, chart) in &result.figures {
        let path = folder.join(format!("{name}.svg"));
        std::fs::write(&path, chart.to_svg()).map_err(ToolError::file(&path))?;
    }
    Ok(())
}

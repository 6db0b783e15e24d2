//! Measures concause: `cargo run --release -p concause-bench` runs everything and rewrites `docs/benchmarks.md` and
//! its figures; see that page.

mod growth;
mod kernels;
mod pairs;
mod part;
mod peers;
mod registers;
mod rounds;
mod runs;
mod triples;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use concause_bench::machine::Others;
use concause_bench::page;
use part::{Report, Scope};

const USAGE: &str = "\
usage: concause-bench [PART] [--quick] [--write]
       concause-bench pairs --bits FILE [--threads N]

Without a part everything is measured, and docs/benchmarks.md and docs/benchmarks/*.svg are rewritten.
With one, its tables are printed; --write puts them into the page too. --quick takes a few minutes, with smaller
data, and never writes.

parts: kernels   all pairs of 500 columns, beside a plain loop and the limit of the instructions
       rounds    contingency tables of conditioning sets, beside a histogram of keys
       triples   all triples of Census, beside ANDing
       growth    whole searches over rows, columns, levels and max_k
       census    the command on the Census data, from gzipped text to causes
       peers     numpy, scipy and bnlearn, where they are installed
pairs counts all pairs of a file of packed bits and prints JSON; benches/peers.py asks for it.";

/// What can be measured, by its name on the command line and on the page.
type Part = (&'static str, fn(&Scope) -> Result<Report, String>);

const PARTS: [Part; 6] = [
    ("kernels", kernels::run),
    ("rounds", rounds::run),
    ("triples", triples::run),
    ("growth", growth::run),
    ("census", runs::run),
    ("peers", peers::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("concause-bench: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
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
            name => match PARTS.iter().find(|(part, _)| *part == name) {
                Some(part) if chosen.is_none() => chosen = Some(part),
                _ => return Err(format!("{name} is not known here\n{USAGE}")),
            },
        }
    }
    let parts = chosen.map_or(&PARTS[..], std::slice::from_ref);
    let write = !quick && (write || chosen.is_none());
    for (name, measure) in parts {
        eprintln!("{name} …");
        let scope = Scope { quick, command: command(name, quick), others: Others::watch() };
        let mut report = measure(&scope)?;
        report.text.insert_str(0, &scope.heading());
        println!("{}", report.text);
        if write {
            report.write(name, &root())?;
        }
    }
    Ok(())
}

/// What to type to measure a part again.
fn command(part: &str, quick: bool) -> String {
    let quick = if quick { " --quick" } else { "" };
    format!("cargo run --release -p concause-bench -- {part}{quick}")
}

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Report {
    /// Puts the text into its place on the page, and the figures beside it.
    fn write(&self, part: &str, root: &Path) -> Result<(), String> {
        let place = root.join("docs/benchmarks.md");
        let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&place).map_err(|error| told(&place, error))?;
        let text = page::replace(&text, part, &self.text)
            .ok_or_else(|| format!("docs/benchmarks.md has no place for {part}: add <!-- {part} -->"))?;
        std::fs::write(&place, text).map_err(|error| told(&place, error))?;
        let folder = root.join("docs/benchmarks");
        std::fs::create_dir_all(&folder).map_err(|error| told(&folder, error))?;
        for (name, chart) in &self.figures {
            let path = folder.join(format!("{name}.svg"));
            std::fs::write(&path, chart.svg()).map_err(|error| told(&path, error))?;
        }
        Ok(())
    }
}

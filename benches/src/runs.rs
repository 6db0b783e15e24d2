//! Whole runs of the command on the Census data: from gzipped text to causes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use concause_bench::census::{Census, TARGET};
use concause_bench::machine;
use concause_bench::page::{Table, digits, duration, percent, thousands};
use concause_bench::race::Times;
use serde_json::Value;

use crate::part::{Report, Scope, threads_label};

/// Measures whole runs.
pub fn run(scope: &Scope) -> Result<Report, String> {
    let mut text = String::new();
    let census = match Census::find() {
        Ok(census) => census,
        Err(sentence) => return Ok(Report { text: sentence + ".\n", figures: Vec::new() }),
    };
    let scratch = Scratch::new()?;
    let declaration = scratch.0.join("census.toml");
    std::fs::write(&declaration, census.declaration()?).map_err(|error| format!("declaration: {error}"))?;
    let program = program()?;
    let runs = scope.choose(5, 2);
    let mut kinds: Vec<(&str, usize)> =
        vec![("mh-pc-f", machine::threads()), ("mh-pc-b", machine::threads())];
    if machine::threads() > 1 && !scope.quick {
        kinds.extend([("mh-pc-f", 1), ("mh-pc-b", 1)]);
    }
    let mut found: Vec<Vec<Run>> = kinds.iter().map(|_| Vec::new()).collect();
    for _ in 0..runs {
        for ((method, threads), found) in kinds.iter().zip(&mut found) {
            let mut command = Command::new(&program);
            command.arg("mine").args(&census.files).args(["--target", TARGET, "--drop-continuous"]);
            command.arg("--declare").arg(&declaration);
            command.args(["--preset", "paper", "--method", method, "--threads", &threads.to_string()]);
            found.push(Run::new(command, &scratch.0)?);
        }
    }
    text += &format!(
        "`concause mine census-income.data.gz census-income.test.gz --target '{TARGET}' --declare census.toml \
         --drop-continuous --preset paper --method METHOD --threads N --format json`, {runs} runs of each in turn: the \
         fastest of each stage, the spread of the search (slowest over fastest), the largest peak memory (VmHWM).\n\n"
    );
    let mut table = Table::new([
        "method",
        "threads",
        "read",
        "encode",
        "search",
        "spread",
        "tests",
        "10⁶ tests/s",
        "causes",
        "peak memory",
    ]);
    for ((method, threads), runs) in kinds.iter().zip(&found) {
        let stage = |seconds: fn(&Run) -> f64| Times::new("", runs.iter().map(seconds).collect());
        let search = stage(|run| run.search);
        let Some(first) = runs.first() else { continue };
        assert!(runs.iter().all(|run| run.tests == first.tests), "the same tests in every run");
        table.row([
            (*method).into(),
            threads_label(*threads),
            duration(stage(|run| run.read).minimum()),
            duration(stage(|run| run.encode).minimum()),
            duration(search.minimum()),
            percent(search.spread()),
            thousands(first.tests),
            digits(first.tests as f64 / search.minimum() / 1e6),
            first.causes.to_string(),
            format!("{:.0} MB", runs.iter().map(|run| run.peak).max().unwrap_or(0) as f64 / 1e6),
        ]);
    }
    text += &table.markdown();
    text += "\nWanted: search under 6 s, peak memory under 300 MB. Reading and encoding beside the `csv` crate: \
             `cargo bench -p concause-io --bench reading`.\n";
    Ok(Report { text, figures: Vec::new() })
}

/// The command: named by the environment variable `CONCAUSE`, or built now.
pub fn program() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("CONCAUSE") {
        return Ok(named.into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let build = ["build", "--release", "--quiet", "--package", "concause-cli"];
    let status = Command::new(cargo).args(build).current_dir(env!("CARGO_MANIFEST_DIR")).status();
    if !status.map_err(|error| format!("cargo: {error}"))?.success() {
        return Err("the command could not be built; name a built one in CONCAUSE".into());
    }
    // This program lies in target/PROFILE.
    let here = std::env::current_exe().map_err(|error| format!("where am I: {error}"))?;
    let target = here.parent().and_then(Path::parent).ok_or("this program lies in no target folder")?;
    Ok(target.join("release").join(format!("concause{}", std::env::consts::EXE_SUFFIX)))
}

/// What one run said of itself, and its peak memory in bytes.
struct Run {
    read: f64,
    encode: f64,
    search: f64,
    tests: u64,
    causes: usize,
    peak: u64,
}

impl Run {
    fn new(mut command: Command, scratch: &Path) -> Result<Self, String> {
        let result = scratch.join("result.json");
        command.args(["--format", "json", "--quiet", "-o"]).arg(&result).stdin(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("the command does not start: {error}"))?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        let exit = loop {
            peak = peak.max(peak_memory(&status));
            match child.try_wait().map_err(|error| format!("waiting for the command: {error}"))? {
                Some(exit) => break exit,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        if !exit.success() {
            return Err(format!("the command failed: {exit}"));
        }
        let text = std::fs::read(&result).map_err(|error| format!("the result: {error}"))?;
        let found: Value = serde_json::from_slice(&text).map_err(|error| format!("the result: {error}"))?;
        let seconds = |stage: &str| found["timing"][stage].as_f64().unwrap_or(f64::NAN);
        let levels = found["levels"].as_array().map_or(&[][..], |levels| levels);
        Ok(Run {
            read: seconds("read_seconds"),
            encode: seconds("encode_seconds"),
            search: seconds("search_seconds"),
            tests: levels.iter().filter_map(|level| level["tests"].as_u64()).sum(),
            causes: found["causes"].as_array().map_or(0, Vec::len),
            peak,
        })
    }
}

/// The high-water mark of a process's memory in bytes; 0 where it cannot be known.
fn peak_memory(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    1024 * kilobytes.unwrap_or(0)
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("concause-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in the folder for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

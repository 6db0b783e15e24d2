//! Complete runs of the command on the Census data: from compressed text to causes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use concause_bench::error::ToolError;
use concause_bench::machine;
use concause_bench::numbers::{duration, thousands, three_digits, whole_percent};
use concause_bench::text_table::TextTable;
use concause_bench::timing::TaskTimes;
use concause_bench::uci::{CENSUS, PaperEncoding};
use serde_json::Value;

use crate::scope::{BenchmarkResult, Scope, census_folder, missing_census_note, threads_label};

/// Measures complete runs.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let mut text = String::new();
    let folder = census_folder();
    if let Err(missing) = CENSUS.check_files(&folder) {
        return Ok(BenchmarkResult::without_figures(missing_census_note(&missing)));
    }
    let scratch = TemporaryFolder::new()?;
    let declaration = scratch.0.join("census.toml");
    let toml = CENSUS.declaration(&CENSUS.read_schema(&folder)?, PaperEncoding::DataTable);
    std::fs::write(&declaration, toml).map_err(ToolError::file(&declaration))?;
    let program = find_program()?;
    let runs = scope.choose(5, 2);
    let mut kinds: Vec<(&str, usize)> =
        vec![("mh-pc-f", machine::thread_count()), ("mh-pc-b", machine::thread_count())];
    if machine::thread_count() > 1 && !scope.quick {
        kinds.extend([("mh-pc-f", 1), ("mh-pc-b", 1)]);
    }
    let mut found: Vec<Vec<CommandRun>> = kinds.iter().map(|_| Vec::new()).collect();
    for _ in 0..runs {
        for ((method, threads), found) in kinds.iter().zip(&mut found) {
            let mut command = Command::new(&program);
            command.arg("mine").args(CENSUS.files(&folder));
            command.args(["--target", CENSUS.target, "--drop-continuous"]);
            command.arg("--declare").arg(&declaration);
            command.args(["--preset", "paper", "--method", method, "--threads", &threads.to_string()]);
            found.push(CommandRun::new(command, &scratch.0)?);
        }
    }
    text += &format!(
        "`concause mine census-income.data.gz census-income.test.gz --target '{}' --declare census.toml \
         --drop-continuous --preset paper --method METHOD --threads N --format json`\n\n{runs} interleaved runs of \
         each: the shortest time of each stage, the spread of the search time, and the largest peak memory \
         (VmHWM).\n\n",
        CENSUS.target
    );
    let mut table = TextTable::new([
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
        let stage = |seconds: fn(&CommandRun) -> f64| TaskTimes::new("", runs.iter().map(seconds).collect());
        let search = stage(|run| run.search);
        let Some(first) = runs.first() else { continue };
        assert!(runs.iter().all(|run| run.tests == first.tests), "the same tests in every run");
        table.add_row([
            (*method).to_owned(),
            threads_label(*threads),
            duration(stage(|run| run.read).minimum()),
            duration(stage(|run| run.encode).minimum()),
            duration(search.minimum()),
            whole_percent(search.spread()),
            thousands(first.tests),
            three_digits(first.tests as f64 / search.minimum() / 1e6),
            first.causes.to_string(),
            format!("{:.0} MB", runs.iter().map(|run| run.peak).max().unwrap_or(0) as f64 / 1e6),
        ]);
    }
    text += &table.to_markdown();
    text += "\nGoals: search under 6 s, peak memory under 300 MB. `cargo bench -p concause-io --bench reading` \
             compares reading and encoding with the `csv` crate.\n";
    Ok(BenchmarkResult::without_figures(text))
}

/// The command: the environment variable `CONCAUSE`, or a new build.
pub fn find_program() -> Result<PathBuf, ToolError> {
    if let Some(named) = std::env::var_os("CONCAUSE") {
        return Ok(named.into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let build = ["build", "--release", "--quiet", "--package", "concause-cli"];
    let status = Command::new(cargo).args(build).current_dir(env!("CARGO_MANIFEST_DIR")).status();
    let failed = |problem: &str| ToolError::Program { program: "cargo".into(), problem: problem.into() };
    if !status.map_err(ToolError::program("cargo"))?.success() {
        return Err(failed("the command cannot be built; set CONCAUSE to a program that is already built"));
    }
    // This program is in target/PROFILE.
    let here = std::env::current_exe().map_err(ToolError::program("concause-bench"))?;
    let target = here.parent().and_then(Path::parent);
    let target = target.ok_or_else(|| failed("this program is not in a target folder"))?;
    Ok(target.join("release").join(format!("concause{}", std::env::consts::EXE_SUFFIX)))
}

/// The result of one run, and its peak memory in bytes.
struct CommandRun {
    read: f64,
    encode: f64,
    search: f64,
    tests: u64,
    causes: usize,
    peak: u64,
}

impl CommandRun {
    fn new(mut command: Command, scratch: &Path) -> Result<Self, ToolError> {
        let result = scratch.join("result.json");
        command.args(["--format", "json", "--quiet", "-o"]).arg(&result).stdin(Stdio::null());
        let mut child = command.spawn().map_err(ToolError::program("concause"))?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        let exit = loop {
            peak = peak.max(peak_memory(&status));
            match child.try_wait().map_err(ToolError::program("concause"))? {
                Some(exit) => break exit,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        if !exit.success() {
            return Err(ToolError::Program { program: "concause".into(), problem: exit.to_string() });
        }
        let text = std::fs::read(&result).map_err(ToolError::file(&result))?;
        let found: Value = serde_json::from_slice(&text)?;
        let seconds = |stage: &str| found["timing"][stage].as_f64().unwrap_or(f64::NAN);
        let levels = found["levels"].as_array().map_or(&[][..], |levels| levels);
        Ok(CommandRun {
            read: seconds("read_seconds"),
            encode: seconds("encode_seconds"),
            search: seconds("search_seconds"),
            tests: levels.iter().filter_map(|level| level["tests"].as_u64()).sum(),
            causes: found["causes"].as_array().map_or(0, Vec::len),
            peak,
        })
    }
}

/// The peak memory of a process in bytes; 0 if it is unknown.
fn peak_memory(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    1024 * kilobytes.unwrap_or(0)
}

/// A folder that is removed at the end.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Result<Self, ToolError> {
        let folder = std::env::temp_dir().join(format!("concause-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(ToolError::file(&folder))?;
        Ok(Self(folder))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A temporary folder that remains does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

//! Other programs on the same data: `benches/peers.py` runs those that are installed.

use std::path::Path;
use std::process::{Command, Stdio};

use concause_bench::error::ToolError;

use crate::census_runs::find_program;
use crate::scope::{BenchmarkResult, Scope};

/// Runs the script and returns its tables.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py");
    let here = std::env::current_exe().map_err(ToolError::program("concause-bench"))?;
    let mut command = Command::new("python3");
    command.arg(script).env("CONCAUSE_BENCH", here).env("CONCAUSE", find_program()?).stderr(Stdio::inherit());
    if scope.quick {
        command.arg("--quick");
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            let text = format!("Skipped: python3 cannot be started ({error}).\n");
            return Ok(BenchmarkResult::without_figures(text));
        }
    };
    if !output.status.success() {
        let problem = output.status.to_string();
        return Err(ToolError::Program { program: "benches/peers.py".into(), problem });
    }
    Ok(BenchmarkResult::without_figures(String::from_utf8_lossy(&output.stdout).into_owned()))
}

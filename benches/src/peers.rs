//! Other programs on the same data: `benches/peers.py` asks those that are installed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::part::{Report, Scope};
use crate::runs;

/// Runs the script and takes over its tables.
pub fn run(scope: &Scope) -> Result<Report, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py");
    let here = std::env::current_exe().map_err(|error| format!("where am I: {error}"))?;
    let mut command = Command::new("python3");
    command
        .arg(script)
        .env("CONCAUSE_BENCH", here)
        .env("CONCAUSE", runs::program()?)
        .stderr(Stdio::inherit());
    if scope.quick {
        command.arg("--quick");
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            let text = format!("Skipped: python3 could not be started ({error}).\n");
            return Ok(Report { text, figures: Vec::new() });
        }
    };
    if !output.status.success() {
        return Err(format!("benches/peers.py failed: {}", output.status));
    }
    Ok(Report { text: String::from_utf8_lossy(&output.stdout).into_owned(), figures: Vec::new() })
}

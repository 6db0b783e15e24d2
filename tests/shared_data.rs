//! The data sets of the paper, which are not part of the project. They are expected in `../shared/data`, or in the
//! folder that `CONCAUSE_DATA` names. If a file is absent, the test is skipped with a message. In continuous
//! integration (`CI=true`) it fails instead.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The path of a file or folder of the data, if it exists.
pub fn shared_data(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("CONCAUSE_DATA").map_or_else(beside, PathBuf::from).join(name);
    if path.exists() {
        return Some(path);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!in_ci, "{} is absent, and CI=true requires it", path.display());
    // The test runner captures `eprintln!` but not this.
    let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
    None
}

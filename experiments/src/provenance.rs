//! The state of the code, the date and the machine of the results.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::Command;

use concause::count::kernel::Kernel;
use concause_bench::machine::{processor_model, utc_date};
use serde::{Deserialize, Serialize};

/// The origin of results. The store keeps it with them, so that a resumed run reports the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The commit, and whether files differ from it.
    pub commit: String,
    /// The date in UTC, such as 2026-01-31.
    pub date: String,
    /// The processor, the threads and the kernel.
    pub machine: String,
}

impl Provenance {
    /// The origin of results that are computed now.
    pub fn now(root: &Path) -> Self {
        let commit = run_git(root, &["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".into());
        let changed = run_git(root, &["status", "--porcelain", "--", "crates", "experiments", "Cargo.lock"]);
        let modified = if changed.is_some_and(|changed| !changed.is_empty()) { ", with changes" } else { "" };
        let machine = format!(
            "{}, {} threads, counting kernel {}",
            processor_model(),
            rayon::current_num_threads(),
            Kernel::fastest().name()
        );
        Provenance { commit: commit + modified, date: utc_date(), machine }
    }
}

/// A name for the state of the code on which results depend: the committed libraries and their changes.
pub fn code_state(root: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    for crate_name in ["concause", "concause-io"] {
        run_git(root, &["rev-parse", &format!("HEAD:crates/{crate_name}")]).hash(&mut hasher);
    }
    run_git(root, &["diff", "HEAD", "--", "crates/concause", "crates/concause-io"]).hash(&mut hasher);
    format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

fn run_git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_unknown_without_git() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Provenance::now(folder.path()).commit, "unknown");
    }
}

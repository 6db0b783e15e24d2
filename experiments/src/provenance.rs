//! Which state of the code made the results, when, and on what machine.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use concause::count::kernel::Kernel;
use serde::{Deserialize, Serialize};

/// Where results come from. It is kept with them, so that a run that is resumed says the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The commit, and whether files differed from it.
    pub commit: String,
    /// The day in UTC, as 2026-01-31.
    pub day: String,
    /// The processor, the threads and the kernel.
    pub machine: String,
}

impl Provenance {
    /// As of now.
    pub fn now(root: &Path) -> Self {
        let commit = git(root, &["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".into());
        let changed = git(root, &["status", "--porcelain", "--", "crates", "experiments", "Cargo.lock"]);
        let modified = if changed.is_some_and(|changed| !changed.is_empty()) { ", with changes" } else { "" };
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Provenance { commit: commit + modified, day: day(seconds / 86_400), machine: machine() }
    }
}

/// A word for the state of the code that results depend on: the libraries as committed, and what was changed since.
pub fn state_of_code(root: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    for crate_name in ["concause", "concause-io"] {
        git(root, &["rev-parse", &format!("HEAD:crates/{crate_name}")]).hash(&mut hasher);
    }
    git(root, &["diff", "HEAD", "--", "crates/concause", "crates/concause-io"]).hash(&mut hasher);
    format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    let threads = rayon::current_num_threads();
    format!("{model}, {threads} threads, counting kernel {}", Kernel::fastest().name())
}

/// The day so many days after 1970-01-01 (Hinnant's `civil_from_days`).
fn day(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March, so that the leap day is their last.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!([0, 11_016, 20_454].map(day), ["1970-01-01", "2000-02-29", "2026-01-01"]);
    }

    #[test]
    fn without_git_nothing_is_claimed() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Provenance::now(folder.path()).commit, "unknown");
    }
}

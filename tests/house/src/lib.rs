//! Reads the source code of the workspace for the tests of its structure.
//!
//! - `tests/dependencies.rs`: no module and no crate uses one to its right; generates the map of modules in
//!   `CONTRIBUTING.md`.
//! - `tests/prose.rs`: lines of prose have at most 120 characters.
//! - `tests/vocabulary.rs`: names follow the vocabulary of the project; no public type shares its name.
//!
//! ```console
//! $ cargo test -p house-rules                      # all of them
//! $ cargo test -p house-rules --test vocabulary    # one of them, with a list of violations
//! $ UPDATE_PAGES=1 cargo test -p house-rules       # rewrite the map; review the difference
//! ```
//!
//! The sources are parsed, not compiled: macros are not expanded, and code behind any `cfg` other than `cfg(test)` is
//! read whatever the platform. Nothing here knows a name of the project; the lists of modules, crates and words are in
//! the tests.

pub mod map;
pub mod order;
pub mod page;
pub mod references;
pub mod resolve;
pub mod source;
pub mod vocabulary;

use std::path::PathBuf;

/// The root directory of the workspace.
pub fn workspace_root() -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    PathBuf::from(root).canonicalize().expect("the workspace contains this crate")
}

//! One run of concause, from a request and a table to a result.
//!
//! ```
//! use concause_run::requests::{DataRequest, MineRequest};
//! use concause::progress::NoProgress;
//! use concause_run::{Input, mine};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("fire.csv");
//! # let cell = |is_one: bool| u8::from(is_one);
//! # let row = |row: u32| (row % 2, cell(row % 3 == 0), cell(row % 2 == 0 || row % 5 == 0));
//! # let rows = (0..400).map(row).map(|(wind, dry, fire)| format!("{wind},{dry},{fire}\n"));
//! # std::fs::write(&path, format!("wind,dry,fire\n{}", rows.collect::<String>()))?;
//! let request = MineRequest {
//!     data: DataRequest { target: "fire".into(), ..Default::default() },
//!     ..Default::default()
//! };
//! let run = mine(Input::from_path(&path), &request, &NoProgress)?;
//! for cause in &run.document.causes {
//!     println!("{}: p = {:.2e}", cause.name, cause.p_value);
//! }
//! println!("{}", run.explain(&["dry".into()])?[0].sentence);
//! # assert_eq!(run.document.causes[0].name, "wind=0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crates below this one do the same in separate steps:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("fire.csv");
//! # let cell = |is_one: bool| u8::from(is_one);
//! # let row = |row: u32| (cell(row % 3 == 0), cell(row % 5 < 2), cell(row % 15 == 0 || row % 7 == 0));
//! # let rows = (0..4000).map(row).map(|(stub, brush, fire)| format!("{stub},{brush},{fire}\n"));
//! # std::fs::write(&path, format!("stub,dry_brush,fire\n{}", rows.collect::<String>()))?;
//! let table = concause_io::read(&path)?;
//! let data = table.encode_for("fire")?.dataset;
//! let mining = concause::Miner::new().max_level(2).mine(&data)?;
//! for cause in mining.causes() {
//!     println!("{} {:.1e} RR {:.2?}", cause.name(), cause.max_p_value(), cause.adjusted_risk_ratio());
//! }
//! println!("{}", concause_report::explain(&mining, "dry_brush")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Input`] is a table to read. The [`requests`] are plain values with defaults. [`mine()`], [`explain()`],
//! [`test()`], [`encode()`], [`compare()`], [`predict()`] and [`evaluate()`] correspond to the commands of these names,
//! and [`find_recipe()`] to `simulate`. [`Progress`](concause::progress::Progress) follows a run and can stop it; a
//! [`RunError`] says why there is no result.
//!
//! Front ends convert what the user gives into requests through the [`settings`], which define the flags of the
//! command and the keywords of the Python package with their help. This crate knows nothing of terminals and writes no
//! files.

mod compare;
mod encode;
mod error;
mod evaluate;
mod explain;
mod input;
mod knowledge;
mod load;
mod mine;
mod names;
mod predict;
mod progress;
#[cfg(feature = "remote")]
mod remote;
pub mod reproduce;
pub mod requests;
pub mod settings;
mod simulate;
mod test;
mod threads;

pub use compare::compare;
pub use encode::{apply_declaration, encode};
pub use error::{
    ErrorClass, ExecutorError, QueryFileProblem, RunError, SettingError, SettingProblem, describe, flag_name,
    keyword_name,
};
pub use evaluate::{Named, evaluate};
pub use explain::{Explanation, explain};
pub use input::Input;
pub use load::EncodedTable;
pub use mine::{Run, mine};
pub use predict::predict;
#[cfg(feature = "remote")]
pub use remote::{Partitions, mine_remote};
pub use simulate::find_recipe;
pub use test::{TestReport, test};
pub use threads::{run_on_threads, silence_caught_panics};

//! One run of concause, from settings and data to a result: what the command and the Python package have in common.
//!
//! An [`Input`] is a table to be read. The [`arguments`] are all settings there are, with their names and what is said of them. [`mine`], [`explain`],
//! [`test()`], [`encode`], [`compare`], [`evaluate`] and a [`Maker`] do what the commands of these names do, and return
//! what is to be shown. An [`Observer`] hears how far a run is and can interrupt it; a [`Failure`] is a sentence for whoever asked.
//!
//! The crate knows nothing of terminals and writes no files.

pub mod again;
pub mod arguments;
mod compare;
mod elsewhere;
mod encode;
mod evaluate;
mod explain;
mod failure;
mod input;
mod knowledge;
mod load;
mod mine;
mod names;
mod observer;
mod search;
mod simulate;
mod test;
mod threads;

pub use compare::compare;
pub use elsewhere::{Parts, mine_elsewhere};
pub use encode::{apply, encode};
pub use evaluate::{Named, evaluate};
pub use explain::{Explanation, explain};
pub use failure::Failure;
pub use input::Input;
pub use load::Loaded;
pub use mine::{Mined, mine};
pub use observer::{Observer, Unobserved};
pub use search::Search;
pub use simulate::Maker;
pub use test::{Answered, test};
pub use threads::{keep_caught_panics_quiet, on_threads};

//! The search for the causes of the target: HITON-PC, its multi-level forms, and the methods they are compared with.
//!
//! The files follow the listings of *Mining Combined Causes in Large Data Sets* (Ma, Li, Liu, Le; 2016) in
//! order and in names: `mh_pc` is Algorithm 2, with Algorithm 1 as its first level; `candidates` forms the
//! candidates of a level, `elimination` holds the forward and backward stages of both. `naive` runs HITON-PC and
//! PC-select over conjunctions as if they were columns. [`mine`] is the door to all of them, and to the
//! [`rules`](crate::rules).
//!
//! A search sees the data through a [`Counter`](crate::count::Counter) only; it knows nothing of bitmaps, files
//! or printing.

mod budget;
mod candidates;
mod contender;
mod context;
mod elimination;
mod explain;
mod findings;
mod ground;
mod knowledge;
mod mh_pc;
mod mh_pc_x;
mod mine;
mod naive;
mod paper_table;
mod rejected;
mod settings;
mod singles;
mod watch;

pub(crate) use budget::refuse_pairs_early;
pub(crate) use contender::{Contender, sort_open};
pub(crate) use context::Context;
pub use explain::{explain, explain_all};
pub use findings::{Cause, Findings, Level, Reason};
pub use knowledge::{Knowledge, Role};
pub use mine::mine;
pub use rejected::{Rejected, rejected};
pub use settings::{Method, Overlap, Preset, Settings, Twins};
pub use watch::{Unwatched, Watch};

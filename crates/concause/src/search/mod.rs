//! The search for the causes of the target: HITON-PC and its multi-level forms.
//!
//! The files follow the listings of *Mining Combined Causes in Large Data Sets* (Ma, Li, Liu, Le; 2016) in
//! order and in names: [`mine`] is Algorithm 2, with Algorithm 1 as its first level; `candidates` forms the
//! candidates of a level, `elimination` holds the forward and backward stages of both.
//!
//! A search sees the data through a [`Counter`](crate::count::Counter) only; it knows nothing of bitmaps, files
//! or printing.

mod candidates;
mod elimination;
mod explain;
mod findings;
mod ground;
mod mh_pc;
mod paper_table;
mod settings;
mod singles;
mod watch;

pub use explain::explain;
pub use findings::{Cause, Findings, Level, Reason};
pub use mh_pc::mine;
pub use settings::{Method, Overlap, Preset, Settings, Twins};
pub use watch::{Unwatched, Watch};

//! Search methods for the causes of the target: the default method, HITON-PC, multi-level HITON-PC, and the methods
//! they are compared with.
//!
//! The files follow the listings of *Mining Combined Causes in Large Data Sets* (Ma, Li, Liu, Le; 2016) in order and
//! in names: `mh_pc` is Algorithm 2, with Algorithm 1 as its first level; `candidates` forms the candidates of a
//! level; `elimination` holds the forward and backward stages of both. `joint` is the default method, a posterior over
//! sets of causes. `naive` runs HITON-PC and PC-select with conjunctions treated as columns. `rules` finds causal
//! rules. `method` registers all methods; [`mine`] runs one.
//!
//! A search reads the data only through a [`Counter`](crate::count::Counter). It knows nothing about bitmaps, files or
//! printing.

mod budget;
mod candidacy;
mod candidates;
mod conditioning_sets;
mod context;
mod elimination;
mod explain;
mod findings;
mod joint;
mod knowledge;
mod method;
mod mh_pc;
mod mine;
mod naive;
mod paper_table;
mod rejections;
pub mod rules;
mod settings;
mod singles;

pub(crate) use context::Context;
pub(crate) use explain::explain_all;
pub use findings::{Findings, FoundCause, LevelSummary, Reason};
pub use joint::{ColumnSet, Posterior};
pub use knowledge::{Knowledge, Role};
pub use method::{Levels, Method, MethodDescriptor, UnknownMethod};
pub(crate) use mine::search;
pub use mine::{mine, mine_counted};
pub use rejections::Rejection;
pub(crate) use rejections::rejections;
pub use settings::{Duplicates, Overlap, Preset, Settings};

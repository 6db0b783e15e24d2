//! Search methods for the causes of the target: the default method, HITON-PC, multi-level HITON-PC, and the methods
//! they are compared with.
//!
//! The files follow the listings of *Mining Combined Causes in Large Data Sets* (Ma, Li, Liu, Le; 2016) in order and
//! in names. A module uses only modules to its left:
//!
//! ```text
//! settings → findings → context → candidates → elimination → mh_pc, naive, rules, joint → explanation → mine
//! ```
//!
//! `settings` registers the methods. `context` holds what every method starts from. `candidates` forms the candidates
//! of a level; `elimination` holds the forward and backward stages; `mh_pc` is Algorithm 2, with Algorithm 1 as its
//! first level. `naive` runs HITON-PC and PC-select with conjunctions treated as columns. `rules` finds causal rules.
//! `joint` is the default method, a posterior over sets of causes. `explanation` finds the reasons that a search did
//! not record, and [`mine`] runs the method of the settings.
//!
//! A search reads the data only through a [`Counter`](crate::count::Counter). It knows nothing about bitmaps, files or
//! printing.

mod candidates;
mod context;
mod elimination;
mod explanation;
mod findings;
mod joint;
mod mh_pc;
mod mine;
mod naive;
pub mod rules;
mod settings;

pub(crate) use context::Context;
pub use explanation::Rejection;
pub(crate) use explanation::{explain_all, rejections};
pub use findings::{AttributeSet, CutRange, Findings, FoundCause, LevelSummary, Posterior, Reason};
pub(crate) use mine::search;
pub use mine::{mine, mine_counted};
pub use settings::{
    Duplicates, Knowledge, Levels, Method, MethodDescriptor, Overlap, Preset, Role, Settings, UnknownMethod,
};

//! Tells the result of a search to people and to machines.
//!
//! Everything starts from a [`Document`]: the one type that is a result, made from the
//! [`Findings`](concause::search::Findings) of a search and written as the JSON `concause/1`, from which it can be
//! read back. Each [`Format`] is one file that writes a document and sees nothing else; [`notebook`] and [`Plot`] give parts of its page, [`sentence`] and
//! [`reason_json`] tell the reason of a single candidate. Whoever else shows names or p-values to people uses
//! [`printable`] and [`p_phrase`], so that they look the same everywhere. [`summary`] and [`funnel`] are for those who watch a run. [`truth_to_json`] writes the truth of
//! simulated data, [`Evaluation`] tells how much of it was found, and [`Comparison`] how far several methods agree.
//!
//! ```
//! use concause::count::{Count, LocalCounter};
//! use concause::dataset::{DatasetBuilder, Target};
//! use concause::search::{Settings, Unwatched, mine};
//! use concause_report::{Document, Estimation, Format, Run, Timing};
//!
//! let outcome: Vec<bool> = (0..400).map(|row| row % 2 == 0).collect();
//! let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
//! builder.attribute("A", vec!["A".into()], (0..400).map(|row| (row % 2 == 0 || row % 5 == 0).then_some(0)));
//! let data = builder.finish();
//! let settings = Settings::default();
//! let findings = mine(&LocalCounter::new(&data), data.columns(), &settings, &Unwatched)?;
//!
//! let document = Document::new(Run {
//!     sources: vec!["fires.csv".into()],
//!     rows: Count { positive: data.positive(), negative: data.negative() },
//!     attributes: data.attributes().len(),
//!     columns: data.columns(),
//!     fingerprint: "0123456789abcdef".into(),
//!     weights: None,
//!     target: data.target(),
//!     settings: &settings,
//!     command: Vec::new(),
//!     findings: &findings,
//!     estimation: &Estimation::default(),
//!     rejected: None,
//!     stability: None,
//!     calibration: None,
//!     holdout: None,
//!     warnings: &[],
//!     notices: Vec::new(),
//!     timing: Timing::default(),
//! });
//! let mut page = Vec::new();
//! Format::Markdown.write(&document, &mut page)?;
//! assert!(String::from_utf8(page)?.contains("`A`"));
//! assert_eq!(Document::from_json(&document.to_json(true))?, document);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate knows nothing of files, of terminals (a caller says how wide and whether in colour) or of how a
//! cause was found.

mod caution;
mod comparison;
mod csv;
mod document;
mod dot;
mod error;
mod evaluation;
mod figures;
mod format;
mod html;
mod json;
mod markdown;
mod reason;
mod sheet;
mod summary;
mod table;
mod text;
mod truth;
mod wording;

pub use comparison::Comparison;
pub use document::{
    AdjustedEntry, CalibrationSummary, CandidateEntry, CandidatesSummary, CauseEntry, CellEntry, Challenger,
    ClassCounts, ConfirmationEntry, ContrastEntry, Counts, Data, DeciderEntry, Document, DuplicateEntry,
    EstimateEntry, EstimatedOn, Estimation, EvidenceEntry, Facts, Figures, HeldOut, HoldoutSummary,
    InteractionEntry, KnowledgeSummary, LevelEntry, Other, ReasonCount, RelationEntry, Run, SCHEMA,
    SettingsSummary, StabilitySummary, TargetSummary, Timing, WarningEntry, WeightsSummary, YieldSummary,
};
pub use error::Error;
pub use evaluation::{Evaluation, Pair};
pub use figures::p_phrase;
pub use format::Format;
pub use html::{Plot, notebook};
pub use reason::{reason_json, sentence};
pub use summary::{funnel, summary};
pub use table::{Style, Table};
pub use text::printable;
pub use truth::{truth_from_json, truth_to_json};
pub use wording::search_notice;

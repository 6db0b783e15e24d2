//! Renders the result of a search: as text, JSON, CSV, Markdown, Graphviz and HTML.
//!
//! ```
//! use concause::count::LocalCounter;
//! use concause::dataset::{DatasetBuilder, Target};
//! use concause::progress::NoProgress;
//! use concause::search::{Settings, mine};
//! use concause_report::{Document, DocumentInputs, TextStyle, find_format};
//!
//! // 400 rows: `wind` holds in all rows with a fire and in a few others.
//! let fire: Vec<bool> = (0..400).map(|row| row % 2 == 0).collect();
//! let mut builder = DatasetBuilder::new(Target { name: "fire".into(), value: None }, fire);
//! let wind = (0..400).map(|row| (row % 2 == 0 || row % 5 == 0).then_some(0));
//! builder.attribute("wind", vec!["wind".into()], wind);
//! let data = builder.finish();
//!
//! let settings = Settings::default();
//! let findings = mine(&data, &settings, &NoProgress)?;
//! let document = Document::new(DocumentInputs::new(&data, &settings, &findings));
//!
//! let page = find_format("markdown")?.render(&document, &TextStyle::default());
//! assert!(String::from_utf8(page)?.contains("| `wind` | 1 |"));
//! assert_eq!(Document::from_json(&document.to_json(true))?, document);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Document`] is a result: it is assembled from the [`Findings`](concause::search::Findings) of a search, and its
//! JSON form `concause/1` can be read back. Every other output is rendered from a document alone. [`FORMATS`] lists the
//! output formats, each of which is one file that implements [`OutputFormat`]. [`render_notebook`] and [`Plot`] render
//! parts of the HTML report.
//!
//! [`reason_sentence`] and [`reason_json`] explain a single candidate. [`Comparison`] compares methods, [`Evaluation`]
//! scores results against known causes, and [`truth_to_json`] writes those of simulated data.
//!
//! The crate does not know how a cause was found, and it accesses neither files nor terminals.

mod comparison;
mod csv;
mod descriptors;
pub mod document;
mod error;
mod evaluation;
mod formats;
mod measures;
mod notices;
mod numbers;
mod reason;
mod references;
mod run_summary;
mod sentences;
mod text;
mod text_table;
mod truth;

pub use comparison::{ComparedMethod, Comparison, Refusal};
pub use csv::csv_field;
pub use document::{Document, DocumentInputs, EstimatedOn, Estimation, HeldOut, SCHEMA, Timing};
pub use error::{DocumentError, TruthError, UnknownFormat};
pub use evaluation::{Evaluation, ScoredResult};
pub use formats::html::{Plot, render_notebook};
pub use formats::{FORMATS, OutputFormat, TextStyle, find_format};
pub use notices::search_notice;
pub use numbers::p_phrase;
pub use reason::{explain, reason_json, reason_sentence};
pub use run_summary::{summarise_run, summarise_steps};
pub use text::printable;
pub use truth::{truth_from_json, truth_to_json};

//! Reads tables from files and encodes them as the binary columns that concause searches.
//!
//! Data passes through two steps. [`read`] turns CSV, Parquet or Arrow sources into a [`Table`]: per attribute
//! a dictionary of its values and one small code per row. [`encode`] turns a [`Table`] into an [`Encoding`]:
//! the bitmaps of a [`concause::dataset::Dataset`], a legend that says what every column means, and notices of
//! all that was left out. A [`Declaration`] fixes types, values and cut points so that an encoding can be
//! shared.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let path = std::env::temp_dir().join(format!("concause-io-{}.csv", std::process::id()));
//! std::fs::write(&path, "smoker,wind,fire\nyes,low,1\nno,high,0\nyes,high,1\n")?;
//! let declaration = Declaration::default();
//! let sources = [Source::Path(path.clone())];
//! let table = read(&sources, &ReadOptions::default(), &declaration, &|_rows| ControlFlow::Continue(()))?;
//! let options = EncodeOptions { target: "fire".into(), ..EncodeOptions::default() };
//! let encoding = encode(table, &options, &declaration)?;
//! let names: Vec<&str> = encoding.dataset.columns().iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["smoker", "wind=high", "wind=low"]);
//! # std::fs::remove_file(path)?;
//! # Ok(())
//! # }
//! ```
//!
//! This crate knows nothing of searching.

mod declaration;
mod encode;
mod error;
mod names;
mod options;
mod order;
mod read;
mod source;
mod table;
mod toml_file;
mod write;

pub use declaration::Declaration;
pub use encode::{
    AttributeKind, Encoding, LegendColumn, LegendEntry, Notice, Weighting, apply, encode, parts,
};
pub use error::Error;
pub use names::{suggestion, suggestion_among};
pub use options::{Delimiter, EncodeOptions, Format, Holdout, MissingAs, ReadOptions, TextEncoding};
pub use order::Order;
#[cfg(feature = "arrow")]
pub use read::read_batches;
pub use read::{is_decoding, read};
pub use source::Source;
pub use table::Table;
#[cfg(feature = "arrow")]
pub use write::record_batch;
pub use write::write_parquet;

//! Reads tables from files and encodes them as the binary columns that [concause] searches.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("fire.csv");
//! std::fs::write(&path, "smoker,wind,fire\nyes,low,1\nno,high,0\nyes,high,1\n")?;
//! let table = concause_io::read(&path)?;
//! let encoding = table.encode_for("fire")?;
//! let names: Vec<&str> = encoding.dataset.columns().iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["smoker", "wind=low"]);
//! assert_eq!(encoding.dataset.positive(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! Data passes through two steps:
//!
//! 1. [`read`] reads delimited text, Parquet or Arrow into a [`Table`]: for each attribute a dictionary of its values
//!    and one small code per row. [`read_sources`] takes several files, [`ReadOptions`] and a progress callback;
//!    [`read_text`] reads text in memory, and [`read_batches`] reads Arrow record batches.
//! 2. [`Table::encode_for`] encodes the table as an [`Encoding`]: the bitmaps of a [`concause::dataset::Dataset`], a
//!    legend of all columns, and notices about everything that was left out. [`encode`] takes [`EncodeOptions`].
//!
//! A [`Declaration`] fixes types, values and cut points, so that an encoding can be reproduced:
//!
//! ```
//! use concause_io::{Declaration, EncodeOptions, encode, read_text};
//!
//! let table = read_text("age,sick\n31,no\n44,no\n67,yes\n72,yes\n")?;
//! let declaration = Declaration::parse("[[attribute]]\nname = \"age\"\ncuts = [40, 60]\n")?;
//! let options = EncodeOptions { target: "sick".into(), ..EncodeOptions::default() };
//! let encoding = encode(table, &options, &declaration)?;
//! assert_eq!(encoding.legend[0].columns[1].name, "age>=60");
//! # Ok::<(), concause_io::Error>(())
//! ```
//!
//! With the feature `remote`, the partitions of a distributed table are encoded where they are stored.
//!
//! This crate knows nothing of the search.

mod declaration;
mod encode;
mod error;
mod names;
mod options;
mod order;
mod read;
mod source;
mod table;
mod toml_text;
mod write;

pub use declaration::Declaration;
#[cfg(feature = "remote")]
pub use encode::partitions;
pub use encode::{
    AttributeKind, Encoding, LegendColumn, LegendEntry, Notice, Weighting, apply_declaration, encode,
};
pub use error::{
    ColumnError, DeclarationError, Error, ErrorKind, LimitError, NameDifference, OptionError, PartitionError,
    Position, SchemaError, SourceError, TargetError, TextError, TomlFileError, WeightsError,
};
pub use names::Suggestion;
#[doc(hidden)]
pub use names::{suggestion, suggestion_among};
pub use options::{Delimiter, EncodeOptions, Holdout, MissingAs, ReadOptions, Scheme, TextEncoding};
pub use order::Order;
#[doc(hidden)]
pub use read::is_decoding;
pub use read::labels::Labels;
#[cfg(feature = "arrow")]
pub use read::read_batches;
pub use read::{Cells, InputFormat, read, read_columns, read_sources, read_text};
pub use source::Source;
pub use table::Table;
pub use table::notation::DecimalMark;
#[cfg(feature = "arrow")]
pub use write::record_batch;
pub use write::{WRITES_PARQUET, write_parquet};

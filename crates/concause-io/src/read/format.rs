//! The input formats, each behind [`TableReader`] and registered in [`READERS`].

use std::fmt;
use std::str::FromStr;

use super::arrow::ArrowReader;
use super::builder::TableBuilder;
use super::excel::ExcelReader;
use super::foreign;
use super::genotypes::{BedReader, RawReader, VcfReader};
use super::json::JsonReader;
use super::parquet::ParquetReader;
use super::sas_transport::SasTransportReader;
use super::spss::SpssReader;
use super::sqlite::SqliteReader;
use super::stata::StataReader;
use super::text::TextReader;
use crate::error::{Error, OptionError, SourceError};
use crate::source::{OpenedSource, Source};

/// All readers. Text is the first: it reads every source that no other reader claims.
///
/// # How to add an input format
///
/// 1. Write `read/<format>.rs` with a type that implements [`TableReader`]. Its `read` method gives the names of the
///    columns to [`TableBuilder::begin_named`] and appends the cells as text ([`crate::table::Attribute::push`]). A
///    format that a crate decodes into Arrow record batches calls [`super::columnar::read_columnar`] instead.
/// 2. Add the type to this list.
/// 3. A reader with heavy dependencies goes behind a feature in `Cargo.toml`: its `read` method exists only with that
///    feature. Without it, the default method refuses the file and names the feature.
///
/// Names, extensions, detection, `--input-format` and its errors follow from the methods of the trait.
pub(crate) static READERS: &[&dyn TableReader] = &[
    &TextReader,
    &ParquetReader,
    &ArrowReader,
    &JsonReader,
    &ExcelReader,
    &StataReader,
    &SpssReader,
    &SasTransportReader,
    &SqliteReader,
    &BedReader,
    &RawReader,
    &VcfReader,
];

/// Reads one input format.
pub(crate) trait TableReader: Sync {
    /// The name of the format, as in `--input-format`.
    fn name(&self) -> &'static str;

    /// Other names of the format.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// The format with its article, to be followed by "file" in errors.
    fn title(&self) -> &'static str;

    /// The extensions of its files in lower case.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether the first bytes of a source are those of its files.
    fn recognises(&self, _: &OpenedSource) -> bool {
        false
    }

    /// The feature of this crate that the reader needs.
    fn feature(&self) -> &'static str {
        "default"
    }

    /// Appends the rows of a source to the table. The default refuses: this build lacks the feature of the reader.
    fn read(&self, _: &mut TableBuilder<'_>, source: &Source, _: OpenedSource) -> Result<(), Error> {
        let kind = SourceError::UnavailableFormat { format: self.title(), feature: self.feature() };
        Err(Error::new(kind).in_source(source))
    }
}

/// A format of input files, parsed from its name.
///
/// ```
/// use concause_io::InputFormat;
///
/// let format: InputFormat = "feather".parse()?;
/// assert_eq!(format.name(), "arrow");
/// # Ok::<(), concause_io::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct InputFormat(&'static dyn TableReader);

impl InputFormat {
    /// All formats.
    pub fn list() -> impl Iterator<Item = Self> {
        READERS.iter().map(|&reader| Self(reader))
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Detects the format of a source by its first bytes, then by its extension; otherwise it is text. Fails if it is
    /// known to be another format.
    pub(crate) fn detect(opened: &OpenedSource) -> Result<Self, SourceError> {
        let has_extension = |reader: &&&dyn TableReader| {
            opened.extension.as_deref().is_some_and(|it| reader.extensions().contains(&it))
        };
        let readers = || READERS.iter();
        if let Some(reader) = readers().find(|reader| reader.recognises(opened)) {
            return Ok(Self(*reader));
        }
        if let Some(foreign) = foreign::recognise(opened) {
            return Err(foreign);
        }
        // Tables of text are often called .xls, so that a spreadsheet program opens them.
        let is_text = |reader: &&&dyn TableReader| {
            opened.signature.is_empty() || reader.name() == "excel" && !foreign::is_binary(&opened.signature)
        };
        let by_extension = readers().find(has_extension).filter(|reader| !is_text(reader));
        Ok(Self(*by_extension.unwrap_or(&READERS[0])))
    }

    /// The reader of the format.
    pub(crate) fn reader(self) -> &'static dyn TableReader {
        self.0
    }
}

impl FromStr for InputFormat {
    type Err = Error;

    /// Parses the name of a format or one of its aliases, in any case.
    fn from_str(text: &str) -> Result<Self, Error> {
        let name = text.to_ascii_lowercase();
        let is_meant = |format: &Self| format.name() == name || format.0.aliases().contains(&name.as_str());
        Self::list().find(is_meant).ok_or_else(|| {
            let known = Self::list().map(Self::name).collect();
            OptionError::UnknownFormat { format: text.to_owned(), known }.into()
        })
    }
}

impl PartialEq for InputFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for InputFormat {}

impl fmt::Debug for InputFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "InputFormat({:?})", self.name())
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_are_unique() {
        let names =
            READERS.iter().flat_map(|reader| std::iter::once(reader.name()).chain(reader.aliases().to_vec()));
        let extensions = READERS.iter().flat_map(|reader| reader.extensions().to_vec());
        for mut texts in [names.collect::<Vec<_>>(), extensions.collect()] {
            let count = texts.len();
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), count, "{texts:?}");
        }
    }

    fn opened(name: &str, content: &str) -> OpenedSource {
        let source = Source::Bytes { name: name.into(), bytes: content.as_bytes().into() };
        OpenedSource::open(&source, None).unwrap()
    }

    #[test]
    fn formats_are_detected_by_first_bytes_then_by_extension() {
        let cases = [
            ("a.csv", "1,2", "text"),
            ("a.pq", "1,2", "parquet"),
            ("a.feather", "PAR1....", "parquet"),
            ("a.csv", "ARROW1", "arrow"),
            ("a.data", "PAR1....", "parquet"),
            ("a.xls", "a\tb\n1\t2\n", "text"),
            ("a.parquet", "", "text"),
            ("a.data", "PAR", "text"),
        ];
        for (name, content, expected) in cases {
            let format = InputFormat::detect(&opened(name, content)).unwrap();
            assert_eq!(format.name(), expected, "{name} {content}");
        }
        let error = "xyz".parse::<InputFormat>().unwrap_err().to_string();
        assert!(error.starts_with("the format \"xyz\" is not known; give text, parquet, arrow"), "{error}");
    }

    #[test]
    fn formats_without_a_reader_are_named() {
        for (content, expected) in [
            ("RDX3\nX\n", "R workspace"),
            ("%PDF-1.7", "PDF"),
            ("<!DOCTYPE html><table>", "web page"),
            ("12345678DUCK", "DuckDB"),
        ] {
            let sentence = InputFormat::detect(&opened("a.csv", content)).unwrap_err().to_string();
            assert!(sentence.contains(expected), "{sentence}");
        }
    }
}

//! The output formats: one file each, one trait, one registry.
//!
//! To add a format, write a file with a type that implements [`OutputFormat`], list it in [`FORMATS`] and add a
//! snapshot to `tests/formats.rs`. The command, the Python package and the tests read the registry.

mod csv;
mod dot;
pub(crate) mod html;
mod json;
mod markdown;
mod table;

use std::fmt;

use crate::comparison::Comparison;
use crate::document::Document;
use crate::error::UnknownFormat;
use crate::evaluation::Evaluation;

/// All formats, in the order in which help texts list them.
pub static FORMATS: &[&dyn OutputFormat] = &[
    &table::TextFormat,
    &json::JsonFormat,
    &csv::CsvFormat,
    &markdown::MarkdownFormat,
    &dot::DotFormat,
    &html::HtmlFormat,
];

/// A format for results.
pub trait OutputFormat: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What the format is for, in one line without a full stop.
    fn description(&self) -> &'static str;

    /// The usual file extension, without the dot.
    fn extension(&self) -> &'static str;

    /// The contents of a file with this result. Formats that are not for a terminal ignore the style.
    fn render(&self, document: &Document, style: &TextStyle) -> Vec<u8>;

    /// A comparison of methods, or `None` if the format is for single results only.
    fn render_comparison(&self, _: &Comparison) -> Option<String> {
        None
    }

    /// An evaluation, or `None` if the format is for single results only.
    fn render_evaluation(&self, _: &Evaluation) -> Option<String> {
        None
    }

    /// Whether the format can render comparisons and evaluations.
    fn supports_comparisons(&self) -> bool {
        false
    }

    /// Whether people read the output on a terminal.
    fn suits_terminal(&self) -> bool {
        true
    }
}

impl fmt::Debug for dyn OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How text is laid out on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// The width of a line in terminal cells; `None` for as wide as the contents.
    pub width: Option<usize>,
    /// Whether to use ANSI colours.
    pub colour: bool,
}

/// The format with this name.
pub fn find_format(name: &str) -> Result<&'static dyn OutputFormat, UnknownFormat> {
    let found = FORMATS.iter().copied().find(|format| format.name() == name);
    found.ok_or_else(|| UnknownFormat {
        name: name.to_owned(),
        known: FORMATS.iter().map(|format| format.name()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_name() {
        for format in FORMATS {
            assert_eq!(find_format(format.name()).map(|found| found.name()), Ok(format.name()));
            assert!(!format.extension().is_empty() && !format.description().ends_with('.'), "{format:?}");
        }
        let error = find_format("xml").expect_err("no such format");
        assert_eq!(
            error.to_string(),
            "there is no format 'xml'; choose one of table, json, csv, markdown, dot, html"
        );
    }

    #[test]
    fn a_format_renders_what_it_supports() {
        let (comparison, evaluation) = (Comparison::default(), Evaluation::default());
        for format in FORMATS {
            let supported = format.supports_comparisons();
            assert_eq!(format.render_comparison(&comparison).is_some(), supported, "{format:?}");
            assert_eq!(format.render_evaluation(&evaluation).is_some(), supported, "{format:?}");
        }
    }
}

//! The formats a document can be written in, each a file of this crate.
//!
//! To add one: write its file with a `write` like the others', then add it to the enum, `ALL`, `name` and
//! `write` below; the compiler and the tests ask for the rest.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use crate::document::Document;
use crate::{csv, dot, html, json, markdown, table};

/// A format a document can be written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Aligned columns, for a terminal.
    #[default]
    Table,
    /// The JSON `concause/1`, from which a document can be read back.
    Json,
    /// One line per cause, for spreadsheets and data frames.
    Csv,
    /// A page to paste into an issue or a notebook.
    Markdown,
    /// The graph of the causes and the target, for Graphviz.
    Dot,
    /// One file with everything, to put before others.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Format] =
        &[Format::Table, Format::Json, Format::Csv, Format::Markdown, Format::Dot, Format::Html];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Table => "table",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "markdown",
            Format::Dot => "dot",
            Format::Html => "html",
        }
    }

    /// Writes a document in this format: the table without colour and in full width, the JSON indented.
    pub fn write(self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Format::Table => table::write(document, out),
            Format::Json => json::write(document, out),
            Format::Csv => csv::write(document, out),
            Format::Markdown => markdown::write(document, out),
            Format::Dot => dot::write(document, out),
            Format::Html => html::write(document, out),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Format::ALL.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
            format!("there is no format '{name}'; choose one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_formats() {
        for &format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "xml".parse::<Format>().expect_err("there is no such format");
        assert_eq!(error, "there is no format 'xml'; choose one of table, json, csv, markdown, dot, html");
    }
}

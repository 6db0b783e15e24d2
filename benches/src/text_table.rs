//! Tables of text as Markdown and as CSV.

use std::borrow::Cow;
use std::fmt::Write as _;

use concause_simulate::quote_csv_field;

/// Rows of text below a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn add_row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }

    /// Whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in GitHub's Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = String::new();
        let mut add_line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        };
        add_line(&self.header);
        add_line(&vec!["---".to_owned(); self.header.len()]);
        self.rows.iter().for_each(|row| add_line(row));
        out
    }

    /// The table as CSV with a header.
    pub fn to_csv(&self) -> String {
        let line = |cells: &Vec<String>| {
            let fields: Vec<Cow<'_, str>> = cells.iter().map(|cell| csv_field(cell)).collect();
            fields.join(",") + "\n"
        };
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
    }
}

/// A field of CSV, quoted where necessary. An empty field is not quoted.
pub fn csv_field(text: &str) -> Cow<'_, str> {
    if text.is_empty() { text.into() } else { quote_csv_field(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_and_csv() {
        let mut table = TextTable::new(["a", "b, c"]);
        assert!(table.is_empty());
        table.add_row(["x|y", "say \"z\""]);
        table.add_row(["short"]);
        assert_eq!(table.to_markdown(), "| a | b, c |\n| --- | --- |\n| x\\|y | say \"z\" |\n| short |  |\n");
        assert_eq!(table.to_csv(), "a,\"b, c\"\nx|y,\"say \"\"z\"\"\"\nshort,\n");
    }
}

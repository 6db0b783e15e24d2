//! Small tables of names and numbers for a terminal and for Markdown.

use crate::text::{code_span, display_width, escape_markdown, printable};

/// A cell. Names come from the data and are left-aligned; numbers are right-aligned.
pub(crate) enum TextCell {
    Name(String),
    Number(String),
}

/// A table. Each row has one cell per heading, and all cells of a column are of one kind.
pub(crate) struct TextTable {
    pub headings: Vec<String>,
    pub rows: Vec<Vec<TextCell>>,
}

/// How a page of titles, sentences and tables is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageSyntax {
    Terminal,
    Markdown,
}

impl PageSyntax {
    pub fn render_title(self, words: &str) -> String {
        match self {
            PageSyntax::Terminal => words.to_owned(),
            PageSyntax::Markdown => format!("## {words}"),
        }
    }

    /// A name within a sentence.
    pub fn render_name(self, name: &str) -> String {
        match self {
            PageSyntax::Terminal => printable(name),
            PageSyntax::Markdown => code_span(name),
        }
    }

    /// A sentence that may contain names.
    pub fn render_sentence(self, sentence: &str) -> String {
        match self {
            PageSyntax::Terminal => printable(sentence),
            PageSyntax::Markdown => escape_markdown(sentence),
        }
    }

    /// A page of paragraphs.
    pub fn render_page(self, paragraphs: &[String]) -> String {
        paragraphs.join("\n\n") + "\n"
    }

    pub fn render_table(self, table: &TextTable) -> String {
        match self {
            PageSyntax::Terminal => table.align(),
            PageSyntax::Markdown => table.to_markdown(),
        }
    }
}

impl TextCell {
    fn is_name(&self) -> bool {
        matches!(self, TextCell::Name(_))
    }
}

impl TextTable {
    /// Whether a column contains names; in a table without rows this does not matter.
    fn holds_names(&self, column: usize) -> bool {
        self.rows.first().and_then(|row| row.get(column)).is_some_and(TextCell::is_name)
    }

    /// Columns aligned with spaces, without trailing spaces.
    fn align(&self) -> String {
        let shown = |cell: &TextCell| match cell {
            TextCell::Name(text) => printable(text),
            TextCell::Number(text) => text.clone(),
        };
        let mut lines = vec![self.headings.clone()];
        lines.extend(self.rows.iter().map(|row| row.iter().map(shown).collect()));
        let width = |column: usize| {
            lines
                .iter()
                .filter_map(|line| line.get(column))
                .map(|cell| display_width(cell))
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.headings.len()).map(width).collect();
        let written: Vec<String> = lines
            .iter()
            .map(|line| {
                let cells = line.iter().enumerate().map(|(column, cell)| {
                    let padding = " ".repeat(widths[column].saturating_sub(display_width(cell)));
                    if self.holds_names(column) {
                        format!("{cell}{padding}")
                    } else {
                        format!("{padding}{cell}")
                    }
                });
                cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
            })
            .collect();
        written.join("\n")
    }

    /// A table in GitHub-flavoured Markdown.
    fn to_markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
        };
        let marks = |column| if self.holds_names(column) { ":---" } else { "---:" }.to_owned();
        let mut lines =
            vec![line(&mut self.headings.iter().cloned()), line(&mut (0..self.headings.len()).map(marks))];
        lines.extend(self.rows.iter().map(|row| {
            line(&mut row.iter().map(|cell| match cell {
                TextCell::Name(text) => code_span(text),
                TextCell::Number(text) => text.clone(),
            }))
        }));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_left_aligned_and_numbers_right_aligned() {
        let row =
            |name: &str, number: &str| vec![TextCell::Name(name.into()), TextCell::Number(number.into())];
        let headings = vec!["cause".to_owned(), "hits".to_owned()];
        let table = TextTable { headings, rows: vec![row("a|b\n日本", "1"), row("c", "10,000")] };
        assert_eq!(
            PageSyntax::Terminal.render_table(&table),
            "cause        hits\na|b\\n日本       1\nc          10,000"
        );
        assert_eq!(
            PageSyntax::Markdown.render_table(&table),
            "| cause | hits |\n| :--- | ---: |\n| <code>a&#124;b&#92;n日本</code> | 1 |\n| `c` | 10,000 |"
        );
    }
}

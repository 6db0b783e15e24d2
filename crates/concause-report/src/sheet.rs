//! Small tables of names and figures, the same for a terminal and for Markdown.

use crate::markdown::{code, plain};
use crate::text::{display_width, printable};

/// A cell: names are to the left and come from the data, figures are to the right.
pub(crate) enum Cell {
    Name(String),
    Figure(String),
}

/// A table: one cell a heading in each row, all cells of a column of one kind.
pub(crate) struct Sheet {
    pub headings: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// How a page of titles, sentences and sheets is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Terminal,
    Markdown,
}

impl Look {
    pub fn title(self, words: &str) -> String {
        match self {
            Look::Terminal => words.to_owned(),
            Look::Markdown => format!("## {words}"),
        }
    }

    /// A name within a sentence.
    pub fn name(self, name: &str) -> String {
        match self {
            Look::Terminal => printable(name),
            Look::Markdown => code(name),
        }
    }

    /// A sentence that may hold names.
    pub fn words(self, sentence: &str) -> String {
        match self {
            Look::Terminal => printable(sentence),
            Look::Markdown => plain(sentence),
        }
    }

    /// Paragraphs as a page.
    pub fn page(self, paragraphs: &[String]) -> String {
        paragraphs.join("\n\n") + "\n"
    }

    pub fn sheet(self, sheet: &Sheet) -> String {
        match self {
            Look::Terminal => sheet.aligned(),
            Look::Markdown => sheet.piped(),
        }
    }
}

impl Cell {
    fn is_name(&self) -> bool {
        matches!(self, Cell::Name(_))
    }
}

impl Sheet {
    /// Whether a column holds names; one without rows does not matter.
    fn holds_names(&self, column: usize) -> bool {
        self.rows.first().and_then(|row| row.get(column)).is_some_and(Cell::is_name)
    }

    /// Columns aligned with spaces; no line ends in one.
    fn aligned(&self) -> String {
        let shown = |cell: &Cell| match cell {
            Cell::Name(text) => printable(text),
            Cell::Figure(text) => text.clone(),
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

    /// A table of GitHub's Markdown.
    fn piped(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
        };
        let marks = |column| if self.holds_names(column) { ":---" } else { "---:" }.to_owned();
        let mut lines =
            vec![line(&mut self.headings.iter().cloned()), line(&mut (0..self.headings.len()).map(marks))];
        lines.extend(self.rows.iter().map(|row| {
            line(&mut row.iter().map(|cell| match cell {
                Cell::Name(text) => code(text),
                Cell::Figure(text) => text.clone(),
            }))
        }));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_left_and_figures_right() {
        let row = |name: &str, figure: &str| vec![Cell::Name(name.into()), Cell::Figure(figure.into())];
        let headings = vec!["cause".to_owned(), "hits".to_owned()];
        let sheet = Sheet { headings, rows: vec![row("a|b\n日本", "1"), row("c", "10,000")] };
        assert_eq!(Look::Terminal.sheet(&sheet), "cause        hits\na|b\\n日本       1\nc          10,000");
        assert_eq!(
            Look::Markdown.sheet(&sheet),
            "| cause | hits |\n| :--- | ---: |\n| <code>a&#124;b&#92;n日本</code> | 1 |\n| `c` | 10,000 |"
        );
    }
}

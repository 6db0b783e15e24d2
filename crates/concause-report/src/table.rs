//! A result for a terminal: aligned columns, cut to the width of the screen.
//!
//! The widest line is the caller's to say, as is colour; this file does not look at the terminal.

use std::io::{self, Write};

use crate::document::{CauseEntry, Document};
use crate::figures::{p_value, percent, ratio, statistic};
use crate::text::{cut, display_width, listed, printable};
use crate::wording;

/// How a table is to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The cells in a line, or `None` for as wide as the names are.
    pub width: Option<usize>,
    /// Whether to use ANSI colours.
    pub colour: bool,
}

/// The format for terminals.
#[derive(Clone, Copy, Debug)]
pub struct Table;

impl Table {
    /// The whole text, ended by a newline. No line of the table itself is wider than the style allows, down to
    /// a width of some twenty cells; sentences are left to the terminal to wrap.
    pub fn render(document: &Document, style: &Style) -> String {
        let target = printable(&document.target.label());
        let mut text = String::new();
        let mut paragraph = |lines: &[String]| {
            if !text.is_empty() {
                text.push('\n');
            }
            for line in lines {
                text.push_str(line);
                text.push('\n');
            }
        };
        if !document.complete {
            paragraph(&[style.paint(BOLD, wording::INCOMPLETE)]);
        }
        paragraph(&[style.paint(BOLD, &wording::title(document, &target))]);
        if document.causes.is_empty() {
            paragraph(&[wording::nothing_found(document, &target)]);
        } else {
            paragraph(&Grid::new(document, style.width).lines(style));
        }
        let together = wording::together(document, printable);
        if !together.is_empty() {
            paragraph(&together);
        }
        let equivalents: Vec<String> = document.causes.iter().filter_map(equivalents).collect();
        if !equivalents.is_empty() {
            paragraph(&equivalents);
        }
        let control = [
            wording::holdout(document, printable),
            wording::stability(document, printable),
            wording::calibration(document),
        ];
        let control: Vec<String> = control.into_iter().flatten().collect();
        if !control.is_empty() {
            paragraph(&control);
        }
        let fdr = document.settings.fdr.as_deref();
        let levels: Vec<String> =
            document.levels.iter().map(|level| style.paint(DIM, &wording::level(level, fdr))).collect();
        if !levels.is_empty() {
            paragraph(&levels);
        }
        let known = wording::known(document, &target, printable);
        if !known.is_empty() {
            paragraph(&known);
        }
        if !document.causes.is_empty() {
            let last = wording::adjusted(document).into_iter().chain([wording::direction(&target)]);
            paragraph(&last.map(|sentence| style.paint(DIM, &sentence)).collect::<Vec<_>>());
        }
        text
    }
}

/// Writes the table in full width and without colour.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(Table::render(document, &Style::default()).as_bytes())
}

fn equivalents(cause: &CauseEntry) -> Option<String> {
    (!cause.equivalent.is_empty()).then(|| {
        format!(
            "{} cannot be told from {}: the same rows, or exactly the others.",
            printable(&cause.name),
            listed(&cause.equivalent)
        )
    })
}

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

impl Style {
    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{colour}{text}{RESET}") } else { text.to_owned() }
    }
}

/// The columns of the table, in their order.
const COLUMNS: usize = 10;
const CAUSE: usize = 0;
const LEVEL: usize = 1;
const STATISTIC: usize = 2;
const RISK_WITH: usize = 4;
const RISK_WITHOUT: usize = 5;
const ADJUSTED: usize = 6;
const CONFIRMATION: usize = 7;
const STABILITY: usize = 8;
const EXPLANATION: usize = 9;

/// What a narrow screen can do without, the first one first.
const DISPENSABLE: [usize; 8] =
    [LEVEL, STATISTIC, EXPLANATION, ADJUSTED, RISK_WITHOUT, RISK_WITH, STABILITY, CONFIRMATION];

/// The spaces between two columns.
const GAP: usize = 2;

/// The least room for a name before columns are left out.
const LEAST: usize = 12;

/// The cells of the table, the first row the heading.
struct Grid {
    rows: Vec<[String; COLUMNS]>,
    /// The width of each column; `None` for those left out.
    widths: [Option<usize>; COLUMNS],
}

impl Grid {
    fn new(document: &Document, width: Option<usize>) -> Self {
        let heading = [
            "cause",
            "level",
            wording::statistic(document),
            "largest p",
            "risk with",
            "without",
            "adjusted RR",
            "held-out p",
            "stability",
            "nearest explanation",
        ];
        let mut rows = vec![heading.map(str::to_owned)];
        rows.extend(document.causes.iter().map(|cause| cells(document, cause)));
        let is_shown = |column: usize| match column {
            STABILITY => document.stability.is_some(),
            CONFIRMATION => document.holdout.is_some(),
            _ => true,
        };
        let widths = std::array::from_fn(|column| {
            let widest = rows.iter().map(|row| display_width(&row[column])).max();
            widest.filter(|_| is_shown(column))
        });
        let widths = match width {
            Some(width) => fit(widths, width),
            None => widths,
        };
        Self { rows, widths }
    }

    fn lines(&self, style: &Style) -> Vec<String> {
        self.rows.iter().enumerate().map(|(number, row)| self.line(row, number == 0, style)).collect()
    }

    fn line(&self, row: &[String; COLUMNS], heading: bool, style: &Style) -> String {
        let mut line = String::new();
        // Spaces are owed until something follows them, so that no line ends in spaces.
        let mut owed = 0;
        for (column, cell) in row.iter().enumerate() {
            let Some(width) = self.widths[column] else { continue };
            let cell = cut(cell, width);
            let padding = width.saturating_sub(display_width(&cell));
            let is_text = matches!(column, CAUSE | EXPLANATION);
            let (before, after) = if is_text { (0, padding) } else { (padding, 0) };
            let painted = match column {
                _ if heading => style.paint(BOLD, &cell),
                EXPLANATION => style.paint(DIM, &cell),
                _ => cell,
            };
            line.extend(std::iter::repeat_n(' ', owed + before));
            line.push_str(&painted);
            owed = after + GAP;
        }
        line
    }
}

fn cells(document: &Document, cause: &CauseEntry) -> [String; COLUMNS] {
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    let explanation = wording::explanation(document, cause, listed);
    let [risk_with, risk_without] = wording::risks(cause);
    [
        printable(&cause.name),
        cause.level.to_string(),
        statistic(cause.statistic),
        p_value(cause.p_value),
        share(risk_with),
        share(risk_without),
        cause
            .evidence
            .as_ref()
            .map_or_else(|| "–".to_owned(), |evidence| ratio(&evidence.adjusted.risk_ratio)),
        held_out_p(cause),
        share(cause.stability),
        explanation,
    ]
}

/// The p-value in the rows that the search did not see.
pub(crate) fn held_out_p(cause: &CauseEntry) -> String {
    let test = cause.confirmation.and_then(|found| found.test);
    test.map_or_else(|| "–".to_owned(), |test| p_value(test.p_value))
}

/// The widths of the columns in a line of so many cells: names are cut first, down to [`LEAST`], then columns are
/// left out, then the cause is cut further.
fn fit(widths: [Option<usize>; COLUMNS], line: usize) -> [Option<usize>; COLUMNS] {
    let cause = widths[CAUSE].unwrap_or(0);
    let mut fitted = widths;
    let least = |fitted: &[Option<usize>; COLUMNS]| {
        let cells = fitted.iter().enumerate().filter_map(|(column, width)| {
            width.map(
                |width| if matches!(column, CAUSE | EXPLANATION) { width.min(LEAST) } else { width } + GAP,
            )
        });
        cells.sum::<usize>().saturating_sub(GAP)
    };
    for column in DISPENSABLE {
        if least(&fitted) > line {
            fitted[column] = None;
        }
    }
    let others = |fitted: &[Option<usize>; COLUMNS]| {
        let widths = fitted.iter().enumerate().filter(|(column, _)| !matches!(*column, CAUSE | EXPLANATION));
        widths.filter_map(|(_, width)| width.map(|width| width + GAP)).sum::<usize>()
    };
    let room = line.saturating_sub(others(&fitted));
    match fitted[EXPLANATION] {
        Some(explanation) => {
            let (cause, explanation) = share(room.saturating_sub(GAP), cause, explanation);
            fitted[CAUSE] = Some(cause);
            fitted[EXPLANATION] = Some(explanation);
        }
        None => fitted[CAUSE] = Some(cause.min(room).max(1)),
    }
    fitted
}

/// Shares the room between two columns: neither gets more than it needs, nor less than half if it needs that.
fn share(room: usize, first: usize, second: usize) -> (usize, usize) {
    let half = room / 2;
    if first + second <= room {
        (first, second)
    } else if first <= half {
        (first, room - first)
    } else if second <= half {
        (room - second, second)
    } else {
        (room - half, half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_goes_to_who_needs_it() {
        assert_eq!(share(30, 10, 10), (10, 10));
        assert_eq!(share(30, 10, 50), (10, 20));
        assert_eq!(share(30, 50, 10), (20, 10));
        assert_eq!(share(31, 50, 50), (16, 15));
        assert_eq!(share(0, 5, 5), (0, 0));
    }

    #[test]
    fn a_narrow_screen_drops_columns_then_cuts_names() {
        let widths = [40, 5, 8, 11, 7, 7, 16, 0, 0, 40].map(|width| (width > 0).then_some(width));
        let total = |line| {
            let fitted: Vec<usize> = fit(widths, line).into_iter().flatten().collect();
            fitted.iter().sum::<usize>() + GAP * (fitted.len() - 1)
        };
        for line in 14..200 {
            assert!(total(line) <= line, "{line}");
        }
        assert_eq!(total(200), widths.iter().flatten().sum::<usize>() + 7 * GAP);
        assert_eq!(fit(widths, 80)[CAUSE].zip(fit(widths, 80)[EXPLANATION]), Some((15, 14)));
        assert_eq!(fit(widths, 20).iter().flatten().count(), 2);
        assert_eq!(fit(widths, 0)[CAUSE], Some(1));
    }
}

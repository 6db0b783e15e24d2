//! A result as text for a terminal: aligned columns, fitted to a given width.

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::descriptors::statistic_symbol;
use crate::document::{CauseEntry, Document};
use crate::evaluation::Evaluation;
use crate::numbers::{held_out_p, p_value, percent, probability, ratio, statistic};
use crate::sentences;
use crate::text::{comma_separated, display_width, printable, truncate};
use crate::text_table::PageSyntax;

pub(super) struct TextFormat;

impl OutputFormat for TextFormat {
    fn name(&self) -> &'static str {
        "table"
    }

    fn description(&self) -> &'static str {
        "text with aligned columns, for a terminal"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn render(&self, document: &Document, style: &TextStyle) -> Vec<u8> {
        render_text(document, style).into_bytes()
    }

    fn render_comparison(&self, comparison: &Comparison) -> Option<String> {
        Some(comparison.to_page(PageSyntax::Terminal))
    }

    fn render_evaluation(&self, evaluation: &Evaluation) -> Option<String> {
        Some(evaluation.to_page(PageSyntax::Terminal))
    }

    fn supports_comparisons(&self) -> bool {
        true
    }
}

/// The text, terminated by a newline. No line of the table is wider than the style allows, down to a width of about
/// twenty cells; the terminal wraps sentences.
fn render_text(document: &Document, style: &TextStyle) -> String {
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
        paragraph(&[style.paint(BOLD, sentences::INCOMPLETE)]);
    }
    paragraph(&[style.paint(BOLD, &sentences::title(document, &target))]);
    if document.causes.is_empty() {
        paragraph(&[sentences::no_cause_found(document, &target)]);
    } else {
        paragraph(&CauseTable::new(document, style.width).lines(style));
    }
    let posterior = sentences::posterior(document, printable);
    if !posterior.is_empty() {
        paragraph(&posterior);
    }
    let interactions = sentences::interactions(document, printable);
    if !interactions.is_empty() {
        paragraph(&interactions);
    }
    let equivalents: Vec<String> = document.causes.iter().filter_map(equivalents).collect();
    if !equivalents.is_empty() {
        paragraph(&equivalents);
    }
    let trust = [
        sentences::holdout(document, printable),
        sentences::stability(document, printable),
        sentences::calibration(document),
    ];
    let trust: Vec<String> = trust.into_iter().flatten().collect();
    if !trust.is_empty() {
        paragraph(&trust);
    }
    let fdr = document.settings.fdr.as_deref();
    let levels: Vec<String> = (document.levels.iter())
        .filter(|_| document.posterior.is_none())
        .map(|level| style.paint(DIM, &sentences::level_counts(level, fdr)))
        .collect();
    if !levels.is_empty() {
        paragraph(&levels);
    }
    let knowledge = sentences::background_knowledge(document, &target, printable);
    if !knowledge.is_empty() {
        paragraph(&knowledge);
    }
    if !document.causes.is_empty() {
        let last =
            sentences::adjusted_definition(document).into_iter().chain([sentences::direction(&target)]);
        paragraph(&last.map(|sentence| style.paint(DIM, &sentence)).collect::<Vec<_>>());
    }
    text
}

fn equivalents(cause: &CauseEntry) -> Option<String> {
    (!cause.equivalent.is_empty()).then(|| {
        format!(
            "{} is indistinguishable from {}: they hold in the same rows or in exactly complementary rows.",
            printable(&cause.name),
            comma_separated(&cause.equivalent)
        )
    })
}

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

impl TextStyle {
    fn paint(&self, colour: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{colour}{text}{RESET}") } else { text.to_owned() }
    }
}

/// The columns of the table, in their order.
const COLUMNS: usize = 10;
const CAUSE: usize = 0;
const LEVEL: usize = 1;
const STATISTIC: usize = 2;
const DECISION: usize = 3;
const RISK_WITH: usize = 4;
const RISK_WITHOUT: usize = 5;
const ADJUSTED: usize = 6;
const HELD_OUT_P: usize = 7;
const STABILITY: usize = 8;
const CHALLENGER: usize = 9;

/// The columns that a narrow table drops, in this order.
const DROPPED_FIRST: [usize; 8] =
    [LEVEL, STATISTIC, CHALLENGER, ADJUSTED, RISK_WITHOUT, RISK_WITH, STABILITY, HELD_OUT_P];

/// The spaces between two columns.
const GAP: usize = 2;

/// The smallest width of a column of names before other columns are dropped.
const MIN_NAME_WIDTH: usize = 12;

/// The table of causes; the first row is the heading.
struct CauseTable {
    rows: Vec<[String; COLUMNS]>,
    /// The width of each column; `None` for dropped columns.
    widths: [Option<usize>; COLUMNS],
}

impl CauseTable {
    fn new(document: &Document, width: Option<usize>) -> Self {
        let heading = [
            "cause",
            "level",
            statistic_symbol(&document.settings),
            "largest p",
            "risk with",
            "without",
            "adjusted RR",
            "held-out p",
            "stability",
            "conditioning set",
        ];
        let mut heading = heading.map(str::to_owned);
        if document.posterior.is_some() {
            heading[DECISION] = "probability".to_owned();
            heading[CHALLENGER] = "alternative".to_owned();
        }
        let mut rows = vec![heading];
        rows.extend(document.causes.iter().map(|cause| cause_cells(document, cause)));
        let is_shown = |column: usize| match column {
            STABILITY => document.stability.is_some(),
            HELD_OUT_P => document.holdout.is_some(),
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

    fn lines(&self, style: &TextStyle) -> Vec<String> {
        self.rows.iter().enumerate().map(|(number, row)| self.line(row, number == 0, style)).collect()
    }

    fn line(&self, row: &[String; COLUMNS], heading: bool, style: &TextStyle) -> String {
        let mut line = String::new();
        // Padding is written only when another cell follows, so that no line ends in spaces.
        let mut pending = 0;
        for (column, cell) in row.iter().enumerate() {
            let Some(width) = self.widths[column] else { continue };
            let cell = truncate(cell, width);
            let padding = width.saturating_sub(display_width(&cell));
            let is_text = matches!(column, CAUSE | CHALLENGER);
            let (before, after) = if is_text { (0, padding) } else { (padding, 0) };
            let painted = match column {
                _ if heading => style.paint(BOLD, &cell),
                CHALLENGER => style.paint(DIM, &cell),
                _ => cell,
            };
            line.extend(std::iter::repeat_n(' ', pending + before));
            line.push_str(&painted);
            pending = after + GAP;
        }
        line
    }
}

fn cause_cells(document: &Document, cause: &CauseEntry) -> [String; COLUMNS] {
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    let challenger = match &document.posterior {
        Some(posterior) => sentences::alternative(posterior, cause, printable),
        None => sentences::challenger_set(document, cause, comma_separated),
    };
    let [risk_with, risk_without] = sentences::risks(cause);
    [
        printable(&cause.name),
        cause.level.to_string(),
        statistic(cause.statistic),
        cause.probability.map_or_else(|| p_value(cause.p_value), probability),
        share(risk_with),
        share(risk_without),
        cause
            .evidence
            .as_ref()
            .map_or_else(|| "–".to_owned(), |evidence| ratio(&evidence.adjusted.risk_ratio)),
        held_out_p(cause),
        share(cause.stability),
        challenger,
    ]
}

/// The widths of the columns in a line of the given width. Names are truncated first, down to [`MIN_NAME_WIDTH`]; then
/// columns are dropped; then the name of the cause is truncated further.
fn fit(widths: [Option<usize>; COLUMNS], line: usize) -> [Option<usize>; COLUMNS] {
    let cause = widths[CAUSE].unwrap_or(0);
    let mut fitted = widths;
    let least = |fitted: &[Option<usize>; COLUMNS]| {
        let cells = fitted.iter().enumerate().filter_map(|(column, width)| {
            width.map(
                |width| if matches!(column, CAUSE | CHALLENGER) { width.min(MIN_NAME_WIDTH) } else { width } + GAP,
            )
        });
        cells.sum::<usize>().saturating_sub(GAP)
    };
    for column in DROPPED_FIRST {
        if least(&fitted) > line {
            fitted[column] = None;
        }
    }
    let others = |fitted: &[Option<usize>; COLUMNS]| {
        let widths = fitted.iter().enumerate().filter(|(column, _)| !matches!(*column, CAUSE | CHALLENGER));
        widths.filter_map(|(_, width)| width.map(|width| width + GAP)).sum::<usize>()
    };
    let room = line.saturating_sub(others(&fitted));
    match fitted[CHALLENGER] {
        Some(challenger) => {
            let (cause, challenger) = split_room(room.saturating_sub(GAP), cause, challenger);
            fitted[CAUSE] = Some(cause);
            fitted[CHALLENGER] = Some(challenger);
        }
        None => fitted[CAUSE] = Some(cause.min(room).max(1)),
    }
    fitted
}

/// Splits the room between two columns: neither gets more than it needs, nor less than half if it needs that much.
fn split_room(room: usize, first: usize, second: usize) -> (usize, usize) {
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
    fn room_is_split_by_need() {
        assert_eq!(split_room(30, 10, 10), (10, 10));
        assert_eq!(split_room(30, 10, 50), (10, 20));
        assert_eq!(split_room(30, 50, 10), (20, 10));
        assert_eq!(split_room(31, 50, 50), (16, 15));
        assert_eq!(split_room(0, 5, 5), (0, 0));
    }

    #[test]
    fn a_narrow_table_drops_columns_then_truncates_names() {
        let widths = [40, 5, 8, 11, 7, 7, 16, 0, 0, 40].map(|width| (width > 0).then_some(width));
        let total = |line| {
            let fitted: Vec<usize> = fit(widths, line).into_iter().flatten().collect();
            fitted.iter().sum::<usize>() + GAP * (fitted.len() - 1)
        };
        for line in 14..200 {
            assert!(total(line) <= line, "{line}");
        }
        assert_eq!(total(200), widths.iter().flatten().sum::<usize>() + 7 * GAP);
        assert_eq!(fit(widths, 80)[CAUSE].zip(fit(widths, 80)[CHALLENGER]), Some((15, 14)));
        assert_eq!(fit(widths, 20).iter().flatten().count(), 2);
        assert_eq!(fit(widths, 0)[CAUSE], Some(1));
    }
}

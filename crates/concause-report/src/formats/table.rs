//! A result as text for a terminal: aligned columns, fitted to a given width.

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::descriptors::{decides_by_tests, statistic_symbol};
use crate::document::{CauseEntry, Document};
use crate::evaluation::Evaluation;
use crate::measures::{CORRECTED, is_corrected, leading_measures, on_scale};
use crate::numbers::{p_value, percent, probability, statistic};
use crate::sentences::{self, held_out_p};
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
        .filter(|_| decides_by_tests(&document.settings))
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
        let mut leading =
            (document.causes.iter()).filter_map(|it| it.evidence.as_ref()).flat_map(|it| it.summary());
        let has_corrected =
            leading.any(|it| is_corrected(it.2)) || sentences::interactions_are_corrected(document);
        let last = sentences::adjusted_definition(document)
            .into_iter()
            .chain(has_corrected.then(|| CORRECTED.to_owned()))
            .chain([sentences::direction(&target)]);
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

/// The spaces between two columns.
const GAP: usize = 2;

/// The smallest width of a column of names before other columns are dropped.
const MIN_NAME_WIDTH: usize = 12;

/// A column of the table.
struct Column {
    heading: String,
    cells: Vec<String>,
    kind: Kind,
    /// A narrow table drops the columns with a number, the lowest first.
    dropped: Option<usize>,
    width: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Cause,
    /// The conditioning set or the alternative.
    Challenger,
}

impl Column {
    fn new(kind: Kind, heading: &str, dropped: Option<usize>, cells: impl Iterator<Item = String>) -> Self {
        let cells: Vec<String> = cells.collect();
        let width =
            cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0).max(display_width(heading));
        Self { heading: heading.to_owned(), cells, kind, dropped, width }
    }
}

/// The table of causes.
struct CauseTable {
    columns: Vec<Column>,
}

impl CauseTable {
    fn new(document: &Document, width: Option<usize>) -> Self {
        let causes = || document.causes.iter();
        let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
        let number = |heading: &str, dropped, show: &dyn Fn(&CauseEntry) -> String| {
            Column::new(Kind::Number, heading, dropped, causes().map(show))
        };
        let (decision, challenger) = match document.posterior {
            Some(_) => ("probability", "alternative"),
            None => ("largest p", "conditioning set"),
        };
        let challengers = causes().map(|cause| match &document.posterior {
            Some(posterior) => sentences::alternative(posterior, cause, printable),
            None => sentences::challenger_set(document, cause, comma_separated),
        });
        let mut columns = vec![
            Column::new(Kind::Cause, "cause", None, causes().map(|cause| printable(&cause.label()))),
            number("level", Some(0), &|cause| cause.level.to_string()),
            number(statistic_symbol(&document.settings), Some(1), &|cause| statistic(cause.statistic)),
            number(decision, None, &|cause| {
                cause.probability.map_or_else(|| p_value(cause.p_value), probability)
            }),
            number("risk with", Some(5), &|cause| share(sentences::risks(cause)[0])),
            number("without", Some(4), &|cause| share(sentences::risks(cause)[1])),
        ];
        if document.posterior.is_some() {
            let matters = |cause: &CauseEntry| cause.matters.map_or_else(|| "–".to_owned(), probability);
            columns.insert(4, number("matters", Some(1), &matters));
        }
        for (place, measure) in leading_measures().enumerate() {
            columns.push(number(&format!("adjusted {}", measure.abbreviation), Some(3), &|cause| {
                let found = cause.evidence.as_ref().and_then(|evidence| evidence.summary().nth(place));
                found.map_or_else(|| "–".to_owned(), |(_, _, adjusted)| on_scale(adjusted, measure.scale))
            }));
        }
        if document.holdout.is_some() {
            columns.push(number("held-out p", Some(7), &held_out_p));
        }
        if document.stability.is_some() {
            columns.push(number("stability", Some(6), &|cause| share(cause.stability)));
        }
        columns.push(Column::new(Kind::Challenger, challenger, Some(2), challengers));
        if let Some(width) = width {
            fit(&mut columns, width);
        }
        Self { columns }
    }

    fn lines(&self, style: &TextStyle) -> Vec<String> {
        let heading = self.line(style, true, |column| &column.heading);
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        let rows = (0..rows).map(|row| self.line(style, false, |column| &column.cells[row]));
        std::iter::once(heading).chain(rows).collect()
    }

    fn line<'a>(&'a self, style: &TextStyle, heading: bool, cell: impl Fn(&'a Column) -> &'a str) -> String {
        let mut line = String::new();
        // Padding is written only when another cell follows, so that no line ends in spaces.
        let mut pending = 0;
        for column in &self.columns {
            let cell = truncate(cell(column), column.width);
            let padding = column.width.saturating_sub(display_width(&cell));
            let (before, after) = if column.kind == Kind::Number { (padding, 0) } else { (0, padding) };
            let painted = match column.kind {
                _ if heading => style.paint(BOLD, &cell),
                Kind::Challenger => style.paint(DIM, &cell),
                _ => cell,
            };
            line.extend(std::iter::repeat_n(' ', pending + before));
            line.push_str(&painted);
            pending = after + GAP;
        }
        line
    }
}

/// Fits the columns into a line. Names are truncated first, down to [`MIN_NAME_WIDTH`]; then columns are dropped; then
/// the name of the cause is truncated further.
fn fit(columns: &mut Vec<Column>, line: usize) {
    let least = |columns: &[Column]| {
        let cells = columns.iter().map(|column| match column.kind {
            Kind::Number => column.width + GAP,
            _ => column.width.min(MIN_NAME_WIDTH) + GAP,
        });
        cells.sum::<usize>().saturating_sub(GAP)
    };
    while least(columns) > line {
        let droppable =
            columns.iter().enumerate().filter_map(|(place, column)| Some((column.dropped?, place)));
        let Some((_, place)) = droppable.min() else { break };
        columns.remove(place);
    }
    let numbers = columns.iter().filter(|column| column.kind == Kind::Number);
    let room = line.saturating_sub(numbers.map(|column| column.width + GAP).sum());
    let width_of = |columns: &[Column], kind| columns.iter().find(|it| it.kind == kind).map(|it| it.width);
    let cause = width_of(columns, Kind::Cause).unwrap_or(0);
    let (cause, challenger) = match width_of(columns, Kind::Challenger) {
        Some(challenger) => split_room(room.saturating_sub(GAP), cause, challenger),
        None => (cause.min(room).max(1), 0),
    };
    for column in columns {
        column.width = match column.kind {
            Kind::Number => column.width,
            Kind::Cause => cause,
            Kind::Challenger => challenger,
        };
    }
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
        let widths = [40, 5, 8, 11, 7, 7, 16, 40];
        let dropped = [None, Some(0), Some(1), None, Some(5), Some(4), Some(3), Some(2)];
        let fitted = |line| {
            let column = |(place, (width, dropped)): (usize, (usize, Option<usize>))| Column {
                kind: [Kind::Cause, Kind::Number, Kind::Challenger]
                    [usize::from(place > 0) + usize::from(place == 7)],
                heading: String::new(),
                cells: Vec::new(),
                dropped,
                width,
            };
            let mut columns: Vec<Column> = widths.into_iter().zip(dropped).enumerate().map(column).collect();
            fit(&mut columns, line);
            columns.into_iter().map(|column| column.width).collect::<Vec<_>>()
        };
        let total = |line| fitted(line).iter().sum::<usize>() + GAP * (fitted(line).len() - 1);
        for line in 14..200 {
            assert!(total(line) <= line, "{line}");
        }
        assert_eq!(total(200), widths.iter().sum::<usize>() + 7 * GAP);
        assert_eq!((fitted(80).first(), fitted(80).last()), (Some(&15), Some(&14)));
        assert_eq!(fitted(20).len(), 2);
        assert_eq!(fitted(0)[0], 1);
    }
}

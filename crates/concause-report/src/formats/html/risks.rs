//! The risk with and without a cause, or by the parts that hold: bars with confidence intervals.

use concause::count::Count;
use concause::evidence::Measure;
use maud::{Markup, html};

use super::figure::{Picture, across, line, pixels, text, whisker};
use super::{joined, percent, shown};
use crate::document::{CauseEntry, Document, InteractionCellEntry};
use crate::numbers::thousands;
use crate::text::truncate;

const ROW: f64 = 42.0;
const TOP: f64 = 4.0;

/// One bar.
struct Bar {
    label: String,
    risk: Measure,
    counts: Count,
    /// Whether all parts of the cause hold.
    is_whole: bool,
}

/// The picture of the cause with this number and its caption; none without evidence.
pub(super) fn section(document: &Document, number: usize) -> Option<Markup> {
    let picture = picture(document, number)?;
    let caption = html! {
        "Observed risk with 95 % confidence intervals, not adjusted for other causes."
        @if let Some(overall) = picture.overall { " Dotted line: all rows, " (percent(overall)) "." }
    };
    Some(picture.picture.with_caption(&caption))
}

/// The picture of a cause.
pub(super) struct Risks {
    pub picture: Picture,
    /// The risk in all rows, if it is drawn.
    pub overall: Option<f64>,
}

/// The picture of the cause with this number; none without evidence.
pub(super) fn picture(document: &Document, number: usize) -> Option<Risks> {
    let cause = document.causes.get(number)?;
    let bars = bars(cause)?;
    let most = bars.iter().filter_map(|bar| bar.risk.ok()).map(|risk| risk.high).fold(0.0, f64::max);
    let scale = |risk: f64| if most > 0.0 { risk.clamp(0.0, most) / most * 0.98 } else { 0.0 };
    let height = TOP + ROW * bars.len() as f64 + 4.0;
    let (positive, negative) = (document.target.positive as f64, document.target.negative as f64);
    let overall = Some(positive / (positive + negative)).filter(|overall| *overall <= most);
    let drawing = html! {
        @for (place, bar) in bars.iter().enumerate() { (draw_bar(bar, TOP + ROW * place as f64, &scale)) }
        @if let Some(overall) = overall { (line("reference", (scale(overall), 0.0), (scale(overall), height))) }
    };
    let title = format!(
        "Risk of {} {}",
        truncate(&shown(&document.target.label()), 60),
        if cause.level > 1 { "by which parts hold" } else { "with and without the cause" }
    );
    Some(Risks { picture: Picture { id: format!("risk-{}", number + 1), title, height, drawing }, overall })
}

fn bars(cause: &CauseEntry) -> Option<Vec<Bar>> {
    let evidence = cause.evidence.as_ref()?;
    let Some(interaction) = &evidence.interaction else {
        let bar = |label: &str, risk: Measure, counts, is_whole| Bar {
            label: label.to_owned(),
            risk,
            counts,
            is_whole,
        };
        return Some(vec![
            bar("without it", evidence.risk_without, evidence.counts.without, false),
            bar("with it", evidence.risk_with, evidence.counts.with, true),
        ]);
    };
    let whole = cause.columns.len();
    let bar = |cell: &InteractionCellEntry| Bar {
        label: parts_label(&cell.held, whole),
        risk: cell.risk,
        counts: cell.counts,
        is_whole: cell.held.len() == whole,
    };
    Some(interaction.cells.iter().map(bar).collect())
}

/// The parts that hold.
fn parts_label(held: &[String], parts: usize) -> String {
    match held {
        [] => (if parts == 2 { "neither" } else { "none" }).to_owned(),
        held if held.len() == parts => (if parts == 2 { "both" } else { "all" }).to_owned(),
        [alone] => format!("{} alone", shown(alone)),
        several => joined(several) + " only",
    }
}

fn draw_bar(bar: &Bar, y: f64, scale: &dyn Fn(f64) -> f64) -> Markup {
    let total = bar.counts.positive.saturating_add(bar.counts.negative);
    let risk = bar.risk.map_or_else(|_| "no rows".to_owned(), |risk| percent(risk.value));
    let rows = format!("{risk} of {}", thousands(total));
    html! {
        (text(if bar.is_whole { "label strong" } else { "label" }, "start", (0.0, y + 13.0), &truncate(&bar.label, 30)))
        (text("figure", "end", (1.0, y + 13.0), &rows))
        @if let Ok(risk) = bar.risk {
            rect.bar.whole[bar.is_whole] x="0" y=(pixels(y + 20.0)) width=(across(scale(risk.value))) height="12" {}
            (whisker("whisker", scale(risk.low), scale(risk.high), y + 26.0))
        }
    }
}

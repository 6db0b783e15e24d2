//! The forest plot: the adjusted risk ratio of every cause with its interval, on a logarithmic scale.

use maud::{Markup, html};

use super::figure::{Picture, across, line, pixels, text, whisker};
use super::{joined, shown};
use crate::document::{CauseEntry, Document, EstimateEntry, EstimatedOn};
use crate::figures::{odds_ratio, ratio};
use crate::text::cut;

/// The most causes in the picture; all are in the table.
const MOST: usize = 40;

const ROW: f64 = 40.0;

/// Ratios beyond these are drawn at the edge.
const WIDEST: (f64, f64) = (1e-3, 1e3);

pub(super) fn section(document: &Document) -> Option<Markup> {
    let mut evidence = document.causes.iter().filter_map(|cause| cause.evidence.as_ref());
    let is_held_out = evidence.any(|it| it.estimated_on == EstimatedOn::HeldOutRows.name());
    let caption = html! {
        "Adjusted risk ratio of each cause, that is where the other causes are held fixed, with its 95\u{a0}% interval, on a logarithmic
         scale. The dashed line is no effect."
        @if is_held_out { " Estimated from rows that the search did not see." }
        @if document.causes.len() > MOST { " The first " (MOST) " of " (document.causes.len()) " causes; the table below has all of them." }
    };
    Some(picture(document)?.figure(&caption))
}

/// The picture; none without evidence.
pub(super) fn picture(document: &Document) -> Option<Picture> {
    let causes = document.causes.iter().filter_map(|cause| Some((cause, adjusted(cause)?)));
    let rows: Vec<(String, &EstimateEntry)> =
        causes.take(MOST).map(|(cause, estimate)| (cut(&joined(&cause.columns), 44), estimate)).collect();
    if rows.is_empty() {
        return None;
    }
    let scale = Scale::of(rows.iter().map(|(_, estimate)| *estimate));
    let height = ROW * rows.len() as f64;
    let drawing = html! {
        @for &tick in &scale.ticks() {
            (line(if tick == 1.0 { "null" } else { "grid" }, (scale.place(tick), 0.0), (scale.place(tick), height + 6.0)))
            (text("tick", "middle", (scale.place(tick), height + 22.0), &odds_ratio(tick)))
        }
        @for (place, (label, estimate)) in rows.iter().enumerate() {
            (drawn(label, estimate, ROW * place as f64, &scale))
        }
    };
    let title = "Forest plot of adjusted risk ratios".to_owned();
    Some(Picture { id: "forest".into(), title, height: height + 28.0, drawing })
}

/// One row of the picture for each of these causes, without words.
pub(super) fn strips<'a>(causes: &'a [CauseEntry]) -> impl Iterator<Item = Option<Markup>> + 'a {
    const MIDDLE: f64 = 9.0;
    let scale = Scale::of(causes.iter().filter_map(adjusted));
    causes.iter().map(move |cause| {
        let estimate = adjusted(cause)?;
        Some(html! {
            (line("null", (scale.place(1.0), 0.0), (scale.place(1.0), 2.0 * MIDDLE)))
            (interval(estimate, MIDDLE, &scale))
        })
    })
}

fn adjusted(cause: &CauseEntry) -> Option<&EstimateEntry> {
    cause.evidence.as_ref().map(|evidence| &evidence.adjusted.risk_ratio)
}

fn drawn(label: &str, estimate: &EstimateEntry, y: f64, scale: &Scale) -> Markup {
    let figures = match (&estimate.reason, estimate.value) {
        (Some(reason), None) => cut(&shown(reason), 40),
        _ => ratio(estimate),
    };
    html! {
        @if y > 0.0 { (line("grid", (0.0, y - 3.0), (1.0, y - 3.0))) }
        (text("label", "start", (0.0, y + 13.0), label))
        (text("figure", "end", (1.0, y + 13.0), &figures))
        (interval(estimate, y + 26.0, scale))
    }
}

fn interval(estimate: &EstimateEntry, y: f64, scale: &Scale) -> Markup {
    html! {
        @if let (Some(low), Some(high)) = (estimate.low, estimate.high) {
            (whisker("whisker", scale.place(low), scale.place(high), y))
        }
        @if let Some(value) = estimate.value {
            circle class=(if value < 1.0 { "point lower" } else { "point" })
                cx=(across(scale.place(value))) cy=(pixels(y)) r="5" {}
        }
    }
}

/// A logarithmic scale from edge to edge.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of<'a>(estimates: impl Iterator<Item = &'a EstimateEntry>) -> Self {
        let ends = estimates.flat_map(|estimate| [estimate.low, estimate.high, estimate.value]).flatten();
        let (mut low, mut high) = (0.5_f64, 2.0_f64);
        for end in ends.filter(|end| end.is_finite()) {
            let end = end.clamp(WIDEST.0, WIDEST.1);
            low = low.min(end);
            high = high.max(end);
        }
        Scale { low, high }
    }

    /// Where a ratio is, as a share of the width; what is beyond the scale is at its edge.
    fn place(&self, ratio: f64) -> f64 {
        let share = (ratio.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        0.02 + 0.96 * share
    }

    /// 1 and some round numbers around it.
    fn ticks(&self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let steps: &[f64] = if decades < 1.0 {
            &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]
        } else if decades < 2.5 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let exponents = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        exponents
            .flat_map(|exponent| steps.iter().map(move |step| step * 10f64.powi(exponent)))
            // Powers of ten are not exact below 1, but the line of no effect is.
            .map(|tick| if (tick - 1.0).abs() < 1e-9 { 1.0 } else { tick })
            .filter(|&tick| tick >= self.low && tick <= self.high)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_holds_every_estimate_and_no_effect() {
        let estimate = |value: f64, low: f64, high: f64| EstimateEntry {
            value: Some(value),
            low: Some(low),
            high: Some(high),
            corrected: false,
            reason: None,
        };
        let narrow = Scale::of([estimate(1.1, 0.9, 1.3)].iter());
        assert_eq!((narrow.low, narrow.high), (0.5, 2.0));
        assert!((narrow.place(1.0) - 0.5).abs() < 1e-12);
        assert!(narrow.ticks().contains(&1.0));
        let wide = Scale::of([estimate(9.0, 7.0, 1e9), estimate(1e-9, 0.0, 0.1)].iter());
        assert_eq!((wide.low, wide.high), WIDEST);
        assert_eq!((wide.place(1e9), wide.place(0.0)), (0.98, 0.02));
        assert!(wide.ticks().contains(&1.0) && wide.ticks().len() == 7, "{:?}", wide.ticks());
    }
}

//! The forest plot: the adjusted risk ratio of every cause with its interval, on a logarithmic scale.

use concause::evidence::{EffectScale, Measure};
use maud::{Markup, html};

use super::figure::{Picture, across, line, pixels, text, whisker};
use super::joined;
use crate::document::{CauseEntry, Document, EstimatedOn};
use crate::measures::on_scale;
use crate::numbers::odds_ratio;
use crate::text::truncate;

/// The largest number of causes in the picture; the table has all.
const MAX_CAUSES: usize = 40;

const ROW: f64 = 40.0;

/// Ratios beyond these limits are drawn at the edge.
const LIMITS: (f64, f64) = (1e-3, 1e3);

pub(super) fn section(document: &Document) -> Option<Markup> {
    let mut evidence = document.causes.iter().filter_map(|cause| cause.evidence.as_ref());
    let is_held_out = evidence.any(|it| it.estimated_on == EstimatedOn::HeldOutRows.name());
    let caption = html! {
        "Adjusted risk ratio of each cause, with all other causes held fixed, and its 95\u{a0}% confidence interval, on a logarithmic
         scale. The dashed line marks no effect."
        @if is_held_out { " Estimated from rows held out from the search." }
        @if document.causes.len() > MAX_CAUSES { " The first " (MAX_CAUSES) " of " (document.causes.len()) " causes; the table below has all." }
    };
    Some(picture(document)?.with_caption(&caption))
}

/// The picture; none without evidence.
pub(super) fn picture(document: &Document) -> Option<Picture> {
    let causes = document.causes.iter().filter_map(|cause| Some((cause, adjusted(cause)?)));
    let rows: Vec<(String, Measure)> = causes
        .take(MAX_CAUSES)
        .map(|(cause, estimate)| (truncate(&joined(&cause.literals), 44), estimate))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let scale = Scale::spanning(rows.iter().map(|(_, estimate)| *estimate));
    let height = ROW * rows.len() as f64;
    let drawing = html! {
        @for &tick in &scale.ticks() {
            (line(if tick == 1.0 { "null" } else { "grid" }, (scale.position(tick), 0.0), (scale.position(tick), height + 6.0)))
            (text("tick", "middle", (scale.position(tick), height + 22.0), &odds_ratio(tick)))
        }
        @for (place, (label, estimate)) in rows.iter().enumerate() {
            (draw_row(label, *estimate, ROW * place as f64, &scale))
        }
    };
    let title = "Forest plot of adjusted risk ratios".to_owned();
    Some(Picture { id: "forest".into(), title, height: height + 28.0, drawing })
}

/// The row of each cause, without text.
pub(super) fn strips<'a>(causes: &'a [CauseEntry]) -> impl Iterator<Item = Option<Markup>> + 'a {
    const MIDDLE: f64 = 9.0;
    let scale = Scale::spanning(causes.iter().filter_map(adjusted));
    causes.iter().map(move |cause| {
        let estimate = adjusted(cause)?;
        Some(html! {
            (line("null", (scale.position(1.0), 0.0), (scale.position(1.0), 2.0 * MIDDLE)))
            (draw_interval(estimate, MIDDLE, &scale))
        })
    })
}

fn adjusted(cause: &CauseEntry) -> Option<Measure> {
    cause.evidence.as_ref().map(|evidence| evidence.adjusted.effects.risk_ratio())
}

fn draw_row(label: &str, estimate: Measure, y: f64, scale: &Scale) -> Markup {
    let numbers = match estimate {
        Err(reason) => truncate(&reason.to_string(), 40),
        Ok(_) => on_scale(estimate, EffectScale::Ratio),
    };
    html! {
        @if y > 0.0 { (line("grid", (0.0, y - 3.0), (1.0, y - 3.0))) }
        (text("label", "start", (0.0, y + 13.0), label))
        (text("figure", "end", (1.0, y + 13.0), &numbers))
        (draw_interval(estimate, y + 26.0, scale))
    }
}

fn draw_interval(estimate: Measure, y: f64, scale: &Scale) -> Markup {
    html! {
        @if let Ok(estimate) = estimate {
            (whisker("whisker", scale.position(estimate.low), scale.position(estimate.high), y))
            circle class=(if estimate.value < 1.0 { "point lower" } else { "point" })
                cx=(across(scale.position(estimate.value))) cy=(pixels(y)) r="5" {}
        }
    }
}

/// A logarithmic scale from edge to edge.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn spanning(estimates: impl Iterator<Item = Measure>) -> Self {
        let limits = estimates.filter_map(Result::ok).flat_map(|it| [it.low, it.high, it.value]);
        let (mut low, mut high) = (0.5_f64, 2.0_f64);
        for limit in limits.filter(|limit| limit.is_finite()) {
            let limit = limit.clamp(LIMITS.0, LIMITS.1);
            low = low.min(limit);
            high = high.max(limit);
        }
        Scale { low, high }
    }

    /// The position of a ratio, as a share of the width; ratios beyond the scale are at its edge.
    fn position(&self, ratio: f64) -> f64 {
        let share = (ratio.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        0.02 + 0.96 * share
    }

    /// 1 and round numbers around it.
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
            // Powers of ten below 1 are inexact, but the line of no effect must be at 1.
            .map(|tick| if (tick - 1.0).abs() < 1e-9 { 1.0 } else { tick })
            .filter(|&tick| tick >= self.low && tick <= self.high)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::evidence::Estimate;

    #[test]
    fn the_scale_spans_every_estimate_and_no_effect() {
        let estimate = |value: f64, low: f64, high: f64| Ok(Estimate { value, low, high, corrected: false });
        let narrow = Scale::spanning([estimate(1.1, 0.9, 1.3)].into_iter());
        assert_eq!((narrow.low, narrow.high), (0.5, 2.0));
        assert!((narrow.position(1.0) - 0.5).abs() < 1e-12);
        assert!(narrow.ticks().contains(&1.0));
        let wide = Scale::spanning([estimate(9.0, 7.0, 1e9), estimate(1e-9, 0.0, 0.1)].into_iter());
        assert_eq!((wide.low, wide.high), LIMITS);
        assert_eq!((wide.position(1e9), wide.position(0.0)), (0.98, 0.02));
        assert!(wide.ticks().contains(&1.0) && wide.ticks().len() == 7, "{:?}", wide.ticks());
    }
}

//! The frame of all pictures: inline SVG with a title for screen readers, of any width (horizontal positions are in
//! per cent), and a button to save it.

use maud::{Markup, html};

/// A picture; `id` is unique in the page and names the saved file.
pub(super) struct Picture {
    pub id: String,
    pub title: String,
    pub height: f64,
    pub drawing: Markup,
}

impl Picture {
    /// The picture in a page, with its caption.
    pub fn with_caption(&self, caption: &Markup) -> Markup {
        let Self { id, title, height, drawing } = self;
        html! {
            figure id=(id) {
                svg role="img" aria-label=(title) width="100%" height=(pixels(*height)) { (drawing) }
                div.below {
                    figcaption { (caption) }
                    button.save type="button" hidden data-save=(id) { "Save" span.unseen { " picture: " (title) } }
                }
            }
        }
    }
}

/// A horizontal position, as a share of the width.
pub(super) fn across(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// A vertical position or a length.
pub(super) fn pixels(value: f64) -> String {
    format!("{value:.0}")
}

/// A line; horizontal positions are shares of the width.
pub(super) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Markup {
    html! {
        line class=(class) x1=(across(from.0)) y1=(pixels(from.1)) x2=(across(to.0)) y2=(pixels(to.1)) {}
    }
}

/// Text anchored at its `start`, `middle` or `end`.
pub(super) fn text(class: &str, anchor: &str, at: (f64, f64), words: &str) -> Markup {
    html! { text class=(class) text-anchor=(anchor) x=(across(at.0)) y=(pixels(at.1)) { (words) } }
}

/// An interval with marked limits.
pub(super) fn whisker(class: &str, low: f64, high: f64, y: f64) -> Markup {
    html! {
        (line(class, (low, y), (high, y)))
        (line(class, (low, y - 4.0), (low, y + 4.0)))
        (line(class, (high, y - 4.0), (high, y + 4.0)))
    }
}

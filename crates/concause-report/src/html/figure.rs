//! What all pictures have in common: inline SVG with a title for those who cannot see it, at any width (positions
//! across are in per cent), and a button to save it.

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
    pub fn figure(&self, caption: &Markup) -> Markup {
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

/// A place across, from the share of the width.
pub(super) fn across(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// A place down.
pub(super) fn pixels(value: f64) -> String {
    format!("{value:.0}")
}

/// A line, places across as shares of the width.
pub(super) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Markup {
    html! {
        line class=(class) x1=(across(from.0)) y1=(pixels(from.1)) x2=(across(to.0)) y2=(pixels(to.1)) {}
    }
}

/// Text that begins (`start`), has its middle or ends (`end`) at a place.
pub(super) fn text(class: &str, anchor: &str, at: (f64, f64), words: &str) -> Markup {
    html! { text class=(class) text-anchor=(anchor) x=(across(at.0)) y=(pixels(at.1)) { (words) } }
}

/// An interval with its ends marked.
pub(super) fn whisker(class: &str, low: f64, high: f64, y: f64) -> Markup {
    html! {
        (line(class, (low, y), (high, y)))
        (line(class, (low, y - 4.0), (low, y + 4.0)))
        (line(class, (high, y - 4.0), (high, y + 4.0)))
    }
}

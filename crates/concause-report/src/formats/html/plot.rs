//! Each picture of the page as an SVG file. It uses the light colours of the page, written out because not every SVG
//! viewer supports CSS variables.

use maud::{Markup, PreEscaped, html};

use super::figure::{Picture, pixels};
use super::{FIGURE_STYLE, PAGE_STYLE, forest, funnel, graph, risks};
use crate::document::Document;

/// A picture of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plot {
    /// The adjusted risk ratio of every cause.
    Forest,
    /// The risk with and without the cause of this number, counted from 0, or by the parts that hold.
    Risk(usize),
    /// The causes and the target.
    Graph,
    /// The number of candidates remaining after each step.
    Funnel,
}

const MARGIN: f64 = 14.0;

impl Plot {
    /// The picture as an SVG file; none if the document lacks the data for it.
    pub fn render_svg(self, document: &Document) -> Option<String> {
        let (picture, width) = match self {
            Plot::Forest => (forest::picture(document)?, 640.0),
            Plot::Risk(number) => (risks::picture(document, number)?.picture, 420.0),
            Plot::Graph => (graph::picture(document)?, 640.0),
            Plot::Funnel => (funnel::picture(document)?, 560.0),
        };
        Some(framed(&picture, width).into_string())
    }
}

/// A picture with a margin and a background.
pub(super) fn framed(picture: &Picture, width: f64) -> Markup {
    let height = picture.height + 2.0 * MARGIN;
    html! {
        svg.concause xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(picture.title) width=(pixels(width)) height=(pixels(height))
            viewBox={ "0 0 " (pixels(width)) " " (pixels(height)) } {
            title { (picture.title) }
            style { (PreEscaped(style())) }
            (background())
            svg x=(MARGIN) y=(MARGIN) overflow="visible" width=(pixels(width - 2.0 * MARGIN)) height=(pixels(picture.height)) { (picture.drawing) }
        }
    }
}

/// The background of a picture.
pub(super) fn background() -> Markup {
    html! { rect width="100%" height="100%" fill=(colour("paper")) {} }
}

/// The style of pictures, restricted to a class so that other pictures on the same page are unaffected.
pub(super) fn style() -> String {
    let mut style = FIGURE_STYLE.replace("svg ", ".concause ");
    for (name, colour) in colours() {
        style = style.replace(&format!("var(--{name})"), colour);
    }
    style
}

fn colour(name: &str) -> &'static str {
    colours().find(|(known, _)| *known == name).map_or("#fff", |(_, colour)| colour)
}

/// The light colours of the page, defined in the first block of its style sheet.
fn colours() -> impl Iterator<Item = (&'static str, &'static str)> {
    let block = PAGE_STYLE.split(['{', '}']).nth(1).unwrap_or_default();
    block.split(';').filter_map(|rule| rule.trim().strip_prefix("--")?.split_once(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_written_out_and_rules_are_restricted_to_the_class() {
        assert_eq!((colour("paper"), colour("ink")), ("#fdfdfb", "#1c2430"));
        let style = style();
        assert!(!style.contains("var(") && !style.contains("svg"), "{style}");
        for rule in style.split('}').filter(|rule| !rule.trim().is_empty()) {
            assert!(rule.trim().starts_with(".concause "), "{rule}");
        }
    }
}

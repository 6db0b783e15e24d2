//! The causes and the target as a graph: a line for every column, a node `&` where several must hold together, and
//! the target on the right, to which all of them lead. Lines have no arrows, for the data does not tell the direction.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::figure::{Picture, across, line, pixels, text};
use super::{name, shown};
use crate::document::{CauseEntry, Document, EstimateEntry};
use crate::figures::odds_ratio;
use crate::text::cut;

/// The most causes in the picture.
const MOST: usize = 24;

const ROW: f64 = 34.0;
const TOP: f64 = 34.0;
/// The least distance between two lines into the target.
const APART: f64 = 26.0;

/// Places across, as shares of the width.
const DOT: f64 = 0.54;
const NODE: f64 = 0.72;
const TARGET: f64 = 0.97;

/// A conjunction.
struct Node<'a> {
    cause: &'a CauseEntry,
    rows: Vec<f64>,
    y: f64,
}

pub(super) fn section(document: &Document) -> Option<Markup> {
    let caption = html! {
        "Columns that lead to " (name(&document.target.label())) ", by themselves or, through a node " b { "&" } ", only together. Figures
         are adjusted risk ratios; dashed lines lower the risk. Lines have no arrows: the data alone does not tell cause from effect."
        @if document.causes.len() > MOST { " The first " (MOST) " of " (document.causes.len()) " causes are drawn." }
    };
    Some(picture(document)?.figure(&caption))
}

/// The picture; none without causes.
pub(super) fn picture(document: &Document) -> Option<Picture> {
    if document.causes.is_empty() {
        return None;
    }
    let causes = &document.causes[..document.causes.len().min(MOST)];
    // Columns in the order of the causes: those of single causes come first, and no line crosses a conjunction's.
    let mut rows: BTreeMap<&str, f64> = BTreeMap::new();
    for column in causes.iter().flat_map(|cause| &cause.columns) {
        let next = TOP + ROW * (rows.len() as f64 + 1.0) - 8.0;
        rows.entry(column).or_insert(next);
    }
    let nodes = nodes(causes, &rows);
    let last = nodes.last().map_or(0.0, |node| node.y);
    let bottom = (TOP + ROW * rows.len() as f64).max(last + 12.0);
    let drawing = html! {
        (text("tick", "start", (0.0, 14.0), "columns"))
        (text("label strong", "end", (1.0, 14.0), &cut(&shown(&document.target.label()), 30)))
        @for (&column, &y) in &rows {
            (text("label", "start", (0.0, y - 6.0), &cut(&shown(column), 26)))
            (line("stem", (0.0, y), (DOT, y)))
        }
        @for cause in causes.iter().filter(|cause| cause.columns.len() == 1) {
            @let y = rows.get(cause.columns[0].as_str()).copied().unwrap_or(TOP);
            (line(edge(cause), (DOT, y), (TARGET, y)))
            (strength(cause, y))
        }
        @for node in &nodes {
            @for &y in &node.rows { (line(edge(node.cause), (DOT, y), (NODE, node.y))) }
            (line(edge(node.cause), (NODE, node.y), (TARGET, node.y)))
            circle.node cx=(across(NODE)) cy=(pixels(node.y)) r="11" {}
            (text("node-label", "middle", (NODE, node.y + 5.0), "&"))
            (strength(node.cause, node.y))
        }
        @for &y in rows.values() { circle.dot cx=(across(DOT)) cy=(pixels(y)) r="4" {} }
        rect.target x=(across(TARGET)) y="22" width="8" height=(pixels(bottom - 22.0)) rx="3" {}
    };
    let title = "Graph of the causes and the target".to_owned();
    Some(Picture { id: "causes".into(), title, height: bottom + 4.0, drawing })
}

/// The conjunctions, each in the middle of its columns but apart from the others.
fn nodes<'a>(causes: &'a [CauseEntry], rows: &BTreeMap<&str, f64>) -> Vec<Node<'a>> {
    let combined = causes.iter().filter(|cause| cause.columns.len() > 1);
    let mut nodes: Vec<Node<'_>> = combined
        .map(|cause| {
            let rows: Vec<f64> =
                cause.columns.iter().filter_map(|column| rows.get(column.as_str()).copied()).collect();
            Node { cause, y: rows.iter().sum::<f64>() / rows.len().max(1) as f64, rows }
        })
        .collect();
    nodes.sort_by(|a, b| a.y.total_cmp(&b.y));
    let lines = causes.iter().filter(|cause| cause.columns.len() == 1);
    let mut below = lines
        .filter_map(|cause| rows.get(cause.columns[0].as_str()))
        .fold(0.0, |lowest: f64, &y| lowest.max(y));
    for node in &mut nodes {
        node.y = node.y.max(below + APART);
        below = node.y;
    }
    nodes
}

fn effect(cause: &CauseEntry) -> Option<&EstimateEntry> {
    cause.evidence.as_ref().map(|evidence| &evidence.adjusted.risk_ratio)
}

fn edge(cause: &CauseEntry) -> &'static str {
    let lowers = match effect(cause).and_then(|estimate| estimate.value) {
        Some(ratio) => ratio < 1.0,
        None => {
            matches!((cause.risk_with, cause.risk_without), (Some(with), Some(without)) if with < without)
        }
    };
    if lowers { "edge lower" } else { "edge" }
}

fn strength(cause: &CauseEntry, y: f64) -> Markup {
    let ratio = effect(cause).and_then(|estimate| estimate.value);
    html! { @if let Some(ratio) = ratio { (text("figure", "end", (TARGET - 0.02, y - 5.0), &format!("× {}", odds_ratio(ratio)))) } }
}

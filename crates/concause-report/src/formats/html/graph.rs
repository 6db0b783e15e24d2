//! The causes and the target as a graph: a line for each column, a node `&` for each conjunction, and the target on the
//! right. Lines have no arrowheads because the data alone do not determine direction.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::figure::{Picture, across, line, pixels, text};
use super::{name, shown};
use crate::document::{CauseEntry, Document};
use crate::numbers::odds_ratio;
use crate::text::truncate;

/// The largest number of causes in the picture.
const MAX_CAUSES: usize = 24;

const ROW: f64 = 34.0;
const TOP: f64 = 34.0;
/// The smallest distance between two lines into the target.
const MIN_DISTANCE: f64 = 26.0;

/// Horizontal positions, as shares of the width.
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
        "Causes of " (name(&document.target.label())) ": single columns, and conjunctions joined by a node " b { "&" } ". Numbers
         are adjusted risk ratios; dashed lines mark causes that lower the risk. Lines have no arrowheads because the data alone cannot
         distinguish causes from effects."
        @if document.causes.len() > MAX_CAUSES { " The first " (MAX_CAUSES) " of " (document.causes.len()) " causes are drawn." }
    };
    Some(picture(document)?.with_caption(&caption))
}

/// The picture; none without causes.
pub(super) fn picture(document: &Document) -> Option<Picture> {
    if document.causes.is_empty() {
        return None;
    }
    let causes = &document.causes[..document.causes.len().min(MAX_CAUSES)];
    // Columns are in the order of the causes: those of single causes come first, so that their lines cross no others.
    let mut rows: BTreeMap<&str, f64> = BTreeMap::new();
    for column in causes.iter().flat_map(|cause| &cause.literals) {
        let next = TOP + ROW * (rows.len() as f64 + 1.0) - 8.0;
        rows.entry(column).or_insert(next);
    }
    let nodes = place_nodes(causes, &rows);
    let last = nodes.last().map_or(0.0, |node| node.y);
    let bottom = (TOP + ROW * rows.len() as f64).max(last + 12.0);
    let drawing = html! {
        (text("tick", "start", (0.0, 14.0), "columns"))
        (text("label strong", "end", (1.0, 14.0), &truncate(&shown(&document.target.label()), 30)))
        @for (&column, &y) in &rows {
            (text("label", "start", (0.0, y - 6.0), &truncate(&shown(column), 26)))
            (line("stem", (0.0, y), (DOT, y)))
        }
        @for cause in causes.iter().filter(|cause| cause.literals.len() == 1) {
            @let y = rows.get(cause.literals[0].as_str()).copied().unwrap_or(TOP);
            (line(edge_class(cause), (DOT, y), (TARGET, y)))
            (ratio_label(cause, y))
        }
        @for node in &nodes {
            @for &y in &node.rows { (line(edge_class(node.cause), (DOT, y), (NODE, node.y))) }
            (line(edge_class(node.cause), (NODE, node.y), (TARGET, node.y)))
            circle.node cx=(across(NODE)) cy=(pixels(node.y)) r="11" {}
            (text("node-label", "middle", (NODE, node.y + 5.0), "&"))
            (ratio_label(node.cause, node.y))
        }
        @for &y in rows.values() { circle.dot cx=(across(DOT)) cy=(pixels(y)) r="4" {} }
        rect.target x=(across(TARGET)) y="22" width="8" height=(pixels(bottom - 22.0)) rx="3" {}
    };
    let title = "Graph of the causes and the target".to_owned();
    Some(Picture { id: "causes".into(), title, height: bottom + 4.0, drawing })
}

/// The conjunctions, each centred on its columns but at a distance from the others.
fn place_nodes<'a>(causes: &'a [CauseEntry], rows: &BTreeMap<&str, f64>) -> Vec<Node<'a>> {
    let combined = causes.iter().filter(|cause| cause.literals.len() > 1);
    let mut nodes: Vec<Node<'_>> = combined
        .map(|cause| {
            let rows: Vec<f64> =
                cause.literals.iter().filter_map(|column| rows.get(column.as_str()).copied()).collect();
            Node { cause, y: rows.iter().sum::<f64>() / rows.len().max(1) as f64, rows }
        })
        .collect();
    nodes.sort_by(|a, b| a.y.total_cmp(&b.y));
    let lines = causes.iter().filter(|cause| cause.literals.len() == 1);
    let mut below = lines
        .filter_map(|cause| rows.get(cause.literals[0].as_str()))
        .fold(0.0, |lowest: f64, &y| lowest.max(y));
    for node in &mut nodes {
        node.y = node.y.max(below + MIN_DISTANCE);
        below = node.y;
    }
    nodes
}

fn adjusted_ratio(cause: &CauseEntry) -> Option<f64> {
    cause.evidence.as_ref().and_then(|it| it.adjusted.effects.risk_ratio().ok()).map(|ratio| ratio.value)
}

fn edge_class(cause: &CauseEntry) -> &'static str {
    let lowers = match adjusted_ratio(cause) {
        Some(ratio) => ratio < 1.0,
        None => {
            matches!((cause.risk_with, cause.risk_without), (Some(with), Some(without)) if with < without)
        }
    };
    if lowers { "edge lower" } else { "edge" }
}

fn ratio_label(cause: &CauseEntry, y: f64) -> Markup {
    html! { @if let Some(ratio) = adjusted_ratio(cause) { (text("figure", "end", (TARGET - 0.02, y - 5.0), &format!("× {}", odds_ratio(ratio)))) } }
}

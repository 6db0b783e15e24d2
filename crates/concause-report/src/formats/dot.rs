//! The graph of the causes and the target for Graphviz. Columns are boxes and a conjunction is a circle connected to
//! its columns. Edges have no arrowheads because the data alone do not determine direction.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::{OutputFormat, TextStyle};
use crate::document::{CauseEntry, Document};
use crate::numbers::odds_ratio;
use crate::text::printable;

pub(super) struct DotFormat;

impl OutputFormat for DotFormat {
    fn name(&self) -> &'static str {
        "dot"
    }

    fn description(&self) -> &'static str {
        "the graph of the causes and the target, for Graphviz"
    }

    fn extension(&self) -> &'static str {
        "dot"
    }

    fn render(&self, document: &Document, _: &TextStyle) -> Vec<u8> {
        let mut graph = String::new();
        // Writing to a string does not fail.
        let _ = write_graph(document, &mut graph);
        graph.into_bytes()
    }
}

fn write_graph(document: &Document, out: &mut String) -> fmt::Result {
    let mut columns: BTreeMap<&str, usize> = BTreeMap::new();
    for column in document.causes.iter().flat_map(|cause| &cause.literals) {
        let next = columns.len() + 1;
        columns.entry(column).or_insert(next);
    }
    writeln!(out, "graph causes {{")?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [fontname=\"Helvetica\", shape=box, style=rounded];")?;
    writeln!(out, "  edge [fontname=\"Helvetica\", fontsize=10];")?;
    writeln!(
        out,
        "  target [label={}, style=\"rounded,filled\", fillcolor=lightgrey];",
        quote_name(&document.target.label())
    )?;
    let mut in_order: Vec<(&str, usize)> =
        columns.iter().map(|(&column, &number)| (column, number)).collect();
    in_order.sort_by_key(|&(_, number)| number);
    for (column, number) in in_order {
        writeln!(out, "  c{number} [label={}];", quote_name(column))?;
    }
    for (number, cause) in document.causes.iter().enumerate() {
        let parts: Vec<usize> =
            cause.literals.iter().filter_map(|column| columns.get(column.as_str()).copied()).collect();
        match &parts[..] {
            [single] => writeln!(out, "  c{single} -- target{};", attributes(cause))?,
            parts => {
                let node = number + 1;
                writeln!(
                    out,
                    "  and{node} [label=\"&\", shape=circle, style=solid, width=0.3, fixedsize=true];"
                )?;
                for part in parts {
                    writeln!(out, "  c{part} -- and{node};")?;
                }
                writeln!(out, "  and{node} -- target{};", attributes(cause))?;
            }
        }
    }
    writeln!(out, "}}")
}

/// The adjusted risk ratio as the label of an edge, which is dashed if the cause lowers the risk.
fn attributes(cause: &CauseEntry) -> String {
    let ratio = cause
        .evidence
        .as_ref()
        .and_then(|evidence| evidence.adjusted.effects.risk_ratio().ok())
        .map(|it| it.value);
    match ratio {
        Some(ratio) if ratio < 1.0 => format!(" [label=\"RR {}\", style=dashed]", odds_ratio(ratio)),
        Some(ratio) => format!(" [label=\"RR {}\"]", odds_ratio(ratio)),
        None => String::new(),
    }
}

/// A quoted name. Backslashes are escaped because Graphviz has escape sequences of its own.
fn quote_name(name: &str) -> String {
    format!("\"{}\"", printable(name).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_their_quotes() {
        assert_eq!(quote_name("a \"b\" \\N"), "\"a \\\"b\\\" \\\\N\"");
        assert_eq!(quote_name("two\nlines"), "\"two\\\\nlines\"");
    }
}

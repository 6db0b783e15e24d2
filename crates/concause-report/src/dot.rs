//! The graph of the causes and the target for Graphviz: columns are boxes, a conjunction is a circle that joins its columns, and lines
//! have no arrows, for the data alone does not tell the direction.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::document::{CauseEntry, Document};
use crate::figures::odds_ratio;
use crate::text::printable;

/// Writes the graph.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let mut columns: BTreeMap<&str, usize> = BTreeMap::new();
    for column in document.causes.iter().flat_map(|cause| &cause.columns) {
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
        quoted(&document.target.label())
    )?;
    let mut in_order: Vec<(&str, usize)> =
        columns.iter().map(|(&column, &number)| (column, number)).collect();
    in_order.sort_by_key(|&(_, number)| number);
    for (column, number) in in_order {
        writeln!(out, "  c{number} [label={}];", quoted(column))?;
    }
    for (number, cause) in document.causes.iter().enumerate() {
        let parts: Vec<usize> =
            cause.columns.iter().filter_map(|column| columns.get(column.as_str()).copied()).collect();
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

/// The adjusted risk ratio at the line, which is dashed if the risk is lower.
fn attributes(cause: &CauseEntry) -> String {
    let ratio = cause.evidence.as_ref().and_then(|evidence| evidence.adjusted.risk_ratio.value);
    match ratio {
        Some(ratio) if ratio < 1.0 => format!(" [label=\"RR {}\", style=dashed]", odds_ratio(ratio)),
        Some(ratio) => format!(" [label=\"RR {}\"]", odds_ratio(ratio)),
        None => String::new(),
    }
}

/// A name in quotes, in which a backslash would begin an escape of Graphviz's own.
fn quoted(name: &str) -> String {
    format!("\"{}\"", printable(name).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_breaks_out_of_its_quotes() {
        assert_eq!(quoted("a \"b\" \\N"), "\"a \\\"b\\\" \\\\N\"");
        assert_eq!(quoted("two\nlines"), "\"two\\\\nlines\"");
    }
}

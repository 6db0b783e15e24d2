//! One HTML file to put before others: the findings in words and pictures, and everything needed to check them.
//!
//! The page is made from the [`Document`] alone, so that a saved JSON gives the same bytes. It is static: what a
//! script adds (sorting, searching, saving pictures) is for comfort. It loads nothing from anywhere, and stays
//! under two megabytes for any result: what there is much of has a [budget](budget), the strongest come first, and the page says what is
//! left out.
//!
//! Names are data and may look like anything: `maud` escapes whatever is put into the page, and [`json`] what is put into its data.

mod budget;
mod candidates;
mod causes;
mod data;
mod figure;
mod finding;
mod forest;
mod funnel;
mod graph;
mod methods;
mod notebook;
mod plot;
mod risks;

use std::io::{self, Write};

pub use notebook::notebook;
pub use plot::Plot;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::document::{CauseEntry, Document};
use crate::figures::{self, counted};
use crate::text::{cut, printable};
use crate::wording;

/// The most characters of a name that are shown.
const LONGEST_NAME: usize = 160;

/// Writes the page.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(page(document).into_string().as_bytes())
}

const PAGE_STYLE: &str = include_str!("page.css");
/// Of the pictures, wherever they are.
const FIGURE_STYLE: &str = include_str!("figure.css");

/// What the page may load: nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

fn page(document: &Document) -> Markup {
    let target = shown(&document.target.label());
    let sections = [
        ("findings", "Findings", finding::section(document)),
        ("effects", "Effect sizes", forest::section(document)),
        ("table", "All causes", causes::section(document)),
        ("graph", "Graph", graph::section(document)),
        ("search", "How they were found", funnel::section(document)),
        ("why-not", "Why not?", candidates::section(document)),
        ("data", "Data", data::section(document)),
        ("methods", "Methods", methods::section(document)),
        ("again", "Run it again", data::again(document)),
    ];
    let sections: Vec<(&str, &str, Markup)> =
        sections.into_iter().filter_map(|(id, title, body)| Some((id, title, body?))).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "concause " (document.version) };
                title { "Causes of " (target) }
                style { (PreEscaped(PAGE_STYLE)) (PreEscaped(FIGURE_STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the findings" }
                header {
                    p.kicker { "Causal findings in observational data" }
                    h1 { "Causes of " (name(&document.target.label())) }
                    p.lead { (lead(document)) }
                    @if !document.complete { p.warning role="note" { strong { (wording::INCOMPLETE) } } }
                    @for warning in data::warnings(document) { (warning) }
                    nav aria-label="Contents" {
                        ul { @for (id, title, _) in &sections { li { a href={ "#" (id) } { (title) } } } }
                    }
                }
                main id="main" {
                    @for (id, title, body) in &sections {
                        section id=(id) aria-labelledby={ (id) "-title" } {
                            h2 id={ (id) "-title" } { (title) }
                            (body)
                        }
                    }
                }
                footer { p { "Made by concause " (document.version) " from a result of the form " code { (document.schema) } "." } }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    }
}

/// The result in a sentence or two.
fn lead(document: &Document) -> Markup {
    let target = name(&document.target.label());
    let (single, combined): (Vec<&CauseEntry>, Vec<&CauseEntry>) =
        document.causes.iter().partition(|cause| cause.level <= 1);
    let (positive, negative) = (document.target.positive, document.target.negative);
    let total = positive as f64 + negative as f64;
    html! {
        @if document.causes.is_empty() {
            "No cause of " (target) " was found among "
        } @else {
            strong { (counted(single.len() as u64, "single cause", "single causes")) " and "
                (counted(combined.len() as u64, "combined cause", "combined causes")) }
            " of " (target) " found among "
        }
        (counted(document.data.columns, "column", "columns")) " in "
        (counted(document.data.rows, "row", "rows"))
        @if total > 0.0 { ", " (percent(positive as f64 / total)) " of them with " (target) }
        "."
    }
}

/// Text from the data on one line, cut if it is very long.
fn shown(text: &str) -> String {
    cut(&printable(text), LONGEST_NAME)
}

/// A share in per cent that no line break takes apart.
fn percent(share: f64) -> String {
    figures::percent(share).replace(' ', "\u{a0}")
}

/// A name from the data, set apart from the words around it.
fn name(text: &str) -> Markup {
    html! { bdi.name { (shown(text)) } }
}

/// The columns of a conjunction.
fn conjunction(columns: &[String]) -> Markup {
    html! {
        @for (number, column) in columns.iter().enumerate() {
            @if number > 0 { " " span.and { "&" } " " }
            (name(column))
        }
    }
}

/// The name of a conjunction in a picture.
fn joined(columns: &[String]) -> String {
    columns.iter().map(|column| shown(column)).collect::<Vec<_>>().join(" & ")
}

/// What came nearest to explaining a cause away, as a cell of a table.
fn nearest(document: &Document, cause: &CauseEntry) -> Markup {
    html! {
        @if cause.challenger.given.is_empty() { "alone" }
        @else if let Some(all) = wording::all_others(document, cause) { "given " (all) }
        @else { "given " (enumerated(&cause.challenger.given)) }
    }
}

/// Names as words of a sentence, the first ten of them: `A`, `A and B`, `A, B and C`.
fn enumerated(names: &[String]) -> Markup {
    const MOST: usize = 10;
    let listed = names.len().min(MOST);
    let more = names.len() - listed;
    html! {
        @for (number, listed_name) in names[..listed].iter().enumerate() {
            @if number > 0 { @if number + 1 == listed && more == 0 { " and " } @else { ", " } }
            (name(listed_name))
        }
        @if more > 0 { " and " (counted(more as u64, "other", "others")) }
    }
}

/// Data for the script: JSON in which nothing can end the element around it.
fn json(value: &serde_json::Value) -> PreEscaped<String> {
    let text = value.to_string();
    PreEscaped(text.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_markup() {
        assert_eq!(name("<b>&\"'").into_string(), "<bdi class=\"name\">&lt;b&gt;&amp;&quot;'</bdi>");
        assert_eq!(name("a\nb").into_string(), "<bdi class=\"name\">a\\nb</bdi>");
        assert_eq!(json(&serde_json::json!("</script>")).0, "\"\\u003c/script\\u003e\"");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..12).map(|number| number.to_string()).collect();
        let text = |names: &[String]| {
            enumerated(names).into_string().replace("<bdi class=\"name\">", "").replace("</bdi>", "")
        };
        assert_eq!(text(&names[..1]), "0");
        assert_eq!(text(&names[..3]), "0, 1 and 2");
        assert_eq!(text(&names[..10]), "0, 1, 2, 3, 4, 5, 6, 7, 8 and 9");
        assert_eq!(text(&names), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 others");
    }
}

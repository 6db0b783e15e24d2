//! A self-contained HTML report: the findings in words and pictures, and everything needed to check them.
//!
//! The page is rendered from the [`Document`] alone, so that a saved JSON gives the same bytes. It is static; the
//! script only adds sorting, searching and saving of pictures. The page loads nothing and stays under two megabytes
//! for any result: each long list has a [budget](budget), the strongest items come first, and the page states what is
//! omitted.
//!
//! Names are data and may contain anything: `maud` escapes the text of the page, and [`embed_json`] escapes its data.

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

pub use notebook::render_notebook;
pub use plot::Plot;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{OutputFormat, TextStyle};
use crate::document::{CauseEntry, Document};
use crate::numbers::{self, counted};
use crate::sentences;
use crate::text::{printable, truncate};

/// The largest number of characters of a name.
const MAX_NAME_LENGTH: usize = 160;

pub(super) struct HtmlFormat;

impl OutputFormat for HtmlFormat {
    fn name(&self) -> &'static str {
        "html"
    }

    fn description(&self) -> &'static str {
        "a self-contained HTML report to share"
    }

    fn extension(&self) -> &'static str {
        "html"
    }

    fn render(&self, document: &Document, _: &TextStyle) -> Vec<u8> {
        render_page(document).into_string().into_bytes()
    }

    fn suits_terminal(&self) -> bool {
        false
    }
}

const PAGE_STYLE: &str = include_str!("page.css");
/// The style of pictures, in the page and on their own.
const FIGURE_STYLE: &str = include_str!("figure.css");

/// Forbids the page to load anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

fn render_page(document: &Document) -> Markup {
    let target = shown(&document.target.label());
    let sections = [
        ("findings", "Findings", finding::section(document)),
        ("effects", "Effect sizes", forest::section(document)),
        ("table", "All causes", causes::section(document)),
        ("graph", "Graph", graph::section(document)),
        ("search", "Search", funnel::section(document)),
        ("why-not", "Why not?", candidates::section(document)),
        ("data", "Data", data::section(document)),
        ("methods", "Methods", methods::section(document)),
        ("reproduce", "Reproduce", data::reproduction(document)),
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
                    @if !document.complete { p.warning role="note" { strong { (sentences::INCOMPLETE) } } }
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
                footer { p { "Written by concause " (document.version) " from a result in the format " code { (document.schema) } "." } }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    }
}

/// The result in one sentence.
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
            " of " (target) " were found among "
        }
        (counted(document.data.columns, "column", "columns")) " in "
        (counted(document.data.rows, "row", "rows"))
        @if total > 0.0 { ", " (percent(positive as f64 / total)) " of them with " (target) }
        "."
    }
}

/// Text from the data on one line, truncated if it is very long.
fn shown(text: &str) -> String {
    truncate(&printable(text), MAX_NAME_LENGTH)
}

/// A proportion in per cent with a non-breaking space.
fn percent(share: f64) -> String {
    numbers::percent(share).replace(' ', "\u{a0}")
}

/// A name from the data, set apart from the text around it.
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

/// The conditioning set with the largest p-value, or the strongest alternative, for a table.
fn challenger_cell(document: &Document, cause: &CauseEntry) -> Markup {
    html! {
        @if let Some(posterior) = &document.posterior { (sentences::alternative(posterior, cause, shown)) }
        @else if cause.challenger.given.is_empty() { "none" }
        @else if let Some(all) = sentences::all_other_causes(document, cause) { (all) }
        @else { (enumerated(&cause.challenger.given)) }
    }
}

/// Names in a sentence, at most ten of them: `A`, `A and B`, `A, B and C`.
fn enumerated(names: &[String]) -> Markup {
    const MAX_NAMES: usize = 10;
    let listed = names.len().min(MAX_NAMES);
    let more = names.len() - listed;
    html! {
        @for (number, listed_name) in names[..listed].iter().enumerate() {
            @if number > 0 { @if number + 1 == listed && more == 0 { " and " } @else { ", " } }
            (name(listed_name))
        }
        @if more > 0 { " and " (counted(more as u64, "other", "others")) }
    }
}

/// Data for the script: JSON that cannot end the element around it.
fn embed_json(value: &serde_json::Value) -> PreEscaped<String> {
    let text = value.to_string();
    PreEscaped(text.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(name("<b>&\"'").into_string(), "<bdi class=\"name\">&lt;b&gt;&amp;&quot;'</bdi>");
        assert_eq!(name("a\nb").into_string(), "<bdi class=\"name\">a\\nb</bdi>");
        assert_eq!(embed_json(&serde_json::json!("</script>")).0, "\"\\u003c/script\\u003e\"");
    }

    #[test]
    fn long_lists_are_truncated() {
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

//! A page in GitHub-flavoured Markdown, to paste into an issue, a wiki or a notebook.
//!
//! Names are data and may contain anything; each is put in a code span that it cannot break out of: see [`code_span`].

use std::fmt::Write as _;

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::descriptors::{MA, honours, statistic_symbol, uses_seed};
use crate::document::{CauseEntry, Document, EstimateEntry, EvidenceEntry};
use crate::evaluation::Evaluation;
use crate::numbers::{
    counted, exact, held_out_p, p_value, percent, probability, ratio, statistic, thousands,
};
use crate::sentences;
use crate::text::printable;
use crate::text_table::PageSyntax;

pub(super) struct MarkdownFormat;

impl OutputFormat for MarkdownFormat {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn description(&self) -> &'static str {
        "Markdown, to paste into an issue or a notebook"
    }

    fn extension(&self) -> &'static str {
        "md"
    }

    fn render(&self, document: &Document, _: &TextStyle) -> Vec<u8> {
        render_page(document).into_bytes()
    }

    fn render_comparison(&self, comparison: &Comparison) -> Option<String> {
        Some(comparison.to_page(PageSyntax::Markdown))
    }

    fn render_evaluation(&self, evaluation: &Evaluation) -> Option<String> {
        Some(evaluation.to_page(PageSyntax::Markdown))
    }

    fn supports_comparisons(&self) -> bool {
        true
    }
}

fn render_page(document: &Document) -> String {
    let target = code_span(&document.target.label());
    let mut sections = vec![format!("## Causes of {target}")];
    if !document.complete {
        sections.push(format!("**{}**", sentences::INCOMPLETE));
    }
    sections.push(data_sentence(document));
    if document.causes.is_empty() {
        sections.push(sentences::no_cause_found(document, &target));
    } else {
        sections.push(causes_table(document));
        sections.extend(sentences::posterior(document, code_span));
        let interactions = sentences::interactions(document, code_span);
        if !interactions.is_empty() {
            let items: Vec<String> = interactions.iter().map(|sentence| format!("- {sentence}")).collect();
            sections.push(items.join("\n"));
        }
        let adjusted = sentences::adjusted_definition(document).map(|it| it + " ").unwrap_or_default();
        let direction = sentences::direction(&target);
        let p = match document.posterior {
            Some(_) => "",
            None => "p is the largest p-value over all tests of a cause; ",
        };
        sections.push(format!("{p}{adjusted}{direction}"));
    }
    sections.extend(sentences::holdout(document, code_span));
    sections.extend(sentences::stability(document, code_span));
    sections.extend(sentences::calibration(document));
    sections.push(levels_table(document));
    let warnings =
        document.warnings.iter().map(|it| format!("- **Warning:** {}", escape_markdown(&it.sentence)));
    let notices = document.notices.iter().map(|notice| format!("- {}", escape_markdown(notice)));
    let remarks: Vec<String> = warnings.chain(notices).collect();
    if !remarks.is_empty() {
        sections.push(remarks.join("\n"));
    }
    let knowledge = sentences::background_knowledge(document, &target, code_span);
    if !knowledge.is_empty() {
        sections.push(knowledge.join(" "));
    }
    sections.push(settings_sentence(document));
    sections.push(format!("Method: {MA}"));
    sections.join("\n\n") + "\n"
}

fn data_sentence(document: &Document) -> String {
    let sources: Vec<String> = document.data.sources.iter().map(|source| code_span(source)).collect();
    let size = sentences::data_size(document);
    if sources.is_empty() {
        format!("Data: {size}.")
    } else {
        format!("Data: {}: {size}.", sources.join(", "))
    }
}

fn causes_table(document: &Document) -> String {
    let optional =
        OptionalColumns { holdout: document.holdout.is_some(), stability: document.stability.is_some() };
    let heading = optional.cells("held-out p".into(), "stability".into());
    let rule = optional.cells("---:".into(), "---:".into());
    let (decision, challenger) = match document.posterior {
        Some(_) => ("probability", "alternative"),
        None => ("p", "conditioning set"),
    };
    let mut table = format!(
        "| cause | level | {} | {decision} | risk with | risk without | RR | adjusted RR |{heading} {challenger} | equivalent |\n\
         | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |{rule} :--- | :--- |",
        statistic_symbol(&document.settings)
    );
    for cause in &document.causes {
        table.push('\n');
        table.push_str(&cause_row(document, cause, optional));
    }
    table
}

/// The columns of results that are optional.
#[derive(Clone, Copy)]
struct OptionalColumns {
    holdout: bool,
    stability: bool,
}

impl OptionalColumns {
    fn cells(self, held_out_p: String, stability: String) -> String {
        let cells = [held_out_p].into_iter().filter(|_| self.holdout);
        let cells = cells.chain([stability].into_iter().filter(|_| self.stability));
        cells.map(|cell| format!(" {cell} |")).collect()
    }
}

fn cause_row(document: &Document, cause: &CauseEntry, optional: OptionalColumns) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    let optional = optional.cells(held_out_p(cause).replace('<', "&lt;"), share(cause.stability));
    let [risk_with, risk_without] = sentences::risks(cause);
    let effect = |select: fn(&EvidenceEntry) -> &EstimateEntry| {
        cause
            .evidence
            .as_ref()
            .map_or_else(|| "–".to_owned(), |evidence| ratio(select(evidence)).replace('*', "\\*"))
    };
    let challenger = match &document.posterior {
        Some(posterior) => sentences::alternative(posterior, cause, code_span),
        None => sentences::challenger_set(document, cause, code_spans),
    };
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} |{optional} {challenger} | {} |",
        code_span(&cause.name),
        cause.level,
        statistic(cause.statistic),
        cause.probability.map_or_else(|| p_value(cause.p_value), probability).replace('<', "&lt;"),
        share(risk_with),
        share(risk_without),
        effect(|evidence| &evidence.risk_ratio),
        effect(|evidence| &evidence.adjusted.risk_ratio),
        code_spans(&cause.equivalent),
    )
}

fn levels_table(document: &Document) -> String {
    let controlled = document.settings.fdr.is_some();
    let (heading, rule) = if controlled { (" threshold |", " ---: |") } else { ("", "") };
    let mut table = format!(
        "| level | candidates | redundant | associated | causes | tests | not testable |{heading}\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: |{rule}"
    );
    for level in &document.levels {
        table.push_str("\n|");
        let numbers = [
            level.level as u64,
            level.candidates,
            level.redundant,
            level.associated,
            level.causes,
            level.tests,
            level.not_testable,
        ];
        for number in numbers {
            table.push_str(&format!(" {} |", thousands(number)));
        }
        if controlled {
            let threshold = level.threshold.map(p_value).unwrap_or_default();
            table.push_str(&format!(" p ≤ {threshold} |"));
        }
    }
    table
}

/// The settings that the method uses.
fn settings_sentence(document: &Document) -> String {
    let settings = &document.settings;
    let uses = |setting| honours(settings, setting);
    let fdr = settings.fdr.as_ref().map(|fdr| format!(" (false discovery rate: {})", code_span(fdr)));
    let listed = [
        Some(format!("concause {}", code_span(&document.version))),
        Some(format!("preset {}", code_span(&settings.preset))),
        Some(format!("method {}", code_span(&settings.method))),
        Some(format!("test {}", code_span(&settings.test))),
        Some(format!("alpha {}{}", exact(settings.alpha), fdr.unwrap_or_default())),
        uses("redundancy_alpha").then(|| format!("redundancy alpha {}", exact(settings.redundancy_alpha))),
        uses("max_k").then(|| format!("max_k {}", settings.max_k)),
        uses("max_level").then(|| format!("max_level {}", settings.max_level)),
        uses("overlap").then(|| format!("overlap {}", code_span(&settings.overlap))),
        Some(format!("duplicates {}", code_span(&settings.duplicates))),
        uses("max_candidates").then(|| {
            format!("at most {} per level", counted(settings.max_candidates, "candidate", "candidates"))
        }),
        uses("max_tests")
            .then(|| format!("at most {} in the worst case", counted(settings.max_tests, "test", "tests"))),
        uses_seed(document).then(|| format!("seed {}", settings.seed)),
    ];
    format!("Settings: {}.", listed.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn code_spans(names: &[String]) -> String {
    names.iter().map(|name| code_span(name)).collect::<Vec<_>>().join(", ")
}

/// A name in a code span. A backtick would end the span, and a pipe would end a table cell even within it. Names with
/// either are written as HTML with entities for all characters that have a meaning in Markdown.
pub(crate) fn code_span(name: &str) -> String {
    let name = printable(name);
    let awkward = name.is_empty() || name.starts_with(' ') || name.ends_with(' ');
    if !awkward && !name.contains(['`', '|']) {
        return format!("`{name}`");
    }
    let mut escaped = String::new();
    for character in name.chars() {
        if character.is_ascii_punctuation() || character == ' ' {
            // Writing to a string does not fail.
            let _ = write!(escaped, "&#{};", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    format!("<code>{escaped}</code>")
}

/// A sentence without Markdown syntax.
pub(crate) fn escape_markdown(sentence: &str) -> String {
    let mut escaped = String::new();
    for character in printable(sentence).chars() {
        if "\\`*_{}[]<>#|~&$@".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_their_code_spans() {
        assert_eq!(code_span("a&b=c"), "`a&b=c`");
        assert_eq!(code_span("<script>"), "`<script>`");
        assert_eq!(code_span("two\nlines"), "`two\\nlines`");
        assert_eq!(code_span("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code_span("a`*b*"), "<code>a&#96;&#42;b&#42;</code>");
        assert_eq!(code_span("a\\|"), "<code>a&#92;&#124;</code>");
        assert_eq!((code_span(""), code_span(" ")), ("<code></code>".into(), "<code>&#32;</code>".into()));
    }

    #[test]
    fn notices_contain_no_markdown() {
        assert_eq!(escape_markdown("'a_b' <b>\nleft out"), "'a\\_b' \\<b\\>\\\\nleft out");
    }
}

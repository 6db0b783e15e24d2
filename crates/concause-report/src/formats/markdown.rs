//! A page in GitHub-flavoured Markdown, to paste into an issue, a wiki or a notebook.
//!
//! Names are data and may contain anything; each is put in a code span that it cannot break out of: see `code_span`.

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::descriptors::{decides_by_tests, find_descriptor, statistic_symbol, uses};
use crate::document::{CauseEntry, Document};
use crate::evaluation::Evaluation;
use crate::measures::{CORRECTED, is_corrected, leading_measures, on_scale};
use crate::numbers::{counted, exact, p_value, percent, probability, statistic, thousands};
use crate::references::references_of;
use crate::sentences::{self, held_out_p};
use crate::text::{code_span, escape_markdown};
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
        let p = match decides_by_tests(&document.settings) {
            false => "",
            true => "p is the largest p-value over all tests of a cause; ",
        };
        sections.push(format!("{p}{adjusted}{direction}"));
        let mut leading =
            (document.causes.iter()).filter_map(|cause| cause.evidence.as_ref()).flat_map(|it| it.summary());
        let has_corrected = leading.any(|(_, crude, adjusted)| is_corrected(crude) || is_corrected(adjusted));
        if has_corrected || sentences::interactions_are_corrected(document) {
            sections.push(CORRECTED.replace('*', "\\*"));
        }
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
    sections.push(method_sentence(document));
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
    let measures: String =
        leading_measures().map(|it| format!(" {0} | adjusted {0} |", it.abbreviation)).collect();
    let measure_rules = " ---: | ---: |".repeat(leading_measures().count());
    let mut table = format!(
        "| cause | level | {} | {decision} | risk with | risk without |{measures}{heading} {challenger} | equivalent |\n\
         | :--- | ---: | ---: | ---: | ---: | ---: |{measure_rules}{rule} :--- | :--- |",
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
    let evidence = cause.evidence.as_ref();
    let measures: String = match evidence {
        Some(evidence) => evidence
            .summary()
            .flat_map(|(measure, crude, adjusted)| {
                [on_scale(crude, measure.scale), on_scale(adjusted, measure.scale)]
            })
            .map(|effect| format!(" {} |", effect.replace('*', "\\*")))
            .collect(),
        None => " – | – |".repeat(leading_measures().count()),
    };
    let challenger = match &document.posterior {
        Some(posterior) => sentences::alternative(posterior, cause, code_span),
        None => sentences::challenger_set(document, cause, code_spans),
    };
    format!(
        "| {} | {} | {} | {} | {} | {} |{measures}{optional} {challenger} | {} |",
        code_span(&cause.label()),
        cause.level,
        statistic(cause.statistic),
        cause.probability.map_or_else(|| p_value(cause.p_value), probability).replace('<', "&lt;"),
        share(risk_with),
        share(risk_without),
        code_spans(&cause.equivalent),
    )
}

fn levels_table(document: &Document) -> String {
    let controlled = document.settings.fdr.is_some() && uses(document, "fdr");
    let (heading, rule) = if controlled { (" threshold |", " ---: |") } else { ("", "") };
    let columns = sentences::level_columns(document);
    let headings: String = columns.iter().map(|(heading, _)| format!(" {heading} |")).collect();
    let mut table =
        format!("| level |{headings}{heading}\n| ---: |{}{rule}", " ---: |".repeat(columns.len()));
    for level in &document.levels {
        table.push_str(&format!("\n| {} |", level.level));
        for (_, count) in &columns {
            table.push_str(&format!(" {} |", thousands(count(level))));
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
    let uses = |setting| uses(document, setting);
    let fdr = settings
        .fdr
        .as_ref()
        .filter(|_| uses("fdr"))
        .map(|fdr| format!(" (false discovery rate: {})", code_span(fdr)));
    let listed = [
        Some(format!("concause {}", code_span(&document.version))),
        Some(format!("preset {}", code_span(&settings.preset))),
        Some(format!("method {}", code_span(&settings.method))),
        uses("test").then(|| format!("test {}", code_span(&settings.test))),
        uses("alpha").then(|| format!("alpha {}{}", exact(settings.alpha), fdr.unwrap_or_default())),
        uses("redundancy_alpha").then(|| format!("redundancy alpha {}", exact(settings.redundancy_alpha))),
        uses("max_k").then(|| format!("max_k {}", settings.max_k)),
        uses("max_level").then(|| format!("max_level {}", settings.max_level)),
        uses("overlap").then(|| format!("overlap {}", code_span(&settings.overlap))),
        uses("duplicates").then(|| format!("duplicates {}", code_span(&settings.duplicates))),
        uses("max_candidates").then(|| {
            format!("at most {} per level", counted(settings.max_candidates, "candidate", "candidates"))
        }),
        uses("max_tests")
            .then(|| format!("at most {} in the worst case", counted(settings.max_tests, "test", "tests"))),
        uses("seed").then(|| format!("seed {}", settings.seed)),
    ];
    format!("Settings: {}.", listed.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// The method and the publications that define it.
fn method_sentence(document: &Document) -> String {
    match find_descriptor(&document.settings) {
        Some(method) => {
            let references: Vec<&str> = references_of(method.citation).collect();
            format!("Method: {}. {}", method.title, references.join(" "))
        }
        None => format!("Method: {}", code_span(&document.settings.method)),
    }
}

fn code_spans(names: &[String]) -> String {
    names.iter().map(|name| code_span(name)).collect::<Vec<_>>().join(", ")
}

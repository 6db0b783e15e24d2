//! A page to paste into an issue, a wiki or a notebook: GitHub's Markdown.
//!
//! Names are data and may look like anything; each is put in code marks from which it cannot break out: see
//! [`code`].

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::document::{CauseEntry, Document, EstimateEntry, EvidenceEntry};
use crate::figures::{counted, exact, p_value, percent, ratio, statistic, thousands};
use crate::table::held_out_p;
use crate::text::printable;
use crate::wording;

/// The paper whose method this is.
const CITATION: &str = "Ma S, Li J, Liu L, Le TD (2016) Mining combined causes in large data sets. \
                        *Knowledge-Based Systems* 92:104–111.";

/// Writes the page.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(page(document).as_bytes())
}

fn page(document: &Document) -> String {
    let target = code(&document.target.label());
    let mut sections = vec![format!("## Causes of {target}")];
    if !document.complete {
        sections.push(format!("**{}**", wording::INCOMPLETE));
    }
    sections.push(data(document));
    if document.causes.is_empty() {
        sections.push(wording::nothing_found(document, &target));
    } else {
        sections.push(causes(document));
        let together = wording::together(document, code);
        if !together.is_empty() {
            sections
                .push(together.iter().map(|sentence| format!("- {sentence}")).collect::<Vec<_>>().join("\n"));
        }
        let adjusted = wording::adjusted(document).map(|sentence| sentence + " ").unwrap_or_default();
        let direction = wording::direction(&target);
        sections.push(format!("p is the largest over all tests of a cause; {adjusted}{direction}"));
    }
    sections.extend(wording::holdout(document, code));
    sections.extend(wording::stability(document, code));
    sections.extend(wording::calibration(document));
    sections.push(levels(document));
    let warnings = document.warnings.iter().map(|it| format!("- **Warning:** {}", plain(&it.sentence)));
    let notices = document.notices.iter().map(|notice| format!("- {}", plain(notice)));
    let remarks: Vec<String> = warnings.chain(notices).collect();
    if !remarks.is_empty() {
        sections.push(remarks.join("\n"));
    }
    let known = wording::known(document, &target, code);
    if !known.is_empty() {
        sections.push(known.join(" "));
    }
    sections.push(settings(document));
    sections.push(format!("Method: {CITATION}"));
    sections.join("\n\n") + "\n"
}

fn data(document: &Document) -> String {
    let sources: Vec<String> = document.data.sources.iter().map(|source| code(source)).collect();
    let extent = wording::extent(document);
    if sources.is_empty() {
        format!("Data: {extent}.")
    } else {
        format!("Data: {}: {extent}.", sources.join(", "))
    }
}

fn causes(document: &Document) -> String {
    let asked = Asked { holdout: document.holdout.is_some(), stability: document.stability.is_some() };
    let heading = asked.cells("held-out p".into(), "stability".into());
    let rule = asked.cells("---:".into(), "---:".into());
    let mut table = format!(
        "| cause | level | {} | p | risk with | risk without | RR | adjusted RR |{heading} nearest explanation | equivalent |\n\
         | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |{rule} :--- | :--- |",
        wording::statistic(document)
    );
    for cause in &document.causes {
        table.push('\n');
        table.push_str(&row(document, cause, asked));
    }
    table
}

/// The columns that are there only if asked for.
#[derive(Clone, Copy)]
struct Asked {
    holdout: bool,
    stability: bool,
}

impl Asked {
    fn cells(self, held_out_p: String, stability: String) -> String {
        let cells = [held_out_p].into_iter().filter(|_| self.holdout);
        let cells = cells.chain([stability].into_iter().filter(|_| self.stability));
        cells.map(|cell| format!(" {cell} |")).collect()
    }
}

fn row(document: &Document, cause: &CauseEntry, asked: Asked) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    let asked = asked.cells(held_out_p(cause).replace('<', "&lt;"), share(cause.stability));
    let [risk_with, risk_without] = wording::risks(cause);
    let effect = |of: fn(&EvidenceEntry) -> &EstimateEntry| {
        cause
            .evidence
            .as_ref()
            .map_or_else(|| "–".to_owned(), |evidence| ratio(of(evidence)).replace('*', "\\*"))
    };
    let explanation = wording::explanation(document, cause, codes);
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} |{asked} {explanation} | {} |",
        code(&cause.name),
        cause.level,
        statistic(cause.statistic),
        p_value(cause.p_value).replace('<', "&lt;"),
        share(risk_with),
        share(risk_without),
        effect(|evidence| &evidence.risk_ratio),
        effect(|evidence| &evidence.adjusted.risk_ratio),
        codes(&cause.equivalent),
    )
}

fn levels(document: &Document) -> String {
    let controlled = document.settings.fdr.is_some();
    let (heading, rule) = if controlled { (" threshold |", " ---: |") } else { ("", "") };
    let mut table = format!(
        "| level | candidates | redundant | associated | causes | tests | not testable |{heading}\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: |{rule}"
    );
    for level in &document.levels {
        table.push_str("\n|");
        let numbers = [
            level.level,
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

fn settings(document: &Document) -> String {
    let settings = &document.settings;
    format!(
        "Settings: concause {}, preset {}, method {}, test {}, alpha {}{}, redundancy alpha {}, max_k {}, max_level {}, \
         overlap {}, twins {}, at most {} a level{}.",
        code(&document.version),
        code(&settings.preset),
        code(&settings.method),
        code(&settings.test),
        exact(settings.alpha),
        settings
            .fdr
            .as_ref()
            .map_or_else(String::new, |fdr| format!(" (false discovery rate: {})", code(fdr))),
        exact(settings.redundancy_alpha),
        settings.max_k,
        settings.max_level,
        code(&settings.overlap),
        code(&settings.twins),
        counted(settings.max_candidates, "candidate", "candidates"),
        match &settings.method[..] {
            "pc-select" | "naive-h" | "naive-s" => {
                format!(" and {} at worst", counted(settings.max_tests, "test", "tests"))
            }
            "cr-cs" => format!(", seed {}", settings.seed),
            _ if document.stability.is_some()
                || document.calibration.is_some()
                || document.holdout.is_some() =>
                format!(", seed {}", settings.seed),
            _ => String::new(),
        },
    )
}

fn codes(names: &[String]) -> String {
    names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ")
}

/// A name in code marks. Backticks would end them and a pipe would end the cell of a table even within them, so
/// names with these are written as HTML, every character that means anything to Markdown as an entity.
pub(crate) fn code(name: &str) -> String {
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

/// A sentence that means nothing to Markdown but its words.
pub(crate) fn plain(sentence: &str) -> String {
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
    fn no_name_breaks_out_of_its_marks() {
        assert_eq!(code("a&b=c"), "`a&b=c`");
        assert_eq!(code("<script>"), "`<script>`");
        assert_eq!(code("two\nlines"), "`two\\nlines`");
        assert_eq!(code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code("a`*b*"), "<code>a&#96;&#42;b&#42;</code>");
        assert_eq!(code("a\\|"), "<code>a&#92;&#124;</code>");
        assert_eq!((code(""), code(" ")), ("<code></code>".into(), "<code>&#32;</code>".into()));
    }

    #[test]
    fn notices_are_only_words() {
        assert_eq!(plain("'a_b' <b>\nleft out"), "'a\\_b' \\<b\\>\\\\nleft out");
    }
}

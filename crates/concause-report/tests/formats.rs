//! Every format, byte by byte. After an intended change, run with `UPDATE_SNAPSHOTS=1` and review the difference.

use std::path::Path;
use std::{env, fs};

use concause::evidence::Measure;
use concause_report::document::StabilitySummary;
use concause_report::{Document, FORMATS, TextStyle, find_format, summarise_run, summarise_steps};
use unicode_width::UnicodeWidthStr;

use crate::sample;

fn render(format: &str, document: &Document) -> String {
    render_styled(format, document, TextStyle::default())
}

fn render_styled(format: &str, document: &Document, style: TextStyle) -> String {
    let format = find_format(format).expect("the format exists");
    String::from_utf8(format.render(document, &style)).expect("every format is UTF-8")
}

#[track_caller]
fn assert_snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, text).expect("the snapshot can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} differs; it now reads:\n{text}\nand was:\n{expected}");
}

#[test]
fn every_format_of_hostile_names() {
    let document = sample::hostile();
    assert_snapshot("hostile.txt", &render("table", &document));
    assert_snapshot("hostile.json", &render("json", &document));
    assert_snapshot("hostile.csv", &render("csv", &document));
    assert_snapshot("hostile.md", &render("markdown", &document));
    assert_snapshot("hostile.dot", &render("dot", &document));
}

#[test]
fn a_run_is_summarised() {
    let document = sample::hostile();
    assert_eq!(summarise_run(&document), "2,500 rows, 8 columns, 1,235,801 tests, 2.38 s");
    assert_eq!(
        summarise_steps(&document),
        [
            "level 1: 8 candidates → 8 not redundant → 5 associated → 2 causes",
            "level 1: rejected: 1 not associated, 1 not testable, 1 separated",
            "level 2: 9,870 candidates → 750 not redundant → 320 associated → 1 cause",
            "level 2: rejected: 1 separated",
            "reading 0.25 s, encoding 0.12 s, search 1.50 s, evidence 0.50 s, resampling 0.00 s",
        ]
    );
}

#[test]
fn reports_of_the_default_method_name_no_test_that_it_does_not_make() {
    let document = sample::with_posterior();
    for page in ["table", "markdown", "html"].map(|format| render(format, &document)) {
        for word in ["0 associated", "0 tests", "redundant", "Ma S, Li J", "alpha", "fdr", "not controlled"] {
            assert!(!page.contains(word), "{word}: {page}");
        }
    }
    let page = render("markdown", &document);
    assert!(page.contains("| level | candidates | causes |\n"), "{page}");
    assert!(page.contains("Method: the joint posterior. Barbieri"), "{page}");
    assert_eq!(summarise_steps(&document)[0], "level 1: 8 candidates → 2 causes");
    // The tests in held-out rows use alpha.
    let mut held_out = document;
    held_out.holdout = sample::trusted().holdout;
    assert!(render("markdown", &held_out).contains(", alpha 0.05,"));
}

#[test]
fn an_asterisk_has_its_note() {
    // A count of 0 marks the crude ratio, which Markdown and HTML show, and measures of interaction.
    for document in [sample::hostile(), sample::trusted(), sample::incomplete(), sample::with_posterior()] {
        for format in ["table", "markdown", "html"] {
            let page = render(format, &document);
            let marked = page.lines().any(|line| {
                line.match_indices('*').any(|(place, _)| {
                    let before = line[..place].trim_end_matches('\\');
                    before.ends_with(|it: char| it.is_ascii_digit()) && line[place..].contains(" (")
                })
            });
            assert_eq!(marked, page.contains("½ was added to the counts"), "{format}: {page}");
        }
    }
    assert!(render("markdown", &sample::hostile()).contains("\\* ½ was added"));
}

#[test]
fn an_alternative_keeps_its_negations() {
    let mut document = sample::with_posterior();
    let set = &mut document.posterior.as_mut().unwrap().attribute_sets[2];
    set.alternatives[0].name = "x|y≠z".into();
    for page in ["table", "markdown", "html"].map(|format| render(format, &document)) {
        assert!(page.contains("x|y≠z") || page.contains("x&#124;y≠z"), "{page}");
    }
}

#[test]
fn an_undecided_form_and_a_cut_are_said() {
    let page = render("table", &sample::with_posterior());
    for part in [
        "<script>alert(1)</script> (form undecided)",
        "<script>alert(1)</script> matters with probability .88, in a form that is undecided:",
        "Cut, with its 95 % credible range: 🔥=日本 60 (57.5 to 62.5).",
        "> .99",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("1.00"), "{page}");
    // An alternative that is a form of the attribute is listed once.
    let mut document = sample::with_posterior();
    let posterior = document.posterior.as_mut().unwrap();
    let set = posterior.attribute_sets.iter_mut().find(|set| set.undecided).unwrap();
    let mut again = set.terms[0].clone();
    again.probability /= 8.0;
    let name = format!("{} (", again.name);
    set.alternatives.push(again);
    let page = render("table", &document);
    let sentence = page.lines().find(|line| line.contains("in a form that is undecided")).unwrap();
    assert!(sentence.contains(&name) && !sentence.contains("(.05)"), "{sentence}");
}

#[test]
fn trust_checks_are_reported() {
    let document = sample::trusted();
    assert_snapshot("trusted.txt", &render("table", &document));
    assert_snapshot("trusted.json", &render("json", &document));
    assert_snapshot("trusted.csv", &render("csv", &document));
    assert_snapshot("trusted.md", &render("markdown", &document));
    assert_snapshot("posterior.txt", &render("table", &sample::with_posterior()));
    assert_snapshot("posterior.md", &render("markdown", &sample::with_posterior()));
    assert_snapshot("posterior.json", &render("json", &sample::with_posterior()));
    let mut stopped = document;
    stopped.stability = stopped.stability.map(|stability| StabilitySummary {
        samples: 0,
        mean_causes: None,
        others: Vec::new(),
        ..stability
    });
    let page = render("table", &stopped);
    assert!(page.contains("Stability is unknown: 0 half-samples of 100 requested."), "{page}");
}

#[test]
fn an_empty_result_gives_advice() {
    let document = sample::empty();
    assert_snapshot("empty.txt", &render("table", &document));
    assert_snapshot("empty.json", &render("json", &document));
    assert_snapshot("empty.csv", &render("csv", &document));
    assert_snapshot("empty.md", &render("markdown", &document));
}

#[test]
fn an_incomplete_result_says_so_first() {
    let document = sample::incomplete();
    assert_snapshot("incomplete.txt", &render("table", &document));
    assert_snapshot("incomplete.json", &render("json", &document));
    assert_snapshot("incomplete.md", &render("markdown", &document));
    assert!(!document.complete);
}

#[test]
fn every_empty_result_has_its_own_advice() {
    let advice = |change: fn(&mut Document)| {
        let mut document = sample::empty();
        change(&mut document);
        render("table", &document)
    };
    assert!(advice(|document| document.complete = false).contains("before the search was stopped"));
    assert!(advice(|document| document.data.columns = 0).contains("no other usable column"));
    assert!(advice(|document| document.levels[0].associated = 1).contains("1 candidate is associated"));
    assert!(advice(|document| document.levels.clear()).contains("none of 0 candidates"));
}

#[test]
fn a_table_fits_its_width_and_has_colour_on_request() {
    let document = sample::hostile();
    assert_snapshot(
        "narrow.txt",
        &render_styled("table", &document, TextStyle { width: Some(72), colour: false }),
    );
    assert_snapshot(
        "colour.txt",
        &render_styled("table", &document, TextStyle { width: Some(80), colour: true }),
    );
    for width in 0..150 {
        let text = render_styled("table", &document, TextStyle { width: Some(width), colour: false });
        // The title and an empty line precede the table.
        for line in text.lines().skip(2).take(4).filter(|_| width >= 14) {
            assert!(line.width() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn no_format_for_terminals_contains_escape_sequences() {
    let document = sample::hostile();
    for format in ["table", "markdown"] {
        assert!(!render(format, &document).contains('\u{1b}'), "{format}");
    }
}

#[test]
fn csv_preserves_names_and_numbers() {
    let document = sample::hostile();
    let text = render("csv", &document);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().expect("a header").clone();
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.expect("valid CSV")).collect();
    assert_eq!(records.len(), document.causes.len());
    for (record, cause) in records.iter().zip(&document.causes) {
        assert_eq!(&record[0], cause.name);
        assert_eq!(record[2].parse(), Ok(cause.statistic));
        assert_eq!(record[4].parse(), Ok(cause.p_value));
        assert_eq!(record[6].parse().ok(), cause.probability);
        assert_eq!(&record[9], cause.challenger.given.join("; "));
        assert_eq!(record[14].parse().ok(), cause.risk_with);
        let column = |name: &str| headers.iter().position(|header| header == name).expect("a column");
        let evidence = cause.evidence.as_ref().expect("evidence");
        let value = |measure: Measure| measure.ok().map(|it| it.value);
        let number = |name: &str| record[column(name)].parse::<f64>().ok();
        assert_eq!(number("risk_ratio"), value(evidence.effects.risk_ratio()));
        assert_eq!(
            number("adjusted_odds_ratio_high"),
            evidence.adjusted.effects.odds_ratio().ok().map(|it| it.high)
        );
        let interaction = evidence.interaction.as_ref();
        assert_eq!(
            number("reri_low"),
            interaction.and_then(|it| it.measures.relative_excess_risk().ok()).map(|it| it.low)
        );
        assert_eq!(
            number("monotone_sufficient_cause_p_value"),
            interaction.and_then(|it| it.measures.contrasts().nth(1)?.1.ok()).map(|it| it.p_value)
        );
    }
}

#[test]
fn all_rows_of_a_markdown_table_have_the_same_number_of_cells() {
    for document in [sample::hostile(), sample::incomplete()] {
        let page = render("markdown", &document);
        let cells: Vec<usize> = page
            .lines()
            .filter(|line| line.starts_with("| "))
            .map(|line| line.matches('|').count())
            .collect();
        let levels = document.levels.len() + 2;
        assert!(cells[..cells.len() - levels].iter().all(|&bars| bars == 11), "{page}");
        assert!(cells[cells.len() - levels..].iter().all(|&bars| bars == 8), "{page}");
    }
}

#[test]
fn extreme_numbers_are_rendered() {
    let mut document = sample::hostile();
    document.target.positive = u64::MAX;
    document.target.negative = u64::MAX;
    for (cause, number) in document.causes.iter_mut().zip([f64::MAX, f64::MIN, -0.0]) {
        cause.statistic = number;
        cause.p_value = number;
        cause.risk_with = Some(number);
    }
    for level in &mut document.levels {
        level.associated = u64::MAX;
    }
    for format in FORMATS {
        assert!(!render(format.name(), &document).is_empty());
    }
    document.causes.clear();
    assert!(render("table", &document).contains("independent of it given others"));
}

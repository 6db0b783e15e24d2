//! Every format, to the byte. After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.

mod sample;

use std::path::Path;
use std::{env, fs};

use concause_report::{Document, Format, StabilitySummary, Style, Table, funnel, summary};
use unicode_width::UnicodeWidthStr;

fn written(format: Format, document: &Document) -> String {
    let mut bytes = Vec::new();
    format.write(document, &mut bytes).expect("a vector takes everything");
    String::from_utf8(bytes).expect("every format is UTF-8")
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
    assert_snapshot("hostile.txt", &written(Format::Table, &document));
    assert_snapshot("hostile.json", &written(Format::Json, &document));
    assert_snapshot("hostile.csv", &written(Format::Csv, &document));
    assert_snapshot("hostile.md", &written(Format::Markdown, &document));
    assert_snapshot("hostile.dot", &written(Format::Dot, &document));
}

#[test]
fn a_run_is_summed_up() {
    let document = sample::hostile();
    assert_eq!(summary(&document), "2,500 rows, 8 columns, 1,235,801 tests, 2.38 s");
    assert_eq!(
        funnel(&document),
        [
            "level 1: 8 candidates → 8 not redundant → 5 associated → 2 causes",
            "level 1: of which 1 not associated, 1 not testable, 1 separated",
            "level 2: 9,870 candidates → 750 not redundant → 320 associated → 1 cause",
            "level 2: of which 1 separated",
            "reading 0.25 s, encoding 0.12 s, search 1.50 s, evidence 0.50 s, half-samples and shuffles 0.00 s",
        ]
    );
}

#[test]
fn what_is_known_of_trust_is_told() {
    let document = sample::trusted();
    assert_snapshot("trusted.txt", &written(Format::Table, &document));
    assert_snapshot("trusted.json", &written(Format::Json, &document));
    assert_snapshot("trusted.csv", &written(Format::Csv, &document));
    assert_snapshot("trusted.md", &written(Format::Markdown, &document));
    let mut stopped = document;
    stopped.stability = stopped.stability.map(|stability| StabilitySummary {
        samples: 0,
        mean_causes: None,
        others: Vec::new(),
        ..stability
    });
    let page = written(Format::Table, &stopped);
    assert!(page.contains("Stability is not known: 0 half-samples of the 100 asked for."), "{page}");
}

#[test]
fn an_empty_result_says_what_to_do() {
    let document = sample::empty();
    assert_snapshot("empty.txt", &written(Format::Table, &document));
    assert_snapshot("empty.csv", &written(Format::Csv, &document));
    assert_snapshot("empty.md", &written(Format::Markdown, &document));
}

#[test]
fn an_incomplete_result_says_so_first() {
    let document = sample::incomplete();
    assert_snapshot("incomplete.txt", &written(Format::Table, &document));
    assert_snapshot("incomplete.md", &written(Format::Markdown, &document));
    assert!(!document.complete);
}

#[test]
fn every_empty_result_has_its_own_advice() {
    let advice = |change: fn(&mut Document)| {
        let mut document = sample::empty();
        change(&mut document);
        written(Format::Table, &document)
    };
    assert!(advice(|document| document.complete = false).contains("in the levels that were finished"));
    assert!(advice(|document| document.data.columns = 0).contains("no other usable column"));
    assert!(advice(|document| document.levels[0].associated = 1).contains("1 candidate is associated"));
    assert!(advice(|document| document.levels.clear()).contains("of 0 candidates"));
}

#[test]
fn a_table_fits_its_width_and_has_colour_on_request() {
    let document = sample::hostile();
    assert_snapshot("narrow.txt", &Table::render(&document, &Style { width: Some(72), colour: false }));
    assert_snapshot("colour.txt", &Table::render(&document, &Style { width: Some(80), colour: true }));
    for width in 0..150 {
        let text = Table::render(&document, &Style { width: Some(width), colour: false });
        // The title and an empty line come first.
        for line in text.lines().skip(2).take(4).filter(|_| width >= 14) {
            assert!(line.width() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn no_format_for_terminals_lets_an_escape_through() {
    let document = sample::hostile();
    for format in [Format::Table, Format::Markdown] {
        assert!(!written(format, &document).contains('\u{1b}'), "{format}");
    }
}

#[test]
fn csv_gives_names_and_figures_back() {
    let document = sample::hostile();
    let text = written(Format::Csv, &document);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().expect("a header").clone();
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.expect("valid CSV")).collect();
    assert_eq!(records.len(), document.causes.len());
    for (record, cause) in records.iter().zip(&document.causes) {
        assert_eq!(&record[0], cause.name);
        assert_eq!(record[2].parse(), Ok(cause.statistic));
        assert_eq!(record[4].parse(), Ok(cause.p_value));
        assert_eq!(&record[6], cause.challenger.given.join("; "));
        assert_eq!(record[11].parse().ok(), cause.risk_with);
        let column = |name: &str| headers.iter().position(|header| header == name).expect("a column");
        let evidence = cause.evidence.as_ref().expect("evidence");
        let figure = |name: &str| record[column(name)].parse::<f64>().ok();
        assert_eq!(figure("risk_ratio"), evidence.risk_ratio.value);
        assert_eq!(figure("adjusted_odds_ratio_high"), evidence.adjusted.odds_ratio.high);
        let interaction = evidence.interaction.as_ref();
        assert_eq!(figure("reri_low"), interaction.and_then(|it| it.reri.low));
        assert_eq!(
            figure("monotone_sufficient_cause_p_value"),
            interaction.and_then(|it| it.monotone_sufficient_cause.p_value)
        );
    }
}

#[test]
fn every_row_of_a_markdown_table_has_as_many_cells() {
    for document in [sample::hostile(), sample::incomplete()] {
        let page = written(Format::Markdown, &document);
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
fn numbers_beyond_sense_do_no_harm() {
    let mut document = sample::hostile();
    document.target.positive = u64::MAX;
    document.target.negative = u64::MAX;
    for (cause, figure) in document.causes.iter_mut().zip([f64::MAX, f64::MIN, -0.0]) {
        cause.statistic = figure;
        cause.p_value = figure;
        cause.risk_with = Some(figure);
    }
    for level in &mut document.levels {
        level.associated = u64::MAX;
    }
    for &format in Format::ALL {
        assert!(!written(format, &document).is_empty());
    }
    document.causes.clear();
    assert!(written(Format::Table, &document).contains("explained away"));
}

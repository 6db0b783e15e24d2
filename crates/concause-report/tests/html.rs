//! The HTML report: small for any result, reproducible from a saved result, with the numbers of the result and all
//! names escaped. `tests/browser` tests its appearance and behaviour.

use concause::evidence::Measure;
use concause_report::document::{CandidateEntry, CauseEntry, ReasonCount};
use concause_report::{Document, Plot, TextStyle, find_format, render_notebook};

use crate::sample;

const MAX_BYTES: usize = 2_000_000;

fn page(document: &Document) -> String {
    render("html", document)
}

fn render(format: &str, document: &Document) -> String {
    let format = find_format(format).expect("the format exists");
    String::from_utf8(format.render(document, &TextStyle::default())).expect("every format is UTF-8")
}

fn samples() -> [Document; 4] {
    [sample::hostile(), sample::trusted(), sample::empty(), sample::incomplete()]
}

#[test]
fn a_saved_result_gives_the_same_bytes() {
    for document in samples() {
        let saved = Document::from_json(&document.to_json(false)).expect("what was written can be read");
        assert_eq!(page(&saved), page(&document));
    }
}

#[test]
fn a_page_does_not_depend_on_the_duration() {
    let mut document = sample::trusted();
    let before = page(&document);
    document.timing.search_seconds = 1e6;
    assert_eq!(page(&document), before);
}

#[test]
fn the_order_of_rows_matters_where_rows_are_drawn() {
    let mut document = sample::trusted();
    document.command = vec!["concause".into(), "mine".into()];
    let claims_no_order = |document: &Document| page(document).contains(" and any order of the rows");
    (document.stability, document.calibration) = (None, None);
    assert!(document.holdout.is_some() && !claims_no_order(&document));
    document.holdout = None;
    assert!(claims_no_order(&document));
}

#[test]
fn all_other_causes_are_not_named_one_by_one_if_they_are_many() {
    let mut document = sample::trusted();
    let first = document.causes[0].clone();
    document.causes =
        (0..8).map(|number| CauseEntry { name: format!("cause{number}"), ..first.clone() }).collect();
    let names: Vec<String> = document.causes.iter().map(|cause| cause.name.clone()).collect();
    let mut says_all_others = |given: &[String]| {
        document.causes[7].challenger.given = given.to_vec();
        ["html", "table", "markdown"].map(|format| render(format, &document).contains("all 7 other causes"))
    };
    assert_eq!(says_all_others(&names[..7]), [true; 3]);
    assert_eq!(says_all_others(&names[1..7]), [false; 3]);
    // A member of the set that is not a cause must be named.
    assert_eq!(says_all_others(&[&names[1..7], &["age".to_owned()]].concat()), [false; 3]);
}

#[test]
fn names_are_text_and_nothing_is_loaded() {
    for document in samples() {
        let page = page(&document);
        assert!(!page.contains("<script>alert"), "a name became an element");
        let scripts = 1 + usize::from(document.candidates.is_some());
        assert_eq!(page.matches("<script").count(), scripts);
        assert_eq!(page.matches("</script>").count(), scripts);
        for reference in ["src=", "href=\"http", "url(", "@import", "<link"] {
            assert!(!page.contains(reference), "{reference}");
        }
        assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    }
    assert!(page(&sample::hostile()).contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn names_are_text_in_fragments_of_the_page_too() {
    for document in samples() {
        let plots = [Plot::Forest, Plot::Risk(0), Plot::Graph, Plot::Funnel];
        let drawn = plots.iter().filter_map(|plot| plot.render_svg(&document));
        for piece in drawn.chain([render_notebook(&document)]) {
            assert!(!piece.contains("<script") && !piece.contains("var("), "{piece}");
            assert_eq!(piece.matches("<svg").count(), piece.matches("</svg>").count());
        }
    }
    let hostile = sample::hostile();
    assert!(render_notebook(&hostile).contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert_eq!(Plot::Risk(hostile.causes.len()).render_svg(&hostile), None);
    assert_eq!(Plot::Forest.render_svg(&sample::empty()), None);
}

#[test]
fn a_notebook_has_a_row_for_each_cause_and_states_what_is_omitted() {
    let mut document = sample::trusted();
    let rows = |document: &Document| render_notebook(document).matches("<tr>").count();
    assert_eq!(rows(&document), 1 + document.causes.len());
    assert!(render_notebook(&document).contains("Warning: "));
    let cause = document.causes[0].clone();
    document.causes = vec![cause; 60];
    assert_eq!(rows(&document), 26);
    assert!(render_notebook(&document).contains("35 more causes are in the result."));
    assert!(
        render_notebook(&sample::incomplete()).contains("<strong>"),
        "the notebook does not say that the search is incomplete"
    );
}

#[test]
fn warnings_precede_the_findings() {
    let mut document = sample::trusted();
    let warned = page(&document);
    let (header, _) = warned.split_once("<main").expect("a page has a main part");
    assert_eq!(header.matches("<p class=\"warning\"").count(), document.warnings.len());
    assert!(header.contains("Warning: </strong>30 rows with fire are too few"), "{header}");
    document.warnings.clear();
    assert!(!page(&document).contains("<p class=\"warning\""));
}

#[test]
fn the_table_contains_the_exact_numbers() {
    for document in [sample::hostile(), sample::trusted(), sample::incomplete()] {
        let page = page(&document);
        let table = page.split("<table class=\"causes\"").nth(1).expect("a table of causes");
        let rows: Vec<&str> =
            table.split("</table>").next().unwrap_or_default().split("<tr>").skip(2).collect();
        assert_eq!(rows.len(), document.causes.len());
        for (row, cause) in rows.iter().zip(&document.causes) {
            let evidence = cause.evidence.as_ref().expect("evidence");
            let value = |measure: Measure| measure.ok().map(|it| it.value);
            let stability = document.stability.as_ref().map(|_| cause.stability);
            let expected = [
                Some(cause.level as f64),
                Some(cause.statistic),
                Some(cause.p_value),
                value(evidence.risk_with),
                value(evidence.risk_without),
                value(evidence.effects.risk_ratio()),
                value(evidence.adjusted.effects.risk_ratio()),
            ];
            let expected: Vec<f64> = expected.into_iter().chain(stability).flatten().collect();
            let held: Vec<f64> = row
                .split("data-value=\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap_or_default().parse().expect("a number"))
                .collect();
            assert_eq!(held, expected, "{}", cause.name);
        }
    }
}

/// A result with given numbers of causes and listed candidates, and names of a given length.
fn large(causes: usize, candidates: usize, length: usize) -> Document {
    let mut document = sample::trusted();
    let long = |number: usize| format!("{number}{}", "<&\"日".repeat(length / 4));
    document.causes = (0..causes)
        .map(|number| {
            let mut cause = document.causes[number % 3].clone();
            cause.columns.iter_mut().for_each(|column| *column = long(number));
            cause.name = cause.columns.join("&");
            cause.equivalent = (0..30).map(long).collect();
            cause.challenger.given = (0..10).map(long).collect();
            cause
        })
        .collect();
    let mut summary = sample::hostile().candidates.expect("candidates");
    summary.reasons = vec![ReasonCount { level: 2, reason: "separated".into(), candidates: 1 << 40 }; 50_000];
    let model = summary.listed[0].clone();
    summary.listed = (0..candidates)
        .map(|number| CandidateEntry { name: long(number), sentence: long(number), ..model.clone() })
        .collect();
    document.candidates = Some(summary);
    document.notices = (0..candidates).map(long).collect();
    document.data.sources = (0..candidates).map(long).collect();
    document.command = (0..candidates).map(long).collect();
    document.settings.knowledge.covariates = (0..candidates).map(long).collect();
    document.target.name = long(0);
    document
}

#[test]
fn a_page_is_small_for_any_result() {
    for (causes, candidates, length) in [(300, 100_000, 12), (5_000, 5_000, 100), (50, 50, 100_000)] {
        let page = page(&large(causes, candidates, length));
        assert!(page.len() < MAX_BYTES, "{} bytes for {causes}, {candidates}, {length}", page.len());
        assert!(page.ends_with("</html>"));
    }
}

#[test]
fn the_methods_are_those_of_the_settings() {
    let changed_page = |change: fn(&mut Document)| {
        let mut document = sample::trusted();
        change(&mut document);
        page(&document)
    };
    for (method, words) in [
        ("hiton-pc", "with HITON-PC (Aliferis et al. 2010) applied to single columns"),
        ("mh-pc-f", "with MH-PC-F (Ma et al. 2016)"),
        ("mh-pc-b", "with MH-PC-B (Ma et al. 2016)"),
        ("pc-select", "with PC-select (Kalisch et al. 2012) applied to single columns"),
        ("naive-h", "with HITON-PC (Aliferis et al. 2010) applied to all single columns and conjunctions"),
        ("naive-s", "with PC-select (Kalisch et al. 2012) applied to all single columns and conjunctions"),
        ("cr-pa", "causal rules by partial association (CR-PA, Jin et al. 2012)"),
        ("cr-cs", "causal rules by matched cohorts (CR-CS, Li et al. 2015)"),
        ("<b>", "with the method &lt;b&gt;"),
    ] {
        let mut document = sample::trusted();
        document.settings.method = method.into();
        assert!(page(&document).contains(words), "{method}");
    }
    for &method in concause::search::Method::ALL {
        let mut document = sample::trusted();
        document.settings.method = method.name().into();
        assert!(!page(&document).contains("with the method"), "{method} has no paragraph of its own");
    }
    let usual = changed_page(|_| {});
    assert!(usual.contains("under any dependence (Benjamini and Yekutieli 2001)"));
    assert!(usual.contains("repeated in 40 random halves") && usual.contains("with 4 shuffled outcomes"));
    assert!(usual.contains("rows held out from the search"));
    let bare = changed_page(|document| {
        document.settings.fdr = None;
        document.settings.test = "x2-adjusted".into();
        document.stability = None;
        document.calibration = None;
    });
    assert!(bare.contains("There was no correction for multiple testing"));
    assert!(bare.contains(
        "tested by X² with the degrees of freedom of the non-empty rows and columns (Pearson 1900)"
    ));
    assert!(!bare.contains("random halves") && !bare.contains("shuffled outcomes"));
}

#[test]
fn settings_that_the_method_ignores_are_not_shown() {
    let mut document = sample::trusted();
    let shown = |document: &Document| {
        let page = page(document) + &render("markdown", document);
        ["redundancy alpha 0.01", "redundancy_alpha", "max_k", "max_level"].map(|it| page.contains(it))
    };
    document.settings.method = "joint".into();
    assert_eq!(shown(&document), [false, false, false, true]);
    document.settings.method = "mh-pc-f".into();
    assert_eq!(shown(&document), [true; 4]);
    document.settings.method = "cr-pa".into();
    assert_eq!(shown(&document), [false, false, false, true]);
    document.settings.method = "hiton-pc".into();
    assert_eq!(shown(&document), [false, false, true, false]);
}

#[test]
fn a_result_of_an_earlier_release_has_a_page_too() {
    let mut document = sample::trusted();
    document.candidates = None;
    document.command.clear();
    document.causes.iter_mut().for_each(|cause| cause.evidence = None);
    let page = page(&document);
    assert!(page.contains("No command produced this result") && !page.contains("id=\"why-not\""));
    assert!(page.contains("id=\"table\"") && !page.contains("id=\"effects\""));
}

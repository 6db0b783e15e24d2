//! Small hand-written results, with names that try to break every format.

use concause::count::{Count, LocalCounter};
use concause::dataset::{Candidate, Column, DatasetBuilder, Literal, Target, Weighting};
use concause::evidence::estimate_evidence;
use concause::evidence::trust::calibration::Calibration;
use concause::evidence::trust::holdout::HoldoutTest;
use concause::evidence::trust::stability::Stability;
use concause::evidence::trust::warnings::{
    CaseShortage, NearDuplicate, NearPerfectPredictor, Relation, RelationKind, Warning,
};
use concause::model::{ModelAverage, ModelForm, Scale, WeightedModel};
use concause::search::{
    AttributeSet, CutRange, Findings, FoundCause, LevelSummary, Method, Posterior, Reason, Rejection,
    Settings,
};
use concause::stats::{FalseDiscovery, TestResult};
use concause_report::document::EncodingSummary;
use concause_report::{Document, DocumentInputs, EstimatedOn, Estimation, HeldOut, Timing};

/// Names with special characters of some format, each a column of its own attribute.
const NAMES: [&str; 8] = [
    "a&b=c",
    "say \"hi\", twice",
    "two\nlines",
    "🔥=日本",
    "x|y",
    "<script>alert(1)</script>",
    "tick`tock",
    "\u{1b}[31mred",
];

fn attribute_names() -> &'static [String] {
    static ATTRIBUTES: std::sync::LazyLock<Vec<String>> =
        std::sync::LazyLock::new(|| NAMES.map(str::to_owned).to_vec());
    &ATTRIBUTES
}

fn columns() -> Vec<Column> {
    let named =
        |(attribute, name): (usize, &&str)| Column::named(name, (*name).to_owned()).of_attribute(attribute);
    NAMES.iter().enumerate().map(named).collect()
}

fn candidate(columns: &[u32]) -> Candidate {
    Candidate::new(columns.to_vec())
}

fn tested(statistic: f64, df: u32, p_value: f64) -> TestResult {
    // A p-value that underflows has a finite logarithm.
    let ln_p = if p_value > 0.0 { p_value.ln() } else { -900.5 };
    TestResult { statistic, df, p_value, ln_p }
}

fn causes() -> Vec<FoundCause> {
    vec![
        FoundCause {
            candidate: candidate(&[0]),
            count: Count { positive: 900, negative: 100 },
            association: tested(1795.25, 1, 0.0),
            max_p: tested(1795.25, 1, 0.0),
            challenger: Vec::new(),
            equivalent: Vec::new(),
            is_undecided: false,
        },
        FoundCause {
            candidate: candidate(&[1]),
            count: Count { positive: 600, negative: 500 },
            association: tested(48.125, 1, 3.99e-12),
            max_p: tested(9.5, 2, 0.00865),
            challenger: vec![candidate(&[0])],
            equivalent: vec![candidate(&[2]), candidate(&[7])],
            is_undecided: false,
        },
        FoundCause {
            candidate: candidate(&[3, 4]),
            count: Count { positive: 0, negative: 0 },
            association: tested(20.0, 1, 7.74e-6),
            max_p: tested(15.5, 4, 0.00376),
            challenger: vec![candidate(&[0]), candidate(&[5, 6])],
            equivalent: Vec::new(),
            is_undecided: false,
        },
    ]
}

/// Evidence from rows of its own, as if held out: columns 1 and 4 raise the risk, 3 and 4 interact, and no row without
/// column 0 has the outcome.
fn estimation(findings: &Findings) -> Estimation {
    let held = |row: usize, column: usize| row >> column & 1 == 1;
    let rows = 0..2560usize;
    let outcome = rows.clone().map(|row| {
        let dose = usize::from(held(row, 1))
            + usize::from(held(row, 4))
            + 3 * usize::from(held(row, 3) && held(row, 4));
        held(row, 0) && (row >> 8) < 1 + dose
    });
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome.collect());
    for (column, name) in NAMES.iter().enumerate() {
        builder.attribute(
            name,
            vec![(*name).to_owned()],
            rows.clone().map(|row| held(row, column).then_some(0)),
        );
    }
    let data = builder.finish();
    let causes: Vec<Candidate> = findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
    Estimation {
        on: EstimatedOn::HeldOutRows,
        evidence: estimate_evidence(&LocalCounter::new(&data), &causes, &[], data.columns()).unwrap(),
    }
}

/// The settings of a method that decides by tests of independence.
fn by_tests() -> Settings {
    Settings { method: Method::MH_PC_B, ..Settings::default() }
}

fn document(columns: &[Column], target: &Target, findings: &Findings) -> Document {
    Document::new(inputs(columns, target, findings, &by_tests(), &estimation(findings)))
}

fn inputs<'a>(
    columns: &'a [Column],
    target: &'a Target,
    findings: &'a Findings,
    settings: &'a Settings,
    estimation: &'a Estimation,
) -> DocumentInputs<'a> {
    DocumentInputs {
        sources: vec!["fires, 2024.csv".into(), "more|fires.csv".into()],
        rows: Count { positive: 1012, negative: 1488 },
        attributes: attribute_names(),
        columns,
        fingerprint: "9f2c0b6de1a74583".into(),
        weights: None,
        encoding: None,
        target,
        settings,
        command: vec!["concause".into(), "mine".into(), "fires, 2024.csv".into(), "more|fires.csv".into()],
        findings,
        estimation,
        rejected: None,
        stability: None,
        calibration: None,
        holdout: None,
        warnings: &[],
        notices: vec!["the column 'row_id' was left out: all its values are distinct".into()],
        timing: Timing {
            read_seconds: 0.25,
            encode_seconds: 0.125,
            search_seconds: 1.5,
            evidence_seconds: 0.5,
            resampling_seconds: 0.0,
        },
    }
}

fn levels(causes: [u64; 2]) -> Vec<LevelSummary> {
    vec![
        LevelSummary {
            level: 1,
            candidates: 8,
            redundant: 0,
            associated: 5,
            threshold: None,
            causes: causes[0],
            tests: 1234,
            not_testable: 0,
        },
        LevelSummary {
            level: 2,
            candidates: 9870,
            redundant: 9120,
            associated: 320,
            threshold: Some(0.0125),
            causes: causes[1],
            tests: 1_234_567,
            not_testable: 7,
        },
    ]
}

/// Candidates that are not causes.
fn rejected() -> Vec<Rejection> {
    let associated = Some(tested(7.25, 1, 0.00709));
    let separated = Reason::Separated { by: vec![candidate(&[0])], p_value: 0.25 };
    let weak = Reason::NotAssociated { p_value: 0.5 };
    vec![
        Rejection { candidate: candidate(&[5]), association: associated, reason: separated.clone() },
        Rejection {
            candidate: candidate(&[6]),
            association: Some(tested(0.5, 1, 0.48)),
            reason: weak.clone(),
        },
        Rejection { candidate: candidate(&[7]), association: None, reason: Reason::NotTestable },
        Rejection { candidate: candidate(&[5, 6]), association: associated, reason: separated },
    ]
}

/// Three causes with hostile names, background knowledge and rejected candidates.
pub fn hostile() -> Document {
    let rejected = rejected();
    let noted = rejected[..3].iter().map(|it| (it.candidate.clone(), it.reason.clone()));
    let found = causes().into_iter().map(|it| (it.candidate, Reason::Cause));
    let findings = Findings {
        causes: causes(),
        levels: levels([2, 1]),
        reasons: noted.chain(found).collect(),
        complete: true,
        ..Findings::default()
    };
    let target = Target { name: "Fire|\nbig".into(), value: Some("`yes`".into()) };
    let (columns, settings, estimation) = (columns(), by_tests(), estimation(&findings));
    let mut document = Document::new(DocumentInputs {
        rejected: Some(&rejected),
        ..inputs(&columns, &target, &findings, &settings, &estimation)
    });
    document.settings.knowledge.after = vec![NAMES[5].into()];
    document.settings.knowledge.required = vec![NAMES[0].into(), format!("{}&{}", NAMES[6], NAMES[7])];
    document
}

/// The same causes with probabilities, and one whose form is undecided. The third one also has a term with a negation.
pub fn with_posterior() -> Document {
    let set = |columns: &[u32], probability: f64, alternatives: Vec<(Candidate, f64)>| AttributeSet {
        attributes: columns.iter().map(|&column| column as usize).collect(),
        probability,
        matters: probability.max(0.875),
        terms: vec![(candidate(columns), probability)],
        cuts: Vec::new(),
        is_cause: probability >= 0.5,
        is_undecided: false,
        alternatives,
    };
    let pair = causes()[2].candidate.columns().to_vec();
    let mut combined = set(&pair, 0.75, vec![(candidate(&pair[1..]), 0.2)]);
    combined.terms.push((Candidate::new([Literal::plain(pair[0]), Literal::negation(pair[1])]), 0.3));
    combined.cuts.push(CutRange { attribute: 3, value: 60.0, low: 57.5, high: 62.5 });
    let undecided = AttributeSet {
        is_cause: true,
        is_undecided: true,
        ..set(&[5], 0.4, vec![(candidate(&[5, 6]), 0.3), (candidate(&[1, 5]), 0.175)])
    };
    let regression = ModelForm::Regression {
        scale: Scale::Logistic,
        intercept: -2.25,
        coefficients: vec![(0, 1.5), (1, -0.75)],
    };
    let table = ModelForm::Table {
        rules: vec![(1, 0.875)],
        tabled: vec![0],
        cells: [(vec![false], 0.125), (vec![true], 0.5)].into(),
        other: 0.25,
    };
    let negated = Candidate::new([Literal::plain(pair[0]), Literal::negation(pair[1])]);
    let average = ModelAverage {
        terms: vec![candidate(&[0]), negated],
        models: vec![
            WeightedModel { weight: 0.75, form: regression },
            WeightedModel { weight: 0.25, form: table },
        ],
    };
    let posterior = Posterior {
        average,
        best_rules: Vec::new(),
        models: 12,
        best_scale: Scale::Sufficient,
        best_terms: Vec::new(),
        most_terms: None,
        no_cause: 0.0,
        scales: vec![(Scale::Logistic, 0.25), (Scale::Sufficient, 0.75)],
        attribute_sets: vec![
            set(&[0], 1.0, Vec::new()),
            set(&[1], 0.991, Vec::new()),
            combined,
            undecided,
            set(&[6], 0.2, Vec::new()),
        ],
        attributes: vec![(0, 1.0), (1, 0.991), (3, 0.75), (4, 0.75), (5, 0.875), (6, 0.5)],
    };
    let undecided = FoundCause { candidate: candidate(&[5]), is_undecided: true, ..causes()[0].clone() };
    let findings = Findings {
        causes: causes().into_iter().chain([undecided]).collect(),
        levels: levels([2, 1]),
        posterior: Some(posterior),
        complete: true,
        ..Findings::default()
    };
    let target = Target { name: "fire".into(), value: None };
    let (columns, estimation) = (columns(), estimation(&findings));
    let settings = Settings { method: Method::JOINT, ..Settings::default() };
    let encoding = EncodingSummary {
        attributes: vec!["a".into(), "b".into()],
        declaration: "[[attribute]]\nname = \"a\"\ntype = \"binary\"\n".into(),
        columns: "attributes".into(),
        missing_as: "zero".into(),
        negate: false,
        missing: vec!["-".into()],
    };
    Document::new(DocumentInputs {
        encoding: Some(encoding),
        ..inputs(&columns, &target, &findings, &settings, &estimation)
    })
}

/// The same causes with weights, all trust checks, all warnings and a controlled false discovery rate.
pub fn trusted() -> Document {
    let findings =
        Findings { causes: causes(), levels: levels([2, 1]), complete: true, ..Findings::default() };
    let settings = Settings { fdr: Some(FalseDiscovery::BenjaminiYekutieli), ..by_tests() };
    let selected =
        [(vec![0], 40), (vec![1], 31), (vec![5, 6], 33), (vec![4], 20), (vec![2], 39), (vec![6], 19)];
    let selected = selected.map(|(columns, times)| (candidate(&columns), times));
    let selected_attributes =
        selected.iter().map(|(set, times)| (set.attributes(&columns()), *times)).collect();
    let selected = selected.into_iter().collect();
    let stability = Stability { requested: 100, samples: 40, causes: 150, selected, selected_attributes };
    let calibration = Calibration { requested: 4, found: vec![[0, 0], [0, 0], [1, 0], [1, 2]] };
    let (columns, target) = (columns(), Target { name: "fire".into(), value: None });
    let holdout_test = |result: Option<TestResult>, same_direction| HoldoutTest { result, same_direction };
    let holdout = HeldOut {
        share: 0.5,
        rows: Count { positive: 1010, negative: 1550 },
        tests: vec![
            holdout_test(Some(tested(1201.5, 1, 0.0)), true),
            holdout_test(Some(tested(8.0, 1, 0.00468)), false),
            holdout_test(None, false),
        ],
    };
    Document::new(DocumentInputs {
        holdout: Some(&holdout),
        stability: Some(&stability),
        calibration: Some(&calibration),
        weights: Some(&Weighting { attribute: "n".into(), rows_read: 40, rows_left_out: 2, total: 2600 }),
        warnings: &warnings(),
        ..inputs(&columns, &target, &findings, &settings, &estimation(&findings))
    })
}

/// A warning of each kind.
fn warnings() -> Vec<Warning> {
    let predictor = |columns: &[u32], cells: [u64; 4], phi: f64| NearPerfectPredictor {
        candidate: candidate(columns),
        phi,
        table: cells.into(),
    };
    let near_duplicate = |one: &[u32], other: u32, phi: f64, exceptions: u64, in_cause: bool| NearDuplicate {
        one: candidate(one),
        other: candidate(&[other]),
        phi,
        exceptions,
        in_cause,
    };
    let relation =
        |column: u32, kind: RelationKind, to: &[u32]| Relation { column, kind, to: candidate(to).singles() };
    vec![
        Warning::NearPerfectPrediction {
            by: vec![
                predictor(&[0], [1000, 20, 12, 1468], 0.97),
                predictor(&[3, 4], [0, 1400, 1012, 88], -0.92),
                predictor(&[5], [600, 0, 412, 1488], 0.69),
            ],
            total: 3,
        },
        Warning::TooFewCases(CaseShortage {
            cases: 30,
            positive: true,
            level: 3,
            affordable_level: 2,
            max_k: Some(3),
            affordable_max_k: Some(1),
        }),
        Warning::NotTestable { tests: 4000, not_testable: 312 },
        Warning::NearDuplicates {
            pairs: vec![
                near_duplicate(&[0], 7, 0.99, 3, true),
                near_duplicate(&[3, 4], 6, -0.98, 1, true),
                near_duplicate(&[2], 5, 1.0, 0, false),
                near_duplicate(&[2], 6, 0.96, 11, false),
            ],
            total: 1234,
            all_pairs: false,
        },
        Warning::Deterministic {
            relations: vec![
                relation(0, RelationKind::Conjunction, &[3, 4]),
                relation(1, RelationKind::Disjunction, &[2, 5]),
                relation(7, RelationKind::Function, &[0, 1, 2]),
                relation(0, RelationKind::Implication, &[6]),
            ],
            total: 4,
        },
    ]
}

/// A search that found nothing.
pub fn empty() -> Document {
    let mut levels = levels([0, 0]);
    levels.iter_mut().for_each(|level| level.associated = 0);
    let findings = Findings { levels, complete: true, ..Findings::default() };
    document(&columns(), &Target { name: "fire".into(), value: None }, &findings)
}

/// A search that was stopped after its first level.
pub fn incomplete() -> Document {
    let findings = Findings {
        causes: causes()[..1].to_vec(),
        levels: levels([1, 0])[..1].to_vec(),
        ..Findings::default()
    };
    document(&columns(), &Target { name: "fire".into(), value: None }, &findings)
}

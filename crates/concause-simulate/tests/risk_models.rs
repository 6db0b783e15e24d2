//! Recipes whose causes are planted or defined by a formula.

use std::collections::BTreeSet;

use concause_simulate::{Recipe, Simulated, Variable};

/// Name, rows, predictors, literals of each cause, different columns in all causes, and negated columns.
type Shape = (&'static str, usize, usize, &'static [usize], usize, usize);

const SHAPES: [Shape; 36] = [
    ("logistic", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("sufficient", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("additive", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("multiplicative", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("probit", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("shared-logistic", 5000, 49, &[1, 1, 2, 2], 5, 0),
    ("shared-sufficient", 5000, 49, &[1, 1, 2, 2], 5, 0),
    ("triangle-logistic", 5000, 49, &[1, 1, 2, 2, 2], 5, 0),
    ("triangle-sufficient", 5000, 49, &[1, 1, 2, 2, 2], 5, 0),
    ("nested-logistic", 5000, 49, &[1, 1, 2, 2], 4, 0),
    ("nested-sufficient", 5000, 49, &[1, 1, 2, 2], 4, 0),
    ("negation-logistic", 5000, 49, &[1, 1, 2, 2, 2], 8, 3),
    ("negation-sufficient", 5000, 49, &[1, 1, 2, 2, 2], 8, 3),
    ("singles-logistic", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("singles-sufficient", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("singles-additive", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("singles-multiplicative", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("singles-probit", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("shuffled", 5000, 49, &[], 0, 0),
    ("hubin-1", 1000, 50, &[2, 2, 2], 6, 1),
    ("hubin-2", 1000, 50, &[2, 2, 2], 6, 1),
    ("hubin-3", 1000, 50, &[2, 3, 4], 9, 0),
    ("hubin-1-rounded", 1000, 50, &[2, 2, 2], 6, 1),
    ("hubin-3-rounded", 1000, 50, &[2, 3, 4], 9, 0),
    ("hegel", 500, 1000, &[2], 2, 0),
    ("network", 5000, 49, &[1, 1, 1, 1, 1, 1, 2, 2, 2], 12, 0),
    ("attributes", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("singles-nominal", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("singles-numeric", 5000, 49, &[1, 1, 1, 1, 1, 1], 6, 0),
    ("missing", 5000, 49, &[1, 1, 1, 2, 2, 2], 9, 0),
    ("logic-forest", 200, 50, &[2, 2], 4, 0),
    ("monk-1", 432, 6, &[1, 2, 2, 2], 3, 0),
    ("monk-2", 432, 6, &[6; 15], 6, 60),
    ("monk-3", 432, 6, &[2, 2], 3, 2),
    ("tic-tac-toe", 958, 9, &[3; 8], 9, 0),
    ("multiplexer-6", 64, 6, &[3; 4], 6, 4),
];

/// The variable of a literal.
fn column_name(literal: &str) -> &str {
    literal.trim_start_matches('!').split(['=', '<', '>']).next().unwrap_or_default()
}

#[test]
fn truths_have_the_planted_pattern() {
    for (name, rows, predictors, lengths, columns, negated) in SHAPES {
        for seed in 1..4 {
            let simulated = Recipe::named(name).unwrap().simulate(seed).unwrap();
            assert_eq!((simulated.rows(), simulated.variables.len()), (rows, predictors + 1), "{name}");
            let causes = &simulated.truth.causes;
            assert_eq!(causes.iter().map(Vec::len).collect::<Vec<_>>(), lengths, "{name}");
            let names: BTreeSet<&str> = causes.iter().flatten().map(|literal| column_name(literal)).collect();
            assert_eq!(names.len(), columns, "{name}: {causes:?}");
            assert_eq!(causes.iter().flatten().filter(|column| column.starts_with('!')).count(), negated);
        }
    }
}

#[test]
fn nominal_and_numeric_attributes_are_listed() {
    let simulate = |name: &str| Recipe::named(name).unwrap().simulate(1).unwrap();
    for (name, nominal, numeric, columns) in [
        ("singles-nominal", 49, 0, 49 * 5),
        ("singles-numeric", 0, 49, 49 * 3),
        ("sufficient", 0, 0, 49),
        ("monk-1", 4, 0, 3 + 3 + 1 + 3 + 4 + 1),
    ] {
        let simulated = simulate(name);
        assert_eq!(
            (simulated.truth.nominal.len(), simulated.truth.numeric.len()),
            (nominal, numeric),
            "{name}"
        );
        assert_eq!(simulated.dataset().columns().len(), columns, "{name}");
    }
    let attributes = simulate("attributes");
    assert_eq!((attributes.truth.nominal.len(), attributes.truth.numeric.len()), (15, 15));
    for (condition, number) in [("=a", 2), ("=b", 1), (">=0", 2), (">=0.3", 1), ("<0.2", 1)] {
        let literals = attributes.truth.causes.iter().flatten();
        assert_eq!(literals.filter(|literal| literal.contains(condition)).count(), number, "{condition}");
    }
    // All causes found, with other limits, and once too often with another value.
    let mut found = attributes.truth.causes.clone();
    for literal in found.iter_mut().flatten() {
        *literal = literal.replace("0.3", "0.25").replace("<0.2", "<0.19");
    }
    let mut other =
        attributes.truth.causes.iter().find(|cause| cause.iter().any(|name| name.ends_with("=b")));
    found.extend(other.take().map(|cause| cause.iter().map(|name| name.replace("=b", "=c")).collect()));
    let score = attributes.truth.score(&found);
    assert_eq!((score.all.f1(), score.parts.f1(), score.exact.hits, score.exact.found), (1.0, 1.0, 6, 7));
}

#[test]
fn a_tenth_of_the_cells_is_missing() {
    let simulated = Recipe::named("missing").unwrap().simulate(1).unwrap();
    let missing = |variable: &&Variable| variable.codes.contains(&Variable::MISSING);
    assert_eq!(simulated.variables.iter().filter(missing).count(), 49);
    let mut csv = Vec::new();
    simulated.write_csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let empty = csv.lines().flat_map(|line| line.split(',')).filter(|cell| cell.is_empty()).count() as f64;
    let cells = 49.0 * 5000.0;
    assert!((empty / cells - 0.1).abs() < 6.0 * 0.3 / cells.sqrt(), "{empty}");
    assert!(csv.lines().skip(1).all(|line| line.ends_with(",0") || line.ends_with(",1")));
}

#[test]
fn nested_causes_contain_single_causes() {
    for seed in 1..4 {
        let causes = Recipe::named("nested-sufficient").unwrap().simulate(seed).unwrap().truth.causes;
        let [first, second, pairs @ ..] = causes.as_slice() else { panic!("{causes:?}") };
        for single in [first, second] {
            assert_eq!(pairs.iter().filter(|pair| pair.contains(&single[0])).count(), 1, "{causes:?}");
        }
    }
}

/// T given the presence of the causes, row by row, as in the definition.
#[test]
fn recipes_of_other_authors_are_as_published() {
    let rounded = Recipe::named("hubin-3-rounded").unwrap().simulate(2).unwrap();
    let outcome = rounded.outcome();
    let [pair, triple, quadruple] = present(&rounded).try_into().expect("three causes");
    for row in 0..rounded.rows() {
        let sum = [(&pair, -5.0), (&triple, 9.0), (&quadruple, -9.0)]
            .iter()
            .fold(0.4, |sum, (cause, effect)| sum + if cause[row] { *effect } else { 0.0 });
        assert_eq!(outcome[row], sum > 0.0);
    }
    // The share of T=1 in scenario 1: −.7 + a sum of three independent causes of shares .21, .09 and .09.
    let mut expected = 0.0;
    for set in 0..8u32 {
        let holds = |cause: u32| set >> cause & 1 == 1;
        let weight: f64 = [0.21, 0.09, 0.09]
            .iter()
            .zip(0..)
            .map(|(share, cause)| if holds(cause) { *share } else { 1.0 - share })
            .product();
        expected += weight / (1.0 + (0.7 - f64::from(set.count_ones())).exp());
    }
    assert!((share("hubin-1", "rows", "200000") - expected).abs() < 6.0 * 0.5 / 200_000f64.sqrt());
    // Hegel: P(A&B) = 1/16, kept in 3/4 of the rows; then 5 % errors.
    let expected = 0.05 + 0.9 * 0.75 / 16.0;
    let mut hegel = Recipe::named("hegel").unwrap();
    hegel.set("predictors", "2").unwrap();
    hegel.set("rows", "200000").unwrap();
    let outcome = hegel.simulate(1).unwrap().outcome();
    assert!((mean(&outcome) - expected).abs() < 6.0 * 0.29 / 200_000f64.sqrt());
}

#[test]
fn causes_can_be_written_by_hand() {
    let mut recipe = Recipe::named("sufficient").unwrap();
    for (parameter, value) in
        [("causes", "X&!Y&Z:0.6, X:0.2"), ("baseline", "0"), ("rows", "100000"), ("predictors", "3")]
    {
        recipe.set(parameter, value).unwrap();
    }
    let simulated = recipe.simulate(5).unwrap();
    let (outcome, causes) = (simulated.outcome(), present(&simulated));
    let [single, triple] = causes.try_into().expect("two causes");
    for (holds_single, holds_triple, risk) in [(false, false, 0.0), (true, false, 0.2), (true, true, 0.68)] {
        let rows = (0..simulated.rows())
            .filter(|&row| single[row] == holds_single && triple[row] == holds_triple)
            .map(|row| outcome[row]);
        let rows: Vec<bool> = rows.collect();
        assert!((mean(&rows) - risk).abs() < 6.0 * 0.5 / (rows.len() as f64).sqrt(), "{}", mean(&rows));
    }
    assert_eq!(
        recipe.set("causes", "A|B").unwrap_err().to_string(),
        "causes must be conjunctions separated by commas, such as A, B&!C:0.8, but is 'A|B'"
    );
}

/// Whether each cause is present, row by row.
fn present(simulated: &Simulated) -> Vec<Vec<bool>> {
    let holds = |literal: &String, row: usize| {
        let (name, one) = literal.strip_prefix('!').map_or((literal.as_str(), 1), |name| (name, 0));
        simulated.variables.iter().any(|variable| variable.name == name && variable.codes[row] == one)
    };
    let causes = simulated.truth.causes.iter();
    causes
        .map(|cause| {
            (0..simulated.rows()).map(|row| cause.iter().all(|literal| holds(literal, row))).collect()
        })
        .collect()
}

fn share(name: &str, parameter: &str, value: &str) -> f64 {
    let mut recipe = Recipe::named(name).unwrap();
    recipe.set(parameter, value).unwrap();
    mean(&recipe.simulate(1).unwrap().outcome())
}

fn mean(bits: &[bool]) -> f64 {
    bits.iter().filter(|&&bit| bit).count() as f64 / bits.len() as f64
}

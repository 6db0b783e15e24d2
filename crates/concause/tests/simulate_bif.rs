//! Networks from BIF files: parsing, errors and samples.

use concause::dataset::Target;
use concause::simulate::SimulateError;
use concause::simulate::bif::{BifErrorKind, Network};

/// A child before its parent, and every feature of the format: quotes, missing commas and bars, comments, properties,
/// a table, a default.
const LAWN: &str = r#"
// The lawn
network "wet lawn" { /* no
   properties */ property version 1.1; property "a { b";
}
variable Season { type discrete [ 3 ] { spring/summer, autumn, "deep winter" }; property x = (1, 2); }
variable Wet { type discrete [ 2 ] { true, false }; }
variable "Rain" { property y; type discrete[2] { yes no }; }
probability ( Wet | Rain, Season ) {
  (yes, autumn) 0.95, 0.05;
  default 0.9, 0.1;
  (no, "deep winter") 0.2 0.8;
  (no, autumn) 0.15 0.85;
  (no, spring/summer) 0.1 0.9;
}
variable Slip { type discrete [ 2 ] { none, some }; }
variable Idle { type discrete [ 1 ] { only }; }
probability ( Season ) { table 0.5, 0.3, 0.2; }
probability ( "Rain" "Season" ) { table 0.1 0.3 0.6   0.9 0.7 0.4; property z; }
probability ( Slip | Wet ) { (true) 6e-1, .4; (false) 0.995, 0.001; }
probability ( Idle ) { table 1.0; }
"#;

fn target(name: &str, value: Option<&str>) -> Target {
    Target { name: name.into(), value: value.map(str::to_owned) }
}

#[test]
fn a_file_is_parsed() {
    let network = Network::parse(LAWN).unwrap();
    assert_eq!(network.name, "wet lawn");
    let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["Season", "Wet", "Rain", "Slip", "Idle"]);
    let [season, wet, rain, slip, idle] = network.nodes.as_slice() else { panic!("five nodes") };
    assert_eq!(season.values, ["spring/summer", "autumn", "deep winter"]);
    assert_eq!((&season.parents, &season.table), (&vec![], &vec![0.5, 0.3, 0.2]));
    // In the file of a table the variable's own value changes slowest.
    assert_eq!((&rain.parents, &rain.table), (&vec![0], &vec![0.1, 0.9, 0.3, 0.7, 0.6, 0.4]));
    assert_eq!(wet.parents, [2, 0]);
    assert_eq!(wet.table, [0.9, 0.1, 0.95, 0.05, 0.9, 0.1, 0.1, 0.9, 0.15, 0.85, 0.2, 0.8]);
    assert_eq!(slip.table, [0.6, 0.4, 0.995, 0.001]);
    assert_eq!(idle.values, ["only"]);
}

#[test]
fn samples_have_the_joint_distribution() {
    let network = Network::parse(LAWN).unwrap();
    let rows = 200_000;
    let simulated = network.sample(rows, &target("Wet", None), 1).unwrap();
    assert_eq!(simulated.truth.causes, [["Season"], ["Rain"], ["Slip"]]);
    assert_eq!(simulated.truth.nominal, ["Season", "Slip", "Idle"]);
    assert_eq!((simulated.truth.recipe.as_str(), simulated.truth.target.as_str()), ("wet lawn", "Wet"));
    let season = [0.5, 0.3, 0.2];
    let rain = [0.1, 0.3, 0.6];
    let wet = [[0.9, 0.95, 0.9], [0.1, 0.15, 0.2]];
    // The second row of Slip sums to .996 and is used in proportion.
    let slip = [0.6, 0.995 / 0.996];
    let mut expected = [0.0; 24];
    for (cell, p) in expected.iter_mut().enumerate() {
        let [s, r, w, l] = [cell % 3, cell / 3 % 2, cell / 6 % 2, cell / 12];
        let side = |p: f64, code: usize| if code == 0 { p } else { 1.0 - p };
        *p = season[s] * side(rain[s], r) * side(wet[r][s], w) * side(slip[w], l);
    }
    assert!((expected.iter().sum::<f64>() - 1.0f64).abs() < 1e-12);
    let mut seen = [0.0; 24];
    let codes = |node: usize, row: usize| usize::from(simulated.variables[node].codes[row]);
    for row in 0..rows {
        seen[codes(0, row) + 3 * codes(2, row) + 6 * codes(1, row) + 12 * codes(3, row)] += 1.0;
    }
    // Pearson's X² with 23 degrees of freedom: 70 is exceeded once in a million times.
    let x2: f64 = seen
        .iter()
        .zip(&expected)
        .map(|(count, p)| (count - p * rows as f64).powi(2) / (p * rows as f64))
        .sum();
    assert!(x2 < 70.0, "{x2}");
    let dataset = simulated.dataset().unwrap();
    let names: Vec<&str> = dataset.columns().iter().map(|column| column.name.as_str()).collect();
    let season = ["Season=spring/summer", "Season=autumn", "Season=deep winter"];
    assert_eq!(names, [&season[..], &["Rain", "Slip=none", "Slip=some", "Idle=only"]].concat());
    // `true` is the first value of Wet, and counts as 1.
    let wet = simulated.variables[1].codes.iter().filter(|&&code| code == 0).count() as u64;
    assert_eq!(dataset.positive(), wet);
}

#[test]
fn seeds_and_targets() {
    let network = Network::parse(LAWN).unwrap();
    let sample = |name: &str, value, seed| network.sample(50, &target(name, value), seed);
    assert_eq!(sample("Wet", None, 3), sample("Wet", None, 3));
    assert_ne!(sample("Wet", None, 3).unwrap().variables, sample("Wet", None, 4).unwrap().variables);
    let slip = sample("Slip", Some("some"), 3).unwrap();
    assert_eq!((slip.truth.target.as_str(), slip.truth.causes.len()), ("Slip=some", 1));
    assert_eq!(slip.truth.nominal, ["Season", "Idle"]);
    assert_eq!(
        sample("Slip", None, 3).unwrap_err().to_string(),
        "the target 'Slip' has the values none, some: name the value that counts as 1, e.g. Slip=none"
    );
    assert_eq!(
        sample("Season", Some("fall"), 3).unwrap_err().to_string(),
        "the target 'Season' has no value 'fall'; it has the values spring/summer, autumn, deep winter"
    );
    assert_eq!(
        sample("wet", None, 3).unwrap_err().to_string(),
        "the network 'wet lawn' has no variable 'wet' for the target"
    );
    let error = |rows: usize| network.sample(rows, &target("Wet", None), 1).unwrap_err();
    assert_eq!(error(0).to_string(), "rows must be at least 1, but is 0");
    assert!(matches!(error(usize::MAX), SimulateError::TooManyCells { rows: usize::MAX, columns: 5, .. }));
}

#[test]
fn errors_name_their_line() {
    let a = "variable A { type discrete [ 2 ] { x, y }; }\n";
    let b = "variable B { type discrete [ 2 ] { u, v }; }\n";
    let pa = "probability ( A ) { table 0.5, 0.5; }\n";
    let cases: &[(&[&str], &str)] = &[
        (&[""], "line 1: the file has no variables: is it a BIF file?"),
        (&["V1,V2\n0,1\n"], "line 1: expected 'network', 'variable' or 'probability' but found 'V1'"),
        (&["network x {\n"], "line 1: expected 'property' but the file ends"),
        (&["network x {\nfoo bar; }"], "line 2: expected 'property' but found 'foo'"),
        (&["network x {\nproperty bar }"], "line 2: the property is not closed with ;"),
        (&["network {"], "line 1: expected the name of the network but found '{'"),
        (&["variable A { }"], "line 1: 'A' has no type"),
        (&["variable A {\ntyp discrete"], "line 2: expected 'type', 'property' or '}' but found 'typ'"),
        (&["variable A { type continuous"], "line 1: expected 'discrete' but found 'continuous'"),
        (&["variable A { type discrete [ two ]"], "line 1: expected the number of values but found 'two'"),
        (&["variable A { type discrete [ 2 ] { x, y } }"], "line 1: expected ';' but found '}'"),
        (&["variable A { type discrete [ 2 ] { x, y, z }; }"], "line 1: 'A' should have 2 values but has 3"),
        (&["variable A { type discrete [ 0 ] { }; }"], "line 1: 'A' must have 1 to 65535 values but has 0"),
        (&["variable A { type discrete [ 2 ] { x, x }; }"], "line 1: 'A' has the value 'x' twice"),
        (
            &["variable A { type discrete [ 2 ] { x, y };\ntype discrete [ 2 ] { x, y }; }"],
            "line 2: 'A' has two types",
        ),
        (&[a, a], "line 2: there are two variables 'A'"),
        (&[a], "line 1: 'A' has no probability block"),
        (&[a, pa, pa], "line 3: 'A' has two probability blocks"),
        (&[a, "probability ( ) { }"], "line 2: the probability block names no variable"),
        (&[a, "probability ( A | A ) { }"], "line 2: the probability block names 'A' twice"),
        (&[a, "probability ( A | B ) { }"], "line 2: there is no variable 'B'"),
        (&[a, "probability ( A ) {\ntable 0.5; }"], "line 3: 'A' needs 2 probabilities here but has 1"),
        (
            &[a, "probability ( A ) { table 0.5, 0.4; }"],
            "line 2: the probabilities of 'A' sum to 0.9, not to 1",
        ),
        (
            &[a, "probability ( A ) { table 1.5, -0.5; }"],
            "line 2: 1.5 is not a probability: it is not between 0 and 1",
        ),
        (
            &[a, "probability ( A ) { table NaN, 1; }"],
            "line 2: NaN is not a probability: it is not between 0 and 1",
        ),
        (
            &[a, "probability ( A ) { table 0.5, half; }"],
            "line 2: expected a probability or ';' but found 'half'",
        ),
        (&[a, "probability ( A ) { table 0.5, 0.5 }"], "line 2: expected a probability or ';' but found '}'"),
        (
            &[a, "probability ( A ) { row 1, 0; }"],
            "line 2: expected 'table', 'default', a configuration or '}' but found 'row'",
        ),
        (&[a, "probability ( A ) {\ntable 1, 0;\ntable 1, 0; }"], "line 4: 'A' has a second table"),
        (&[a, "probability ( A ) {\ntable 1, 0;\ndefault 1, 0; }"], "line 2: 'A' has both a table and rows"),
        (&[a, b, pa, "probability ( B | A ) { (x) 0.5, 0.5; }"], "line 4: 'B' has no probabilities for (y)"),
        (&[a, b, pa, "probability ( B | A ) { (z) 0.5, 0.5; }"], "line 4: 'A' has no value 'z'"),
        (
            &[a, b, pa, "probability ( B | A ) { (x, y) 0.5, 0.5; }"],
            "line 4: 'B' needs one value for each parent, 1 in all, but has 2",
        ),
        (
            &[a, b, pa, "probability ( B | A ) { (x) 0.5, 0.5;\n(x) 0.5, 0.5; }"],
            "line 5: 'B' has a second row for (x)",
        ),
        (
            &[a, b, pa, "probability ( B | A ) { default 0.5, 0.5; default 0.5, 0.5; }"],
            "line 4: 'B' has a second default",
        ),
        (
            &[a, b, pa, "probability ( B | A ) { table 0.5, 0.5, 0.4, 0.5; }"],
            "line 4: the probabilities of 'B' sum to 0.9, not to 1",
        ),
        (
            &[
                a,
                b,
                "probability ( A | B ) { default 0.5, 0.5; }\nprobability ( B | A ) { default 0.5, 0.5; }",
            ],
            "line 3: 'A' is its own ancestor",
        ),
        (
            &[a, "probability ( A ) { table 0.5, 0.5;"],
            "line 2: expected 'table', 'default', a configuration or '}' but the file ends",
        ),
        (&["variable \"A"], "line 1: the quote is not closed"),
    ];
    for (blocks, sentence) in cases {
        let text = blocks.concat();
        assert_eq!(Network::parse(&text).unwrap_err().to_string(), *sentence, "{text}");
    }
    let error = Network::parse("variable A {\n}").unwrap_err();
    assert_eq!((error.line, error.kind), (1, BifErrorKind::NoType("A".into())));
}

#[test]
fn the_error_names_a_variable_on_the_cycle() {
    let variable = |name: &str| format!("variable {name} {{ type discrete [ 2 ] {{ x, y }}; }}\n");
    let given = |names: &str| format!("probability ( {names} ) {{ default 0.5, 0.5; }}\n");
    let text = ["A", "B", "C"].map(variable).concat() + &["A | B", "B | C", "C | B"].map(given).concat();
    let sentence = Network::parse(&text).unwrap_err().to_string();
    assert!(sentence.contains("'B' is") || sentence.contains("'C' is"), "{sentence}");
}

#[test]
fn no_truncated_file_makes_the_parser_panic() {
    for end in (0..LAWN.len()).filter(|&end| LAWN.is_char_boundary(end)) {
        let _ = Network::parse(&LAWN[..end]);
        let _ = Network::parse(&LAWN[end..]);
    }
    // A table of 2^60 cells is rejected before it is allocated.
    let names: Vec<String> = (0..60).map(|i| format!("X{i}")).collect();
    let variables: String =
        names.iter().map(|name| format!("variable {name} {{ type discrete [ 2 ] {{ x, y }}; }}\n")).collect();
    let text = variables + &format!("probability ( {} ) {{ default 0.5, 0.5; }}", names.join(" "));
    let sentence = Network::parse(&text).unwrap_err().to_string();
    assert_eq!(sentence, "line 61: the table of 'X0' has more than 67108864 cells");
}

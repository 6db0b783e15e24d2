//! Simulated data has the shares, marginals and independences of its recipe, and the same bytes on every machine.

use concause::count::{Count, Stratum};
use concause::progress::NoProgress;
use concause::search::{Method, Preset, Settings, mine};
use concause::stats::Test;
use concause_simulate::{Recipe, RecipeKind, Score, ScoreSummary, Simulated, Truth};

/// Parameters and their new values.
type Changes<'a> = &'a [(&'a str, &'a str)];

/// A named recipe with some parameters changed.
fn recipe(name: &str, changes: Changes) -> Recipe {
    let mut recipe = Recipe::named(name).unwrap();
    for (parameter, value) in changes {
        recipe.set(parameter, value).unwrap();
    }
    recipe
}

/// The data, each binary variable by its name.
struct Data {
    simulated: Simulated,
    outcome: Vec<bool>,
}

impl Data {
    fn new(recipe: &Recipe, seed: u64) -> Self {
        let simulated = recipe.simulate(seed).unwrap();
        let outcome = simulated.outcome();
        Self { simulated, outcome }
    }

    /// A column, or its negation if the name begins with `!`.
    fn column(&self, name: &str) -> Vec<bool> {
        let (name, one) = name.strip_prefix('!').map_or((name, 1), |name| (name, 0));
        let variable = self.simulated.variables.iter().find(|variable| variable.name == name).unwrap();
        variable.codes.iter().map(|&code| code == one).collect()
    }

    fn conjunction(&self, names: &[String]) -> Vec<bool> {
        let columns: Vec<Vec<bool>> = names.iter().map(|name| self.column(name)).collect();
        (0..self.outcome.len()).map(|row| columns.iter().all(|column| column[row])).collect()
    }

    fn causes(&self, parts: usize) -> Vec<&Vec<String>> {
        self.simulated.truth.causes.iter().filter(|cause| cause.len() == parts).collect()
    }

    /// The columns that no cause names.
    fn idle(&self) -> Vec<String> {
        let names = self.simulated.variables.iter().map(|variable| variable.name.clone());
        let causes: Vec<&String> = self.simulated.truth.causes.iter().flatten().collect();
        names.filter(|name| name != "T" && !causes.contains(&name)).collect()
    }

    /// P(bits=1 | T=class).
    fn in_class(&self, bits: &[bool], class: bool) -> f64 {
        let rows: Vec<bool> =
            bits.iter().zip(&self.outcome).filter(|(_, case)| **case == class).map(|(bit, _)| *bit).collect();
        share(&rows)
    }

    fn difference(&self, bits: &[bool]) -> f64 {
        self.in_class(bits, true) - self.in_class(bits, false)
    }
}

fn share(bits: &[bool]) -> f64 {
    bits.iter().filter(|&&bit| bit).count() as f64 / bits.len() as f64
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn correlation(left: &[bool], right: &[bool]) -> f64 {
    let both = left.iter().zip(right).filter(|(left, right)| **left && **right).count() as f64;
    let (p, q) = (share(left), share(right));
    (both / left.len() as f64 - p * q) / (p * (1.0 - p) * q * (1.0 - q)).sqrt()
}

/// The p-value of the G² test of two columns.
fn p_value(left: &[bool], right: &[bool]) -> f64 {
    let count = |one: bool| {
        let rows = || left.iter().zip(right).filter(move |(bit, _)| **bit == one);
        let positive = rows().filter(|(_, case)| **case).count() as u64;
        Count { positive, negative: rows().count() as u64 - positive }
    };
    Test::G2.assess(&[Stratum { with: count(true), without: count(false) }], 0.05).tested().unwrap().p_value
}

/// Fails unless the numbers of p-values below several levels are those of a uniform distribution, within six standard
/// deviations.
fn assert_uniform(p_values: &[f64]) {
    let n = p_values.len() as f64;
    for level in [0.01, 0.05, 0.25, 0.5, 0.9] {
        let below = p_values.iter().filter(|&&p| p <= level).count() as f64;
        let bound = 6.0 * (n * level * (1.0 - level)).sqrt();
        assert!((below - n * level).abs() < bound, "{below} of {n} p-values are at most {level}");
    }
}

/// Rows, predictors, share of T=1, single and combined causes of the paper's table of data sets.
const PAPER: [(&str, usize, usize, f64, usize, usize); 10] = [
    ("syn-7", 1000, 6, 0.391, 2, 1),
    ("syn-10", 1000, 9, 0.422, 3, 2),
    ("syn-12", 2000, 11, 0.721, 4, 3),
    ("syn-16", 2000, 15, 0.452, 4, 3),
    ("syn-20", 2000, 19, 0.556, 4, 4),
    ("syn-50", 5000, 49, 0.308, 5, 5),
    ("syn-60", 5000, 59, 0.308, 5, 5),
    ("syn-80", 5000, 79, 0.305, 5, 5),
    ("syn-100", 5000, 99, 0.300, 5, 5),
    ("syn-120", 5000, 119, 0.304, 5, 5),
];

#[test]
fn the_papers_data_sets_have_their_sizes_and_shares() {
    for (name, rows, predictors, wanted, singles, combined) in PAPER {
        let shares: Vec<f64> = (0..12)
            .map(|seed| {
                let data = Data::new(&recipe(name, &[]), seed);
                assert_eq!((data.outcome.len(), data.simulated.variables.len()), (rows, predictors + 1));
                assert_eq!((data.causes(1).len(), data.causes(2).len()), (singles, combined), "{name}");
                assert_eq!(data.simulated.truth.causes.len(), singles + combined);
                share(&data.outcome)
            })
            .collect();
        let error = (wanted * (1.0 - wanted) / (rows * shares.len()) as f64).sqrt();
        assert!((mean(&shares) - wanted).abs() < 5.0 * error, "{name}: {}", mean(&shares));
    }
}

#[test]
fn small_networks_split_strong_parents() {
    for (name, split) in [("syn-7", "aware"), ("syn-20", "blind")] {
        for seed in 0..10 {
            let data = Data::new(&recipe(name, &[("split", split)]), seed);
            let strength = |cause: &Vec<String>| p_value(&data.conjunction(cause), &data.outcome);
            let single = data.causes(1).into_iter().map(strength).fold(f64::INFINITY, f64::min);
            for cause in data.causes(2) {
                // G² of 10.83 is p = .001; p-values round to 0 where the association is strong.
                assert!(strength(cause) <= 0.001 && strength(cause) <= single, "{name} {cause:?}");
            }
        }
    }
    let random = recipe("syn-20", &[("parents", "random")]);
    let weak = (0..10).any(|seed| {
        let data = Data::new(&random, seed);
        data.causes(2).iter().any(|cause| p_value(&data.conjunction(cause), &data.outcome) > 0.001)
    });
    assert!(weak, "random parents are not always strong");
}

#[test]
fn columns_of_the_large_sets_are_balanced_and_independent() {
    let data = Data::new(&recipe("syn-100", &[("combined", "0")]), 21);
    let columns: Vec<Vec<bool>> = (1..=99).map(|place| data.column(&format!("V{place}"))).collect();
    let mut p_values = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        assert!((share(column) - 0.5).abs() < 6.0 * 0.5 / 5000f64.sqrt());
        p_values.extend(columns[..place].iter().map(|other| p_value(column, other)));
    }
    assert_eq!(p_values.len(), 4851);
    assert_uniform(&p_values);
    // Only the causes are associated with the target.
    let data: Vec<Data> = (0..10).map(|seed| Data::new(&recipe("syn-100", &[]), seed)).collect();
    let idle: Vec<f64> = data
        .iter()
        .flat_map(|data| data.idle().into_iter().map(|name| p_value(&data.column(&name), &data.outcome)))
        .collect();
    assert_eq!(idle.len(), 10 * 84);
    assert_uniform(&idle);
    for data in &data {
        for cause in &data.simulated.truth.causes {
            assert!(p_value(&data.conjunction(cause), &data.outcome) < 1e-6);
        }
    }
}

#[test]
fn the_split_determines_how_parts_are_filled() {
    for (split, shares, associated) in
        [("aware", 0.72, false), ("blind", 2.0 / 3.0, true), ("blind-half", 0.75, true)]
    {
        let (mut part_shares, mut differences) = (Vec::new(), Vec::new());
        for seed in 0..20 {
            let data = Data::new(&recipe("syn-50", &[("split", split)]), seed);
            for cause in data.causes(2) {
                let parent = data.conjunction(cause);
                assert!((share(&parent) - 0.5).abs() < 0.05, "the parent has a share of one half");
                assert!(data.difference(&parent) > 0.05);
                for part in cause {
                    part_shares.push(share(&data.column(part)));
                    differences.push(data.difference(&data.column(part)));
                }
            }
        }
        assert!((mean(&part_shares) - shares).abs() < 0.01, "{split}: {}", mean(&part_shares));
        // 200 differences, each with a standard error of .015.
        let difference = mean(&differences);
        assert_eq!(difference.abs() > 0.03, associated, "{split}: {difference}");
        assert!(associated || difference.abs() < 5.0 * 0.015 / 200f64.sqrt(), "{split}: {difference}");
    }
}

#[test]
fn harder_variants_differ_as_described() {
    let data = Data::new(&recipe("rare-target", &[]), 1);
    assert!((share(&data.outcome) - 0.05).abs() < 6.0 * 0.0031);

    for (name, low, high) in [("mixed", 0.2, 0.8), ("rare-causes", 0.05, 0.3)] {
        let data = Data::new(&recipe(name, &[]), 2);
        let mut shares: Vec<f64> = data.idle().iter().map(|name| share(&data.column(name))).collect();
        shares.extend(data.simulated.truth.causes.iter().map(|cause| share(&data.conjunction(cause))));
        assert!(shares.iter().all(|&share| share > low - 0.03 && share < high + 0.03), "{shares:?}");
        assert!((mean(&shares) - (low + high) / 2.0).abs() < 0.08, "{name}: {}", mean(&shares));
    }

    // Marginal effects of the coefficients: 1 in syn-100, .35 to .7 in weak.
    let effect = |name: &str| {
        let data = Data::new(&recipe(name, &[]), 3);
        let effects: Vec<f64> = data
            .simulated
            .truth
            .causes
            .iter()
            .map(|cause| data.difference(&data.conjunction(cause)))
            .collect();
        mean(&effects)
    };
    assert!(
        (effect("weak") / effect("syn-100") - 0.55).abs() < 0.15,
        "{}",
        effect("weak") / effect("syn-100")
    );

    let data = Data::new(&recipe("three-way", &[]), 4);
    assert_eq!((data.causes(1).len(), data.causes(2).len(), data.causes(3).len()), (5, 0, 4));
    assert_eq!(data.simulated.variables.len(), 100);

    let data = Data::new(&recipe("wide", &[]), 5);
    assert_eq!((data.simulated.variables.len(), data.outcome.len()), (500, 5000));
    let wide_long = Recipe::named("wide-long").unwrap();
    assert_eq!((wide_long.predictors, wide_long.rows), (499, 50_000));
    let (RecipeKind::Logistic(wide_long), RecipeKind::Logistic(weak)) =
        (wide_long.kind, Recipe::named("weak").unwrap().kind)
    else {
        panic!("not logistic");
    };
    assert_eq!(wide_long, weak);
}

#[test]
fn correlated_columns_come_in_random_groups_of_about_five() {
    let data = Data::new(&recipe("corr", &[("combined", "0"), ("rows", "20000")]), 6);
    let columns: Vec<Vec<bool>> = (1..=99).map(|place| data.column(&format!("V{place}"))).collect();
    let mut neighbours = 0;
    for (left, column) in columns.iter().enumerate() {
        let related: Vec<(usize, f64)> = (0..99)
            .filter(|&right| right != left)
            .map(|right| (right, correlation(column, &columns[right])))
            .filter(|(_, correlation)| correlation.abs() > 0.15)
            .collect();
        assert!(matches!(related.len(), 3..=5), "{related:?}");
        assert!(
            related.iter().all(|(_, correlation)| (correlation - 1.0 / 3.0).abs() < 6.0 / 20_000f64.sqrt())
        );
        neighbours += related.iter().filter(|(right, _)| right.abs_diff(left) == 1).count();
    }
    // Groups are scattered over the table: of about 400 correlations about 8 are between neighbours.
    assert!(neighbours < 40, "{neighbours}");
}

#[test]
fn causes_may_be_any_columns() {
    let recipe = recipe("syn-7", &[("parents", "random"), ("rows", "20")]);
    let mut seen = [0i32; 6];
    for seed in 0..1200 {
        for cause in recipe.simulate(seed).unwrap().truth.causes.iter().filter(|cause| cause.len() == 1) {
            seen[cause[0][1..].parse::<usize>().unwrap() - 1] += 1;
        }
    }
    // Two of six columns are single causes: 400 times each, with a standard deviation of 16.
    assert!(seen.iter().all(|count| (count - 400).abs() < 6 * 17), "{seen:?}");
}

#[test]
fn truths_are_sorted_and_reproduce_the_data() {
    for (name, _) in Recipe::NAMES {
        let mut small = Recipe::named(name).unwrap();
        small.rows = small.rows.min(300);
        small.predictors = small.predictors.min(200);
        if small.set("parents", "random").is_ok() {
            small.set("split", "blind-half").unwrap();
        }
        let simulated = small.simulate(7).unwrap();
        let Truth { target, causes, recipe, seed, parameters, generator, .. } = &simulated.truth;
        assert_eq!((target.as_str(), recipe.as_str(), *seed, *generator), ("T", name, 7, 1));
        let place = |name: &String| {
            let rest = name.trim_start_matches(['!', 'V']);
            rest.split(['=', '<', '>']).next().unwrap().parse::<usize>().unwrap()
        };
        for cause in causes {
            assert!(cause.windows(2).all(|pair| place(&pair[0]) < place(&pair[1])), "{cause:?}");
        }
        let keys: Vec<(usize, usize)> = causes.iter().map(|cause| (cause.len(), place(&cause[0]))).collect();
        assert!(keys.windows(2).all(|pair| pair[0] <= pair[1]), "{causes:?}");

        let mut again = Recipe::named(recipe).unwrap();
        for (parameter, value) in parameters {
            again.set(parameter, value).unwrap();
        }
        assert_eq!(again.simulate(*seed).unwrap(), simulated, "{name}");
        assert_ne!(again.simulate(seed + 1).unwrap().variables, simulated.variables, "{name}");
    }
}

#[test]
fn the_published_method_finds_aware_splits_and_no_blind_ones() {
    // Measured for the paper's method with max_k 3: F1 of combined causes 1 and 0 on syn-50.
    let f1 = |split: &str| {
        let recipe = recipe("syn-50", &[("split", split)]);
        let scores: Vec<Score> = (0..5)
            .map(|seed| {
                let simulated = recipe.simulate(seed).unwrap();
                let dataset = simulated.dataset();
                let settings = Settings { method: Method::MH_PC_F, ..Preset::Paper.settings() };
                let findings = mine(&dataset, &settings, &NoProgress).unwrap();
                let name = |&column: &u32| dataset.columns()[column as usize].name.clone();
                let causes = findings.causes.iter().map(|cause| cause.candidate.columns());
                let found: Vec<Vec<String>> =
                    causes.map(|columns| columns.iter().map(name).collect()).collect();
                simulated.truth.score(&found)
            })
            .collect();
        ScoreSummary::from_scores(&scores).unwrap().f1
    };
    let (aware, blind) = (f1("aware"), f1("blind"));
    assert!(aware.single.mean > 0.9 && aware.combined.mean > 0.9, "{aware:?}");
    assert!(blind.combined.mean < 0.1, "{blind:?}");
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The bytes of these seeds are published: a change of them requires a new `GENERATOR` and an entry in the change log.
#[test]
fn the_bytes_of_a_seed_never_change() {
    let golden: &[(&str, Changes, u64, u64)] = &[
        ("syn-7", &[], 1, 0xab93_abf2_9a16_ae58),
        ("syn-20", &[("split", "blind")], 2, 0x2008_c26c_821d_a439),
        ("syn-100", &[("split", "blind-half")], 3, 0x356d_7dec_6c2f_e628),
        ("corr", &[("shares", "0.3")], 4, 0x2e1e_3ce2_a71f_f736),
        ("mixed", &[], 5, 0xa896_31f4_74c4_1fec),
        ("three-way", &[], u64::MAX, 0x7bd5_d157_b104_578f),
        ("sufficient", &[], 1, 0xff5e_b89c_8af0_3177),
        ("additive", &[], 2, 0x8e7e_c38a_0bd9_01ef),
        ("multiplicative", &[], 3, 0x37c4_4e95_5b97_d691),
        ("probit", &[], 4, 0x2ed2_b8d2_37eb_86f7),
        ("triangle-logistic", &[], 5, 0x29fb_df7e_cb97_bcb2),
        ("negation-sufficient", &[("causes", "A&!B&C:0.7, A")], 6, 0x4964_bad9_2096_b125),
        ("network", &[], 7, 0xda49_a423_e1f4_9fb8),
        ("attributes", &[("missing", "0.2")], 8, 0xf3ff_c4ea_a3e2_ee7e),
        ("singles-nominal", &[], 9, 0x7b2b_e7ea_6ce8_d68d),
        ("singles-numeric", &[], 10, 0xdc06_344c_4c85_78e2),
        ("hubin-3-rounded", &[], 11, 0x9fb4_5588_c7b3_3c86),
        ("hegel", &[], 12, 0x574d_2a7f_3c35_dc43),
        ("monk-3", &[("errors", "0.05"), ("predictors", "9")], 13, 0xff25_767a_880e_c57d),
        ("tic-tac-toe", &[], 14, 0x541a_122a_175d_6a97),
    ];
    assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    let mut changed = Vec::new();
    for &(name, changes, seed, expected) in golden {
        let seen = fingerprint(&recipe(name, changes).simulate(seed).unwrap());
        if seen != expected {
            changed.push(format!("{name} {changes:?}, seed {seed}: {seen:#018x}"));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

/// The hash of the table as CSV and of the causes.
fn fingerprint(simulated: &Simulated) -> u64 {
    let mut csv = Vec::new();
    simulated.write_csv(&mut csv).unwrap();
    for cause in &simulated.truth.causes {
        csv.extend_from_slice(cause.join("&").as_bytes());
        csv.push(b'\n');
    }
    hash(&csv)
}

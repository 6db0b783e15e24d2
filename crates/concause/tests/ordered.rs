//! Ordered attributes: thresholds, intervals, the prior per attribute, and findings as sets of attributes.

use concause::dataset::{Dataset, DatasetBuilder, Target};
use concause::progress::NoProgress;
use concause::random::Random;
use concause::search::{AttributeSet, Findings, Settings, mine};

/// A table with ordered attributes, by their bands, and binary ones.
#[derive(Clone)]
struct Table {
    ordered: Vec<(&'static str, usize, Vec<usize>)>,
    binary: Vec<(&'static str, Vec<bool>)>,
}

impl Table {
    /// Attributes with even bands and fair columns, all independent.
    fn random(rows: usize, ordered: &[(&'static str, usize)], binary: &[&'static str], seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut bands = |bands: usize| (0..rows).map(|_| random.below(bands)).collect::<Vec<usize>>();
        let ordered = ordered.iter().map(|&(name, count)| (name, count, bands(count))).collect();
        let binary = binary.iter().map(|&name| (name, bands(2).into_iter().map(|band| band == 1).collect()));
        Self { ordered, binary: binary.collect() }
    }

    /// The encoded data with an outcome of these risks.
    fn dataset(&self, seed: u64, risk: impl Fn(usize) -> f64) -> Dataset {
        let mut random = Random::new(seed);
        let rows = self.ordered[0].2.len();
        let outcome = (0..rows).map(|row| random.chance(risk(row))).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for (name, count, bands) in &self.ordered {
            let cuts: Vec<String> = (1..*count).map(|cut| cut.to_string()).collect();
            let cuts: Vec<&str> = cuts.iter().map(String::as_str).collect();
            builder.ordered(name, &cuts, bands.iter().map(|&band| Some(band)));
        }
        for (name, values) in &self.binary {
            builder.attribute(name, vec![(*name).into()], values.iter().map(|&value| value.then_some(0)));
        }
        builder.finish()
    }

    fn band(&self, attribute: usize, row: usize) -> usize {
        self.ordered[attribute].2[row]
    }

    fn holds(&self, column: usize, row: usize) -> bool {
        self.binary[column].1[row]
    }
}

fn search(data: &Dataset) -> Findings {
    mine(data, &Settings::default(), &NoProgress).unwrap()
}

fn cause_names(findings: &Findings, data: &Dataset) -> Vec<String> {
    findings.causes.iter().map(|cause| cause.candidate.name(data.columns())).collect()
}

/// The set over these attributes.
fn find_set<'a>(findings: &'a Findings, data: &Dataset, names: &[&str]) -> Option<&'a AttributeSet> {
    let number = |name: &&str| data.attributes().iter().position(|attribute| attribute == name).unwrap();
    let attributes = names.iter().map(number).collect();
    findings.posterior.as_ref().unwrap().attribute_sets.iter().find(|set| set.attributes == attributes)
}

#[test]
fn a_threshold_is_found_with_its_cut() {
    let mut inside = 0;
    for seed in 0..5 {
        let table = Table::random(3000, &[("age", 16), ("dose", 16)], &["a", "b", "c"], seed);
        let data = table.dataset(seed, |row| if table.band(0, row) >= 10 { 0.4 } else { 0.15 });
        let findings = search(&data);
        let names = cause_names(&findings, &data);
        assert!(names.len() == 1 && names[0].starts_with("age>="), "{names:?}");
        let set = find_set(&findings, &data, &["age"]).unwrap();
        assert!(set.probability > 0.95 && set.matters > 0.95, "{set:?}");
        let cut = &set.cuts[0];
        assert!(cut.low <= cut.value && cut.value <= cut.high, "{cut:?}");
        inside += usize::from((cut.low..=cut.high).contains(&10.0));
    }
    assert!(inside >= 4, "the true cut is in {inside} of 5 ranges");
}

#[test]
fn a_low_risk_is_named_by_the_side_that_raises_it() {
    let table = Table::random(3000, &[("age", 8)], &["a"], 1);
    let data = table.dataset(1, |row| if table.band(0, row) < 3 { 0.4 } else { 0.15 });
    let names = cause_names(&search(&data), &data);
    assert!(names.len() == 1 && names[0].starts_with("age<"), "{names:?}");
}

#[test]
fn an_interval_is_one_finding() {
    let table = Table::random(6000, &[("age", 12)], &["a", "b"], 2);
    let data = table.dataset(2, |row| if (4..8).contains(&table.band(0, row)) { 0.4 } else { 0.15 });
    let findings = search(&data);
    assert_eq!(cause_names(&findings, &data), ["4<=age<8"]);
    assert!(find_set(&findings, &data, &["age"]).unwrap().cuts.is_empty());
}

/// Neither the number nor the column has an effect of its own, so that cuts by the outcome would lose the number.
#[test]
fn a_number_that_acts_only_jointly_is_found() {
    let table = Table::random(6000, &[("moisture", 16), ("wind", 16)], &["stub", "b", "c"], 3);
    let data =
        table.dataset(3, |row| if (table.band(0, row) >= 8) == table.holds(0, row) { 0.35 } else { 0.15 });
    let findings = search(&data);
    assert_eq!(findings.causes.len(), 1, "{:?}", cause_names(&findings, &data));
    let set = find_set(&findings, &data, &["moisture", "stub"]).unwrap();
    assert!(set.is_cause && set.probability > 0.9, "{set:?}");
}

/// Cutting an attribute without an effect twice as fine changes nothing; cutting one with an effect finer does not make
/// it more probable.
#[test]
fn finer_cuts_do_not_raise_probabilities() {
    for seed in 0..4 {
        let fine = Table::random(1500, &[("noise", 16), ("age", 16)], &["a", "b", "c", "d"], 10 + seed);
        let mut coarse = fine.clone();
        let (_, bands, rows) = &mut coarse.ordered[0];
        *bands = 8;
        rows.iter_mut().for_each(|band| *band /= 2);
        let risk = |row: usize| {
            let by_age = if fine.band(1, row) >= 8 { 0.08 } else { 0.0 };
            0.2 + by_age + if fine.holds(0, row) && fine.holds(1, row) { 0.15 } else { 0.0 }
        };
        let (coarse_data, fine_data) = (coarse.dataset(seed, risk), fine.dataset(seed, risk));
        let (coarse_found, fine_found) = (search(&coarse_data), search(&fine_data));
        for names in [&["a", "b"][..], &["a"], &["b"], &["age"], &["noise"]] {
            let probability = |findings: &Findings, data: &Dataset| {
                find_set(findings, data, names).map_or(0.0, |set| set.probability)
            };
            let one = probability(&coarse_found, &coarse_data);
            let other = probability(&fine_found, &fine_data);
            assert!((one - other).abs() < 0.1, "{names:?}: {one} {other}");
        }
        // The attribute with an effect, with half its cuts.
        let mut coarse = fine.clone();
        let (_, bands, rows) = &mut coarse.ordered[1];
        *bands = 8;
        rows.iter_mut().for_each(|band| *band /= 2);
        let coarse_data = coarse.dataset(seed, risk);
        let matters = |findings: &Findings, data: &Dataset| {
            let age = data.attributes().iter().position(|attribute| attribute == "age").unwrap();
            let attributes = &findings.posterior.as_ref().unwrap().attributes;
            attributes.iter().find(|(attribute, _)| *attribute == age).map_or(0.0, |(_, matters)| *matters)
        };
        let (one, other) = (matters(&search(&coarse_data), &coarse_data), matters(&fine_found, &fine_data));
        assert!(other < one + 0.1, "{one} {other}");
    }
}

#[test]
fn threads_do_not_change_what_is_found_over_thresholds() {
    let table = Table::random(900, &[("a", 16), ("b", 16), ("c", 16)], &["x", "y"], 5);
    let data = table.dataset(5, |row| {
        let both = table.band(0, row) >= 9 && table.band(1, row) < 6;
        0.15 + if both { 0.3 } else { 0.0 } + if table.band(2, row) >= 8 { 0.1 } else { 0.0 }
    });
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&data))
    };
    let one = run(1);
    (0..8).for_each(|_| assert_eq!(run(4), one));
}

//! The risks that a result predicts.

use concause::dataset::{Dataset, DatasetBuilder, Target};
use concause::search::{Method, Preset};
use concause::{Miner, Mining};

use crate::support::Random;

const COLUMNS: usize = 6;

/// Rows of columns and the outcome: two columns act jointly, another one alone.
fn rows(seed: u64) -> Vec<(u32, bool)> {
    let mut random = Random::new(seed);
    let row = |_| {
        let ones = (0..COLUMNS).fold(0, |ones, column| ones | u32::from(random.chance(0.4)) << column);
        let risk =
            0.1 + 0.4 * f64::from(ones & 1) * f64::from(ones >> 1 & 1) + 0.3 * f64::from(ones >> 2 & 1);
        (ones, random.chance(risk))
    };
    (0..3000).map(row).collect()
}

fn dataset(rows: &[(u32, bool)]) -> Dataset {
    let outcome = rows.iter().map(|&(_, is_case)| is_case).collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for column in 0..COLUMNS {
        let name = format!("V{column}");
        let values = rows.iter().map(|&(ones, _)| (ones >> column & 1 == 1).then_some(0));
        builder.attribute(&name, vec![name.clone()], values);
    }
    builder.finish()
}

fn risk(mining: &Mining, ones: u32) -> f64 {
    let ones: Vec<u32> = (0..COLUMNS as u32).filter(|column| ones >> column & 1 == 1).collect();
    mining.predict(&ones).unwrap()
}

#[test]
fn risks_are_those_of_the_rows() {
    let rows = rows(1);
    let mining = Miner::new().mine(&dataset(&rows)).unwrap();
    let mean = rows.iter().map(|&(ones, _)| risk(&mining, ones)).sum::<f64>() / rows.len() as f64;
    let cases = rows.iter().filter(|(_, is_case)| *is_case).count() as f64 / rows.len() as f64;
    assert!((mean - cases).abs() < 0.005, "{mean} and not {cases}");
    let share = |ones: u32| {
        let same = || rows.iter().filter(|(other, _)| (other ^ ones) & 7 == 0);
        same().filter(|(_, is_case)| *is_case).count() as f64 / same().count() as f64
    };
    for ones in [0, 1, 3, 4, 7, 0b111000] {
        let (found, expected) = (risk(&mining, ones), share(ones));
        assert!((found - expected).abs() < 0.025, "{ones:b}: {found} and not {expected}");
    }
}

#[test]
fn risks_do_not_depend_on_the_order_of_the_rows() {
    let mut rows = rows(2);
    let one = Miner::new().mine(&dataset(&rows)).unwrap();
    rows.reverse();
    rows.rotate_left(1234);
    let other = Miner::new().mine(&dataset(&rows)).unwrap();
    assert!((0..1 << COLUMNS).all(|ones| risk(&one, ones) == risk(&other, ones)));
}

#[test]
fn a_method_without_a_posterior_predicts_nothing() {
    let miner =
        Miner::from(concause::search::Settings { method: Method::MH_PC_F, ..Preset::Paper.settings() });
    assert_eq!(miner.mine(&dataset(&rows(3))).unwrap().predict(&[0]), None);
}

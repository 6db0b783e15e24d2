//! A search with rows held out is the search in a file without these rows.

use concause::dataset::{BLOCK_BITS, Block};
use concause::progress::NoProgress;
use concause::random::Random;
use concause::search::Method;
use concause_report::Document;
use concause_run::requests::{DataRequest, MineRequest, SearchRequest, TrustRequest};
use concause_run::{Input, Run, mine};

fn run(text: &str, method: Method, holdout: Option<f64>) -> Run {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let request = MineRequest {
        data: DataRequest { target: "T".into(), ..Default::default() },
        method: Some(method),
        holdout,
        search: SearchRequest { seed: Some(4), ..Default::default() },
        trust: TrustRequest { stability: Some(6), calibrate: Some(6) },
        ..Default::default()
    };
    mine(Input::from_path(file.path()), &request, &NoProgress).unwrap()
}

/// Rows of an outcome that follows a number, a flag, and a flag together with a letter.
fn rows(count: usize) -> Vec<(bool, String)> {
    let mut random = Random::new(9);
    (0..count)
        .map(|_| {
            let (size, flag, other) = (random.below(100), random.chance(0.4), random.chance(0.5));
            let letter = ["a", "b", "c"][random.below(3)];
            let risk = 0.1
                + if size > 60 { 0.3 } else { 0.0 }
                + if flag { 0.2 } else { 0.0 }
                + if other && letter == "b" { 0.3 } else { 0.0 };
            let outcome = random.chance(risk);
            let noise = random.below(50);
            let bit = u8::from;
            (outcome, format!("{size},{},{},{letter},{noise},{}\n", bit(flag), bit(other), bit(outcome)))
        })
        .collect()
}

fn table<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    std::iter::once("size,flag,other,letter,noise,T\n").chain(lines).collect()
}

/// Whether each row may be seen by the search, from the bitmap of its class.
fn searched(mined: &Run, rows: &[(bool, String)]) -> Vec<bool> {
    let encoding = &mined.table.encoding;
    let mask = Block::words(encoding.searched.as_ref().unwrap());
    let mut next = [encoding.dataset.layout().positive_blocks() * BLOCK_BITS as usize, 0];
    rows.iter()
        .map(|(outcome, _)| {
            let place = next[usize::from(*outcome)];
            next[usize::from(*outcome)] += 1;
            mask[place / 64] >> (place % 64) & 1 == 1
        })
        .collect()
}

/// All that comes from the rows searched.
fn of_the_search(document: &Document) -> Document {
    let mut document = document.clone();
    document.data.sources.clear();
    document.data.fingerprint.clear();
    document.notices.clear();
    document.timing = Default::default();
    document.holdout = None;
    for cause in &mut document.causes {
        (cause.holdout_test, cause.evidence) = (None, None);
    }
    document
}

#[test]
fn the_search_does_not_use_held_out_rows() {
    let rows = rows(1300);
    let all = table(rows.iter().map(|(_, line)| line.as_str()));
    for method in [Method::MH_PC_B, Method::MH_PC_F, Method::CR_CS] {
        let held_out = run(&all, method, Some(0.35));
        let is_searched = searched(&held_out, &rows);
        let lines = rows.iter().zip(&is_searched).filter(|(_, searched)| **searched);
        let alone = run(&table(lines.map(|((_, line), _)| line.as_str())), method, None);
        assert_eq!(of_the_search(&held_out.document), of_the_search(&alone.document), "{method}");
        assert_eq!(held_out.mining.findings(), alone.mining.findings(), "{method}");
        // The evidence is that of a file of the other rows alone: its counts are theirs.
        let count = |outcome: bool| {
            let others =
                rows.iter().zip(&is_searched).filter(|((of_row, _), seen)| !**seen && *of_row == outcome);
            others.count() as u64
        };
        assert!(held_out.document.causes.len() > 1, "{method}");
        for cause in &held_out.document.causes {
            let counts = &cause.evidence.as_ref().unwrap().counts;
            let sides = [&counts.with, &counts.without];
            assert_eq!(sides.iter().map(|side| side.positive).sum::<u64>(), count(true));
            assert_eq!(sides.iter().map(|side| side.negative).sum::<u64>(), count(false));
        }
    }
}

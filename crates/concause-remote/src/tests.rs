//! Compares the counts of blocks that answer requests with a local counter of all rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use concause::count::LocalCounter;
use concause::dataset::{Dataset, DatasetBuilder, Target};
use concause::progress::NoProgress;
use concause::random::Random;
use concause::search::{Method, Settings, mine, mine_counted};
use concause::{Error, Miner};

use super::*;

/// Rows of an outcome and of columns that depend on it and on each other. Some columns are rare, and one is the
/// complement of another.
fn rows(random: &mut Random, rows: usize, columns: usize) -> Vec<(bool, Vec<bool>)> {
    let row = |_| {
        let mut cells: Vec<bool> = (0..columns).map(|column| random.below(2 + column % 5) == 0).collect();
        if columns > 5 {
            cells[3] = cells[3] && cells[1];
            cells[5] = !cells[2];
        }
        let outcome = (columns > 1 && cells[0] && cells[1]) != (random.below(4) == 0);
        (outcome, cells)
    };
    (0..rows).map(row).collect()
}

fn data(rows: &[(bool, Vec<bool>)], columns: usize) -> Dataset {
    let target = Target { name: "T".into(), value: None };
    let mut builder = DatasetBuilder::new(target, rows.iter().map(|row| row.0).collect());
    for column in 0..columns {
        let values = rows.iter().map(|row| row.1[column].then_some(0));
        builder.attribute(&format!("V{column}"), vec![format!("V{column}")], values);
    }
    builder.finish()
}

/// The rows in packed blocks of random size. The first block has no rows, and some have rows of one class only.
fn blocks(random: &mut Random, rows: &[(bool, Vec<bool>)], columns: usize) -> Vec<Vec<u8>> {
    let mut left = rows;
    let mut blocks = vec![data(&[], columns).pack()];
    while !left.is_empty() {
        let (block, rest) = left.split_at((1 + random.below(700)).min(left.len()));
        blocks.push(data(block, columns).pack());
        left = rest;
    }
    blocks
}

/// Sends an encoded request to every block and adds the decoded responses.
fn send_to_blocks(blocks: &[Vec<u8>], request: &[u8]) -> Result<Vec<u8>, RemoteError> {
    let response = |block: &Vec<u8>| {
        let request = Request::from_bytes(request).unwrap();
        let response = answer_request(&Dataset::unpack(block).unwrap(), &request).unwrap();
        Response::from_bytes(&response.to_bytes()).unwrap()
    };
    let sum = blocks.iter().map(response).reduce(|one, other| one.merge(other).unwrap());
    Ok(sum.unwrap().to_bytes())
}

/// A counter of the rows of some blocks.
fn remote_counter(local: &LocalCounter, blocks: &[Vec<u8>]) -> RemoteCounter {
    let blocks = blocks.to_vec();
    RemoteCounter::new(local.rows(), Box::new(move |request| send_to_blocks(&blocks, request)))
}

/// A candidate of literals, some of them negated.
fn random_candidate(random: &mut Random, columns: usize, most: usize) -> Candidate {
    Candidate::new((0..random.below(most + 1)).map(|_| random_literal(random, columns)))
}

fn random_literal(random: &mut Random, columns: usize) -> Literal {
    let column = random.below(columns) as u32;
    if random.below(2) == 0 { Literal::plain(column) } else { Literal::negation(column) }
}

/// Limits so small that the test data exceeds them.
fn small_limits(random: &mut Random) -> Limits {
    let mut most = || 1 + random.below(40);
    Limits {
        first_round: most() as u128,
        largest_round: 4 * most() as u128,
        stored: 8 * most(),
        looked_up: most(),
        prefetched: most() as u128,
    }
}

#[test]
fn counts_of_blocks_add_up_to_the_counts_of_all_rows() {
    let mut random = Random::new(1);
    for round in 0..60 {
        let columns = 2 + random.below(9);
        let number = 1 + random.below(2500);
        let rows = rows(&mut random, number, columns);
        let (data, blocks) = (data(&rows, columns), blocks(&mut random, &rows, columns));
        let local = LocalCounter::new(&data);
        let mut remote = remote_counter(&local, &blocks);
        if round % 2 == 0 {
            remote.limits = small_limits(&mut random);
        }
        let pool: Vec<Candidate> =
            (0..random.below(7)).map(|_| random_candidate(&mut random, columns, 2)).collect();
        let start = random.below(pool.len() + 1);
        let family = Family::new(start..pool.len(), random.below(4));
        let candidates: Vec<Candidate> = (0..12).map(|_| random_candidate(&mut random, columns, 2)).collect();
        let without: Vec<Vec<bool>> =
            candidates.iter().map(|_| pool.iter().map(|_| random.below(5) == 0).collect()).collect();
        let bases: Vec<Base<'_>> = candidates
            .iter()
            .zip(&without)
            .map(|(candidate, without)| Base { candidate, without, from: random.below(pool.len() + 1) })
            .collect();
        let batch = Batch { bases: &bases, pool: &pool, family: &family };
        assert_eq!(remote.tabulate(&batch), local.tabulate(&batch), "{round}");
        assert_eq!(remote.counts(&candidates), local.counts(&candidates), "{round}");
        let right: Vec<Literal> = (0..columns as u32).flat_map(Literal::signs).collect();
        let left: Vec<Literal> = right.iter().copied().step_by(3).collect();
        for base in &candidates[..3] {
            let grid = Grid { base, left: &left, right: &right };
            assert_eq!(remote.grid(grid), local.grid(grid), "{round}");
        }
        let weights = random_weights(&mut random, &local, &candidates[..2]);
        let parts: Vec<(Candidate, usize)> =
            candidates.iter().map(|candidate| (candidate.clone(), random.below(right.len() + 1))).collect();
        let sums = summed(&remote, &weights, &parts, &right);
        assert_eq!(sums, summed(&local, &weights, &parts, &right), "{round}");
        for most in [1, 3, 5] {
            let terms = &candidates[..most];
            for further in [&candidates[most..most], &candidates[most..most + 1], &candidates[4..]] {
                assert_eq!(table(&remote, terms, further), table(&local, terms, further), "{round}");
            }
        }
    }
}

type Counted = (Configurations, BTreeMap<usize, Vec<Count>>);

fn table(counter: &dyn Counter, terms: &[Candidate], further: &[Candidate]) -> Counted {
    let counted: Mutex<BTreeMap<usize, Vec<Count>>> = Mutex::default();
    let found = counter.configurations(terms, further, &|number, _, counts| {
        lock(&counted).insert(number, counts.to_vec());
    });
    let found = found.unwrap();
    (found, into_inner(counted))
}

/// Random weights of the rows. A configuration that does not occur in some blocks has weights too.
fn random_weights(random: &mut Random, counter: &dyn Counter, terms: &[Candidate]) -> RowWeights {
    let configurations = counter.configurations_of(terms).unwrap();
    let mut number = || random.below(1 << 40) as i64 - (1 << 39);
    let mut weight = || Weight { score: number(), information: number() };
    let weights = (0..configurations.len()).map(|_| [weight(), weight()]).collect();
    RowWeights { terms: terms.to_vec(), configurations, weights }
}

type Summed = BTreeMap<usize, Vec<Weight>>;

fn summed(
    counter: &dyn Counter,
    weights: &RowWeights,
    left: &[(Candidate, usize)],
    right: &[Literal],
) -> Summed {
    let found: Mutex<Summed> = Mutex::default();
    let on_sums = |number: usize, sums: &[Weight]| {
        assert!(lock(&found).insert(number, sums.to_vec()).is_none());
    };
    counter.weighted_sums(weights, left, right, &on_sums).unwrap();
    into_inner(found)
}

/// The keys of more than 64 terms have two words.
#[test]
fn sums_given_many_terms_add_up_in_bounded_requests() {
    let mut random = Random::new(5);
    let rows = rows(&mut random, 900, 70);
    let (data, blocks) = (data(&rows, 70), blocks(&mut random, &rows, 70));
    let local = LocalCounter::new(&data);
    let mut remote = remote_counter(&local, &blocks);
    let terms: Vec<Candidate> = (0..70).map(Candidate::single).collect();
    let weights = random_weights(&mut random, &local, &terms);
    let right: Vec<Literal> = (0..70).flat_map(Literal::signs).collect();
    let left: Vec<(Candidate, usize)> =
        (1..).zip(&right).map(|(from, &x)| (Candidate::single(x), from)).collect();
    let expected = summed(&local, &weights, &left, &right);
    assert_eq!(summed(&remote, &weights, &left, &right), expected);
    assert_eq!(remote.rounds(), 1);
    remote.limits.largest_round = 1000;
    assert_eq!(summed(&remote, &weights, &left, &right), expected);
    // 139 + 138 + … + 1 sums; some candidate of each request exceeds the limit.
    let sums: u64 = (1..140).sum();
    let rounds = remote.rounds() - 1;
    assert!((sums.div_ceil(1000)..=sums.div_ceil(860)).contains(&rounds), "{rounds} rounds");
    assert_eq!(summed(&remote, &weights, &[], &right), Summed::new());
    assert_eq!(summed(&remote, &weights, &left[139..], &right), Summed::from([(0, vec![])]));
    assert_eq!(remote.rounds() - 1, rounds, "no request without sums");
}

/// The keys of more than 64 terms have two words.
#[test]
fn configurations_of_many_terms_are_merged() {
    let mut random = Random::new(2);
    let rows = rows(&mut random, 900, 70);
    let (data, blocks) = (data(&rows, 70), blocks(&mut random, &rows, 70));
    let local = LocalCounter::new(&data);
    let remote = remote_counter(&local, &blocks);
    let terms: Vec<Candidate> = (0..70).map(Candidate::single).collect();
    assert_eq!(table(&remote, &terms, &terms[..3]), table(&local, &terms, &terms[..3]));
    assert_eq!(table(&remote, &terms[60..70], &terms[..3]), table(&local, &terms[60..70], &terms[..3]));
    assert_eq!(remote.rounds(), 1, "the table of a subset of the terms follows from the cached table");
}

#[test]
fn every_method_finds_the_same_causes_in_few_rounds() {
    let mut random = Random::new(3);
    for _ in 0..6 {
        let columns = 6 + random.below(6);
        let rows = rows(&mut random, 1500, columns);
        let (data, blocks) = (data(&rows, columns), blocks(&mut random, &rows, columns));
        let local = LocalCounter::new(&data);
        for &method in Method::ALL.iter().filter(|method| method.descriptor().counts_remotely) {
            let miner = Miner::from(Settings { method, ..Settings::default() });
            let remote = Arc::new(remote_counter(&local, &blocks));
            let there = miner.search_counted(remote.clone(), &data, &NoProgress).unwrap();
            let here = miner.search(&data, &NoProgress).unwrap();
            assert_eq!(there.findings(), here.findings(), "{method}");
            let rounds = remote.rounds();
            assert_eq!(there.rejections(100), here.rejections(100), "{method}");
            // The joint posterior needs a round for each model.
            let most = if method == Method::JOINT { 120 } else { 20 };
            assert!(rounds <= most, "{method}: {rounds} rounds");
            assert!(remote.rounds() - rounds <= 2, "{method}: {} rounds with reasons", remote.rounds());
            let pairs: Vec<Candidate> =
                (1..columns as u32).map(|column| Candidate::new(vec![0, column])).collect();
            assert_eq!(there.explain_all(&pairs), here.explain_all(&pairs), "{method}");
        }
    }
}

#[test]
fn every_method_finds_the_same_causes_in_many_small_rounds() {
    let mut random = Random::new(4);
    let rows = rows(&mut random, 2000, 14);
    let (data, blocks) = (data(&rows, 14), blocks(&mut random, &rows, 14));
    let local = LocalCounter::new(&data);
    for &method in Method::ALL.iter().filter(|method| method.descriptor().counts_remotely) {
        let settings = Settings { method, ..Settings::default() };
        let mut remote = remote_counter(&local, &blocks);
        remote.limits = small_limits(&mut random);
        let found = mine_counted(Arc::new(remote), &data, &settings, &NoProgress).unwrap();
        assert_eq!(found, mine(&data, &settings, &NoProgress).unwrap(), "{method}");
    }
}

#[test]
fn a_failed_request_ends_the_search_with_an_error() {
    let answers = [
        Err(RemoteError("the cluster is gone".into())),
        Ok(vec![9]),
        Ok(Response::Counts(Vec::new()).to_bytes()),
    ];
    for (answer, expected) in answers.into_iter().zip(["the cluster is gone", "a response", "a response"]) {
        let rows = Count { positive: 10, negative: 20 };
        let remote = RemoteCounter::new(rows, Box::new(move |_| answer.clone()));
        let settings = Settings::default();
        let error = mine_counted(Arc::new(remote), &data(&[], 3), &settings, &NoProgress).unwrap_err();
        assert!(matches!(&error, Error::Remote { reason } if reason.contains(expected)), "{error:?}");
    }
}

#[test]
fn requests_round_trip_and_invalid_ones_are_rejected() {
    let pair = Candidate::new(vec![1, 300]);
    let base = OwnedBase { candidate: pair.clone(), without: vec![1], from: 1 };
    let sets = SetsRequest {
        bases: vec![base, OwnedBase { candidate: Candidate::default(), without: Vec::new(), from: 0 }],
        pool: vec![Candidate::single(2), pair.clone()],
        tested_from: 1,
        max_size: 2,
        newest: 0..2,
        empty_set: true,
    };
    let grids = vec![OwnedGrid {
        base: pair.clone(),
        left: Literal::plain_all(&[0]),
        right: Literal::plain_all(&[1, 2]),
    }];
    let terms = vec![pair.clone(), Candidate::default()];
    let weight = |score, information| Weight { score, information };
    let sums = WeightedSumsRequest {
        terms: terms.clone(),
        keys: vec![0, 2, 3],
        weights: vec![
            [weight(1, -2), weight(-300, 4)],
            [weight(i64::MAX, 0), weight(i64::MIN, 5)],
            [weight(0, 0); 2],
        ],
        left: vec![(pair.clone(), 2), (Candidate::default(), 0)],
        right: Literal::plain_all(&[1, 300]),
    };
    for request in [
        Request::Sets(sets),
        Request::Grids(grids),
        Request::Configurations { further: terms.clone(), terms },
        Request::WeightedSums(sums),
    ] {
        let bytes = request.to_bytes();
        assert_eq!(Request::from_bytes(&bytes).unwrap(), request);
        for end in 0..bytes.len() {
            assert!(Request::from_bytes(&bytes[..end]).is_err());
        }
        // The data has no column 300.
        assert!(answer_request(&data(&[], 3), &request).is_err());
    }
}

#[test]
fn invalid_requests_and_responses_of_sums_are_rejected() {
    let weight = Weight { score: 1 << 40, information: 7 };
    let request = WeightedSumsRequest {
        terms: vec![Candidate::single(0)],
        keys: vec![0, 1],
        weights: vec![[weight; 2]; 2],
        left: vec![(Candidate::single(Literal::negation(1)), 1)],
        right: vec![Literal::plain(2), Literal::negation(2)],
    };
    let with = |change: fn(&mut WeightedSumsRequest)| {
        let mut request = request.clone();
        change(&mut request);
        Request::WeightedSums(request)
    };
    let rows = data(&[(true, vec![true, false, false]), (false, vec![false; 3])], 3);
    let found = answer_request(&rows, &with(|_| ())).unwrap();
    assert_eq!(found, Response::WeightedSums(vec![weight + weight]));
    let inconsistent: [fn(&mut WeightedSumsRequest); 4] = [
        |request| request.keys = vec![1, 0],
        |request| request.keys = vec![1, 1],
        |request| request.keys.push(2),
        |request| request.left[0].1 = 3,
    ];
    for change in inconsistent {
        assert!(answer_request(&rows, &with(change)).is_err());
        assert!(Request::from_bytes(&with(change).to_bytes()).is_err());
    }
    let unfit: [fn(&mut WeightedSumsRequest); 4] = [
        |request| request.terms = vec![Candidate::single(3)],
        |request| request.left[0].0 = Candidate::single(3),
        |request| request.right[0] = Literal::plain(3),
        |request| request.weights[0][0].score = i64::MIN,
    ];
    for change in unfit {
        assert!(answer_request(&rows, &with(change)).is_err());
    }

    let sums = Response::WeightedSums(vec![weight, Weight::default()]);
    assert_eq!(Response::from_bytes(&sums.to_bytes()).unwrap(), sums);
    for other in [
        Response::WeightedSums(vec![weight]),
        Response::Counts(vec![Count::default(); 2]),
        Response::WeightedSums(vec![Weight { score: i64::MAX, information: 0 }; 2]),
        Response::WeightedSums(vec![Weight { score: 0, information: i64::MAX }; 2]),
    ] {
        assert!(sums.clone().merge(other).is_err());
    }
    let configurations = LocalCounter::new(&rows).configurations_of(&request.terms).unwrap();
    let weights =
        RowWeights { terms: request.terms.clone(), configurations, weights: request.weights.clone() };
    // Two rows cannot have a sum of three weights.
    for sums in [vec![], vec![weight; 2], vec![weight + weight + weight]] {
        let response = Response::WeightedSums(sums).to_bytes();
        let rows = Count { positive: 1, negative: 1 };
        let remote = RemoteCounter::new(rows, Box::new(move |_| Ok(response.clone())));
        let found = remote.weighted_sums(&weights, &request.left, &request.right, &|_, _| ());
        assert!(matches!(found, Err(Error::Remote { .. })), "{found:?}");
    }
}

/// A valid request and response of each kind.
fn messages(random: &mut Random, rows: &Dataset) -> (Vec<Request>, Vec<Response>) {
    let columns = rows.columns().len();
    let mut candidates = |number: usize| -> Vec<Candidate> {
        (0..number).map(|_| random_candidate(random, columns, 2)).collect()
    };
    let (terms, further, pool) = (candidates(3), candidates(2), candidates(4));
    let base =
        |candidate: &Candidate| OwnedBase { candidate: candidate.clone(), without: vec![0, 2], from: 1 };
    let right: Vec<Literal> = (0..columns as u32).flat_map(Literal::signs).collect();
    let weights = random_weights(random, &LocalCounter::new(rows), &terms);
    let left = [(further[0].clone(), 1), (further[1].clone(), 0)];
    let requests = vec![
        Request::Sets(SetsRequest {
            bases: further.iter().map(base).collect(),
            pool,
            tested_from: 1,
            max_size: 2,
            newest: 0..4,
            empty_set: true,
        }),
        Request::Grids(vec![OwnedGrid {
            base: terms[0].clone(),
            left: right[..3].to_vec(),
            right: right.clone(),
        }]),
        Request::WeightedSums(WeightedSumsRequest::new(&weights, &left, &right)),
        Request::Configurations { terms, further },
    ];
    let responses = requests.iter().map(|request| answer_request(rows, request).unwrap()).collect();
    (requests, responses)
}

/// Replaces, inserts or removes some bytes; extreme bytes are as likely as all others together.
fn damage(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let place = random.below(bytes.len() + 1);
        let byte = [0, 1, 0x7f, 0x80, 0xff][random.below(5)];
        let byte = if random.below(2) == 0 { byte } else { random.below(256) as u8 };
        match random.below(5) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, byte),
            2 => drop(bytes.splice(place..place, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
            _ if place < bytes.len() => bytes[place] = byte,
            _ => {}
        }
    }
    bytes
}

/// A panic or an allocation without bound ends the test.
#[test]
fn damaged_remote_bytes_are_rejected_or_answered_without_a_panic() {
    let mut random = Random::new(6);
    let cells = rows(&mut random, 300, 6);
    let block = data(&cells, 6);
    let mut decoded = [0; 2];
    for _ in 0..300 {
        let (requests, responses) = messages(&mut random, &block);
        for (request, response) in requests.iter().zip(&responses) {
            for _ in 0..20 {
                let bytes = damage(&mut random, &request.to_bytes());
                let Ok(request) = Request::from_bytes(&bytes) else { continue };
                decoded[0] += 1;
                // A valid request for very many counts takes its time.
                if request.responses(10_000).is_some() {
                    let _ = answer_request(&block, &request);
                }
            }
            for _ in 0..20 {
                let bytes = damage(&mut random, &response.to_bytes());
                let Ok(damaged) = Response::from_bytes(&bytes) else { continue };
                decoded[1] += 1;
                let _ = damaged.clone().merge(damaged.clone());
                let _ = damaged.clone().merge(response.clone());
                let local = LocalCounter::new(&block);
                let remote = RemoteCounter::new(local.rows(), Box::new(move |_| Ok(bytes.clone())));
                if let Request::Configurations { terms, further } = request {
                    let _ = remote.configurations(terms, further, &|_, _, _| ());
                }
            }
        }
        let random_bytes: Vec<u8> = (0..random.below(40)).map(|_| random.below(256) as u8).collect();
        let _ = (Request::from_bytes(&random_bytes), Response::from_bytes(&random_bytes));
        let _ = Dataset::unpack(&damage(&mut random, &block.pack()));
    }
    assert!(decoded.iter().all(|&decoded| decoded > 1000), "most changes must remain decodable: {decoded:?}");
}

#[test]
fn small_messages_with_large_numbers_are_rejected_at_once() {
    let encoded = |numbers: &[u64]| {
        let mut encoder = crate::codec::Encoder::default();
        numbers.iter().for_each(|&number| encoder.number(number));
        encoder.into_bytes()
    };
    let huge = 1 << 36;
    // A response with many counts of zero; two with counts whose sum overflows.
    assert!(Response::from_bytes(&encoded(&[0, huge, 0, 0, huge])).is_err());
    assert!(Response::from_bytes(&encoded(&[0, 1, u64::MAX, 1])).is_err());
    let largest = u64::MAX / 4;
    assert!(Response::from_bytes(&encoded(&[1, 1, 2, largest, 0, largest, 0, 0, 1, 0])).is_err());
    let counts = Response::Counts(vec![Count { positive: largest, negative: 0 }]);
    assert!(counts.clone().merge(counts).is_err());
    // Sets of up to 2^36 of 40 members; positions beyond the pool.
    let pool: Vec<u64> = [40].into_iter().chain([0; 40]).collect();
    let sets = |base: &[u64], rest: &[u64]| encoded(&[&[0, 1, 0], base, &pool, rest].concat());
    let request = Request::from_bytes(&sets(&[0, 0], &[0, huge, 0, 40, 1])).unwrap();
    assert!(answer_request(&data(&[], 3), &request).is_err());
    assert!(Request::from_bytes(&sets(&[1, 40, 0], &[0, 1, 0, 1, 1])).is_err());
    assert!(Request::from_bytes(&sets(&[2, 3, 3, 0], &[0, 1, 0, 1, 1])).is_err());
}

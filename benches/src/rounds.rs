//! The rounds of the elimination: contingency tables of many candidates given all sets of up to three causes.

use std::hint::black_box;
use std::ops::ControlFlow;

use concause::count::{Base, Batch, Cells, Count, Counter, Family, LocalCounter, Stratum, Table};
use concause::dataset::{Block, Candidate, Dataset};
use concause::independence::Test;
use concause::simulate::Random;
use concause_bench::census::Census;
use concause_bench::page::{self, digits, duration, percent, thousands, times};
use concause_bench::race::Race;
use concause_bench::{data, machine};

use crate::part::{Report, Scope, threads, threads_label};

/// Members of the conditioning sets, and the most in a set.
const POOL: usize = 60;
const MAX_K: usize = 3;

/// Tables that are made in the obvious way.
const SAMPLE: usize = 60;

/// Measures the counting of conditioning sets.
pub fn run(scope: &Scope) -> Result<Report, String> {
    let mut text = String::new();
    let rows = scope.choose(300_000, 50_000);
    text += &measure("simulated nominal data", &data::nominal(33, rows, 1), scope)?;
    text += "\n";
    match Census::find() {
        Ok(census) => text += &measure("Census", &census.read()?, scope)?,
        Err(sentence) => text += &format!("{sentence}.\n"),
    }
    Ok(Report { text, figures: Vec::new() })
}

fn measure(name: &str, dataset: &Dataset, scope: &Scope) -> Result<String, String> {
    let round = Round::new(dataset, scope.choose(64, 16));
    let sample = round.sample();
    round.check(&sample);
    let rounds = scope.choose(15, 3);
    let most = machine::threads();
    let pools =
        (1..=most).map(|number| Ok((number, threads(number)?))).collect::<Result<Vec<_>, String>>()?;
    let mut race = Race::new();
    race.enter("key histogram of every table, 1 thread", || {
        for &(base, set) in &sample {
            black_box(round.histogram(base, set));
        }
    });
    for (number, pool) in &pools {
        let label = threads_label(*number);
        race.enter(format!("counts only, {label}"), || pool.install(|| round.counts()));
        race.enter(format!("counts and tables, {label}"), || pool.install(|| round.tables()));
    }
    let found = race.run(rounds);
    let tables = round.bases.len() * round.family.len();
    let mut text = format!(
        "{name}, {} rows: {} candidates given each of the {} sets of up to {MAX_K} of the {POOL} columns most \
         associated with the outcome; minimum of {rounds} rounds in turn. The histogram was taken of {SAMPLE} \
         tables drawn at random and scaled; ours gave the same tables.\n\n",
        thousands(dataset.rows()),
        round.bases.len(),
        thousands(round.family.len() as u64),
    );
    let mut table = page::Table::new(["", "a table", "spread", "tables/s", "× key histogram"]);
    let obvious = found[0].minimum() / SAMPLE as f64;
    for (place, times_of) in found.iter().enumerate() {
        let each = times_of.minimum() / if place == 0 { SAMPLE } else { tables } as f64;
        table.row([
            times_of.name.clone(),
            duration(each),
            percent(times_of.spread()),
            digits(1.0 / each),
            times(obvious / each),
        ]);
    }
    text += &table.markdown();
    Ok(text)
}

/// What is counted: every base given every set of the family.
struct Round<'a> {
    dataset: &'a Dataset,
    counter: LocalCounter<'a>,
    pool: Vec<Candidate>,
    bases: Vec<Candidate>,
    family: Family,
    /// One byte a row, of every column and of the outcome: what the obvious way reads.
    bytes: Vec<Vec<u8>>,
    outcome: Vec<u8>,
}

impl<'a> Round<'a> {
    fn new(dataset: &'a Dataset, bases: usize) -> Self {
        let counter = LocalCounter::new(dataset);
        let singles: Vec<Candidate> = (0..dataset.columns().len() as u32).map(Candidate::single).collect();
        let counts = counter.counts(&singles);
        let strength = |count: &Count| {
            let outcome = Test::G2.assess(&[Stratum::marginal(*count, counter.rows())]);
            outcome.tested().map_or(0.0, |tested| tested.statistic)
        };
        let mut by_strength: Vec<(f64, Candidate)> = counts.iter().map(strength).zip(singles).collect();
        by_strength.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut pool: Vec<Candidate> = by_strength.into_iter().map(|(_, candidate)| candidate).collect();
        let others = pool.split_off(POOL.min(pool.len()));
        let step = (others.len() / bases).max(1);
        let bytes = (0..dataset.columns().len()).map(|column| unpacked(dataset, column)).collect();
        let (cases, controls) = (dataset.positive() as usize, dataset.negative() as usize);
        Round {
            dataset,
            counter,
            family: Family::new(0..pool.len(), MAX_K),
            pool,
            bases: others.into_iter().step_by(step).take(bases).collect(),
            bytes,
            outcome: [vec![1; cases], vec![0; controls]].concat(),
        }
    }

    fn batch<'b>(&'b self, bases: &'b [Base<'b>]) -> Batch<'b> {
        Batch { bases, pool: &self.pool, family: &self.family }
    }

    /// The counts from which all tables follow.
    fn counts(&self) {
        let bases: Vec<Base<'_>> = self.bases.iter().map(Base::from).collect();
        self.counter.count(&self.batch(&bases), &|_, from, counts| {
            black_box(&counts[from..]);
            ControlFlow::Continue(())
        });
    }

    /// The counts of the sets by themselves, which all candidates share.
    fn cells(&self) -> Cells {
        let everywhere = Candidate::default();
        let bases = [Base::from(&everywhere)];
        let all = self.counter.tabulate(&self.batch(&bases));
        Cells::new(&self.family, &[&all[0]])
    }

    /// The tables themselves, as the search fills them.
    fn tables(&self) {
        let cells = self.cells();
        let bases: Vec<Base<'_>> = self.bases.iter().map(Base::from).collect();
        self.counter.count(&self.batch(&bases), &|_, from, counts| {
            let mut table = Table::default();
            for set in from..counts.len() {
                table.fill(&self.family, set, &[counts], &cells);
                black_box(&table);
            }
            ControlFlow::Continue(())
        });
    }

    /// Some candidates and sets.
    fn sample(&self) -> Vec<(usize, usize)> {
        let mut random = Random::new(3);
        (0..SAMPLE).map(|_| (random.below(self.bases.len()), random.below(self.family.len()))).collect()
    }

    /// The table of a candidate given a set in the obvious way: a key for every row (the outcome in its lowest bit,
    /// the candidate in the next, the members of the set above), and a histogram of the keys. Four histograms in
    /// turn, so that equal keys in a row do not wait for one another.
    fn histogram(&self, base: usize, set: usize) -> Vec<u64> {
        let of = |candidate: &Candidate| self.bytes[candidate.columns()[0] as usize].as_slice();
        let members = self.family.members(set).iter().map(|&member| of(&self.pool[member as usize]));
        let mut keys = self.outcome.clone();
        for (place, bytes) in (1..).zip([of(&self.bases[base])].into_iter().chain(members)) {
            keys.iter_mut().zip(bytes).for_each(|(key, bit)| *key |= bit << place);
        }
        let mut counts = [[0u32; 256]; 4];
        let (fours, rest) = keys.as_chunks::<4>();
        for four in fours {
            four.iter().zip(&mut counts).for_each(|(&key, counts)| counts[usize::from(key)] += 1);
        }
        rest.iter().for_each(|&key| counts[0][usize::from(key)] += 1);
        let cells = 4 << self.family.members(set).len();
        (0..cells).map(|key| counts.iter().map(|counts| u64::from(counts[key])).sum()).collect()
    }

    /// Both ways must give the same tables.
    fn check(&self, sample: &[(usize, usize)]) {
        let cells = self.cells();
        let bases: Vec<Base<'_>> = self.bases.iter().map(Base::from).collect();
        let counts = self.counter.tabulate(&self.batch(&bases));
        for &(base, set) in sample {
            let mut table = Table::default();
            table.fill(&self.family, set, &[&counts[base]], &cells);
            let plain = self.histogram(base, set);
            let stratum = |cells: &[u64]| Stratum::from([cells[3], cells[2], cells[1], cells[0]]);
            let plain: Vec<Stratum> = plain.chunks(4).map(stratum).collect();
            assert_eq!(table.strata, plain, "the table of {base} given {set}");
            assert_eq!(table.rows(), self.dataset.rows());
        }
    }
}

/// A column as one byte a row, the cases first.
fn unpacked(dataset: &Dataset, column: usize) -> Vec<u8> {
    let (cases, controls) = dataset.bits(column).split_at(dataset.layout().positive_blocks());
    let bytes = |blocks: &[Block], rows: u64| -> Vec<u8> {
        let words = Block::words(blocks);
        (0..rows as usize).map(|row| (words[row / 64] >> (row % 64) & 1) as u8).collect()
    };
    [bytes(cases, dataset.positive()), bytes(controls, dataset.negative())].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_histogram() {
        let dataset = data::nominal(6, 2_000, 4);
        let round = Round::new(&dataset, 5);
        round.check(&round.sample());
    }
}

//! The rounds of the elimination: contingency tables of many candidates given all sets of up to three causes.

use std::hint::black_box;
use std::ops::ControlFlow;

use concause::count::{
    Base, Batch, ContingencyTable, Count, Counter, Family, LocalCounter, SetCells, Stratum,
};
use concause::dataset::{Block, Candidate, Dataset};
use concause::random::Random;
use concause::stats::Test;
use concause_bench::error::ToolError;
use concause_bench::numbers::{duration, ratio, thousands, three_digits, whole_percent};
use concause_bench::text_table::TextTable;
use concause_bench::timing::InterleavedTiming;
use concause_bench::{machine, synthetic};

use crate::scope::{BenchmarkResult, Scope, missing_census_note, read_census, start_threads, threads_label};

/// The number of columns in the conditioning sets, and the size of the largest set.
const POOL: usize = 60;
const MAX_K: usize = 3;

/// The number of tables that are made by the key histogram.
const SAMPLE: usize = 60;

/// Measures the counting of conditioning sets.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let mut text = String::new();
    let rows = scope.choose(300_000, 50_000);
    text += &measure("Simulated nominal data", &synthetic::nominal(33, rows, 1), scope)?;
    text += "\n";
    match read_census()? {
        Ok(census) => text += &measure("Census", &census, scope)?,
        Err(missing) => text += &missing_census_note(&missing),
    }
    Ok(BenchmarkResult::without_figures(text))
}

fn measure(name: &str, dataset: &Dataset, scope: &Scope) -> Result<String, ToolError> {
    let round = Round::new(dataset, scope.choose(64, 16))?;
    let sample = round.draw_pairs();
    round.compare(&sample)?;
    let rounds = scope.choose(15, 3);
    let most = machine::thread_count();
    let pools = (1..=most)
        .map(|number| Ok((number, start_threads(number)?)))
        .collect::<Result<Vec<_>, ToolError>>()?;
    let mut timing = InterleavedTiming::new();
    timing.add_task("key histogram of every table, 1 thread", || {
        for &(base, set) in &sample {
            black_box(round.key_histogram(base, set));
        }
        Ok(())
    });
    for (number, pool) in &pools {
        let label = threads_label(*number);
        timing.add_task(format!("counts only, {label}"), || pool.install(|| round.count()));
        timing.add_task(format!("counts and tables, {label}"), || pool.install(|| round.fill_tables()));
    }
    let found = timing.run_rounds(rounds)?;
    let tables = round.bases.len() * round.family.len();
    let mut text = format!(
        "{name}, {} rows: {} candidates given each of the {} sets of up to {MAX_K} of the {POOL} columns most \
         associated with the outcome; minimum of {rounds} interleaved rounds. The key histogram was timed on {SAMPLE} \
         random tables and scaled. Both methods gave the same tables.\n\n",
        thousands(dataset.rows()),
        round.bases.len(),
        thousands(round.family.len() as u64),
    );
    let mut table = TextTable::new(["", "time per table", "spread", "tables/s", "× key histogram"]);
    let histogram = found[0].minimum() / SAMPLE as f64;
    for (place, times) in found.iter().enumerate() {
        let each = times.minimum() / if place == 0 { SAMPLE } else { tables } as f64;
        table.add_row([
            times.name.clone(),
            duration(each),
            whole_percent(times.spread()),
            three_digits(1.0 / each),
            ratio(histogram / each),
        ]);
    }
    text += &table.to_markdown();
    Ok(text)
}

/// The candidates and conditioning sets: every base is counted given every set of the family.
struct Round<'a> {
    dataset: &'a Dataset,
    counter: LocalCounter,
    pool: Vec<Candidate>,
    bases: Vec<Candidate>,
    family: Family,
    /// Every column and the outcome with one byte per row, for the key histogram.
    bytes: Vec<Vec<u8>>,
    outcome: Vec<u8>,
}

impl<'a> Round<'a> {
    fn new(dataset: &'a Dataset, bases: usize) -> Result<Self, ToolError> {
        let counter = LocalCounter::new(dataset);
        let singles: Vec<Candidate> = (0..dataset.columns().len() as u32).map(Candidate::single).collect();
        let counts = counter.counts(&singles)?;
        let strength = |count: &Count| {
            let outcome = Test::G2.assess(&[Stratum::marginal(*count, counter.rows())], 0.05);
            outcome.tested().map_or(0.0, |tested| tested.statistic)
        };
        let mut by_strength: Vec<(f64, Candidate)> = counts.iter().map(strength).zip(singles).collect();
        by_strength.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut pool: Vec<Candidate> = by_strength.into_iter().map(|(_, candidate)| candidate).collect();
        let others = pool.split_off(POOL.min(pool.len()));
        let step = (others.len() / bases).max(1);
        let bytes = (0..dataset.columns().len()).map(|column| unpack_column(dataset, column)).collect();
        let (cases, controls) = (dataset.positive() as usize, dataset.negative() as usize);
        Ok(Round {
            dataset,
            counter,
            family: Family::new(0..pool.len(), MAX_K),
            pool,
            bases: others.into_iter().step_by(step).take(bases).collect(),
            bytes,
            outcome: [vec![1; cases], vec![0; controls]].concat(),
        })
    }

    fn batch<'b>(&'b self, bases: &'b [Base<'b>]) -> Batch<'b> {
        Batch { bases, pool: &self.pool, family: &self.family }
    }

    /// Computes the counts that determine all tables.
    fn count(&self) -> Result<(), ToolError> {
        let bases: Vec<Base<'_>> = self.bases.iter().map(Base::from).collect();
        self.counter.count(&self.batch(&bases), &|_, from, counts| {
            black_box(&counts[from..]);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    /// The counts of the sets alone, which all candidates share.
    fn cells(&self) -> Result<SetCells, ToolError> {
        let all_rows = Candidate::default();
        let bases = [Base::from(&all_rows)];
        let all = self.counter.tabulate(&self.batch(&bases))?;
        Ok(SetCells::new(&self.family, &[&all[0]]))
    }

    /// Computes the counts and fills the tables, as the search does.
    fn fill_tables(&self) -> Result<(), ToolError> {
        let cells = self.cells()?;
        let bases: Vec<Base<'_>> = self.bases.iter().map(Base::from).collect();
        self.counter.count(&self.batch(&bases), &|_, from, counts| {
            let mut table = ContingencyTable::default();
            for set in from..counts.len() {
                table.fill(&self.family, set, &[counts], &cells);
                black_box(&table);
            }
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    /// Draws pairs of a candidate and a set.
    fn draw_pairs(&self) -> Vec<(usize, usize)> {
        let mut random = Random::new(3);
        (0..SAMPLE).map(|_| (random.below(self.bases.len()), random.below(self.family.len()))).collect()
    }

    /// The table of a candidate given a set, from a histogram of keys. The key of a row has the outcome in its lowest
    /// bit, the candidate in the next, and the members of the set in the higher bits. Four histograms alternate, so
    /// that increments for successive equal keys do not depend on each other.
    fn key_histogram(&self, base: usize, set: usize) -> Vec<u64> {
        let bytes_of = |candidate: &Candidate| self.bytes[candidate.columns()[0] as usize].as_slice();
        let members = self.family.members(set).iter().map(|&member| bytes_of(&self.pool[member as usize]));
        let mut keys = self.outcome.clone();
        for (place, bytes) in (1..).zip([bytes_of(&self.bases[base])].into_iter().chain(members)) {
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

    /// Checks that both methods give the same tables.
    fn compare(&self, sample: &[(usize, usize)]) -> Result<(), ToolError> {
        let cells = self.cells()?;
        let bases: Vec<Base<'_>> = self.bases.iter().map(Base::from).collect();
        let counts = self.counter.tabulate(&self.batch(&bases))?;
        for &(base, set) in sample {
            let mut table = ContingencyTable::default();
            table.fill(&self.family, set, &[&counts[base]], &cells);
            let plain = self.key_histogram(base, set);
            let stratum = |cells: &[u64]| Stratum::from([cells[3], cells[2], cells[1], cells[0]]);
            let plain: Vec<Stratum> = plain.chunks(4).map(stratum).collect();
            assert_eq!(table.strata, plain, "the table of {base} given {set}");
            assert_eq!(table.rows(), self.dataset.rows());
        }
        Ok(())
    }
}

/// A column with one byte per row, cases first.
fn unpack_column(dataset: &Dataset, column: usize) -> Vec<u8> {
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
    fn both_methods_give_the_same_tables() {
        let dataset = synthetic::nominal(6, 2_000, 4);
        let round = Round::new(&dataset, 5).unwrap();
        round.compare(&round.draw_pairs()).unwrap();
    }
}

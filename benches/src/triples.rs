//! All triples of columns: projection onto the rows of the rarest column, compared with the AND of bitmaps.

use std::hint::black_box;
use std::ops::ControlFlow;

use concause::count::kernel::{Kernel, PIECE};
use concause::count::{Base, Batch, Count, Counter, Family, Grid, LocalCounter};
use concause::dataset::{Block, Candidate, Dataset, Literal};
use concause::random::Random;
use concause_bench::error::ToolError;
use concause_bench::numbers::{duration, ratio, thousands, three_digits, whole_percent};
use concause_bench::text_table::TextTable;
use concause_bench::timing::InterleavedTiming;
use concause_bench::{machine, synthetic};

use crate::scope::{BenchmarkResult, Scope, missing_census_note, read_census, start_threads, threads_label};

/// The number of pairs that are counted with all third columns at a time, as many as the kernels process together.
const GROUP: usize = 4;

/// Measures the counting of triples.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let mut text = String::new();
    if scope.quick {
        text += &measure("Simulated nominal data", &synthetic::nominal(12, 50_000, 1), scope)?;
        return Ok(BenchmarkResult::without_figures(text));
    }
    match read_census()? {
        Ok(census) => text += &measure("Census", &census, scope)?,
        Err(missing) => {
            text += &missing_census_note(&missing);
            text += "\n";
            text += &measure("Simulated nominal data", &synthetic::nominal(33, 300_000, 1), scope)?;
        }
    }
    Ok(BenchmarkResult::without_figures(text))
}

fn measure(name: &str, dataset: &Dataset, scope: &Scope) -> Result<String, ToolError> {
    let triples = Triples::new(dataset)?;
    let sample = triples.draw_pairs(scope.choose(60, 20));
    triples.compare(&sample)?;
    let sampled: u64 = sample.iter().map(|pairs| triples.count_triples(pairs)).sum();
    let most = machine::thread_count();
    let (one, all) = (start_threads(1)?, start_threads(most)?);
    let rounds = scope.choose(9, 3);
    let mut timing = InterleavedTiming::new();
    timing.add_task("bitmap AND, 1 thread", || {
        let mut counts = Vec::new();
        for pairs in &sample {
            triples.count_by_and(pairs, &mut counts);
            black_box(&counts);
        }
        Ok(())
    });
    timing.add_task("projected, as a batch, 1 thread", || one.install(|| triples.count_projected()));
    timing.add_task(format!("projected, as a batch, {}", threads_label(most)), || {
        all.install(|| triples.count_projected())
    });
    timing.add_task("projected, as grids, 1 thread", || one.install(|| triples.count_grids()));
    timing.add_task(format!("projected, as grids, {}", threads_label(most)), || {
        all.install(|| triples.count_grids())
    });
    let found = timing.run_rounds(rounds)?;
    let total = triples.total();
    let scale = total as f64 / sampled as f64;
    let mut text = format!(
        "{name}, {} rows, {} columns: all {} triples; minimum of {rounds} interleaved rounds. The bitmap AND (of a \
         pair with every third column, {GROUP} pairs at a time, by the same kernel) was timed on {} random triples \
         and scaled. Both methods gave the same counts.\n\n",
        thousands(dataset.rows()),
        triples.order.len(),
        thousands(total),
        thousands(sampled),
    );
    let mut table = TextTable::new(["", "all triples", "spread", "10⁶ triples/s", "× bitmap AND"]);
    let anding = found[0].minimum() * scale;
    for (place, times) in found.iter().enumerate() {
        let seconds = if place == 0 { anding } else { times.minimum() };
        table.add_row([
            times.name.clone(),
            duration(seconds),
            whole_percent(times.spread()),
            three_digits(total as f64 / seconds / 1e6),
            ratio(anding / seconds),
        ]);
    }
    text += &table.to_markdown();
    text += "\nGoal on Census: projection at least 15 times as fast as the bitmap AND, both on one thread, and \
             under 5 s.\n";
    Ok(text)
}

/// The columns of the data, the rarest first, and the methods of counting their triples.
struct Triples<'a> {
    dataset: &'a Dataset,
    kernel: Kernel,
    counter: LocalCounter,
    /// The columns, the rarest first.
    order: Vec<Literal>,
    pool: Vec<Candidate>,
    family: Family,
}

/// Pairs of columns with the same first column, as indices into the order.
struct Pairs {
    first: usize,
    second: std::ops::Range<usize>,
}

impl<'a> Triples<'a> {
    fn new(dataset: &'a Dataset) -> Result<Self, ToolError> {
        let counter = LocalCounter::new(dataset);
        let singles: Vec<Candidate> = (0..dataset.columns().len() as u32).map(Candidate::single).collect();
        let mut counted: Vec<(u64, u32)> =
            counter.counts(&singles)?.iter().map(Count::total).zip(0..).collect();
        counted.sort_unstable();
        let order: Vec<Literal> = counted.into_iter().map(|(_, column)| Literal::plain(column)).collect();
        let pool: Vec<Candidate> = order.iter().copied().map(Candidate::single).collect();
        let family = Family::new(0..pool.len(), 2);
        Ok(Triples { dataset, kernel: Kernel::fastest(), counter, order, pool, family })
    }

    fn total(&self) -> u64 {
        let n = self.order.len() as u64;
        n * (n - 1) * (n - 2) / 6
    }

    /// Counts all pairs of more frequent columns within the rows of each column.
    fn count_projected(&self) -> Result<(), ToolError> {
        self.count_within(0..self.order.len(), &|_, from, counts| {
            black_box(&counts[from..]);
        })
    }

    /// Counts all pairs of more frequent columns within the rows of some columns.
    fn count_within(
        &self,
        firsts: std::ops::Range<usize>,
        receive: &(dyn Fn(usize, usize, &[Count]) + Sync),
    ) -> Result<(), ToolError> {
        let masks: Vec<Vec<bool>> = firsts.clone().map(|first| vec![true; first + 1]).collect();
        let bases: Vec<Base<'_>> = firsts
            .zip(&masks)
            .map(|(first, without)| Base { candidate: &self.pool[first], without, from: 0 })
            .collect();
        let batch = Batch { bases: &bases, pool: &self.pool, family: &self.family };
        self.counter.count(&batch, &|base, from, counts| {
            receive(base, from, counts);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    /// The same with grids, as the search does at level 3: every pair of more frequent columns is counted twice.
    fn count_grids(&self) -> Result<(), ToolError> {
        let grids: Vec<Grid<'_>> = (0..self.order.len())
            .map(|first| {
                let others = &self.order[first + 1..];
                Grid { base: &self.pool[first], left: others, right: others }
            })
            .collect();
        self.counter.grids(&grids, &|_, counts| {
            black_box(counts);
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    /// Draws groups of pairs at random.
    fn draw_pairs(&self, groups: usize) -> Vec<Pairs> {
        let mut random = Random::new(9);
        let last = self.order.len() - 1;
        let mut drawn = Vec::new();
        while drawn.len() < groups {
            let (first, second) = (random.below(last), random.below(last));
            if first < second {
                drawn.push(Pairs { first, second: second..(second + GROUP).min(last) });
            }
        }
        drawn
    }

    /// The number of triples that begin with these pairs.
    fn count_triples(&self, pairs: &Pairs) -> u64 {
        pairs.second.clone().map(|second| (self.order.len() - 1 - second) as u64).sum()
    }

    /// Computes the bitmaps of the pairs, then their counts with every later column.
    fn count_by_and(&self, pairs: &Pairs, counts: &mut Vec<Count>) {
        let bits = |place: usize| self.dataset.bits(self.order[place].column() as usize);
        let both: Vec<Vec<Block>> = pairs
            .second
            .clone()
            .map(|second| {
                let mut both = vec![Block::ZERO; bits(second).len()];
                self.kernel.and(bits(pairs.first), bits(second), &mut both);
                both
            })
            .collect();
        let thirds = pairs.second.start + 1..self.order.len();
        let (split, end) = (self.dataset.layout().positive_blocks(), self.dataset.layout().blocks());
        let classes = [0..split, split..end].map(|class| {
            let mut sums = vec![0; both.len() * thirds.len()];
            for start in class.clone().step_by(PIECE) {
                let piece = start..class.end.min(start + PIECE);
                let left: Vec<&[Block]> = both.iter().map(|bits| &bits[piece.clone()]).collect();
                let right: Vec<&[Block]> = thirds.clone().map(|third| &bits(third)[piece.clone()]).collect();
                self.kernel.grid(&left, &right, &mut sums);
            }
            sums
        });
        let [positive, negative] = classes;
        counts.clear();
        counts.extend(
            positive.into_iter().zip(negative).map(|(positive, negative)| Count { positive, negative }),
        );
    }

    /// Checks that both methods give the same counts.
    fn compare(&self, sample: &[Pairs]) -> Result<(), ToolError> {
        for pairs in sample {
            let (mut anded, first) = (Vec::new(), pairs.first);
            self.count_by_and(pairs, &mut anded);
            let thirds = pairs.second.start + 1..self.order.len();
            self.count_within(first..first + 1, &|_, _, counts| {
                if counts.len() < self.family.len() {
                    return;
                }
                for (row, second) in anded.chunks(thirds.len()).zip(pairs.second.clone()) {
                    for (both, third) in row.iter().zip(thirds.clone()).filter(|(_, third)| *third > second) {
                        // The sets with this newest member: alone first, then with each older member.
                        let set = self.family.with_newest(third).start + 1 + second;
                        assert_eq!(counts[set], *both, "{first}, {second}, {third}");
                    }
                }
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_and_bitmap_and_agree() {
        let dataset = synthetic::nominal(4, 3_000, 4);
        let triples = Triples::new(&dataset).unwrap();
        let sample = triples.draw_pairs(10);
        triples.compare(&sample).unwrap();
        assert_eq!(triples.total(), 60 * 59 * 58 / 6);
    }
}

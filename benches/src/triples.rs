//! All triples of columns: squeezed onto the rows of the rarest one, beside ANDing.

use std::hint::black_box;
use std::ops::ControlFlow;

use concause::count::kernel::{Kernel, PIECE};
use concause::count::{Base, Batch, Count, Counter, Family, Grid, LocalCounter};
use concause::dataset::{Block, Candidate, Dataset};
use concause::simulate::Random;
use concause_bench::census::Census;
use concause_bench::page::{Table, digits, duration, percent, thousands, times};
use concause_bench::race::Race;
use concause_bench::{data, machine};

use crate::part::{Report, Scope, threads, threads_label};

/// Pairs that meet the third columns together: the kernels take four left columns at a time.
const GROUP: usize = 4;

/// Measures the counting of triples.
pub fn run(scope: &Scope) -> Result<Report, String> {
    let mut text = String::new();
    if scope.quick {
        text += &measure("Simulated nominal data", &data::nominal(12, 50_000, 1), scope)?;
        return Ok(Report { text, figures: Vec::new() });
    }
    match Census::find() {
        Ok(census) => text += &measure("Census", &census.read()?, scope)?,
        Err(sentence) => {
            text += &format!("{sentence}.\n\n");
            text += &measure("Simulated nominal data", &data::nominal(33, 300_000, 1), scope)?;
        }
    }
    Ok(Report { text, figures: Vec::new() })
}

fn measure(name: &str, dataset: &Dataset, scope: &Scope) -> Result<String, String> {
    let triples = Triples::new(dataset);
    let sample = triples.sample(scope.choose(60, 20));
    triples.check(&sample);
    let sampled: u64 = sample.iter().map(|pairs| triples.of(pairs)).sum();
    let most = machine::threads();
    let (one, all) = (threads(1)?, threads(most)?);
    let rounds = scope.choose(9, 3);
    let mut race = Race::new();
    race.enter("ANDing, 1 thread", || {
        let mut counts = Vec::new();
        for pairs in &sample {
            triples.and(pairs, &mut counts);
            black_box(&counts);
        }
    });
    race.enter("projected, as a batch, 1 thread", || one.install(|| triples.project()));
    race.enter(format!("projected, as a batch, {}", threads_label(most)), || {
        all.install(|| triples.project());
    });
    race.enter("projected, as grids, 1 thread", || one.install(|| triples.grids()));
    race.enter(format!("projected, as grids, {}", threads_label(most)), || all.install(|| triples.grids()));
    let found = race.run(rounds);
    let total = triples.total();
    let scale = total as f64 / sampled as f64;
    let mut text = format!(
        "{name}, {} rows, {} columns: all {} triples; minimum of {rounds} rounds in turn. ANDing (the bitmap of a \
         pair with every third column, {GROUP} pairs at a time, by the same kernel) was timed on {} triples drawn at \
         random and scaled; both gave the same counts.\n\n",
        thousands(dataset.rows()),
        triples.order.len(),
        thousands(total),
        thousands(sampled),
    );
    let mut table = Table::new(["", "all triples", "spread", "10⁶ triples/s", "× ANDing"]);
    let anding = found[0].minimum() * scale;
    for (place, times_of) in found.iter().enumerate() {
        let seconds = if place == 0 { anding } else { times_of.minimum() };
        table.row([
            times_of.name.clone(),
            duration(seconds),
            percent(times_of.spread()),
            digits(total as f64 / seconds / 1e6),
            times(anding / seconds),
        ]);
    }
    text += &table.markdown();
    text += "\nWanted on Census: projected at least 15× ANDing, both on one thread, and under 5 s in all.\n";
    Ok(text)
}

/// The columns of the data, the rarest first, and the ways to count their triples.
struct Triples<'a> {
    dataset: &'a Dataset,
    kernel: Kernel,
    counter: LocalCounter<'a>,
    /// The columns, the rarest first.
    order: Vec<u32>,
    pool: Vec<Candidate>,
    family: Family,
}

/// Pairs of columns that share the first, by their places in the order.
struct Pairs {
    first: usize,
    second: std::ops::Range<usize>,
}

impl<'a> Triples<'a> {
    fn new(dataset: &'a Dataset) -> Self {
        let counter = LocalCounter::new(dataset);
        let singles: Vec<Candidate> = (0..dataset.columns().len() as u32).map(Candidate::single).collect();
        let mut counted: Vec<(u64, u32)> =
            counter.counts(&singles).iter().map(Count::total).zip(0..).collect();
        counted.sort_unstable();
        let order: Vec<u32> = counted.into_iter().map(|(_, column)| column).collect();
        let pool: Vec<Candidate> = order.iter().copied().map(Candidate::single).collect();
        let family = Family::new(0..pool.len(), 2);
        Triples { dataset, kernel: Kernel::fastest(), counter, order, pool, family }
    }

    fn total(&self) -> u64 {
        let n = self.order.len() as u64;
        n * (n - 1) * (n - 2) / 6
    }

    /// Projected: within the rows of each column, all pairs of commoner ones.
    fn project(&self) {
        self.count_within(0..self.order.len(), &|_, from, counts| {
            black_box(&counts[from..]);
        });
    }

    /// The counts of all pairs of commoner columns within the rows of some columns.
    fn count_within(&self, firsts: std::ops::Range<usize>, answer: &(dyn Fn(usize, usize, &[Count]) + Sync)) {
        let masks: Vec<Vec<bool>> = firsts.clone().map(|first| vec![true; first + 1]).collect();
        let bases: Vec<Base<'_>> = firsts
            .zip(&masks)
            .map(|(first, without)| Base { candidate: &self.pool[first], without, from: 0 })
            .collect();
        let batch = Batch { bases: &bases, pool: &self.pool, family: &self.family };
        self.counter.count(&batch, &|base, from, counts| {
            answer(base, from, counts);
            ControlFlow::Continue(())
        });
    }

    /// Projected, as the search does at level 3: every pair of commoner columns comes twice.
    fn grids(&self) {
        let grids: Vec<Grid<'_>> = (0..self.order.len())
            .map(|first| {
                let others = &self.order[first + 1..];
                Grid { base: &self.pool[first], left: others, right: others }
            })
            .collect();
        self.counter.grids(&grids, &|_, counts| {
            black_box(counts);
            ControlFlow::Continue(())
        });
    }

    /// Groups of pairs, drawn at random from all.
    fn sample(&self, groups: usize) -> Vec<Pairs> {
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

    /// The triples that begin with these pairs.
    fn of(&self, pairs: &Pairs) -> u64 {
        pairs.second.clone().map(|second| (self.order.len() - 1 - second) as u64).sum()
    }

    /// ANDing: the bitmaps of the pairs, then their counts with every later column, pair by pair.
    fn and(&self, pairs: &Pairs, counts: &mut Vec<Count>) {
        let bits = |place: usize| self.dataset.bits(self.order[place] as usize);
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

    /// Both ways must give the same counts.
    fn check(&self, sample: &[Pairs]) {
        for pairs in sample {
            let (mut anded, first) = (Vec::new(), pairs.first);
            self.and(pairs, &mut anded);
            let thirds = pairs.second.start + 1..self.order.len();
            self.count_within(first..first + 1, &|_, _, counts| {
                if counts.len() < self.family.len() {
                    return;
                }
                for (row, second) in anded.chunks(thirds.len()).zip(pairs.second.clone()) {
                    for (both, third) in row.iter().zip(thirds.clone()).filter(|(_, third)| *third > second) {
                        // The sets with a newest member: it alone, then with each older one.
                        let set = self.family.with_newest(third).start + 1 + second;
                        assert_eq!(counts[set], *both, "{first}, {second}, {third}");
                    }
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squeezing_and_anding_agree() {
        let dataset = data::nominal(4, 3_000, 4);
        let triples = Triples::new(&dataset);
        let sample = triples.sample(10);
        triples.check(&sample);
        assert_eq!(triples.total(), 60 * 59 * 58 / 6);
    }
}

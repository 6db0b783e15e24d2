//! The rows in the order of the values of some terms, so that the rows of a configuration follow each other.
//!
//! A term divides the rows of every column in two, first those without it, then those with it, each in the order that
//! they had: one step of a radix sort. The rows of each configuration are then a *run*, and counting a candidate in
//! each configuration is counting ones between the ends of runs, 64 rows at a time. Most models of a search have a term
//! more than the one before, so that one step leads from one order to the next.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::configurations::words;
use super::kernel::{Kernel, Pick, picks};
use super::{Configurations, Count};
use crate::dataset::{Block, Candidate, Dataset, Layout};

/// The rows of all columns of a dataset, in the order of the values of some terms.
#[derive(Debug)]
pub(super) struct Ordered<'a> {
    kernel: Kernel,
    /// The terms, in the order in which they divided the rows.
    terms: Vec<Candidate>,
    classes: [OrderedClass<'a>; 2],
}

/// The cases or the controls.
#[derive(Debug)]
struct OrderedClass<'a> {
    /// The bitmap of each column.
    columns: Vec<Cow<'a, [Block]>>,
    /// 1 in every row. The rows are the first bits.
    rows: Vec<Block>,
    /// For each run, consecutive rows with the same values of the terms: a bit for each term that holds.
    keys: Vec<u128>,
    /// The position after the last row of each run.
    ends: Vec<usize>,
}

impl<'a> Ordered<'a> {
    /// The counted rows, in the order of the data.
    pub fn new(kernel: Kernel, dataset: &'a Dataset, counted: Option<&[Block]>) -> Self {
        let split = dataset.layout().positive_blocks();
        let class = |is_case: bool| {
            let part = |bits: &'a [Block]| if is_case { &bits[..split] } else { &bits[split..] };
            let columns: Vec<&[Block]> =
                (0..dataset.columns().len()).map(|column| part(dataset.bits(column))).collect();
            match counted {
                None => {
                    let Layout { positive, negative } = dataset.layout();
                    let rows = if is_case { positive } else { negative };
                    OrderedClass::new(columns.into_iter().map(Cow::Borrowed).collect(), rows)
                }
                Some(counted) => {
                    let counted = if is_case { &counted[..split] } else { &counted[split..] };
                    let picks: Vec<Pick> = picks(counted).collect();
                    OrderedClass::new(squeeze_all(kernel, &picks, &columns), kernel.count(counted))
                }
            }
        };
        Self { kernel, terms: Vec::new(), classes: [class(true), class(false)] }
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.classes.iter().map(|class| class.keys.len()).sum()
    }

    /// The number of terms that divide the rows.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    /// The number of terms that divide the rows and are not among the given ones.
    pub fn others(&self, terms: &[Candidate]) -> usize {
        self.terms.iter().filter(|term| !terms.contains(term)).count()
    }

    /// The terms among the given ones that do not divide the rows yet.
    pub fn missing<'b>(&self, terms: &'b [Candidate]) -> Vec<&'b Candidate> {
        terms.iter().filter(|term| !self.terms.contains(term)).collect()
    }

    /// The rows divided by one more term; `None` if a key has no bit left for it.
    pub fn divided_by(&self, term: &Candidate) -> Option<Ordered<'static>> {
        let bit = 1u128.checked_shl(self.terms.len() as u32)?;
        let class = |class: &OrderedClass<'_>| class.divided_by(self.kernel, term, bit);
        let terms = self.terms.iter().chain([term]).cloned().collect();
        Some(Ordered {
            kernel: self.kernel,
            terms,
            classes: [class(&self.classes[0]), class(&self.classes[1])],
        })
    }
}

impl<'a> OrderedClass<'a> {
    fn new(columns: Vec<Cow<'a, [Block]>>, rows: u64) -> Self {
        let runs = usize::from(rows > 0);
        let (keys, ends) = (vec![0; runs], vec![rows as usize; runs]);
        Self { columns, rows: Layout { positive: rows, negative: 0 }.full(), keys, ends }
    }

    /// The rows in which a conjunction holds.
    fn rows_of(&self, kernel: Kernel, candidate: &Candidate) -> Cow<'_, [Block]> {
        let width = self.columns.len();
        let mut literals = candidate.columns().iter().map(|&literal| literal as usize);
        let mut rows = match literals.next() {
            None => return Cow::Borrowed(&self.rows),
            Some(literal) if literal < width => Cow::Borrowed(&*self.columns[literal]),
            Some(literal) => Cow::Owned(and_not(&self.rows, &self.columns[literal - width])),
        };
        for literal in literals {
            let held = &*self.columns[literal % width];
            rows = Cow::Owned(if literal < width {
                intersect(kernel, &rows, held)
            } else {
                and_not(&rows, held)
            });
        }
        rows
    }

    /// The key and the number of rows of each run.
    fn runs(&self) -> impl Iterator<Item = (u128, usize)> {
        let starts = std::iter::once(&0).chain(&self.ends);
        self.keys.iter().zip(starts.zip(&self.ends)).map(|(&key, (start, end))| (key, end - start))
    }

    fn count_runs(&self, kernel: Kernel, bits: &[Block]) -> Vec<u64> {
        let mut counts = vec![0; self.ends.len()];
        kernel.count_runs(bits, &self.ends, &mut counts);
        counts
    }

    fn divided_by(&self, kernel: Kernel, term: &Candidate, bit: u128) -> OrderedClass<'static> {
        let with = self.rows_of(kernel, term);
        let without = and_not(&self.rows, &with);
        let picks: Vec<Pick> = picks(&without).chain(picks(&with)).collect();
        let held = self.count_runs(kernel, &with);
        let without_it = self.runs().zip(&held).map(|((key, rows), &held)| (key, rows - held as usize));
        let with_it = self.keys.iter().zip(&held).map(|(&key, &held)| (key | bit, held as usize));
        let (mut keys, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        for (key, rows) in without_it.chain(with_it).filter(|(_, rows)| *rows > 0) {
            end += rows;
            keys.push(key);
            ends.push(end);
        }
        let columns: Vec<&[Block]> = self.columns.iter().map(|bits| &**bits).collect();
        OrderedClass { columns: squeeze_all(kernel, &picks, &columns), rows: self.rows.clone(), keys, ends }
    }
}

fn squeeze_all<'b>(kernel: Kernel, picks: &[Pick], columns: &[&[Block]]) -> Vec<Cow<'b, [Block]>> {
    let squeeze = |bits: &&[Block]| {
        let mut out = vec![Block::ZERO; bits.len()];
        kernel.squeeze(picks, bits, &mut out);
        Cow::Owned(out)
    };
    columns.par_iter().map(squeeze).collect()
}

/// The bitwise AND of two bitmaps.
pub(super) fn intersect(kernel: Kernel, a: &[Block], b: &[Block]) -> Vec<Block> {
    let mut both = vec![Block::ZERO; a.len()];
    kernel.and(a, b, &mut both);
    both
}

fn and_not(a: &[Block], b: &[Block]) -> Vec<Block> {
    a.iter().zip(b).map(|(a, b)| Block(std::array::from_fn(|word| a.0[word] & !b.0[word]))).collect()
}

/// The configurations of some terms, and the runs of each.
#[derive(Debug)]
pub(super) struct OrderedGroups<'a> {
    pub configurations: Configurations,
    ordered: Arc<Ordered<'a>>,
    /// The configuration of each run of the cases and of the controls.
    of_run: [Vec<u32>; 2],
}

impl<'a> OrderedGroups<'a> {
    /// The configurations of terms that divide the rows, perhaps with others.
    pub fn new(ordered: Arc<Ordered<'a>>, terms: &[Candidate]) -> Self {
        let width = words(terms.len());
        let place = |term: &Candidate| ordered.terms.iter().position(|other| other == term);
        let places: Vec<usize> = terms.iter().filter_map(place).collect();
        debug_assert_eq!(places.len(), terms.len(), "all terms divide the rows");
        let mask = places.iter().fold(0u128, |mask, place| mask | 1 << place);
        let mut counts: FxHashMap<u128, Count> = FxHashMap::default();
        for (number, class) in ordered.classes.iter().enumerate() {
            for (key, rows) in class.runs() {
                let count = counts.entry(key & mask).or_default();
                *(if number == 0 { &mut count.positive } else { &mut count.negative }) += rows as u64;
            }
        }
        let key = |ordered: u128| {
            let mut key = vec![0u64; width];
            for (term, place) in places.iter().enumerate() {
                key[term / 64] |= ((ordered >> place & 1) as u64) << (term % 64);
            }
            key
        };
        let mut sorted: Vec<(Vec<u64>, u128, Count)> =
            counts.into_iter().map(|(ordered, count)| (key(ordered), ordered, count)).collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let numbers: FxHashMap<u128, u32> = sorted.iter().map(|(_, ordered, _)| *ordered).zip(0..).collect();
        let of_class = |class: &OrderedClass<'_>| {
            class.keys.iter().map(|key| numbers[&(key & mask)]).collect::<Vec<u32>>()
        };
        let of_run = [of_class(&ordered.classes[0]), of_class(&ordered.classes[1])];
        let keys = sorted.iter().flat_map(|(key, ..)| key.iter().copied()).collect();
        let counts = sorted.iter().map(|(_, _, count)| *count).collect();
        Self { configurations: Configurations::new(terms.len(), keys, counts), ordered, of_run }
    }

    /// Counts a candidate in each configuration.
    pub fn count(&self, candidate: &Candidate, counts: &mut Vec<Count>) {
        counts.clear();
        counts.resize(self.configurations.len(), Count::default());
        for (number, (class, of_run)) in self.ordered.classes.iter().zip(&self.of_run).enumerate() {
            let kernel = self.ordered.kernel;
            let found = class.count_runs(kernel, &class.rows_of(kernel, candidate));
            for (&configuration, found) in of_run.iter().zip(found) {
                let count = &mut counts[configuration as usize];
                *(if number == 0 { &mut count.positive } else { &mut count.negative }) += found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::grouped::Grouped;
    use crate::count::kernel::SCALAR;
    use crate::dataset::{DatasetBuilder, Target};
    use crate::random::Random;

    fn random_data(random: &mut Random, rows: usize, columns: usize) -> Dataset {
        let outcome = (0..rows).map(|_| random.chance(0.3)).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for column in 0..columns {
            let share = [0.5, 0.05, 0.9][column % 3];
            let held: Vec<Option<usize>> = (0..rows).map(|_| random.chance(share).then_some(0)).collect();
            builder.attribute("V", vec![format!("V{column}")], held);
        }
        builder.finish()
    }

    /// A conjunction of up to three literals.
    fn random_term(random: &mut Random, columns: u64) -> Candidate {
        let level = random.next_u64() % 4;
        Candidate::new((0..level).map(|_| (random.next_u64() % (2 * columns)) as u32).collect())
    }

    /// Configurations and counts equal those of rows that are grouped one by one, in all rows and in some of them, also
    /// if other terms divide the rows too.
    #[test]
    fn configurations_and_counts_agree_with_grouping_row_by_row() {
        let mut random = Random::new(11);
        for rows in [0, 1, 63, 700, 3000] {
            let data = random_data(&mut random, rows, 6);
            let mask: Vec<Block> = data
                .layout()
                .full()
                .iter()
                .map(|block| Block(block.0.map(|word| word & random.next_u64())))
                .collect();
            for counted in [None, Some(&*mask)] {
                let everywhere = data.layout().full();
                let rows_of = |candidate: &Candidate| {
                    let counted = counted.unwrap_or(&everywhere).to_vec();
                    let literals = candidate.columns().iter().map(|&literal| data.bits(literal as usize));
                    literals.fold(counted, |rows, bits| intersect(SCALAR, &rows, bits))
                };
                for kernel in Kernel::available() {
                    let terms: Vec<Candidate> = (0..5).map(|_| random_term(&mut random, 6)).collect();
                    let mut ordered = Ordered::new(kernel, &data, counted);
                    for term in &terms {
                        if !ordered.missing(std::slice::from_ref(term)).is_empty() {
                            ordered = ordered.divided_by(term).unwrap();
                        }
                    }
                    let ordered = Arc::new(ordered);
                    for terms in [&terms[..], &terms[1..3], &[]] {
                        let bitmaps: Vec<Vec<Block>> = terms.iter().map(rows_of).collect();
                        let wanted =
                            Grouped::new(data.layout(), counted.unwrap_or(&everywhere), &bitmaps, true);
                        let found = OrderedGroups::new(ordered.clone(), terms);
                        assert_eq!(found.configurations, wanted.configurations);
                        for _ in 0..5 {
                            let candidate = random_term(&mut random, 6);
                            let (mut counts, mut wanted_counts) = (Vec::new(), Vec::new());
                            found.count(&candidate, &mut counts);
                            wanted.count(&rows_of(&candidate), &mut wanted_counts);
                            assert_eq!(counts, wanted_counts, "{} {candidate:?}", kernel.name());
                        }
                    }
                }
            }
        }
    }
}

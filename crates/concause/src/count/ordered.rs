//! The rows in the order of the values of some terms, so that the rows of a configuration follow each other.
//!
//! A term divides the rows of every column in two, first those without it, then those with it, each in the order that
//! they had: one step of a radix sort. The rows of each configuration are then a *run*, and counting a candidate in
//! each configuration is counting ones between the ends of runs, 64 rows at a time. Most models of a search have a term
//! more than the one before, so that one step leads from one order to the next.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::kernel::{Kernel, Pick, picks};
use super::literals::and_not;
use super::{Configurations, Count};
use crate::dataset::{Block, Candidate, Dataset, Layout, LiteralKind};

/// The rows of all columns of a dataset, in the order of the values of some terms.
#[derive(Debug)]
pub(super) struct Ordered {
    kernel: Kernel,
    /// The terms, in the order in which they divided the rows.
    terms: Vec<Candidate>,
    classes: [OrderedClass; 2],
}

/// The cases or the controls.
#[derive(Debug)]
struct OrderedClass {
    columns: ClassColumns,
    /// 1 in every row. The rows are the first bits.
    rows: Vec<Block>,
    /// For each run, consecutive rows with the same values of the terms: a bit for each term that holds.
    keys: Vec<u128>,
    /// The position after the last row of each run.
    ends: Vec<usize>,
}

/// The bitmap of each column in the rows of a class.
#[derive(Debug)]
enum ClassColumns {
    /// The rows of the data, in their order.
    OfData { dataset: Dataset, blocks: Range<usize> },
    /// The rows in another order.
    Ordered(Vec<Vec<Block>>),
}

impl ClassColumns {
    fn len(&self) -> usize {
        match self {
            ClassColumns::OfData { dataset, .. } => dataset.columns().len(),
            ClassColumns::Ordered(columns) => columns.len(),
        }
    }

    fn get(&self, column: usize) -> &[Block] {
        match self {
            ClassColumns::OfData { dataset, blocks } => &dataset.bits(column)[blocks.clone()],
            ClassColumns::Ordered(columns) => &columns[column],
        }
    }

    /// The columns of the picked rows.
    fn squeezed(&self, kernel: Kernel, picks: &[Pick]) -> ClassColumns {
        let squeeze = |column: usize| {
            let bits = self.get(column);
            let mut out = vec![Block::ZERO; bits.len()];
            kernel.squeeze(picks, bits, &mut out);
            out
        };
        ClassColumns::Ordered((0..self.len()).into_par_iter().map(squeeze).collect())
    }
}

impl Ordered {
    /// The counted rows, in the order of the data.
    pub fn new(kernel: Kernel, dataset: &Dataset, counted: Option<&[Block]>) -> Self {
        let layout = dataset.layout();
        let class = |is_case: bool| {
            let split = layout.positive_blocks();
            let blocks = if is_case { 0..split } else { split..layout.blocks() };
            let columns = ClassColumns::OfData { dataset: dataset.clone(), blocks: blocks.clone() };
            match counted {
                None => OrderedClass::new(columns, if is_case { layout.positive } else { layout.negative }),
                Some(counted) => {
                    let counted = &counted[blocks];
                    let picks: Vec<Pick> = picks(counted).collect();
                    OrderedClass::new(columns.squeezed(kernel, &picks), kernel.count(counted))
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
    pub fn divided_by(&self, term: &Candidate) -> Option<Ordered> {
        let bit = 1u128.checked_shl(self.terms.len() as u32)?;
        let class = |class: &OrderedClass| class.divided_by(self.kernel, term, bit);
        let terms = self.terms.iter().chain([term]).cloned().collect();
        Some(Ordered {
            kernel: self.kernel,
            terms,
            classes: [class(&self.classes[0]), class(&self.classes[1])],
        })
    }
}

impl OrderedClass {
    fn new(columns: ClassColumns, rows: u64) -> Self {
        let runs = usize::from(rows > 0);
        let (keys, ends) = (vec![0; runs], vec![rows as usize; runs]);
        Self { columns, rows: Layout { positive: rows, negative: 0 }.full(), keys, ends }
    }

    /// The rows in which a conjunction holds.
    fn rows_of(&self, kernel: Kernel, candidate: &Candidate) -> Cow<'_, [Block]> {
        let mut rows: Option<Cow<'_, [Block]>> = None;
        for literal in candidate.literals() {
            let held = self.columns.get(literal.column() as usize);
            rows = Some(match (literal.kind(), rows) {
                (LiteralKind::Plain, None) => Cow::Borrowed(held),
                (LiteralKind::Plain, Some(rows)) => Cow::Owned(intersect(kernel, &rows, held)),
                (LiteralKind::Negated, rows) => {
                    Cow::Owned(and_not(rows.as_deref().unwrap_or(&self.rows), held))
                }
                (LiteralKind::Known, rows) => rows.unwrap_or(Cow::Borrowed(&self.rows)),
            });
        }
        rows.unwrap_or(Cow::Borrowed(&self.rows))
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

    fn divided_by(&self, kernel: Kernel, term: &Candidate, bit: u128) -> OrderedClass {
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
        OrderedClass { columns: self.columns.squeezed(kernel, &picks), rows: self.rows.clone(), keys, ends }
    }
}

/// The bitwise AND of two bitmaps.
pub(super) fn intersect(kernel: Kernel, a: &[Block], b: &[Block]) -> Vec<Block> {
    let mut both = vec![Block::ZERO; a.len()];
    kernel.and(a, b, &mut both);
    both
}

/// The configurations of some terms, and the runs of each.
#[derive(Debug)]
pub(super) struct OrderedGroups {
    pub configurations: Configurations,
    ordered: Arc<Ordered>,
    /// The configuration of each run of the cases and of the controls.
    of_run: [Vec<u32>; 2],
}

impl OrderedGroups {
    /// The configurations of terms that divide the rows, perhaps with others.
    pub fn new(ordered: Arc<Ordered>, terms: &[Candidate]) -> Self {
        let width = Configurations::words_for(terms.len());
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
        let of_class =
            |class: &OrderedClass| class.keys.iter().map(|key| numbers[&(key & mask)]).collect::<Vec<u32>>();
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
    use crate::count::literals::LiteralBits;
    use crate::dataset::{DatasetBuilder, Literal, Target};
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
        Candidate::new((0..level).map(|_| {
            let column = (random.next_u64() % columns) as u32;
            [Literal::plain, Literal::negation, Literal::known][random.below(3)](column)
        }))
    }

    /// Configurations and counts equal those of rows that are grouped one by one, in all rows and in some of them, also
    /// if other terms divide the rows too.
    #[test]
    fn configurations_and_counts_agree_with_grouping_row_by_row() {
        let mut random = Random::new(11);
        for rows in [0, 1, 63, 700, 3000] {
            let data = random_data(&mut random, rows, 6);
            let bits = LiteralBits::new(&data);
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
                    let literals = candidate.literals().iter().map(|&literal| bits.get(literal));
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

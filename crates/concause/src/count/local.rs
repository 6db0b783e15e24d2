//! The counter of this machine: bitmaps in memory, all threads of the current rayon pool.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::kernel::Kernel;
use super::{Answer, Batch, Count, Counter, Family};
use crate::dataset::{Block, Candidate, Dataset, Layout};

/// Squeezing one block of a column costs about as much as this many blocks of AND and count.
const PROJECTION_COST: usize = 6;

/// Answers are handed over after this many sets at first, later after more, so that a base that is settled by
/// one of the first sets costs little.
const FIRST_RUN: usize = 16;
const LONGEST_RUN: usize = 1024;

/// Counts in a [`Dataset`] held in memory.
#[derive(Clone, Debug)]
pub struct LocalCounter<'a> {
    dataset: &'a Dataset,
    kernel: Kernel,
}

impl<'a> LocalCounter<'a> {
    /// Counts in this data with the fastest kernel the machine has.
    pub fn new(dataset: &'a Dataset) -> Self {
        Self::with_kernel(dataset, Kernel::fastest())
    }

    /// Counts in this data with the given kernel.
    pub fn with_kernel(dataset: &'a Dataset, kernel: Kernel) -> Self {
        Self { dataset, kernel }
    }

    /// The bitmap of a conjunction.
    fn bitmap(&self, candidate: &Candidate) -> Cow<'a, [Block]> {
        match candidate.columns() {
            [] => Cow::Owned(self.dataset.layout().full()),
            &[column] => Cow::Borrowed(self.dataset.bits(column as usize)),
            columns => {
                let mut bits = self.dataset.bits(columns[0] as usize).to_vec();
                for &column in &columns[1..] {
                    self.kernel.and_assign(&mut bits, self.dataset.bits(column as usize));
                }
                Cow::Owned(bits)
            }
        }
    }

    fn count_base(
        &self,
        base: &Candidate,
        pool: &[&[Block]],
        family: &Family,
        scratch: &mut Scratch,
        answer: &mut dyn FnMut(usize, &[Count]) -> ControlFlow<()>,
    ) {
        let layout = self.dataset.layout();
        if base.level() == 0 {
            self.walk(layout, None, pool, family, scratch, answer);
            return;
        }
        let base = self.bitmap(base);
        let ones = self.count_bits(&base, layout);
        let squeezed = Layout { positive: ones.positive, negative: ones.negative };
        let (full, short) = (layout.blocks(), squeezed.blocks());
        let direct = family.len() * full;
        let projected = pool.len() * full * PROJECTION_COST + family.len() * short;
        if projected < direct {
            let mut projection = std::mem::take(&mut scratch.projection);
            projection.clear();
            projection.resize(pool.len() * short, Block::ZERO);
            for (out, bits) in projection.chunks_exact_mut(short.max(1)).zip(pool) {
                let (cases, controls) = out.split_at_mut(squeezed.positive_blocks());
                let split = layout.positive_blocks();
                self.kernel.project(&base[..split], &bits[..split], cases);
                self.kernel.project(&base[split..], &bits[split..], controls);
            }
            let bitmaps: Vec<&[Block]> =
                (0..pool.len()).map(|i| &projection[i * short..(i + 1) * short]).collect();
            self.walk(squeezed, None, &bitmaps, family, scratch, answer);
            scratch.projection = projection;
        } else {
            self.walk(layout, Some(&base), pool, family, scratch, answer);
        }
    }

    /// Counts the sets in order. Sets in a row share all but their last members, so the intersection of each
    /// prefix is kept and only what changed is worked out again.
    fn walk(
        &self,
        layout: Layout,
        base: Option<&[Block]>,
        pool: &[&[Block]],
        family: &Family,
        scratch: &mut Scratch,
        answer: &mut dyn FnMut(usize, &[Count]) -> ControlFlow<()>,
    ) {
        let Scratch { prefixes, counts, .. } = scratch;
        counts.clear();
        counts.reserve(family.len());
        counts.push(match base {
            Some(base) => self.count_bits(base, layout),
            None => Count { positive: layout.positive, negative: layout.negative },
        });
        // `prefixes[i]` is the intersection of the base and the first i + 1 members of the set before, for i below
        // `known`.
        let mut known: usize = 0;
        let (mut told, mut run) = (0, FIRST_RUN);
        for set in 1..family.len() {
            let members = family.members(set);
            let before = family.members(set - 1);
            let shared = members.iter().zip(before).take_while(|(a, b)| a == b).count();
            known = known.min(shared);
            let count = if holds_nowhere(family.faces(set), counts) {
                Count::default()
            } else {
                self.count_set(layout, base, pool, members, prefixes, &mut known)
            };
            counts.push(count);
            let fresh = counts.len() - told.max(family.tested().min(counts.len()));
            if fresh >= run {
                if answer(told, counts).is_break() {
                    return;
                }
                told = counts.len();
                run = (run * 2).min(LONGEST_RUN);
            }
        }
        if told < counts.len() {
            let _ = answer(told, counts);
        }
    }

    /// Counts one set, of whose prefixes the first `known` are worked out.
    fn count_set(
        &self,
        layout: Layout,
        base: Option<&[Block]>,
        pool: &[&[Block]],
        members: &[u32],
        prefixes: &mut Vec<Vec<Block>>,
        known: &mut usize,
    ) -> Count {
        let Some((&last, prefix)) = members.split_last() else { return Count::default() };
        while *known < prefix.len() {
            if prefixes.len() <= *known {
                prefixes.push(Vec::new());
            }
            let (done, rest) = prefixes.split_at_mut(*known);
            let next = &mut rest[0];
            next.clear();
            next.extend_from_slice(pool[prefix[*known] as usize]);
            match (done.last(), base) {
                (Some(shorter), _) => self.kernel.and_assign(next, shorter),
                (None, Some(base)) => self.kernel.and_assign(next, base),
                (None, None) => {}
            }
            *known += 1;
        }
        let last = pool[last as usize];
        match (prefix.len().checked_sub(1), base) {
            (Some(i), _) => self.count_both(&prefixes[i], last, layout),
            (None, Some(base)) => self.count_both(base, last, layout),
            (None, None) => self.count_bits(last, layout),
        }
    }

    fn count_bits(&self, bits: &[Block], layout: Layout) -> Count {
        let (cases, controls) = bits.split_at(layout.positive_blocks());
        Count { positive: self.kernel.count(cases), negative: self.kernel.count(controls) }
    }

    fn count_both(&self, a: &[Block], b: &[Block], layout: Layout) -> Count {
        let split = layout.positive_blocks();
        Count {
            positive: self.kernel.count_both(&a[..split], &b[..split]),
            negative: self.kernel.count_both(&a[split..], &b[split..]),
        }
    }
}

/// Whether a set with one member less, whose counts are known, holds in no row: then neither does this one. In
/// the columns of nominal attributes most sets are such.
fn holds_nowhere(faces: &[u32], counts: &[Count]) -> bool {
    let full = faces.len() - 1;
    let members = faces.len().trailing_zeros();
    (0..members).any(|member| counts[faces[full & !(1 << member)] as usize] == Count::default())
}

/// What one thread reuses from base to base.
#[derive(Default)]
struct Scratch {
    projection: Vec<Block>,
    prefixes: Vec<Vec<Block>>,
    counts: Vec<Count>,
}

impl Counter for LocalCounter<'_> {
    fn rows(&self) -> Count {
        Count { positive: self.dataset.positive(), negative: self.dataset.negative() }
    }

    fn count(&self, batch: &Batch<'_>, answer: &Answer<'_>) {
        let pool: Vec<Cow<'_, [Block]>> = batch.pool.iter().map(|member| self.bitmap(member)).collect();
        let pool: Vec<&[Block]> = pool.iter().map(|bits| &**bits).collect();
        batch.bases.par_iter().enumerate().for_each_init(Scratch::default, |scratch, (number, base)| {
            self.count_base(base, &pool, batch.family, scratch, &mut |from, counts| {
                answer(number, from, counts)
            });
        });
    }
}

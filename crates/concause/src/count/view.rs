//! A view of a subset of the rows, in which conjunctions are counted.
//!
//! If many conjunctions share a column, it is faster to *squeeze* the other bitmaps onto the rows of that column
//! first: the rarer the column, the shorter they become. The same applies within those rows, so counting all subsets
//! of a pool recurses into narrower and narrower views.

use std::ops::Range;

use super::Count;
use super::kernel::{Kernel, PIECE, Pick, picks};
use crate::combinatorics::choose;
use crate::dataset::{Block, Layout};

/// The number of left bitmaps that a kernel combines with the right ones in one call.
const GROUP: usize = 4;

/// Bitmaps in a subset of the rows.
pub(super) struct View<'a> {
    kernel: Kernel,
    layout: Layout,
    /// The counted rows; `None` for all rows.
    mask: Option<&'a [Block]>,
    total: Count,
    members: Vec<Member<'a>>,
}

/// A bitmap that is 1 in at least one row of the view.
#[derive(Clone, Copy)]
struct Member<'a> {
    /// The position in the pool. The members of a view are in ascending order.
    place: usize,
    bits: &'a [Block],
    count: Count,
}

/// The counts of a grid, by class.
#[derive(Default)]
struct Sums {
    positive: Vec<u64>,
    negative: Vec<u64>,
}

impl Sums {
    fn get(&self, place: usize) -> Count {
        Count { positive: self.positive[place], negative: self.negative[place] }
    }

    fn iter(&self) -> impl Iterator<Item = Count> {
        self.positive.iter().zip(&self.negative).map(|(&positive, &negative)| Count { positive, negative })
    }
}

/// Memory that a thread reuses for all views.
#[derive(Default)]
pub(super) struct Scratch {
    sums: Sums,
    picks: Vec<Pick>,
    /// Unused buffers for bitmaps.
    buffers: Vec<Vec<Block>>,
}

impl Scratch {
    /// A buffer with any contents, to be returned by [`Scratch::return_buffer`].
    pub fn get_buffer(&mut self) -> Vec<Block> {
        self.buffers.pop().unwrap_or_default()
    }

    pub fn return_buffer(&mut self, buffer: Vec<Block>) {
        self.buffers.push(buffer);
    }
}

impl<'a> View<'a> {
    /// A view of the bitmaps of `pool`, given with their positions, in the rows of the mask or in all rows.
    pub fn new(
        kernel: Kernel,
        layout: Layout,
        mask: Option<&'a [Block]>,
        pool: impl Iterator<Item = (usize, &'a [Block])>,
        scratch: &mut Scratch,
    ) -> Self {
        let rows = Count { positive: layout.positive, negative: layout.negative };
        let total = mask.map_or(rows, |mask| count_ones(kernel, layout, mask));
        let mut members: Vec<Member<'a>> =
            pool.map(|(place, bits)| Member { place, bits, count: Count::default() }).collect();
        if let Some(mask) = mask {
            let bits: Vec<&[Block]> = members.iter().map(|member| member.bits).collect();
            count_common_ones(kernel, layout, &[mask], &bits, &mut scratch.sums);
            members.iter_mut().zip(scratch.sums.iter()).for_each(|(member, count)| member.count = count);
        } else {
            members.iter_mut().for_each(|member| member.count = count_ones(kernel, layout, member.bits));
        }
        members.retain(|member| member.count.total() > 0);
        View { kernel, layout, mask, total, members }
    }

    /// The number of counted rows.
    pub fn total(&self) -> Count {
        self.total
    }

    /// The member at this position of the pool; `None` if it is 0 in all counted rows.
    fn member(&self, place: usize) -> Option<&Member<'a>> {
        self.members.binary_search_by_key(&place, |member| member.place).ok().map(|at| &self.members[at])
    }

    /// The members at these positions of the pool.
    fn members_at(&self, places: Range<usize>) -> &[Member<'a>] {
        let at = |place: usize| self.members.partition_point(|member| member.place < place);
        &self.members[at(places.start)..at(places.end)]
    }

    /// Squeezes the members onto the counted rows, into `buffer`, if that is cheaper for counting this number of sets.
    pub fn squeeze<'b>(self, sets: u128, buffer: &'b mut Vec<Block>, scratch: &mut Scratch) -> View<'b>
    where
        'a: 'b,
    {
        let Some(mask) = self.mask else { return self };
        let squeezed = Layout { positive: self.total.positive, negative: self.total.negative };
        let (long, short) = (self.layout.blocks(), squeezed.blocks());
        // Squeezing one word costs about as much as counting one block.
        let words = (self.total.total() as usize).min(8 * long);
        let cost = (self.members.len() * words) as u128 + sets * short as u128;
        if self.members.is_empty() || cost >= sets * long as u128 {
            return self;
        }
        buffer.clear();
        buffer.resize(self.members.len() * short, Block::ZERO);
        let (cases, split) = (self.layout.positive_blocks(), squeezed.positive_blocks());
        for (from, to) in [(0..cases, 0..split), (cases..long, split..short)] {
            scratch.picks.clear();
            scratch.picks.extend(picks(&mask[from.clone()]));
            for (member, out) in self.members.iter().zip(buffer.chunks_exact_mut(short)) {
                self.kernel.squeeze(&scratch.picks, &member.bits[from.clone()], &mut out[to.clone()]);
            }
        }
        let members = self
            .members
            .iter()
            .zip(buffer.chunks_exact(short))
            .map(|(member, bits)| Member { bits, ..*member })
            .collect();
        View { layout: squeezed, mask: None, members, ..self }
    }

    /// Counts the sets with this newest member and at most `largest` members, ordered by size, then lexicographically.
    /// Appends to `counts`.
    pub fn count_newest(&self, place: usize, largest: usize, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        self.count_supersets(place, 0..place, 0..largest, counts, scratch);
    }

    /// For each size in `sizes`, counts the member at `place` with every set of that many members in `among`.
    fn count_supersets(
        &self,
        place: usize,
        among: Range<usize>,
        sizes: Range<usize>,
        counts: &mut Vec<Count>,
        scratch: &mut Scratch,
    ) {
        let sets = |size: usize| choose(among.len(), size) as usize;
        let Some(member) = self.member(place) else {
            counts.resize(counts.len() + sizes.map(sets).sum::<usize>(), Count::default());
            return;
        };
        if sizes.contains(&0) {
            counts.push(member.count);
        }
        let sizes = sizes.start.max(1)..sizes.end;
        if sizes.is_empty() {
            return;
        }
        let (mut rows_buffer, mut buffer) = (scratch.get_buffer(), scratch.get_buffer());
        let rows: &[Block] = match self.mask {
            Some(mask) => {
                rows_buffer.resize(mask.len(), Block::ZERO);
                self.kernel.and(mask, member.bits, &mut rows_buffer);
                &rows_buffer
            }
            None => member.bits,
        };
        let others = self.members_at(among.clone()).iter().map(|other| (other.place, other.bits));
        let view = View::new(self.kernel, self.layout, Some(rows), others, scratch);
        let larger = if sizes.end > 2 { choose(view.members.len(), sizes.end - 1) } else { 0 };
        let view = view.squeeze(larger, &mut buffer, scratch);
        for size in sizes {
            view.count_subsets(among.clone(), size, counts, scratch);
        }
        scratch.return_buffer(rows_buffer);
        scratch.return_buffer(buffer);
    }

    /// Counts all sets of `size` members in `among`, in lexicographic order.
    fn count_subsets(
        &self,
        among: Range<usize>,
        size: usize,
        counts: &mut Vec<Count>,
        scratch: &mut Scratch,
    ) {
        match size {
            0 => counts.push(self.total),
            1 => {
                let start = counts.len();
                counts.resize(start + among.len(), Count::default());
                for member in self.members_at(among.clone()) {
                    counts[start + member.place - among.start] = member.count;
                }
            }
            2 => self.count_pairs(among, counts, scratch),
            _ => {
                for place in among.clone() {
                    self.count_supersets(place, place + 1..among.end, size - 1..size, counts, scratch);
                }
            }
        }
    }

    /// Counts every left member with every right member, given by their positions in the pool, row by row.
    pub fn count_grid(
        &self,
        left: &[usize],
        right: &[usize],
        counts: &mut Vec<Count>,
        scratch: &mut Scratch,
    ) {
        counts.clear();
        counts.resize(left.len() * right.len(), Count::default());
        let present = |places: &[usize]| -> (Vec<usize>, Vec<Member<'a>>) {
            places.iter().enumerate().filter_map(|(i, &place)| Some((i, *self.member(place)?))).unzip()
        };
        let ((rows, left), (columns, right_members)) = (present(left), present(right));
        let bits: Vec<&[Block]> = right_members.iter().map(|member| member.bits).collect();
        self.count_intersections(&left, &bits, scratch);
        for (l, row) in rows.iter().enumerate() {
            for (r, column) in columns.iter().enumerate() {
                counts[row * right.len() + column] = scratch.sums.get(l * bits.len() + r);
            }
        }
    }

    /// Counts each left member with each right bitmap in the counted rows, into the sums of `scratch`.
    fn count_intersections(&self, left: &[Member<'_>], right: &[&[Block]], scratch: &mut Scratch) {
        let Some(mask) = self.mask else {
            let left: Vec<&[Block]> = left.iter().map(|member| member.bits).collect();
            return count_common_ones(self.kernel, self.layout, &left, right, &mut scratch.sums);
        };
        let mut buffer = scratch.get_buffer();
        buffer.resize(left.len() * mask.len(), Block::ZERO);
        let masked = buffer.chunks_exact_mut(mask.len().max(1));
        masked.zip(left).for_each(|(out, member)| self.kernel.and(mask, member.bits, out));
        let left: Vec<&[Block]> = buffer.chunks_exact(mask.len().max(1)).take(left.len()).collect();
        count_common_ones(self.kernel, self.layout, &left, right, &mut scratch.sums);
        scratch.return_buffer(buffer);
    }

    /// Counts all pairs of members in `among`, in lexicographic order.
    fn count_pairs(&self, among: Range<usize>, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        let (start, n) = (counts.len(), among.len());
        counts.resize(start + n * n.saturating_sub(1) / 2, Count::default());
        // The index of the first pair with a given first member.
        let row = |first: usize| start + first * (2 * n - first - 1) / 2;
        let members = self.members_at(among.clone());
        for (number, left) in members.chunks(GROUP).enumerate() {
            let right = &members[number * GROUP + 1..];
            let bits: Vec<&[Block]> = right.iter().map(|member| member.bits).collect();
            self.count_intersections(left, &bits, scratch);
            for (l, first) in left.iter().enumerate() {
                let row = row(first.place - among.start);
                for (r, second) in right.iter().enumerate().skip(l) {
                    counts[row + second.place - first.place - 1] = scratch.sums.get(l * right.len() + r);
                }
            }
        }
    }
}

/// Counts every left bitmap with every right bitmap in all rows, row by row.
pub(super) fn count_unmasked_grid(
    kernel: Kernel,
    layout: Layout,
    left: Vec<&[Block]>,
    right: Vec<&[Block]>,
    counts: &mut Vec<Count>,
    scratch: &mut Scratch,
) {
    count_common_ones(kernel, layout, &left, &right, &mut scratch.sums);
    counts.clear();
    counts.extend(scratch.sums.iter());
}

/// Counts the ones of a bitmap, by class.
fn count_ones(kernel: Kernel, layout: Layout, bits: &[Block]) -> Count {
    let (cases, controls) = bits.split_at(layout.positive_blocks());
    Count { positive: kernel.count(cases), negative: kernel.count(controls) }
}

/// Counts the ones that every left bitmap has in common with every right bitmap, by class.
fn count_common_ones(kernel: Kernel, layout: Layout, left: &[&[Block]], right: &[&[Block]], sums: &mut Sums) {
    let split = layout.positive_blocks();
    for (class, counts) in [(0..split, &mut sums.positive), (split..layout.blocks(), &mut sums.negative)] {
        counts.clear();
        counts.resize(left.len() * right.len(), 0);
        for start in class.clone().step_by(PIECE) {
            let chunk = start..class.end.min(start + PIECE);
            let left: Vec<&[Block]> = left.iter().map(|bits| &bits[chunk.clone()]).collect();
            let right: Vec<&[Block]> = right.iter().map(|bits| &bits[chunk.clone()]).collect();
            kernel.grid(&left, &right, counts);
        }
    }
}

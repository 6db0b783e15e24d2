//! Some rows of the data, and some bitmaps in them: what conjunctions are counted in.
//!
//! Where many conjunctions have a column in common it pays to *squeeze* the others onto its rows first: they
//! become as short as it is rare. The same holds again within those rows, so the counting of all subsets of a
//! pool goes down from view to narrower view.

use std::ops::Range;

use super::Count;
use super::family::binomial;
use super::kernel::{Kernel, PIECE, Pick, picks};
use crate::dataset::{Block, Layout};

/// Left bitmaps that meet the right ones together.
const GROUP: usize = 4;

/// Bitmaps in some rows of the data.
pub(super) struct View<'a> {
    kernel: Kernel,
    layout: Layout,
    /// Only these rows count; all if there is no mask.
    mask: Option<&'a [Block]>,
    total: Count,
    members: Vec<Member<'a>>,
}

/// A bitmap of a view that is 1 in at least one of its rows.
#[derive(Clone, Copy)]
struct Member<'a> {
    /// The place in the pool of what it stands for; members are in ascending order.
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

/// What a thread uses again from view to view.
#[derive(Default)]
pub(super) struct Scratch {
    sums: Sums,
    picks: Vec<Pick>,
    /// Room for bitmaps that is not in use.
    rooms: Vec<Vec<Block>>,
}

impl Scratch {
    pub fn room(&mut self) -> Vec<Block> {
        self.rooms.pop().unwrap_or_default()
    }

    pub fn give_back(&mut self, room: Vec<Block>) {
        self.rooms.push(room);
    }
}

impl<'a> View<'a> {
    /// Bitmaps of `pool`, by their places in it, in all rows or in those of a mask.
    pub fn new(
        kernel: Kernel,
        layout: Layout,
        mask: Option<&'a [Block]>,
        pool: impl Iterator<Item = (usize, &'a [Block])>,
        scratch: &mut Scratch,
    ) -> Self {
        let rows = Count { positive: layout.positive, negative: layout.negative };
        let total = mask.map_or(rows, |mask| count(kernel, layout, mask));
        let mut members: Vec<Member<'a>> =
            pool.map(|(place, bits)| Member { place, bits, count: Count::default() }).collect();
        if let Some(mask) = mask {
            let bits: Vec<&[Block]> = members.iter().map(|member| member.bits).collect();
            grid(kernel, layout, &[mask], &bits, &mut scratch.sums);
            members.iter_mut().zip(scratch.sums.iter()).for_each(|(member, count)| member.count = count);
        } else {
            members.iter_mut().for_each(|member| member.count = count(kernel, layout, member.bits));
        }
        members.retain(|member| member.count.total() > 0);
        View { kernel, layout, mask, total, members }
    }

    /// The rows that count.
    pub fn total(&self) -> Count {
        self.total
    }

    /// The member with this place in the pool; none if it holds nowhere here.
    fn member(&self, place: usize) -> Option<&Member<'a>> {
        self.members.binary_search_by_key(&place, |member| member.place).ok().map(|at| &self.members[at])
    }

    fn among(&self, places: Range<usize>) -> &[Member<'a>] {
        let at = |place: usize| self.members.partition_point(|member| member.place < place);
        &self.members[at(places.start)..at(places.end)]
    }

    /// Squeezes the members onto the rows that count, into `room`, if that pays before the counting of so many
    /// sets of them.
    pub fn squeeze<'b>(self, sets: u128, room: &'b mut Vec<Block>, scratch: &mut Scratch) -> View<'b>
    where
        'a: 'b,
    {
        let Some(mask) = self.mask else { return self };
        let squeezed = Layout { positive: self.total.positive, negative: self.total.negative };
        let (long, short) = (self.layout.blocks(), squeezed.blocks());
        // Squeezing a word costs about as much as counting a block.
        let words = (self.total.total() as usize).min(8 * long);
        let cost = (self.members.len() * words) as u128 + sets * short as u128;
        if self.members.is_empty() || cost >= sets * long as u128 {
            return self;
        }
        room.clear();
        room.resize(self.members.len() * short, Block::ZERO);
        let (cases, split) = (self.layout.positive_blocks(), squeezed.positive_blocks());
        for (from, to) in [(0..cases, 0..split), (cases..long, split..short)] {
            scratch.picks.clear();
            scratch.picks.extend(picks(&mask[from.clone()]));
            for (member, out) in self.members.iter().zip(room.chunks_exact_mut(short)) {
                self.kernel.squeeze(&scratch.picks, &member.bits[from.clone()], &mut out[to.clone()]);
            }
        }
        let members = self
            .members
            .iter()
            .zip(room.chunks_exact(short))
            .map(|(member, bits)| Member { bits, ..*member })
            .collect();
        View { layout: squeezed, mask: None, members, ..self }
    }

    /// Puts the counts of the sets with this newest member and up to `largest` members in all, by size and then
    /// lexicographically, at the end of `counts`.
    pub fn newest(&self, place: usize, largest: usize, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        self.extend(place, 0..place, 0..largest, counts, scratch);
    }

    /// For each size in `sizes`, the counts of `place` together with every set of so many others in `among`.
    fn extend(
        &self,
        place: usize,
        among: Range<usize>,
        sizes: Range<usize>,
        counts: &mut Vec<Count>,
        scratch: &mut Scratch,
    ) {
        let sets = |size: usize| binomial(among.len(), size) as usize;
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
        let (mut rows_room, mut room) = (scratch.room(), scratch.room());
        let rows: &[Block] = match self.mask {
            Some(mask) => {
                rows_room.resize(mask.len(), Block::ZERO);
                self.kernel.and(mask, member.bits, &mut rows_room);
                &rows_room
            }
            None => member.bits,
        };
        let others = self.among(among.clone()).iter().map(|other| (other.place, other.bits));
        let view = View::new(self.kernel, self.layout, Some(rows), others, scratch);
        let larger = if sizes.end > 2 { binomial(view.members.len(), sizes.end - 1) } else { 0 };
        let view = view.squeeze(larger, &mut room, scratch);
        for size in sizes {
            view.subsets(among.clone(), size, counts, scratch);
        }
        scratch.give_back(rows_room);
        scratch.give_back(room);
    }

    /// The counts of all sets of `size` members in `among`, lexicographically.
    fn subsets(&self, among: Range<usize>, size: usize, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        match size {
            0 => counts.push(self.total),
            1 => {
                let start = counts.len();
                counts.resize(start + among.len(), Count::default());
                for member in self.among(among.clone()) {
                    counts[start + member.place - among.start] = member.count;
                }
            }
            2 => self.pairs(among, counts, scratch),
            _ => {
                for place in among.clone() {
                    self.extend(place, place + 1..among.end, size - 1..size, counts, scratch);
                }
            }
        }
    }

    /// Puts the counts of every left member with every right one, by their places in the pool, into `counts`, row
    /// by row.
    pub fn grid(&self, left: &[usize], right: &[usize], counts: &mut Vec<Count>, scratch: &mut Scratch) {
        counts.clear();
        counts.resize(left.len() * right.len(), Count::default());
        let present = |places: &[usize]| -> (Vec<usize>, Vec<Member<'a>>) {
            places.iter().enumerate().filter_map(|(i, &place)| Some((i, *self.member(place)?))).unzip()
        };
        let ((rows, left), (columns, right_members)) = (present(left), present(right));
        let bits: Vec<&[Block]> = right_members.iter().map(|member| member.bits).collect();
        self.meet(&left, &bits, scratch);
        for (l, row) in rows.iter().enumerate() {
            for (r, column) in columns.iter().enumerate() {
                counts[row * right.len() + column] = scratch.sums.get(l * bits.len() + r);
            }
        }
    }

    /// Counts each left member with each right bitmap, within the mask, into the sums of `scratch`.
    fn meet(&self, left: &[Member<'_>], right: &[&[Block]], scratch: &mut Scratch) {
        let Some(mask) = self.mask else {
            let left: Vec<&[Block]> = left.iter().map(|member| member.bits).collect();
            return grid(self.kernel, self.layout, &left, right, &mut scratch.sums);
        };
        let mut room = scratch.room();
        room.resize(left.len() * mask.len(), Block::ZERO);
        let masked = room.chunks_exact_mut(mask.len().max(1));
        masked.zip(left).for_each(|(out, member)| self.kernel.and(mask, member.bits, out));
        let left: Vec<&[Block]> = room.chunks_exact(mask.len().max(1)).take(left.len()).collect();
        grid(self.kernel, self.layout, &left, right, &mut scratch.sums);
        scratch.give_back(room);
    }

    fn pairs(&self, among: Range<usize>, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        let (start, n) = (counts.len(), among.len());
        counts.resize(start + n * n.saturating_sub(1) / 2, Count::default());
        // Where the pairs with a given first member begin.
        let row = |first: usize| start + first * (2 * n - first - 1) / 2;
        let members = self.among(among.clone());
        for (number, left) in members.chunks(GROUP).enumerate() {
            let right = &members[number * GROUP + 1..];
            let bits: Vec<&[Block]> = right.iter().map(|member| member.bits).collect();
            self.meet(left, &bits, scratch);
            for (l, first) in left.iter().enumerate() {
                let row = row(first.place - among.start);
                for (r, second) in right.iter().enumerate().skip(l) {
                    counts[row + second.place - first.place - 1] = scratch.sums.get(l * right.len() + r);
                }
            }
        }
    }
}

/// Puts the counts of every left bitmap with every right one, in all rows, into `counts`, row by row.
pub(super) fn whole_grid(
    kernel: Kernel,
    layout: Layout,
    left: Vec<&[Block]>,
    right: Vec<&[Block]>,
    counts: &mut Vec<Count>,
    scratch: &mut Scratch,
) {
    grid(kernel, layout, &left, &right, &mut scratch.sums);
    counts.clear();
    counts.extend(scratch.sums.iter());
}

/// The ones of a bitmap.
fn count(kernel: Kernel, layout: Layout, bits: &[Block]) -> Count {
    let (cases, controls) = bits.split_at(layout.positive_blocks());
    Count { positive: kernel.count(cases), negative: kernel.count(controls) }
}

/// The ones that every left bitmap has in common with every right one.
fn grid(kernel: Kernel, layout: Layout, left: &[&[Block]], right: &[&[Block]], sums: &mut Sums) {
    let split = layout.positive_blocks();
    for (class, counts) in [(0..split, &mut sums.positive), (split..layout.blocks(), &mut sums.negative)] {
        counts.clear();
        counts.resize(left.len() * right.len(), 0);
        for start in class.clone().step_by(PIECE) {
            let piece = start..class.end.min(start + PIECE);
            let left: Vec<&[Block]> = left.iter().map(|bits| &bits[piece.clone()]).collect();
            let right: Vec<&[Block]> = right.iter().map(|bits| &bits[piece.clone()]).collect();
            kernel.grid(&left, &right, counts);
        }
    }
}

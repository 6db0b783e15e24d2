//! The rows of a dataset grouped by configuration.
//!
//! Rows are taken 64 at a time, a word of every bitmap, and looked up by which terms hold in them; pieces of the data
//! are grouped side by side and then put together. Nothing is held for each row unless that is asked for.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use super::configurations::words;
use super::{Configurations, Count};
use crate::dataset::{BLOCK_BITS, Block, Layout, ones};

/// Words of a bitmap that one thread takes at a time.
const PIECE: usize = 512;

/// The configurations of some terms, and which of them each row has.
pub(super) struct Grouped {
    pub configurations: Configurations,
    split: usize,
    /// By place in a bitmap, for the rows that count; empty if not asked for.
    of_row: Vec<u32>,
}

impl Grouped {
    /// Groups the rows of `counted` by the bitmaps of the terms, which must be within these rows; notes the
    /// configuration of each row if asked to.
    pub fn new(layout: Layout, counted: &[Block], terms: &[impl AsRef<[Block]>], note_rows: bool) -> Self {
        let split = layout.positive_blocks() * BLOCK_BITS as usize;
        let rows = Rows {
            counted: Block::words(counted),
            terms: terms.iter().map(|term| Block::words(term.as_ref())).collect(),
            width: words(terms.len()),
        };
        let found = (0..rows.counted.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| rows.tally(piece, split))
            .reduce(Tally::default, put_together);
        let mut found: Vec<(Box<[u64]>, Count)> = found.into_iter().collect();
        found.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let of_row = if note_rows { rows.numbers(&found) } else { Vec::new() };
        let keys = found.iter().flat_map(|(key, _)| key.iter().copied()).collect();
        let counts = found.iter().map(|(_, count)| *count).collect();
        Self { configurations: Configurations::new(terms.len(), keys, counts), split, of_row }
    }

    /// The ones of a bitmap, which must be within the rows that count, in each configuration.
    pub fn count(&self, bits: &[Block], counts: &mut Vec<Count>) {
        counts.clear();
        counts.resize(self.configurations.len(), Count::default());
        for place in ones(Block::words(bits)) {
            add(&mut counts[self.of_row[place] as usize], place < self.split);
        }
    }
}

/// The rows of each configuration, by the bits of the terms that hold in it.
type Tally = HashMap<Box<[u64]>, Count, BuildHasherDefault<Fold>>;

fn put_together(mut one: Tally, mut other: Tally) -> Tally {
    if one.len() < other.len() {
        std::mem::swap(&mut one, &mut other);
    }
    for (key, count) in other {
        let sum = one.entry(key).or_default();
        *sum = *sum + count;
    }
    one
}

/// Bitmaps of rows and terms, as words.
struct Rows<'a> {
    counted: &'a [u64],
    terms: Vec<&'a [u64]>,
    /// The words of a key.
    width: usize,
}

impl Rows<'_> {
    /// The configurations of the rows of a piece.
    fn tally(&self, piece: usize, split: usize) -> Tally {
        let mut tally = Tally::default();
        self.for_each(piece, |place, key| {
            if let Some(count) = tally.get_mut(key) {
                add(count, place < split);
            } else {
                add(tally.entry(key.into()).or_default(), place < split);
            }
        });
        tally
    }

    /// The number of the configuration of each row, by place.
    fn numbers(&self, found: &[(Box<[u64]>, Count)]) -> Vec<u32> {
        let numbered = (0u32..).zip(found).map(|(number, (key, _))| (&**key, number));
        let numbers: HashMap<&[u64], u32, BuildHasherDefault<Fold>> = numbered.collect();
        let mut of_row = vec![0; 64 * self.counted.len()];
        of_row.par_chunks_mut(64 * PIECE).enumerate().for_each(|(piece, of_row)| {
            let start = 64 * PIECE * piece;
            self.for_each(piece, |place, key| of_row[place - start] = numbers[key]);
        });
        of_row
    }

    /// Visits the rows of a piece that count: the place of each, and the bits of the terms that hold in it.
    fn for_each(&self, piece: usize, mut visit: impl FnMut(usize, &[u64])) {
        let width = self.width;
        let mut keys = vec![0u64; 64 * width];
        for word in PIECE * piece..self.counted.len().min(PIECE * (piece + 1)) {
            if self.counted[word] == 0 {
                continue;
            }
            keys.fill(0);
            for (term, bits) in self.terms.iter().enumerate() {
                let bit = 1 << (term % 64);
                ones(&bits[word..word + 1]).for_each(|row| keys[row * width + term / 64] |= bit);
            }
            for row in ones(&self.counted[word..word + 1]) {
                visit(64 * word + row, &keys[row * width..(row + 1) * width]);
            }
        }
    }
}

/// Multiplies and folds: keys are few and come from the data, so that only speed matters.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let product = u128::from(self.0 ^ u64::from_le_bytes(word)) * 0x9e37_79b9_7f4a_7c15;
            self.0 = product as u64 ^ (product >> 64) as u64 ^ 0xbf58_476d_1ce4_e5b9;
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn add(count: &mut Count, is_case: bool) {
    count.positive += u64::from(is_case);
    count.negative += u64::from(!is_case);
}

//! Groups the rows of a dataset by configuration.
//!
//! Rows are read 64 at a time, one word of every bitmap, and tallied by the terms that hold in them. Threads tally
//! chunks of the data, and the tallies are merged. The configuration of each row is stored only on request.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use super::configurations::words;
use super::{Configurations, Count};
use crate::dataset::{BLOCK_BITS, Block, Layout, ones};

/// The number of words of a bitmap that a thread tallies at a time.
const CHUNK: usize = 512;

/// The configurations of some terms, and the configuration of each row.
pub(super) struct Grouped {
    pub configurations: Configurations,
    /// The position of the first control in a bitmap.
    split: usize,
    /// The index of each row's configuration, by position in a bitmap; empty unless requested.
    by_row: Vec<u32>,
}

impl Grouped {
    /// Groups the rows of `counted` by the bitmaps of the terms, which must be 0 in all other rows. With `store_rows`,
    /// stores the configuration of each row.
    pub fn new(layout: Layout, counted: &[Block], terms: &[impl AsRef<[Block]>], store_rows: bool) -> Self {
        let split = layout.positive_blocks() * BLOCK_BITS as usize;
        let rows = Rows {
            counted: Block::words(counted),
            terms: terms.iter().map(|term| Block::words(term.as_ref())).collect(),
            width: words(terms.len()),
        };
        let found = (0..rows.counted.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| rows.tally(chunk, split))
            .reduce(Tally::default, merge_tallies);
        let mut found: Vec<(Box<[u64]>, Count)> = found.into_iter().collect();
        found.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let by_row = if store_rows { rows.index_rows(&found) } else { Vec::new() };
        let keys = found.iter().flat_map(|(key, _)| key.iter().copied()).collect();
        let counts = found.iter().map(|(_, count)| *count).collect();
        Self { configurations: Configurations::new(terms.len(), keys, counts), split, by_row }
    }

    /// The index of the configuration of the row at a position. The rows must have been stored.
    pub fn configuration(&self, position: usize) -> usize {
        self.by_row[position] as usize
    }

    /// Counts the ones of a bitmap in each configuration. The bitmap must be 0 in rows that are not counted.
    pub fn count(&self, bits: &[Block], counts: &mut Vec<Count>) {
        counts.clear();
        counts.resize(self.configurations.len(), Count::default());
        for position in ones(Block::words(bits)) {
            add_row(&mut counts[self.by_row[position] as usize], position < self.split);
        }
    }
}

/// The count of each configuration, by its key.
type Tally = HashMap<Box<[u64]>, Count, BuildHasherDefault<FoldHasher>>;

fn merge_tallies(mut one: Tally, mut other: Tally) -> Tally {
    if one.len() < other.len() {
        std::mem::swap(&mut one, &mut other);
    }
    for (key, count) in other {
        let sum = one.entry(key).or_default();
        *sum = *sum + count;
    }
    one
}

/// The bitmaps of the counted rows and of the terms, as words.
struct Rows<'a> {
    counted: &'a [u64],
    terms: Vec<&'a [u64]>,
    /// The number of words of a key.
    width: usize,
}

impl Rows<'_> {
    /// Counts the configurations in a chunk.
    fn tally(&self, chunk: usize, split: usize) -> Tally {
        let mut tally = Tally::default();
        self.for_each(chunk, |position, key| {
            // The look-up avoids the allocation of a key for each row.
            if let Some(count) = tally.get_mut(key) {
                add_row(count, position < split);
            } else {
                add_row(tally.entry(key.into()).or_default(), position < split);
            }
        });
        tally
    }

    /// The index of the configuration of each row, by position.
    fn index_rows(&self, found: &[(Box<[u64]>, Count)]) -> Vec<u32> {
        let indexed = (0u32..).zip(found).map(|(index, (key, _))| (&**key, index));
        let indices: HashMap<&[u64], u32, BuildHasherDefault<FoldHasher>> = indexed.collect();
        let mut by_row = vec![0; 64 * self.counted.len()];
        by_row.par_chunks_mut(64 * CHUNK).enumerate().for_each(|(chunk, by_row)| {
            let start = 64 * CHUNK * chunk;
            self.for_each(chunk, |position, key| by_row[position - start] = indices[key]);
        });
        by_row
    }

    /// Visits the counted rows of a chunk: the position and the key of each.
    fn for_each(&self, chunk: usize, mut visit: impl FnMut(usize, &[u64])) {
        let width = self.width;
        let mut keys = vec![0u64; 64 * width];
        for word in CHUNK * chunk..self.counted.len().min(CHUNK * (chunk + 1)) {
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

/// A fast hash by multiplication and folding. Keys are few and are not chosen by an attacker.
#[derive(Default)]
struct FoldHasher(u64);

impl Hasher for FoldHasher {
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

fn add_row(count: &mut Count, is_case: bool) {
    count.positive += u64::from(is_case);
    count.negative += u64::from(!is_case);
}

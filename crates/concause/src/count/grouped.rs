//! Groups the rows of a dataset by configuration.
//!
//! Rows are read 64 at a time, one word of every bitmap, and tallied by the terms that hold in them. Threads tally
//! chunks of the data, and the tallies are merged. The configuration of each row is stored only on request.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use rayon::prelude::*;

use super::{Configurations, Count};
use crate::dataset::{BLOCK_BITS, Block, Layout, ones};

/// The number of words of a bitmap that a thread tallies at a time.
const CHUNK: usize = 512;

/// The configurations of some terms, and the configuration of each row.
#[derive(Debug)]
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
            width: Configurations::words_for(terms.len()),
        };
        let (configurations, by_row) = match rows.width {
            0 | 1 => rows.group::<[u64; 1]>(split, store_rows),
            2 => rows.group::<[u64; 2]>(split, store_rows),
            3 => rows.group::<[u64; 3]>(split, store_rows),
            _ => rows.group::<Box<[u64]>>(split, store_rows),
        };
        Self { configurations, split, by_row }
    }

    /// The index of the configuration of the row at a position. The rows must have been stored.
    pub fn configuration(&self, position: usize) -> usize {
        self.by_row[position] as usize
    }

    /// Counts the ones of a bitmap in each configuration. The bitmap must be 0 in rows that are not counted.
    pub fn count(&self, bits: &[Block], counts: &mut Vec<Count>) {
        counts.clear();
        counts.resize(self.configurations.len(), Count::default());
        let (cases, controls) = Block::words(bits).split_at(self.split / 64);
        let (of_cases, of_controls) = self.by_row.split_at(self.split);
        ones(cases).for_each(|position| counts[of_cases[position] as usize].positive += 1);
        ones(controls).for_each(|position| counts[of_controls[position] as usize].negative += 1);
    }
}

/// The key of a configuration: a bit for each term.
trait Key: Clone + Eq + Hash + Ord + Send + Sync {
    fn from_words(words: &[u64]) -> Self;
    fn push_words(&self, words: &mut Vec<u64>);
}

impl<const N: usize> Key for [u64; N] {
    fn from_words(words: &[u64]) -> Self {
        let mut key = [0; N];
        key[..words.len()].copy_from_slice(words);
        key
    }

    fn push_words(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(self);
    }
}

impl Key for Box<[u64]> {
    fn from_words(words: &[u64]) -> Self {
        words.into()
    }

    fn push_words(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(self);
    }
}

/// Configurations in the order in which they were met.
struct Tally<K> {
    numbers: HashMap<K, u32, BuildHasherDefault<FoldHasher>>,
    counts: Vec<Count>,
}

impl<K: Key> Tally<K> {
    fn new() -> Self {
        Self { numbers: HashMap::default(), counts: Vec::new() }
    }

    /// The number of a configuration.
    fn number(&mut self, key: K) -> u32 {
        let number = *self.numbers.entry(key).or_insert(self.counts.len() as u32);
        if number as usize == self.counts.len() {
            self.counts.push(Count::default());
        }
        number
    }
}

/// The bitmaps of the counted rows and of the terms, as words.
struct Rows<'a> {
    counted: &'a [u64],
    terms: Vec<&'a [u64]>,
    /// The number of words of a key.
    width: usize,
}

impl Rows<'_> {
    /// The configurations in the order of their keys and, on request, that of each row by position.
    fn group<K: Key>(&self, split: usize, store_rows: bool) -> (Configurations, Vec<u32>) {
        let chunks: Vec<(Tally<K>, Vec<u32>)> = (0..self.counted.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| self.tally(chunk, split, store_rows))
            .collect();
        let mut all: Tally<K> = Tally::new();
        let mut numbers: Vec<Vec<u32>> = Vec::with_capacity(chunks.len());
        for (tally, _) in &chunks {
            let mut of_chunk = vec![0; tally.counts.len()];
            for (key, &place) in &tally.numbers {
                let number = all.number(key.clone());
                all.counts[number as usize] = all.counts[number as usize] + tally.counts[place as usize];
                of_chunk[place as usize] = number;
            }
            numbers.push(of_chunk);
        }
        let mut order: Vec<(&K, u32)> = all.numbers.iter().map(|(key, &number)| (key, number)).collect();
        order.sort_unstable();
        let mut place = vec![0; order.len()];
        let mut keys = Vec::with_capacity(order.len() * self.width);
        for (index, (key, number)) in (0u32..).zip(&order) {
            place[*number as usize] = index;
            if self.width > 0 {
                key.push_words(&mut keys);
            }
        }
        let counts = order.iter().map(|(_, number)| all.counts[*number as usize]).collect();
        let mut by_row = vec![0; if store_rows { 64 * self.counted.len() } else { 0 }];
        let rows = by_row.par_chunks_mut(64 * CHUNK).zip(&chunks).zip(&numbers).enumerate();
        rows.for_each(|(chunk, ((by_row, (_, of_rows)), numbers))| {
            let counted = &self.counted[CHUNK * chunk..self.counted.len().min(CHUNK * (chunk + 1))];
            for (position, &number) in ones(counted).zip(of_rows) {
                by_row[position] = place[numbers[number as usize] as usize];
            }
        });
        (Configurations::new(self.terms.len(), keys, counts), by_row)
    }

    /// Counts the configurations in a chunk and, on request, numbers those of its rows.
    fn tally<K: Key>(&self, chunk: usize, split: usize, store_rows: bool) -> (Tally<K>, Vec<u32>) {
        let mut tally = Tally::new();
        let mut of_rows = Vec::new();
        self.for_each(chunk, |position, words| {
            let number = tally.number(K::from_words(words));
            add_row(&mut tally.counts[number as usize], position < split);
            if store_rows {
                of_rows.push(number);
            }
        });
        (tally, of_rows)
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

//! The distinct texts of an attribute, each with a code.
//!
//! All texts lie in one buffer and are found by open addressing, so that no cell costs an allocation. Texts
//! that stand for a missing value are entries too, with code 0: a cell is looked up once and never compared
//! with the marks again.

use std::hint::black_box;

use super::word::{MissingMarks, number};

/// Why a cell cannot be text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellFault {
    NotUtf8,
    Nul,
}

/// Checks that bytes are text without a NUL.
pub(crate) fn cell_text(bytes: &[u8]) -> Result<&str, CellFault> {
    if bytes.contains(&0) {
        return Err(CellFault::Nul);
    }
    std::str::from_utf8(bytes).map_err(|_| CellFault::NotUtf8)
}

/// The bytes of a cell that are compared as one number.
const HEAD_BYTES: usize = 16;

/// The bytes of a cell with the first of them as a number: most cells are told apart by that number alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBytes<'a> {
    bytes: &'a [u8],
    head: u128,
}

impl<'a> CellBytes<'a> {
    /// A cell that stands alone.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut head = [0; HEAD_BYTES];
        let length = bytes.len().min(HEAD_BYTES);
        head[..length].copy_from_slice(&bytes[..length]);
        Self { bytes, head: u128::from_le_bytes(head) }
    }

    /// The cell from `start` to `end` of a text: its head is one load where the text goes on far enough.
    #[inline]
    pub fn within(text: &'a [u8], start: usize, end: usize) -> Self {
        let bytes = &text[start..end];
        match text[start..].first_chunk::<HEAD_BYTES>() {
            Some(head) => {
                let mask = HEAD_MASKS[bytes.len().min(HEAD_BYTES)];
                Self { bytes, head: u128::from_le_bytes(*head) & mask }
            }
            None => Self::new(bytes),
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The last of its bytes as a number, which shares some with the head if the cell is short.
    #[inline]
    fn last(&self) -> u128 {
        self.bytes.last_chunk().map_or(0, |last: &[u8; HEAD_BYTES]| u128::from_le_bytes(*last))
    }

    /// Multiplies and folds, so that cells beside each other in time do not wait for each other; only speed matters.
    #[inline]
    fn hash(&self) -> usize {
        let (low, high) = (self.head as u64, (self.head >> 64) as u64);
        let state = fold(low ^ HASH_FACTORS[0] ^ self.bytes.len() as u64, high ^ HASH_FACTORS[1]);
        if self.bytes.len() <= HEAD_BYTES { state as usize } else { self.hash_rest(state) }
    }

    #[inline]
    fn hash_rest(&self, state: u64) -> usize {
        let last = self.last();
        let mut state = fold(state ^ last as u64, (last >> 64) as u64 ^ HASH_FACTORS[1]);
        for bytes in middle(self.bytes).chunks(8) {
            let word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            state = fold(state ^ word, HASH_FACTORS[1]);
        }
        state as usize
    }
}

/// The bytes of a long text without its first and last sixteen.
fn middle(bytes: &[u8]) -> &[u8] {
    bytes.get(HEAD_BYTES..bytes.len().saturating_sub(HEAD_BYTES)).unwrap_or_default()
}

const HASH_FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];

/// Both halves of a product, joined.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// A dictionary of so many entries does not stay in the cache.
const LARGE: usize = 2048;

/// What keeps so many bytes of a head.
const HEAD_MASKS: [u128; HEAD_BYTES + 1] = {
    let mut masks = [u128::MAX; HEAD_BYTES + 1];
    let mut length = 0;
    while length < HEAD_BYTES {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

/// A distinct text.
#[derive(Clone, Copy, Debug)]
struct Entry {
    head: u128,
    last: u128,
    /// Where it lies among the texts.
    start: usize,
    length: u32,
    /// 0 for a missing mark, else the number of the value counted from 1.
    code: u32,
}

/// The distinct texts of an attribute and the values among them.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    text: String,
    entries: Vec<Entry>,
    /// The entry of each value.
    values: Vec<u32>,
    /// The number each value says; "not a number" for text.
    numbers: Vec<f64>,
    words: usize,
    /// Entry numbers plus 1, by hash; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Dictionary {
    /// The number of values, without missing marks.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The number of values that are not numbers.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The value with a code from 1 on.
    pub fn value(&self, code: usize) -> &str {
        self.text_of(&self.entries[self.values[code - 1] as usize])
    }

    /// The number that the value with a code from 1 on says.
    pub fn number(&self, code: usize) -> Option<f64> {
        Some(self.numbers[code - 1]).filter(|number| !number.is_nan())
    }

    /// The codes from 1 on with their values.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..=self.len()).map(|code| (code, self.value(code)))
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.text.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.numbers.capacity() * 8
            + (self.values.capacity() + self.slots.capacity()) * 4
    }

    /// The code of a cell, new or known; `declared` values are never missing.
    #[inline(always)]
    pub fn code(
        &mut self,
        cell: CellBytes<'_>,
        marks: &MissingMarks,
        declared: &[String],
    ) -> Result<u32, CellFault> {
        match self.find(cell) {
            Some(code) => Ok(code),
            None => self.insert(cell, marks, declared),
        }
    }

    /// The code here of the value that has a code from 1 on in another dictionary of the same attribute.
    pub fn code_of(&mut self, other: &Self, code: usize) -> u32 {
        let Entry { head, .. } = other.entries[other.values[code - 1] as usize];
        let text = other.value(code);
        let cell = CellBytes { bytes: text.as_bytes(), head };
        self.find(cell).unwrap_or_else(|| self.add(text, cell, Some(other.numbers[code - 1])))
    }

    /// Brings what looking up these cells needs into the cache, all of it at once and not cell by cell.
    pub fn warm<'a>(&self, cells: impl Iterator<Item = CellBytes<'a>> + Clone) {
        let Some(mask) = self.slots.len().checked_sub(1) else { return };
        if self.entries.len() < LARGE {
            return;
        }
        let slots = cells.map(|cell| self.slots[cell.hash() & mask]);
        let entries = slots.clone().filter_map(|slot| self.entries.get(slot.checked_sub(1)? as usize));
        black_box(slots.fold(0, |sum, slot| sum ^ slot));
        black_box(entries.fold(0, |sum, entry| sum ^ entry.length));
    }

    #[inline(always)]
    fn find(&self, cell: CellBytes<'_>) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = cell.hash() & mask;
        while self.slots[slot] != 0 {
            let entry = &self.entries[self.slots[slot] as usize - 1];
            if self.holds(entry, cell) {
                return Some(entry.code);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    #[inline(always)]
    fn holds(&self, entry: &Entry, cell: CellBytes<'_>) -> bool {
        entry.head == cell.head
            && entry.length as usize == cell.bytes.len()
            && (cell.bytes.len() <= HEAD_BYTES
                || entry.last == cell.last()
                    && (cell.bytes.len() <= 2 * HEAD_BYTES
                        || middle(self.text_of(entry).as_bytes()) == middle(cell.bytes)))
    }

    #[cold]
    fn insert(
        &mut self,
        cell: CellBytes<'_>,
        marks: &MissingMarks,
        declared: &[String],
    ) -> Result<u32, CellFault> {
        let text = cell_text(cell.bytes)?;
        let is_value = !marks.contains(text) || declared.iter().any(|value| value == text);
        Ok(self.add(text, cell, is_value.then(|| number(text).unwrap_or(f64::NAN))))
    }

    /// Adds a text that is not there yet, and the number it says if it is a value.
    fn add(&mut self, text: &str, cell: CellBytes<'_>, value: Option<f64>) -> u32 {
        let number_of_entry = self.entries.len();
        let code = match value {
            None => 0,
            Some(number) => {
                self.values.push(number_of_entry as u32);
                self.words += usize::from(number.is_nan());
                self.numbers.push(number);
                self.values.len() as u32
            }
        };
        let (start, length) = (self.text.len(), text.len() as u32);
        self.entries.push(Entry { head: cell.head, last: cell.last(), start, length, code });
        self.text.push_str(text);
        if self.entries.len() * 2 > self.slots.len() {
            self.rehash();
        } else {
            self.place(number_of_entry);
        }
        code
    }

    fn text_of(&self, entry: &Entry) -> &str {
        &self.text[entry.start..entry.start + entry.length as usize]
    }

    fn rehash(&mut self) {
        self.slots = vec![0; (self.entries.len() * 4).next_power_of_two().max(8)];
        (0..self.entries.len()).for_each(|entry| self.place(entry));
    }

    fn place(&mut self, entry: usize) {
        let mask = self.slots.len() - 1;
        let Entry { head, .. } = self.entries[entry];
        let cell = CellBytes { bytes: self.text_of(&self.entries[entry]).as_bytes(), head };
        let mut slot = cell.hash() & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry as u32 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_stable_and_values_come_back() {
        let marks = MissingMarks::default();
        let mut dictionary = Dictionary::default();
        for round in 0..2 {
            for number in 0..3000u32 {
                let code = dictionary.code(CellBytes::new(format!("value {number}").as_bytes()), &marks, &[]);
                assert_eq!(code, Ok(number + 1), "round {round}");
                assert_eq!(dictionary.code(CellBytes::new(b"NA"), &marks, &[]), Ok(0));
            }
        }
        assert_eq!(dictionary.len(), 3000);
        assert_eq!(dictionary.value(17), "value 16");
    }

    #[test]
    fn a_declared_mark_is_a_value_and_faults_are_found() {
        let marks = MissingMarks::default();
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.code(CellBytes::new(b"NA"), &marks, &["NA".to_owned()]), Ok(1));
        assert_eq!(dictionary.code(CellBytes::new(b"12"), &marks, &[]), Ok(2));
        assert_eq!((dictionary.words(), dictionary.number(2)), (1, Some(12.0)));
        assert_eq!(dictionary.code(CellBytes::new(b"\xff"), &marks, &[]), Err(CellFault::NotUtf8));
        assert_eq!(dictionary.code(CellBytes::new(b"a\0"), &marks, &[]), Err(CellFault::Nul));
    }
}

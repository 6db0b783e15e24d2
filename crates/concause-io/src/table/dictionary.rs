//! The distinct texts of an attribute, each with a code.
//!
//! All texts are stored in one buffer and found by open addressing, so that no cell costs an allocation. Missing marks
//! are entries too, with code 0: a cell is looked up once and not compared with the marks again.

use std::hint::black_box;

use super::cell::{MissingMarks, parse_number};

/// Why the bytes of a cell are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellError {
    NotUtf8,
    Nul,
}

/// Checks that bytes are text without a NUL.
pub(crate) fn check_text(bytes: &[u8]) -> Result<&str, CellError> {
    if bytes.contains(&0) {
        return Err(CellError::Nul);
    }
    std::str::from_utf8(bytes).map_err(|_| CellError::NotUtf8)
}

/// The bytes of a cell that are compared as one number.
const HEAD_BYTES: usize = 16;

/// The bytes of a cell with the first of them as a number, which alone distinguishes most cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBytes<'a> {
    bytes: &'a [u8],
    head: u128,
}

impl<'a> CellBytes<'a> {
    /// A cell by itself.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut head = [0; HEAD_BYTES];
        let length = bytes.len().min(HEAD_BYTES);
        head[..length].copy_from_slice(&bytes[..length]);
        Self { bytes, head: u128::from_le_bytes(head) }
    }

    /// The cell from `start` to `end` of a text: its head is one load where the text is long enough.
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

    /// The last of its bytes as a number, which overlaps the head if the cell is short.
    #[inline]
    fn last(&self) -> u128 {
        self.bytes.last_chunk().map_or(0, |last: &[u8; HEAD_BYTES]| u128::from_le_bytes(*last))
    }

    /// Multiplies and folds, which lets the processor overlap the hashes of successive cells; only speed matters.
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

/// Both halves of a product, combined.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// A dictionary with this many entries does not stay in the cache.
const LARGE_ENTRIES: usize = 2048;

/// The masks that keep the first bytes of a head, by their number.
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
    /// Its offset in the buffer of texts.
    start: usize,
    length: u32,
    /// 0 for a missing mark, else the number of the value, counted from 1.
    code: u32,
}

/// The distinct texts of an attribute and the values among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    text: String,
    entries: Vec<Entry>,
    /// The entry of each value.
    values: Vec<u32>,
    /// The number that each value represents; "not a number" for text.
    numbers: Vec<f64>,
    texts: usize,
    /// Entry numbers plus 1, by hash; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Dictionary {
    /// The number of values, without missing marks.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The number of values that are not numbers.
    pub fn text_values(&self) -> usize {
        self.texts
    }

    /// The value of a code; codes begin with 1.
    pub fn value(&self, code: usize) -> &str {
        self.entry_text(&self.entries[self.values[code - 1] as usize])
    }

    /// The number that the value of a code represents.
    pub fn number(&self, code: usize) -> Option<f64> {
        Some(self.numbers[code - 1]).filter(|number| !number.is_nan())
    }

    /// The codes with their values.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> + Clone {
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
    ) -> Result<u32, CellError> {
        match self.find(cell) {
            Some(code) => Ok(code),
            None => self.insert(cell, marks, declared),
        }
    }

    /// The code of a value with its number, "not a number" for text; new or known.
    pub fn add_number(&mut self, text: &str, number: f64) -> u32 {
        let cell = CellBytes::new(text.as_bytes());
        self.find(cell).unwrap_or_else(|| self.add(text, cell, Some(number)))
    }

    /// The code here of a value of another dictionary of the same attribute.
    pub fn translate_code(&mut self, other: &Self, code: usize) -> u32 {
        let Entry { head, .. } = other.entries[other.values[code - 1] as usize];
        let text = other.value(code);
        let cell = CellBytes { bytes: text.as_bytes(), head };
        self.find(cell).unwrap_or_else(|| self.add(text, cell, Some(other.numbers[code - 1])))
    }

    /// Loads the entries of these cells into the cache, in parallel instead of cell by cell.
    pub fn prefetch<'a>(&self, cells: impl Iterator<Item = CellBytes<'a>> + Clone) {
        let Some(mask) = self.slots.len().checked_sub(1) else { return };
        if self.entries.len() < LARGE_ENTRIES {
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
                        || middle(self.entry_text(entry).as_bytes()) == middle(cell.bytes)))
    }

    #[cold]
    fn insert(
        &mut self,
        cell: CellBytes<'_>,
        marks: &MissingMarks,
        declared: &[String],
    ) -> Result<u32, CellError> {
        let text = check_text(cell.bytes)?;
        let is_value = !marks.contains(text) || declared.iter().any(|value| value == text);
        Ok(self.add(text, cell, is_value.then(|| parse_number(text).unwrap_or(f64::NAN))))
    }

    /// Adds a new text, with its number if it is a value.
    fn add(&mut self, text: &str, cell: CellBytes<'_>, value: Option<f64>) -> u32 {
        let entry_number = self.entries.len();
        let code = match value {
            None => 0,
            Some(number) => {
                self.values.push(entry_number as u32);
                self.texts += usize::from(number.is_nan());
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
            self.insert_slot(entry_number);
        }
        code
    }

    fn entry_text(&self, entry: &Entry) -> &str {
        &self.text[entry.start..entry.start + entry.length as usize]
    }

    fn rehash(&mut self) {
        self.slots = vec![0; (self.entries.len() * 4).next_power_of_two().max(8)];
        (0..self.entries.len()).for_each(|entry| self.insert_slot(entry));
    }

    fn insert_slot(&mut self, entry: usize) {
        let mask = self.slots.len() - 1;
        let Entry { head, .. } = self.entries[entry];
        let cell = CellBytes { bytes: self.entry_text(&self.entries[entry]).as_bytes(), head };
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
    fn codes_are_stable_and_give_their_values() {
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
    fn a_declared_mark_is_a_value_and_errors_are_found() {
        let marks = MissingMarks::default();
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.code(CellBytes::new(b"NA"), &marks, &["NA".to_owned()]), Ok(1));
        assert_eq!(dictionary.code(CellBytes::new(b"12"), &marks, &[]), Ok(2));
        assert_eq!((dictionary.text_values(), dictionary.number(2)), (1, Some(12.0)));
        assert_eq!(dictionary.code(CellBytes::new(b"\xff"), &marks, &[]), Err(CellError::NotUtf8));
        assert_eq!(dictionary.code(CellBytes::new(b"a\0"), &marks, &[]), Err(CellError::Nul));
    }
}

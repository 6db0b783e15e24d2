//! The distinct texts of an attribute, each with a code.
//!
//! All texts lie in one buffer and are found by open addressing, so that no cell costs an allocation. Texts
//! that stand for a missing value are entries too, with code 0: a cell is looked up once and never compared
//! with the marks again.

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

/// The distinct texts of an attribute and the values among them.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    text: String,
    /// Where each entry ends in `text`.
    ends: Vec<usize>,
    hashes: Vec<u32>,
    /// The code of each entry: 0 for a missing mark, else the number of the value counted from 1.
    codes: Vec<u32>,
    /// The entry of each value.
    values: Vec<u32>,
    /// The number each value says; "not a number" for text.
    numbers: Vec<f64>,
    words: usize,
    /// Entry numbers plus 1, by hash; 0 is free. The length is a power of two.
    slots: Vec<u32>,
    last: usize,
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
        self.entry(self.values[code - 1] as usize)
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
            + self.ends.capacity() * 8
            + self.numbers.capacity() * 8
            + (self.hashes.capacity()
                + self.codes.capacity()
                + self.values.capacity()
                + self.slots.capacity())
                * 4
    }

    /// The code of a cell, new or known; `declared` values are never missing.
    #[inline]
    pub fn code(&mut self, cell: &[u8], marks: &MissingMarks, declared: &[String]) -> Result<u32, CellFault> {
        if let Some(&end) = self.ends.get(self.last) {
            let start = if self.last == 0 { 0 } else { self.ends[self.last - 1] };
            if &self.text.as_bytes()[start..end] == cell {
                return Ok(self.codes[self.last]);
            }
        }
        let hash = hash(cell);
        if !self.slots.is_empty() {
            let mask = self.slots.len() - 1;
            let mut slot = hash as usize & mask;
            while self.slots[slot] != 0 {
                let entry = self.slots[slot] as usize - 1;
                if self.hashes[entry] == hash && self.entry(entry).as_bytes() == cell {
                    self.last = entry;
                    return Ok(self.codes[entry]);
                }
                slot = (slot + 1) & mask;
            }
        }
        self.insert(cell, hash, marks, declared)
    }

    #[cold]
    fn insert(
        &mut self,
        cell: &[u8],
        hash: u32,
        marks: &MissingMarks,
        declared: &[String],
    ) -> Result<u32, CellFault> {
        let text = cell_text(cell)?;
        let entry = self.ends.len();
        let is_value = !marks.contains(text) || declared.iter().any(|value| value == text);
        let code = if is_value {
            self.values.push(entry as u32);
            let number = number(text);
            self.words += usize::from(number.is_none());
            self.numbers.push(number.unwrap_or(f64::NAN));
            self.values.len() as u32
        } else {
            0
        };
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.hashes.push(hash);
        self.codes.push(code);
        self.last = entry;
        if (entry + 1) * 2 > self.slots.len() {
            self.rehash();
        } else {
            self.place(entry);
        }
        Ok(code)
    }

    fn entry(&self, entry: usize) -> &str {
        let start = if entry == 0 { 0 } else { self.ends[entry - 1] };
        &self.text[start..self.ends[entry]]
    }

    fn rehash(&mut self) {
        self.slots = vec![0; (self.ends.len() * 4).next_power_of_two().max(8)];
        (0..self.ends.len()).for_each(|entry| self.place(entry));
    }

    fn place(&mut self, entry: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = self.hashes[entry] as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry as u32 + 1;
    }
}

/// Multiply and rotate, eight bytes at a time; only speed matters here.
#[inline]
fn hash(bytes: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = (bytes.len() as u64).wrapping_mul(FACTOR);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = (state ^ u64::from_le_bytes(*chunk)).wrapping_mul(FACTOR).rotate_left(29);
    }
    let mut tail = 0;
    for &byte in rest {
        tail = tail << 8 | u64::from(byte);
    }
    state = (state ^ tail).wrapping_mul(FACTOR);
    (state ^ state >> 32) as u32
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
                let code = dictionary.code(format!("value {number}").as_bytes(), &marks, &[]);
                assert_eq!(code, Ok(number + 1), "round {round}");
                assert_eq!(dictionary.code(b"NA", &marks, &[]), Ok(0));
            }
        }
        assert_eq!(dictionary.len(), 3000);
        assert_eq!(dictionary.value(17), "value 16");
    }

    #[test]
    fn a_declared_mark_is_a_value_and_faults_are_found() {
        let marks = MissingMarks::default();
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.code(b"NA", &marks, &["NA".to_owned()]), Ok(1));
        assert_eq!(dictionary.code(b"12", &marks, &[]), Ok(2));
        assert_eq!((dictionary.words(), dictionary.number(2)), (1, Some(12.0)));
        assert_eq!(dictionary.code(b"\xff", &marks, &[]), Err(CellFault::NotUtf8));
        assert_eq!(dictionary.code(b"a\0", &marks, &[]), Err(CellFault::Nul));
    }
}

//! Splits unquoted text, many rows at a time.
//!
//! It finds the offsets of all separators first, many bytes at a time, and then pushes the cells of some rows column by
//! column, so that one dictionary at a time is in the cache. Text that it cannot read is left to [`super::record`],
//! which reports the errors.

use memchr::memchr;

use crate::table::cell::MissingMarks;
use crate::table::{CellBytes, Segment};

/// Cells that are pushed together: their text should stay in the cache while columns take turns.
const CELLS_AT_ONCE: usize = 2048;

/// Buffers that are reused from chunk to chunk.
#[derive(Debug, Default)]
pub(crate) struct UnquotedSplitter {
    /// For every row the start of each cell, and one past the separator after the last.
    starts: Vec<u32>,
    /// Start and end of the cells of one column, without the blanks around them.
    cells: Vec<(u32, u32)>,
    codes: Vec<u32>,
}

impl UnquotedSplitter {
    /// Appends the rows of a text of complete records without quotes; false if it is malformed.
    pub fn read(&mut self, text: &[u8], delimiter: u8, segment: &mut Segment, marks: &MissingMarks) -> bool {
        match memchr(b'\r', text) {
            None => self.read_separated(text, [delimiter, b'\n'], segment, marks),
            Some(_) => self.read_separated(text, [delimiter, b'\n', b'\r'], segment, marks),
        }
    }

    /// The first separator separates cells, the others separate rows.
    fn read_separated<const COUNT: usize>(
        &mut self,
        text: &[u8],
        needles: [u8; COUNT],
        segment: &mut Segment,
        marks: &MissingMarks,
    ) -> bool {
        let columns = segment.attributes.len();
        self.starts.clear();
        self.starts.push(0);
        // Where the current row begins in `starts`.
        let mut row = 0;
        let (blocks, rest) = text.as_chunks::<BLOCK_BYTES>();
        let mut last_block = [0; BLOCK_BYTES];
        last_block[..rest.len()].copy_from_slice(rest);
        for (number, block) in blocks.iter().chain([&last_block]).enumerate() {
            let mut separators = separators(block, needles);
            if number == blocks.len() {
                // The text may end without a line end: add one.
                separators = separators & !(u64::MAX << rest.len()) | 1 << rest.len();
            }
            while separators != 0 {
                let offset = number * BLOCK_BYTES + separators.trailing_zeros() as usize;
                separators &= separators - 1;
                self.starts.push(offset as u32 + 1);
                if text.get(offset) == needles.first() {
                    continue;
                }
                let cells = self.starts.len() - row - 1;
                if cells == 1 && text[self.starts[row] as usize..offset].iter().all(|&byte| is_blank(byte)) {
                    self.starts.truncate(row);
                } else if cells == columns {
                    row = self.starts.len();
                } else {
                    return false;
                }
                if row >= CELLS_AT_ONCE {
                    if !self.push(text, segment, marks) {
                        return false;
                    }
                    row = 0;
                }
                self.starts.push(offset as u32 + 1);
            }
        }
        self.starts.truncate(row);
        self.push(text, segment, marks)
    }

    /// Pushes the cells of all rows found; false if a cell is not text.
    fn push(&mut self, text: &[u8], segment: &mut Segment, marks: &MissingMarks) -> bool {
        let rows = self.starts.chunks_exact(segment.attributes.len() + 1);
        segment.rows += rows.len() as u64;
        for (column, attribute) in segment.attributes.iter_mut().enumerate() {
            self.cells.clear();
            self.cells.extend(
                rows.clone().map(|row| trimmed(text, row[column] as usize, row[column + 1] as usize - 1)),
            );
            let cells = self.cells.iter();
            let cells = cells.map(|&(start, end)| CellBytes::within(text, start as usize, end as usize));
            if attribute.push_all(cells, marks, &mut self.codes).is_err() {
                return false;
            }
        }
        self.starts.clear();
        true
    }
}

/// Start and end of a cell without the blanks around it.
#[inline]
fn trimmed(text: &[u8], mut start: usize, mut end: usize) -> (u32, u32) {
    // One blank after the separator is common; otherwise there is usually none.
    start += usize::from(start < end && text[start] == b' ');
    if start < end && (text[start] <= b' ' || text[end - 1] <= b' ') {
        while start < end && is_blank(text[start]) {
            start += 1;
        }
        while start < end && is_blank(text[end - 1]) {
            end -= 1;
        }
    }
    (start as u32, end as u32)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The number of bytes that are searched for separators in one step.
const BLOCK_BYTES: usize = 64;

/// A bit for every byte of a block that is one of the needles, found eight bytes at a time.
#[inline]
fn separators<const COUNT: usize>(block: &[u8; BLOCK_BYTES], needles: [u8; COUNT]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const LOW_BITS: u64 = u64::from_ne_bytes([0x7f; 8]);
    let needles = needles.map(|needle| u64::from(needle) * ONES);
    // The high bit of every byte that is not zero; no carry passes from byte to byte.
    let not_zero = |word: u64| ((word & LOW_BITS) + LOW_BITS) | word;
    let mut found = 0;
    for (number, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        let others = needles.iter().fold(!0, |others, needle| others & not_zero(word ^ needle));
        // The multiplication gathers the eight bits, eight positions apart, in the highest byte.
        let bits = (!others >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        found |= bits << (8 * number);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_found_among_all_bytes() {
        let needles = [b',', b'\n', b'\r'];
        for byte in 0..=u8::MAX {
            for offset in 0..BLOCK_BYTES {
                let mut block = [byte ^ 0x80; BLOCK_BYTES];
                block[offset] = byte;
                let expected = (0..BLOCK_BYTES).filter(|&offset| needles.contains(&block[offset]));
                let expected: u64 = expected.map(|offset| 1 << offset).sum();
                assert_eq!(separators(&block, needles), expected, "{byte} at {offset}");
            }
        }
    }
}

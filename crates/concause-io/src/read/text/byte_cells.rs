//! Reads unquoted text whose cells are nearly all one byte: 0 and 1, in wide tables.
//!
//! The cells of such a row are at its even offsets, so that no separator is searched. Rows are checked first, eight
//! bytes at a time, and then read column by column with a table of codes in place of a dictionary. Rows of another
//! shape are split one by one; text with many of them, and all errors, are left to [`super::unquoted`].

use memchr::memchr;

use super::record::trim;
use crate::table::cell::MissingMarks;
use crate::table::{ByteCodes, Segment};

/// Rows that are read together: their text should stay in the cache while columns take turns.
const ROWS_AT_ONCE: usize = 128;

/// Whether the first row of a text has cells of one byte alone.
pub(super) fn fits(text: &[u8], delimiter: u8, segment: &Segment) -> bool {
    !segment.attributes.is_empty() && row_end(text, 0, segment.attributes.len(), delimiter).is_some()
}

/// Appends the rows of a text of complete records; false if it has too many rows of another shape or a mistake. Some
/// rows may then have been appended.
pub(super) fn read(text: &[u8], delimiter: u8, segment: &mut Segment, marks: &MissingMarks) -> bool {
    let columns = segment.attributes.len();
    let mut known = vec![ByteCodes::new(); columns];
    let (mut starts, mut start) = (Vec::with_capacity(ROWS_AT_ONCE), 0);
    let (mut quick, mut slow) = (0u64, 0u64);
    while start < text.len() {
        if let Some(next) = row_end(text, start, columns, delimiter) {
            starts.push(start);
            start = next;
            if starts.len() == ROWS_AT_ONCE {
                quick += ROWS_AT_ONCE as u64;
                if !push_rows(text, &mut starts, segment, &mut known, marks) {
                    return false;
                }
            }
            continue;
        }
        slow += 1;
        if slow > 16 + quick || !push_rows(text, &mut starts, segment, &mut known, marks) {
            return false;
        }
        let end = memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end);
        if !push_row(&text[start..end], delimiter, segment, marks) {
            return false;
        }
        start = end + 1;
    }
    push_rows(text, &mut starts, segment, &mut known, marks)
}

/// The start of the next row, if the cells of this one are one byte each.
#[inline]
fn row_end(text: &[u8], start: usize, columns: usize, delimiter: u8) -> Option<usize> {
    const LANES: u64 = 0x0001_0001_0001_0001;
    const HIGH_BITS: u64 = 0x80 * LANES;
    let length = 2 * columns - 1;
    let row = text.get(start..start + length)?;
    let next = match &text[start + length..] {
        [] => start + length,
        [b'\n', ..] => start + length + 1,
        [b'\r', b'\n', ..] => start + length + 2,
        _ => return None,
    };
    let is_cell = |byte: u8| byte > b' ' && byte < 0x7f && byte != delimiter;
    let separators = u64::from(delimiter) * LANES;
    let (words, rest) = row.as_chunks::<8>();
    let mut fits = !0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        // Four cells, each in a lane of sixteen bits, and the four separators after them.
        let (cells, between) = (word & (0xff * LANES), word >> 8 & (0xff * LANES));
        let above_blank = cells + 0x5f * LANES;
        let other = (cells ^ separators) + 0x7f * LANES;
        let unlike = between ^ separators;
        let is_other = unlike | (unlike + 0x7f * LANES);
        fits &= above_blank & other & !cells & !is_other;
        // A cell of seven bits that is not the last of them, which controls.
        fits &= !(cells + LANES);
    }
    let rest_fits = rest.iter().enumerate().all(|(place, &byte)| match place % 2 {
        0 => is_cell(byte),
        _ => byte == delimiter,
    });
    (fits & HIGH_BITS == HIGH_BITS && rest_fits).then_some(next)
}

/// Appends the rows that start at these offsets.
fn push_rows(
    text: &[u8],
    starts: &mut Vec<usize>,
    segment: &mut Segment,
    known: &mut [ByteCodes],
    marks: &MissingMarks,
) -> bool {
    let mut cells = [0; ROWS_AT_ONCE];
    let cells = &mut cells[..starts.len()];
    for (column, (attribute, known)) in segment.attributes.iter_mut().zip(known).enumerate() {
        for (cell, start) in cells.iter_mut().zip(&*starts) {
            *cell = text[start + 2 * column];
        }
        if attribute.push_bytes(cells, known, marks).is_err() {
            return false;
        }
    }
    segment.rows += starts.len() as u64;
    starts.clear();
    true
}

/// Appends a row of another shape; false if it is malformed.
fn push_row(row: &[u8], delimiter: u8, segment: &mut Segment, marks: &MissingMarks) -> bool {
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    if trim(row).is_empty() && (segment.attributes.len() == 1 || !row.contains(&delimiter)) {
        return true;
    }
    let mut cells = row.split(|&byte| byte == delimiter);
    if row.contains(&b'\r') || cells.clone().count() != segment.attributes.len() {
        return false;
    }
    segment.rows += 1;
    let push = |attribute: &mut crate::table::Attribute| {
        attribute.push(trim(cells.next().unwrap_or_default()), marks).is_ok()
    };
    segment.attributes.iter_mut().all(push)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_byte_cells_are_recognised() {
        // The obvious way, against the words of eight bytes.
        let plain = |row: &[u8]| {
            row.iter().enumerate().all(|(place, &byte)| match place % 2 {
                0 => byte > b' ' && byte < 0x7f && byte != b',',
                _ => byte == b',',
            })
        };
        for columns in [1, 2, 4, 5, 9, 12] {
            let row: Vec<u8> =
                (0..2 * columns - 1).map(|place| if place % 2 == 0 { b'1' } else { b',' }).collect();
            for place in 0..row.len() {
                for byte in 0..=u8::MAX {
                    let mut text = row.clone();
                    text[place] = byte;
                    let expected = plain(&text).then_some(text.len() + 1);
                    text.push(b'\n');
                    assert_eq!(
                        row_end(&text, 0, columns, b','),
                        expected,
                        "{byte} at {place} of {columns} columns"
                    );
                }
            }
        }
        assert_eq!(row_end(b"1,0\r\n", 0, 2, b','), Some(5));
        assert_eq!((row_end(b"1,0", 0, 2, b','), row_end(b"1,0,", 0, 2, b',')), (Some(3), None));
        assert_eq!(row_end(b"1,", 0, 2, b','), None);
    }
}

//! The pages of an SQLite database: the rows of a table are records in the leaves of a tree of pages.

use super::super::binary::{BinaryReader, Failure, corrupt};
use crate::source::ReadSeek;

const HEADER_BYTES: usize = 100;
const LEAF: u8 = 0x0d;
const INTERIOR: u8 = 0x05;

/// A value of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob,
}

/// An open database.
pub(super) struct Database {
    input: BinaryReader,
    page_bytes: usize,
    /// The bytes of a page that hold content.
    usable: usize,
    pages: u32,
    encoding: u32,
}

/// What is done with each row: its number and its values.
type Visit<'a> = &'a mut dyn FnMut(i64, Vec<Value>) -> Result<(), Failure>;

impl Database {
    /// Reads the header.
    pub fn open(input: Box<dyn ReadSeek>) -> Result<Self, Failure> {
        let mut input = BinaryReader::new(input);
        input.big_endian = true;
        let header: [u8; HEADER_BYTES] = input.array()?;
        let page_bytes = match usize::from(u16::from_be_bytes([header[16], header[17]])) {
            1 => 65_536,
            bytes => bytes,
        };
        let usable = page_bytes.saturating_sub(header[20].into());
        if !page_bytes.is_power_of_two() || usable < 480 {
            return Err(corrupt("the size of its pages is wrong"));
        }
        let encoding = u32::from_be_bytes([header[56], header[57], header[58], header[59]]);
        let length = input.length()?;
        let pages = u32::try_from(length / page_bytes as u64).unwrap_or(u32::MAX);
        Ok(Self { input, page_bytes, usable, pages, encoding })
    }

    fn page(&mut self, number: u32) -> Result<Vec<u8>, Failure> {
        if number == 0 || number > self.pages {
            return Err(corrupt(format_args!("page {number} is missing")));
        }
        self.input.seek(u64::from(number - 1) * self.page_bytes as u64)?;
        Ok(self.input.bytes(self.page_bytes as u64)?)
    }

    /// Visits the rows of the table with this root page in the order of their numbers.
    pub fn for_each_row(&mut self, root: u32, visit: Visit<'_>) -> Result<(), Failure> {
        // A damaged tree may have a cycle; no page is met twice in a sound one.
        let mut pages_left = self.pages;
        let mut open = vec![root];
        while let Some(number) = open.pop() {
            pages_left = pages_left.checked_sub(1).ok_or_else(|| corrupt("its pages form a cycle"))?;
            let page = self.page(number)?;
            let start = if number == 1 { HEADER_BYTES } else { 0 };
            let header = page.get(start..start + 12).ok_or_else(|| corrupt("a page is too short"))?;
            let kind = header[0];
            if kind != LEAF && kind != INTERIOR {
                return Err(corrupt(format_args!("page {number} is of an unknown kind")));
            }
            let cells = usize::from(u16::from_be_bytes([header[3], header[4]]));
            let pointers = start + if kind == LEAF { 8 } else { 12 };
            let pointers =
                page.get(pointers..pointers + 2 * cells).ok_or_else(|| corrupt("a page is damaged"))?;
            let offsets =
                pointers.chunks_exact(2).map(|pair| usize::from(u16::from_be_bytes([pair[0], pair[1]])));
            if kind == INTERIOR {
                let children: Option<Vec<u32>> = offsets.map(|offset| long(&page, offset)).collect();
                let children = children.ok_or_else(|| corrupt("a page is damaged"))?;
                // The last child comes first from the stack.
                open.extend(long(&page, start + 8));
                open.extend(children.into_iter().rev());
                continue;
            }
            for offset in offsets {
                let (row, payload) = self.read_cell(&page, offset)?;
                visit(row, self.parse_record(&payload)?)?;
            }
        }
        Ok(())
    }

    /// The number of a row and its record, which may continue on other pages.
    fn read_cell(&mut self, page: &[u8], offset: usize) -> Result<(i64, Vec<u8>), Failure> {
        let damaged = || corrupt("a row is damaged");
        let mut rest = page.get(offset..).ok_or_else(damaged)?;
        let length =
            take_varint(&mut rest).and_then(|length| usize::try_from(length).ok()).ok_or_else(damaged)?;
        let row = take_varint(&mut rest).ok_or_else(damaged)?;
        let largest = self.usable - 35;
        if length <= largest {
            return Ok((row, rest.get(..length).ok_or_else(damaged)?.to_vec()));
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let wanted = least + (length - least) % (self.usable - 4);
        let local = if wanted <= largest { wanted } else { least };
        let mut payload = rest.get(..local).ok_or_else(damaged)?.to_vec();
        let mut next = long(rest, local).ok_or_else(damaged)?;
        while payload.len() < length {
            // Each further page has at least one byte, so that this ends.
            let overflow = self.page(next)?;
            let part = overflow[4..self.usable].len().min(length - payload.len());
            payload.extend_from_slice(&overflow[4..4 + part]);
            next = long(&overflow, 0).ok_or_else(damaged)?;
        }
        Ok((row, payload))
    }

    /// The values of a record: the types first, then the contents.
    fn parse_record(&self, payload: &[u8]) -> Result<Vec<Value>, Failure> {
        let damaged = || corrupt("a row is damaged");
        let mut rest = payload;
        let header =
            take_varint(&mut rest).and_then(|length| usize::try_from(length).ok()).ok_or_else(damaged)?;
        let types_start = payload.len() - rest.len();
        let mut types = payload.get(types_start..header).ok_or_else(damaged)?;
        let mut content = payload.get(header..).ok_or_else(damaged)?;
        let mut values = Vec::new();
        while !types.is_empty() {
            let kind = take_varint(&mut types).ok_or_else(damaged)?;
            let length = match kind {
                0 | 8 | 9 => 0,
                1..=4 => kind as usize,
                5 => 6,
                6 | 7 => 8,
                12.. => usize::try_from((kind - 12) / 2).map_err(|_| damaged())?,
                _ => return Err(damaged()),
            };
            let (bytes, next) = content.split_at_checked(length).ok_or_else(damaged)?;
            content = next;
            values.push(match kind {
                0 => Value::Null,
                8 => Value::Integer(0),
                9 => Value::Integer(1),
                7 => Value::Real(f64::from_be_bytes(bytes.try_into().unwrap_or_default())),
                1..=6 => Value::Integer(parse_integer(bytes)),
                _ if kind % 2 == 0 => Value::Blob,
                _ => Value::Text(self.decode(bytes)),
            });
        }
        Ok(values)
    }

    fn decode(&self, bytes: &[u8]) -> String {
        let wide = |combine: fn([u8; 2]) -> u16| {
            let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| combine([pair[0], pair[1]])).collect();
            String::from_utf16_lossy(&units)
        };
        match self.encoding {
            2 => wide(u16::from_le_bytes),
            3 => wide(u16::from_be_bytes),
            _ => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}

/// A number of four bytes.
fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// A signed number, the highest byte first.
fn parse_integer(bytes: &[u8]) -> i64 {
    let start = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(start, |number, &byte| number << 8 | i64::from(byte))
}

/// Takes a number of variable length: seven bits per byte, highest first; the ninth byte has eight.
fn take_varint(rest: &mut &[u8]) -> Option<i64> {
    let mut number = 0i64;
    for place in 0..9 {
        let (&byte, next) = rest.split_first()?;
        *rest = next;
        if place == 8 {
            return Some(number << 8 | i64::from(byte));
        }
        number = number << 7 | i64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_variable_length_are_read() {
        let cases: [(&[u8], Option<i64>); 5] = [
            (&[0x7f], Some(127)),
            (&[0x81, 0x00], Some(128)),
            (&[0xff; 9], Some(-1)),
            (&[0x81], None),
            (&[0x82, 0x80, 0x01], Some(32_769)),
        ];
        for (bytes, expected) in cases {
            assert_eq!(take_varint(&mut &bytes[..]), expected, "{bytes:?}");
        }
        assert_eq!((parse_integer(&[0xff, 0xfe]), parse_integer(&[0x01, 0x00])), (-2, 256));
    }
}

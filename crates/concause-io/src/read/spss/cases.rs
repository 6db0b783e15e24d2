//! The cases of an SPSS system file: plain, packed by codes, or packed by codes and zlib.

use std::io::{self, Cursor, Read};

use super::dictionary::Dictionary;
use crate::read::binary::{BinaryReader, Failure, corrupt};

/// The codes of packed cases; other codes are small numbers.
const PADDING: u8 = 0;
const END: u8 = 252;
const PLAIN: u8 = 253;
const BLANKS: u8 = 254;
const MISSING: u8 = 255;

/// The elements of the cases, of eight bytes each.
pub(super) struct Elements {
    bytes: Box<dyn Read>,
    is_packed: bool,
    bias: f64,
    big_endian: bool,
    codes: [u8; 8],
    next_code: usize,
    /// The cases that are left, if their number is known.
    cases: Option<u64>,
}

impl Elements {
    /// Starts at the first case.
    pub fn new(mut input: BinaryReader, dictionary: &Dictionary) -> Result<Self, Failure> {
        let bytes: Box<dyn Read> = match dictionary.compression {
            0 | 1 => Box::new(input.into_rest()),
            2 => {
                let (_, trailer) = (input.u64()?, input.u64()?);
                input.seek(trailer)?;
                input.skip(16)?;
                let (_, count) = (input.u32()?, input.u32()?);
                let mut blocks = Vec::new();
                for _ in 0..count {
                    let (_, position, _, length) = (input.u64()?, input.u64()?, input.u32()?, input.u32()?);
                    blocks.push((position, u64::from(length)));
                }
                blocks.reverse();
                Box::new(Blocks { input, blocks, current: Box::new(io::empty()) })
            }
            kind => return Err(corrupt(format_args!("the compression {kind} is unknown"))),
        };
        Ok(Self {
            bytes,
            is_packed: dictionary.compression > 0,
            bias: dictionary.bias,
            big_endian: dictionary.big_endian,
            codes: [0; 8],
            next_code: 8,
            cases: dictionary.cases,
        })
    }

    /// Reads a case; false at the end.
    pub fn read_case(&mut self, case: &mut [[u8; 8]]) -> Result<bool, Failure> {
        match &mut self.cases {
            Some(0) => return Ok(false),
            Some(cases) => *cases -= 1,
            None => {}
        }
        for (index, place) in case.iter_mut().enumerate() {
            match self.read_element()? {
                Some(element) => *place = element,
                None if index == 0 && self.cases.is_none() => return Ok(false),
                None => return Err(corrupt("it ends too early")),
            }
        }
        Ok(true)
    }

    fn read_element(&mut self) -> Result<Option<[u8; 8]>, Failure> {
        if !self.is_packed {
            return self.read_plain();
        }
        loop {
            if self.next_code == self.codes.len() {
                let Some(codes) = self.read_plain()? else { return Ok(None) };
                (self.codes, self.next_code) = (codes, 0);
            }
            let code = self.codes[self.next_code];
            self.next_code += 1;
            let number = match code {
                PADDING => continue,
                END => return Ok(None),
                PLAIN => return self.read_plain()?.map(Some).ok_or_else(|| corrupt("it ends too early")),
                BLANKS => return Ok(Some([b' '; 8])),
                MISSING => -f64::MAX,
                small => f64::from(small) - self.bias,
            };
            return Ok(Some(if self.big_endian { number.to_be_bytes() } else { number.to_le_bytes() }));
        }
    }

    fn read_plain(&mut self) -> Result<Option<[u8; 8]>, Failure> {
        let mut element = [0; 8];
        let mut length = 0;
        while length < element.len() {
            match self.bytes.read(&mut element[length..])? {
                0 if length == 0 => return Ok(None),
                0 => return Err(corrupt("it ends too early")),
                read => length += read,
            }
        }
        Ok(Some(element))
    }
}

/// The decompressed content of blocks at positions of a file, the last one first.
struct Blocks {
    input: BinaryReader,
    blocks: Vec<(u64, u64)>,
    current: Box<dyn Read>,
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.current.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some((position, length)) = self.blocks.pop() else { return Ok(0) };
            self.input.seek(position)?;
            let packed = Cursor::new(self.input.bytes(length)?);
            self.current = Box::new(flate2::read::ZlibDecoder::new(packed));
        }
    }
}

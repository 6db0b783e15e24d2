//! A compact binary encoding for messages between machines: numbers as variable-length integers (LEB128: seven bits
//! per byte, lowest bits first), signed numbers, text, floats and lists.
//!
//! This module does not depend on the meaning of the messages.

use std::fmt;

/// A message cannot be decoded: it is truncated, or another version wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError {
    /// The kind of message, e.g. "a request".
    pub message: &'static str,
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be decoded: it is truncated or from another version of concause", self.message)
    }
}

impl std::error::Error for CodecError {}

/// Encodes a sequence of values.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// The bytes of all encoded values.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Encodes a number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Encodes a signed number: 0, −1, 1, −2, … as 0, 1, 2, 3, … (zigzag), so that small numbers take few bytes.
    pub fn signed_number(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)) as u64);
    }

    /// Encodes the length of a list.
    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// Encodes text.
    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Encodes the exact bits of a float.
    pub fn float(&mut self, number: f64) {
        self.bytes.extend_from_slice(&number.to_bits().to_le_bytes());
    }

    /// Encodes a list of numbers.
    pub fn numbers(&mut self, numbers: &[u32]) {
        self.length(numbers.len());
        numbers.iter().for_each(|&number| self.number(number.into()));
    }
}

/// Decodes values in the order in which they were encoded.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    message: &'static str,
}

impl<'a> Decoder<'a> {
    /// Decodes these bytes; `message` is the kind of message that errors name.
    pub fn new(bytes: &'a [u8], message: &'static str) -> Self {
        Self { bytes, message }
    }

    /// The error of a message that cannot be decoded.
    pub fn error(&self) -> CodecError {
        CodecError { message: self.message }
    }

    fn split_off(&mut self, length: usize) -> Result<&'a [u8], CodecError> {
        let (first, rest) = self.bytes.split_at_checked(length).ok_or(self.error())?;
        self.bytes = rest;
        Ok(first)
    }

    /// Decodes a number.
    pub fn number(&mut self) -> Result<u64, CodecError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.split_off(1)?[0];
            // The tenth byte has the highest bit only.
            if shift == 63 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.error())
    }

    /// Decodes a signed number.
    pub fn signed_number(&mut self) -> Result<i64, CodecError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Decodes the length of a list.
    pub fn length(&mut self) -> Result<usize, CodecError> {
        usize::try_from(self.number()?).map_err(|_| self.error())
    }

    /// Decodes the length of a list whose elements take at least this many bytes each. An error if fewer bytes are
    /// left: a corrupt length must not allocate memory.
    pub fn length_of_at_least(&mut self, bytes: usize) -> Result<usize, CodecError> {
        let length = self.length()?;
        if length.checked_mul(bytes).is_none_or(|bytes| bytes > self.bytes.len()) {
            return Err(self.error());
        }
        Ok(length)
    }

    /// Decodes the length of a list that is encoded in runs of at most this many elements, of at least two bytes each.
    pub fn length_in_runs(&mut self, longest: usize) -> Result<usize, CodecError> {
        let length = self.length()?;
        if length.div_ceil(longest) > self.bytes.len() / 2 {
            return Err(self.error());
        }
        Ok(length)
    }

    /// Decodes a list, calling `decode` for each element.
    pub fn list<T>(
        &mut self,
        mut decode: impl FnMut(&mut Self) -> Result<T, CodecError>,
    ) -> Result<Vec<T>, CodecError> {
        let length = self.length_of_at_least(1)?;
        let mut list = Vec::with_capacity(length);
        for _ in 0..length {
            list.push(decode(self)?);
        }
        Ok(list)
    }

    /// Decodes text.
    pub fn text(&mut self) -> Result<String, CodecError> {
        let length = self.length()?;
        let bytes = self.split_off(length)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| self.error())
    }

    /// Decodes the exact bits of a float.
    pub fn float(&mut self) -> Result<f64, CodecError> {
        let bytes = self.split_off(8)?.first_chunk().copied().unwrap_or_default();
        Ok(f64::from_bits(u64::from_le_bytes(bytes)))
    }

    /// Decodes a list of numbers.
    pub fn numbers(&mut self) -> Result<Vec<u32>, CodecError> {
        self.list(|decoder| u32::try_from(decoder.number()?).map_err(|_| decoder.error()))
    }

    /// Checks that no bytes are left.
    pub fn finish(self) -> Result<(), CodecError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_truncated_bytes_are_rejected() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut encoder = Encoder::default();
        numbers.iter().for_each(|&number| encoder.number(number));
        let bytes = encoder.into_bytes();
        let mut decoder = Decoder::new(&bytes, "a message");
        assert_eq!(numbers.map(|_| decoder.number().unwrap()), numbers);
        assert_eq!(decoder.finish(), Ok(()));
        assert!(Decoder::new(&bytes[..1], "a message").finish().is_err());
        assert!(Decoder::new(&[0x80, 0x80], "a message").number().is_err());
        assert!(Decoder::new(&[0xff; 11], "a message").number().is_err());
    }

    #[test]
    fn signed_numbers_round_trip_and_small_ones_take_one_byte() {
        let numbers = [0, -1, 1, -64, 63, 64, -65, 1 << 40, -(1 << 40), i64::MAX, i64::MIN + 1, i64::MIN];
        let mut encoder = Encoder::default();
        numbers.iter().for_each(|&number| encoder.signed_number(number));
        let bytes = encoder.into_bytes();
        assert_eq!(bytes[..5], [0, 1, 2, 127, 126]);
        let mut decoder = Decoder::new(&bytes, "a message");
        assert_eq!(numbers.map(|_| decoder.signed_number().unwrap()), numbers);
        assert_eq!(decoder.finish(), Ok(()));
        assert!(Decoder::new(&[0xff], "a message").signed_number().is_err());
    }

    #[test]
    fn text_and_floats_round_trip() {
        let mut encoder = Encoder::default();
        encoder.text("käse");
        encoder.float(-0.1);
        let bytes = encoder.into_bytes();
        let mut decoder = Decoder::new(&bytes, "a message");
        assert_eq!((decoder.text().unwrap(), decoder.float().unwrap()), ("käse".to_owned(), -0.1));
        assert!(decoder.float().is_err());
        assert!(Decoder::new(&[200, 1, 65], "a message").text().is_err());
        assert!(Decoder::new(&[1, 0xff], "a message").text().is_err());
    }
}

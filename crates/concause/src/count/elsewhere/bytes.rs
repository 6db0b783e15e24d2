//! Numbers as bytes that travel between machines: seven bits a byte, the lowest first, so that small ones are short.

use std::fmt;

use crate::count::Count;
use crate::dataset::Candidate;

/// Bytes that are not what they should be: cut short, or written by another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged(pub &'static str);

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be read: it was cut short, or written by another version of concause", self.0)
    }
}

impl std::error::Error for Damaged {}

/// Writes numbers one after the other.
#[derive(Clone, Debug, Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Writes a number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes how many of something follow.
    pub fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    /// Writes text.
    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Writes the exact bits of a number with a point.
    pub fn float(&mut self, number: f64) {
        self.0.extend_from_slice(&number.to_bits().to_le_bytes());
    }

    /// Writes numbers of columns.
    pub fn columns(&mut self, columns: &[u32]) {
        self.length(columns.len());
        columns.iter().for_each(|&column| self.number(column.into()));
    }

    /// Writes candidates.
    pub fn candidates(&mut self, candidates: &[Candidate]) {
        self.length(candidates.len());
        candidates.iter().for_each(|candidate| self.columns(candidate.columns()));
    }

    /// Counts, of which those that are 0 in both classes come as their number.
    pub fn counts(&mut self, counts: &[Count]) {
        self.length(counts.len());
        for run in counts.chunk_by(|a, b| (a.total() == 0) == (b.total() == 0)) {
            if run[0].total() == 0 {
                [0, 0, run.len() as u64].into_iter().for_each(|number| self.number(number));
                continue;
            }
            for count in run {
                self.number(count.positive);
                self.number(count.negative);
            }
        }
    }
}

/// Reads them back.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl<'a> Reader<'a> {
    /// Reads from bytes; where they are not what they should be, they are called so.
    pub fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Self { bytes, what }
    }

    /// The error of bytes that are not what they should be.
    pub fn damaged(&self) -> Damaged {
        Damaged(self.what)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(self.damaged())?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.damaged())
    }

    /// Reads how many of something follow.
    pub fn length(&mut self) -> Result<usize, Damaged> {
        usize::try_from(self.number()?).map_err(|_| self.damaged())
    }

    /// So many things, each read by a function.
    pub fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, Damaged>,
    ) -> Result<Vec<T>, Damaged> {
        let length = self.length()?;
        // Nothing takes less than a byte, so that a wrong length cannot ask for the memory of the world.
        let mut list = Vec::with_capacity(length.min(self.bytes.len()));
        for _ in 0..length {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// Reads text.
    pub fn text(&mut self) -> Result<String, Damaged> {
        let length = self.length()?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| self.damaged())
    }

    /// Reads the exact bits of a number with a point.
    pub fn float(&mut self) -> Result<f64, Damaged> {
        let bytes = self.take(8)?.first_chunk().copied().unwrap_or_default();
        Ok(f64::from_bits(u64::from_le_bytes(bytes)))
    }

    /// Reads numbers of columns.
    pub fn columns(&mut self) -> Result<Vec<u32>, Damaged> {
        self.list(|reader| u32::try_from(reader.number()?).map_err(|_| reader.damaged()))
    }

    /// Reads candidates.
    pub fn candidates(&mut self) -> Result<Vec<Candidate>, Damaged> {
        self.list(|reader| Ok(Candidate::new(reader.columns()?)))
    }

    /// Reads counts.
    pub fn counts(&mut self) -> Result<Vec<Count>, Damaged> {
        let length = self.length()?;
        let mut counts = Vec::new();
        while counts.len() < length {
            let count = Count { positive: self.number()?, negative: self.number()? };
            let repeated = if count.total() == 0 { self.length()? } else { 1 };
            if repeated == 0 || repeated > length - counts.len() {
                return Err(self.damaged());
            }
            counts.resize(counts.len() + repeated, count);
        }
        Ok(counts)
    }

    /// Nothing may be left over.
    pub fn end(self) -> Result<(), Damaged> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_cut_bytes_do_not() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut writer = Writer::default();
        numbers.iter().for_each(|&number| writer.number(number));
        let mut reader = Reader::new(&writer.0, "it");
        assert_eq!(numbers.map(|_| reader.number().unwrap()), numbers);
        assert_eq!(reader.end(), Ok(()));
        assert!(Reader::new(&writer.0[..1], "it").end().is_err());
        assert!(Reader::new(&[0x80, 0x80], "it").number().is_err());
        assert!(Reader::new(&[0xff; 11], "it").number().is_err());
    }

    #[test]
    fn text_and_numbers_with_a_point_come_back() {
        let mut writer = Writer::default();
        writer.text("käse");
        writer.float(-0.1);
        let mut reader = Reader::new(&writer.0, "it");
        assert_eq!((reader.text().unwrap(), reader.float().unwrap()), ("käse".to_owned(), -0.1));
        assert!(reader.float().is_err());
        assert!(Reader::new(&[200, 1, 65], "it").text().is_err());
        assert!(Reader::new(&[1, 0xff], "it").text().is_err());
    }

    #[test]
    fn counts_come_back_whatever_runs_of_nothing_they_have() {
        let count = |positive, negative| Count { positive, negative };
        let zero = Count::default();
        for counts in [
            vec![],
            vec![zero],
            vec![zero; 1000],
            vec![count(1, 0), zero, zero, count(0, 1 << 40), zero],
            vec![zero, count(3, 4)],
        ] {
            let mut writer = Writer::default();
            writer.counts(&counts);
            let mut reader = Reader::new(&writer.0, "it");
            assert_eq!(reader.counts().unwrap(), counts);
            reader.end().unwrap();
        }
        // A length that no memory holds is found out by the bytes that are missing.
        let mut writer = Writer::default();
        writer.number(1 << 60);
        assert!(Reader::new(&writer.0, "it").counts().is_err());
    }
}

//! Detects from the first records of a text file its delimiter and whether it has a header.

use std::collections::HashMap;
use std::io::Cursor;

use super::record::{Record, RecordReader};
use crate::options::Delimiter;
use crate::source::Source;
use crate::table::cell::{MissingMarks, parse_binary, parse_number};

const MAX_RECORDS: usize = 200;

/// The first bytes of a text file.
pub(crate) struct Sample<'a> {
    pub source: &'a Source,
    pub bytes: &'a [u8],
    /// True if there are no more bytes in the file.
    pub is_complete: bool,
    pub quote: Option<u8>,
    /// True if the name of the file says that tabs separate the fields.
    pub is_tsv: bool,
}

impl Sample<'_> {
    /// The first records as a delimiter splits them, without the last one if it may be cut short.
    fn records(&self, delimiter: Delimiter) -> Vec<Record> {
        let bytes = Box::new(Cursor::new(self.bytes));
        let mut reader = RecordReader::new(self.source, None, bytes, delimiter, self.quote, None);
        let (mut record, mut records, mut clean) = (Record::default(), Vec::new(), true);
        while records.len() < MAX_RECORDS {
            match reader.next(&mut record) {
                Ok(true) => records.push(record.compact()),
                Ok(false) => break,
                Err(_) => {
                    clean = false;
                    break;
                }
            }
        }
        if clean && !self.is_complete && records.len() > 1 && records.len() < MAX_RECORDS {
            records.pop();
        }
        records
    }

    /// Detects the delimiter: the one that splits the records most evenly, then into most fields.
    pub fn detect_delimiter(&self) -> Delimiter {
        if self.is_tsv {
            return Delimiter::Byte(b'\t');
        }
        let mut best: Option<(bool, f64, usize, u8)> = None;
        for byte in [b',', b';', b'\t', b'|'] {
            if !self.bytes.contains(&byte) {
                continue;
            }
            let (share, fields) = evenness(&self.records(Delimiter::Byte(byte)));
            if fields < 2 {
                continue;
            }
            let even = share >= 0.9;
            let better =
                best.is_none_or(|(even_before, share_before, fields_before, _)| match even == even_before {
                    true if even => (fields, share) > (fields_before, share_before),
                    true => share > share_before,
                    false => even,
                });
            if better {
                best = Some((even, share, fields, byte));
            }
        }
        // Values of many other files contain blanks, so they come last.
        if !best.is_some_and(|(even, ..)| even) {
            let (share, fields) = evenness(&self.records(Delimiter::Blank));
            let floor = if fields > 2 { 0.6 } else { 0.9 };
            if fields > 1 && share >= floor && best.is_none_or(|(_, before, ..)| share > before) {
                return Delimiter::Blank;
            }
        }
        Delimiter::Byte(best.map_or(b',', |(.., byte)| byte))
    }

    /// Whether all records have one field more than the first: it has no name for the column of row names, as R writes
    /// it.
    pub fn has_unnamed_first_column(&self, delimiter: Delimiter) -> bool {
        let records = self.records(delimiter);
        let Some((first, rest)) = records.split_first() else { return false };
        !rest.is_empty() && rest.iter().all(|record| record.len() == first.len() + 1)
    }

    /// Detects whether the first record holds names.
    pub fn detect_header(&self, delimiter: Delimiter, marks: &MissingMarks) -> bool {
        let records = self.records(delimiter);
        let Some((first, rest)) = records.split_first() else { return true };
        let (mut filled, mut recurring) = (0, 0);
        for (column, bytes) in first.iter().enumerate().filter(|(_, field)| !field.is_empty()) {
            filled += 1;
            let below =
                || rest.iter().filter_map(|record| record.get(column)).filter(|cell| !cell.is_empty());
            let recurs = below().any(|cell| cell == bytes);
            recurring += usize::from(recurs);
            let below = || below().map(String::from_utf8_lossy);
            let field = &*String::from_utf8_lossy(bytes);
            // `y`, `T` and `Na` are valid names too: they are data only above cells of the same kind.
            let is_number = |text| parse_number(text).is_some_and(f64::is_finite);
            let is_data = if is_number(field) || field == "?" || is_number(&field.replace(',', ".")) {
                true
            } else if let Some((pair, _)) = parse_binary(field) {
                let mut known = below().filter(|cell| !marks.contains(cell)).peekable();
                known.peek().is_some()
                    && known.all(|cell| parse_binary(&cell).is_some_and(|(other, _)| other == pair))
            } else {
                marks.contains(field) && recurs
            };
            if is_data {
                return false;
            }
        }
        recurring * 2 <= filled || filled == 0
    }
}

/// The share of records that have the most frequent number of fields, and that number.
fn evenness(records: &[Record]) -> (f64, usize) {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    records.iter().for_each(|record| *counts.entry(record.len()).or_default() += 1);
    let most = counts.into_iter().max_by_key(|&(fields, count)| (count, fields));
    most.map_or((0.0, 0), |(fields, count)| (count as f64 / records.len() as f64, fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample<'a>(source: &'a Source, text: &'a str) -> Sample<'a> {
        Sample { source, bytes: text.as_bytes(), is_complete: true, quote: Some(b'"'), is_tsv: false }
    }

    #[test]
    fn delimiters_are_detected() {
        let cases = [
            ("a,b\n1,2\n", Delimiter::Byte(b',')),
            ("a;b\n1,5;2\n1,7;3\n", Delimiter::Byte(b';')),
            ("a\tb c\n1\t2 x\n", Delimiter::Byte(b'\t')),
            ("a|b\n1|2\n", Delimiter::Byte(b'|')),
            ("A11 6 A34\nA12 48 A32\n", Delimiter::Blank),
            ("a b,c d\n1 2,3 4\n", Delimiter::Byte(b',')),
            ("x, Not in universe, 5\ny, Private, 6\n", Delimiter::Byte(b',')),
            ("name\nann\nbob\n", Delimiter::Byte(b',')),
            ("a,b\n1,2\n3\n", Delimiter::Byte(b',')),
        ];
        for (text, expected) in cases {
            assert_eq!(sample(&Source::Stdin, text).detect_delimiter(), expected, "{text:?}");
        }
    }

    #[test]
    fn headers_are_detected() {
        let cases = [
            ("a,b\n1,2\n", true),
            ("1,2\n3,4\n", false),
            ("republican,n,y\ndemocrat,y,n\nrepublican,n,n\n", false),
            ("x,y\n1,0\n0,1\n", true),
            ("V1,T\n1,0\n0,1\n", true),
            ("a,?\nb,c\n", false),
            ("Na,K\n13.6,0.1\n12.9,0.2\n", true),
            ("a,,c\nx,y,z\n", true),
            ("red,small\nblue,small\nred,large\n", false),
            ("colour,size\nred,small\nblue,small\n", true),
        ];
        for (text, expected) in cases {
            let header =
                sample(&Source::Stdin, text).detect_header(Delimiter::Byte(b','), &MissingMarks::default());
            assert_eq!(header, expected, "{text:?}");
        }
    }
}

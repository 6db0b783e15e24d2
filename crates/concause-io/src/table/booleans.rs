//! Boolean cells in shared memory, one bit per cell and not copied.

use std::fmt;
use std::sync::Arc;

/// Bits in shared memory, the lowest of each byte first.
#[derive(Clone)]
pub(crate) struct Bits {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    first: usize,
}

#[cfg_attr(not(feature = "arrow"), allow(dead_code))]
impl Bits {
    /// The bits of some memory from bit number `first`.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static, first: usize) -> Self {
        Self { bytes: Arc::new(bytes), first }
    }

    fn reader(&self) -> impl Fn(usize) -> bool {
        let (bytes, first) = ((*self.bytes).as_ref(), self.first);
        move |row| bytes[(first + row) / 8] >> ((first + row) % 8) & 1 == 1
    }

    #[cfg(test)]
    pub fn address(&self) -> *const u8 {
        (*self.bytes).as_ref().as_ptr()
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bits from number {}", self.first)
    }
}

/// The cells of some consecutive rows.
#[derive(Clone, Debug)]
pub(crate) struct BooleanRun {
    pub values: Bits,
    /// Which cells are not missing; `None` if none is missing.
    pub present: Option<Bits>,
    pub rows: usize,
}

impl BooleanRun {
    /// The first row with this value, if any.
    pub fn find_first(&self, value: bool) -> Option<usize> {
        let value_in = self.values.reader();
        let present = self.present.as_ref().map(Bits::reader);
        let is_present = |row| present.as_ref().is_none_or(|present| present(row));
        (0..self.rows).find(|&row| value_in(row) == value && is_present(row))
    }
}

/// Runs of Boolean cells, which stand for codes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Booleans {
    runs: Vec<BooleanRun>,
    rows: usize,
    /// The codes of false and of true, once they have occurred.
    codes: [Option<u32>; 2],
}

impl Booleans {
    /// Appends a run; `code` is called for each value that has not occurred before, in the order of occurrence.
    pub fn push<Fault>(
        &mut self,
        run: BooleanRun,
        mut code: impl FnMut(bool) -> Result<u32, Fault>,
    ) -> Result<(), Fault> {
        let unknown = |value: &bool| self.codes[usize::from(*value)].is_none();
        let new = [false, true].into_iter().filter(unknown);
        let mut new: Vec<(usize, bool)> =
            new.filter_map(|value| Some((run.find_first(value)?, value))).collect();
        new.sort_unstable();
        for (_, value) in new {
            self.codes[usize::from(value)] = Some(code(value)?);
        }
        self.rows += run.rows;
        self.runs.push(run);
        Ok(())
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// The runs.
    pub fn runs(&self) -> &[BooleanRun] {
        &self.runs
    }

    /// The codes of all cells from row number `first`; 0 is missing.
    pub fn codes_from(&self, first: usize) -> impl Iterator<Item = u32> {
        let codes = self.codes.map(|code| code.unwrap_or(0));
        let mut before = 0;
        let starts = self.runs.iter().map(move |run| {
            let start = first.saturating_sub(before).min(run.rows);
            before += run.rows;
            (run, start)
        });
        starts.flat_map(move |(run, start)| {
            let (value_in, present) = (run.values.reader(), run.present.as_ref().map(Bits::reader));
            (start..run.rows).map(move |row| match &present {
                Some(present) if !present(row) => 0,
                _ => codes[usize::from(value_in(row))],
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(values: impl Iterator<Item = bool>, first: usize) -> Bits {
        let mut bytes = Vec::new();
        for (index, value) in std::iter::repeat_n(true, first).chain(values).enumerate() {
            if index % 8 == 0 {
                bytes.push(0);
            }
            *bytes.last_mut().unwrap() |= u8::from(value) << (index % 8);
        }
        Bits::new(bytes, first)
    }

    #[test]
    fn codes_are_correct_at_any_bit_offset() {
        let value = |row: usize| row % 3 == 2;
        let is_present = |row: usize| !row.is_multiple_of(5);
        let mut booleans = Booleans::default();
        for (first, rows) in [(0, 1), (3, 20), (7, 64), (0, 0), (9, 15)] {
            let so_far = booleans.len();
            let run = BooleanRun {
                values: bits((0..rows).map(|row| value(so_far + row)), first),
                present: Some(bits((0..rows).map(|row| is_present(so_far + row)), first)),
                rows,
            };
            let code = |value: bool| Ok::<u32, ()>(if value { 7 } else { 4 });
            booleans.push(run, code).unwrap();
        }
        let expected: Vec<u32> = (0..100)
            .map(|row| match (is_present(row), value(row)) {
                (false, _) => 0,
                (_, true) => 7,
                (_, false) => 4,
            })
            .collect();
        for first in [0, 1, 5, 21, 22, 85, 99, 100] {
            assert_eq!(booleans.codes_from(first).collect::<Vec<_>>(), expected[first..]);
        }
    }

    #[test]
    fn codes_are_requested_once_in_the_order_of_occurrence() {
        let requested = std::cell::RefCell::new(Vec::new());
        let code = |value: bool| {
            requested.borrow_mut().push(value);
            Ok::<u32, ()>(requested.borrow().len() as u32)
        };
        let run = |values: &[bool]| BooleanRun {
            values: bits(values.iter().copied(), 0),
            present: None,
            rows: values.len(),
        };
        let mut booleans = Booleans::default();
        booleans.push(run(&[true, true]), code).unwrap();
        assert_eq!(*requested.borrow(), [true]);
        booleans.push(run(&[true, false]), code).unwrap();
        booleans.push(run(&[false, true]), code).unwrap();
        assert_eq!(*requested.borrow(), [true, false]);
        assert_eq!(booleans.codes_from(0).collect::<Vec<_>>(), [1, 1, 1, 2, 2, 1]);
    }
}

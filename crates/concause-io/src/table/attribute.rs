//! One attribute of a table: a code per row into the dictionary of its values.
//!
//! An attribute with more than [`MAX_VALUES`] distinct values has no dictionary: numbers are then stored as such, and
//! text is not stored. Which of the two applies depends on the values alone, not on the order of the rows.

use super::booleans::{BooleanRun, Booleans};
use super::cell::{MissingMarks, boolean_text, parse_number};
use super::codes::Codes;
use super::dictionary::{CellBytes, CellError, Dictionary, check_text};
use super::notation::{DecimalMark, Notation};

/// The most distinct values for which a dictionary is kept.
pub(crate) const MAX_VALUES: usize = 65_536;

/// Cells that get their codes together.
const CELLS_AT_ONCE: usize = 8192;
/// The code of a number that did not occur before.
#[cfg_attr(not(feature = "arrow"), allow(dead_code))]
pub(crate) const UNKNOWN_CODE: u32 = u32::MAX;

/// The code of each cell of one byte in a dictionary.
#[derive(Clone, Debug)]
pub(crate) struct ByteCodes([u8; 256]);

impl ByteCodes {
    const UNKNOWN: u8 = u8::MAX;

    /// No byte is known.
    pub fn new() -> Self {
        Self([Self::UNKNOWN; 256])
    }
}

/// A raw column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub cells: CellStore,
    /// Declared values, which are values even if they look like a missing mark.
    declared: Vec<String>,
    /// The decimal mark where a text can be read in two ways.
    pub mark: DecimalMark,
    /// How its numbers are written, if not plainly.
    notation: Option<Notation>,
}

/// How the cells of an attribute are stored.
#[derive(Clone, Debug)]
pub(crate) enum CellStore {
    /// Codes into a dictionary; 0 is missing.
    Coded(Dictionary, Codes),
    /// Numbers; "not a number" is missing.
    Numbers(Vec<f64>),
    /// More than [`MAX_VALUES`] distinct values, not all numbers: not stored.
    TooMany,
    /// Of a type that cannot be read, named here: not stored.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    Unsupported(String),
}

impl Attribute {
    /// An attribute without rows.
    pub fn new(name: String, declared: Vec<String>) -> Self {
        let cells = CellStore::Coded(Dictionary::default(), Codes::new());
        Self { name, cells, declared, mark: DecimalMark::Point, notation: None }
    }

    /// How its numbers are written, if not plainly; days and times are shown in it.
    pub fn notation(&self) -> Option<Notation> {
        self.notation
    }

    /// Reads the values in the notation that all of them have, if there is one and they are not all plain numbers.
    pub fn interpret(&mut self) -> Option<Notation> {
        let CellStore::Coded(dictionary, codes) = &mut self.cells else { return self.notation };
        if dictionary.text_values() == 0 || !self.declared.is_empty() {
            return None;
        }
        let notation = Notation::detect(dictionary.iter().map(|(_, value)| value), self.mark)?;
        let mut interpreted = Dictionary::default();
        let mut translation = vec![0];
        for (_, value) in dictionary.iter() {
            let (text, number) = notation.interpret(value)?;
            translation.push(interpreted.add_number(&text, number));
        }
        let mut translated = Codes::new();
        translated.extend_translated(codes, &translation);
        (*dictionary, *codes) = (interpreted, translated);
        self.notation = Some(notation);
        self.notation
    }

    /// Gives values other names.
    pub fn rename_values(&mut self, name: impl Fn(&str) -> Option<String>) {
        let CellStore::Coded(dictionary, codes) = &mut self.cells else { return };
        let mut renamed = Dictionary::default();
        let mut translation = vec![0];
        for (_, value) in dictionary.iter() {
            let text = name(value).unwrap_or_else(|| value.to_owned());
            translation.push(renamed.add_number(&text, parse_number(&text).unwrap_or(f64::NAN)));
        }
        let mut translated = Codes::new();
        translated.extend_translated(codes, &translation);
        (*dictionary, *codes) = (renamed, translated);
    }

    /// Appends a cell.
    #[inline]
    pub fn push(&mut self, cell: &[u8], marks: &MissingMarks) -> Result<(), CellError> {
        match &mut self.cells {
            CellStore::Coded(dictionary, codes) => {
                codes.push(dictionary.code(CellBytes::new(cell), marks, &self.declared)?);
                if dictionary.len() > MAX_VALUES {
                    self.give_up_dictionary();
                }
            }
            CellStore::Numbers(numbers) => {
                let text = check_text(cell)?;
                // A mark may look like a number (`-9`), so marks come first.
                if marks.contains(text) && !self.declared.iter().any(|value| value == text) {
                    numbers.push(f64::NAN);
                } else if let Some(number) = parse_noted(text, self.notation) {
                    numbers.push(number);
                } else {
                    self.cells = CellStore::TooMany;
                }
            }
            CellStore::TooMany | CellStore::Unsupported(_) => {
                check_text(cell)?;
            }
        }
        Ok(())
    }

    /// The code of a cell, new or known; nothing if there are no codes.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub fn code(&mut self, cell: &[u8], marks: &MissingMarks) -> Result<Option<u32>, CellError> {
        let CellStore::Coded(dictionary, _) = &mut self.cells else { return Ok(None) };
        dictionary.code(CellBytes::new(cell), marks, &self.declared).map(Some)
    }

    /// Appends cells by their codes, if there are codes.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub fn push_codes_of(&mut self, found: &[u32]) {
        let CellStore::Coded(dictionary, codes) = &mut self.cells else { return };
        codes.extend(found);
        if dictionary.len() > MAX_VALUES {
            self.give_up_dictionary();
        }
    }

    /// Appends Booleans without copying them, if all cells so far are such; otherwise does nothing and returns false.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub fn push_booleans(&mut self, run: BooleanRun, marks: &MissingMarks) -> Result<bool, CellError> {
        let CellStore::Coded(dictionary, codes) = &mut self.cells else { return Ok(false) };
        if codes.len() == 0 {
            *codes = Codes::Booleans(Booleans::default());
        }
        let Codes::Booleans(booleans) = codes else { return Ok(false) };
        let mut code = |value: bool| {
            dictionary.code(CellBytes::new(boolean_text(value).as_bytes()), marks, &self.declared)
        };
        booleans.push(run, &mut code)?;
        Ok(true)
    }

    /// Appends cells of one byte each; `known` has the code of each byte that occurred in this dictionary before.
    pub fn push_bytes(
        &mut self,
        cells: &[u8],
        known: &mut ByteCodes,
        marks: &MissingMarks,
    ) -> Result<(), CellError> {
        let CellStore::Coded(dictionary, Codes::One(codes)) = &mut self.cells else {
            return cells.iter().try_for_each(|&cell| self.push(&[cell], marks));
        };
        let start = codes.len();
        codes.extend(cells.iter().map(|&cell| known.0[usize::from(cell)]));
        if codes[start..].iter().all(|&code| code != ByteCodes::UNKNOWN) {
            return Ok(());
        }
        for (row, &cell) in cells.iter().enumerate() {
            if known.0[usize::from(cell)] == ByteCodes::UNKNOWN {
                let code = dictionary.code(CellBytes::new(&[cell]), marks, &self.declared)?;
                let Some(code) = u8::try_from(code).ok().filter(|&code| code != ByteCodes::UNKNOWN) else {
                    // Too many values for codes of one byte.
                    codes.truncate(start + row);
                    return cells[row..].iter().try_for_each(|&cell| self.push(&[cell], marks));
                };
                known.0[usize::from(cell)] = code;
            }
            codes[start + row] = known.0[usize::from(cell)];
        }
        Ok(())
    }

    /// Appends cells given as numbers below the length of `known`, which has the code of each number that occurred in
    /// this dictionary before, [`UNKNOWN_CODE`] for others; `write` gives the text of a number.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub fn push_numbers(
        &mut self,
        cells: impl Iterator<Item = Option<usize>>,
        known: &mut [u32],
        write: impl Fn(usize) -> String,
        marks: &MissingMarks,
    ) -> Result<(), CellError> {
        let mut cells = cells.peekable();
        let mut found = Vec::with_capacity(CELLS_AT_ONCE);
        while cells.peek().is_some() {
            let CellStore::Coded(dictionary, codes) = &mut self.cells else {
                return cells
                    .try_for_each(|cell| self.push(cell.map(&write).unwrap_or_default().as_bytes(), marks));
            };
            found.clear();
            for cell in cells.by_ref().take(CELLS_AT_ONCE) {
                let Some(number) = cell else {
                    found.push(0);
                    continue;
                };
                if known[number] == UNKNOWN_CODE {
                    let text = write(number);
                    known[number] =
                        dictionary.code(CellBytes::new(text.as_bytes()), marks, &self.declared)?;
                }
                found.push(known[number]);
            }
            codes.extend(&found);
            if dictionary.len() > MAX_VALUES {
                self.give_up_dictionary();
            }
        }
        Ok(())
    }

    /// Appends many cells; `scratch` is a buffer for their codes.
    pub fn push_all<'a>(
        &mut self,
        cells: impl Iterator<Item = CellBytes<'a>> + Clone,
        marks: &MissingMarks,
        scratch: &mut Vec<u32>,
    ) -> Result<(), CellError> {
        let CellStore::Coded(dictionary, codes) = &mut self.cells else {
            return cells.into_iter().try_for_each(|cell| self.push(cell.bytes(), marks));
        };
        dictionary.prefetch(cells.clone());
        scratch.clear();
        for cell in cells {
            scratch.push(dictionary.code(cell, marks, &self.declared)?);
        }
        codes.extend(scratch);
        if dictionary.len() > MAX_VALUES {
            self.give_up_dictionary();
        }
        Ok(())
    }

    #[cold]
    fn give_up_dictionary(&mut self) {
        let CellStore::Coded(dictionary, codes) = &self.cells else { return };
        let notation = match dictionary.text_values() {
            0 => None,
            _ => match Notation::detect(dictionary.iter().map(|(_, value)| value), self.mark) {
                None => {
                    self.cells = CellStore::TooMany;
                    return;
                }
                notation => notation,
            },
        };
        let numbers = numbers_by_code(dictionary, codes, notation);
        self.cells = numbers.map_or(CellStore::TooMany, CellStore::Numbers);
        self.notation = notation;
    }

    /// An attribute of the same name and declaration without rows, to be filled and [appended](Attribute::append).
    pub fn without_rows(&self) -> Self {
        let cells = match &self.cells {
            CellStore::Coded(..) => CellStore::Coded(Dictionary::default(), Codes::new()),
            CellStore::Numbers(_) => CellStore::Numbers(Vec::new()),
            CellStore::TooMany | CellStore::Unsupported(_) => CellStore::TooMany,
        };
        let Self { name, declared, mark, notation, .. } = self;
        Self { name: name.clone(), cells, declared: declared.clone(), mark: *mark, notation: *notation }
    }

    /// Moves the rows of a segment to the end; the segment keeps its dictionary for further rows. `translation` belongs
    /// to the segment: the codes here of its codes, empty at first.
    ///
    /// Values get their codes in the order of occurrence. Segments appended in the order of their rows therefore give
    /// the same codes as pushing the rows one by one.
    pub fn append(&mut self, segment: &mut Self, translation: &mut Vec<u32>) {
        // A segment that gave up its dictionary has more values than this attribute may have.
        if !matches!(segment.cells, CellStore::Coded(..)) && matches!(self.cells, CellStore::Coded(..)) {
            self.give_up_dictionary();
        }
        match (&mut self.cells, &mut segment.cells) {
            (CellStore::Coded(dictionary, codes), CellStore::Coded(segment_dictionary, segment_codes)) => {
                if translation.is_empty() {
                    translation.push(0);
                }
                for code in translation.len()..=segment_dictionary.len() {
                    translation.push(dictionary.translate_code(segment_dictionary, code));
                }
                codes.extend_translated(segment_codes, translation);
                segment_codes.clear();
                if dictionary.len() > MAX_VALUES {
                    self.give_up_dictionary();
                }
            }
            (CellStore::Numbers(numbers), CellStore::Coded(dictionary, codes)) => {
                match numbers_by_code(dictionary, codes, self.notation) {
                    Some(added) => numbers.extend(added),
                    None => self.cells = CellStore::TooMany,
                }
            }
            (CellStore::Numbers(numbers), CellStore::Numbers(added)) if self.notation == segment.notation => {
                numbers.append(added);
            }
            (CellStore::Numbers(_), _) => self.cells = CellStore::TooMany,
            (_, _) => {}
        }
        if !matches!(self.cells, CellStore::Coded(..)) {
            *segment = self.without_rows();
        }
    }

    /// Appends cells that are given by row numbers of another attribute of the same name. Does nothing and returns
    /// false if one of the two has no dictionary.
    pub fn push_codes(&mut self, rows: impl Iterator<Item = Option<usize>>, values: &Self) -> bool {
        let (CellStore::Coded(dictionary, codes), CellStore::Coded(others, value_codes)) =
            (&mut self.cells, &values.cells)
        else {
            return false;
        };
        // The code here of every code there, found at its first cell.
        let mut translation = vec![None; others.len() + 1];
        translation[0] = Some(0);
        for row in rows {
            let code = row.map_or(0, |row| value_codes.get(row));
            let translated =
                *translation[code].get_or_insert_with(|| dictionary.translate_code(others, code));
            codes.push(translated);
        }
        if dictionary.len() > MAX_VALUES {
            self.give_up_dictionary();
        }
        true
    }

    /// The same attribute without rows, with missing cells.
    pub fn with_missing_rows(mut self, rows: usize) -> Self {
        if let CellStore::Coded(_, codes) = &mut self.cells {
            *codes = Codes::One(vec![0; rows]);
        }
        self
    }

    /// Retains these rows, and the values that occur in them.
    pub fn retain_rows(&mut self, rows: &[usize]) {
        if let CellStore::Numbers(numbers) = &mut self.cells {
            *numbers = rows.iter().map(|&row| numbers[row]).collect();
            return;
        }
        let mut kept = self.without_rows();
        if kept.push_codes(rows.iter().copied().map(Some), self) {
            *self = kept;
        }
    }

    /// The same with missing cells before and after its own.
    #[cfg(feature = "remote")]
    pub fn pad(mut self, before: usize, after: usize) -> Self {
        match &mut self.cells {
            CellStore::Coded(_, codes) => {
                let mut padded = Codes::new();
                (0..before).for_each(|_| padded.push(0));
                codes.for_each(|_, code| padded.push(code as u32));
                (0..after).for_each(|_| padded.push(0));
                *codes = padded;
            }
            CellStore::Numbers(numbers) => {
                numbers.splice(0..0, std::iter::repeat_n(f64::NAN, before));
                numbers.resize(numbers.len() + after, f64::NAN);
            }
            CellStore::TooMany | CellStore::Unsupported(_) => {}
        }
        self
    }

    /// Removes the rows and keeps the dictionary.
    pub fn clear(&mut self) {
        match &mut self.cells {
            CellStore::Coded(_, codes) => codes.clear(),
            CellStore::Numbers(numbers) => numbers.clear(),
            CellStore::TooMany | CellStore::Unsupported(_) => {}
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.name.capacity()
            + match &self.cells {
                CellStore::Coded(dictionary, codes) => dictionary.bytes() + codes.bytes(),
                CellStore::Numbers(numbers) => numbers.capacity() * 8,
                CellStore::TooMany | CellStore::Unsupported(_) => 0,
            }
    }
}

/// The number of a text, plain or in a notation.
fn parse_noted(text: &str, notation: Option<Notation>) -> Option<f64> {
    match notation {
        None => parse_number(text),
        Some(notation) => notation.parse(text),
    }
}

/// The numbers of coded cells, "not a number" for missing ones; nothing if a value is no number in the notation.
fn numbers_by_code(dictionary: &Dictionary, codes: &Codes, notation: Option<Notation>) -> Option<Vec<f64>> {
    let values = dictionary.iter().map(|(code, value)| match notation {
        None => dictionary.number(code),
        Some(notation) => notation.parse(value),
    });
    let by_code: Vec<f64> = std::iter::once(Some(f64::NAN)).chain(values).collect::<Option<_>>()?;
    let mut numbers = Vec::with_capacity(codes.len() * 2);
    codes.for_each(|_, code| numbers.push(by_code[code]));
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(cells: impl Iterator<Item = String>) -> Attribute {
        let marks = MissingMarks::default();
        let mut attribute = Attribute::new("a".into(), Vec::new());
        cells.for_each(|cell| attribute.push(cell.as_bytes(), &marks).unwrap());
        attribute
    }

    #[test]
    fn many_numbers_are_stored_without_a_dictionary() {
        let few = filled((0..MAX_VALUES).map(|number| number.to_string()));
        assert!(matches!(few.cells, CellStore::Coded(_, Codes::Four(_))));
        let cells = (0..MAX_VALUES + 10).map(|number| number.to_string()).chain(["NA".to_owned()]);
        let CellStore::Numbers(numbers) = filled(cells).cells else { panic!("not numbers") };
        assert_eq!(numbers.len(), MAX_VALUES + 11);
        assert_eq!((numbers[3], numbers[MAX_VALUES + 9]), (3.0, 65_545.0));
        assert!(numbers[MAX_VALUES + 10].is_nan());
    }

    #[test]
    fn many_values_with_any_text_are_given_up_in_any_order() {
        let numbers = || (0..MAX_VALUES + 10).map(|number| number.to_string());
        let text = || std::iter::once("word".to_owned());
        assert!(matches!(filled(text().chain(numbers())).cells, CellStore::TooMany));
        assert!(matches!(filled(numbers().chain(text())).cells, CellStore::TooMany));
    }
}

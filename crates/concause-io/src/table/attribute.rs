//! One attribute of a table: a code per row into the dictionary of its values.
//!
//! An attribute with more than [`MOST_VALUES`] distinct values keeps no dictionary: numbers are then held as
//! such, text is not held at all. Which of the two it becomes depends on its values alone, never on the order of
//! its rows.

use super::codes::Codes;
use super::dictionary::{CellBytes, CellFault, Dictionary, cell_text};
use super::truths::{Run, Truths};
use super::word::{MissingMarks, number};

/// The most distinct values for which a dictionary is kept.
pub(crate) const MOST_VALUES: usize = 65_536;

/// A raw column of a table.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub cells: Cells,
    /// Declared values, which count as values even if they look like a missing mark.
    declared: Vec<String>,
}

/// How the cells of an attribute are held.
#[derive(Debug)]
pub(crate) enum Cells {
    /// Codes into a dictionary; 0 is missing.
    Coded(Dictionary, Codes),
    /// Numbers; "not a number" is missing.
    Numbers(Vec<f64>),
    /// More than [`MOST_VALUES`] distinct values, not all numbers: not held.
    TooMany,
    /// Of a type that cannot be read, named here: not held.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    Unsupported(String),
}

impl Attribute {
    /// An attribute without rows.
    pub fn new(name: String, declared: Vec<String>) -> Self {
        Self { name, cells: Cells::Coded(Dictionary::default(), Codes::new()), declared }
    }

    /// Appends a cell.
    #[inline]
    pub fn push(&mut self, cell: &[u8], marks: &MissingMarks) -> Result<(), CellFault> {
        match &mut self.cells {
            Cells::Coded(dictionary, codes) => {
                codes.push(dictionary.code(CellBytes::new(cell), marks, &self.declared)?);
                if dictionary.len() > MOST_VALUES {
                    self.give_up_dictionary();
                }
            }
            Cells::Numbers(numbers) => {
                let text = cell_text(cell)?;
                // A mark may look like a number (`-9`), so marks come first.
                if marks.contains(text) && !self.declared.iter().any(|value| value == text) {
                    numbers.push(f64::NAN);
                } else if let Some(number) = number(text) {
                    numbers.push(number);
                } else {
                    self.cells = Cells::TooMany;
                }
            }
            Cells::TooMany | Cells::Unsupported(_) => {
                cell_text(cell)?;
            }
        }
        Ok(())
    }

    /// Appends a cell by its code, if there are codes.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    #[inline]
    pub fn push_code(&mut self, code: u32) -> bool {
        let Cells::Coded(_, codes) = &mut self.cells else { return false };
        codes.push(code);
        true
    }

    /// The code of the last cell, if there are codes.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub fn last_code(&self) -> Option<u32> {
        let Cells::Coded(_, codes) = &self.cells else { return None };
        Some(codes.get(codes.len().checked_sub(1)?) as u32)
    }

    /// Appends truth values without copying them, if there are only such so far; false, and nothing done, if there are
    /// others.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub fn push_truths(&mut self, run: Run, marks: &MissingMarks) -> Result<bool, CellFault> {
        let Cells::Coded(dictionary, codes) = &mut self.cells else { return Ok(false) };
        if codes.len() == 0 {
            *codes = Codes::Truths(Truths::default());
        }
        let Codes::Truths(truths) = codes else { return Ok(false) };
        let mut code = |value: bool| {
            let word: &[u8] = if value { b"true" } else { b"false" };
            dictionary.code(CellBytes::new(word), marks, &self.declared)
        };
        truths.push(run, &mut code)?;
        Ok(true)
    }

    /// Appends many cells; `scratch` is room for their codes.
    pub fn push_all<'a>(
        &mut self,
        cells: impl Iterator<Item = CellBytes<'a>> + Clone,
        marks: &MissingMarks,
        scratch: &mut Vec<u32>,
    ) -> Result<(), CellFault> {
        let Cells::Coded(dictionary, codes) = &mut self.cells else {
            return cells.into_iter().try_for_each(|cell| self.push(cell.bytes(), marks));
        };
        dictionary.warm(cells.clone());
        scratch.clear();
        for cell in cells {
            scratch.push(dictionary.code(cell, marks, &self.declared)?);
        }
        codes.extend(scratch);
        if dictionary.len() > MOST_VALUES {
            self.give_up_dictionary();
        }
        Ok(())
    }

    #[cold]
    fn give_up_dictionary(&mut self) {
        let Cells::Coded(dictionary, codes) = &self.cells else { return };
        if dictionary.words() > 0 {
            self.cells = Cells::TooMany;
            return;
        }
        self.cells = Cells::Numbers(numbers_of(dictionary, codes));
    }

    /// An attribute of the same name and declaration without rows, whose rows [`Attribute::append`] takes.
    pub fn part(&self) -> Self {
        let cells = match &self.cells {
            Cells::Coded(..) => Cells::Coded(Dictionary::default(), Codes::new()),
            Cells::Numbers(_) => Cells::Numbers(Vec::new()),
            Cells::TooMany | Cells::Unsupported(_) => Cells::TooMany,
        };
        Self { name: self.name.clone(), cells, declared: self.declared.clone() }
    }

    /// Takes the rows of a part, which keeps its dictionary for the rows it will get. `meanings` belongs to the
    /// part: what its codes are here, and empty at first.
    ///
    /// Values get their codes in the order in which they come, so that parts appended in the order of their rows
    /// give what pushing the rows one by one gives.
    pub fn append(&mut self, part: &mut Self, meanings: &mut Vec<u32>) {
        // A part that gave up its dictionary has more values than this attribute may have.
        if !matches!(part.cells, Cells::Coded(..)) && matches!(self.cells, Cells::Coded(..)) {
            self.give_up_dictionary();
        }
        match (&mut self.cells, &mut part.cells) {
            (Cells::Coded(dictionary, codes), Cells::Coded(part_dictionary, part_codes)) => {
                if meanings.is_empty() {
                    meanings.push(0);
                }
                for code in meanings.len()..=part_dictionary.len() {
                    meanings.push(dictionary.code_of(part_dictionary, code));
                }
                codes.extend_translated(part_codes, meanings);
                part_codes.clear();
                if dictionary.len() > MOST_VALUES {
                    self.give_up_dictionary();
                }
            }
            (Cells::Numbers(numbers), Cells::Coded(dictionary, codes)) if dictionary.words() == 0 => {
                numbers.extend(numbers_of(dictionary, codes));
            }
            (Cells::Numbers(numbers), Cells::Numbers(added)) => numbers.append(added),
            (Cells::Numbers(_), _) => self.cells = Cells::TooMany,
            (_, _) => {}
        }
        if !matches!(self.cells, Cells::Coded(..)) {
            *part = self.part();
        }
    }

    /// Appends cells that are given by their places in a list of values, as rows of a part of this attribute. Does
    /// nothing and returns false if either of the two keeps no dictionary.
    pub fn push_codes(&mut self, places: impl Iterator<Item = Option<usize>>, values: &Self) -> bool {
        let (Cells::Coded(dictionary, codes), Cells::Coded(others, value_codes)) =
            (&mut self.cells, &values.cells)
        else {
            return false;
        };
        // The code here of every code there, found when its first cell comes.
        let mut meanings = vec![None; others.len() + 1];
        meanings[0] = Some(0);
        for place in places {
            let code = place.map_or(0, |place| value_codes.get(place));
            let meaning = *meanings[code].get_or_insert_with(|| dictionary.code_of(others, code));
            codes.push(meaning);
        }
        if dictionary.len() > MOST_VALUES {
            self.give_up_dictionary();
        }
        true
    }

    /// Keeps these rows, and the values that occur in them.
    pub fn keep(&mut self, rows: &[usize]) {
        if let Cells::Numbers(numbers) = &mut self.cells {
            *numbers = rows.iter().map(|&row| numbers[row]).collect();
            return;
        }
        let mut kept = self.part();
        if kept.push_codes(rows.iter().copied().map(Some), self) {
            *self = kept;
        }
    }

    /// The same with rows without a value before and after its own.
    pub fn padded(mut self, before: usize, after: usize) -> Self {
        match &mut self.cells {
            Cells::Coded(_, codes) => {
                let mut padded = Codes::new();
                (0..before).for_each(|_| padded.push(0));
                codes.for_each(|_, code| padded.push(code as u32));
                (0..after).for_each(|_| padded.push(0));
                *codes = padded;
            }
            Cells::Numbers(numbers) => {
                numbers.splice(0..0, std::iter::repeat_n(f64::NAN, before));
                numbers.resize(numbers.len() + after, f64::NAN);
            }
            Cells::TooMany | Cells::Unsupported(_) => {}
        }
        self
    }

    /// Forgets the rows and keeps the dictionary.
    pub fn clear(&mut self) {
        match &mut self.cells {
            Cells::Coded(_, codes) => codes.clear(),
            Cells::Numbers(numbers) => numbers.clear(),
            Cells::TooMany | Cells::Unsupported(_) => {}
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.name.capacity()
            + match &self.cells {
                Cells::Coded(dictionary, codes) => dictionary.bytes() + codes.bytes(),
                Cells::Numbers(numbers) => numbers.capacity() * 8,
                Cells::TooMany | Cells::Unsupported(_) => 0,
            }
    }
}

/// The numbers of coded cells; "not a number" for missing ones.
fn numbers_of(dictionary: &Dictionary, codes: &Codes) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(codes.len() * 2);
    codes.for_each(|_, code| {
        let number = if code == 0 { None } else { dictionary.number(code) };
        numbers.push(number.unwrap_or(f64::NAN));
    });
    numbers
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
    fn many_numbers_become_plain_numbers() {
        let few = filled((0..MOST_VALUES).map(|number| number.to_string()));
        assert!(matches!(few.cells, Cells::Coded(_, Codes::Four(_))));
        let cells = (0..MOST_VALUES + 10).map(|number| number.to_string()).chain(["NA".to_owned()]);
        let Cells::Numbers(numbers) = filled(cells).cells else { panic!("not numbers") };
        assert_eq!(numbers.len(), MOST_VALUES + 11);
        assert_eq!((numbers[3], numbers[MOST_VALUES + 9]), (3.0, 65_545.0));
        assert!(numbers[MOST_VALUES + 10].is_nan());
    }

    #[test]
    fn many_values_with_any_text_are_given_up_in_any_order() {
        let numbers = || (0..MOST_VALUES + 10).map(|number| number.to_string());
        let text = || std::iter::once("word".to_owned());
        assert!(matches!(filled(text().chain(numbers())).cells, Cells::TooMany));
        assert!(matches!(filled(numbers().chain(text())).cells, Cells::TooMany));
    }
}

//! One attribute of a table: a code per row into the dictionary of its values.
//!
//! An attribute with more than [`MOST_VALUES`] distinct values keeps no dictionary: numbers are then held as
//! such, text is not held at all. Which of the two it becomes depends on its values alone, never on the order of
//! its rows.

use super::codes::Codes;
use super::dictionary::{CellFault, Dictionary, cell_text};
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
                codes.push(dictionary.code(cell, marks, &self.declared)?);
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

    #[cold]
    fn give_up_dictionary(&mut self) {
        let Cells::Coded(dictionary, codes) = &self.cells else { return };
        if dictionary.words() > 0 {
            self.cells = Cells::TooMany;
            return;
        }
        let mut numbers = Vec::with_capacity(codes.len() * 2);
        codes.for_each(|_, code| {
            let number = if code == 0 { None } else { dictionary.number(code) };
            numbers.push(number.unwrap_or(f64::NAN));
        });
        self.cells = Cells::Numbers(numbers);
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

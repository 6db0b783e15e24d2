//! Encodes a table whose rows lie in many places, so that the result is that of the whole table in one place.
//!
//! What an attribute becomes depends on how often each of its values occurs in cases and in controls, and on nothing else.
//! So the parts of the table are asked three times, and what they answer is added up:
//!
//! 1. for the values of the target ([`Outline::first_look`]), from which follows which rows are cases;
//! 2. for the values of all attributes in cases and in controls (a [`Summary`]), from which follow the columns;
//! 3. to encode themselves: a [`Packing`] turns rows into a packed block, and tells some [`Facts`].
//!
//! The [`Outline`] goes from step to step. What parts are told and what they answer travels as bytes.

mod outline;
mod packing;
mod summary;
#[cfg(all(test, feature = "arrow"))]
mod tests;

use concause::count::elsewhere::Damaged;
use concause::count::elsewhere::bytes::{Reader, Writer};

pub use self::outline::Outline;
pub use self::packing::{Facts, Packing};
pub use self::summary::Summary;
use super::rows::RowClass;
use crate::declaration::Declaration;
use crate::error::Error;
use crate::options::ReadOptions;
use crate::table::{Attribute, Cells, Table};

/// What parts are called where they cannot be read.
const NAME: &str = "the DataFrame";

/// How parts are looked at: what their cells mean, and which rows are cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Marks of missing values beside the usual ones.
    marks: Vec<String>,
    /// The values of attributes that count as such even if they look like a mark.
    declared: Vec<(String, Vec<String>)>,
    /// The attribute of the target, and which of its values make a case; before that is known no row is one.
    target: Option<(String, Cases)>,
}

/// What makes a row a case.
#[derive(Clone, Debug, PartialEq)]
enum Cases {
    /// One of these texts in the target.
    Texts(Vec<String>),
    /// This number in the target.
    Number(f64),
}

impl Look {
    fn new(options: &ReadOptions, declaration: &Declaration) -> Self {
        let declared = declaration.attributes.iter();
        Self {
            marks: options.missing.iter().chain(&declaration.missing).cloned().collect(),
            declared: declared.filter_map(|it| Some((it.name.clone(), it.values.clone()?))).collect(),
            target: None,
        }
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.0
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(bytes, "a look");
        let look = Self::read_from(&mut reader)?;
        reader.end()?;
        Ok(look)
    }

    fn write(&self, writer: &mut Writer) {
        write_texts(&self.marks, writer);
        writer.length(self.declared.len());
        for (name, values) in &self.declared {
            writer.text(name);
            write_texts(values, writer);
        }
        match &self.target {
            None => writer.number(0),
            Some((name, cases)) => {
                writer.number(match cases {
                    Cases::Texts(_) => 1,
                    Cases::Number(_) => 2,
                });
                writer.text(name);
                match cases {
                    Cases::Texts(texts) => write_texts(texts, writer),
                    Cases::Number(number) => writer.float(*number),
                }
            }
        }
    }

    fn read_from(reader: &mut Reader<'_>) -> Result<Self, Damaged> {
        let marks = reader.list(Reader::text)?;
        let declared = reader.list(|reader| Ok((reader.text()?, reader.list(Reader::text)?)))?;
        let target = match reader.number()? {
            0 => None,
            1 => Some((reader.text()?, Cases::Texts(reader.list(Reader::text)?))),
            2 => Some((reader.text()?, Cases::Number(reader.float()?))),
            _ => return Err(reader.damaged()),
        };
        Ok(Self { marks, declared, target })
    }

    /// Reads a part.
    #[cfg(feature = "arrow")]
    fn read(&self, batches: impl arrow_array::RecordBatchReader) -> Result<Table, Error> {
        let options = ReadOptions { missing: self.marks.clone(), ..ReadOptions::default() };
        let schema = batches.schema();
        let is_here =
            |name: &str| schema.fields().iter().any(|it| it.name().trim_matches([' ', '\t']) == name);
        let declared = self.declared.iter().filter(|(name, _)| is_here(name)).cloned();
        let declaration = Declaration::of_values(declared);
        crate::read::read_batches(NAME, batches, &options, &declaration, &|_| {
            std::ops::ControlFlow::Continue(())
        })
    }

    /// The class of every row of a part; none of them is known without a target.
    fn classes(&self, part: &Table) -> Result<Vec<RowClass>, Error> {
        let Some((name, cases)) = &self.target else {
            return Ok(vec![RowClass::LeftOut; part.rows as usize]);
        };
        let Some(target) = part.attributes.iter().find(|attribute| attribute.name == *name) else {
            return Err(Error::source(&NAME, format!("a part has no column {name:?}")));
        };
        Ok(cases.classes(target))
    }
}

impl Cases {
    fn classes(&self, target: &Attribute) -> Vec<RowClass> {
        let class = |is_case: bool| if is_case { RowClass::Case } else { RowClass::Control };
        let of_number = |number: f64| match self {
            Self::Number(wanted) => class(number == *wanted),
            Self::Texts(_) => RowClass::Control,
        };
        match &target.cells {
            Cells::Coded(dictionary, codes) => {
                let of_code = |code: usize| match self {
                    Self::Texts(texts) => class(texts.iter().any(|text| text == dictionary.value(code))),
                    Self::Number(_) => of_number(dictionary.number(code).unwrap_or(f64::NAN)),
                };
                let of_codes: Vec<RowClass> =
                    std::iter::once(RowClass::LeftOut).chain((1..=dictionary.len()).map(of_code)).collect();
                let mut classes = Vec::with_capacity(codes.len());
                codes.for_each(|_, code| classes.push(of_codes[code]));
                classes
            }
            Cells::Numbers(numbers) => {
                let of_cell =
                    |&number: &f64| if number.is_nan() { RowClass::LeftOut } else { of_number(number) };
                numbers.iter().map(of_cell).collect()
            }
            Cells::TooMany | Cells::Unsupported(_) => Vec::new(),
        }
    }
}

fn write_texts(texts: &[String], writer: &mut Writer) {
    writer.length(texts.len());
    texts.iter().for_each(|text| writer.text(text));
}

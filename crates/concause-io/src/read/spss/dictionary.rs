//! The dictionary of an SPSS system file: its variables with their labels and missing values.

use std::collections::HashMap;

use crate::read::binary::{BinaryReader, Characters, Failure, corrupt, number_text};
use crate::read::collect::ValueLabels;

/// The bytes of each part of a very long text: all but the last take 32 elements.
const PART_BYTES: usize = 255;
const PART_ELEMENTS: usize = 32;

/// A variable.
pub(super) struct Variable {
    pub name: String,
    /// The bytes of a text; 0 for a number.
    pub width: usize,
    /// The number of its display format.
    pub format: u8,
    pub labels: ValueLabels,
    /// The index of its first element in a case.
    element: usize,
    missing: Vec<f64>,
    missing_range: Option<[f64; 2]>,
}

impl Variable {
    /// The bytes of a text in a case.
    pub fn text(&self, case: &[[u8; 8]]) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.width);
        let mut element = self.element;
        while text.len() < self.width {
            let length = (self.width - text.len()).min(PART_BYTES);
            let part = case.get(element..).unwrap_or_default().as_flattened();
            text.extend_from_slice(&part[..length.min(part.len())]);
            if part.len() < length {
                break;
            }
            element += PART_ELEMENTS;
        }
        text
    }
}

/// What a file says about its cases.
pub(super) struct Dictionary {
    pub variables: Vec<Variable>,
    pub characters: Characters,
    /// The elements of eight bytes in a case.
    pub case_elements: usize,
    /// How the cases are packed: 0 not, 1 by codes, 2 by codes and zlib.
    pub compression: i32,
    /// What is added to small numbers in codes.
    pub bias: f64,
    /// The number of cases, if it is known.
    pub cases: Option<u64>,
    pub big_endian: bool,
}

/// A set of value labels: the bytes of each value and its label, and the elements that it belongs to.
type LabelSet = (Vec<([u8; 8], Vec<u8>)>, Vec<u32>);

impl Dictionary {
    /// Reads the dictionary up to the first case.
    pub fn read(input: &mut BinaryReader) -> Result<Self, Failure> {
        input.skip(64)?;
        let layout: [u8; 4] = input.array()?;
        input.big_endian = layout[0] == 0;
        input.skip(4)?;
        let (compression, _weight, cases) = (input.i32()?, input.i32()?, input.i32()?);
        let bias = input.f64()?;
        input.skip(9 + 8 + 64 + 3)?;
        let mut dictionary = Self {
            variables: Vec::new(),
            characters: Characters::Windows1252,
            case_elements: 0,
            compression,
            bias,
            cases: u64::try_from(cases).ok(),
            big_endian: input.big_endian,
        };
        // Short names until the dictionary is complete; the encoding comes after them.
        let (mut short_names, mut label_sets, mut extensions) =
            (Vec::new(), Vec::<LabelSet>::new(), HashMap::new());
        loop {
            match input.i32()? {
                2 => dictionary.read_variable(input, &mut short_names)?,
                3 => {
                    let count = input.u32()?;
                    let mut labels = Vec::new();
                    for _ in 0..count {
                        let (value, length) = (input.array()?, u64::from(input.u8()?));
                        labels.push((value, input.bytes(length)?));
                        input.skip((length + 1).next_multiple_of(8) - length - 1)?;
                    }
                    if input.i32()? != 4 {
                        return Err(corrupt("the variables of some labels are missing"));
                    }
                    let count = input.u32()?;
                    let mut elements = Vec::new();
                    for _ in 0..count {
                        elements.push(input.u32()?);
                    }
                    label_sets.push((labels, elements));
                }
                6 => {
                    let lines = input.u32()?;
                    input.skip(u64::from(lines) * 80)?;
                }
                7 => {
                    let (kind, size, count) = (input.i32()?, input.u32()?, input.u32()?);
                    extensions.insert(kind, input.bytes(u64::from(size) * u64::from(count))?);
                }
                999 => {
                    input.skip(4)?;
                    break;
                }
                kind => return Err(corrupt(format_args!("a record of the unknown kind {kind}"))),
            }
        }
        dictionary.complete(&short_names, label_sets, &extensions)?;
        Ok(dictionary)
    }

    fn read_variable(
        &mut self,
        input: &mut BinaryReader,
        short_names: &mut Vec<Vec<u8>>,
    ) -> Result<(), Failure> {
        let (kind, has_label, missing, print) = (input.i32()?, input.i32()?, input.i32()?, input.u32()?);
        input.skip(4)?;
        let name: [u8; 8] = input.array()?;
        if has_label == 1 {
            let length = input.u32()?;
            input.skip(u64::from(length).next_multiple_of(4))?;
        }
        let mut values = Vec::new();
        for _ in 0..missing.unsigned_abs().min(3) {
            values.push(input.f64()?);
        }
        if kind >= 0 {
            let missing_range = (missing < 0 && values.len() >= 2).then(|| [values[0], values[1]]);
            if missing_range.is_some() {
                values.drain(..2);
            }
            short_names.push(name.trim_ascii_end().to_vec());
            self.variables.push(Variable {
                name: String::new(),
                width: kind as usize,
                format: (print >> 16) as u8,
                labels: Vec::new(),
                element: self.case_elements,
                missing: if kind == 0 { values } else { Vec::new() },
                missing_range,
            });
        }
        self.case_elements += 1;
        Ok(())
    }

    /// Completes the variables by what comes after them.
    fn complete(
        &mut self,
        short_names: &[Vec<u8>],
        label_sets: Vec<LabelSet>,
        extensions: &HashMap<i32, Vec<u8>>,
    ) -> Result<(), Failure> {
        let extension = |kind: i32| extensions.get(&kind).map(Vec::as_slice).unwrap_or_default();
        self.characters = match (extension(20), extension(3).get(28..32)) {
            (name, _) if name.to_ascii_lowercase().starts_with(b"utf") => Characters::Utf8,
            ([], Some(code))
                if [65001u32.to_le_bytes(), 65001u32.to_be_bytes()].iter().any(|it| it == code) =>
            {
                Characters::Utf8
            }
            _ => Characters::Windows1252,
        };
        let entries = |bytes: &[u8]| -> HashMap<String, String> {
            let text = self.characters.decode(bytes);
            let pairs = text.split(['\t', '\0']).filter_map(|entry| entry.split_once('='));
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        let (long_names, long_widths) = (entries(extension(13)), entries(extension(14)));
        let mut skipped = 0;
        let variables = std::mem::take(&mut self.variables);
        for (mut variable, short) in variables.into_iter().zip(short_names) {
            if skipped > 0 {
                // A further part of a very long text.
                skipped -= 1;
                continue;
            }
            let short = self.characters.decode(short);
            if let Some(width) = long_widths.get(&short).and_then(|width| width.parse::<usize>().ok()) {
                // Each part but the last has room for 252 bytes in the declared width.
                (skipped, variable.width) = (width.div_ceil(252).saturating_sub(1), width);
            }
            variable.name = long_names.get(&short).cloned().unwrap_or(short);
            self.variables.push(variable);
        }
        for (labels, elements) in label_sets {
            for element in elements {
                let is_meant = |variable: &&mut Variable| variable.element + 1 == element as usize;
                let Some(variable) = self.variables.iter_mut().find(is_meant) else { continue };
                let (characters, is_text) = (self.characters, variable.width > 0);
                let value = |bytes: &[u8; 8]| match is_text {
                    true => characters.decode(bytes),
                    false if self.big_endian => number_text(f64::from_be_bytes(*bytes)),
                    false => number_text(f64::from_le_bytes(*bytes)),
                };
                let named = labels.iter().map(|(bytes, label)| (value(bytes), characters.decode(label)));
                variable.labels.extend(named);
            }
        }
        if self.variables.is_empty() { Err(corrupt("it has no variables")) } else { Ok(()) }
    }

    /// The number of a variable in a case; nothing if it is missing.
    pub fn number(&self, variable: &Variable, case: &[[u8; 8]]) -> Option<f64> {
        let bytes = *case.get(variable.element)?;
        let number = if self.big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) };
        let in_range = |[low, high]: [f64; 2]| (low..=high).contains(&number);
        let is_missing = number <= -f64::MAX
            || number.is_nan()
            || variable.missing.contains(&number)
            || variable.missing_range.is_some_and(in_range);
        (!is_missing).then_some(number)
    }
}

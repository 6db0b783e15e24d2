//! Exports the encoded table as CSV, and the encoding as a declaration that reproduces it.

use std::io::{self, Write};

use concause::dataset::{BLOCK_BITS, Dataset};
use concause_simulate::quote_csv_field;

use super::legend::{AttributeKind, LegendColumn, LegendEntry};

/// Writes the columns of the data as 0 and 1, the target last, cases before controls.
pub(crate) fn write_csv(dataset: &Dataset, out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    for column in dataset.columns() {
        line.extend_from_slice(quote_csv_field(&column.name).as_bytes());
        line.push(b',');
    }
    line.extend_from_slice(quote_csv_field(&dataset.target().label()).as_bytes());
    line.push(b'\n');
    out.write_all(&line)?;
    let classes =
        [(dataset.positive(), 0, b'1'), (dataset.negative(), dataset.layout().positive_blocks(), b'0')];
    for (rows, first_block, outcome) in classes {
        for row in 0..rows {
            line.clear();
            let block = first_block + (row / BLOCK_BITS) as usize;
            let (word, bit) = ((row % BLOCK_BITS / 64) as usize, row % 64);
            for column in 0..dataset.columns().len() {
                let one = dataset.bits(column)[block].0[word] >> bit & 1;
                line.extend_from_slice(&[b'0' + one as u8, b',']);
            }
            line.extend_from_slice(&[outcome, b'\n']);
            out.write_all(&line)?;
        }
    }
    Ok(())
}

/// The TOML that declares these attributes as they were encoded. `attributes` are all of the table, in data order; the
/// target is declared by its name only.
pub(crate) fn write_declaration<'a>(
    attributes: impl Iterator<Item = &'a LegendEntry>,
    target: &str,
) -> String {
    let mut text = String::new();
    for entry in attributes {
        text += &format!("[[attribute]]\nname = {}\n", quote_toml(&entry.attribute));
        if entry.attribute != target {
            text += &declare_kind(entry);
        }
        text.push('\n');
    }
    text
}

fn declare_kind(entry: &LegendEntry) -> String {
    match entry.kind {
        _ if entry.columns.is_empty() => "type = \"ignore\"\n".into(),
        AttributeKind::Binary => "type = \"binary\"\n".into(),
        AttributeKind::Ordered => {
            let cuts: Vec<String> = entry.cuts.iter().map(|cut| format!("{cut:?}")).collect();
            format!("type = \"ordered\"\ncuts = [{}]\n", cuts.join(", "))
        }
        _ => {
            let values: Vec<&str> = match &entry.values[..] {
                [] => entry.columns.iter().filter_map(|column| column.value.as_deref()).collect(),
                both => both.iter().map(String::as_str).collect(),
            };
            let values: Vec<String> = values.into_iter().map(quote_toml).collect();
            let others = match (entry.pooled.is_empty(), entry.columns.last()) {
                (false, Some(LegendColumn { value: Some(value), .. })) => {
                    format!("others = {}\n", quote_toml(value))
                }
                _ => String::new(),
            };
            format!("type = \"nominal\"\nvalues = [{}]\n{others}", values.join(", "))
        }
    }
}

/// A basic string of TOML.
fn quote_toml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => quoted += &format!("\\u{:04X}", character as u32),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

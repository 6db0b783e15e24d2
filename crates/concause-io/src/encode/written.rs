//! Writes the encoded table as CSV, so that what the search sees can be seen, and the encoding as a declaration,
//! so that it can be used again.

use std::io::{self, Write};

use concause::dataset::{BLOCK_BITS, Dataset};

use super::legend::{AttributeKind, LegendEntry};

/// Writes a 0/1 column per column of the data and the target last, cases before controls.
pub(crate) fn write_csv(dataset: &Dataset, out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    for column in dataset.columns() {
        push_quoted(&mut line, &column.name);
        line.push(b',');
    }
    push_quoted(&mut line, &dataset.target().label());
    line.push(b'\n');
    out.write_all(&line)?;
    let parts =
        [(dataset.positive(), 0, b'1'), (dataset.negative(), dataset.layout().positive_blocks(), b'0')];
    for (rows, first_block, outcome) in parts {
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

fn push_quoted(line: &mut Vec<u8>, name: &str) {
    let plain = !name.contains([',', '"', '\n', '\r']) && name.trim_matches([' ', '\t']).len() == name.len();
    if plain && !name.is_empty() {
        line.extend_from_slice(name.as_bytes());
        return;
    }
    line.push(b'"');
    line.extend_from_slice(name.replace('"', "\"\"").as_bytes());
    line.push(b'"');
}

/// The TOML that declares these attributes as they were encoded. `attributes` are all of the table, in data
/// order; of the target only the name is declared.
pub(crate) fn declaration<'a>(attributes: impl Iterator<Item = &'a LegendEntry>, target: &str) -> String {
    let mut text = String::new();
    for entry in attributes {
        text += &format!("[[attribute]]\nname = {}\n", toml_string(&entry.attribute));
        if entry.attribute != target {
            text += &kind_lines(entry);
        }
        text.push('\n');
    }
    text
}

fn kind_lines(entry: &LegendEntry) -> String {
    match entry.kind {
        _ if entry.columns.is_empty() => "type = \"ignore\"\n".into(),
        AttributeKind::Binary => "type = \"binary\"\n".into(),
        AttributeKind::Continuous => {
            let cuts: Vec<String> = entry.cuts.iter().map(|cut| format!("{cut:?}")).collect();
            format!("type = \"continuous\"\ncuts = [{}]\n", cuts.join(", "))
        }
        _ => {
            let prefix = format!("{}=", entry.attribute);
            let missing = format!("{} has no value", entry.attribute);
            let values: Vec<String> = entry
                .columns
                .iter()
                .filter(|column| column.meaning != missing)
                .filter_map(|column| column.name.strip_prefix(&prefix))
                .map(toml_string)
                .collect();
            format!("type = \"nominal\"\nvalues = [{}]\n", values.join(", "))
        }
    }
}

/// A basic string of TOML.
fn toml_string(text: &str) -> String {
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

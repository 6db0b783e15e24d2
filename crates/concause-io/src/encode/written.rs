//! Writes the encoded table as CSV, so that what the search sees can be seen.

use std::io::{self, Write};

use concause::dataset::{BLOCK_BITS, Dataset};

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

//! Serialises the bitmaps of a dataset, so that other machines can store them and count in them.

use std::sync::Arc;

use super::{Block, Column, Contents, Dataset, Layout, Target};

/// The first bytes of packed rows; the last of them is the version.
const SIGNATURE: [u8; 8] = *b"packed \x01";

/// The size of the header in bytes: the signature, the rows of each class, and the number of columns.
const HEADER: usize = 32;

/// A header with more columns than this is rejected as corrupt.
const MAX_COLUMNS: u64 = 1 << 24;

impl Dataset {
    /// Serialises the bitmaps without the names: the rows of each class, the number of columns, and the bits.
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.bytes());
        bytes.extend(SIGNATURE);
        for number in [self.layout().positive, self.layout().negative, self.columns().len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for column in 0..self.columns().len() {
            Block::words(self.bits(column))
                .iter()
                .for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
        bytes
    }

    /// Reads packed rows into a dataset with nameless columns. Returns `None` if the bytes are not packed rows.
    pub fn unpack(bytes: &[u8]) -> Option<Dataset> {
        let (header, bits) = bytes.split_at_checked(HEADER)?;
        let (signature, numbers) = header.split_at(SIGNATURE.len());
        let numbers: Vec<u64> = words(numbers).collect();
        let [positive, negative, columns] = numbers[..] else { return None };
        // This bound keeps sums of counts below the largest `u64`.
        if signature != SIGNATURE || columns > MAX_COLUMNS || positive.max(negative) > u64::MAX / 4 {
            return None;
        }
        let layout = Layout { positive, negative };
        let bytes_of_column = layout.blocks().checked_mul(size_of::<Block>())?;
        let columns = columns as usize;
        if bytes_of_column.checked_mul(columns)? != bits.len() {
            return None;
        }
        let mut blocks = vec![Block::ZERO; columns * layout.blocks()];
        Block::words_mut(&mut blocks).iter_mut().zip(words(bits)).for_each(|(word, read)| *word = read);
        Some(Dataset(Arc::new(Contents {
            target: Target { name: String::new(), value: None },
            attributes: Vec::new(),
            columns: vec![Column::new("", ""); columns],
            layout,
            blocks: vec![blocks],
            positions: (0..columns).map(|position| (0, position)).collect(),
        })))
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::super::DatasetBuilder;
    use super::*;

    fn data(rows: usize) -> Dataset {
        let target = Target { name: "T".into(), value: None };
        let mut builder = DatasetBuilder::new(target, (0..rows).map(|row| row % 3 == 0).collect());
        builder.attribute("A", vec!["A".into()], (0..rows).map(|row| (row % 2 == 0).then_some(0)));
        builder.attribute("B", vec!["B=1".into(), "B=2".into()], (0..rows).map(|row| Some(row % 5 % 2)));
        builder.finish()
    }

    #[test]
    fn packed_rows_round_trip() {
        for rows in [0, 1, 511, 512, 513, 3000] {
            let data = data(rows);
            let unpacked = Dataset::unpack(&data.pack()).unwrap();
            assert_eq!((unpacked.layout(), unpacked.columns().len()), (data.layout(), 3));
            assert!((0..3).all(|column| unpacked.bits(column) == data.bits(column)), "{rows}");
        }
    }

    #[test]
    fn corrupt_bytes_are_rejected() {
        let bytes = data(700).pack();
        let cut = [0, 7, HEADER - 1, HEADER, bytes.len() - 1];
        assert!(cut.iter().all(|&end| Dataset::unpack(&bytes[..end]).is_none()));
        let mut wrong = bytes.clone();
        wrong[0] ^= 1;
        assert!(Dataset::unpack(&wrong).is_none());
        let mut huge = bytes;
        huge[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Dataset::unpack(&huge).is_none());
    }
}

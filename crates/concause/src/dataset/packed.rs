//! The bitmaps of a dataset as plain bytes, to be kept and counted in elsewhere.

use super::{Block, Column, Dataset, Layout, Target};

/// What packed rows begin with; the last byte is the version.
const MARK: [u8; 8] = *b"packed \x01";

/// The bytes before the bitmaps: the mark, the rows of each class, and the columns.
const HEAD: usize = 32;

/// More columns than this are not believed.
const MOST_COLUMNS: u64 = 1 << 24;

impl Dataset {
    /// The bitmaps without the names: the rows of each class, the columns, and one bit for each row and column.
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.bytes());
        bytes.extend(MARK);
        for number in [self.layout.positive, self.layout.negative, self.columns.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        for column in 0..self.columns.len() {
            Block::words(self.bits(column))
                .iter()
                .for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
        bytes
    }

    /// Packed rows as data whose columns have numbers only; none if the bytes are not packed rows.
    pub fn unpack(bytes: &[u8]) -> Option<Dataset> {
        let (head, bits) = bytes.split_at_checked(HEAD)?;
        let (mark, numbers) = head.split_at(MARK.len());
        let numbers: Vec<u64> = words(numbers).collect();
        let [positive, negative, columns] = numbers[..] else { return None };
        // More rows than half of what a number can say would not even be counted.
        if mark != MARK || columns > MOST_COLUMNS || positive.max(negative) > u64::MAX / 4 {
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
        Some(Dataset {
            target: Target { name: String::new(), value: None },
            attributes: Vec::new(),
            columns: vec![Column { name: String::new(), attribute: 0 }; columns],
            layout,
            blocks: vec![blocks],
            places: (0..columns).map(|place| (0, place)).collect(),
        })
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
    fn packed_rows_come_back() {
        for rows in [0, 1, 511, 512, 513, 3000] {
            let data = data(rows);
            let back = Dataset::unpack(&data.pack()).unwrap();
            assert_eq!((back.layout(), back.columns().len()), (data.layout(), 3));
            assert!((0..3).all(|column| back.bits(column) == data.bits(column)), "{rows}");
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = data(700).pack();
        let cut = [0, 7, HEAD - 1, HEAD, bytes.len() - 1];
        assert!(cut.iter().all(|&end| Dataset::unpack(&bytes[..end]).is_none()));
        let mut wrong = bytes.clone();
        wrong[0] ^= 1;
        assert!(Dataset::unpack(&wrong).is_none());
        let mut huge = bytes;
        huge[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Dataset::unpack(&huge).is_none());
    }
}

//! The unit of a bitmap and the place of each row in it.

/// Bits in one [`Block`]: a cache line, and one AVX-512 register.
pub const BLOCK_BITS: u64 = 512;

/// Eight words on a cache line of their own; bitmaps are slices of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [u64; 8]);

impl Block {
    /// A block without a one.
    pub const ZERO: Block = Block([0; 8]);

    /// The words of a bitmap, one after the other.
    pub fn words(blocks: &[Block]) -> &[u64] {
        // SAFETY: a block is eight words and nothing else, so n blocks are 8n words, and better aligned than words.
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), 8 * blocks.len()) }
    }

    /// The words of a bitmap, to be written.
    pub fn words_mut(blocks: &mut [Block]) -> &mut [u64] {
        // SAFETY: as above, and the blocks are borrowed for as long as the words are.
        unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), 8 * blocks.len()) }
    }
}

/// The places of the ones in a row of words, ascending.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
            .take_while(|&bits| bits != 0)
            .map(move |bits| 64 * word + bits.trailing_zeros() as usize)
    })
}

/// How many rows of each class a bitmap holds: the cases from block 0 on, the controls from
/// [`Layout::positive_blocks`] on, each class padded with zeros to a whole block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Rows with target 1.
    pub positive: u64,
    /// Rows with target 0.
    pub negative: u64,
}

impl Layout {
    /// The blocks that hold the cases.
    pub fn positive_blocks(&self) -> usize {
        self.positive.div_ceil(BLOCK_BITS) as usize
    }

    /// The blocks of a whole bitmap.
    pub fn blocks(&self) -> usize {
        self.positive_blocks() + self.negative.div_ceil(BLOCK_BITS) as usize
    }

    /// A bitmap that is 1 in every row, and 0 in the padding.
    pub fn full(&self) -> Vec<Block> {
        let class = |rows: u64| {
            (0..rows.div_ceil(BLOCK_BITS)).map(move |block| {
                Block(std::array::from_fn(|word| {
                    let left = rows.saturating_sub(block * BLOCK_BITS + word as u64 * 64);
                    if left >= 64 { u64::MAX } else { (1 << left) - 1 }
                }))
            })
        };
        class(self.positive).chain(class(self.negative)).collect()
    }
}

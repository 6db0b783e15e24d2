//! The unit of storage of a bitmap, and the position of each row in it.

/// The bits of one [`Block`]: a cache line, and one AVX-512 register.
pub const BLOCK_BITS: u64 = 512;

/// Eight words on one cache line. A bitmap is a slice of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [u64; 8]);

impl Block {
    /// A block of zeros.
    pub const ZERO: Block = Block([0; 8]);

    /// The words of a bitmap.
    pub fn words(blocks: &[Block]) -> &[u64] {
        // SAFETY: a block consists of eight words without padding, and its alignment exceeds that of a word.
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), 8 * blocks.len()) }
    }

    /// The words of a bitmap, mutable.
    pub fn words_mut(blocks: &mut [Block]) -> &mut [u64] {
        // SAFETY: as above; the blocks stay mutably borrowed as long as the words.
        unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), 8 * blocks.len()) }
    }
}

/// The positions of the ones in a slice of words, in ascending order.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
            .take_while(|&bits| bits != 0)
            .map(move |bits| 64 * word + bits.trailing_zeros() as usize)
    })
}

/// The number of rows of each class in a bitmap. The cases start at block 0, the controls at block
/// [`Layout::positive_blocks`]. Each class is padded with zeros to a full block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Rows with target 1.
    pub positive: u64,
    /// Rows with target 0.
    pub negative: u64,
}

impl Layout {
    /// The number of blocks of the cases.
    pub fn positive_blocks(&self) -> usize {
        self.positive.div_ceil(BLOCK_BITS) as usize
    }

    /// The number of blocks of a bitmap.
    pub fn blocks(&self) -> usize {
        self.positive_blocks() + self.negative.div_ceil(BLOCK_BITS) as usize
    }

    /// A bitmap that is 1 in every row and 0 in the padding.
    pub fn full(&self) -> Vec<Block> {
        let class = |rows: u64| {
            (0..rows.div_ceil(BLOCK_BITS)).map(move |block| {
                Block(std::array::from_fn(|word| {
                    let remaining = rows.saturating_sub(block * BLOCK_BITS + word as u64 * 64);
                    if remaining >= 64 { u64::MAX } else { (1 << remaining) - 1 }
                }))
            })
        };
        class(self.positive).chain(class(self.negative)).collect()
    }
}

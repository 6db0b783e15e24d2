//! The encoded data: named binary columns as bitmaps, with the rows split by the target.
//!
//! Rows are sorted by the target while the data is built: the cases (target 1) first, padded with zeros to a
//! whole [`Block`], then the controls, padded likewise. One pass over two columns then counts both classes at
//! once. The order of the rows within a class carries no meaning.
//!
//! This module knows nothing of where the data came from or what will be counted in it.

mod bitmap;
mod builder;
mod candidate;
mod packed;

pub(crate) use bitmap::ones;
pub use bitmap::{BLOCK_BITS, Block, Layout};
pub use builder::DatasetBuilder;
pub use candidate::Candidate;
pub(crate) use candidate::{pick, split_masks};

/// The outcome whose causes are sought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The attribute the target came from.
    pub name: String,
    /// The value that counts as 1, where the attribute is not binary by itself.
    pub value: Option<String>,
}

impl Target {
    /// The name people read: `NAME` or `NAME=VALUE`.
    pub fn label(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }
}

/// One binary column of the encoded data, and the attribute (raw column) it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name of the column, e.g. `V1`, `T3<1.15` or `checking_account=A14`.
    pub name: String,
    /// The number of the attribute it came from; columns of one attribute are never combined.
    pub attribute: usize,
}

/// Named binary columns as bitmaps, rows split by the target.
#[derive(Clone, Debug)]
pub struct Dataset {
    target: Target,
    attributes: Vec<String>,
    columns: Vec<Column>,
    layout: Layout,
    /// The bitmaps of each attribute, one after the other.
    blocks: Vec<Vec<Block>>,
    /// For each column its attribute's bitmaps, and its place among them.
    places: Vec<(usize, usize)>,
}

impl Dataset {
    /// The outcome by which the rows are split.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The names of the attributes that gave at least one column, in data order.
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// The columns in data order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How the rows lie in a bitmap.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of rows with target 1.
    pub fn positive(&self) -> u64 {
        self.layout.positive
    }

    /// The number of rows with target 0.
    pub fn negative(&self) -> u64 {
        self.layout.negative
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.layout.positive + self.layout.negative
    }

    /// The bits of one column: the cases' blocks, then the controls'.
    pub fn bits(&self, column: usize) -> &[Block] {
        let length = self.layout.blocks();
        let (store, place) = self.places[column];
        &self.blocks[store][place * length..(place + 1) * length]
    }

    /// The bytes the bitmaps take.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum::<usize>() * size_of::<Block>()
    }
}

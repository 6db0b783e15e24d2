//! The encoded data: named binary columns as bitmaps, with the rows split by the target.
//!
//! Rows are sorted by the target when the data is built: first the cases (target 1), then the controls, each class
//! padded with zeros to a full [`Block`]. One pass over two columns therefore counts both classes. The order of the
//! rows within a class has no meaning.
//!
//! This module does not depend on the source of the data or on what is counted in it.

mod binary;
mod bitmap;
mod builder;
mod candidate;
mod column;
mod literal;
mod names;
mod packed;
#[cfg(test)]
mod random_data;
mod weighting;

use std::sync::Arc;

pub use binary::BINARY_PAIRS;
pub(crate) use bitmap::ones;
pub use bitmap::{BLOCK_BITS, Block, Layout};
pub use builder::DatasetBuilder;
pub use candidate::{Candidate, Part};
pub(crate) use candidate::{pick, split_masks};
pub use column::Column;
pub use literal::{Literal, LiteralKind};
pub use names::{ColumnNames, name_ends, split_names};
#[cfg(test)]
pub(crate) use random_data::random_dataset;
pub use weighting::Weighting;

/// The outcome whose causes are searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The attribute from which the target is derived.
    pub name: String,
    /// The value that is coded as 1, if the attribute is not binary.
    pub value: Option<String>,
}

impl Target {
    /// The name in results: `NAME` or `NAME=VALUE`.
    pub fn label(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Named binary columns as bitmaps, rows split by the target. Clones share the bitmaps.
#[derive(Clone, Debug)]
pub struct Dataset(Arc<Contents>);

/// What the clones of a dataset share.
#[derive(Debug)]
struct Contents {
    target: Target,
    attributes: Vec<String>,
    columns: Vec<Column>,
    layout: Layout,
    /// The bitmaps of each attribute.
    blocks: Vec<Vec<Block>>,
    /// For each column, the index of its attribute's bitmaps in `blocks`, and its position among them.
    positions: Vec<(usize, usize)>,
}

impl Dataset {
    /// The outcome by which the rows are split.
    pub fn target(&self) -> &Target {
        &self.0.target
    }

    /// The names of the attributes with at least one column, in data order.
    pub fn attributes(&self) -> &[String] {
        &self.0.attributes
    }

    /// The columns in data order.
    pub fn columns(&self) -> &[Column] {
        &self.0.columns
    }

    /// The arrangement of the rows in a bitmap.
    pub fn layout(&self) -> Layout {
        self.0.layout
    }

    /// The number of rows with target 1.
    pub fn positive(&self) -> u64 {
        self.0.layout.positive
    }

    /// The number of rows with target 0.
    pub fn negative(&self) -> u64 {
        self.0.layout.negative
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.0.layout.positive + self.0.layout.negative
    }

    /// The bitmap of one column: the blocks of the cases, then those of the controls.
    pub fn bits(&self, column: usize) -> &[Block] {
        let length = self.0.layout.blocks();
        let (store, position) = self.0.positions[column];
        &self.0.blocks[store][position * length..(position + 1) * length]
    }

    /// The size of the bitmaps in bytes.
    pub fn bytes(&self) -> usize {
        self.0.blocks.iter().map(Vec::len).sum::<usize>() * size_of::<Block>()
    }
}

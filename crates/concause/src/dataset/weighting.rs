//! How the rows of a data set are weighted.

/// The weights of a table whose rows each stand for several rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weighting {
    /// The attribute with the weights.
    pub attribute: String,
    /// The number of rows in the table.
    pub rows_read: u64,
    /// The number of rows with weight 0, which are excluded.
    pub rows_left_out: u64,
    /// The sum of the weights.
    pub total: u64,
}

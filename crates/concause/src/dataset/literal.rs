//! Literals: conditions on one column.

use std::fmt;

use super::Column;

/// A condition on one column: that it is 1, that it is 0, or that its value is known.
///
/// Literals are ordered by kind, then by column: all columns come first, then all negations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

/// What a literal says of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralKind {
    /// The column is 1.
    Plain,
    /// The column is 0.
    Negated,
    /// The value from which the column is derived is known.
    Known,
}

/// The kind is in the highest two bits, the column in the others.
const KIND_SHIFT: u32 = 30;
const COLUMN: u32 = (1 << KIND_SHIFT) - 1;

impl Literal {
    /// "The column is 1."
    pub const fn plain(column: u32) -> Self {
        Self::new(LiteralKind::Plain, column)
    }

    /// "The column is 0."
    pub const fn negation(column: u32) -> Self {
        Self::new(LiteralKind::Negated, column)
    }

    /// "The value of the column is known."
    pub const fn known(column: u32) -> Self {
        Self::new(LiteralKind::Known, column)
    }

    const fn new(kind: LiteralKind, column: u32) -> Self {
        debug_assert!(column <= COLUMN);
        Self((kind as u32) << KIND_SHIFT | column)
    }

    /// The literals of a column: that it is 1, and that it is 0.
    pub const fn signs(column: u32) -> [Self; 2] {
        [Self::plain(column), Self::negation(column)]
    }

    /// The literals that these columns are 1.
    pub fn plain_all(columns: &[u32]) -> Vec<Self> {
        columns.iter().copied().map(Self::plain).collect()
    }

    /// The number of the column.
    pub const fn column(self) -> u32 {
        self.0 & COLUMN
    }

    /// What it says of the column.
    pub const fn kind(self) -> LiteralKind {
        match self.0 >> KIND_SHIFT {
            0 => LiteralKind::Plain,
            1 => LiteralKind::Negated,
            _ => LiteralKind::Known,
        }
    }

    /// Whether it says that the column is 0.
    pub const fn is_negated(self) -> bool {
        matches!(self.kind(), LiteralKind::Negated)
    }

    /// The literal that says the opposite of a known value; "known" stays as it is.
    pub const fn negate(self) -> Self {
        match self.kind() {
            LiteralKind::Plain => Self::negation(self.column()),
            LiteralKind::Negated => Self::plain(self.column()),
            LiteralKind::Known => self,
        }
    }

    /// A number for messages, small for the first columns.
    pub const fn code(self) -> u32 {
        self.0.rotate_left(32 - KIND_SHIFT)
    }

    /// The literal with this number, if there is one.
    pub fn from_code(code: u32) -> Option<Self> {
        let literal = Self(code.rotate_right(32 - KIND_SHIFT));
        (literal.0 >> KIND_SHIFT <= LiteralKind::Known as u32).then_some(literal)
    }

    /// The attribute of the column.
    pub fn attribute(self, columns: &[Column]) -> usize {
        columns[self.column() as usize].attribute
    }

    /// The name in results.
    pub fn name(self, columns: &[Column]) -> String {
        let column = &columns[self.column() as usize];
        match self.kind() {
            LiteralKind::Plain => column.name.clone(),
            LiteralKind::Negated => column.negation.clone(),
            LiteralKind::Known => format!("{} is known", column.name),
        }
    }
}

/// "The column is 1."
impl From<u32> for Literal {
    fn from(column: u32) -> Self {
        Self::plain(column)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            LiteralKind::Plain => write!(f, "{}", self.column()),
            LiteralKind::Negated => write!(f, "!{}", self.column()),
            LiteralKind::Known => write!(f, "known {}", self.column()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_has_a_column_a_kind_and_an_order() {
        let [plain, negated, known] = [Literal::plain(7), Literal::negation(7), Literal::known(7)];
        assert_eq!([plain, negated, known].map(Literal::column), [7; 3]);
        assert_eq!((plain.negate(), negated.negate(), known.negate()), (negated, plain, known));
        assert!(plain < Literal::plain(8) && Literal::plain(8) < negated && negated < known);
        assert!(!plain.is_negated() && negated.is_negated() && !known.is_negated());
        assert_eq!(format!("{plain:?} {negated:?} {known:?}"), "7 !7 known 7");
        assert_eq!([plain, negated, known].map(Literal::code), [28, 29, 30]);
        let decoded = [28, 29, 30, 31].map(Literal::from_code);
        assert_eq!(decoded, [Some(plain), Some(negated), Some(known), None]);
    }
}

//! Why a recipe cannot be simulated.

use std::fmt;
use std::ops::Bound;

/// Why a recipe cannot be simulated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SimulateError {
    /// The recipe has no parameter of this name.
    UnknownParameter {
        /// The name of the recipe.
        recipe: String,
        /// The unknown name.
        parameter: String,
        /// The parameters of the recipe.
        known: Vec<String>,
    },
    /// The text is not a value of the parameter's type.
    InvalidValue {
        /// The parameter.
        parameter: String,
        /// The text.
        value: String,
        /// What the parameter accepts.
        expected: ExpectedValue,
    },
    /// A number lies outside the range of its parameter.
    OutOfRange {
        /// The parameter.
        parameter: &'static str,
        /// The value as text; a pair of limits if the parameter is a range.
        value: String,
        /// What the parameter accepts.
        allowed: AllowedRange,
    },
    /// The lower limit of a range is above its upper limit.
    ReversedRange {
        /// The parameter.
        parameter: &'static str,
        /// The lower limit.
        low: f64,
        /// The upper limit.
        high: f64,
    },
    /// The causes need more columns than the recipe has predictors.
    TooFewPredictors {
        /// The number of single causes.
        singles: usize,
        /// The number of combined causes.
        combined: usize,
        /// The number of columns in a combined cause.
        parts: usize,
        /// The number of columns that the causes need.
        needed: usize,
        /// The number of predictors.
        predictors: usize,
    },
    /// The causes of a risk model need more columns than the recipe has predictors.
    CausesTooLarge {
        /// The number of columns in the causes.
        needed: usize,
        /// The number of predictors.
        predictors: usize,
    },
    /// Two literals of a risk model need different kinds of the same attribute.
    MixedAttribute {
        /// The name of the attribute in the causes.
        attribute: String,
    },
    /// A cause requires a value that a nominal attribute may not have.
    TooFewValues {
        /// The number of values that the causes need.
        needed: usize,
    },
    /// The risks of the scale are not bounded where a cause is linear in a number.
    UnboundedCause {
        /// The name of the scale.
        scale: &'static str,
    },
    /// The causes of a risk model give a risk below 0 or above 1.
    ImpossibleRisk {
        /// The risk.
        risk: f64,
    },
    /// The probability table of the target would have too many parents.
    TooManyCauses {
        /// The number of single and combined causes.
        causes: usize,
        /// The largest number of causes.
        limit: usize,
    },
    /// The table would have too many cells.
    TooManyCells {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
        /// The largest number of cells.
        limit: u64,
    },
    /// No random network had parents of the target that are strong enough.
    WeakParents {
        /// The number of networks drawn.
        draws: usize,
        /// The smallest accepted G².
        least_g2: f64,
        /// The number of strong parents that the recipe needs.
        needed: usize,
    },
}

/// What the text of a parameter must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedValue {
    /// A whole number that is not negative.
    WholeNumber,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A number, or two numbers with `..` between them.
    NumberOrRange,
    /// Whole numbers with commas between them.
    WholeNumbers,
    /// Conjunctions with commas between them.
    Causes,
    /// One of these words.
    OneOf(Vec<&'static str>),
}

/// The numbers that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllowedRange {
    /// The lower limit.
    pub low: Bound<f64>,
    /// The upper limit.
    pub high: Bound<f64>,
}

impl AllowedRange {
    /// From 0 to 1, limits excluded.
    pub(crate) const OPEN_UNIT: Self = Self { low: Bound::Excluded(0.0), high: Bound::Excluded(1.0) };

    /// At least 0 and less than 1.
    pub(crate) const HALF_OPEN_UNIT: Self = Self { low: Bound::Included(0.0), high: Bound::Excluded(1.0) };

    /// From 0 to 1, limits included.
    pub(crate) const CLOSED_UNIT: Self = Self { low: Bound::Included(0.0), high: Bound::Included(1.0) };

    /// At least this.
    pub(crate) const fn at_least(low: f64) -> Self {
        Self { low: Bound::Included(low), high: Bound::Unbounded }
    }

    /// At most this.
    pub(crate) const fn at_most(high: f64) -> Self {
        Self { low: Bound::Unbounded, high: Bound::Included(high) }
    }

    /// Whether the range holds the number; false for NaN and infinity.
    pub(crate) fn contains(&self, number: f64) -> bool {
        let above = match self.low {
            Bound::Included(low) => number >= low,
            Bound::Excluded(low) => number > low,
            Bound::Unbounded => true,
        };
        let below = match self.high {
            Bound::Included(high) => number <= high,
            Bound::Excluded(high) => number < high,
            Bound::Unbounded => true,
        };
        number.is_finite() && above && below
    }

    /// Returns an error that names the parameter if the number is outside the range.
    pub(crate) fn check(self, parameter: &'static str, number: f64) -> Result<(), SimulateError> {
        if self.contains(number) {
            return Ok(());
        }
        Err(SimulateError::OutOfRange { parameter, value: number.to_string(), allowed: self })
    }

    /// The same for a whole number, which the error shows with all its digits.
    pub(crate) fn check_count(self, parameter: &'static str, number: usize) -> Result<(), SimulateError> {
        if self.contains(number as f64) {
            return Ok(());
        }
        Err(SimulateError::OutOfRange { parameter, value: number.to_string(), allowed: self })
    }
}

impl fmt::Display for AllowedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = match self.low {
            Bound::Included(low) => Some(format!("at least {low}")),
            Bound::Excluded(low) => Some(format!("greater than {low}")),
            Bound::Unbounded => None,
        };
        let high = match self.high {
            Bound::Included(high) => Some(format!("at most {high}")),
            Bound::Excluded(high) => Some(format!("less than {high}")),
            Bound::Unbounded => None,
        };
        let limits: Vec<String> = low.into_iter().chain(high).collect();
        if limits.is_empty() { f.write_str("a number") } else { f.write_str(&limits.join(" and ")) }
    }
}

impl fmt::Display for ExpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WholeNumber => f.write_str("a whole number"),
            Self::Number => f.write_str("a number"),
            Self::Boolean => f.write_str("true or false"),
            Self::NumberOrRange => f.write_str("a number or a range such as 0.35..0.7"),
            Self::WholeNumbers => f.write_str("whole numbers separated by commas, such as 2,3"),
            Self::Causes => f.write_str("conjunctions separated by commas, such as A, B&!C:0.8"),
            Self::OneOf(words) => match words.as_slice() {
                [] => f.write_str("nothing"),
                [word] => f.write_str(word),
                [first @ .., last] => write!(f, "{} or {last}", first.join(", ")),
            },
        }
    }
}

impl fmt::Display for SimulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownParameter { recipe, parameter, known } => {
                let known = known.join(", ");
                write!(f, "the recipe '{recipe}' has no parameter '{parameter}'; it has {known}")
            }
            Self::InvalidValue { parameter, value, expected } => {
                write!(f, "{parameter} must be {expected}, but is '{value}'")
            }
            Self::OutOfRange { parameter, value, allowed } => {
                write!(f, "{parameter} must be {allowed}, but is {value}")
            }
            Self::ReversedRange { parameter, low, high } => {
                write!(f, "{parameter} must name the smaller number first, but is {low}..{high}")
            }
            Self::TooFewPredictors { singles, combined, parts, needed, predictors } => write!(
                f,
                "{singles} single and {combined} combined causes of {parts} columns each need {needed} predictors, \
                 but there are {predictors}"
            ),
            Self::CausesTooLarge { needed, predictors } => {
                write!(f, "the causes need {needed} predictors, but there are {predictors}")
            }
            Self::MixedAttribute { attribute } => {
                write!(f, "the attribute {attribute} of the causes must be either binary, nominal or numeric")
            }
            Self::TooFewValues { needed } => write!(
                f,
                "the causes need nominal attributes of {needed} values: set values to {needed} or larger numbers"
            ),
            Self::UnboundedCause { scale } => write!(
                f,
                "a cause that is linear in a number needs the scale logistic or probit, but the scale is {scale}"
            ),
            Self::ImpossibleRisk { risk } => write!(
                f,
                "the causes can give a risk of {risk:.4}, but a risk lies between 0 and 1: choose another baseline or \
                 smaller effects"
            ),
            Self::TooManyCauses { causes, limit } => write!(
                f,
                "a random network has at most {limit} causes, but singles and combined add up to {causes}: choose a \
                 logistic recipe for more"
            ),
            Self::TooManyCells { rows, columns, limit } => {
                write!(f, "{rows} rows of {columns} columns are too many: a table has at most {limit} cells")
            }
            Self::WeakParents { draws, least_g2, needed } => write!(
                f,
                "no random network out of {draws} had {needed} or more parents of the target with a G² of at least \
                 {least_g2}: use more rows, fewer combined causes, a smaller least-g2, or random parents"
            ),
        }
    }
}

impl std::error::Error for SimulateError {}

/// For callers that report errors as text.
impl From<SimulateError> for String {
    fn from(error: SimulateError) -> String {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_what_they_say() {
        for (range, inside, outside, words) in [
            (AllowedRange::OPEN_UNIT, 0.5, [0.0, 1.0], "greater than 0 and less than 1"),
            (AllowedRange::HALF_OPEN_UNIT, 0.0, [-0.1, 1.0], "at least 0 and less than 1"),
            (AllowedRange::CLOSED_UNIT, 1.0, [-0.1, 1.1], "at least 0 and at most 1"),
            (AllowedRange::at_least(2.0), 2.0, [1.0, f64::INFINITY], "at least 2"),
            (AllowedRange::at_most(2.0), 2.0, [2.1, f64::NAN], "at most 2"),
        ] {
            assert!(range.contains(inside) && !outside.iter().any(|&number| range.contains(number)));
            assert_eq!(range.to_string(), words);
        }
        let words = ExpectedValue::OneOf(vec!["aware", "blind", "blind-half"]);
        assert_eq!(words.to_string(), "aware, blind or blind-half");
    }
}

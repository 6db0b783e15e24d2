//! Planted causes written as text, such as `A, B&!C:0.8`.

use std::fmt;
use std::str::FromStr;

use super::parameters::Parameter;
use super::{ExpectedValue, SimulateError, Uniform};

/// The causes of a [risk model](super::RiskModel): conjunctions of literals.
///
/// The text lists the causes, separated by commas. A cause is one or more literals joined by `&`. The names in them
/// stand for different attributes, which the seed chooses. An effect may follow a colon, as a number or a range; a
/// cause without one has the [effect of the model](super::RiskModel::effects). The literals are
///
/// | text | the literal is |
/// | --- | --- |
/// | `A` | 1 where the binary attribute A is 1 |
/// | `A=b` | 1 where the nominal attribute A has the value b |
/// | `A>=0.5`, `A<0.5` | 1 where the numeric attribute A is in this range; it has a standard normal distribution |
/// | `!A`, `!A=b`, `!A>=0.5` | 1 minus the literal without `!` |
/// | `levels(A)` | a number between 0 and 1 for each value of the nominal attribute A, evenly spaced in random order |
/// | `linear(A)` | the numeric attribute A itself |
///
/// The presence of a cause is the product of its literals.
///
/// ```
/// let causes: concause_simulate::PlantedCauses = "A, A&B=b:0.8, C&!D:0.5..1".parse().unwrap();
/// assert_eq!(causes.attributes(), ["A", "B", "C", "D"]);
/// assert_eq!(causes.to_string(), "A, A&B=b:0.8, C&!D:0.5..1");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantedCauses(pub Vec<PlantedCause>);

/// A conjunction that affects the target.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedCause {
    /// Its literals.
    pub literals: Vec<PlantedLiteral>,
    /// Its effect, if it is not that of the model.
    pub effect: Option<Uniform>,
}

/// A condition on an attribute, or its negation.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedLiteral {
    /// The name that stands for an attribute.
    pub attribute: String,
    /// How the literal depends on the attribute.
    pub condition: PlantedCondition,
    /// Whether the literal is negated.
    pub negated: bool,
}

/// How a literal depends on its attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlantedCondition {
    /// A binary attribute is 1.
    One,
    /// A nominal attribute has the value with this index; the values are a, b, c, …
    Value(u8),
    /// Each value of a nominal attribute has a number of its own.
    Levels,
    /// A numeric attribute is at least this.
    AtLeast(f64),
    /// The number of a numeric attribute.
    Linear,
}

/// The kind of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PredictorKind {
    Binary,
    Nominal,
    Numeric,
}

impl PlantedCondition {
    pub(crate) fn predictor_kind(self) -> PredictorKind {
        match self {
            PlantedCondition::One => PredictorKind::Binary,
            PlantedCondition::Value(_) | PlantedCondition::Levels => PredictorKind::Nominal,
            PlantedCondition::AtLeast(_) | PlantedCondition::Linear => PredictorKind::Numeric,
        }
    }

    /// Whether the literal is 0 or 1 in every row.
    fn is_boolean(self) -> bool {
        !matches!(self, PlantedCondition::Levels | PlantedCondition::Linear)
    }
}

/// The name of a value of a nominal attribute.
pub(crate) fn value_name(index: usize) -> String {
    // Nominal attributes have at most as many values as there are letters.
    char::from(b'a' + (index % MAX_VALUES) as u8).to_string()
}

/// The largest number of values of a nominal attribute.
pub(crate) const MAX_VALUES: usize = 26;

impl PlantedCauses {
    /// The names of all attributes, in the order of their first occurrence.
    pub fn attributes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for literal in self.literals() {
            if !names.contains(&literal.attribute.as_str()) {
                names.push(&literal.attribute);
            }
        }
        names
    }

    pub(crate) fn literals(&self) -> impl Iterator<Item = &PlantedLiteral> {
        self.0.iter().flat_map(|cause| &cause.literals)
    }

    /// The kind of each of the [attributes](PlantedCauses::attributes); an error if one is used as two kinds.
    pub(crate) fn predictor_kinds(&self) -> Result<Vec<PredictorKind>, SimulateError> {
        let names = self.attributes();
        let kind = |name: &&str| {
            let mut kinds = self
                .literals()
                .filter(|literal| literal.attribute == *name)
                .map(|literal| literal.condition.predictor_kind());
            let first = kinds.next().unwrap_or(PredictorKind::Binary);
            let is_one_kind = kinds.all(|kind| kind == first);
            is_one_kind
                .then_some(first)
                .ok_or_else(|| SimulateError::MixedAttribute { attribute: (*name).into() })
        };
        names.iter().map(kind).collect()
    }
}

impl FromStr for PlantedCauses {
    type Err = ExpectedValue;

    fn from_str(text: &str) -> Result<Self, ExpectedValue> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        text.split(',').map(parse_cause).collect::<Option<_>>().map(Self).ok_or(ExpectedValue::Causes)
    }
}

fn parse_cause(text: &str) -> Option<PlantedCause> {
    let (conjunction, effect) = match text.split_once(':') {
        Some((conjunction, effect)) => {
            let mut range = Uniform::always(0.0);
            range.read(effect.trim()).ok()?;
            (conjunction, Some(range))
        }
        None => (text, None),
    };
    let literals: Vec<PlantedLiteral> = conjunction.split('&').map(parse_literal).collect::<Option<_>>()?;
    let repeats = |(place, literal): (usize, &PlantedLiteral)| {
        literals[..place].iter().any(|other| other.attribute == literal.attribute)
    };
    let is_repeated = literals.iter().enumerate().any(repeats);
    (!is_repeated).then_some(PlantedCause { literals, effect })
}

fn parse_literal(text: &str) -> Option<PlantedLiteral> {
    let text = text.trim();
    let (text, is_negation) = text.strip_prefix('!').map_or((text, false), |text| (text.trim(), true));
    let argument = |function: &str| text.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')');
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let (attribute, condition, is_below) = if let Some(attribute) = argument("levels") {
        (attribute, PlantedCondition::Levels, false)
    } else if let Some(attribute) = argument("linear") {
        (attribute, PlantedCondition::Linear, false)
    } else if let Some((attribute, limit)) = text.split_once(">=") {
        (attribute, PlantedCondition::AtLeast(number(limit)?), false)
    } else if let Some((attribute, limit)) = text.split_once('<') {
        (attribute, PlantedCondition::AtLeast(number(limit)?), true)
    } else if let Some((attribute, value)) = text.split_once('=') {
        (attribute, PlantedCondition::Value(parse_value(value.trim())?), false)
    } else {
        (text, PlantedCondition::One, false)
    };
    let attribute = attribute.trim();
    let is_name = attribute.starts_with(|first: char| first.is_ascii_alphabetic())
        && attribute.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let is_allowed = is_name && (condition.is_boolean() || !is_negation);
    let literal =
        PlantedLiteral { attribute: attribute.to_owned(), condition, negated: is_negation ^ is_below };
    is_allowed.then_some(literal)
}

/// The index of a value that is named by a letter.
fn parse_value(text: &str) -> Option<u8> {
    let [letter @ b'a'..=b'z'] = text.as_bytes() else { return None };
    Some(letter - b'a')
}

impl fmt::Display for PlantedCauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes: Vec<String> = self.0.iter().map(PlantedCause::to_string).collect();
        f.write_str(&causes.join(", "))
    }
}

impl fmt::Display for PlantedCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let literals: Vec<String> = self.literals.iter().map(PlantedLiteral::to_string).collect();
        f.write_str(&literals.join("&"))?;
        self.effect.map_or(Ok(()), |effect| write!(f, ":{}", effect.write()))
    }
}

impl fmt::Display for PlantedLiteral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.attribute;
        let sign = if self.negated { "!" } else { "" };
        match self.condition {
            PlantedCondition::One => write!(f, "{sign}{name}"),
            PlantedCondition::Value(value) => write!(f, "{sign}{name}={}", value_name(usize::from(value))),
            PlantedCondition::Levels => write!(f, "levels({name})"),
            PlantedCondition::AtLeast(limit) => {
                write!(f, "{name}{}{limit}", if self.negated { "<" } else { ">=" })
            }
            PlantedCondition::Linear => write!(f, "linear({name})"),
        }
    }
}

impl Parameter for PlantedCauses {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        *self = text.parse()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written() {
        for (text, written) in [
            ("", ""),
            ("A", "A"),
            (" ! A & b_2 : -9 ,C:1..2", "!A&b_2:-9, C:1..2"),
            ("A&B, B&C, A&C", "A&B, B&C, A&C"),
            ("A >= 0.5 & B<-1, !A>=2, !A<3", "A>=0.5&B<-1, A<2, A>=3"),
            ("A=c&!B=a, levels(C):1, D&linear( E )", "A=c&!B=a, levels(C):1, D&linear(E)"),
        ] {
            let causes: PlantedCauses = text.parse().unwrap();
            assert_eq!(causes.to_string(), written);
            assert_eq!(written.parse(), Ok(causes));
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        let texts = [
            ",",
            "A,",
            "A&",
            "&A",
            "A&!A",
            "A:x",
            "A:1..",
            "1A",
            "A B",
            "!!A",
            "A:1:2",
            "A|B",
            "A>=",
            "A<x",
            "A=",
            "A=B",
            "A=ab",
            "levels()",
            "!levels(A)",
            "linear(A",
            "A>=0&A<1",
        ];
        for text in texts {
            assert_eq!(text.parse::<PlantedCauses>(), Err(ExpectedValue::Causes), "{text}");
        }
    }

    #[test]
    fn an_attribute_has_one_kind() {
        let kinds = |text: &str| text.parse::<PlantedCauses>().unwrap().predictor_kinds();
        let expected = vec![PredictorKind::Numeric, PredictorKind::Nominal, PredictorKind::Binary];
        assert_eq!(kinds("A>=1&B=a, linear(A), levels(B)&!C"), Ok(expected));
        assert_eq!(
            kinds("A, B&A>=1").unwrap_err().to_string(),
            "the attribute A of the causes must be either binary, nominal or numeric"
        );
    }
}

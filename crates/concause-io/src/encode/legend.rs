//! The legend of an encoding: the meaning of every column, and what was left out and why.

use std::cmp::Reverse;
use std::fmt;

use crate::names::{list, quote_list};

/// How an attribute was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// True or false: one column.
    Binary,
    /// One of several values: a column per value.
    Nominal,
    /// A number: a threshold between each two of its bands, or a column per interval.
    Ordered,
    /// Left out by request.
    Ignored,
    /// Without any value.
    Empty,
    /// Of a type that cannot be encoded.
    Unsupported,
}

impl fmt::Display for AttributeKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Binary => "binary",
            Self::Nominal => "nominal",
            Self::Ordered => "ordered",
            Self::Ignored => "ignored",
            Self::Empty => "empty",
            Self::Unsupported => "unsupported",
        })
    }
}

/// How one attribute was encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// The name of the attribute.
    pub attribute: String,
    /// How it was read.
    pub kind: AttributeKind,
    /// Its columns, none if it was left out.
    pub columns: Vec<LegendColumn>,
    /// Its missing cells among the rows that have a target value.
    pub missing: u64,
    /// Its cut points, if it is ordered.
    pub cuts: Vec<f64>,
    /// Both values, if it has two and one column.
    pub values: Vec<String>,
    /// The values that are too rare for columns of their own and share the last one.
    pub pooled: Vec<String>,
    /// Why it was left out, if it was.
    pub note: Option<String>,
}

impl LegendEntry {
    /// An attribute without columns.
    pub(crate) fn new(attribute: String, kind: AttributeKind) -> Self {
        let (columns, cuts, values, pooled) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { attribute, kind, columns, missing: 0, cuts, values, pooled, note: None }
    }
}

/// The meaning of a column and the number of rows in which it is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendColumn {
    /// The name of the column.
    pub name: String,
    /// When it is 1, as a sentence.
    pub meaning: String,
    /// The value of a nominal attribute for which it is 1.
    pub value: Option<String>,
    /// The rows in which it is 1.
    pub ones: u64,
    /// The rows with target 1 in which it is 1.
    pub ones_positive: u64,
}

/// A sentence for the user about something that was left out or guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice(String);

impl Notice {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Why an attribute was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OmissionReason {
    Ignored,
    Empty,
    Identifier,
    TooManyValues,
    NoCut,
    OneBand,
    Dropped,
    Weights,
    Unsupported(String),
}

impl OmissionReason {
    /// The note of a legend entry.
    pub fn note(&self) -> String {
        match self {
            Self::Ignored => "left out on request".into(),
            Self::Empty => "left out: it has no value in any row".into(),
            Self::Identifier => "left out as an identifier: its values number or name the rows".into(),
            Self::TooManyValues => {
                "left out: it has more than 65536 distinct values, not all of them numbers".into()
            }
            Self::NoCut => "left out: no cut point is associated with the target".into(),
            Self::OneBand => "left out: almost all rows have the same value".into(),
            Self::Dropped => "left out on request: ordered".into(),
            Self::Weights => "not a candidate: it holds the weights of the rows".into(),
            Self::Unsupported(kind) => format!("left out: cells of type {kind} cannot be encoded"),
        }
    }

    fn advice(&self) -> &'static str {
        match self {
            Self::Identifier => "; name it among the attributes to use to keep it",
            Self::NoCut | Self::OneBand => "; give cuts to keep it",
            _ => "",
        }
    }
}

/// A guess about the type of an attribute that the user may want to correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeGuess {
    /// Numbers and text in one attribute, read as nominal.
    Mixed,
    /// Few distinct numbers, read as ordered.
    FewNumbers,
}

/// Collects the notices about all attributes, one sentence for attributes with the same reason.
#[derive(Debug, Default)]
pub(crate) struct NoticeCollector {
    omissions: Vec<(OmissionReason, Vec<String>)>,
    guesses: Vec<(TypeGuess, Vec<String>)>,
    /// The attributes with missing values that are encoded as 0, and the numbers of these values.
    missing_as_zero: Vec<(String, u64)>,
    /// The attributes with pooled values, the number of these values, and the name of their column.
    pooled: Vec<(String, usize, String)>,
    /// The largest number of bands, if it is reduced because there are many columns.
    fewer_bands: Option<usize>,
}

impl NoticeCollector {
    /// Adds an attribute that is left out.
    pub fn add_omission(&mut self, reason: &OmissionReason, attribute: &str) {
        match self.omissions.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(attribute.to_owned()),
            None => self.omissions.push((reason.clone(), vec![attribute.to_owned()])),
        }
    }

    /// Adds an attribute whose type was guessed.
    pub fn add_guess(&mut self, guess: TypeGuess, attribute: &str) {
        match self.guesses.iter_mut().find(|(known, _)| *known == guess) {
            Some((_, names)) => names.push(attribute.to_owned()),
            None => self.guesses.push((guess, vec![attribute.to_owned()])),
        }
    }

    /// Adds an attribute with missing values that are encoded as 0.
    pub fn add_missing_as_zero(&mut self, attribute: &str, missing: u64) {
        self.missing_as_zero.push((attribute.to_owned(), missing));
    }

    /// Says that ordered attributes have at most this number of bands because there are many columns.
    pub fn set_fewer_bands(&mut self, bands: usize) {
        self.fewer_bands = Some(bands);
    }

    /// Adds an attribute whose rare values share a column.
    pub fn add_pooled(&mut self, attribute: &str, values: usize, other: &str) {
        self.pooled.push((attribute.to_owned(), values, other.to_owned()));
    }

    /// The sentence about missing values that are encoded as 0, the most frequent first. `rows` have a target value.
    pub fn missing_notice(&self, rows: u64) -> Option<Notice> {
        let mut attributes: Vec<&(String, u64)> = self.missing_as_zero.iter().collect();
        attributes.sort_by_key(|(_, missing)| Reverse(*missing));
        let share = |missing: u64| 100.0 * missing as f64 / rows.max(1) as f64;
        let named = attributes.iter().map(|(name, missing)| format!("{name:?} ({:.1} %)", share(*missing)));
        (!attributes.is_empty()).then(|| {
            Notice::new(format!(
                "missing values are 0 in all columns of their attribute: {}; if they may depend on the outcome, encode \
                 them as a level of their own or leave out their rows",
                list(named)
            ))
        })
    }

    /// The sentences, one per reason and guess; what the user requested is not repeated.
    pub fn notices(&self) -> Vec<Notice> {
        let names = |names: &[String]| quote_list(names);
        let mut notices = Vec::new();
        for (reason, attributes) in &self.omissions {
            if !matches!(reason, OmissionReason::Ignored | OmissionReason::Weights) {
                notices.push(format!("{}: {}{}", names(attributes), reason.note(), reason.advice()));
            }
        }
        for (guess, attributes) in &self.guesses {
            let attributes = names(attributes);
            notices.push(match guess {
                TypeGuess::Mixed => format!(
                    "{attributes}: read as nominal because it contains numbers and text; if the text means \
                     that the value is missing, declare it as a missing mark"
                ),
                TypeGuess::FewNumbers => format!(
                    "{attributes}: read as ordered, though with few distinct numbers; if they are codes, \
                     declare it nominal"
                ),
            });
        }
        if let Some(bands) = self.fewer_bands {
            notices.push(format!(
                "the many ordered attributes have at most {bands} bands each, to limit the number of pairs of columns; \
                 give cuts or a number of bands to change that"
            ));
        }
        if !self.pooled.is_empty() {
            let named =
                self.pooled.iter().map(|(name, values, other)| format!("{values} of {name:?} as {other:?}"));
            notices.push(format!("rare values are pooled: {}", list(named)));
        }
        notices.into_iter().map(Notice::new).collect()
    }
}

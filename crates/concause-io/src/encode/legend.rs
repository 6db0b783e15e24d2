//! What the encoding says of itself: what every column means, what was left out and why.

use std::fmt;

use crate::names::list;

/// How an attribute was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// True or false: one column.
    Binary,
    /// One of several values: a column per value.
    Nominal,
    /// A number: a column per interval.
    Continuous,
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
            Self::Continuous => "continuous",
            Self::Ignored => "ignored",
            Self::Empty => "empty",
            Self::Unsupported => "unsupported",
        })
    }
}

/// What became of one attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// The name of the attribute.
    pub attribute: String,
    /// How it was read.
    pub kind: AttributeKind,
    /// The columns it gave, none if it was left out.
    pub columns: Vec<LegendColumn>,
    /// Its missing cells among the rows that have a target value.
    pub missing: u64,
    /// Where it was cut, if it is continuous.
    pub cuts: Vec<f64>,
    /// Why it was left out, if it was.
    pub note: Option<String>,
}

/// What one column means and how often it is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendColumn {
    /// The name of the column.
    pub name: String,
    /// When it is 1, in words.
    pub meaning: String,
    /// The rows in which it is 1.
    pub ones: u64,
    /// Those of them with target 1.
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
pub(crate) enum Reason {
    Ignored,
    Empty,
    Identifier,
    TooMany,
    NoCut,
    Dropped,
    Weights,
    Unsupported(String),
}

impl Reason {
    /// The note of a legend entry.
    pub fn note(&self) -> String {
        match self {
            Self::Ignored => "left out as asked".into(),
            Self::Empty => "left out: it has no value in any row".into(),
            Self::Identifier => "left out: almost all its values differ, as in an identifier".into(),
            Self::TooMany => {
                "left out: it has more than 65536 distinct values, not all of them numbers".into()
            }
            Self::NoCut => "left out: no cut of it tells anything about the target".into(),
            Self::Dropped => "left out as asked: continuous".into(),
            Self::Weights => "no candidate: it says how many rows each row stands for".into(),
            Self::Unsupported(kind) => format!("left out: cells of type {kind} cannot be encoded"),
        }
    }

    fn advice(&self) -> &'static str {
        match self {
            Self::Identifier => "; declare it nominal to keep it",
            Self::NoCut => "; give cuts or bins to keep it",
            _ => "",
        }
    }
}

/// A guess about the type of an attribute that the user may want to correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// Numbers and words in one attribute, read as nominal.
    Mixed,
    /// Few distinct numbers, read as continuous.
    FewNumbers,
}

/// Collects what is to be said of many attributes and says it in few sentences.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    left_out: Vec<(Reason, Vec<String>)>,
    guesses: Vec<(Guess, Vec<String>)>,
}

impl Remarks {
    pub fn left_out(&mut self, reason: &Reason, attribute: &str) {
        match self.left_out.iter_mut().find(|(known, _)| known == reason) {
            Some((_, names)) => names.push(attribute.to_owned()),
            None => self.left_out.push((reason.clone(), vec![attribute.to_owned()])),
        }
    }

    pub fn guessed(&mut self, guess: Guess, attribute: &str) {
        match self.guesses.iter_mut().find(|(known, _)| *known == guess) {
            Some((_, names)) => names.push(attribute.to_owned()),
            None => self.guesses.push((guess, vec![attribute.to_owned()])),
        }
    }

    /// The sentences, one per reason and guess; what the user asked for is not repeated.
    pub fn notices(&self) -> Vec<Notice> {
        let names = |names: &[String]| list(names.iter().map(String::as_str));
        let mut notices = Vec::new();
        for (reason, attributes) in &self.left_out {
            if !matches!(reason, Reason::Ignored | Reason::Weights) {
                notices.push(format!("{}: {}{}", names(attributes), reason.note(), reason.advice()));
            }
        }
        for (guess, attributes) in &self.guesses {
            let attributes = names(attributes);
            notices.push(match guess {
                Guess::Mixed => format!(
                    "{attributes}: read as nominal, for it holds numbers and words; if the words mean that the \
                     value is missing, declare them as missing marks"
                ),
                Guess::FewNumbers => format!(
                    "{attributes}: read as continuous though it has few distinct numbers; if they are codes, \
                     declare it nominal"
                ),
            });
        }
        notices.into_iter().map(Notice::new).collect()
    }
}

//! From the text of a setting to its value.

use std::fmt;
use std::time::Duration;

use concause_io::Source;

/// The values that a setting accepts, reported where a text is none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A number between 0 and 1.
    Probability,
    /// A whole number in a range.
    WholeNumber {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// One of these names.
    OneOf(Vec<&'static str>),
    /// A number of bytes.
    Size,
    /// A time span.
    Duration,
    /// A character.
    Character,
    /// A quote character, or `none`.
    Quote,
    /// A delimiter.
    Delimiter,
    /// `NAME=VALUE`.
    Assignment,
    /// `NAME=NUMBER,NUMBER,…`.
    Cuts,
    /// The name of a file.
    FileName,
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Probability => out.write_str("must be a number between 0 and 1, both excluded"),
            Self::WholeNumber { least: 0, most: u64::MAX } => out.write_str("must be a whole number"),
            Self::WholeNumber { least, most } => write!(out, "must be a whole number from {least} to {most}"),
            Self::OneOf(names) => write!(out, "choose one of {}", names.join(", ")),
            Self::Size => out.write_str("must be a number of bytes such as 500M or 8G"),
            Self::Duration => out.write_str("must be a time such as 90s, 10m or 2h"),
            Self::Character => out.write_str("must be one ASCII character"),
            Self::Quote => out.write_str("must be one ASCII character, or none"),
            Self::Delimiter => out.write_str("must be one ASCII character, tab or blank"),
            Self::Assignment => out.write_str("must be NAME=VALUE, e.g. rows=20000"),
            Self::Cuts => out.write_str("must be NAME=CUTS with cuts in ascending order, e.g. age=30,45,60"),
            Self::FileName => out.write_str("must be the name of a file"),
        }
    }
}

impl std::error::Error for Expected {}

pub(crate) fn choose<T: Copy>(
    text: &str,
    choices: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, Expected> {
    let found = choices.iter().copied().find(|&choice| name(choice) == text);
    found.ok_or_else(|| Expected::OneOf(names_of(choices, name)))
}

/// The names of all choices.
pub(crate) fn names_of<T: Copy>(choices: &[T], name: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    choices.iter().map(|&choice| name(choice)).collect()
}

/// A value of a type that reads its own names, of which these are the documented ones.
pub(crate) fn parse_name<T: std::str::FromStr>(text: &str, names: &[&'static str]) -> Result<T, Expected> {
    text.parse().map_err(|_| Expected::OneOf(names.to_vec()))
}

pub(crate) fn parse_probability(text: &str) -> Result<f64, Expected> {
    let value = text.parse::<f64>().ok();
    value.filter(|value| *value > 0.0 && *value < 1.0).ok_or(Expected::Probability)
}

pub(crate) fn parse_whole_number(text: &str) -> Result<u64, Expected> {
    parse_whole_number_in(text, 0, u64::MAX)
}

pub(crate) fn parse_whole_number_in(text: &str, least: u64, most: u64) -> Result<u64, Expected> {
    let value = text.parse::<u64>().ok();
    value.filter(|value| (least..=most).contains(value)).ok_or(Expected::WholeNumber { least, most })
}

/// A number that counts things in memory.
pub(crate) fn parse_count(text: &str) -> Result<usize, Expected> {
    parse_whole_number_in(text, 0, usize::MAX as u64).map(|value| value as usize)
}

pub(crate) fn parse_quote(text: &str) -> Result<Option<u8>, Expected> {
    match text.as_bytes() {
        b"none" | b"" => Ok(None),
        &[byte] if byte.is_ascii() => Ok(Some(byte)),
        _ => Err(Expected::Quote),
    }
}

pub(crate) fn parse_character(text: &str) -> Result<u8, Expected> {
    match text.as_bytes() {
        &[byte] if byte.is_ascii_graphic() => Ok(byte),
        _ => Err(Expected::Character),
    }
}

pub(crate) fn parse_file_name(text: &str) -> Result<Source, Expected> {
    if text.is_empty() { Err(Expected::FileName) } else { Ok(Source::Path(text.into())) }
}

/// `NAME=VALUE`, without the blanks around both.
pub(crate) fn parse_assignment(text: &str) -> Result<(String, String), Expected> {
    let (name, value) = text.split_once('=').ok_or(Expected::Assignment)?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Bytes: a number with an optional K, M, G or T.
pub(crate) fn parse_size(text: &str) -> Result<u64, Expected> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (number, power) = match upper.find(['K', 'M', 'G', 'T']) {
        Some(place) if place + 1 == upper.len() => {
            (&upper[..place], 1 + "KMGT".find(&upper[place..]).unwrap_or(0) as u32)
        }
        Some(_) => return Err(Expected::Size),
        None => (upper, 0),
    };
    let number: f64 = number.trim().parse().map_err(|_| Expected::Size)?;
    let bytes = number * 1024f64.powi(power as i32);
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(Expected::Size) }
}

/// A time span: a number with an optional unit ms, s, m or h; seconds without one.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, Expected> {
    let text = text.trim();
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..unit].trim().parse().map_err(|_| Expected::Duration)?;
    let seconds = match &text[unit..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(Expected::Duration),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| Expected::Duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times() {
        assert_eq!(parse_size("500M"), Ok(500 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("12"), Ok(12));
        for wrong in ["", "-1", "5X", "G", "M5", "nan"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "-1s", "5y", "s", "nan"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers_have_a_range() {
        assert_eq!(parse_whole_number_in("2", 2, 1000), Ok(2));
        for wrong in ["1", "1001", "2.5", "-3", "", "two"] {
            assert_eq!(
                parse_whole_number_in(wrong, 2, 1000),
                Err(Expected::WholeNumber { least: 2, most: 1000 }),
                "{wrong}"
            );
        }
    }
}

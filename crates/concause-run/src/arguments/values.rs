//! From the text of a flag to its value, with a sentence for what cannot be one.

use std::time::Duration;

use concause::independence::FalseDiscovery;
use concause::search::{Method, Overlap, Preset, Twins};

/// The quote of a text file, or none.
#[derive(Clone, Copy, Debug)]
pub struct Quote(pub Option<u8>);

pub(super) fn parse<T: std::str::FromStr>(text: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

pub(super) fn choose<T: Copy>(
    text: &str,
    choices: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, String> {
    choices.iter().copied().find(|&choice| name(choice) == text).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&choice| name(choice)).collect();
        format!("choose one of {}", names.join(", "))
    })
}

pub(super) fn fdr(text: &str) -> Result<FalseDiscovery, String> {
    choose(text, &FalseDiscovery::ALL, FalseDiscovery::name)
}

pub(super) fn preset(text: &str) -> Result<Preset, String> {
    choose(text, &Preset::ALL, Preset::name)
}

pub(super) fn method(text: &str) -> Result<Method, String> {
    choose(text, &Method::ALL, Method::name)
}

pub(super) fn overlap(text: &str) -> Result<Overlap, String> {
    choose(text, &[Overlap::Allow, Overlap::Skip], Overlap::name)
}

pub(super) fn twins(text: &str) -> Result<Twins, String> {
    choose(text, &[Twins::Merge, Twins::Ordinary], Twins::name)
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("it must be a number between 0 and 1, both excluded".into()),
    }
}

pub(super) fn quote(text: &str) -> Result<Quote, String> {
    match text.as_bytes() {
        b"none" | b"" => Ok(Quote(None)),
        &[byte] if byte.is_ascii() => Ok(Quote(Some(byte))),
        _ => Err("give one ASCII character, or none".into()),
    }
}

/// Bytes: a number with an optional K, M, G or T.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let wrong = || "give a number of bytes such as 500M or 8G".to_owned();
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (number, power) = match upper.find(['K', 'M', 'G', 'T']) {
        Some(place) if place + 1 == upper.len() => {
            (&upper[..place], 1 + "KMGT".find(&upper[place..]).unwrap_or(0) as u32)
        }
        Some(_) => return Err(wrong()),
        None => (upper, 0),
    };
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let bytes = number * 1024f64.powi(power as i32);
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}

/// A time: a number with an optional unit ms, s, m or h; seconds without one.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "give a time such as 90s, 10m or 2h".to_owned();
    let text = text.trim();
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..unit].trim().parse().map_err(|_| wrong())?;
    let seconds = match &text[unit..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("12"), Ok(12));
        for wrong in ["", "-1", "5X", "G", "M5", "nan"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "-1s", "5y", "s", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}

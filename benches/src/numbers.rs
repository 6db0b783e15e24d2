//! Numbers as text.

/// A whole number with commas between the thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three significant digits.
pub fn three_digits(number: f64) -> String {
    if !number.is_finite() {
        return "unknown".into();
    }
    let before_point = if number > 1e-9 { number.log10().floor() as i32 + 1 } else { 1 };
    if before_point > 3 {
        return thousands(number.round() as u64);
    }
    format!("{number:.*}", (3 - before_point) as usize)
}

/// Seconds in a suitable unit, with three significant digits.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{} µs", three_digits(s * 1e6)),
        s if s < 1.0 => format!("{} ms", three_digits(s * 1e3)),
        s => format!("{} s", three_digits(s)),
    }
}

/// A ratio, such as `3.20×`.
pub fn ratio(ratio: f64) -> String {
    format!("{}×", three_digits(ratio))
}

/// A share in per cent without decimals.
pub fn whole_percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 7, 999, 1234].map(thousands), ["0", "7", "999", "1,234"]);
        assert_eq!([299_285, 1_234_567].map(thousands), ["299,285", "1,234,567"]);
        assert_eq!([0.01234, 1.234, 123.4, 12_345.6].map(three_digits), ["0.0123", "1.23", "123", "12,346"]);
        assert_eq!([0.012, 3.5, 2e-7].map(duration), ["12.0 ms", "3.50 s", "0.200 µs"]);
        assert_eq!((ratio(3.2), whole_percent(0.123)), ("3.20×".into(), "12 %".into()));
    }

    #[test]
    fn every_number_has_a_text() {
        for number in [0.0, -1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE] {
            assert!(!three_digits(number).is_empty() && !duration(number).is_empty());
        }
    }
}

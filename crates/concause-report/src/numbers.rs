//! Numbers for people, rounded, and for programs, with the shortest digits that identify the number.

/// A whole number with thousands separators: `1,234,567`.
pub(crate) fn thousands(number: u64) -> String {
    grouped(&number.to_string())
}

/// A count with its noun: `1 cause`, `2,000 causes`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A statistic with one decimal and thousands separators, or in scientific notation if it is very large.
pub(crate) fn statistic(value: f64) -> String {
    if value.is_nan() || value.abs() >= 1e12 {
        return format!("{value:.3e}");
    }
    let digits = format!("{value:.1}");
    match digits.split_once('.') {
        Some((whole, decimals)) => format!("{}.{decimals}", grouped(whole)),
        None => digits,
    }
}

/// A p-value: `0.0123`, `1.2e-9` or `<1e-300`.
pub(crate) fn p_value(p: f64) -> String {
    if p.is_nan() {
        "?".to_owned()
    } else if p < 1e-300 {
        "<1e-300".to_owned()
    } else if p < 1e-3 {
        format!("{p:.1e}")
    } else {
        significant(p, 3)
    }
}

/// A p-value within a sentence: `p = 0.0123` or `p < 1e-300`.
pub fn p_phrase(p: f64) -> String {
    let p = p_value(p);
    match p.strip_prefix('<') {
        Some(bound) => format!("p < {bound}"),
        None => format!("p = {p}"),
    }
}

/// An odds ratio: `0.333`, `12.5`, `1,234` or `∞`.
pub(crate) fn odds_ratio(ratio: f64) -> String {
    match ratio {
        _ if ratio.is_infinite() => "∞".to_owned(),
        _ if ratio >= 1000.0 => statistic(ratio.round()).trim_end_matches(".0").to_owned(),
        _ if ratio >= 1e-4 => significant(ratio, 3),
        _ => format!("{ratio:.1e}").replace("0.0e0", "0"),
    }
}

/// A proportion in per cent, with two significant digits where one decimal would show 0.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.1 {
        format!("{} %", significant(percent, 2))
    } else {
        format!("{percent:.1} %")
    }
}

/// A probability with two digits; never 1 or 0 by rounding.
pub(crate) fn probability(value: f64) -> String {
    match value {
        // A window of models does not justify more.
        _ if value > 0.99 => "> .99".to_owned(),
        _ if value > 0.0 && value < 0.005 => "< .01".to_owned(),
        _ => format!("{value:.2}").trim_start_matches('0').to_owned(),
    }
}

/// A mean of counts with one decimal, or one significant digit where one decimal would show 0.
pub(crate) fn mean(value: f64) -> String {
    if value > 0.0 && value < 0.05 { significant(value, 1) } else { format!("{value:.1}") }
}

/// The shortest digits that identify the number, in scientific notation where that is shorter.
pub(crate) fn exact(value: f64) -> String {
    format!("{value:?}")
}

/// A positive number with the given number of significant digits, without trailing zeros.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    let decimals = (digits - 1).saturating_sub(value.log10().floor() as i32).clamp(0, 15) as usize;
    let written = format!("{value:.decimals$}");
    if written.contains('.') {
        written.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        written
    }
}

fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let mut groups = String::from(sign);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            groups.push(',');
        }
        groups.push(digit);
    }
    groups
}

/// `A`, `A and B`, `A, B and C`.
pub(crate) fn enumerated(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_separators() {
        let written: Vec<String> =
            [0, 12, 999, 1000, 1_234_567, u64::MAX].into_iter().map(thousands).collect();
        assert_eq!(written, ["0", "12", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
        assert_eq!((counted(1, "row", "rows"), counted(0, "row", "rows")), ("1 row".into(), "0 rows".into()));
    }

    #[test]
    fn statistics_of_any_size_are_short() {
        let written: Vec<String> =
            [0.0, 3.84, 1234.56, -1234.56, 1e300, f64::NAN].into_iter().map(statistic).collect();
        assert_eq!(written, ["0.0", "3.8", "1,234.6", "-1,234.6", "1.000e300", "NaN"]);
    }

    #[test]
    fn p_values_of_any_size_are_short() {
        let written: Vec<String> =
            [1.0, 0.5, 0.23456, 0.01234, 0.001, 9.994e-4, 1.23e-9, 1e-300, 9e-301, 0.0]
                .into_iter()
                .map(p_value)
                .collect();
        let expected =
            ["1", "0.5", "0.235", "0.0123", "0.001", "1.0e-3", "1.2e-9", "1.0e-300", "<1e-300", "<1e-300"];
        assert_eq!(written, expected);
        assert_eq!((p_phrase(0.23), p_phrase(0.0)), ("p = 0.23".into(), "p < 1e-300".into()));
    }

    #[test]
    fn odds_ratios_of_any_size_are_short() {
        let written: Vec<String> = [0.0, 2e-7, 0.25, 1.0 / 3.0, 1.5, 12.345, 1234.5, f64::INFINITY]
            .into_iter()
            .map(odds_ratio)
            .collect();
        assert_eq!(written, ["0", "2.0e-7", "0.25", "0.333", "1.5", "12.3", "1,235", "∞"]);
    }

    #[test]
    fn rare_shares_are_not_rounded_away() {
        let written: Vec<String> = [0.0, 1.0, 0.506, 0.00043, 1e-300].into_iter().map(percent).collect();
        assert_eq!(written, ["0.0 %", "100.0 %", "50.6 %", "0.043 %", "0 %"]);
    }

    #[test]
    fn rare_events_are_not_rounded_away() {
        let written: Vec<String> = [0.0, 0.004, 0.04, 0.3, 1.0, 12.25].into_iter().map(mean).collect();
        assert_eq!(written, ["0.0", "0.004", "0.04", "0.3", "1.0", "12.2"]);
    }

    #[test]
    fn exact_digits_identify_the_number() {
        for value in [0.1, 1.0 / 3.0, 1e-300, 5e-324, f64::MAX, 48.0] {
            assert_eq!(exact(value).parse(), Ok(value));
        }
    }
}

//! How the numbers of an attribute are written: with a decimal comma or thousands separators, as percentages, amounts
//! of money, dates or times.
//!
//! An attribute has a notation if all its values are written in it. Its values then get one canonical text, so that
//! the same table gives the same result however it was written: `1.234,50 €` becomes `1234.50`, `5.1.2020` becomes
//! `2020-01-05`. Dates and times keep a text for people and a number for the order: days, or seconds, since
//! 1970-01-01.

use super::cell::parse_number;

/// The mark between whole and fractional digits where a text can be read in two ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1.5`; a comma separates thousands.
    #[default]
    Point,
    /// `1,5`; a point separates thousands.
    Comma,
}

/// The order of the parts of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateOrder {
    YearMonthDay,
    DayMonthYear,
    MonthDayYear,
}

/// A way to write numbers other than as plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// With this decimal mark and separators of thousands.
    Grouped(DecimalMark),
    /// With a percent sign.
    Percent(DecimalMark),
    /// With one of [`CURRENCIES`], by its index.
    Money(DecimalMark, usize),
    /// A day.
    Date(DateOrder),
    /// A day with a time.
    DateTime(DateOrder),
    /// A time of the day.
    Time,
}

/// Signs of currencies. Longer signs come before those that they contain.
pub(crate) const CURRENCIES: [&str; 16] =
    ["US$", "R$", "$", "€", "£", "¥", "₹", "₽", "₩", "USD", "EUR", "GBP", "CHF", "JPY", "kr", "zł"];

impl Notation {
    /// The notation of all these values; `mark` decides where both marks are possible.
    pub fn detect<'a>(values: impl Iterator<Item = &'a str> + Clone, mark: DecimalMark) -> Option<Self> {
        let first = values.clone().find(|value| parse_number(value).is_none())?;
        let marks = match mark {
            DecimalMark::Point => [DecimalMark::Point, DecimalMark::Comma],
            DecimalMark::Comma => [DecimalMark::Comma, DecimalMark::Point],
        };
        // Most text has no digit: fail fast.
        if !first.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let currency = CURRENCIES.iter().position(|sign| first.contains(sign));
        let numbers = marks.into_iter().flat_map(|mark| match currency {
            Some(sign) => [Some(Self::Money(mark, sign)), None],
            None => [Some(Self::Grouped(mark)), Some(Self::Percent(mark))],
        });
        let orders = [DateOrder::YearMonthDay, DateOrder::DayMonthYear, DateOrder::MonthDayYear];
        let fits = |notation: &Self| values.clone().all(|value| notation.parse(value).is_some());
        if let Some(notation) = numbers.flatten().chain([Self::Time]).find(fits) {
            return Some(notation);
        }
        for dates in [Self::Date, Self::DateTime] {
            let mut fitting = orders.into_iter().map(dates).filter(|notation| fits(notation));
            // A day that may be a month is no date.
            match (fitting.next(), fitting.next()) {
                (Some(notation), None) => return Some(notation),
                (Some(_), Some(_)) => return None,
                (None, _) => {}
            }
        }
        None
    }

    /// The number that a text stands for.
    pub fn parse(&self, text: &str) -> Option<f64> {
        match self {
            Self::Grouped(_) | Self::Percent(_) | Self::Money(..) => parse_number(&self.plain_digits(text)?),
            Self::Date(order) => match parse_date_time(text, *order)? {
                (days, 0.0) => Some(days as f64),
                _ => None,
            },
            Self::DateTime(order) => {
                parse_date_time(text, *order).map(|(days, seconds)| days as f64 * DAY_SECONDS + seconds)
            }
            Self::Time => parse_time(text),
        }
    }

    /// The canonical text of a value and its number.
    pub fn interpret(&self, text: &str) -> Option<(String, f64)> {
        let number = self.parse(text)?;
        let canonical = match self {
            Self::Grouped(_) | Self::Percent(_) | Self::Money(..) => self.plain_digits(text)?,
            Self::Date(_) | Self::DateTime(_) | Self::Time => self.format(number),
        };
        Some((canonical, number))
    }

    /// A number of this notation as people read it; the next day or second if it lies between two.
    pub fn format(&self, number: f64) -> String {
        match self {
            Self::Grouped(_) | Self::Percent(_) | Self::Money(..) => number.to_string(),
            Self::Date(_) => format_date(number.ceil() as i64),
            Self::DateTime(_) => {
                let days = (number / DAY_SECONDS).floor();
                format!("{} {}", format_date(days as i64), format_time(number - days * DAY_SECONDS))
            }
            Self::Time => format_time(number),
        }
    }

    /// The numbers of the notation in the plural, as part of a sentence.
    pub fn describe(&self) -> String {
        match self {
            Self::Grouped(DecimalMark::Comma) => "numbers with a decimal comma".into(),
            Self::Grouped(DecimalMark::Point) => "numbers with separators of thousands".into(),
            Self::Percent(_) => "percentages".into(),
            Self::Money(_, sign) => format!("amounts in {}", CURRENCIES.get(*sign).unwrap_or(&"money")),
            Self::Date(_) => "dates".into(),
            Self::DateTime(_) => "dates with times".into(),
            Self::Time => "times of the day".into(),
        }
    }

    /// The digits of a number without signs of percent and money and separators, with a decimal point.
    fn plain_digits(&self, text: &str) -> Option<String> {
        let (mark, text) = match *self {
            Self::Grouped(mark) => (mark, text),
            Self::Percent(mark) => (mark, text.strip_suffix('%')?.trim_end()),
            Self::Money(mark, sign) => {
                let sign = CURRENCIES.get(sign)?;
                let (minus, text) = match text.strip_prefix(['-', '−']) {
                    Some(rest) => ("-", rest),
                    None => ("", text),
                };
                let bare = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign)).unwrap_or(text).trim();
                return plain_digits(bare, mark).map(|digits| format!("{minus}{digits}"));
            }
            _ => return None,
        };
        plain_digits(text, mark)
    }
}

/// A number with separators of thousands and a decimal mark as one that [`parse_number`] reads.
fn plain_digits(text: &str, mark: DecimalMark) -> Option<String> {
    let (open, close) = (text.strip_prefix('('), text.strip_suffix(')'));
    if let (Some(inner), Some(_)) = (open, close) {
        // Negative amounts in accounting.
        return plain_digits(&inner[..inner.len() - 1], mark).map(|digits| format!("-{digits}"));
    }
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (decimal, separators) = match mark {
        DecimalMark::Point => ('.', [',', '\'', ' ', '\u{a0}', '\u{202f}', '’']),
        DecimalMark::Comma => (',', ['.', '\'', ' ', '\u{a0}', '\u{202f}', '’']),
    };
    let (whole, fraction) = match digits.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let whole = match whole.find(separators) {
        None => whole.to_owned(),
        Some(at) => {
            let separator = whole[at..].chars().next()?;
            let mut groups = whole.split(separator);
            let first = groups.next()?;
            if first.len() > 3 || first.starts_with('0') || !groups.all(|group| group.len() == 3) {
                return None;
            }
            whole.replace(separator, "")
        }
    };
    match fraction {
        None if is_number(&whole) => Some(format!("{sign}{whole}")),
        Some(fraction) if is_number(fraction) && (whole.is_empty() || is_number(&whole)) => {
            Some(format!("{sign}{whole}.{fraction}"))
        }
        _ => None,
    }
}

const DAY_SECONDS: f64 = 86_400.0;
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The days from 1970-01-01 to a day of the Gregorian calendar.
pub(crate) fn days_from_date(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last.
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The year, month and day of a number of days since 1970-01-01.
fn date_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted_month + 2) / 5 + 1)
}

/// A day as `2020-01-05`.
pub(crate) fn format_date(days: i64) -> String {
    // Far beyond any calendar, and within the range of the arithmetic.
    let (year, month, day) = date_from_days(days.clamp(-1 << 40, 1 << 40));
    format!("{year:04}-{month:02}-{day:02}")
}

/// A time as `10:30:00`.
pub(crate) fn format_time(seconds: f64) -> String {
    let milliseconds = (seconds * 1000.0).round() as i64;
    let (whole, rest) = (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000));
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    format!("{:02}:{:02}:{:02}{fraction}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// A day with a time of the day, if the seconds since 1970-01-01 are not whole days.
pub(crate) fn format_seconds(seconds: f64) -> String {
    let days = (seconds / DAY_SECONDS).floor();
    match seconds - days * DAY_SECONDS {
        0.0 => format_date(days as i64),
        rest => format!("{} {}", format_date(days as i64), format_time(rest)),
    }
}

/// The day and the seconds of the day.
fn parse_date_time(text: &str, order: DateOrder) -> Option<(i64, f64)> {
    let text = text.trim();
    if !text.is_ascii() || text.len() < 7 {
        return None;
    }
    let at = match text.find(['T', ' ']) {
        // Blanks may be part of the date: `5 Jan 2020`.
        Some(_) => text.rfind(['T', ' ']).filter(|&at| text[at..].contains(':')),
        None => None,
    };
    let (date, time) = match at {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let days = parse_date(date, order)?;
    match time {
        None => Some((days, 0.0)),
        Some(time) => {
            let time = time.strip_suffix('Z').unwrap_or(time);
            let (time, offset) = match time.rfind(['+', '-']) {
                Some(at) => (&time[..at], parse_offset(&time[at..])?),
                None => (time, 0.0),
            };
            let seconds = parse_time(time)? - offset;
            let shift = (seconds / DAY_SECONDS).floor();
            Some((days + shift as i64, seconds - shift * DAY_SECONDS))
        }
    }
}

/// The seconds of an offset from universal time: `+02:00`, `-0530`, `+01`.
fn parse_offset(text: &str) -> Option<f64> {
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let digits: String = text[1..].chars().filter(|character| *character != ':').collect();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes) = match digits.len() {
        2 if is_number => (digits.parse::<f64>().ok()?, 0.0),
        4 if is_number => (digits[..2].parse::<f64>().ok()?, digits[2..].parse::<f64>().ok()?),
        _ => return None,
    };
    Some(sign * (hours * 3600.0 + minutes * 60.0))
}

/// The seconds since midnight of `10:30`, `10:30:00` or `10:30:00.5`.
fn parse_time(text: &str) -> Option<f64> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next().unwrap_or("0"));
    let is_short =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some()
        || !is_short(hours)
        || minutes.len() != 2
        || !is_short(minutes)
        || !is_short(whole)
    {
        return None;
    }
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds: f64 = seconds.parse().ok().filter(|_| is_fraction)?;
    let is_valid = hours < 24 && minutes < 60 && seconds < 61.0;
    is_valid.then(|| f64::from(hours * 3600 + minutes * 60) + seconds)
}

/// The days since 1970-01-01 of a date with a year of four digits.
fn parse_date(text: &str, order: DateOrder) -> Option<i64> {
    let parts: Vec<&str> = text.split(['-', '/', '.', ' ', ',']).filter(|part| !part.is_empty()).collect();
    let number = |text: &str, longest: usize| {
        let is_number = (1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { text.parse::<i64>().ok() } else { None }
    };
    let year = |text: &str| number(text, 4).filter(|_| text.len() == 4);
    let named_month = |text: &str| {
        let start = text.get(..3).filter(|_| text.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
        MONTHS.iter().position(|month| start.eq_ignore_ascii_case(month)).map(|month| month as i64 + 1)
    };
    let month = |text: &str| number(text, 2).or_else(|| named_month(text));
    let (year, month, day) = match (order, parts.as_slice()) {
        (DateOrder::YearMonthDay, [first, second, third]) => {
            (year(first)?, month(second)?, number(third, 2)?)
        }
        (DateOrder::DayMonthYear, [first, second, third]) => {
            (year(third)?, month(second)?, number(first, 2)?)
        }
        (DateOrder::MonthDayYear, [first, second, third]) => {
            // A month by its name in second place is read with the day first.
            (year(third)?, month(first)?, number(second, 2)?)
        }
        _ => return None,
    };
    let next_month = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    if !(1..=12).contains(&month) || day < 1 {
        return None;
    }
    let length = days_from_date(next_month.0, next_month.1, 1) - days_from_date(year, month, 1);
    (day <= length).then(|| days_from_date(year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpreted(values: &[&str], mark: DecimalMark) -> Option<Vec<String>> {
        let notation = Notation::detect(values.iter().copied(), mark)?;
        values.iter().map(|value| notation.interpret(value).map(|(text, _)| text)).collect()
    }

    #[test]
    fn numbers_in_other_notations_are_read() {
        use DecimalMark::{Comma, Point};
        type Case = (&'static [&'static str], DecimalMark, Option<&'static [&'static str]>);
        let cases: [Case; 18] = [
            (&["1,5", "-2,25", "3"], Point, Some(&["1.5", "-2.25", "3"])),
            (&["1,234", "12,345,678.9"], Point, Some(&["1234", "12345678.9"])),
            (&["1,234", "2,345"], Comma, Some(&["1.234", "2.345"])),
            (&["1.234,5", "7"], Point, Some(&["1234.5", "7"])),
            (&["1 234,5", "-1 000"], Point, Some(&["1234.5", "-1000"])),
            (&["5%", "12.5 %"], Point, Some(&["5", "12.5"])),
            (&["5 %", "7,5 %"], Point, Some(&["5", "7.5"])),
            (&["$1,200", "$950.50", "-$3"], Point, Some(&["1200", "950.50", "-3"])),
            (&["1.200 €", "950,50 €"], Point, Some(&["1200", "950.50"])),
            (&["(1,200)", "300"], Point, Some(&["-1200", "300"])),
            (&["2020-01-05", "2021-12-31"], Point, Some(&["2020-01-05", "2021-12-31"])),
            (&["5.1.2020", "31.12.2021"], Point, Some(&["2020-01-05", "2021-12-31"])),
            (&["1/5/2020", "12/31/2021"], Point, Some(&["2020-01-05", "2021-12-31"])),
            (&["05-Jan-2020", "5 February 2020"], Point, Some(&["2020-01-05", "2020-02-05"])),
            (
                &["2020-01-05T10:30:00Z", "2020-01-05 23:00:00.5+02:00"],
                Point,
                Some(&["2020-01-05 10:30:00", "2020-01-05 21:00:00.500"]),
            ),
            (&["10:30", "7:05:09"], Point, Some(&["10:30:00", "07:05:09"])),
            (&["1/5/2020", "2/3/2020"], Point, None),
            (&["$5", "€5"], Point, None),
        ];
        for (values, mark, expected) in cases {
            let expected = expected.map(|texts| texts.iter().map(|&text| text.to_owned()).collect());
            assert_eq!(interpreted(values, mark), expected, "{values:?}");
        }
        for values in [
            &["A11", "3"][..],
            &["1,23,4"],
            &["1-2", "3-4"],
            &["2020-13-01"],
            &["30.2.2021"],
            &["0,123", "5.5"],
            &["1:75"],
            &["%"],
            &["5%", "x"],
            &["10-20", "20-30"],
            &["1.2.3"],
        ] {
            assert_eq!(interpreted(values, DecimalMark::Point), None, "{values:?}");
        }
    }

    #[test]
    fn days_and_dates_are_inverse() {
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = date_from_days(days);
            assert_eq!(days_from_date(year, month, day), days);
        }
        assert_eq!((days_from_date(1970, 1, 1), days_from_date(2000, 3, 1)), (0, 11_017));
        let midnight = Notation::DateTime(DateOrder::YearMonthDay);
        assert_eq!(Notation::detect(["2020-01-05 00:00:00"].into_iter(), DecimalMark::Point), {
            Some(Notation::Date(DateOrder::YearMonthDay))
        });
        assert_eq!(midnight.format(86_400.0 + 61.0), "1970-01-02 00:01:01");
    }
}

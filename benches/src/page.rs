//! Tables in Markdown, and the page `docs/benchmarks.md` in which each part has its place.

use std::fmt::Write as _;

/// A table in Markdown.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and no rows.
    pub fn new<const N: usize>(header: [&str; N]) -> Self {
        Self { rows: vec![header.map(str::to_owned).to_vec()] }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }

    /// The lines of the table.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {} |", row.join(" | "));
            if number == 0 {
                let _ = writeln!(text, "|{}", " --- |".repeat(row.len()));
            }
        }
        text
    }
}

/// The page with the text of one part replaced: what stands between the lines `<!-- part -->` and
/// `<!-- end of part -->`. None if the page lacks them.
pub fn replace(page: &str, part: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {part} -->\n"), format!("<!-- end of {part} -->"));
    let start = page.find(&begin)? + begin.len();
    let stop = start + page[start..].find(&end)?;
    Some(format!("{}\n{}\n\n{}", &page[..start], text.trim(), &page[stop..]))
}

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

/// A number to three digits.
pub fn digits(number: f64) -> String {
    if !number.is_finite() {
        return "unknown".into();
    }
    let before_point = if number > 1e-9 { number.log10().floor() as i32 + 1 } else { 1 };
    if before_point > 3 {
        return thousands(number.round() as u64);
    }
    format!("{number:.*}", (3 - before_point) as usize)
}

/// Seconds in a unit that suits them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{} µs", digits(s * 1e6)),
        s if s < 1.0 => format!("{} ms", digits(s * 1e3)),
        s => format!("{} s", digits(s)),
    }
}

/// A ratio, as `3.2×`.
pub fn times(ratio: f64) -> String {
    format!("{}×", digits(ratio))
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_replaced_and_the_rest_kept() {
        let page = "# P\n<!-- a -->\nold\n<!-- end of a -->\ntext\n<!-- b -->\n<!-- end of b -->\n";
        let page = replace(page, "a", "new").unwrap();
        assert_eq!(
            page,
            "# P\n<!-- a -->\n\nnew\n\n<!-- end of a -->\ntext\n<!-- b -->\n<!-- end of b -->\n"
        );
        assert_eq!(replace(&page, "a", "new").unwrap(), page);
        assert_eq!(replace(&page, "c", "new"), None);
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!([thousands(7), thousands(1234), thousands(1_234_567)], ["7", "1,234", "1,234,567"]);
        assert_eq!(
            [digits(0.01234), digits(1.234), digits(123.4), digits(12_345.6)],
            ["0.0123", "1.23", "123", "12,346"]
        );
        assert_eq!([duration(0.012), duration(3.5), duration(2e-7)], ["12.0 ms", "3.50 s", "0.200 µs"]);
    }

    #[test]
    fn no_number_is_too_strange() {
        for number in [0.0, -1.0, 1e-300, 1e300, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE] {
            assert!(!digits(number).is_empty() && !duration(number).is_empty());
        }
    }

    #[test]
    fn tables_have_a_line_under_their_header() {
        let mut table = Table::new(["a", "b"]);
        table.row(["1".into(), "2".into()]);
        assert_eq!(table.markdown(), "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    }
}

//! Tables as Markdown and as CSV, and how numbers are written in them.

use std::fmt::Write as _;

use concause::simulate::Spread;

/// Rows of text under a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Table { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; cells that are missing are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in GitHub's Markdown.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        let mut line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        };
        line(&self.header);
        line(&vec!["---".to_owned(); self.header.len()]);
        self.rows.iter().for_each(|row| line(row));
        out
    }

    /// The table as CSV with a header.
    pub fn csv(&self) -> String {
        let field = |cell: &String| {
            if cell.contains([',', '"', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let line = |cells: &Vec<String>| cells.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
    }
}

/// A number with two decimals.
pub fn two(number: f64) -> String {
    format!("{number:.2}")
}

/// Mean and standard deviation with two decimals.
pub fn spread(spread: Spread) -> String {
    format!("{:.2} ± {:.2}", spread.mean, spread.deviation)
}

/// A share in per cent with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A whole number with a comma between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

/// Seconds with as many digits as a noisy clock deserves.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.2} ms", 1000.0 * s),
        s if s < 0.1 => format!("{:.1} ms", 1000.0 * s),
        s if s < 1.0 => format!("{:.0} ms", 1000.0 * s),
        s => format!("{s:.1} s"),
    }
}

/// Names of causes as code, joined by commas; a dash if there is none.
pub fn names<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "–".into();
    }
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_and_csv() {
        let mut table = Table::new(["a", "b, c"]);
        assert!(table.is_empty());
        table.row(["x|y", "say \"z\""]);
        table.row(["short"]);
        assert_eq!(table.markdown(), "| a | b, c |\n| --- | --- |\n| x\\|y | say \"z\" |\n| short |  |\n");
        assert_eq!(table.csv(), "a,\"b, c\"\nx|y,\"say \"\"z\"\"\"\nshort,\n");
    }

    #[test]
    fn numbers_are_written_alike() {
        assert_eq!(spread(Spread { mean: 0.98765, deviation: 0.0449 }), "0.99 ± 0.04");
        assert_eq!((percent(0.0619), two(1.0)), ("6.2 %".into(), "1.00".into()));
        assert_eq!([0, 999, 1000, 299_285].map(thousands), ["0", "999", "1,000", "299,285"]);
        assert_eq!([0.000_123, 0.0123, 0.5, 12.34].map(seconds), ["0.12 ms", "12.3 ms", "500 ms", "12.3 s"]);
        assert_eq!(names(&["V1&V2", "V3"]), "`V1&V2`, `V3`");
        assert_eq!(names::<&str>(&[]), "–");
    }
}

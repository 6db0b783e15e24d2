//! One line per cause, for spreadsheets and data frames.
//!
//! Quoting is that of RFC 4180, lines end with a newline alone. Figures have the digits of the JSON. Lists (the
//! challenger, the equivalents) are joined by `; `; whoever has to take apart names that contain that reads the
//! JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::document::{CauseEntry, Document};
use crate::figures::exact;

const HEADER: [&str; 14] = [
    "name",
    "level",
    "statistic",
    "df",
    "p_value",
    "association_p_value",
    "challenger",
    "with_positive",
    "with_negative",
    "without_positive",
    "without_negative",
    "risk_with",
    "risk_without",
    "equivalent",
];

/// Writes the causes.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    write_line(&HEADER.map(str::to_owned), out)?;
    document.causes.iter().try_for_each(|cause| write_line(&fields(cause), out))
}

fn fields(cause: &CauseEntry) -> [String; HEADER.len()] {
    let counts = &cause.counts;
    [
        cause.name.clone(),
        cause.level.to_string(),
        exact(cause.statistic),
        cause.df.to_string(),
        exact(cause.p_value),
        exact(cause.association.p_value),
        cause.challenger.given.join("; "),
        counts.with.positive.to_string(),
        counts.with.negative.to_string(),
        counts.without.positive.to_string(),
        counts.without.negative.to_string(),
        cause.risk_with.map(exact).unwrap_or_default(),
        cause.risk_without.map(exact).unwrap_or_default(),
        cause.equivalent.join("; "),
    ]
}

fn write_line(fields: &[String], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(line(fields).as_bytes())
}

/// One line, ended by a newline.
pub(crate) fn line(fields: &[String]) -> String {
    let quoted: Vec<Cow<'_, str>> = fields.iter().map(|field| quote(field)).collect();
    quoted.join(",") + "\n"
}

fn quote(field: &str) -> Cow<'_, str> {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_what_would_break_a_line() {
        let quoted: Vec<Cow<'_, str>> =
            ["a&b=c", "a,b", "a\"b", "a\nb", "a\rb", ""].into_iter().map(quote).collect();
        assert_eq!(quoted, ["a&b=c", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"", "\"a\rb\"", ""]);
    }
}

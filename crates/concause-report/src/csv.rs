//! CSV quoting as in RFC 4180, except that lines end with a newline alone.

use std::borrow::Cow;

use concause_simulate::quote_csv_field;

/// A field of a CSV line, quoted where necessary. An empty field is a missing value and is not quoted.
pub fn csv_field(field: &str) -> Cow<'_, str> {
    if field.is_empty() { field.into() } else { quote_csv_field(field) }
}

/// One line of CSV, terminated by a newline.
pub(crate) fn csv_line(fields: &[String]) -> String {
    let quoted: Vec<Cow<'_, str>> = fields.iter().map(|field| csv_field(field)).collect();
    quoted.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_would_break_a_line_are_quoted() {
        let quoted: Vec<Cow<'_, str>> =
            ["a&b=c", "a,b", "a\"b", "a\nb", "a\rb", ""].into_iter().map(csv_field).collect();
        assert_eq!(quoted, ["a&b=c", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"", "\"a\rb\"", ""]);
    }
}

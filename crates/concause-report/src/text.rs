//! Text from the data on a terminal. Names can contain anything, so characters that would move the cursor or hide
//! other text are escaped, and widths are counted in terminal cells, not bytes.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text on one line: control characters, line separators and bidirectional controls are escaped.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(character.escape_unicode());
            }
            _ if character.is_control() => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

/// Several names on one line, separated by commas.
pub(crate) fn comma_separated(names: &[String]) -> String {
    printable(&names.join(", "))
}

/// The width of a text in terminal cells.
pub(crate) fn display_width(text: &str) -> usize {
    text.width()
}

/// The text if it fits, otherwise its beginning followed by `…`.
pub(crate) fn truncate(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(1) else {
        return String::new();
    };
    let mut kept = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used > room {
            break;
        }
        kept.push(character);
    }
    // A sequence can be wider than the sum of its characters (a heart with a variation selector), and a joiner at the
    // end would join the `…`.
    while display_width(&kept) > room || kept.ends_with('\u{200d}') {
        kept.pop();
    }
    kept.push('…');
    kept
}

/// A name in a code span. A backtick would end the span, and a pipe would end a table cell even within it. Names with
/// either are written as HTML with entities for all characters that have a meaning in Markdown.
pub(crate) fn code_span(name: &str) -> String {
    let name = printable(name);
    let awkward = name.is_empty() || name.starts_with(' ') || name.ends_with(' ');
    if !awkward && !name.contains(['`', '|']) {
        return format!("`{name}`");
    }
    let mut escaped = String::new();
    for character in name.chars() {
        if character.is_ascii_punctuation() || character == ' ' {
            // Writing to a string does not fail.
            let _ = write!(escaped, "&#{};", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    format!("<code>{escaped}</code>")
}

/// A sentence without Markdown syntax.
pub(crate) fn escape_markdown(sentence: &str) -> String {
    let mut escaped = String::new();
    for character in printable(sentence).chars() {
        if "\\`*_{}[]<>#|~&$@".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
        assert_eq!(printable("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(printable("\u{202e}x"), "\\u{202e}x");
        assert_eq!(printable("naïve 日本 👩‍🚀"), "naïve 日本 👩‍🚀");
    }

    #[test]
    fn widths_are_counted_in_cells() {
        assert_eq!(truncate("abcdef", 6), "abcdef");
        assert_eq!(truncate("abcdef", 5), "abcd…");
        assert_eq!(truncate("日本語", 5), "日本…");
        assert_eq!(truncate("日本語", 4), "日…");
        assert_eq!((truncate("abc", 1), truncate("abc", 0)), ("…".into(), String::new()));
    }

    #[test]
    fn truncated_text_fits() {
        let text = "❤\u{fe0f}❤\u{fe0f}👩\u{200d}🚀e\u{301}日本a🇩🇪z";
        for width in 0..20 {
            assert!(display_width(&truncate(text, width)) <= width, "{width}");
        }
    }

    #[test]
    fn names_stay_inside_their_code_spans() {
        assert_eq!(code_span("a&b=c"), "`a&b=c`");
        assert_eq!(code_span("<script>"), "`<script>`");
        assert_eq!(code_span("two\nlines"), "`two\\nlines`");
        assert_eq!(code_span("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code_span("a`*b*"), "<code>a&#96;&#42;b&#42;</code>");
        assert_eq!(code_span("a\\|"), "<code>a&#92;&#124;</code>");
        assert_eq!((code_span(""), code_span(" ")), ("<code></code>".into(), "<code>&#32;</code>".into()));
    }

    #[test]
    fn notices_contain_no_markdown() {
        assert_eq!(escape_markdown("'a_b' <b>\nleft out"), "'a\\_b' \\<b\\>\\\\nleft out");
    }
}

//! The tokens of a BIF file: words and symbols.

use super::{BifError, BifErrorKind};

/// A word, or one of the symbols `{ } ( ) [ ] ;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Symbol(char),
}

impl Token {
    /// The token as an error message quotes it.
    pub fn quoted(&self) -> String {
        match self {
            Token::Word(word) => format!("'{word}'"),
            Token::Symbol(symbol) => format!("'{symbol}'"),
        }
    }
}

/// Splits a text into tokens, each with its line. White space, commas, bars and comments only separate tokens.
pub(super) fn tokenize(text: &str) -> Result<Vec<(usize, Token)>, BifError> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/");
            end.ok_or_else(|| BifErrorKind::UnclosedComment.at(line))? + 4
        } else if first == '"' {
            let length = rest[1..].find('"').ok_or_else(|| BifErrorKind::UnclosedQuote.at(line))?;
            tokens.push((line, Token::Word(rest[1..=length].to_owned())));
            length + 2
        } else if matches!(first, '{' | '}' | '(' | ')' | '[' | ']' | ';') {
            tokens.push((line, Token::Symbol(first)));
            1
        } else if is_separator(first) {
            first.len_utf8()
        } else {
            let length = word_length(rest);
            tokens.push((line, Token::Word(rest[..length].to_owned())));
            length
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '|')
}

/// The length of the word at the start of a text: up to a separator, a symbol, a quote or a comment.
fn word_length(text: &str) -> usize {
    let ends = |(place, character): &(usize, char)| {
        is_separator(*character)
            || matches!(character, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '"')
            || text[*place..].starts_with("//")
            || text[*place..].starts_with("/*")
    };
    text.char_indices().find(ends).map_or(text.len(), |(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_symbols_and_lines() {
        let text = "\u{feff}a/b,\"two words\"|x<5; // c {\n/* d\n */ é(1e-3)";
        let quoted: Vec<String> =
            tokenize(text).unwrap().iter().map(|(line, token)| format!("{line}{}", token.quoted())).collect();
        assert_eq!(quoted, ["1'a/b'", "1'two words'", "1'x<5'", "1';'", "3'é'", "3'('", "3'1e-3'", "3')'"]);
        assert_eq!(tokenize("a\n\"b").unwrap_err().to_string(), "line 2: the quote is not closed");
        assert_eq!(
            tokenize("\n\n/* b").unwrap_err().to_string(),
            "line 3: the comment is not closed with */"
        );
        assert_eq!(tokenize("").unwrap(), []);
    }
}

//! Parses tokens into blocks. Names are resolved later.

use super::tokens::{Token, tokenize};
use super::{BifError, BifErrorKind};

/// A `variable` block.
#[derive(Debug)]
pub(super) struct VariableBlock {
    pub line: usize,
    pub name: String,
    pub values: Vec<String>,
}

/// A `probability` block.
#[derive(Debug)]
pub(super) struct ProbabilityBlock {
    pub line: usize,
    /// The variable, then its parents.
    pub names: Vec<String>,
    pub entries: Vec<Entry>,
}

/// One line of a `probability` block.
#[derive(Debug)]
pub(super) struct Entry {
    pub line: usize,
    pub scope: EntryScope,
    pub numbers: Vec<f64>,
}

/// Which rows of the table an entry fills.
#[derive(Debug, PartialEq)]
pub(super) enum EntryScope {
    /// All rows.
    Table,
    /// The configurations that are not listed.
    Default,
    /// One configuration of the parents, by their values.
    Row(Vec<String>),
}

/// All blocks of a file.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub name: String,
    pub variables: Vec<VariableBlock>,
    pub probabilities: Vec<ProbabilityBlock>,
}

/// Parses all blocks.
pub(super) fn parse_blocks(text: &str) -> Result<Blocks, BifError> {
    let mut parser = Parser { tokens: tokenize(text)?, next: 0 };
    let mut blocks = Blocks::default();
    while let Some((line, token)) = parser.tokens.get(parser.next).cloned() {
        parser.next += 1;
        match &token {
            Token::Word(word) if word == "network" => blocks.name = parser.parse_network()?,
            Token::Word(word) if word == "variable" => blocks.variables.push(parser.parse_variable(line)?),
            Token::Word(word) if word == "probability" => {
                blocks.probabilities.push(parser.parse_probability(line)?);
            }
            _ => return Err(unexpected(line, "'network', 'variable' or 'probability'", Some(&token))),
        }
    }
    Ok(blocks)
}

fn unexpected(line: usize, expected: &str, found: Option<&Token>) -> BifError {
    BifErrorKind::UnexpectedToken { expected: expected.into(), found: found.map(Token::quoted) }.at(line)
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
}

impl Parser {
    /// The line of the next token, or of the last one.
    fn line(&self) -> usize {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(1, |(line, _)| *line)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn take_word(&mut self, expected: &str) -> Result<String, BifError> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.next += 1;
                Ok(word)
            }
            other => Err(unexpected(self.line(), expected, other)),
        }
    }

    fn expect_keyword(&mut self, keyword: &str) -> Result<(), BifError> {
        let line = self.line();
        let expected = format!("'{keyword}'");
        let word = self.take_word(&expected)?;
        if word == keyword { Ok(()) } else { Err(unexpected(line, &expected, Some(&Token::Word(word)))) }
    }

    fn expect_symbol(&mut self, symbol: char) -> Result<(), BifError> {
        if self.skip_symbol(symbol) {
            return Ok(());
        }
        Err(unexpected(self.line(), &format!("'{symbol}'"), self.peek()))
    }

    /// Skips the symbol if it is next, and returns whether it was.
    fn skip_symbol(&mut self, symbol: char) -> bool {
        let is_next = self.peek() == Some(&Token::Symbol(symbol));
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes words up to a symbol, and the symbol.
    fn take_words_until(&mut self, symbol: char, expected: &str) -> Result<Vec<String>, BifError> {
        let mut words = Vec::new();
        while !self.skip_symbol(symbol) {
            words.push(self.take_word(&format!("{expected} or '{symbol}'"))?);
        }
        Ok(words)
    }

    /// Skips a `property` up to its semicolon.
    fn skip_property(&mut self) -> Result<(), BifError> {
        let line = self.line();
        while !self.skip_symbol(';') {
            if self.peek().is_none() {
                return Err(BifErrorKind::UnclosedProperty.at(line));
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Returns the name of the network and skips its properties.
    fn parse_network(&mut self) -> Result<String, BifError> {
        let name = self.take_word("the name of the network")?;
        self.expect_symbol('{')?;
        while !self.skip_symbol('}') {
            self.expect_keyword("property")?;
            self.skip_property()?;
        }
        Ok(name)
    }

    fn parse_variable(&mut self, line: usize) -> Result<VariableBlock, BifError> {
        let name = self.take_word("the name of a variable")?;
        let mut values = None;
        self.expect_symbol('{')?;
        while !self.skip_symbol('}') {
            let entry_line = self.line();
            match self.take_word("'type', 'property' or '}'")?.as_str() {
                "property" => self.skip_property()?,
                "type" if values.is_some() => {
                    return Err(BifErrorKind::DuplicateType(name).at(entry_line));
                }
                "type" => values = Some(self.parse_values(&name)?),
                other => {
                    let found = Token::Word(other.to_owned());
                    return Err(unexpected(entry_line, "'type', 'property' or '}'", Some(&found)));
                }
            }
        }
        let Some(values) = values else { return Err(BifErrorKind::NoType(name).at(line)) };
        Ok(VariableBlock { line, name, values })
    }

    /// `discrete [ 2 ] { a, b };`
    fn parse_values(&mut self, name: &str) -> Result<Vec<String>, BifError> {
        let line = self.line();
        self.expect_keyword("discrete")?;
        self.expect_symbol('[')?;
        let number_line = self.line();
        let number = self.take_word("the number of values")?;
        let number: usize = number
            .parse()
            .map_err(|_| unexpected(number_line, "the number of values", Some(&Token::Word(number))))?;
        self.expect_symbol(']')?;
        self.expect_symbol('{')?;
        let values = self.take_words_until('}', "a value")?;
        self.expect_symbol(';')?;
        if values.len() != number {
            let (variable, listed) = (name.into(), values.len());
            return Err(BifErrorKind::WrongNumberOfValues { variable, declared: number, listed }.at(line));
        }
        if values.is_empty() || values.len() > usize::from(u16::MAX) {
            return Err(
                BifErrorKind::UnsupportedNumberOfValues { variable: name.into(), values: number }.at(line)
            );
        }
        if let Some(value) = find_repeated(&values) {
            let (variable, value) = (name.into(), value.clone());
            return Err(BifErrorKind::DuplicateValue { variable, value }.at(line));
        }
        Ok(values)
    }

    fn parse_probability(&mut self, line: usize) -> Result<ProbabilityBlock, BifError> {
        self.expect_symbol('(')?;
        let names = self.take_words_until(')', "the name of a variable")?;
        if names.is_empty() {
            return Err(BifErrorKind::NamelessProbability.at(line));
        }
        if let Some(name) = find_repeated(&names) {
            return Err(BifErrorKind::RepeatedVariable(name.clone()).at(line));
        }
        self.expect_symbol('{')?;
        let mut entries = Vec::new();
        while !self.skip_symbol('}') {
            let line = self.line();
            let scope = if self.skip_symbol('(') {
                EntryScope::Row(self.take_words_until(')', "a value")?)
            } else {
                match self.take_word("'table', 'default', a configuration or '}'")?.as_str() {
                    "table" => EntryScope::Table,
                    "default" => EntryScope::Default,
                    "property" => {
                        self.skip_property()?;
                        continue;
                    }
                    other => {
                        let found = Token::Word(other.to_owned());
                        return Err(unexpected(
                            line,
                            "'table', 'default', a configuration or '}'",
                            Some(&found),
                        ));
                    }
                }
            };
            entries.push(Entry { line, scope, numbers: self.parse_numbers()? });
        }
        Ok(ProbabilityBlock { line, names, entries })
    }

    fn parse_numbers(&mut self) -> Result<Vec<f64>, BifError> {
        let mut numbers = Vec::new();
        while !self.skip_symbol(';') {
            let line = self.line();
            let word = self.take_word("a probability or ';'")?;
            match word.parse::<f64>() {
                Ok(number) if (0.0..=1.0).contains(&number) => numbers.push(number),
                Ok(_) => return Err(BifErrorKind::NotAProbability(word).at(line)),
                Err(_) => return Err(unexpected(line, "a probability or ';'", Some(&Token::Word(word)))),
            }
        }
        Ok(numbers)
    }
}

/// Finds a name that occurs twice.
fn find_repeated(names: &[String]) -> Option<&String> {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

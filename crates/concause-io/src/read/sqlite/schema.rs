//! The columns of a table from its CREATE TABLE statement.

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StoredColumn {
    pub name: String,
    /// Whether it is another name of the number of a row.
    pub is_row_number: bool,
    /// The value of rows that are older than the column.
    pub default: Option<String>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableSchema {
    pub columns: Vec<StoredColumn>,
    pub is_without_row_numbers: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A keyword or a name without quotes.
    Word(String),
    /// A name or a text in quotes.
    Quoted(String),
    Symbol(char),
}

impl Token {
    fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    fn text(&self) -> String {
        match self {
            Self::Word(text) | Self::Quoted(text) => text.clone(),
            Self::Symbol(symbol) => symbol.to_string(),
        }
    }
}

/// Splits a statement; comments are left out.
fn split_tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let skipped = |end: Option<usize>, mark: usize| end.map_or("", |end| &rest[end + mark..]);
        match first {
            _ if rest.starts_with("--") => rest = skipped(rest.find('\n'), 1),
            _ if rest.starts_with("/*") => rest = skipped(rest.find("*/"), 2),
            '"' | '\'' | '`' | '[' => {
                let close = if first == '[' { ']' } else { first };
                let (mut text, mut characters) = (String::new(), rest[1..].char_indices().peekable());
                let mut end = rest.len();
                while let Some((at, character)) = characters.next() {
                    if character != close {
                        text.push(character);
                    } else if close != ']' && characters.peek().is_some_and(|&(_, next)| next == close) {
                        text.push(close);
                        characters.next();
                    } else {
                        end = 1 + at + character.len_utf8();
                        break;
                    }
                }
                tokens.push(Token::Quoted(text));
                rest = &rest[end..];
            }
            _ if first.is_alphanumeric() || matches!(first, '_' | '.' | '+' | '-') || !first.is_ascii() => {
                let belongs = |character: char| {
                    character.is_alphanumeric()
                        || matches!(character, '_' | '.' | '$')
                        || !character.is_ascii()
                };
                let end = rest[first.len_utf8()..].find(|it| !belongs(it)).map(|end| end + first.len_utf8());
                let (word, next) = rest.split_at(end.unwrap_or(rest.len()));
                tokens.push(Token::Word(word.to_owned()));
                rest = next;
            }
            _ => {
                if !first.is_whitespace() {
                    tokens.push(Token::Symbol(first));
                }
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    tokens
}

/// Reads a CREATE TABLE statement.
pub(super) fn parse_table(sql: &str) -> Option<TableSchema> {
    let tokens = split_tokens(sql);
    let open = tokens.iter().position(|token| *token == Token::Symbol('('))?;
    let (mut depth, mut definitions, mut current, mut end) = (1, Vec::new(), Vec::new(), tokens.len());
    for (place, token) in tokens.iter().enumerate().skip(open + 1) {
        match token {
            Token::Symbol('(') => depth += 1,
            Token::Symbol(')') => depth -= 1,
            Token::Symbol(',') if depth == 1 => {
                definitions.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            end = place;
            break;
        }
        current.push(token.clone());
    }
    definitions.push(current);
    let is_without_row_numbers =
        tokens[end..].windows(2).any(|pair| pair[0].is("WITHOUT") && pair[1].is("ROWID"));
    let mut schema = TableSchema { columns: Vec::new(), is_without_row_numbers };
    let mut integers = Vec::new();
    for definition in &definitions {
        let [first, rest @ ..] = definition.as_slice() else { return None };
        let is_constraint =
            ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].iter().any(|word| first.is(word));
        if is_constraint {
            let key = definition.iter().position(|token| token.is("PRIMARY")).map(|at| &definition[at..]);
            if let Some([_, _, Token::Symbol('('), name, Token::Symbol(')'), ..]) = key {
                let is_key = |column: &&mut StoredColumn| column.name.eq_ignore_ascii_case(&name.text());
                if let Some(column) = schema.columns.iter_mut().find(is_key) {
                    column.is_row_number = integers.contains(&column.name);
                }
            }
            continue;
        }
        let is_virtual =
            rest.iter().any(|token| token.is("AS")) && !rest.iter().any(|token| token.is("STORED"));
        if is_virtual {
            // A generated column is not stored.
            continue;
        }
        let is_integer = rest.first().is_some_and(|kind| kind.is("INTEGER"))
            && !matches!(rest.get(1), Some(Token::Word(word)) if !is_constraint_word(word));
        let key = rest.windows(2).position(|pair| pair[0].is("PRIMARY") && pair[1].is("KEY"));
        let is_descending = key.is_some_and(|at| rest.get(at + 2).is_some_and(|token| token.is("DESC")));
        let default = rest.iter().position(|token| token.is("DEFAULT")).and_then(|at| rest.get(at + 1));
        let name = first.text();
        if is_integer {
            integers.push(name.clone());
        }
        schema.columns.push(StoredColumn {
            name,
            is_row_number: is_integer && key.is_some() && !is_descending,
            default: default
                .filter(|token| !token.is("NULL") && !matches!(token, Token::Symbol(_)))
                .map(Token::text),
        });
    }
    (!schema.columns.is_empty()).then_some(schema)
}

fn is_constraint_word(word: &str) -> bool {
    let words =
        ["CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES"];
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_from_the_statement() {
        let sql = "CREATE TABLE \"a (b\" ( -- a comment, with a comma\n id INTEGER PRIMARY KEY NOT NULL, [two words] TEXT, \
                   \"say \"\"x\"\"\" NUMERIC(10, 2) DEFAULT 1.5 CHECK (x IN (1, 2)), `d` DEFAULT 'a, b', double INT AS \
                   (id * 2), PRIMARY KEY (d), FOREIGN KEY (d) REFERENCES t(x))";
        let schema = parse_table(sql).unwrap();
        let names: Vec<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["id", "two words", "say \"x\"", "d"]);
        let row_numbers: Vec<bool> = schema.columns.iter().map(|column| column.is_row_number).collect();
        assert_eq!(row_numbers, [true, false, false, false]);
        assert_eq!(schema.columns[2].default.as_deref(), Some("1.5"));
        assert_eq!(schema.columns[3].default.as_deref(), Some("a, b"));
        let keyed = parse_table("create table t (a integer, b text, primary key (a))").unwrap();
        assert!(keyed.columns[0].is_row_number && !keyed.is_without_row_numbers);
        let plain = parse_table("CREATE TABLE t(a INT PRIMARY KEY, b) WITHOUT ROWID").unwrap();
        assert!(!plain.columns[0].is_row_number && plain.is_without_row_numbers);
        for sql in ["", "CREATE TABLE t", "CREATE TABLE t ()", "CREATE TABLE 'x (a"] {
            assert_eq!(parse_table(sql), None, "{sql}");
        }
    }
}

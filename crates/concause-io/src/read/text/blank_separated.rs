//! Splits lines whose fields are separated by runs of blanks, which `csv-core` cannot do.

use super::record::Record;

/// The position of the splitter inside a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    Field,
    Quoted,
    /// After a quote inside a quoted field: its end, or the first of a doubled quote.
    QuoteSeen,
}

/// Splits blank-separated records with quotes.
#[derive(Debug)]
pub(crate) struct BlankSplitter {
    quote: Option<u8>,
    state: State,
}

impl BlankSplitter {
    /// Starts at the beginning of a record.
    pub fn new(quote: Option<u8>) -> Self {
        Self { quote, state: State::Between }
    }

    /// Appends bytes of `input` to `record` until the record ends; returns the bytes consumed and whether it ended.
    pub fn split(&mut self, input: &[u8], record: &mut Record) -> (usize, bool) {
        for (position, &byte) in input.iter().enumerate() {
            let quote = Some(byte) == self.quote;
            self.state = match (self.state, byte) {
                (State::Quoted, _) if quote => State::QuoteSeen,
                (State::Quoted, _) => {
                    record.push(byte);
                    State::Quoted
                }
                (State::QuoteSeen, _) if quote => {
                    record.push(byte);
                    State::Quoted
                }
                (State::Between, b' ' | b'\t' | b'\r') => State::Between,
                (_, b' ' | b'\t' | b'\r') => {
                    record.end_field();
                    State::Between
                }
                (state, b'\n') => {
                    if state != State::Between {
                        record.end_field();
                    }
                    self.state = State::Between;
                    return (position + 1, true);
                }
                (State::Between, _) if quote => State::Quoted,
                (_, _) => {
                    record.push(byte);
                    State::Field
                }
            };
        }
        (input.len(), false)
    }
}

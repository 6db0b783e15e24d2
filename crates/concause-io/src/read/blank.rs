//! Splits lines whose fields are separated by runs of blanks, as `csv-core` cannot.

use super::record::Record;

/// Where the splitter stands inside a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    Field,
    Quoted,
    /// After a quote inside a quoted field: its end, or the first of a doubled quote.
    QuoteSeen,
}

/// Splits blank-separated records, quotes honoured.
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

    /// Takes bytes from `input` into `record` until the record ends; returns the bytes taken and whether it did.
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

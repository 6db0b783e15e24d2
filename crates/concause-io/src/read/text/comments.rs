//! Removes comment lines from a text; the lines remain, empty, so that errors count them.

use std::io::{self, Read};

use memchr::memchr;

/// A text without the content of the lines that begin with a character.
pub(super) struct WithoutComments<Text> {
    text: Text,
    mark: u8,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    LineStart,
    Line,
    Comment,
}

impl<Text: Read> WithoutComments<Text> {
    /// Starts at the start of a line.
    pub fn new(text: Text, mark: u8) -> Self {
        Self { text, mark, state: State::LineStart }
    }

    /// Moves what remains of a block to its start; returns the length.
    fn filter(&mut self, block: &mut [u8]) -> usize {
        let (mut read, mut written) = (0, 0);
        while read < block.len() {
            if self.state == State::LineStart {
                self.state = if block[read] == self.mark { State::Comment } else { State::Line };
            }
            let end = memchr(b'\n', &block[read..]).map(|end| read + end);
            let next = end.map_or(block.len(), |end| end + 1);
            let kept = if self.state == State::Comment { end.unwrap_or(next) } else { read };
            block.copy_within(kept..next, written);
            written += next - kept;
            if end.is_some() {
                self.state = State::LineStart;
            }
            read = next;
        }
        written
    }
}

impl<Text: Read> Read for WithoutComments<Text> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.text.read(buffer)?;
            let written = self.filter(&mut buffer[..length]);
            if written > 0 || length == 0 {
                return Ok(written);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields a few bytes at a time.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len()).min(self.0.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn comment_lines_become_empty_lines() {
        let text = "# one\na,b\n#\n1,#2\n# last";
        for step in 1..text.len() {
            let mut found = String::new();
            WithoutComments::new(Slowly(text.as_bytes(), step), b'#').read_to_string(&mut found).unwrap();
            assert_eq!(found, "\na,b\n\n1,#2\n", "{step} bytes at a time");
        }
    }
}

//! The JSON `concause/1`, indented. What it holds is said by [`Document`] itself.

use std::io::{self, Write};

use crate::document::Document;

/// Writes the document.
pub(crate) fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(document.to_json(true).as_bytes())
}

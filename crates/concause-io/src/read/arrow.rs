//! The reader of Apache Arrow IPC files and streams, also known as Feather.

use super::format::TableReader;
use crate::source::OpenedSource;

/// The first bytes of an Arrow file.
const SIGNATURE: &[u8] = b"ARROW1";
/// The first bytes of an Arrow stream: the mark of a message, and the end of the length of a schema.
const STREAM_SIGNATURE: &[u8] = b"\xff\xff\xff\xff";

/// Reads Apache Arrow IPC.
pub(crate) struct ArrowReader;

impl TableReader for ArrowReader {
    fn name(&self) -> &'static str {
        "arrow"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["feather"]
    }

    fn title(&self) -> &'static str {
        "an Arrow"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["arrow", "feather", "ipc"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(SIGNATURE) || opened.signature.starts_with(STREAM_SIGNATURE)
    }

    fn feature(&self) -> &'static str {
        "arrow"
    }

    #[cfg(feature = "arrow")]
    fn read(
        &self,
        builder: &mut super::builder::TableBuilder<'_>,
        source: &crate::source::Source,
        opened: OpenedSource,
    ) -> Result<(), crate::error::Error> {
        super::columnar::read_columnar(builder, source, opened, self.title(), decoder::open)
    }
}

#[cfg(feature = "arrow")]
mod decoder {
    use std::fs::File;
    use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};

    use arrow_array::RecordBatchReader;
    use arrow_ipc::reader::{FileReader, StreamReader};
    use arrow_schema::ArrowError;

    use super::SIGNATURE;
    use crate::read::arrow_lengths::{check_file, check_stream};
    use crate::read::columnar::{ColumnGroups, Content};

    /// Opens an Arrow file or stream.
    pub(super) fn open(content: Content, _threads: usize) -> Result<ColumnGroups, ArrowError> {
        match content {
            Content::File(path) => open_batches(BufReader::new(File::open(path)?)),
            Content::Bytes(bytes) => open_batches(Cursor::new(bytes)),
        }
    }

    fn open_batches(mut file: impl Read + Seek + Send + 'static) -> Result<ColumnGroups, ArrowError> {
        let mut first_bytes = Vec::new();
        file.by_ref().take(SIGNATURE.len() as u64).read_to_end(&mut first_bytes)?;
        file.seek(SeekFrom::Start(0))?;
        if first_bytes == SIGNATURE {
            check_file(&mut file)?;
            file.seek(SeekFrom::Start(0))?;
            let reader = FileReader::try_new(file, None)?;
            Ok(ColumnGroups { schema: reader.schema(), groups: vec![Box::new(reader)] })
        } else {
            check_stream(&mut file)?;
            file.seek(SeekFrom::Start(0))?;
            let reader = StreamReader::try_new(file, None)?;
            Ok(ColumnGroups { schema: RecordBatchReader::schema(&reader), groups: vec![Box::new(reader)] })
        }
    }
}

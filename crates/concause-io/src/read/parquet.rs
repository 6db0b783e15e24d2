//! The reader of Apache Parquet files.

use super::format::TableReader;
use crate::source::OpenedSource;

/// Reads Apache Parquet.
pub(crate) struct ParquetReader;

impl TableReader for ParquetReader {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn title(&self) -> &'static str {
        "a Parquet"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["parquet", "pq"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(b"PAR1")
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
    use std::io;
    use std::sync::Arc;

    use arrow_schema::{ArrowError, DataType, Field, Schema};
    use parquet::arrow::ProjectionMask;
    use parquet::arrow::arrow_reader::{
        ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
    };
    use parquet::file::reader::ChunkReader;

    use crate::read::columnar::{Batches, CELLS_PER_BATCH, ColumnGroups, Content, MIN_ROWS_PER_BATCH};

    const MAX_ROWS_PER_BATCH: usize = 65_536;
    /// Groups of columns per thread: slow columns must not delay the others.
    const GROUPS_PER_THREAD: usize = 4;

    /// Opens a Parquet file.
    pub(super) fn open(content: Content, threads: usize) -> Result<ColumnGroups, ArrowError> {
        match content {
            Content::File(path) => open_groups(|| File::open(&path), threads),
            Content::Bytes(bytes) => open_groups(|| Ok(bytes.clone()), threads),
        }
    }

    /// Opens the file once for each group of columns.
    fn open_groups<Input: ChunkReader + 'static>(
        open: impl Fn() -> io::Result<Input>,
        threads: usize,
    ) -> Result<ColumnGroups, ArrowError> {
        let metadata = ArrowReaderMetadata::load(&open()?, ArrowReaderOptions::default())?;
        let columns = metadata.schema().fields().len();
        let metadata = request_dictionaries(&metadata).unwrap_or(metadata);
        let rows_per_batch = (CELLS_PER_BATCH / columns.max(1)).clamp(MIN_ROWS_PER_BATCH, MAX_ROWS_PER_BATCH);
        let wanted = if threads < 2 { 1 } else { threads * GROUPS_PER_THREAD };
        let group_size = columns.div_ceil(wanted).max(1);
        let mut groups: Vec<Batches> = Vec::new();
        for first in (0..columns).step_by(group_size) {
            let group = first..columns.min(first + group_size);
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(open()?, metadata.clone());
            let mask = ProjectionMask::roots(builder.parquet_schema(), group);
            groups.push(Box::new(builder.with_projection(mask).with_batch_size(rows_per_batch).build()?));
        }
        Ok(ColumnGroups { schema: metadata.schema().clone(), groups })
    }

    /// Requests text columns that the file stores with dictionaries as dictionary arrays.
    fn request_dictionaries(metadata: &ArrowReaderMetadata) -> Result<ArrowReaderMetadata, ArrowError> {
        let parquet = metadata.metadata();
        let types = parquet.file_metadata().schema_descr();
        let mut has_dictionary = vec![true; metadata.schema().fields().len()];
        for leaf in 0..types.num_columns() {
            let mut chunks = parquet.row_groups().iter().map(|group| group.column(leaf));
            let all_have_one = chunks.all(|chunk| chunk.dictionary_page_offset().is_some());
            if let Some(has_dictionary) = has_dictionary.get_mut(types.get_column_root_idx(leaf)) {
                *has_dictionary &= all_have_one;
            }
        }
        let mut fields = metadata.schema().fields().to_vec();
        for (field, has_dictionary) in fields.iter_mut().zip(has_dictionary) {
            if has_dictionary && matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8) {
                let values = Box::new(field.data_type().clone());
                let data_type = DataType::Dictionary(Box::new(DataType::Int32), values);
                *field = Arc::new(Field::clone(field).with_data_type(data_type));
            }
        }
        let schema = Schema::new_with_metadata(fields, metadata.schema().metadata().clone());
        let options = ArrowReaderOptions::default().with_schema(Arc::new(schema));
        Ok(ArrowReaderMetadata::try_new(parquet.clone(), options)?)
    }
}

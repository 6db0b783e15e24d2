//! The binary columns that the search uses.

use concause::progress::Progress;
use concause_io::Declaration;
use serde_json::{Value, json};

use crate::error::RunError;
use crate::input::Input;
use crate::load::{EncodedTable, load, read_table};
use crate::requests::DataRequest;
use crate::threads::run_on_threads;

/// Reads and encodes a table.
pub fn encode(
    input: Input,
    request: &DataRequest,
    progress: &dyn Progress,
) -> Result<EncodedTable, RunError> {
    run_on_threads(request.threads, || {
        let table = load(input, request, None, progress)?;
        table.report_notices(progress);
        Ok(table)
    })
}

/// Reads a table and encodes some of its columns by a declaration, as an earlier table was encoded.
pub fn apply_declaration(
    input: Input,
    request: &DataRequest,
    declaration: &str,
    columns: &[String],
    progress: &dyn Progress,
) -> Result<Vec<Vec<bool>>, RunError> {
    run_on_threads(request.threads, || {
        let declaration = Declaration::parse(declaration)?;
        let table = read_table(input, request, &declaration, progress)?;
        Ok(concause_io::apply_declaration(&table, &declaration, &request.encode_options(), columns)?)
    })
}

impl EncodedTable {
    /// The meaning of every column, as JSON.
    pub fn legend(&self) -> Value {
        let encoding = &self.encoding;
        let dataset = &encoding.dataset;
        let attributes: Vec<_> = encoding
            .legend
            .iter()
            .map(|entry| {
                let columns: Vec<_> = entry
                    .columns
                    .iter()
                    .map(|column| {
                        json!({
                            "name": column.name,
                            "meaning": column.meaning,
                            "ones": column.ones,
                            "ones_positive": column.ones_positive,
                        })
                    })
                    .collect();
                json!({
                    "name": entry.attribute,
                    "kind": entry.kind.to_string(),
                    "missing": entry.missing,
                    "cuts": entry.cuts,
                    "left_out": entry.note,
                    "columns": columns,
                })
            })
            .collect();
        json!({
            "schema": "concause-encoding/1",
            "sources": self.sources,
            "rows_read": encoding.rows_read,
            "weights": self.weights(),
            "rows": dataset.rows(),
            "rows_without_target": encoding.rows_without_target,
            "rows_dropped": encoding.rows_dropped,
            "columns": dataset.columns().len(),
            "fingerprint": encoding.fingerprint,
            "target": {
                "name": dataset.target().name,
                "value": dataset.target().value,
                "positive": dataset.positive(),
                "negative": dataset.negative(),
            },
            "attributes": attributes,
            "notices": self.notices(),
        })
    }
}

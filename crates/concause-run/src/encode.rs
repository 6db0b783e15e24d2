//! What the search sees.

use concause_io::Declaration;
use serde_json::{Value, json};

use crate::arguments::DataArguments;
use crate::failure::Failure;
use crate::input::Input;
use crate::load::{Loaded, load, read};
use crate::observer::Observer;
use crate::threads::on_threads;

/// Reads and encodes a table.
pub fn encode(input: Input, arguments: &DataArguments, observer: &dyn Observer) -> Result<Loaded, Failure> {
    on_threads(arguments.threads, || {
        let loaded = load(input, arguments, None, observer)?;
        loaded.tell(observer);
        Ok(loaded)
    })
}

/// Reads a table and encodes some of its columns by a declaration, as a table was encoded before.
pub fn apply(
    input: Input,
    arguments: &DataArguments,
    declaration: &str,
    columns: &[String],
    observer: &dyn Observer,
) -> Result<Vec<Vec<bool>>, Failure> {
    on_threads(arguments.threads, || {
        let declaration = Declaration::parse(declaration)?;
        let table = read(input, arguments, &declaration, observer)?;
        Ok(concause_io::apply(&table, &declaration, &arguments.encode_options(), columns)?)
    })
}

impl Loaded {
    /// What every column means, for programs.
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

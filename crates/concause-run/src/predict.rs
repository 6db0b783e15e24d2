//! The risks of further rows, by a saved result.

use std::collections::HashMap;

use concause::progress::Progress;
use concause_io::{Declaration, EncodeOptions, ErrorKind, SchemaError};
use concause_report::Document;
use concause_report::document::ModelSummary;

use crate::error::RunError;
use crate::evaluate::Named;
use crate::input::Input;
use crate::load::read_table;
use crate::requests::{DataRequest, PredictRequest};
use crate::threads::run_on_threads;

/// The risk of each row of a table, in the order of the rows, by the models of a result in JSON. The table needs the
/// attributes of the models and no target.
pub fn predict(
    input: Input,
    result: Named<'_>,
    request: &PredictRequest,
    progress: &dyn Progress,
) -> Result<Vec<f64>, RunError> {
    let unusable = |reason: String| RunError::Document { name: result.name.to_owned(), reason };
    let document = Document::from_json(result.text).map_err(|error| unusable(error.to_string()))?;
    let Some(model) = &document.model else {
        let method = &document.settings.method;
        return Err(unusable(match method.as_str() {
            "joint" => {
                "the result has no models to predict with; mine the data again with this version".into()
            }
            _ => format!("a result of the method {method} does not predict; mine the data with joint"),
        }));
    };
    run_on_threads(request.data.threads, || {
        let damaged = || unusable("the models of the result are damaged; mine the data again".into());
        let risks = predict_rows(input, model, &request.data, progress).map_err(|error| match &error {
            RunError::Table(table) => match table.kind() {
                ErrorKind::Schema(SchemaError::DeclaredColumnAbsent { name, suggestion }) => {
                    unusable(format!("predicts from the column {name:?}, which the data lack{suggestion}"))
                }
                _ => error,
            },
            _ => error,
        });
        risks?.ok_or_else(damaged)
    })
}

/// The risk of each row; `None` if the models cannot be read.
fn predict_rows(
    input: Input,
    model: &ModelSummary,
    request: &DataRequest,
    progress: &dyn Progress,
) -> Result<Option<Vec<f64>>, RunError> {
    let (encoding, columns) = (&model.encoding, model.columns());
    let declaration = Declaration::parse(&encoding.declaration)?;
    let (Ok(scheme), Ok(missing_as), Some(average)) =
        (encoding.columns.parse(), encoding.missing_as.parse(), model.average(&columns))
    else {
        return Ok(None);
    };
    let missing = encoding.missing.iter().chain(&request.missing).cloned().collect();
    let table = read_table(input, &DataRequest { missing, ..request.clone() }, &declaration, progress)?;
    let options = EncodeOptions { scheme, missing_as, negate: encoding.negate, ..EncodeOptions::default() };
    let bits = concause_io::apply_declaration(&table, &declaration, &options, &columns)?;
    // Equal rows have equal risks.
    let mut known: HashMap<Vec<bool>, Option<f64>> = HashMap::new();
    let risk = |row: usize| {
        let ones: Vec<bool> = bits.iter().map(|column| column[row]).collect();
        *known.entry(ones).or_insert_with_key(|ones| average.risk(|column| ones[column as usize]))
    };
    Ok((0..table.rows() as usize).map(risk).collect())
}

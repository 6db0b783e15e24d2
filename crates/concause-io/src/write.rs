//! Converts simulated data to Arrow and Parquet.

use std::io::{self, Write};

use concause_simulate::Variable;

/// Whether [`write_parquet`] can write: it needs the feature `arrow`.
pub const WRITES_PARQUET: bool = cfg!(feature = "arrow");

/// Converts variables to a record batch: 64-bit integers if all values of a variable are whole numbers, 64-bit floating
/// point numbers if it is numeric, text otherwise. Missing values are null.
#[cfg(feature = "arrow")]
pub fn record_batch(variables: &[Variable]) -> io::Result<arrow_array::RecordBatch> {
    let columns = variables.iter().map(|variable| (variable.name.as_str(), build_column(variable)));
    arrow_array::RecordBatch::try_from_iter(columns).map_err(io::Error::other)
}

/// Writes a table of variables as Parquet, with the types of [`record_batch`].
#[cfg(feature = "arrow")]
pub fn write_parquet(variables: &[Variable], out: &mut dyn Write) -> io::Result<()> {
    let batch = record_batch(variables)?;
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None)?;
    writer.write(&batch)?;
    out.write_all(&writer.into_inner()?)
}

#[cfg(feature = "arrow")]
fn build_column(variable: &Variable) -> arrow_array::ArrayRef {
    use std::sync::Arc;

    use arrow_array::{Float64Array, Int64Array, StringArray};

    let parse_integer =
        |value: &String| value.parse::<i64>().ok().filter(|number| number.to_string() == *value);
    let numbers: Option<Vec<i64>> = variable.values.iter().map(parse_integer).collect();
    // The code of a missing value is the index of none.
    let indices = variable.codes.iter().map(|&code| usize::from(code));
    if let Some(numbers) = numbers {
        return Arc::new(Int64Array::from_iter(indices.map(|index| numbers.get(index).copied())));
    }
    if variable.numeric {
        let numbers: Vec<f64> =
            variable.values.iter().map(|value| value.parse().unwrap_or(f64::NAN)).collect();
        return Arc::new(Float64Array::from_iter(indices.map(|index| numbers.get(index).copied())));
    }
    Arc::new(StringArray::from_iter(indices.map(|index| variable.values.get(index))))
}

/// Fails: this build cannot write Parquet.
#[cfg(not(feature = "arrow"))]
pub fn write_parquet(_: &[Variable], _: &mut dyn Write) -> io::Result<()> {
    Err(io::Error::other("this build cannot write Parquet; build concause with --features arrow"))
}

#[cfg(all(test, feature = "arrow"))]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn parquet_and_csv_give_the_same_table() {
        for (name, missing) in [("monk-1", None), ("attributes", Some("0.1"))] {
            let mut recipe = concause_simulate::Recipe::named(name).unwrap();
            recipe.set("rows", "2000").unwrap();
            missing.iter().for_each(|share| recipe.set("missing", share).unwrap());
            let simulated = recipe.simulate(1).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let (csv, parquet) = (folder.path().join("data.csv"), folder.path().join("data.parquet"));
            simulated.write_csv(std::fs::File::create(&csv).unwrap()).unwrap();
            write_parquet(&simulated.variables, &mut std::fs::File::create(&parquet).unwrap()).unwrap();
            let [csv, parquet] = [csv, parquet]
                .map(|path| read(path).unwrap().encode_for(&simulated.truth.target).unwrap().fingerprint);
            assert_eq!(csv, parquet, "{name}");
        }
    }
}

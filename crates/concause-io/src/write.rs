//! Simulated data as Arrow and as Parquet.

use std::io::{self, Write};

use concause::simulate::Variable;

/// A table of variables: those whose values are all whole numbers as 64-bit integers, the others as text.
#[cfg(feature = "arrow")]
pub fn record_batch(variables: &[Variable]) -> io::Result<arrow_array::RecordBatch> {
    let columns = variables.iter().map(|variable| (variable.name.as_str(), column(variable)));
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
fn column(variable: &Variable) -> arrow_array::ArrayRef {
    use std::sync::Arc;

    use arrow_array::{Int64Array, StringArray};

    let whole = |value: &String| value.parse::<i64>().ok().filter(|number| number.to_string() == *value);
    let numbers: Option<Vec<i64>> = variable.values.iter().map(whole).collect();
    let places = variable.codes.iter().map(|&code| usize::from(code));
    match numbers {
        Some(numbers) => Arc::new(Int64Array::from_iter_values(places.map(|place| numbers[place]))),
        None => Arc::new(StringArray::from_iter_values(places.map(|place| &variable.values[place]))),
    }
}

/// Says that this build cannot write Parquet.
#[cfg(not(feature = "arrow"))]
pub fn write_parquet(_: &[Variable], _: &mut dyn Write) -> io::Result<()> {
    Err(io::Error::other("this build cannot write Parquet; build with the feature \"arrow\""))
}

#[cfg(all(test, feature = "arrow"))]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Declaration, EncodeOptions, ReadOptions, Source, encode, read};

    #[test]
    fn parquet_is_read_back_as_the_csv_is() {
        let mut recipe = concause::simulate::Recipe::named("epistasis").unwrap();
        recipe.set("rows", "200").unwrap();
        let simulated = recipe.simulate(1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (csv, parquet) = (folder.path().join("data.csv"), folder.path().join("data.parquet"));
        simulated.write_csv(std::fs::File::create(&csv).unwrap()).unwrap();
        write_parquet(&simulated.variables, &mut std::fs::File::create(&parquet).unwrap()).unwrap();
        let [csv, parquet] = [csv, parquet].map(|path| {
            let declaration = Declaration::default();
            let sources = [Source::Path(path)];
            let table = read(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))
                .unwrap();
            let options = EncodeOptions { target: simulated.truth.target.clone(), ..Default::default() };
            encode(table, &options, &declaration).unwrap().fingerprint
        });
        assert_eq!(csv, parquet);
    }
}

//! Simulated data as variables, as a [`Dataset`] and as CSV.

use std::borrow::Cow;
use std::io::{self, Write};

use concause::dataset::{BINARY_PAIRS, Dataset, DatasetBuilder, Target};

use super::Truth;

/// One column of a simulated table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the header.
    pub name: String,
    /// The values it can take.
    pub values: Vec<String>,
    /// The index in `values` of the value in each row, or [`Variable::MISSING`].
    pub codes: Vec<u16>,
    /// Whether the values are numbers, in ascending order.
    pub numeric: bool,
}

impl Variable {
    /// The code of a missing value, which is an empty field in a file.
    pub const MISSING: u16 = u16::MAX;

    /// A column whose values are names.
    pub(crate) fn nominal(name: String, values: Vec<String>, codes: Vec<u16>) -> Self {
        Self { name, values, codes, numeric: false }
    }

    /// A column of whole multiples of 0.01, given in hundredths.
    pub(crate) fn hundredths(numbers: &[i32]) -> Self {
        let mut distinct: Vec<i32> = numbers.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let code = |number: &i32| distinct.partition_point(|other| other < number) as u16;
        let codes = numbers.iter().map(code).collect();
        let values = distinct.iter().map(|&number| (f64::from(number) / 100.0).to_string()).collect();
        Self { name: String::new(), values, codes, numeric: true }
    }

    /// A column of 0 and 1.
    pub(crate) fn binary(name: String, bits: &[bool]) -> Self {
        let codes = bits.iter().map(|&bit| u16::from(bit)).collect();
        Self::nominal(name, vec!["0".into(), "1".into()], codes)
    }

    /// The code that counts as 1, if the variable is Boolean: if its two values are 0/1, no/yes, n/y, false/true or
    /// f/t, in any case and order. A Boolean variable is one column of a dataset; any other gives a column per value.
    pub fn code_of_true(&self) -> Option<u16> {
        let [first, second] = self.values.as_slice() else { return None };
        BINARY_PAIRS.iter().find_map(|[no, yes]| {
            if first.eq_ignore_ascii_case(no) && second.eq_ignore_ascii_case(yes) {
                Some(1)
            } else if first.eq_ignore_ascii_case(yes) && second.eq_ignore_ascii_case(no) {
                Some(0)
            } else {
                None
            }
        })
    }

    /// The quartiles of a numeric variable as codes: each is the smallest value of a quarter, a half or three quarters
    /// of the known rows. A value that all known rows reach is left out.
    fn quartile_codes(&self) -> Vec<u16> {
        let mut known: Vec<u16> = self.codes.iter().copied().filter(|&code| code != Self::MISSING).collect();
        known.sort_unstable();
        let mut quartiles: Vec<u16> =
            (1..4).filter_map(|quarter| known.get(known.len() * quarter / 4).copied()).collect();
        quartiles.dedup();
        quartiles.retain(|code| Some(code) != known.first());
        quartiles
    }
}

/// Simulated data and its true causes.
///
/// ```
/// let simulated = concause_simulate::Recipe::named("syn-7").unwrap().simulate(1)?;
/// let mut csv = Vec::new();
/// simulated.write_csv(&mut csv).unwrap();
/// assert!(csv.starts_with(b"V1,V2,V3,V4,V5,V6,T\n"));
/// let dataset = simulated.dataset();
/// assert_eq!((dataset.rows(), dataset.columns().len()), (1000, 6));
/// # Ok::<(), concause_simulate::SimulateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// All variables in data order. The last is the target, of 0 and 1. All have the same number of rows.
    pub variables: Vec<Variable>,
    /// The causes built into the data.
    pub truth: Truth,
}

impl Simulated {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.variables.first().map_or(0, |variable| variable.codes.len())
    }

    /// Whether the target is 1, row by row.
    pub fn outcome(&self) -> Vec<bool> {
        let codes = self.variables.last().map_or(&[][..], |target| &target.codes);
        codes.iter().map(|&code| code == 1).collect()
    }

    /// The binary columns: a [Boolean](Variable::code_of_true) variable gives one column of the same name, a numeric
    /// one gives a column for each of its quartiles, named `variable>=quartile`, and any other gives one column for
    /// each value, named `variable=value`. All columns of a variable are 0 where its value is missing.
    pub fn dataset(&self) -> Dataset {
        let name = self.truth.target.clone();
        let mut builder = DatasetBuilder::new(Target { name, value: None }, self.outcome());
        let predictors = self.variables.split_last().map_or(&[][..], |(_, predictors)| predictors);
        for variable in predictors {
            let name = &variable.name;
            if let Some(one) = variable.code_of_true() {
                let held = variable.codes.iter().map(|&code| (code == one).then_some(0));
                builder.attribute(name, vec![name.clone()], held);
            } else if variable.numeric {
                let quartiles = variable.quartile_codes();
                let value = |&quartile: &u16| &*variable.values[usize::from(quartile)];
                let cuts: Vec<&str> = quartiles.iter().map(value).collect();
                let band = |&code: &u16| match code {
                    Variable::MISSING => None,
                    code => Some(quartiles.iter().filter(|&&quartile| code >= quartile).count()),
                };
                builder.ordered(name, &cuts, variable.codes.iter().map(band));
            } else {
                let columns = variable.values.iter().map(|value| format!("{name}={value}")).collect();
                let held = |code: u16| (code != Variable::MISSING).then_some(usize::from(code));
                builder.attribute(name, columns, variable.codes.iter().map(|&code| held(code)));
            }
        }
        builder.finish()
    }

    /// Writes the table as CSV with a header. Lines end with a line feed. A missing value is an empty field.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        let header: Vec<_> = self.variables.iter().map(|variable| quote_csv_field(&variable.name)).collect();
        out.write_all(header.join(",").as_bytes())?;
        out.write_all(b"\n")?;
        let values: Vec<Vec<Cow<'_, str>>> = self
            .variables
            .iter()
            .map(|variable| variable.values.iter().map(|value| quote_csv_field(value)).collect())
            .collect();
        let mut line = Vec::new();
        for row in 0..self.rows() {
            line.clear();
            for (place, (variable, values)) in self.variables.iter().zip(&values).enumerate() {
                if place > 0 {
                    line.push(b',');
                }
                // The code of a missing value is the index of none.
                let value = values.get(usize::from(variable.codes[row]));
                line.extend_from_slice(value.map_or(&[], |value| value.as_bytes()));
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }
}

/// A field of CSV, quoted if it would otherwise be read as another text.
pub fn quote_csv_field(text: &str) -> Cow<'_, str> {
    let is_safe =
        !text.contains([',', '"', '\n', '\r']) && text.trim_matches([' ', '\t']).len() == text.len();
    if is_safe && !text.is_empty() {
        text.into()
    } else {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::count::Count;

    fn simulated() -> Simulated {
        let variable = |name: &str, values: &[&str], codes: &[u16]| Variable {
            name: name.into(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
            codes: codes.to_vec(),
            numeric: false,
        };
        Simulated {
            variables: vec![
                variable("wind, \"gusts\"", &["low", "mid", ""], &[0, 2, 1, 2]),
                variable("stub", &["YES", "no"], &[0, 0, 1, 1]),
                variable("fire", &["0", "1"], &[1, 0, 1, 0]),
            ],
            truth: Truth::default(),
        }
    }

    #[test]
    fn csv_is_quoted_where_necessary() {
        let mut csv = Vec::new();
        simulated().write_csv(&mut csv).unwrap();
        let lines = "\"wind, \"\"gusts\"\"\",stub,fire\nlow,YES,1\n\"\",YES,0\nmid,no,1\n\"\",no,0\n";
        assert_eq!(String::from_utf8(csv).unwrap(), lines);
    }

    #[test]
    fn boolean_variables_are_one_column_and_others_one_per_value() {
        let dataset = simulated().dataset();
        let names: Vec<&str> = dataset.columns().iter().map(|column| column.name.as_str()).collect();
        let wind = "wind, \"gusts\"";
        assert_eq!(
            names,
            [&format!("{wind}=low"), &format!("{wind}=mid"), &format!("{wind}="), "stub"].map(|n: &str| n)
        );
        let ones = |column: usize| {
            let (cases, controls) = dataset.bits(column).split_at(1);
            Count {
                positive: cases[0].0[0].count_ones().into(),
                negative: controls[0].0[0].count_ones().into(),
            }
        };
        let expected =
            [(1, 0), (1, 0), (0, 2), (1, 1)].map(|(positive, negative)| Count { positive, negative });
        assert_eq!([0, 1, 2, 3].map(ones), expected);
    }

    #[test]
    fn numbers_are_columns_of_quartiles_and_missing_values_are_empty() {
        let mut rain = Variable::hundredths(&[150, -25, 300, 150, 0, 1000, 25, 50, 75]);
        assert_eq!(rain.values, ["-0.25", "0", "0.25", "0.5", "0.75", "1.5", "3", "10"]);
        rain.name = "rain".into();
        rain.codes[5] = Variable::MISSING;
        let mut stub = Variable::binary("stub".into(), &[true; 9]);
        stub.codes[0] = Variable::MISSING;
        let fire = Variable::binary("fire".into(), &[true, true, true, true, true, true, true, true, false]);
        let simulated = Simulated { variables: vec![stub, rain, fire], truth: Truth::default() };
        let mut csv = Vec::new();
        simulated.write_csv(&mut csv).unwrap();
        let lines =
            "stub,rain,fire\n,1.5,1\n1,-0.25,1\n1,3,1\n1,1.5,1\n1,0,1\n1,,1\n1,0.25,1\n1,0.5,1\n1,0.75,0\n";
        assert_eq!(String::from_utf8(csv).unwrap(), lines);
        let dataset = simulated.dataset();
        let names: Vec<&str> = dataset.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["stub", "rain>=0.25", "rain>=0.75", "rain>=1.5"]);
        let cases = |column: usize| dataset.bits(column)[0].0[0].count_ones();
        assert_eq!([0, 1, 2, 3].map(cases), [7, 5, 3, 3]);
        let constant = Variable::hundredths(&[700; 5]);
        assert_eq!(constant.quartile_codes(), []);
    }
}

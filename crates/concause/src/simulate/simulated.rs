//! Simulated data: its variables, as a [`Dataset`] and as CSV.

use std::io::{self, Write};

use super::Truth;
use crate::dataset::{Dataset, DatasetBuilder, Target};

/// One column of a simulated table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the header.
    pub name: String,
    /// The values it can take.
    pub values: Vec<String>,
    /// The place among `values` of the value in each row.
    pub codes: Vec<u16>,
}

impl Variable {
    /// A column of 0 and 1.
    pub(crate) fn binary(name: String, bits: &[bool]) -> Self {
        let codes = bits.iter().map(|&bit| u16::from(bit)).collect();
        Self { name, values: vec!["0".into(), "1".into()], codes }
    }

    /// The code that counts as 1, if the variable has two values that say false and true: 0/1, no/yes, n/y,
    /// false/true or f/t, in any case and order. Such a variable is one column of a dataset; any other gives a column
    /// per value.
    pub fn one(&self) -> Option<u16> {
        const PAIRS: [[&str; 2]; 5] = [["0", "1"], ["no", "yes"], ["n", "y"], ["false", "true"], ["f", "t"]];
        let [first, second] = self.values.as_slice() else { return None };
        PAIRS.iter().find_map(|[no, yes]| {
            if first.eq_ignore_ascii_case(no) && second.eq_ignore_ascii_case(yes) {
                Some(1)
            } else if first.eq_ignore_ascii_case(yes) && second.eq_ignore_ascii_case(no) {
                Some(0)
            } else {
                None
            }
        })
    }

    /// The outcome of every row, if this is the target.
    pub(super) fn outcome(&self, value: Option<&str>) -> Result<Vec<bool>, String> {
        let one = match value {
            None => self.one(),
            Some(value) => self.values.iter().position(|other| other == value).map(|place| place as u16),
        };
        let one = one.ok_or_else(|| {
            let values = self.values.join(", ");
            match value {
                None => format!(
                    "the target '{}' has the values {values}: say which counts as 1, e.g. {}={}",
                    self.name,
                    self.name,
                    self.values.first().map_or("", String::as_str)
                ),
                Some(value) => {
                    format!("the target '{}' has no value '{value}': it has the values {values}", self.name)
                }
            }
        })?;
        Ok(self.codes.iter().map(|&code| code == one).collect())
    }
}

/// Data made to order, and what it was made of.
///
/// ```
/// let simulated = concause::simulate::Recipe::named("syn-7").unwrap().simulate(1)?;
/// let mut csv = Vec::new();
/// simulated.write_csv(&mut csv).unwrap();
/// assert!(csv.starts_with(b"V1,V2,V3,V4,V5,V6,T\n"));
/// let dataset = simulated.dataset()?;
/// assert_eq!((dataset.rows(), dataset.columns().len()), (1000, 6));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// All variables in data order, the target among them; all have as many rows.
    pub variables: Vec<Variable>,
    /// Which of them is the target, and which of its values counts as 1.
    pub target: Target,
    /// The causes built into the data.
    pub truth: Truth,
}

impl Simulated {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.variables.first().map_or(0, |variable| variable.codes.len())
    }

    /// Whether the target is 1, row by row.
    pub fn outcome(&self) -> Result<Vec<bool>, String> {
        let target = self.variables.iter().find(|variable| variable.name == self.target.name);
        let target = target.ok_or_else(|| format!("there is no variable '{}'", self.target.name))?;
        target.outcome(self.target.value.as_deref())
    }

    /// The binary columns: one for a variable whose values say [false and true](Variable::one), named as the
    /// variable; else one for each value, named `variable=value`.
    pub fn dataset(&self) -> Result<Dataset, String> {
        let mut builder = DatasetBuilder::new(self.target.clone(), self.outcome()?);
        for variable in self.variables.iter().filter(|variable| variable.name != self.target.name) {
            let name = &variable.name;
            if let Some(one) = variable.one() {
                let held = variable.codes.iter().map(|&code| (code == one).then_some(0));
                builder.attribute(name, vec![name.clone()], held);
            } else {
                let columns = variable.values.iter().map(|value| format!("{name}={value}")).collect();
                let held = variable.codes.iter().map(|&code| Some(usize::from(code)));
                builder.attribute(name, columns, held);
            }
        }
        Ok(builder.finish())
    }

    /// Writes the table as CSV with a header; lines end in a line feed.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        let header: Vec<String> = self.variables.iter().map(|variable| quoted(&variable.name)).collect();
        out.write_all(header.join(",").as_bytes())?;
        out.write_all(b"\n")?;
        let values: Vec<Vec<String>> = self
            .variables
            .iter()
            .map(|variable| variable.values.iter().map(|value| quoted(value)).collect())
            .collect();
        let mut line = Vec::new();
        for row in 0..self.rows() {
            line.clear();
            for (variable, values) in self.variables.iter().zip(&values) {
                if !line.is_empty() {
                    line.push(b',');
                }
                line.extend_from_slice(values[usize::from(variable.codes[row])].as_bytes());
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }
}

/// A field of CSV, quoted where it must be.
fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']) && text.trim_matches([' ', '\t']).len() == text.len();
    if plain && !text.is_empty() { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Count;

    fn simulated(target: Target) -> Simulated {
        let variable = |name: &str, values: &[&str], codes: &[u16]| Variable {
            name: name.into(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
            codes: codes.to_vec(),
        };
        Simulated {
            variables: vec![
                variable("wind, \"gusts\"", &["low", "mid", ""], &[0, 2, 1, 2]),
                variable("stub", &["YES", "no"], &[0, 0, 1, 1]),
                variable("fire", &["none", "some"], &[1, 0, 1, 0]),
            ],
            target,
            truth: Truth::default(),
        }
    }

    #[test]
    fn csv_is_quoted_where_it_must_be() {
        let mut csv = Vec::new();
        simulated(Target { name: "fire".into(), value: None }).write_csv(&mut csv).unwrap();
        let lines =
            "\"wind, \"\"gusts\"\"\",stub,fire\nlow,YES,some\n\"\",YES,none\nmid,no,some\n\"\",no,none\n";
        assert_eq!(String::from_utf8(csv).unwrap(), lines);
    }

    #[test]
    fn truth_values_are_one_column_and_others_one_a_value() {
        let target = Target { name: "fire".into(), value: Some("some".into()) };
        let dataset = simulated(target).dataset().unwrap();
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
    fn a_target_without_a_one_is_refused() {
        let refused = |name: &str, value: Option<&str>| {
            let target = Target { name: name.into(), value: value.map(str::to_owned) };
            simulated(target).dataset().unwrap_err()
        };
        assert_eq!(
            refused("fire", None),
            "the target 'fire' has the values none, some: say which counts as 1, e.g. fire=none"
        );
        assert_eq!(
            refused("fire", Some("much")),
            "the target 'fire' has no value 'much': it has the values none, some"
        );
        assert_eq!(refused("smoke", None), "there is no variable 'smoke'");
    }
}

//! The people of a study, as PLINK describes them: sex and phenotype.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind, SourceError};
use crate::read::binary::{Characters, Failure, corrupt};
use crate::read::builder::TableBuilder;
use crate::read::collect::Columns;
use crate::table::cell::parse_number;

/// A person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Person {
    pub name: String,
    pub sex: String,
    pub phenotype: String,
}

impl Person {
    /// The first six fields of a line: family, person, father, mother, sex, phenotype.
    pub fn parse<'a>(mut fields: impl Iterator<Item = &'a str>) -> Option<Self> {
        let (_, name, _, _) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let (sex, phenotype) = (fields.next()?, fields.next()?);
        Some(Self { name: name.to_owned(), sex: sex.to_owned(), phenotype: phenotype.to_owned() })
    }
}

/// The lines of a small text file.
pub(super) fn read_lines(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => ErrorKind::from(SourceError::NotFound),
            _ => ErrorKind::Io(error),
        };
        Failure::Other(Error::new(kind).in_source(&path.display()))
    })?;
    let text = Characters::Utf8.decode(&bytes);
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
}

/// The people in a .fam file.
pub(super) fn read_people(path: &Path) -> Result<Vec<Person>, Failure> {
    let parse = |line: String| {
        Person::parse(line.split_ascii_whitespace())
            .ok_or_else(|| corrupt(format_args!("a line of {} has less than six fields", path.display())))
    };
    read_lines(path)?.into_iter().map(parse).collect()
}

/// The people in this order.
pub(super) fn order_people(people: &[Person], names: &[&str]) -> Vec<Option<Person>> {
    let by_name: HashMap<&str, &Person> =
        people.iter().map(|person| (person.name.as_str(), person)).collect();
    names.iter().map(|name| by_name.get(name).map(|&person| person.clone())).collect()
}

/// The columns of sex and phenotype: -9 is missing, 1 and 2 are controls and cases where there are no other values.
pub(super) fn add_people(builder: &mut TableBuilder<'_>, columns: &mut Columns, people: &[Option<Person>]) {
    let sexes: Vec<Option<u8>> = people
        .iter()
        .map(|person| match person.as_ref()?.sex.as_str() {
            "1" => Some(0),
            "2" => Some(1),
            _ => None,
        })
        .collect();
    columns.add_coded(builder, "SEX", &["male", "female"], &sexes);
    let phenotypes: Vec<&str> = people
        .iter()
        .map(|person| person.as_ref().map_or("-9", |person| person.phenotype.as_str()))
        .collect();
    if phenotypes.iter().all(|text| matches!(*text, "-9" | "0" | "1" | "2" | "NA" | "nan")) {
        let cases: Vec<Option<u8>> = phenotypes
            .iter()
            .map(|text| match *text {
                "1" => Some(0),
                "2" => Some(1),
                _ => None,
            })
            .collect();
        columns.add_coded(builder, "PHENOTYPE", &["0", "1"], &cases);
    } else {
        let is_missing = |text: &str| parse_number(text) == Some(-9.0);
        let cells = phenotypes.iter().map(|&text| if is_missing(text) { "" } else { text });
        columns.add_texts(builder, "PHENOTYPE", cells);
    }
}

/// Says what was left out.
pub(super) fn add_notice(builder: &mut TableBuilder<'_>) {
    builder.table.notices.push(
        "PLINK's columns FID, IID, PAT and MAT name people and are left out; PHENOTYPE is 1 in cases (2 in the file)"
            .into(),
    );
}

//! The variant call format: a line for each variant, with the genotypes of the people.

use std::io::{BufRead, BufReader};

use super::COUNTS;
use super::people::{add_notice, add_people, order_people, read_people};
use crate::error::Error;
use crate::read::binary::{Characters, Failure, corrupt};
use crate::read::builder::TableBuilder;
use crate::read::collect::Columns;
use crate::read::format::TableReader;
use crate::source::{OpenedSource, Source, read_error};

/// The columns before those of the people.
const FIXED_COLUMNS: usize = 9;

/// Reads VCF.
pub(crate) struct VcfReader;

impl TableReader for VcfReader {
    fn name(&self) -> &'static str {
        "vcf"
    }

    fn title(&self) -> &'static str {
        "a VCF"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vcf"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(b"##fileformat=VCF")
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        opened: OpenedSource,
    ) -> Result<(), Error> {
        read_variants(builder, source, opened).map_err(|failure| failure.in_source(source, self.title()))
    }
}

fn read_variants(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    opened: OpenedSource,
) -> Result<(), Failure> {
    let compression = opened.compression;
    let mut lines = BufReader::with_capacity(1 << 18, opened.bytes);
    let (mut line, mut number, mut people) = (Vec::new(), 0u64, None);
    let mut columns = Columns::default();
    loop {
        line.clear();
        let length =
            lines.read_until(b'\n', &mut line).map_err(|error| read_error(source, compression, error))?;
        if length == 0 {
            break;
        }
        number += 1;
        let content = line.trim_ascii_end();
        if content.is_empty() || content.starts_with(b"##") {
            continue;
        }
        if content.starts_with(b"#CHROM") {
            let header = Characters::Utf8.decode(content);
            let names: Vec<&str> = header.split('\t').skip(FIXED_COLUMNS).collect();
            add_people_of(builder, &mut columns, source, &names)?;
            people = Some(names.len());
            continue;
        }
        let Some(people) = people else { return Err(corrupt("the line #CHROM is missing")) };
        let fields: Vec<&[u8]> = content.split(|&byte| byte == b'\t').collect();
        if fields.len() != FIXED_COLUMNS + people {
            return Err(corrupt(format_args!("line {number} has {} fields", fields.len())));
        }
        add_variant(builder, &mut columns, &fields);
        columns.check(builder)?;
    }
    match people {
        Some(0) | None => Err(Failure::Unsupported(
            "has no genotypes; give a VCF file with columns for people after FORMAT".into(),
        )),
        Some(_) => Ok(columns.finish(builder, source)?),
    }
}

/// Sex and phenotype from the .fam file beside the file, if there is one.
fn add_people_of(
    builder: &mut TableBuilder<'_>,
    columns: &mut Columns,
    source: &Source,
    names: &[&str],
) -> Result<(), Failure> {
    let file = match source {
        Source::Path(path) => {
            let text = path.to_string_lossy();
            let stem = [".vcf.gz", ".vcf.bgz", ".vcf"].iter().find_map(|ending| text.strip_suffix(ending));
            stem.map(|stem| std::path::PathBuf::from(format!("{stem}.fam"))).filter(|file| file.exists())
        }
        _ => None,
    };
    let Some(file) = file else {
        builder.table.notices.push(
            "a VCF file has no outcome; put a .fam file of the same name beside it to have SEX and PHENOTYPE"
                .into(),
        );
        return Ok(());
    };
    let people = order_people(&read_people(&file)?, names);
    if people.iter().all(Option::is_none) && !people.is_empty() {
        return Err(corrupt(format_args!("{} has none of its people", file.display())));
    }
    add_people(builder, columns, &people);
    add_notice(builder);
    Ok(())
}

/// A column for each alternative allele.
fn add_variant(builder: &TableBuilder<'_>, columns: &mut Columns, fields: &[&[u8]]) {
    let text = |field: usize| String::from_utf8_lossy(fields[field]).into_owned();
    let name = match fields[2] {
        b"." | b"" => format!("{}:{}", text(0), text(1)),
        _ => text(2),
    };
    let is_called = fields[8].split(|&byte| byte == b':').next() == Some(b"GT");
    for (allele, letters) in (1..).zip(text(4).split(',')) {
        let count = |cell: &&[u8]| if is_called { count_allele(cell, allele) } else { None };
        let cells: Vec<Option<u8>> = fields[FIXED_COLUMNS..].iter().map(count).collect();
        columns.add_coded(builder, &format!("{name}_{letters}"), &COUNTS, &cells);
    }
}

/// The copies of an allele in a genotype such as `0/1:35`; nothing if one of its alleles is unknown.
fn count_allele(cell: &[u8], allele: u32) -> Option<u8> {
    let genotype = cell.split(|&byte| byte == b':').next()?;
    let mut count = 0;
    for called in genotype.split(|byte| matches!(byte, b'/' | b'|')) {
        let called: u32 = std::str::from_utf8(called).ok()?.parse().ok()?;
        count += u8::from(called == allele);
    }
    (count <= 2).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_counted() {
        for (cell, allele, expected) in [
            ("0/1:35:1,2", 1, Some(1)),
            ("1|1", 1, Some(2)),
            ("0/2", 1, Some(0)),
            ("0/2", 2, Some(1)),
            ("1", 1, Some(1)),
            ("./.", 1, None),
            ("./1", 1, None),
            ("", 1, None),
        ] {
            assert_eq!(count_allele(cell.as_bytes(), allele), expected, "{cell}");
        }
    }
}

//! PLINK's binary genotypes: two bits per person and variant in the .bed file, the variants in the .bim file and the
//! people in the .fam file beside it.

use std::path::Path;

use super::COUNTS;
use super::people::{add_notice, add_people, read_lines, read_people};
use crate::error::Error;
use crate::read::binary::{BinaryReader, Failure, corrupt};
use crate::read::builder::TableBuilder;
use crate::read::collect::Columns;
use crate::read::format::TableReader;
use crate::source::{OpenedSource, Source};

const SIGNATURE: &[u8] = b"\x6c\x1b";

/// Reads PLINK's binary genotypes.
pub(crate) struct BedReader;

impl TableReader for BedReader {
    fn name(&self) -> &'static str {
        "plink"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bed"]
    }

    fn title(&self) -> &'static str {
        "a PLINK"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bim", "fam"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(SIGNATURE) && matches!(opened.signature.get(2), Some(0 | 1))
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        opened: OpenedSource,
    ) -> Result<(), Error> {
        read_genotypes(builder, source, opened).map_err(|failure| failure.in_source(source, self.title()))
    }
}

fn read_genotypes(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut opened: OpenedSource,
) -> Result<(), Failure> {
    let Some(path) = opened.file.clone() else {
        return Err(Failure::Unsupported(
            "is a PLINK file outside a folder, so that its .bim and .fam files are not found; unpack it and name the file"
                .into(),
        ));
    };
    if !opened.signature.starts_with(SIGNATURE) {
        opened = OpenedSource::open(&Source::Path(path.with_extension("bed")), None)?;
    }
    let mut input = BinaryReader::new(opened.open_seekable(source, builder.options.max_memory)?);
    if input.bytes(3)? != b"\x6c\x1b\x01" {
        return Err(Failure::Unsupported(
            "is a PLINK file in the old order by person; plink --bfile FILE --make-bed --out NEW writes it anew".into(),
        ));
    }
    let people = read_people(&path.with_extension("fam"))?;
    let variants = read_variants(&path.with_extension("bim"))?;
    let mut columns = Columns::default();
    let (count, people): (usize, Vec<_>) = (people.len(), people.into_iter().map(Some).collect());
    add_people(builder, &mut columns, &people);
    let mut packed = vec![0; count.div_ceil(4)];
    for name in &variants {
        if !input.fill(&mut packed)? {
            return Err(corrupt("it has less variants than its .bim file"));
        }
        add_variant(builder, &mut columns, name, &packed, count);
        columns.check(builder)?;
    }
    if input.fill(&mut [0])? {
        return Err(corrupt("it has more variants than its .bim file, or more people than its .fam file"));
    }
    add_notice(builder);
    Ok(columns.finish(builder, source)?)
}

/// The values of the two bits of a genotype: the copies of the first allele; nothing if they are unknown.
const VALUES: [Option<&str>; 4] = [Some(COUNTS[2]), None, Some(COUNTS[1]), Some(COUNTS[0])];

/// Appends a variant from its packed genotypes, four in a byte, the first in the lowest bits.
fn add_variant(builder: &TableBuilder<'_>, columns: &mut Columns, name: &str, packed: &[u8], people: usize) {
    let genotype = |byte: u8, place: usize| usize::from(byte >> (2 * place) & 3);
    let genotypes = packed.iter().flat_map(|&byte| (0..4).map(move |place| genotype(byte, place)));
    let mut occurring: Vec<(usize, &str)> = Vec::new();
    for genotype in genotypes.take(people) {
        if let Some(value) =
            VALUES[genotype].filter(|_| occurring.iter().all(|(known, _)| *known != genotype))
        {
            occurring.push((genotype, value));
            if occurring.len() == COUNTS.len() {
                break;
            }
        }
    }
    columns.add_by_index(builder, name, &occurring, |codes| {
        // The codes of the four genotypes in each byte.
        let mut unpacked = [[0; 4]; 256];
        for (byte, cells) in (0..=u8::MAX).zip(&mut unpacked) {
            *cells = std::array::from_fn(|place| codes[genotype(byte, place)]);
        }
        let mut cells = Vec::with_capacity(packed.len() * 4);
        packed.iter().for_each(|&byte| cells.extend_from_slice(&unpacked[usize::from(byte)]));
        cells.truncate(people);
        cells
    });
}

/// The names of the variants with the allele that is counted.
fn read_variants(path: &Path) -> Result<Vec<String>, Failure> {
    let parse = |line: String| {
        let mut fields = line.split_ascii_whitespace().map(str::to_owned);
        let (chromosome, name) = (fields.next()?, fields.next()?);
        let (_, position, allele) = (fields.next()?, fields.next()?, fields.next()?);
        let name = if name == "." { format!("{chromosome}:{position}") } else { name };
        Some(format!("{name}_{allele}"))
    };
    let parse = |line| {
        parse(line)
            .ok_or_else(|| corrupt(format_args!("a line of {} has less than six fields", path.display())))
    };
    read_lines(path)?.into_iter().map(parse).collect()
}

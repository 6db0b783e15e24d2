//! The reader of Stata data sets (.dta), releases 113 to 115 and 117 to 119.
//!
//! The layout is that of `help dta` in Stata. Value labels become the names of values, missing values of all kinds are
//! missing, and days and times get their text.

use std::collections::HashMap;

use super::binary::{BinaryReader, Characters, Failure, corrupt, number_text, until_zero};
use super::builder::TableBuilder;
use super::collect::{Columns, ValueLabels};
use super::format::TableReader;
use crate::error::Error;
use crate::source::{OpenedSource, Source};
use crate::table::notation::{days_from_date, format_date, format_seconds};

/// The days from 1960-01-01, where the calendar of Stata and SAS begins, to 1970-01-01.
pub(super) const DAYS_FROM_1960: f64 = 3653.0;

/// Reads Stata data sets.
pub(crate) struct StataReader;

impl TableReader for StataReader {
    fn name(&self) -> &'static str {
        "stata"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["dta"]
    }

    fn title(&self) -> &'static str {
        "a Stata"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["dta"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        let is_old = matches!(opened.signature.as_slice(), [0x69..=0x73, 1 | 2, 1, 0, ..]);
        opened.signature.starts_with(b"<stata_dta>") || is_old
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        mut opened: OpenedSource,
    ) -> Result<(), Error> {
        let input = BinaryReader::new(opened.open_seekable(source, builder.options.max_memory)?);
        read_data_set(builder, source, input).map_err(|failure| failure.in_source(source, self.title()))
    }
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Byte,
    Int,
    Long,
    Float,
    Double,
    Text(u32),
    /// A reference to a long text behind the data.
    LongText,
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Int => 2,
            Self::Long | Self::Float => 4,
            Self::Double | Self::LongText => 8,
            Self::Text(length) => length as usize,
        }
    }
}

struct Variable {
    name: String,
    kind: Kind,
    format: String,
    label_set: String,
}

/// What differs between the releases.
struct Layout {
    release: u16,
    characters: Characters,
}

impl Layout {
    fn new(release: u16) -> Self {
        Self { release, characters: if release >= 118 { Characters::Utf8 } else { Characters::Windows1252 } }
    }

    /// The bytes of a name, of a format and of the name of a label set.
    fn widths(&self) -> [u64; 3] {
        match self.release {
            ..=113 => [33, 12, 33],
            114..=117 => [33, 49, 33],
            _ => [129, 57, 129],
        }
    }

    fn text(&self, bytes: &[u8]) -> String {
        self.characters.decode(until_zero(bytes))
    }
}

fn read_data_set(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut input: BinaryReader,
) -> Result<(), Failure> {
    let first = input.u8()?;
    input.seek(0)?;
    if first == b'<' { read_tagged(builder, source, input) } else { read_old(builder, source, input) }
}

/// Releases 113 to 115: fixed positions.
fn read_old(builder: &mut TableBuilder<'_>, source: &Source, mut input: BinaryReader) -> Result<(), Failure> {
    let [release, order] = input.array()?;
    check_release(u16::from(release), &[113, 114, 115])?;
    input.big_endian = order == 1;
    let layout = Layout::new(release.into());
    input.skip(2)?;
    let (variables, rows) = (usize::from(input.u16()?), u64::from(input.u32()?));
    input.skip(81 + 18)?;
    let kinds = input.bytes(variables as u64)?;
    let kinds = kinds.into_iter().map(|kind| match kind {
        1..=244 => Ok(Kind::Text(kind.into())),
        251 => Ok(Kind::Byte),
        252 => Ok(Kind::Int),
        253 => Ok(Kind::Long),
        254 => Ok(Kind::Float),
        255 => Ok(Kind::Double),
        _ => Err(corrupt(format_args!("the type {kind} is unknown"))),
    });
    let kinds: Vec<Kind> = kinds.collect::<Result<_, _>>()?;
    let [name, format, label_set] = layout.widths();
    let names = read_texts(&mut input, &layout, variables, name)?;
    input.skip(2 * (variables as u64 + 1))?;
    let formats = read_texts(&mut input, &layout, variables, format)?;
    let label_sets = read_texts(&mut input, &layout, variables, label_set)?;
    input.skip(variables as u64 * 81)?;
    loop {
        let (kind, length) = (input.u8()?, input.u32()?);
        if kind == 0 && length == 0 {
            break;
        }
        input.skip(length.into())?;
    }
    let variables = join_variables(kinds, names, formats, label_sets);
    let data = input.position()?;
    let width: usize = variables.iter().map(|variable| variable.kind.size()).sum();
    input.seek(data.saturating_add(rows.saturating_mul(width as u64)))?;
    let mut labels = HashMap::new();
    let mut head = [0; 4];
    while input.fill(&mut head)? {
        let length = if input.big_endian { u32::from_be_bytes(head) } else { u32::from_le_bytes(head) };
        let name = layout.text(&input.bytes(33)?);
        input.skip(3)?;
        let table = input.bytes(length.into())?;
        labels.insert(name, parse_labels(&table, input.big_endian, &layout)?);
    }
    input.seek(data)?;
    read_rows(builder, source, input, &layout, rows, Content { variables, labels, texts: HashMap::new() })
}

/// Releases 117 to 119: a map gives the positions of tagged sections.
fn read_tagged(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut input: BinaryReader,
) -> Result<(), Failure> {
    expect(&mut input, "<stata_dta><header><release>")?;
    let digits = input.bytes(3)?;
    let release = std::str::from_utf8(&digits).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    check_release(release, &[117, 118, 119])?;
    let layout = Layout::new(release);
    expect(&mut input, "</release><byteorder>")?;
    input.big_endian = input.bytes(3)? == b"MSF";
    expect(&mut input, "</byteorder><K>")?;
    let variables = if release == 119 { input.u32()? as usize } else { input.u16()?.into() };
    expect(&mut input, "</K><N>")?;
    let rows = if release == 117 { input.u32()?.into() } else { input.u64()? };
    expect(&mut input, "</N><label>")?;
    let label = if release == 117 { input.u8()?.into() } else { input.u16()? };
    input.skip(label.into())?;
    expect(&mut input, "</label><timestamp>")?;
    let stamp = input.u8()?;
    input.skip(stamp.into())?;
    expect(&mut input, "</timestamp></header><map>")?;
    let mut map = [0; 14];
    for position in &mut map {
        *position = input.u64()?;
    }
    input.seek(map[2])?;
    expect(&mut input, "<variable_types>")?;
    let mut kinds = Vec::new();
    for _ in 0..variables {
        kinds.push(match input.u16()? {
            65526 => Kind::Double,
            65527 => Kind::Float,
            65528 => Kind::Long,
            65529 => Kind::Int,
            65530 => Kind::Byte,
            32768 => Kind::LongText,
            length @ 1..=2045 => Kind::Text(length.into()),
            kind => return Err(corrupt(format_args!("the type {kind} is unknown"))),
        });
    }
    let [name, format, label_set] = layout.widths();
    input.seek(map[3])?;
    expect(&mut input, "<varnames>")?;
    let names = read_texts(&mut input, &layout, variables, name)?;
    input.seek(map[5])?;
    expect(&mut input, "<formats>")?;
    let formats = read_texts(&mut input, &layout, variables, format)?;
    input.seek(map[6])?;
    expect(&mut input, "<value_label_names>")?;
    let label_sets = read_texts(&mut input, &layout, variables, label_set)?;
    input.seek(map[11])?;
    expect(&mut input, "<value_labels>")?;
    let mut labels = HashMap::new();
    while input.bytes(5)? == b"<lbl>" {
        let length = input.u32()?;
        let name = layout.text(&input.bytes(label_set)?);
        input.skip(3)?;
        let table = input.bytes(length.into())?;
        labels.insert(name, parse_labels(&table, input.big_endian, &layout)?);
        expect(&mut input, "</lbl>")?;
    }
    let texts = match kinds.contains(&Kind::LongText) {
        true => read_long_texts(&mut input, &layout, map[10])?,
        false => HashMap::new(),
    };
    input.seek(map[9])?;
    expect(&mut input, "<data>")?;
    let variables = join_variables(kinds, names, formats, label_sets);
    read_rows(builder, source, input, &layout, rows, Content { variables, labels, texts })
}

fn check_release(release: u16, known: &[u16]) -> Result<(), Failure> {
    if known.contains(&release) {
        return Ok(());
    }
    Err(Failure::Unsupported(format!(
        "is a Stata file of release {release}, which is not read; in Stata, saveold FILE, version(13) exports it"
    )))
}

fn expect(input: &mut BinaryReader, tag: &str) -> Result<(), Failure> {
    if input.bytes(tag.len() as u64)? == tag.as_bytes() {
        Ok(())
    } else {
        Err(corrupt(format_args!("{tag} is missing")))
    }
}

fn read_texts(
    input: &mut BinaryReader,
    layout: &Layout,
    count: usize,
    width: u64,
) -> Result<Vec<String>, Failure> {
    let mut texts = Vec::new();
    for _ in 0..count {
        texts.push(layout.text(&input.bytes(width)?));
    }
    Ok(texts)
}

fn join_variables(
    kinds: Vec<Kind>,
    names: Vec<String>,
    formats: Vec<String>,
    label_sets: Vec<String>,
) -> Vec<Variable> {
    let rest = names.into_iter().zip(formats).zip(label_sets);
    let join = |(kind, ((name, format), label_set))| Variable { name, kind, format, label_set };
    kinds.into_iter().zip(rest).map(join).collect()
}

/// A label set: the number of entries, the length of their texts, offsets, values and texts.
fn parse_labels(table: &[u8], big_endian: bool, layout: &Layout) -> Result<ValueLabels, Failure> {
    let number = |index: usize| {
        let bytes = table.get(index * 4..index * 4 + 4)?.try_into().ok()?;
        Some(if big_endian { i32::from_be_bytes(bytes) } else { i32::from_le_bytes(bytes) })
    };
    let entries = number(0).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    let start = entries.checked_mul(8).map(|length| length + 8);
    let texts =
        start.and_then(|start| table.get(start..)).ok_or_else(|| corrupt("a set of labels is cut short"))?;
    let label = |entry: usize| {
        let offset = usize::try_from(number(2 + entry)?).ok()?;
        Some((number(2 + entries + entry)?.to_string(), layout.text(texts.get(offset..)?)))
    };
    Ok((0..entries).filter_map(label).collect())
}

/// The long texts by their variable and row.
fn read_long_texts(
    input: &mut BinaryReader,
    layout: &Layout,
    position: u64,
) -> Result<HashMap<(u32, u64), String>, Failure> {
    input.seek(position)?;
    expect(input, "<strls>")?;
    let mut texts = HashMap::new();
    while input.bytes(3)? == b"GSO" {
        let variable = input.u32()?;
        let row = if layout.release == 117 { input.u32()?.into() } else { input.u64()? };
        let (_, length) = (input.u8()?, input.u32()?);
        let text = layout.text(&input.bytes(length.into())?);
        texts.insert((variable, row), text);
    }
    Ok(texts)
}

/// What the rows refer to.
struct Content {
    variables: Vec<Variable>,
    labels: HashMap<String, ValueLabels>,
    texts: HashMap<(u32, u64), String>,
}

fn read_rows(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut input: BinaryReader,
    layout: &Layout,
    rows: u64,
    content: Content,
) -> Result<(), Failure> {
    let Content { variables, labels, texts } = content;
    let mut columns = Columns::new(builder, variables.iter().map(|variable| variable.name.as_str()));
    for (column, variable) in variables.iter().enumerate() {
        if let Some(labels) = labels.get(&variable.label_set) {
            columns.label(column, labels.clone());
        }
    }
    let width: usize = variables.iter().map(|variable| variable.kind.size()).sum();
    let (mut row, big_endian) = (vec![0; width], input.big_endian);
    for _ in 0..rows {
        if !input.fill(&mut row)? {
            return Err(corrupt("it ends too early"));
        }
        let mut rest = row.as_slice();
        for (column, variable) in variables.iter().enumerate() {
            let (cell, next) = rest.split_at(variable.kind.size());
            rest = next;
            match variable.kind {
                Kind::Text(_) => *columns.cell(column) = layout.text(cell),
                Kind::LongText => {
                    if let Some(text) = texts.get(&parse_reference(cell, big_endian, layout)) {
                        columns.cell(column).push_str(text);
                    }
                }
                kind => {
                    if let Some(number) = parse_number(kind, cell, big_endian) {
                        *columns.cell(column) = format_number(number, kind, &variable.format);
                    }
                }
            }
        }
        columns.end_row(builder)?;
    }
    Ok(columns.finish(builder, source)?)
}

/// The variable and the row of a long text.
fn parse_reference(cell: &[u8], big_endian: bool, layout: &Layout) -> (u32, u64) {
    let number = |bytes: &[u8]| {
        let append = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        if big_endian { bytes.iter().fold(0, append) } else { bytes.iter().rev().fold(0, append) }
    };
    let variable = match layout.release {
        117 => 4,
        118 => 2,
        _ => 3,
    };
    (number(&cell[..variable]) as u32, number(&cell[variable..]))
}

/// A number; nothing if it is one of the missing values, which are the largest numbers of each type.
fn parse_number(kind: Kind, cell: &[u8], big_endian: bool) -> Option<f64> {
    macro_rules! number {
        ($type:ty) => {{
            let bytes = cell.try_into().ok()?;
            if big_endian { <$type>::from_be_bytes(bytes) } else { <$type>::from_le_bytes(bytes) }
        }};
    }
    match kind {
        Kind::Byte => Some(number!(i8)).filter(|&number| number <= 100).map(f64::from),
        Kind::Int => Some(number!(i16)).filter(|&number| number <= 32_740).map(f64::from),
        Kind::Long => Some(number!(i32)).filter(|&number| number <= 2_147_483_620).map(f64::from),
        Kind::Float => Some(number!(f32)).filter(|&number| number < 1.701_411_8e38).map(f64::from),
        Kind::Double => Some(number!(f64)).filter(|&number| number < 8.988_465_674_311_579e307),
        Kind::Text(_) | Kind::LongText => None,
    }
}

/// A number as text, according to its display format.
fn format_number(number: f64, kind: Kind, format: &str) -> String {
    let format = format.trim_start_matches(['%', '-']);
    let month = |months: f64| {
        let year = 1960 + (months / 12.0).floor() as i64;
        format_date(days_from_date(year, months.rem_euclid(12.0) as i64 + 1, 1))
    };
    match format.as_bytes() {
        [b't', b'd', ..] | [b'd', ..] => format_date((number - DAYS_FROM_1960) as i64),
        [b't', b'c' | b'C', ..] => format_seconds(number / 1000.0 - DAYS_FROM_1960 * 86_400.0),
        [b't', b'm', ..] => month(number),
        [b't', b'q', ..] => month(number * 3.0),
        [b't', b'h', ..] => month(number * 6.0),
        // In single precision: 0.1 must become the text 0.1 and not that of the nearest double.
        _ if kind == Kind::Float => (number as f32).to_string(),
        _ => number_text(number),
    }
}

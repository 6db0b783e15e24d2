//! The reader of spreadsheets: Excel (.xlsx, .xlsb, .xls) and OpenDocument (.ods).

use super::format::TableReader;
use crate::source::OpenedSource;

/// The first bytes of the files of older office programs.
const OLD_SIGNATURE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Reads spreadsheets.
pub(crate) struct ExcelReader;

impl TableReader for ExcelReader {
    fn name(&self) -> &'static str {
        "excel"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["xlsx", "xls", "ods"]
    }

    fn title(&self) -> &'static str {
        "a spreadsheet"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xlsx", "xlsm", "xlsb", "xls", "ods"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        let has_entry = |wanted: &str| opened.entries.iter().any(|name| name == wanted);
        has_entry("xl/workbook.xml")
            || has_entry("xl/workbook.bin")
            || has_entry("mimetype") && has_entry("content.xml")
            || opened.signature.starts_with(OLD_SIGNATURE)
    }

    fn feature(&self) -> &'static str {
        "excel"
    }

    #[cfg(feature = "excel")]
    fn read(
        &self,
        builder: &mut super::builder::TableBuilder<'_>,
        source: &crate::source::Source,
        opened: OpenedSource,
    ) -> Result<(), crate::error::Error> {
        sheets::read_workbook(builder, source, opened)
            .map_err(|failure| failure.in_source(source, self.title()))
    }
}

#[cfg(feature = "excel")]
mod sheets {
    use std::fmt::Write as _;

    use calamine::{Data, ExcelDateTime, Range, Reader, open_workbook_auto_from_rs};

    use crate::error::{Error, SourceError};
    use crate::names::quote_list;
    use crate::read::binary::{Failure, corrupt, number_text};
    use crate::read::builder::TableBuilder;
    use crate::read::collect::Columns;
    use crate::read::decoding::catch_panics;
    use crate::source::{OpenedSource, Source};
    use crate::table::cell::boolean_text;

    /// Reads one sheet: the one that is meant, or the first.
    pub(super) fn read_workbook(
        builder: &mut TableBuilder<'_>,
        source: &Source,
        mut opened: OpenedSource,
    ) -> Result<(), Failure> {
        let content = opened.read_to_memory(source, builder.options.max_memory)?;
        let wanted = opened.part.take();
        let read = catch_panics(|| {
            let mut workbook =
                open_workbook_auto_from_rs(std::io::Cursor::new(content)).map_err(|error| corrupt(&error))?;
            let names = workbook.sheet_names();
            let sheet = match &wanted {
                Some(wanted) => names.iter().find(|name| *name == wanted).cloned(),
                None => names.first().cloned(),
            };
            let Some(sheet) = sheet else {
                let kind = SourceError::Parts { parts: "sheets", names, wanted: wanted.clone() };
                return Err(Failure::Other(Error::new(kind).in_source(source)));
            };
            let range = workbook.worksheet_range(&sheet).map_err(|error| corrupt(&error))?;
            Ok((range, sheet, names))
        });
        let (range, sheet, names) = read.unwrap_or_else(|| Err(corrupt("its content is inconsistent")))?;
        if wanted.is_none() && names.len() > 1 {
            let others: Vec<&String> = names.iter().filter(|name| **name != sheet).collect();
            builder.table.notices.push(format!(
                "the sheet {sheet:?} is read; name another after the file and ::, {}",
                quote_list(&others)
            ));
        }
        read_range(builder, source, &range)
    }

    fn read_range(
        builder: &mut TableBuilder<'_>,
        source: &Source,
        range: &Range<Data>,
    ) -> Result<(), Failure> {
        let mut rows = range.rows().filter(|row| row.iter().any(|cell| !is_empty(cell))).peekable();
        let has_header = builder.options.header.or(builder.declaration.header).unwrap_or(true);
        let names: Vec<String> = match rows.peek() {
            Some(first) if has_header => first.iter().map(write_text).collect(),
            Some(first) => (1..=first.len()).map(|column| format!("V{column}")).collect(),
            None => return Err(Error::new(SourceError::Empty).in_source(source).into()),
        };
        if has_header {
            rows.next();
        }
        // Columns of formats alone have neither a name nor a cell.
        let used: Vec<usize> = (0..names.len())
            .filter(|&column| {
                !names[column].trim().is_empty() || rows.clone().any(|row| !is_empty(&row[column]))
            })
            .collect();
        let mut columns = Columns::new(builder, used.iter().map(|&column| names[column].as_str()));
        for row in rows {
            for (place, &column) in used.iter().enumerate() {
                if let Some(cell) = row.get(column) {
                    write_cell(columns.cell(place), cell);
                }
            }
            columns.end_row(builder)?;
        }
        Ok(columns.finish(builder, source)?)
    }

    fn is_empty(cell: &Data) -> bool {
        match cell {
            Data::Empty => true,
            Data::String(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    fn write_text(cell: &Data) -> String {
        let mut text = String::new();
        write_cell(&mut text, cell);
        text
    }

    fn write_cell(text: &mut String, cell: &Data) {
        match cell {
            // An error such as #N/A is a missing value.
            Data::Empty | Data::Error(_) => {}
            Data::String(content) | Data::DateTimeIso(content) | Data::DurationIso(content) => {
                text.push_str(content)
            }
            Data::Bool(value) => text.push_str(boolean_text(*value)),
            Data::Int(number) => {
                // Writing to a string cannot fail.
                let _ = write!(text, "{number}");
            }
            Data::Float(number) => text.push_str(&number_text(*number)),
            Data::DateTime(time) => write_time(text, time),
        }
    }

    fn write_time(text: &mut String, time: &ExcelDateTime) {
        if time.is_duration() || time.as_f64() < 1.0 {
            let seconds = (time.as_f64() * 86_400.0 * 1000.0).round() / 1000.0;
            text.push_str(&crate::table::notation::format_time(seconds));
            return;
        }
        let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
        let _ = write!(text, "{year:04}-{month:02}-{day:02}");
        if (hour, minute, second, milli) != (0, 0, 0, 0) {
            let _ = write!(text, " {hour:02}:{minute:02}:{second:02}");
            if milli > 0 {
                let _ = write!(text, ".{milli:03}");
            }
        }
    }
}

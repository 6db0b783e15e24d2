//! `concause encode`: the binary columns that the search uses.

use std::io::{self, Write};

use concause_io::{Encoding, LegendEntry};
use concause_run::EncodedTable;

use crate::arguments::{AnswerFormat, EncodeArguments};
use crate::error::CommandError;
use crate::format;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &EncodeArguments) -> Result<(), CommandError> {
    let format = format::choose(
        arguments.format,
        arguments.output.output.as_deref(),
        &AnswerFormat::ALL,
        AnswerFormat::Table,
    )?;
    let files = [&arguments.output.output, &arguments.table, &arguments.declaration];
    for file in files {
        output::check(file.as_deref())?;
    }
    let monitor = Monitor::new(arguments.output.quiet);
    let loaded = concause_run::encode(arguments.sources.input(), &arguments.run.request, &monitor)?;
    let encoding = &loaded.encoding;
    if let Some(path) = &arguments.table {
        output::write(Some(path), |out| encoding.write_csv(out))?;
    }
    if let Some(path) = &arguments.declaration {
        output::write(Some(path), |out| out.write_all(encoding.declaration().as_bytes()))?;
    }
    output::write(arguments.output.output.as_deref(), |out| match format {
        AnswerFormat::Table => write_table(encoding, out),
        AnswerFormat::Json => write_json(&loaded, out),
    })
}

fn write_table(encoding: &Encoding, out: &mut dyn Write) -> io::Result<()> {
    let dataset = &encoding.dataset;
    let used = encoding.legend.iter().filter(|entry| !entry.columns.is_empty()).count();
    writeln!(
        out,
        "{} rows, {} attributes, {} of them used, {} columns; the outcome {} is 1 in {} rows",
        dataset.rows(),
        encoding.legend.len(),
        used,
        dataset.columns().len(),
        dataset.target().label(),
        dataset.positive()
    )?;
    for entry in &encoding.legend {
        write_entry(entry, out)?;
    }
    Ok(())
}

fn write_entry(entry: &LegendEntry, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\n{} ({}", concause_report::printable(&entry.attribute), entry.kind)?;
    if entry.missing > 0 {
        write!(out, ", {} missing", entry.missing)?;
    }
    match &entry.note {
        Some(note) => writeln!(out, "): {note}"),
        None => writeln!(out, ")"),
    }?;
    for column in &entry.columns {
        writeln!(
            out,
            "  {:>9} ones, {:>9} with the outcome  {}",
            column.ones,
            column.ones_positive,
            concause_report::printable(&column.name)
        )?;
    }
    Ok(())
}

fn write_json(loaded: &EncodedTable, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:#}", loaded.legend())
}

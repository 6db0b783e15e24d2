//! `concause mine`: from a table to its causes.

use std::io::IsTerminal;
use std::time::Instant;

use concause::count::LocalCounter;
use concause::dataset::Candidate;
use concause::evidence::calibration::calibrate;
use concause::evidence::gather;
use concause::evidence::stability::stability;
use concause::search::{Settings, mine};
use concause_report::{EstimatedOn, Estimation, Format, Style, Table, Timing, controls_notice, printable};

use crate::arguments::{ControlArguments, MineArguments};
use crate::failure::Failure;
use crate::knowledge::Stated;
use crate::load::{Trust, load};
use crate::output;
use crate::progress::{Monitor, interrupted};

/// Runs the command.
pub fn run(arguments: &MineArguments) -> Result<(), Failure> {
    let file = arguments.output.output.as_deref();
    output::check(file)?;
    let mut settings = arguments.search.settings();
    settings.check().map_err(Failure::Input)?;
    let stated = Stated::new(&arguments.search.flags.knowledge)?;
    let monitor = Monitor::new(arguments.output.quiet, arguments.search.flags.time_limit);
    let loaded = load(&arguments.data, &arguments.output, &monitor)?;
    settings.knowledge = stated.of(&loaded.encoding)?;
    let dataset = &loaded.encoding.dataset;
    let counter = LocalCounter::new(dataset);
    let start = Instant::now();
    let findings = mine(&counter, dataset.columns(), &settings, &monitor);
    let searched = start.elapsed();
    monitor.clear();
    let findings = findings?;
    let trust = trust(&arguments.control, &counter, &settings, &monitor);
    monitor.clear();
    let trust = trust?;
    loaded.tell(&arguments.output);
    let controls = controls_notice(&settings, &findings, dataset.columns(), &dataset.target().label());
    if let Some(notice) = controls.filter(|_| !arguments.output.quiet) {
        eprintln!("concause: {}", printable(&notice));
    }
    let start = Instant::now();
    let causes: Vec<Candidate> = findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
    let fixed: Vec<Candidate> =
        settings.knowledge.covariates.iter().copied().map(Candidate::single).collect();
    let estimation =
        Estimation { on: EstimatedOn::SearchedRows, evidence: gather(&counter, &causes, &fixed) };
    let timing = Timing {
        search_seconds: searched.as_secs_f64(),
        evidence_seconds: start.elapsed().as_secs_f64(),
        control_seconds: trust.seconds,
        ..Timing::default()
    };
    let document = loaded.document(&settings, &findings, &estimation, &trust, timing);
    output::write(file, |out| match arguments.format {
        Format::Table => out.write_all(Table::render(&document, &style(file.is_none())).as_bytes()),
        format => format.write(&document, out),
    })?;
    if interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The same search in half-samples and with shuffled outcomes, as far as asked for.
fn trust(
    arguments: &ControlArguments,
    counter: &LocalCounter<'_>,
    settings: &Settings,
    monitor: &Monitor,
) -> Result<Trust, Failure> {
    let start = Instant::now();
    let times = |number: u32| number as usize;
    let stability = arguments
        .stability
        .map(times)
        .map(|samples| stability(counter, settings, samples, monitor))
        .transpose()?;
    let calibration = arguments
        .calibrate
        .map(times)
        .map(|shuffles| calibrate(counter, settings, shuffles, monitor))
        .transpose()?;
    Ok(Trust { stability, calibration, seconds: start.elapsed().as_secs_f64() })
}

/// Cut to the width and coloured on a terminal only.
fn style(to_standard_output: bool) -> Style {
    let terminal = to_standard_output && std::io::stdout().is_terminal();
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let width = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    Style { width, colour }
}

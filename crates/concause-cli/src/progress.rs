//! Progress and notices on standard error, and Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use concause::progress::Progress;
use concause_report::printable;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Records the first Ctrl-C, so that the run stops and returns its results so far; the second ends the process.
pub fn listen_for_interrupts() {
    // Without a handler Ctrl-C ends the process, which is no reason to fail.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The template while rows are read, whose number is unknown.
const READING: &str = "{msg}: {human_pos} rows, {rate} {spinner}";

/// The template of a stage with a known number of steps.
const STAGE: &str = "{msg} [{bar:32}] {human_pos} of {human_len}, {rate}, {eta} left";

/// The template of a stage whose number of steps is not known.
const OPEN_STAGE: &str = "{msg}: {human_pos}, {rate}, {elapsed} {spinner}";

/// Writes the number of steps per second.
fn write_rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // A failure to format the rate is not worth reporting.
    let _ = write!(out, "{} a second", HumanCount(state.per_sec() as u64));
}

/// Shows progress and notices, and stops the run at Ctrl-C.
pub struct Monitor {
    bar: ProgressBar,
    quiet: bool,
}

impl Monitor {
    /// Notices on standard error, and a bar if that is a terminal; neither if `quiet`.
    pub fn new(quiet: bool) -> Self {
        // A bar on a terminal of unknown width cannot be erased before a notice.
        let size = terminal_size::terminal_size_of(std::io::stderr());
        let target = match size.filter(|(width, _)| !quiet && width.0 > 0) {
            Some(_) => ProgressDrawTarget::stderr(),
            None => ProgressDrawTarget::hidden(),
        };
        Self { bar: ProgressBar::with_draw_target(None, target), quiet }
    }

    fn show(&self, message: &str, template: &str) {
        // The templates are tested; a wrong one would leave the plain bar.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.with_key("rate", write_rate));
        }
        self.bar.set_message(message.to_owned());
    }
}

impl Progress for Monitor {
    fn rows_read(&self, rows: u64) {
        if self.bar.message().is_empty() {
            self.show("reading", READING);
        }
        self.bar.set_position(rows);
    }

    fn begin(&self, stage: &str, steps: u64) {
        if steps == 0 {
            self.show(stage, OPEN_STAGE);
            self.bar.unset_length();
        } else {
            self.show(stage, STAGE);
            self.bar.set_length(steps);
        }
        self.bar.reset();
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn notice(&self, sentence: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("concause: {}", printable(sentence)));
        }
    }

    fn stopped(&self) -> bool {
        is_interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bars_can_be_drawn() {
        for template in [READING, STAGE, OPEN_STAGE] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}

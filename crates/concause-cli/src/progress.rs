//! Progress and notices on standard error, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use concause_run::Observer;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Notes the first Ctrl-C, so that the work can end with what it knows; the second ends the process at once.
pub fn listen_for_interrupts() {
    // Without a handler Ctrl-C simply ends the process, which is no reason to refuse the work.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Rows are counted; how many there are is not known before the end.
const READING: &str = "{msg}: {human_pos} rows, {rate} {spinner}";

/// A stage has so many steps.
const STAGE: &str = "{msg} [{bar:32}] {human_pos} of {human_len}, {rate}, {eta} left";

/// How many steps a second.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // A rate that cannot be written is only a rate.
    let _ = write!(out, "{} a second", HumanCount(state.per_sec() as u64));
}

/// Shows how far the work is, says its notices, and stops it at Ctrl-C.
pub struct Monitor {
    bar: ProgressBar,
    quiet: bool,
}

impl Monitor {
    /// Notices on standard error, and a bar if that is a terminal; neither of them if `quiet` is asked for.
    pub fn new(quiet: bool) -> Self {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        Self { bar: ProgressBar::with_draw_target(None, target), quiet }
    }

    fn show(&self, message: &str, template: &str) {
        // The templates of this file are right, and tested; if one were not, the plain bar would do.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.with_key("rate", rate));
        }
        self.bar.set_message(message.to_owned());
    }
}

impl Observer for Monitor {
    fn reading(&self, rows: u64) {
        if self.bar.message().is_empty() {
            self.show("reading", READING);
        }
        self.bar.set_position(rows);
    }

    fn begin(&self, stage: &str, steps: u64) {
        self.show(stage, STAGE);
        self.bar.set_length(steps);
        self.bar.reset();
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn notice(&self, sentence: &str) {
        if !self.quiet {
            eprintln!("concause: {sentence}");
        }
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bars_can_be_drawn() {
        for template in [READING, STAGE] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}

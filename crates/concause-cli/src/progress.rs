//! Progress and notices on standard error, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use concause_run::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
        // The templates of this file are right; if one were not, the plain bar would do.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_message(message.to_owned());
    }
}

impl Observer for Monitor {
    fn reading(&self, rows: u64) {
        if self.bar.message().is_empty() {
            self.show("reading", "{msg}: {human_pos} rows ({per_sec}) {spinner}");
        }
        self.bar.set_position(rows);
    }

    fn begin(&self, stage: &str, steps: u64) {
        self.show(stage, "{msg} [{bar:32}] {human_pos}/{human_len} {eta}");
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

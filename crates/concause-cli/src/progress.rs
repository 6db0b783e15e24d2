//! Progress on standard error, Ctrl-C and the time limit.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use concause::search::Watch;
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

/// Shows how far the work is, and stops it at Ctrl-C or at the time limit.
pub struct Monitor {
    bar: ProgressBar,
    deadline: Option<Instant>,
}

impl Monitor {
    /// A bar on standard error if that is a terminal and `quiet` is not asked for.
    pub fn new(quiet: bool, time_limit: Option<Duration>) -> Self {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        Self { bar, deadline: time_limit.map(|limit| Instant::now() + limit) }
    }

    /// Follows the reading of a table.
    pub fn reading(&self) -> impl Fn(u64) -> ControlFlow<()> + '_ {
        self.set_style("{msg}: {human_pos} rows ({per_sec}) {spinner}");
        self.bar.set_message("reading");
        |rows| {
            self.bar.set_position(rows);
            if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn set_style(&self, template: &str) {
        // The templates of this file are right; if one were not, the plain bar would do.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }
}

impl Watch for Monitor {
    fn begin(&self, stage: &str, steps: u64) {
        self.set_style("{msg} [{bar:32}] {human_pos}/{human_len} {eta}");
        self.bar.set_message(stage.to_owned());
        self.bar.set_length(steps);
        self.bar.reset();
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn stopped(&self) -> bool {
        interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

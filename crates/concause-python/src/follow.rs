//! Follows a run from the thread that called it.
//!
//! The run works on other threads and never uses the interpreter. The calling thread waits without the interpreter's
//! lock, wakes several times a second to check for signals (Ctrl-C), and reports progress to the callback.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use concause::progress::Progress;
use concause_run::RunError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::to_exception;

/// The time between two checks for signals.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The progress and the notices of a run.
#[derive(Default)]
struct Follower {
    stage: Mutex<(String, Option<u64>)>,
    done: AtomicU64,
    interrupted: AtomicBool,
    notices: Mutex<Vec<String>>,
}

impl Follower {
    fn stage(&self) -> (String, u64, Option<u64>) {
        let (stage, total) = lock(&self.stage).clone();
        (stage, self.done.load(Ordering::Relaxed), total)
    }

    fn set_stage(&self, stage: &str, total: Option<u64>) {
        *lock(&self.stage) = (stage.to_owned(), total);
    }
}

impl Progress for Follower {
    fn rows_read(&self, rows: u64) {
        if self.done.swap(rows, Ordering::Relaxed) == 0 {
            self.set_stage("reading", None);
        }
    }

    fn begin(&self, stage: &str, steps: u64) {
        self.set_stage(stage, (steps > 0).then_some(steps));
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn notice(&self, sentence: &str) {
        lock(&self.notices).push(sentence.to_owned());
    }

    fn stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// What a run sends to the calling thread.
enum Event<T> {
    /// The run is finished.
    Done(Result<T, RunError>),
    /// A call of the engine, and where to send the response.
    Call(EngineCall, Sender<Vec<u8>>),
}

/// A method of the Python object of an engine, and its arguments.
pub struct EngineCall {
    pub method: &'static str,
    pub bytes: Vec<u8>,
    pub names: Option<Vec<String>>,
}

impl EngineCall {
    fn make(self, engine: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        let bytes = PyBytes::new(engine.py(), &self.bytes);
        let response = match self.names {
            Some(names) => engine.call_method1(self.method, (bytes, names)),
            None => engine.call_method1(self.method, (bytes,)),
        };
        response?.extract()
    }
}

/// Calls the engine from any thread; none if the calling thread no longer listens.
pub type EngineCaller = dyn Fn(EngineCall) -> Option<Vec<u8>> + Send + Sync;

/// Runs some work, and calls `progress(stage, done, total)` from time to time. Returns the result of the work and its
/// notices. A signal, or an exception of the callback, is raised immediately; the work then stops by itself.
pub fn follow<T: Send + 'static>(
    progress: &Bound<'_, PyAny>,
    work: impl FnOnce(&dyn Progress) -> Result<T, RunError> + Send + 'static,
) -> PyResult<(T, Vec<String>)> {
    let no_engine = progress.py().None().into_bound(progress.py());
    follow_with_engine(progress, &no_engine, move |follower, _| work(follower))
}

/// The same for work that calls the Python object of an engine, on this thread. An exception of its methods is raised
/// too.
pub fn follow_with_engine<T: Send + 'static>(
    progress: &Bound<'_, PyAny>,
    engine: &Bound<'_, PyAny>,
    work: impl FnOnce(&dyn Progress, Box<EngineCaller>) -> Result<T, RunError> + Send + 'static,
) -> PyResult<(T, Vec<String>)> {
    let py = progress.py();
    let follower = Arc::new(Follower::default());
    let (sender, mut receiver) = channel();
    let followed = Arc::clone(&follower);
    let calls = sender.clone();
    let caller = move |call: EngineCall| {
        let (response, received) = channel();
        calls.send(Event::Call(call, response)).ok()?;
        received.recv().ok()
    };
    let worker = std::thread::Builder::new().spawn(move || {
        // After a signal the calling thread no longer listens.
        let _ = sender.send(Event::Done(work(&*followed, Box::new(caller))));
    })?;
    let mut reported = None;
    loop {
        let waiting = &mut receiver;
        match py.detach(move || waiting.recv_timeout(CHECK_INTERVAL)) {
            Ok(Event::Done(result)) => {
                let result = result.map_err(|error| to_exception(py, &error))?;
                let notices = std::mem::take(&mut *lock(&follower.notices));
                return Ok((result, notices));
            }
            Ok(Event::Call(call, response)) => {
                let made = report(progress, &follower, &mut reported).and_then(|()| call.make(engine));
                let bytes = made.inspect_err(|_| follower.interrupted.store(true, Ordering::Relaxed))?;
                // The run may have finished meanwhile.
                let _ = response.send(bytes);
            }
            Err(RecvTimeoutError::Timeout) => {
                let checked = py.check_signals().and_then(|()| report(progress, &follower, &mut reported));
                checked.inspect_err(|_| follower.interrupted.store(true, Ordering::Relaxed))?;
            }
            // A panic of the worker is passed on: Python raises a PanicException.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(to_exception(py, &RunError::Interrupted)),
            },
        }
    }
}

/// Calls the callback if there is progress to report.
fn report(
    progress: &Bound<'_, PyAny>,
    follower: &Follower,
    reported: &mut Option<(String, u64, Option<u64>)>,
) -> PyResult<()> {
    let stage = follower.stage();
    if progress.is_none() || stage.0.is_empty() || reported.as_ref() == Some(&stage) {
        return Ok(());
    }
    progress.call1(stage.clone())?;
    *reported = Some(stage);
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Follows a run from the thread that called it.
//!
//! The run works on other threads and never touches the interpreter. The calling thread waits without the
//! interpreter's lock, wakes a few times a second to see whether a signal has come (Ctrl-C), and tells the callback how
//! far the run is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use concause_run::{Failure, Observer};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::raise;

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What a run has said so far.
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

impl Observer for Follower {
    fn reading(&self, rows: u64) {
        if self.done.swap(rows, Ordering::Relaxed) == 0 {
            self.set_stage("reading", None);
        }
    }

    fn begin(&self, stage: &str, steps: u64) {
        self.set_stage(stage, Some(steps));
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn notice(&self, sentence: &str) {
        lock(&self.notices).push(sentence.to_owned());
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// What a run sends to the thread that called it.
enum Event<T> {
    /// It is at its end.
    Done(Result<T, Failure>),
    /// It asks Python for something, and where to send the answer.
    Asked(Question, Sender<Vec<u8>>),
}

/// A method of the object that answers, and its arguments.
pub struct Question {
    pub method: &'static str,
    pub bytes: Vec<u8>,
    pub names: Option<Vec<String>>,
}

impl Question {
    fn ask(self, answers: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        let bytes = PyBytes::new(answers.py(), &self.bytes);
        let answer = match self.names {
            Some(names) => answers.call_method1(self.method, (bytes, names)),
            None => answers.call_method1(self.method, (bytes,)),
        };
        answer?.extract()
    }
}

/// Asks the object that answers, from any thread; none if nobody listens any more.
pub type Asking = dyn Fn(Question) -> Option<Vec<u8>> + Send + Sync;

/// Does some work; `progress(stage, done, total)` is called now and then. Returns what the work gives and the notices
/// it made. A signal, or an exception of the callback, is raised at once: the work then comes to its end by itself.
pub fn follow<T: Send + 'static>(
    progress: &Bound<'_, PyAny>,
    work: impl FnOnce(&dyn Observer) -> Result<T, Failure> + Send + 'static,
) -> PyResult<(T, Vec<String>)> {
    let nobody = progress.py().None().into_bound(progress.py());
    follow_asking(progress, &nobody, move |observer, _| work(observer))
}

/// The same for work that asks an object of Python, whose methods are called by this thread. An exception of these is
/// raised too.
pub fn follow_asking<T: Send + 'static>(
    progress: &Bound<'_, PyAny>,
    answers: &Bound<'_, PyAny>,
    work: impl FnOnce(&dyn Observer, Box<Asking>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<(T, Vec<String>)> {
    let py = progress.py();
    let follower = Arc::new(Follower::default());
    let (sender, mut receiver) = channel();
    let followed = Arc::clone(&follower);
    let questions = sender.clone();
    let asking = move |question: Question| {
        let (answer, answered) = channel();
        questions.send(Event::Asked(question, answer)).ok()?;
        answered.recv().ok()
    };
    let worker = std::thread::Builder::new().spawn(move || {
        // Nobody waits any more if a signal came.
        let _ = sender.send(Event::Done(work(&*followed, Box::new(asking))));
    })?;
    let mut said = None;
    loop {
        let waiting = &mut receiver;
        match py.detach(move || waiting.recv_timeout(BETWEEN_LOOKS)) {
            Ok(Event::Done(given)) => {
                let given = given.map_err(|failure| raise(py, failure))?;
                let notices = std::mem::take(&mut *lock(&follower.notices));
                return Ok((given, notices));
            }
            Ok(Event::Asked(question, answer)) => {
                let told = tell(progress, &follower, &mut said).and_then(|()| question.ask(answers));
                let given = told.inspect_err(|_| follower.interrupted.store(true, Ordering::Relaxed))?;
                // The run may have come to its end meanwhile.
                let _ = answer.send(given);
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = py.check_signals().and_then(|()| tell(progress, &follower, &mut said));
                told.inspect_err(|_| follower.interrupted.store(true, Ordering::Relaxed))?;
            }
            // The worker panicked, and so does whoever waits for it: Python sees a PanicException.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(raise(py, Failure::Interrupted)),
            },
        }
    }
}

/// Tells how far the run is, if there is something new to tell.
fn tell(
    progress: &Bound<'_, PyAny>,
    follower: &Follower,
    said: &mut Option<(String, u64, Option<u64>)>,
) -> PyResult<()> {
    let stage = follower.stage();
    if progress.is_none() || stage.0.is_empty() || said.as_ref() == Some(&stage) {
        return Ok(());
    }
    progress.call1(stage.clone())?;
    *said = Some(stage);
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

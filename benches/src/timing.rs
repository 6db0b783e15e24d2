//! Interleaved timing: several tasks run in turn, many times. A machine that is busy for a while slows down all of
//! them, and the shortest times are compared.

use std::time::Instant;

use crate::error::ToolError;

/// A task; it must hide its result from the optimiser with `std::hint::black_box`.
type Task<'a> = Box<dyn FnMut() -> Result<(), ToolError> + 'a>;

/// Tasks that are timed in turn.
#[derive(Default)]
pub struct InterleavedTiming<'a> {
    tasks: Vec<(String, Task<'a>)>,
}

impl<'a> InterleavedTiming<'a> {
    /// No tasks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a task. It must hide its result from the optimiser with `std::hint::black_box`.
    pub fn add_task(&mut self, name: impl Into<String>, task: impl FnMut() -> Result<(), ToolError> + 'a) {
        self.tasks.push((name.into(), Box::new(task)));
    }

    /// Times every task once in each round, after a first round that does not count. Returns the times in the order
    /// in which the tasks were added, or the first error of a task.
    pub fn run_rounds(mut self, rounds: usize) -> Result<Vec<TaskTimes>, ToolError> {
        let mut seconds = vec![Vec::with_capacity(rounds); self.tasks.len()];
        for round in 0..=rounds {
            for ((_, task), seconds) in self.tasks.iter_mut().zip(&mut seconds) {
                let (taken, result) = time_task(task);
                result?;
                if round > 0 {
                    seconds.push(taken);
                }
            }
        }
        let times = self.tasks.into_iter().zip(seconds);
        Ok(times.map(|((name, _), seconds)| TaskTimes::new(name, seconds)).collect())
    }
}

/// The seconds that a task takes, and its result.
pub fn time_task<T>(task: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = task();
    (start.elapsed().as_secs_f64(), result)
}

/// The times of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskTimes {
    /// The name of the task.
    pub name: String,
    /// The seconds of every round, in increasing order.
    seconds: Vec<f64>,
}

impl TaskTimes {
    /// Times in seconds, in any order.
    pub fn new(name: impl Into<String>, mut seconds: Vec<f64>) -> Self {
        seconds.sort_unstable_by(f64::total_cmp);
        Self { name: name.into(), seconds }
    }

    /// The shortest time. It is the least disturbed and therefore the one to compare.
    pub fn minimum(&self) -> f64 {
        self.seconds.first().copied().unwrap_or(f64::NAN)
    }

    /// The median time.
    pub fn median(&self) -> f64 {
        self.seconds.get(self.seconds.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// By which share the longest time exceeds the shortest: a measure of the noise of the machine.
    pub fn spread(&self) -> f64 {
        self.seconds.last().map_or(f64::NAN, |slowest| slowest / self.minimum() - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_run_in_turn() {
        let order = std::cell::RefCell::new(Vec::new());
        let mut timing = InterleavedTiming::new();
        let push = |letter: char| {
            order.borrow_mut().push(letter);
            Ok(())
        };
        timing.add_task("a", || push('a'));
        timing.add_task("b", || push('b'));
        let times = timing.run_rounds(2).unwrap();
        assert_eq!(times.iter().map(|times| times.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(order.into_inner(), ['a', 'b', 'a', 'b', 'a', 'b']);
    }

    #[test]
    fn the_error_of_a_task_ends_the_rounds() {
        let mut timing = InterleavedTiming::new();
        timing.add_task("a", || Err(ToolError::MissingInstructions("AVX2")));
        assert!(timing.run_rounds(2).is_err());
    }

    #[test]
    fn minimum_median_and_spread() {
        let times = TaskTimes::new("x", vec![3.0, 2.0, 2.5]);
        assert_eq!((times.minimum(), times.median(), times.spread()), (2.0, 2.5, 0.5));
    }
}

//! Timing: contestants run in turn, several times over, so that a machine that is busy for a while slows all of
//! them, and the fastest times are compared.

use std::time::Instant;

/// Contestants that will be timed in turn.
#[derive(Default)]
pub struct Race<'a> {
    contestants: Vec<(String, Box<dyn FnMut() + 'a>)>,
}

impl<'a> Race<'a> {
    /// A race without contestants.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contestant. What it works out must be hidden from the optimiser by `std::hint::black_box`.
    pub fn enter(&mut self, name: impl Into<String>, run: impl FnMut() + 'a) {
        self.contestants.push((name.into(), Box::new(run)));
    }

    /// Times every contestant once a round, in order, after one round that does not count; the times come in the
    /// order of entry.
    pub fn run(mut self, rounds: usize) -> Vec<Times> {
        let mut seconds = vec![Vec::with_capacity(rounds); self.contestants.len()];
        for round in 0..=rounds {
            for ((_, run), seconds) in self.contestants.iter_mut().zip(&mut seconds) {
                let taken = time(run);
                if round > 0 {
                    seconds.push(taken);
                }
            }
        }
        self.contestants
            .into_iter()
            .zip(seconds)
            .map(|((name, _), seconds)| Times::new(name, seconds))
            .collect()
    }
}

/// The seconds that something takes.
pub fn time(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// The times of one contestant.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Its name.
    pub name: String,
    /// The seconds of every round, the fastest first.
    seconds: Vec<f64>,
}

impl Times {
    /// Times in seconds, in any order.
    pub fn new(name: impl Into<String>, mut seconds: Vec<f64>) -> Self {
        seconds.sort_unstable_by(f64::total_cmp);
        Self { name: name.into(), seconds }
    }

    /// The fastest time: what is compared, being the least disturbed.
    pub fn minimum(&self) -> f64 {
        self.seconds.first().copied().unwrap_or(f64::NAN)
    }

    /// The middle time.
    pub fn median(&self) -> f64 {
        self.seconds.get(self.seconds.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// How much longer than the fastest the slowest time was, as a share: how noisy the machine was.
    pub fn spread(&self) -> f64 {
        self.seconds.last().map_or(f64::NAN, |slowest| slowest / self.minimum() - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_take_turns() {
        let order = std::cell::RefCell::new(Vec::new());
        let mut race = Race::new();
        race.enter("a", || order.borrow_mut().push('a'));
        race.enter("b", || order.borrow_mut().push('b'));
        let times = race.run(2);
        assert_eq!(times.iter().map(|times| times.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(order.into_inner(), ['a', 'b', 'a', 'b', 'a', 'b']);
    }

    #[test]
    fn the_fastest_the_middle_and_the_spread() {
        let times = Times::new("x", vec![3.0, 2.0, 2.5]);
        assert_eq!((times.minimum(), times.median(), times.spread()), (2.0, 2.5, 0.5));
    }
}

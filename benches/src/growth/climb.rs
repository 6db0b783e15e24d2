//! One search after the other, each larger than the one before.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use concause::count::LocalCounter;
use concause::dataset::Dataset;
use concause::search::{Method, Preset, Settings, Watch, mine};
use concause_bench::chart::{Point, Series};
use concause_bench::machine::processor_seconds;
use concause_bench::page::{thousands, times};

/// The methods that are compared, and what the legend calls them.
pub const METHODS: [(Method, &str); 2] = [(Method::MhPcF, "MH-PC-F"), (Method::MhPcB, "MH-PC-B")];

/// A search to be timed; the method is filled in.
pub struct Case<'a> {
    dataset: Cow<'a, Dataset>,
    settings: Settings,
}

impl<'a> Case<'a> {
    /// The paper's settings on data of its own.
    pub fn new(dataset: Dataset) -> Self {
        Case { dataset: Cow::Owned(dataset), settings: Preset::Paper.settings() }
    }

    /// Other settings on data that stays.
    pub fn on(dataset: &'a Dataset, settings: Settings) -> Self {
        Case { dataset: Cow::Borrowed(dataset), settings }
    }
}

/// The searches of one method on one kind of data.
pub struct Line {
    pub name: String,
    pub method: Method,
    pub points: Vec<Searched>,
}

/// A search that was timed.
pub struct Searched {
    pub size: usize,
    /// Processor time, which other programs do not lengthen; time by the clock where it cannot be known.
    pub seconds: f64,
    pub by_the_clock: f64,
    /// Whether it came to its end before the time limit.
    pub complete: bool,
    pub tests: u64,
    pub causes: usize,
}

/// Searches to be timed, smaller ones first.
pub struct Climb<'a> {
    pub name: String,
    pub sizes: &'a [usize],
    /// A search is stopped after so many seconds.
    pub limit: f64,
    /// Whether a larger size can be quicker, so that one that was stopped does not end the line.
    pub goes_on: bool,
}

impl Climb<'_> {
    /// Times the searches of every size by every method.
    pub fn run<'b>(&self, make: &dyn Fn(usize) -> Case<'b>) -> Vec<Line> {
        let mut lines = METHODS.map(|(method, label)| {
            let name = format!("{label}, {}", self.name);
            Line { name, method, points: Vec::new() }
        });
        let has_ended = |line: &Line| !self.goes_on && line.is_cut();
        for &size in self.sizes {
            if lines.iter().all(has_ended) {
                break;
            }
            let case = make(size);
            for line in lines.iter_mut().filter(|line| !has_ended(line)) {
                let settings = Settings { method: line.method, ..case.settings.clone() };
                let point = search(&case.dataset, &settings, size, self.limit);
                eprintln!("  {}: {} in {:.3} s", line.name, thousands(size as u64), point.seconds);
                line.points.push(point);
            }
        }
        lines.into()
    }
}

/// Searches are repeated, and the fastest counts, until they took this many seconds together.
const PATIENCE: f64 = 2.0;
const REPETITIONS: usize = 7;

/// Times a search.
pub fn search(dataset: &Dataset, settings: &Settings, size: usize, limit: f64) -> Searched {
    let counter = LocalCounter::new(dataset);
    let (mut best, mut spent): (Option<Searched>, f64) = (None, 0.0);
    for _ in 0..REPETITIONS {
        let (start, spent_before) = (Instant::now(), processor_seconds());
        let watch = Deadline(start + Duration::from_secs_f64(limit));
        let found = mine(&counter, dataset.columns(), settings, &watch);
        let by_the_clock = start.elapsed().as_secs_f64();
        let spent_after = processor_seconds();
        let seconds = spent_after.zip(spent_before).map_or(by_the_clock, |(after, before)| after - before);
        // The only errors are settings out of range, and these are not.
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let (tests, causes) = (found.tests(), found.causes.len());
        let point = Searched { size, seconds, by_the_clock, complete: found.complete, tests, causes };
        best = Some(match best {
            None => point,
            Some(best) => Searched {
                seconds: best.seconds.min(seconds),
                by_the_clock: best.by_the_clock.min(by_the_clock),
                ..point
            },
        });
        spent += by_the_clock;
        if spent > PATIENCE {
            break;
        }
    }
    // The loop runs at least once.
    let never = Searched { size, seconds: limit, by_the_clock: limit, complete: false, tests: 0, causes: 0 };
    best.unwrap_or(never)
}

/// Stops a search that takes too long.
struct Deadline(Instant);

impl Watch for Deadline {
    fn stopped(&self) -> bool {
        Instant::now() > self.0
    }
}

impl Line {
    fn is_cut(&self) -> bool {
        self.points.last().is_some_and(|point| !point.complete)
    }

    /// Where it was stopped, if it was.
    pub fn cut(&self) -> Option<String> {
        let sizes: Vec<String> = self
            .points
            .iter()
            .filter(|point| !point.complete)
            .map(|point| thousands(point.size as u64))
            .collect();
        (!sizes.is_empty()).then(|| format!("{} at {}", self.name, sizes.join(", ")))
    }

    /// For the chart.
    pub fn series(&self) -> Series {
        let point = |point: &Searched| Point {
            at_least: !point.complete,
            ..Point::new(point.size as f64, point.seconds)
        };
        Series::measured(self.name.clone(), self.points.iter().map(point).collect())
    }

    fn finished(&self) -> impl DoubleEndedIterator<Item = &Searched> {
        self.points.iter().filter(|point| point.complete)
    }

    /// The power of the size with which the time grows, by least squares on logarithms.
    pub fn slope(&self) -> Option<f64> {
        let logs: Vec<(f64, f64)> =
            self.finished().map(|point| ((point.size as f64).ln(), point.seconds.ln())).collect();
        let n = logs.len() as f64;
        let (x_mean, y_mean) =
            (logs.iter().map(|(x, _)| x).sum::<f64>() / n, logs.iter().map(|(_, y)| y).sum::<f64>() / n);
        let across: f64 = logs.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
        let both: f64 = logs.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
        (across > 0.0).then_some(both / across)
    }

    /// The time of the largest size over that of a size ten times smaller, if there is one.
    pub fn last_tenfold(&self) -> Option<f64> {
        let last = self.finished().next_back()?;
        let before = self.finished().find(|point| point.size * 10 == last.size)?;
        Some(last.seconds / before.seconds)
    }

    /// What each step cost over the one before.
    pub fn steps(&self) -> Option<String> {
        let step = |pair: &[Searched]| {
            Some(format!("{} from {} to {}", pair[1].over(&pair[0])?, pair[0].size, pair[1].size))
        };
        let steps: Vec<String> = self.points.windows(2).filter_map(step).collect();
        (!steps.is_empty()).then(|| steps.join(", "))
    }
}

impl Searched {
    /// How many times longer it took than another, as far as that is known.
    pub fn over(&self, other: &Searched) -> Option<String> {
        let more = if self.complete { "" } else { "> " };
        other.complete.then(|| more.to_owned() + &times(self.seconds / other.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(usize, f64, bool)]) -> Line {
        let point = |&(size, seconds, complete): &(usize, f64, bool)| Searched {
            size,
            seconds,
            by_the_clock: seconds,
            complete,
            tests: 0,
            causes: 0,
        };
        Line { name: "F".into(), method: Method::MhPcF, points: points.iter().map(point).collect() }
    }

    #[test]
    fn slopes_are_powers() {
        let squared = line(&[(10, 1.0, true), (100, 100.0, true), (1000, 20_000.0, false)]);
        assert!((squared.slope().unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(squared.last_tenfold(), Some(100.0));
        assert_eq!(squared.cut().unwrap(), "F at 1,000");
        assert_eq!(squared.steps().unwrap(), "100× from 10 to 100, > 200× from 100 to 1000");
        assert_eq!(line(&[(10, 1.0, true)]).slope(), None);
        assert_eq!(line(&[]).slope(), None);
    }

    #[test]
    fn searches_that_take_too_long_end_the_line() {
        let dataset = concause_bench::data::logistic(30, 2_000, 1);
        for (limit, goes_on, points, is_cut) in
            [(0.0, false, 1, true), (0.0, true, 2, true), (60.0, false, 2, false)]
        {
            let climb = Climb { name: "x".into(), sizes: &[1, 2], limit, goes_on };
            let lines = climb.run(&|_| Case::on(&dataset, Preset::Paper.settings()));
            assert!(lines.iter().all(|line| line.points.len() == points && line.is_cut() == is_cut));
        }
    }
}

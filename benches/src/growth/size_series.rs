//! Timed searches on data or settings of increasing size.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use concause::count::LocalCounter;
use concause::dataset::Dataset;
use concause::progress::Progress;
use concause::search::{Method, Preset, Settings, mine_counted};
use concause_bench::chart::{Point, Series};
use concause_bench::machine::processor_seconds;
use concause_bench::numbers::{ratio, thousands};

/// The methods that are compared, and their names in the legend.
pub const METHODS: [(Method, &str); 2] = [(Method::MH_PC_F, "MH-PC-F"), (Method::MH_PC_B, "MH-PC-B")];

/// A search to be timed, apart from its method.
pub struct SearchCase<'a> {
    dataset: Cow<'a, Dataset>,
    settings: Settings,
}

impl<'a> SearchCase<'a> {
    /// The paper's settings on a dataset that the case owns.
    pub fn new(dataset: Dataset) -> Self {
        SearchCase { dataset: Cow::Owned(dataset), settings: Preset::Paper.settings() }
    }

    /// Other settings on a borrowed dataset.
    pub fn with_settings(dataset: &'a Dataset, settings: Settings) -> Self {
        SearchCase { dataset: Cow::Borrowed(dataset), settings }
    }
}

/// The timed searches of one method on one kind of data.
pub struct MethodSeries {
    pub name: String,
    pub method: Method,
    pub points: Vec<TimedSearch>,
}

/// A timed search.
pub struct TimedSearch {
    pub size: usize,
    /// Processor time, which does not depend on other programs; wall-clock time if processor time is unknown.
    pub seconds: f64,
    pub wall_seconds: f64,
    /// Whether the search finished before the time limit.
    pub complete: bool,
    pub tests: u64,
    pub causes: usize,
}

/// Sizes of a series of searches, in increasing order.
pub struct SizeSeries<'a> {
    pub name: String,
    pub sizes: &'a [usize],
    /// The time limit of a search in seconds.
    pub limit: f64,
    /// Whether the series continues after a search that was stopped, because a larger size can be faster.
    pub continues_after_stop: bool,
}

impl SizeSeries<'_> {
    /// Times the searches of every size by every method.
    pub fn run<'b>(&self, make: &dyn Fn(usize) -> SearchCase<'b>) -> Vec<MethodSeries> {
        let mut series = METHODS.map(|(method, label)| {
            let name = format!("{label}, {}", self.name);
            MethodSeries { name, method, points: Vec::new() }
        });
        let has_ended = |one: &MethodSeries| !self.continues_after_stop && one.is_stopped();
        for &size in self.sizes {
            if series.iter().all(has_ended) {
                break;
            }
            let case = make(size);
            for one in series.iter_mut().filter(|one| !has_ended(one)) {
                let settings = Settings { method: one.method, ..case.settings.clone() };
                let point = time_search(&case.dataset, &settings, size, self.limit);
                eprintln!("  {}: {} in {:.3} s", one.name, thousands(size as u64), point.seconds);
                one.points.push(point);
            }
        }
        series.into()
    }
}

/// A search is repeated until the repetitions have taken this many seconds; the shortest time counts.
const REPETITION_SECONDS: f64 = 2.0;
const REPETITIONS: usize = 7;

/// Times a search.
pub fn time_search(dataset: &Dataset, settings: &Settings, size: usize, limit: f64) -> TimedSearch {
    let counter = Arc::new(LocalCounter::new(dataset));
    let (mut best, mut spent): (Option<TimedSearch>, f64) = (None, 0.0);
    for _ in 0..REPETITIONS {
        let (start, spent_before) = (Instant::now(), processor_seconds());
        let deadline = Deadline(start + Duration::from_secs_f64(limit));
        let found = mine_counted(counter.clone(), dataset, settings, &deadline);
        let wall_seconds = start.elapsed().as_secs_f64();
        let spent_after = processor_seconds();
        let seconds = spent_after.zip(spent_before).map_or(wall_seconds, |(after, before)| after - before);
        // The only possible errors are settings out of range; these settings are valid.
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let (tests, causes) = (found.tests(), found.causes.len());
        let point = TimedSearch { size, seconds, wall_seconds, complete: found.complete, tests, causes };
        best = Some(match best {
            None => point,
            Some(best) => TimedSearch {
                seconds: best.seconds.min(seconds),
                wall_seconds: best.wall_seconds.min(wall_seconds),
                ..point
            },
        });
        spent += wall_seconds;
        if spent > REPETITION_SECONDS {
            break;
        }
    }
    // The loop runs at least once.
    let unreachable =
        TimedSearch { size, seconds: limit, wall_seconds: limit, complete: false, tests: 0, causes: 0 };
    best.unwrap_or(unreachable)
}

/// Stops a search after its time limit.
struct Deadline(Instant);

impl Progress for Deadline {
    fn stopped(&self) -> bool {
        Instant::now() > self.0
    }
}

impl MethodSeries {
    fn is_stopped(&self) -> bool {
        self.points.last().is_some_and(|point| !point.complete)
    }

    /// The sizes at which searches were stopped, if any.
    pub fn describe_stops(&self) -> Option<String> {
        let sizes: Vec<String> = self
            .points
            .iter()
            .filter(|point| !point.complete)
            .map(|point| thousands(point.size as u64))
            .collect();
        (!sizes.is_empty()).then(|| format!("{} at {}", self.name, sizes.join(", ")))
    }

    /// The series of the chart.
    pub fn to_series(&self) -> Series {
        let point = |point: &TimedSearch| Point {
            at_least: !point.complete,
            ..Point::new(point.size as f64, point.seconds)
        };
        Series::measured(self.name.clone(), self.points.iter().map(point).collect())
    }

    fn finished(&self) -> impl DoubleEndedIterator<Item = &TimedSearch> {
        self.points.iter().filter(|point| point.complete)
    }

    /// The exponent p in time ∝ size^p, by least squares on logarithms.
    pub fn fit_exponent(&self) -> Option<f64> {
        let logs: Vec<(f64, f64)> =
            self.finished().map(|point| ((point.size as f64).ln(), point.seconds.ln())).collect();
        let n = logs.len() as f64;
        let (x_mean, y_mean) =
            (logs.iter().map(|(x, _)| x).sum::<f64>() / n, logs.iter().map(|(_, y)| y).sum::<f64>() / n);
        let across: f64 = logs.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
        let both: f64 = logs.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
        (across > 0.0).then_some(both / across)
    }

    /// The ratio of the times at the largest size and at a tenth of it, if both were measured.
    pub fn last_tenfold_ratio(&self) -> Option<f64> {
        let last = self.finished().next_back()?;
        let before = self.finished().find(|point| point.size * 10 == last.size)?;
        Some(last.seconds / before.seconds)
    }

    /// The ratio of the times at successive sizes.
    pub fn describe_steps(&self) -> Option<String> {
        let step = |pair: &[TimedSearch]| {
            Some(format!("{} from {} to {}", pair[1].describe_ratio(&pair[0])?, pair[0].size, pair[1].size))
        };
        let steps: Vec<String> = self.points.windows(2).filter_map(step).collect();
        (!steps.is_empty()).then(|| steps.join(", "))
    }
}

impl TimedSearch {
    /// The ratio of its time to that of another search, or a lower bound.
    pub fn describe_ratio(&self, other: &TimedSearch) -> Option<String> {
        let more = if self.complete { "" } else { "> " };
        other.complete.then(|| more.to_owned() + &ratio(self.seconds / other.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: &[(usize, f64, bool)]) -> MethodSeries {
        let point = |&(size, seconds, complete): &(usize, f64, bool)| TimedSearch {
            size,
            seconds,
            wall_seconds: seconds,
            complete,
            tests: 0,
            causes: 0,
        };
        MethodSeries { name: "F".into(), method: Method::MH_PC_F, points: points.iter().map(point).collect() }
    }

    #[test]
    fn exponents_are_fitted() {
        let squared = series(&[(10, 1.0, true), (100, 100.0, true), (1000, 20_000.0, false)]);
        assert!((squared.fit_exponent().unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(squared.last_tenfold_ratio(), Some(100.0));
        assert_eq!(squared.describe_stops().unwrap(), "F at 1,000");
        assert_eq!(squared.describe_steps().unwrap(), "100× from 10 to 100, > 200× from 100 to 1000");
        assert_eq!(series(&[(10, 1.0, true)]).fit_exponent(), None);
        assert_eq!(series(&[]).fit_exponent(), None);
    }

    #[test]
    fn a_stopped_search_ends_the_series() {
        let dataset = concause_bench::synthetic::logistic(30, 2_000, 1);
        for (limit, continues_after_stop, points, is_stopped) in
            [(0.0, false, 1, true), (0.0, true, 2, true), (60.0, false, 2, false)]
        {
            let sizes = SizeSeries { name: "x".into(), sizes: &[1, 2], limit, continues_after_stop };
            let series = sizes.run(&|_| SearchCase::with_settings(&dataset, Preset::Paper.settings()));
            assert!(series.iter().all(|one| one.points.len() == points && one.is_stopped() == is_stopped));
        }
    }
}

//! Where and when something was measured.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use concause::count::kernel::Kernel;

/// The machine, the compiler and the day, as one sentence for under a table.
pub fn machine() -> String {
    format!(
        "{}, {} threads, kernel `{}`, {}, {}",
        processor(),
        threads(),
        Kernel::fastest().name(),
        compiler(),
        today()
    )
}

/// How much of the processors other programs take while something is measured.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    start: Option<Ticks>,
}

/// Time of all processors in ticks of the clock: in all, not idle, and for this program and its finished children.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    all: u64,
    busy: u64,
    own: u64,
}

impl Others {
    /// From now on.
    pub fn watch() -> Self {
        Others { start: Ticks::now() }
    }

    /// What other programs took so far, as a clause; empty where it cannot be known.
    pub fn clause(&self) -> String {
        let Some((start, now)) = self.start.zip(Ticks::now()) else { return String::new() };
        let (all, busy, own) = (now.all - start.all, now.busy - start.busy, now.own - start.own);
        let share = busy.saturating_sub(own) as f64 / all.max(1) as f64;
        format!("other programs took {:.0} % of the processors meanwhile", 100.0 * share)
    }
}

impl Ticks {
    fn now() -> Option<Self> {
        Self::parse(
            &std::fs::read_to_string("/proc/stat").ok()?,
            &std::fs::read_to_string("/proc/self/stat").ok()?,
        )
    }

    fn parse(machine: &str, program: &str) -> Option<Self> {
        // user, nice, system, idle, iowait, irq, softirq, steal; what follows is part of user already.
        let line = machine.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = line.split_whitespace().take(8).map_while(|word| word.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        let all = ticks.iter().sum();
        // The name, in parentheses, may hold anything; utime is the twelfth word after it.
        let (_, after_name) = program.rsplit_once(')')?;
        let own = after_name.split_whitespace().skip(11).take(4).filter_map(|word| word.parse::<u64>().ok());
        Some(Ticks { all, busy: all - idle, own: own.sum() })
    }
}

/// The seconds that the threads of this program have spent on processors so far; none where that cannot be known.
/// Threads that have ended do not count.
pub fn processor_seconds() -> Option<f64> {
    // The kernel brings the time of a running thread up to date only now and then, but always when it yields.
    std::thread::yield_now();
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end between its listing and its reading.
        let Ok(text) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else { continue };
        nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / 1e9)
}

/// The threads that a run uses unless told otherwise.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The model of the processor and the vector instructions that matter here.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |wanted: &str| {
        let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(wanted));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    };
    let Some(model) = field("model name") else { return format!("{} processor", std::env::consts::ARCH) };
    let family = field("cpu family").zip(field("model"));
    let family = family.map_or(String::new(), |(family, model)| format!(" (family {family}, model {model})"));
    let flags = field("flags").unwrap_or_default();
    let has = |wanted: &str| flags.split(' ').any(|flag| flag == wanted);
    let vectors = if has("avx512_vpopcntdq") {
        "AVX-512 with VPOPCNTDQ"
    } else if has("avx2") {
        "AVX2, no AVX-512 VPOPCNTDQ"
    } else {
        "no AVX2"
    };
    format!("{model}{family}, {vectors}")
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().ok();
    let version = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let words: Vec<&str> = version.split(' ').take(2).collect();
    if words.len() == 2 { words.join(" ") } else { "rustc of unknown version".into() }
}

/// The day in UTC, as 2026-01-31.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    day(seconds / 86_400)
}

/// The day so many days after 1970-01-01 (Hinnant's `civil_from_days`).
fn day(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March, so that the leap day is their last.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_those_of_the_kernel() {
        let machine = "cpu  100 20 30 400 50 6 7 8 0 0\ncpu0 1 1 1 1\n";
        let program = "7 (a ) b) R 1 2 3 4 5 6 7 8 9 10 40 5 3 2 20 0";
        let ticks = Ticks::parse(machine, program).unwrap();
        assert_eq!((ticks.all, ticks.busy, ticks.own), (621, 171, 50));
        assert!(Ticks::parse("", program).is_none());
    }

    #[test]
    fn work_takes_processor_time() {
        let work = |steps: u64| (0..steps).fold(1, |sum, step| std::hint::black_box(sum ^ step));
        let spent = |steps: u64| {
            let before = processor_seconds()?;
            std::hint::black_box(work(steps));
            Some(processor_seconds()? - before)
        };
        let Some(long) = spent(10_000_000) else { return };
        // A millisecond or so, which the clock of the scheduler alone would not see.
        let short = spent(1_000_000).unwrap();
        assert!(long > 0.0 && short > 0.0 && short < long, "{short} {long}");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(20_454), "2026-01-01");
    }
}

//! The machine and the day of a measurement.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use concause::count::kernel::Kernel;

/// The machine, the compiler and the day, for the heading of a table.
pub fn describe_machine() -> String {
    format!(
        "{}, {} threads, kernel `{}`, {}, {}",
        describe_processor(),
        thread_count(),
        Kernel::fastest().name(),
        compiler_version(),
        utc_date()
    )
}

/// The share of processor time that other programs use during a measurement.
#[derive(Clone, Copy, Debug)]
pub struct BackgroundLoad {
    start: Option<ProcessorTicks>,
}

/// Time of all processors in clock ticks: total, busy, and used by this program and its finished children.
#[derive(Clone, Copy, Debug)]
struct ProcessorTicks {
    all: u64,
    busy: u64,
    own: u64,
}

impl BackgroundLoad {
    /// Measures from now on.
    pub fn start() -> Self {
        Self { start: ProcessorTicks::now() }
    }

    /// The share used so far, as a clause; empty if it is unknown.
    pub fn describe(&self) -> String {
        let Some((start, now)) = self.start.zip(ProcessorTicks::now()) else { return String::new() };
        let (all, busy, own) = (now.all - start.all, now.busy - start.busy, now.own - start.own);
        let share = busy.saturating_sub(own) as f64 / all.max(1) as f64;
        format!("other programs used {:.0} % of the processors", 100.0 * share)
    }
}

impl ProcessorTicks {
    fn now() -> Option<Self> {
        Self::parse(
            &std::fs::read_to_string("/proc/stat").ok()?,
            &std::fs::read_to_string("/proc/self/stat").ok()?,
        )
    }

    fn parse(machine: &str, program: &str) -> Option<Self> {
        // user, nice, system, idle, iowait, irq, softirq, steal; the following numbers are included in user.
        let line = machine.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = line.split_whitespace().take(8).map_while(|word| word.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        let all = ticks.iter().sum();
        // The name, in parentheses, may contain any characters; utime is the twelfth word after it.
        let (_, after_name) = program.rsplit_once(')')?;
        let own = after_name.split_whitespace().skip(11).take(4).filter_map(|word| word.parse::<u64>().ok());
        Some(ProcessorTicks { all, busy: all - idle, own: own.sum() })
    }
}

/// The processor seconds that the threads of this program have used so far; none if unknown. Threads that have ended
/// do not count.
pub fn processor_seconds() -> Option<f64> {
    // The kernel updates the time of a running thread only at intervals, but always when it yields.
    std::thread::yield_now();
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end after it was listed.
        let Ok(text) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else { continue };
        nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / 1e9)
}

/// The number of threads that a run uses by default.
pub fn thread_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A field of `/proc/cpuinfo`.
fn processor_field(wanted: &str) -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(wanted))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

/// The model of the processor, or its architecture.
pub fn processor_model() -> String {
    processor_field("model name").unwrap_or_else(|| std::env::consts::ARCH.into())
}

/// The model of the processor and its vector instructions.
fn describe_processor() -> String {
    let Some(model) = processor_field("model name") else {
        return format!("{} processor", std::env::consts::ARCH);
    };
    let family = processor_field("cpu family").zip(processor_field("model"));
    let family = family.map_or(String::new(), |(family, model)| format!(" (family {family}, model {model})"));
    let flags = processor_field("flags").unwrap_or_default();
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

fn compiler_version() -> String {
    let output = Command::new("rustc").arg("--version").output().ok();
    let version = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let words: Vec<&str> = version.split(' ').take(2).collect();
    if words.len() == 2 { words.join(" ") } else { "rustc of unknown version".into() }
}

/// The date in UTC, such as 2026-01-31.
pub fn utc_date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of_day(seconds / 86_400)
}

/// The date a number of days after 1970-01-01 (Hinnant's `civil_from_days`).
fn date_of_day(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March, so that the leap day is the last day of a year.
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
    fn ticks_are_parsed() {
        let machine = "cpu  100 20 30 400 50 6 7 8 0 0\ncpu0 1 1 1 1\n";
        let program = "7 (a ) b) R 1 2 3 4 5 6 7 8 9 10 40 5 3 2 20 0";
        let ticks = ProcessorTicks::parse(machine, program).unwrap();
        assert_eq!((ticks.all, ticks.busy, ticks.own), (621, 171, 50));
        assert!(ProcessorTicks::parse("", program).is_none());
    }

    #[test]
    fn the_process_has_used_processor_time() {
        // Differences depend on the other threads of the test program, which may end meanwhile.
        assert!(processor_seconds().is_none_or(|seconds| seconds > 0.0));
    }

    #[test]
    fn dates_follow_the_calendar() {
        let dates = [0, 11_016, 20_454].map(date_of_day);
        assert_eq!(dates, ["1970-01-01", "2000-02-29", "2026-01-01"]);
    }
}

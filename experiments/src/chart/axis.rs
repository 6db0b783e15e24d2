//! The axes of a chart: what range to show, and where to put ticks.

/// An axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// How values are placed on it.
    pub scale: Scale,
    /// Ticks are marked no finer than this.
    pub finest: f64,
}

/// How values are placed on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equal lengths.
    Linear,
    /// Equal ratios are equal lengths; only positive values can be shown.
    Log,
}

impl Axis {
    /// An axis of equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis { label: label.into(), scale: Scale::Linear, finest: 0.0 }
    }

    /// An axis of equal differences whose ticks are whole numbers.
    pub fn whole(label: impl Into<String>) -> Self {
        Axis { finest: 1.0, ..Self::linear(label) }
    }

    /// An axis of equal ratios.
    pub fn log(label: impl Into<String>) -> Self {
        Axis { label: label.into(), scale: Scale::Log, finest: 0.0 }
    }

    pub(super) fn can_show(&self, value: f64) -> bool {
        self.scale.can_show(value)
    }

    /// The range that shows all values, out to round numbers.
    pub(super) fn range(&self, values: &[f64]) -> (f64, f64) {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self.scale {
            _ if low > high => (1.0, 10.0),
            Scale::Linear if low == high => (low - 1.0, high + 1.0),
            Scale::Linear => (low - 0.06 * (high - low), high + 0.06 * (high - low)),
            Scale::Log => {
                let round = round_numbers(low / 10.0, high * 10.0);
                let below = round.iter().copied().rfind(|&tick| tick <= low * TOLERANCE);
                let above = round.iter().copied().find(|&tick| tick * TOLERANCE >= high);
                let (below, above) = (below.unwrap_or(low), above.unwrap_or(high));
                if below < above { (below, above) } else { (below / 2.0, above * 2.0) }
            }
        }
    }

    /// The values to mark in a range: round numbers, not too many.
    pub(super) fn ticks(&self, (low, high): (f64, f64)) -> Vec<f64> {
        match self.scale {
            Scale::Linear => {
                let coarse = |step: &f64| (high - low) / step <= MOST_TICKS && *step >= self.finest;
                let steps = round_numbers((high - low) / 100.0, high - low);
                let step = steps.into_iter().find(coarse).unwrap_or(high - low);
                let first = (low / step).ceil() as i64;
                (first..).map(|n| n as f64 * step).take_while(|&tick| tick <= high * TOLERANCE).collect()
            }
            Scale::Log => {
                let all = round_numbers(low, high);
                if all.len() as f64 <= MOST_TICKS {
                    return all;
                }
                let decades: Vec<i32> = ((low / TOLERANCE).log10().ceil() as i32
                    ..=(high * TOLERANCE).log10().floor() as i32)
                    .collect();
                let step = (decades.len() as f64 / MOST_TICKS).ceil() as usize;
                decades.into_iter().step_by(step).map(|power| 10f64.powi(power)).collect()
            }
        }
    }
}

impl Scale {
    pub(super) fn can_show(self, value: f64) -> bool {
        value.is_finite() && (self == Scale::Linear || value > 0.0)
    }

    /// How far a value lies in a range, from 0 to 1.
    pub(super) fn share(self, value: f64, (low, high): (f64, f64)) -> f64 {
        match self {
            Scale::Linear => (value - low) / (high - low),
            Scale::Log => (value / low).ln() / (high / low).ln(),
        }
    }
}

const MOST_TICKS: f64 = 9.0;

/// Powers of ten are not exact: ticks this near the end of a range belong to it.
const TOLERANCE: f64 = 1.0 + 1e-9;

/// 1, 2 and 5 times the powers of ten, from low to high.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    powers
        .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
        .filter(|&number| number * TOLERANCE >= low && number <= high * TOLERANCE)
        .collect()
}

/// A tick as people write it: 0.01, 5, 20,000.
pub(super) fn label(tick: f64) -> String {
    if tick.abs() >= 999.5 {
        let sign = if tick < 0.0 { "−" } else { "" };
        return format!("{sign}{}", crate::table::thousands(tick.abs().round() as u64));
    }
    // Enough digits for a tick of two; no trailing zeros.
    let digits = if tick == 0.0 { 0 } else { (1 - tick.abs().log10().floor() as i32).max(0) as usize };
    let text = format!("{tick:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> Vec<String> {
        axis.ticks(axis.range(values)).into_iter().map(label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let log = Axis::log("");
        let decades = ["1,000", "10,000", "100,000", "1,000,000", "10,000,000"];
        assert_eq!(labels(&log, &[1e3, 1e7]), decades);
        assert_eq!(
            labels(&log, &[0.003, 0.3]),
            ["0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5"]
        );
        assert_eq!(labels(&log, &[1e-12, 1e12]).len(), 9);
        let linear = Axis::linear("");
        assert_eq!(labels(&linear, &[1.0, 4.0]), ["1", "1.5", "2", "2.5", "3", "3.5", "4"]);
        assert_eq!(labels(&Axis::whole(""), &[1.0, 4.0]), ["1", "2", "3", "4"]);
        assert_eq!(labels(&linear, &[-1.0, 1.0]), ["-1", "-0.5", "0", "0.5", "1"]);
    }

    #[test]
    fn ranges_end_at_round_numbers() {
        let log = Axis::log("");
        assert_eq!(log.range(&[0.0031, 0.42]), (0.002, 0.5));
        assert_eq!(log.range(&[1.0, 10.0]), (1.0, 10.0));
        assert_eq!(log.range(&[]), (1.0, 10.0));
        let (low, high) = log.range(&[5.0]);
        assert!(low < 5.0 && 5.0 < high);
    }
}

//! The axes of a chart: what range to show, and where to put ticks.

/// An axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The label, with the unit.
    pub label: String,
    /// The scale.
    pub scale: AxisScale,
    /// The smallest distance between ticks.
    pub finest: f64,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic, for positive values only.
    Log,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Axis { label: label.into(), scale: AxisScale::Linear, finest: 0.0 }
    }

    /// A linear axis whose ticks are whole numbers.
    pub fn whole_numbers(label: impl Into<String>) -> Self {
        Axis { finest: 1.0, ..Self::linear(label) }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Axis { label: label.into(), scale: AxisScale::Log, finest: 0.0 }
    }

    pub(super) fn can_show(&self, value: f64) -> bool {
        self.scale.can_show(value)
    }

    /// The range that shows all values, extended to round numbers.
    pub(super) fn range(&self, values: &[f64]) -> (f64, f64) {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self.scale {
            _ if low > high => (1.0, 10.0),
            AxisScale::Linear if low == high => (low - 1.0, high + 1.0),
            AxisScale::Linear => (low - 0.06 * (high - low), high + 0.06 * (high - low)),
            AxisScale::Log => {
                let round = round_numbers(low / 10.0, high * 10.0);
                let below = round.iter().copied().rfind(|&tick| tick <= low * TOLERANCE);
                let above = round.iter().copied().find(|&tick| tick * TOLERANCE >= high);
                let (below, above) = (below.unwrap_or(low), above.unwrap_or(high));
                if below < above { (below, above) } else { (below / 2.0, above * 2.0) }
            }
        }
    }

    /// The ticks in a range: a limited number of round values.
    pub(super) fn ticks(&self, (low, high): (f64, f64)) -> Vec<f64> {
        match self.scale {
            AxisScale::Linear => {
                let coarse = |step: &f64| (high - low) / step <= MAX_TICKS && *step >= self.finest;
                let steps = round_numbers((high - low) / 100.0, high - low);
                let step = steps.into_iter().find(coarse).unwrap_or(high - low);
                let first = (low / step).ceil() as i64;
                (first..).map(|n| n as f64 * step).take_while(|&tick| tick <= high * TOLERANCE).collect()
            }
            AxisScale::Log => {
                let all = round_numbers(low, high);
                if all.len() as f64 <= MAX_TICKS {
                    return all;
                }
                let decades: Vec<i32> = ((low / TOLERANCE).log10().ceil() as i32
                    ..=(high * TOLERANCE).log10().floor() as i32)
                    .collect();
                let step = (decades.len() as f64 / MAX_TICKS).ceil() as usize;
                decades.into_iter().step_by(step).map(|power| 10f64.powi(power)).collect()
            }
        }
    }
}

impl AxisScale {
    pub(super) fn can_show(self, value: f64) -> bool {
        value.is_finite() && (self == AxisScale::Linear || value > 0.0)
    }

    /// The relative position of a value in a range, from 0 to 1.
    pub(super) fn relative_position(self, value: f64, (low, high): (f64, f64)) -> f64 {
        match self {
            AxisScale::Linear => (value - low) / (high - low),
            AxisScale::Log => (value / low).ln() / (high / low).ln(),
        }
    }
}

const MAX_TICKS: f64 = 9.0;

/// Powers of ten are not exact: ticks this close to the end of a range belong to it.
const TOLERANCE: f64 = 1.0 + 1e-9;

/// 1, 2 and 5 times the powers of ten, from low to high.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    powers
        .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
        .filter(|&number| number * TOLERANCE >= low && number <= high * TOLERANCE)
        .collect()
}

/// The label of a tick, such as 0.01, 5 or 20,000.
pub(super) fn tick_label(tick: f64) -> String {
    if tick.abs() >= 999.5 {
        let sign = if tick < 0.0 { "−" } else { "" };
        return format!("{sign}{}", crate::numbers::thousands(tick.abs().round() as u64));
    }
    // Two significant digits without trailing zeros.
    let digits = if tick == 0.0 { 0 } else { (1 - tick.abs().log10().floor() as i32).max(0) as usize };
    let text = format!("{tick:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> Vec<String> {
        axis.ticks(axis.range(values)).into_iter().map(tick_label).collect()
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
        assert_eq!(labels(&Axis::whole_numbers(""), &[1.0, 4.0]), ["1", "2", "3", "4"]);
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

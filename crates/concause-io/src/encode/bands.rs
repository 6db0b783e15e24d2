//! The bands of an ordered attribute: intervals that depend on its values alone, never on the outcome.
//!
//! Up to ten distinct values have a band each. More values are cut near their quantiles. A value that many rows have is
//! a band of its own, no band is a sliver, and a cut is a number that a person would write.

use super::cut_points::DistinctValue;

/// The largest number of bands, unless the user asks for another one.
const MOST_BANDS: usize = 16;

/// Up to this many distinct values have a band each.
const FEW_VALUES: usize = 10;

/// A cut may move by this fraction of the smaller of its bands.
const SLACK: u64 = 10;

/// A part of an attribute has at least this share of the rows.
const LEAST_SHARE: u64 = 100;

/// The least number of rows of a part of an attribute, a band or a value: one percent of the rows and at least `least`
/// of them, but in small tables no more than a sixteenth of the rows.
pub(crate) fn smallest_part(rows: u64, least: u64) -> u64 {
    (rows / LEAST_SHARE).max(least.min(rows / MOST_BANDS as u64)).max(1)
}

/// The cuts between the bands, in ascending order; none if there is only one band.
pub(crate) fn find_bands(values: &[DistinctValue], bands: Option<usize>) -> Vec<f64> {
    let counts: Vec<u64> = values.iter().map(|value| value.counts[0] + value.counts[1]).collect();
    let rows: u64 = counts.iter().sum();
    let most = bands.unwrap_or(MOST_BANDS);
    let has_own_band = |count: u64| count.saturating_mul(most as u64) > rows;
    // The first value of each band, and its rows.
    let mut found: Vec<(usize, u64)> = Vec::new();
    let each = values.len() <= FEW_VALUES.min(most);
    let (mut below, mut was_own) = (0u64, true);
    for (place, &count) in counts.iter().enumerate() {
        let is_own = each || has_own_band(count);
        // A value belongs to the quantile in which its middle row is.
        let quantile = |before: u64, count: u64| {
            (u128::from(2 * before + count) * most as u128 / (2 * u128::from(rows.max(1)))) as u64
        };
        let is_next =
            place > 0 && quantile(below, count) != quantile(below - counts[place - 1], counts[place - 1]);
        match found.last_mut() {
            Some((_, rows)) if !is_own && !was_own && !is_next => *rows += count,
            _ => found.push((place, count)),
        }
        below += count;
        was_own = is_own;
    }
    let least = smallest_part(rows, 20);
    loop {
        let smallest = (0..found.len()).min_by_key(|&place| found[place].1);
        match smallest {
            Some(place) if found.len() > 1 && (found[place].1 < least || found.len() > most) => {
                merge(&mut found, place);
            }
            _ => break,
        }
    }
    let mut before = vec![0];
    counts.iter().for_each(|count| before.push(before[before.len() - 1] + count));
    let cut = |pair: &[(usize, u64)]| {
        let ((_, lower), (first, upper)) = (pair[0], pair[1]);
        // The cut may move by a few rows to a number that is easier to read.
        let slack =
            if each { 0 } else { (lower.min(upper) / SLACK).min(lower.min(upper).saturating_sub(least)) };
        let is_within = |place: usize| before[place].abs_diff(before[first]) <= slack;
        // It does not pass a value with a band of its own.
        let is_own = |place: usize| has_own_band(counts[place]);
        let lower = (1..first).rev().take_while(|&next| is_within(next) && !is_own(next) && !is_own(first));
        let higher = (first + 1..values.len())
            .take_while(|&next| is_within(next) && !is_own(next - 1) && !is_own(first - 1));
        let (low, high) = (lower.last().unwrap_or(first), higher.last().unwrap_or(first));
        shortest_between(values[low - 1].value, values[high].value)
    };
    let mut cuts: Vec<f64> = found.windows(2).map(cut).collect();
    cuts.dedup();
    cuts
}

/// Merges a band with the smaller of its neighbours.
fn merge(bands: &mut Vec<(usize, u64)>, place: usize) {
    let rows =
        |place: Option<usize>| place.and_then(|place| bands.get(place)).map_or(u64::MAX, |band| band.1);
    let is_with_last = rows(place.checked_sub(1)) <= rows(Some(place + 1));
    let second = if is_with_last { place } else { place + 1 };
    let (_, merged) = bands.remove(second);
    bands[second - 1].1 += merged;
}

/// The number with the fewest digits above `low` and not above `high`; of several the one nearest to their middle.
fn shortest_between(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    let fits = |cut: &f64| low < *cut && *cut <= high;
    for exponent in (-17..=17).rev() {
        // Multiples of a power of ten, computed so that they are the nearest numbers to their decimals.
        let scale = 10f64.powi(i32::abs(exponent));
        let multiple = |steps: f64| if exponent >= 0 { steps * scale } else { steps / scale };
        let steps = if exponent >= 0 { middle / scale } else { middle * scale };
        if !steps.is_finite() || steps.abs() > 1e15 {
            break;
        }
        let candidates = [steps.floor(), steps.ceil()].map(multiple);
        let distance = |cut: &f64| (cut - middle).abs();
        if let Some(cut) =
            candidates.into_iter().filter(fits).min_by(|a, b| distance(a).total_cmp(&distance(b)))
        {
            return if cut == 0.0 { 0.0 } else { cut };
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(counts: &[(f64, u64)]) -> Vec<DistinctValue> {
        counts.iter().map(|&(value, count)| DistinctValue { value, counts: [count, 0] }).collect()
    }

    #[test]
    fn cuts_are_numbers_that_people_write() {
        for (low, high, cut) in [
            (59.0, 60.0, 60.0),
            (59.4, 61.2, 60.0),
            (2.4, 2.6, 2.5),
            (0.0, 1.0, 1.0),
            (-1.0, 0.0, 0.0),
            (-3.0, 2.0, 0.0),
            (17.0, 18.0, 18.0),
            (0.011, 0.012, 0.012),
            (1592.0, 1594.5, 1593.0),
            (12.0, 87.0, 50.0),
        ] {
            assert_eq!(shortest_between(low, high), cut, "{low} {high}");
        }
        let next = f64::from_bits(1f64.to_bits() + 1);
        assert_eq!(shortest_between(1.0, next), next);
        assert_eq!(shortest_between(3.0, f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn few_values_have_a_band_each_and_many_are_cut_at_quantiles() {
        assert_eq!(find_bands(&values(&[(0.0, 500), (1.0, 300), (2.0, 200)]), None), [1.0, 2.0]);
        assert!(find_bands(&values(&[(5.0, 70)]), None).is_empty() && find_bands(&[], None).is_empty());
        let even: Vec<(f64, u64)> = (0..1000).map(|value| (f64::from(value), 4)).collect();
        let cuts = find_bands(&values(&even), None);
        assert_eq!(cuts.len(), 15);
        assert_eq!(find_bands(&values(&even), Some(4)), [250.0, 500.0, 750.0]);
        for (band, cut) in cuts.iter().enumerate() {
            assert!((cut - 1000.0 * (band + 1) as f64 / 16.0).abs() <= 6.5, "{cuts:?}");
        }
    }

    #[test]
    fn no_band_is_a_sliver_and_a_frequent_value_is_a_band() {
        // Half the rows are 0, as with a number of cigarettes.
        let mut counts = vec![(0.0, 2000)];
        counts.extend((1..=400).map(|value| (f64::from(value), 5)));
        let cuts = find_bands(&values(&counts), None);
        assert_eq!(cuts[0], 1.0);
        assert!(cuts.len() <= 15 && cuts.len() >= 7, "{cuts:?}");
        let rare = [(1.0, 900), (2.0, 5), (3.0, 95), (4.0, 3)];
        assert_eq!(find_bands(&values(&rare), None), [2.0]);
        for rows in [30u64, 200, 1000, 50_000] {
            let spread: Vec<(f64, u64)> = (0..rows).map(|row| ((row * row) as f64, 1)).collect();
            let cuts = find_bands(&values(&spread), None);
            let bounds = [&[f64::NEG_INFINITY][..], &cuts, &[f64::INFINITY]].concat();
            for band in bounds.windows(2) {
                let inside = spread.iter().filter(|value| band[0] <= value.0 && value.0 < band[1]).count();
                assert!(inside as u64 >= smallest_part(rows, 20), "{rows}: {band:?} {inside}");
            }
        }
    }
}

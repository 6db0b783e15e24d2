//! The cut points of a continuous attribute.
//!
//! By the target: recursive minimal-entropy partitioning with the MDL stopping rule of Fayyad and Irani,
//! "Multi-interval discretization of continuous-valued attributes for classification learning", IJCAI 1993.
//! Or by the values alone, into intervals of about equal frequency. It knows numbers and counts, not attributes.

/// A distinct value with the number of controls and cases that have it; lists are in ascending order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DistinctValue {
    pub value: f64,
    pub counts: [u64; 2],
}

/// Sorts values with their counts and merges equal ones.
pub(crate) fn merge_equal_values(mut groups: Vec<DistinctValue>) -> Vec<DistinctValue> {
    groups.sort_unstable_by(|left, right| left.value.total_cmp(&right.value));
    groups.dedup_by(|next, kept| {
        let equal = next.value == kept.value;
        if equal {
            kept.counts[0] += next.counts[0];
            kept.counts[1] += next.counts[1];
        }
        equal
    });
    groups
}

/// The cut points that the MDL criterion accepts, in ascending order.
pub(crate) fn find_mdl_cuts(groups: &[DistinctValue]) -> Vec<f64> {
    let mut before = Vec::with_capacity(groups.len() + 1);
    before.push([0, 0]);
    for group in groups {
        let [controls, cases]: [u64; 2] = before[before.len() - 1];
        before.push([controls + group.counts[0], cases + group.counts[1]]);
    }
    let counts = |first: usize, end: usize| -> [u64; 2] {
        [before[end][0] - before[first][0], before[end][1] - before[first][1]]
    };
    let mut cuts = Vec::new();
    // A list of ranges instead of recursion: a hostile table must not exhaust the stack.
    let mut open = vec![(0, groups.len())];
    while let Some((first, end)) = open.pop() {
        let mut best: Option<(f64, usize)> = None;
        for index in first + 1..end {
            if !is_boundary(&groups[index - 1], &groups[index]) {
                continue;
            }
            let bits = entropy_bits(counts(first, index)) + entropy_bits(counts(index, end));
            // Ties go to the lower cut, independently of the last digit of a logarithm.
            if best.is_none_or(|(least, _)| bits < least - 1e-10 * least.max(1.0)) {
                best = Some((bits, index));
            }
        }
        if let Some((_, index)) = best
            && is_accepted(counts(first, index), counts(index, end))
        {
            cuts.push(midpoint(groups[index - 1].value, groups[index].value));
            open.push((first, index));
            open.push((index, end));
        }
    }
    cuts.sort_unstable_by(f64::total_cmp);
    cuts
}

/// The cut points nearest to the quantiles that give `bins` intervals of about equal frequency; fewer with ties.
pub(crate) fn find_quantile_cuts(groups: &[DistinctValue], bins: usize) -> Vec<f64> {
    let total: u64 = groups.iter().map(|group| group.counts[0] + group.counts[1]).sum();
    let mut cuts: Vec<f64> = Vec::new();
    let (mut index, mut below) = (0, 0);
    for bin in 1..bins as u128 {
        // In units of 1/bins of a row, so that the comparison is exact.
        let wanted = bin * u128::from(total);
        let distance = |rows: u64| (u128::from(rows) * bins as u128).abs_diff(wanted);
        while index + 1 < groups.len() {
            let next = below + groups[index].counts[0] + groups[index].counts[1];
            if index > 0 && distance(next) >= distance(below) {
                break;
            }
            (index, below) = (index + 1, next);
        }
        if index > 0 {
            let cut = midpoint(groups[index - 1].value, groups[index].value);
            if cuts.last() != Some(&cut) {
                cuts.push(cut);
            }
        }
    }
    cuts
}

/// The entropy can only have a minimum between two values that are not both pure in the same class.
fn is_boundary(left: &DistinctValue, right: &DistinctValue) -> bool {
    let pure = |class: usize| left.counts[class] == 0 && right.counts[class] == 0;
    !(pure(0) || pure(1))
}

/// N times the entropy in bits.
fn entropy_bits([controls, cases]: [u64; 2]) -> f64 {
    let term = |count: u64| if count == 0 { 0.0 } else { count as f64 * (count as f64).log2() };
    term(controls + cases) - term(controls) - term(cases)
}

/// Gain > log2(N-1)/N + Delta/N, with Delta = log2(3^k - 2) - (k E - k1 E1 - k2 E2).
fn is_accepted(left: [u64; 2], right: [u64; 2]) -> bool {
    let total = [left[0] + right[0], left[1] + right[1]];
    let size = |counts: [u64; 2]| (counts[0] + counts[1]) as f64;
    let classes = |counts: [u64; 2]| counts.iter().filter(|&&count| count > 0).count() as f64;
    let weighted = |counts: [u64; 2]| classes(counts) * entropy_bits(counts) / size(counts);
    let delta =
        (3f64.powf(classes(total)) - 2.0).log2() - (weighted(total) - weighted(left) - weighted(right));
    let gain_bits = entropy_bits(total) - entropy_bits(left) - entropy_bits(right);
    gain_bits > (size(total) - 1.0).log2() + delta
}

/// A number above `low` and not above `high`: the middle, without rounding noise in the last digits.
fn midpoint(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    let exact = if low.abs() < 1e300 && high.abs() < 1e300 { (low + high) / 2.0 } else { middle };
    let tidy = format!("{exact:.11e}").parse().unwrap_or(exact);
    let splits = |cut: f64| low < cut && cut <= high;
    [tidy, exact].into_iter().find(|&cut| splits(cut)).unwrap_or(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(rows: &[(f64, [u64; 2])]) -> Vec<DistinctValue> {
        merge_equal_values(rows.iter().map(|&(value, counts)| DistinctValue { value, counts }).collect())
    }

    /// The published procedure, row by row and by recursion, without boundary points or running sums.
    fn slow_cuts(rows: &[(f64, bool)], cuts: &mut Vec<f64>) {
        let entropy = |rows: &[(f64, bool)]| -> (f64, f64) {
            let size = rows.len() as f64;
            let shares =
                [true, false].map(|class| rows.iter().filter(|row| row.1 == class).count() as f64 / size);
            let present = shares.iter().filter(|&&share| share > 0.0).count() as f64;
            (shares.iter().filter(|&&share| share > 0.0).map(|share| -share * share.log2()).sum(), present)
        };
        let size = rows.len() as f64;
        let mut best: Option<(f64, usize)> = None;
        for index in 1..rows.len() {
            if rows[index - 1].0 == rows[index].0 {
                continue;
            }
            let (left, right) = rows.split_at(index);
            let weighted =
                left.len() as f64 / size * entropy(left).0 + right.len() as f64 / size * entropy(right).0;
            if best.is_none_or(|(least, _)| weighted < least - 1e-11) {
                best = Some((weighted, index));
            }
        }
        let Some((weighted, index)) = best else { return };
        let (left, right) = rows.split_at(index);
        let ((total, k), (first, k1), (second, k2)) = (entropy(rows), entropy(left), entropy(right));
        let delta = (3f64.powf(k) - 2.0).log2() - (k * total - k1 * first - k2 * second);
        if total - weighted > (size - 1.0).log2() / size + delta / size {
            slow_cuts(left, cuts);
            cuts.push((rows[index - 1].0 + rows[index].0) / 2.0);
            slow_cuts(right, cuts);
        }
    }

    #[test]
    fn fast_and_slow_cuts_agree() {
        let mut stream = concause::random::Random::new(7);
        let mut random = |bound: usize| stream.below(bound);
        let mut accepted = 0;
        for _ in 0..400 {
            let (size, values, period) = (2 + random(150), 1 + random(40), 1 + random(15));
            let noise = random(6);
            let mut rows: Vec<(f64, bool)> = (0..size)
                .map(|_| {
                    let value = random(values);
                    let class = (value / period % 2 == 1) != (random(20) < noise);
                    (value as f64, class)
                })
                .collect();
            rows.sort_by(|left, right| left.0.total_cmp(&right.0));
            let mut expected = Vec::new();
            slow_cuts(&rows, &mut expected);
            let counts = |class: bool| if class { [0, 1] } else { [1, 0] };
            let rows: Vec<_> = rows.iter().map(|&(value, class)| (value, counts(class))).collect();
            assert_eq!(find_mdl_cuts(&groups(&rows)), expected);
            accepted += expected.len();
        }
        assert!(accepted > 200, "the random tables must exercise the criterion: {accepted}");
    }

    #[test]
    fn constants_and_single_classes_have_no_cut() {
        assert!(find_mdl_cuts(&[]).is_empty());
        assert!(find_mdl_cuts(&groups(&[(1.0, [50, 50])])).is_empty());
        assert!(find_mdl_cuts(&groups(&[(1.0, [50, 0]), (2.0, [50, 0])])).is_empty());
        assert_eq!(find_mdl_cuts(&groups(&[(1.0, [50, 0]), (2.0, [0, 50])])), [1.5]);
    }

    #[test]
    fn quantiles_give_even_intervals_and_respect_ties() {
        let even: Vec<_> = (0..100).map(|value| (f64::from(value), [1, 0])).collect();
        assert_eq!(find_quantile_cuts(&groups(&even), 4), [24.5, 49.5, 74.5]);
        assert_eq!(find_quantile_cuts(&groups(&[(1.0, [99, 0]), (2.0, [0, 1])]), 4), [1.5]);
        assert!(find_quantile_cuts(&groups(&[(1.0, [9, 9])]), 4).is_empty());
        assert_eq!(find_quantile_cuts(&groups(&even), 1000).len(), 99);
    }

    #[test]
    fn a_midpoint_splits_even_the_closest_values() {
        assert_eq!(midpoint(0.93, 0.94), 0.935);
        let next = f64::from_bits(1f64.to_bits() + 1);
        assert_eq!(midpoint(1.0, next), next);
        assert_eq!(midpoint(3.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(midpoint(f64::NEG_INFINITY, 3.0), 3.0);
        assert!(midpoint(f64::MAX / 1.5, f64::MAX).is_finite());
        assert_eq!(midpoint(f64::NEG_INFINITY, f64::INFINITY), f64::INFINITY);
    }
}

//! Compares statistics and p-values with those of SciPy; the fixture names the functions.

use concause::count::{ContingencyTable, Stratum};
use concause::stats::Test;

#[test]
fn statistics_and_p_values_agree_with_scipy() {
    let fixture = include_str!("fixtures/scipy.csv");
    let mut compared = 0;
    for line in fixture.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').collect();
        let [test, strata, statistic, df, p_value] = fields[..] else { panic!("{line}") };
        let strata = strata
            .split(' ')
            .map(|cells| {
                let cells: Vec<u64> = cells.split(',').map(|cell| cell.parse().unwrap()).collect();
                Stratum::from(<[u64; 4]>::try_from(cells).unwrap())
            })
            .collect();
        let test: Test = test.parse().unwrap();
        let tested = test.assess(&ContingencyTable { strata }, 0.05).tested().unwrap();
        let (statistic, p_value): (f64, f64) = (statistic.parse().unwrap(), p_value.parse().unwrap());
        assert_eq!(tested.df, df.parse::<u32>().unwrap(), "{line}");
        assert!((tested.statistic - statistic).abs() <= 1e-10 * statistic.max(1e-3), "{line}: {tested:?}");
        assert!((tested.p_value - p_value).abs() <= 1e-9 * p_value, "{line}: {tested:?}");
        assert!((tested.ln_p - p_value.ln()).abs() <= 1e-9, "{line}: {tested:?}");
        compared += 1;
    }
    assert_eq!(compared, 240);
}

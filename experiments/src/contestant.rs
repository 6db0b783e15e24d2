//! The methods that take part, with their settings.

use concause::count::LocalCounter;
use concause::dataset::Dataset;
use concause::search::{Findings, Method, Preset, Settings, Watch, mine};

/// A method with the size of its conditioning sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The method.
    pub method: Method,
    /// The largest conditioning set.
    pub max_k: usize,
}

impl Contestant {
    /// All methods there are; MH-PC-F and MH-PC-B with conditioning sets of two and of three.
    pub fn all() -> Vec<Contestant> {
        let sizes = |method: Method| match method {
            Method::MhPcF | Method::MhPcB => vec![2, 3],
            _ => vec![3],
        };
        let with = |method: Method| sizes(method).into_iter().map(move |max_k| Contestant { method, max_k });
        Method::ALL.into_iter().flat_map(with).collect()
    }

    /// Those that find combined causes.
    pub fn of_combined_causes() -> Vec<Contestant> {
        let finds = |contestant: &Contestant| contestant.settings(2).deepest_level() > 1;
        Self::all().into_iter().filter(finds).collect()
    }

    /// The settings: those of the preset `paper` for the methods of the paper, of the default preset for others.
    /// A method that is not defined for so deep a level gets level 2.
    pub fn settings(self, max_level: usize) -> Settings {
        let of_paper = matches!(
            self.method,
            Method::HitonPc
                | Method::MhPcF
                | Method::MhPcB
                | Method::PcSelect
                | Method::NaiveH
                | Method::NaiveS
                | Method::CrPa
                | Method::CrCs
        );
        let preset = if of_paper { Preset::Paper } else { Preset::Default };
        let settings = Settings { method: self.method, max_k: self.max_k, max_level, ..preset.settings() };
        if settings.check().is_ok() { settings } else { Settings { max_level: 2, ..settings } }
    }

    /// The method and, where it matters, the size of its conditioning sets.
    pub fn name(self) -> String {
        match self.method {
            Method::CrPa | Method::CrCs => self.method.name().to_owned(),
            _ => format!("{}, max_k {}", self.method.name(), self.max_k),
        }
    }

    /// A short word for keys.
    pub fn key(self) -> String {
        format!("{}-k{}", self.method.name(), self.max_k)
    }
}

/// Searches a dataset; a refusal is a sentence.
pub fn search(dataset: &Dataset, settings: &Settings, watch: &dyn Watch) -> Result<Findings, String> {
    mine(&LocalCounter::new(dataset), dataset.columns(), settings, watch).map_err(|error| error.to_string())
}

/// The causes as lists of columns.
pub fn causes(findings: &Findings, dataset: &Dataset) -> Vec<Vec<String>> {
    let name = |column: &u32| dataset.columns()[*column as usize].name.clone();
    findings.causes.iter().map(|cause| cause.candidate.columns().iter().map(name).collect()).collect()
}

/// The names of the causes in the order of the result.
pub fn cause_names(findings: &Findings, dataset: &Dataset) -> Vec<String> {
    findings.causes.iter().map(|cause| cause.candidate.name(dataset.columns())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_takes_part() {
        let all = Contestant::all();
        assert!(Method::ALL.iter().all(|&method| all.iter().any(|contestant| contestant.method == method)));
        let combined = Contestant::of_combined_causes();
        assert!(!combined.iter().any(|contestant| contestant.method == Method::HitonPc));
        assert!(combined.iter().all(|contestant| contestant.settings(3).check().is_ok()));
        let rules = Contestant { method: Method::CrPa, max_k: 3 };
        assert_eq!((rules.settings(3).max_level, rules.name()), (2, "cr-pa".into()));
    }
}

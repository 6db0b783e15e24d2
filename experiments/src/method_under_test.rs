//! The methods that the experiments compare, with their settings.

use concause::dataset::{Candidate, Dataset, Literal};
use concause::progress::Progress;
use concause::search::{Findings, Method, Preset, Settings, mine};
use concause_bench::error::ToolError;

/// A method and the size of its largest conditioning set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodUnderTest {
    /// The method.
    pub method: Method,
    /// The largest conditioning set.
    pub max_k: usize,
}

impl MethodUnderTest {
    /// All methods; MH-PC-F and MH-PC-B with conditioning sets of up to two and up to three members.
    pub fn all() -> Vec<MethodUnderTest> {
        let sizes = |method: Method| {
            if [Method::MH_PC_F, Method::MH_PC_B].contains(&method) { vec![2, 3] } else { vec![3] }
        };
        let entries =
            |method: Method| sizes(method).into_iter().map(move |max_k| MethodUnderTest { method, max_k });
        Method::ALL.iter().copied().flat_map(entries).collect()
    }

    /// The methods that find combined causes.
    pub fn all_for_combined_causes() -> Vec<MethodUnderTest> {
        let finds_combined = |entry: &MethodUnderTest| entry.settings(2).deepest_level() > 1;
        Self::all().into_iter().filter(finds_combined).collect()
    }

    /// The settings of the preset `paper` for the methods of the paper, and of the default preset for others. A method
    /// that is not defined for the level uses level 2.
    pub fn settings(self, max_level: usize) -> Settings {
        let is_in_paper = [
            Method::HITON_PC,
            Method::MH_PC_F,
            Method::MH_PC_B,
            Method::PC_SELECT,
            Method::NAIVE_H,
            Method::NAIVE_S,
            Method::CR_PA,
            Method::CR_CS,
        ]
        .contains(&self.method);
        let preset = if is_in_paper { Preset::Paper } else { Preset::Default };
        let settings = Settings { method: self.method, max_k: self.max_k, max_level, ..preset.settings() };
        if settings.check().is_ok() { settings } else { Settings { max_level: 2, ..settings } }
    }

    /// The name of the method and, if it has conditioning sets, max_k.
    pub fn name(self) -> String {
        let name = self.method.name();
        if self.method.descriptor().honours("max_k") {
            format!("{name}, max_k {}", self.max_k)
        } else {
            name.to_owned()
        }
    }

    /// A short name for keys of the store.
    pub fn key(self) -> String {
        format!("{}-k{}", self.method.name(), self.max_k)
    }
}

/// Searches a dataset.
pub fn search(
    dataset: &Dataset,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Findings, ToolError> {
    Ok(mine(dataset, settings, progress)?)
}

/// The columns of each cause, whatever the signs of its literals.
pub fn cause_columns(findings: &Findings, dataset: &Dataset) -> Vec<Vec<String>> {
    findings.causes.iter().map(|cause| literal_columns(&cause.candidate, dataset)).collect()
}

/// The names of the columns of a candidate, without negations.
pub fn literal_columns(candidate: &Candidate, dataset: &Dataset) -> Vec<String> {
    let columns = dataset.columns();
    let name = |literal: Literal| columns[literal.column() as usize].name.clone();
    candidate.in_data_order().into_iter().map(name).collect()
}

/// The names of the causes in the order of the result.
pub fn cause_names(findings: &Findings, dataset: &Dataset) -> Vec<String> {
    findings.causes.iter().map(|cause| cause.candidate.name(dataset.columns())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_compared() {
        let all = MethodUnderTest::all();
        assert!(Method::ALL.iter().all(|&method| all.iter().any(|entry| entry.method == method)));
        let combined = MethodUnderTest::all_for_combined_causes();
        assert!(!combined.iter().any(|entry| entry.method == Method::HITON_PC));
        assert!(combined.iter().all(|method| method.settings(3).check().is_ok()));
        let rules = MethodUnderTest { method: Method::CR_PA, max_k: 3 };
        assert_eq!((rules.settings(3).max_level, rules.name()), (2, "cr-pa".into()));
    }
}

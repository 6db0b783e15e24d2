//! The terms of a table model.

use std::collections::BTreeSet;

use crate::dataset::Candidate;

/// The terms of a table model; covariates and required causes are tabled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RuleTable {
    pub tabled: BTreeSet<Candidate>,
    /// In the order in which they apply.
    pub rules: BTreeSet<Candidate>,
}

impl RuleTable {
    /// The tabled terms, then the rules.
    pub fn terms(&self) -> Vec<Candidate> {
        self.tabled.iter().chain(&self.rules).cloned().collect()
    }

    pub fn contains(&self, term: &Candidate) -> bool {
        self.tabled.contains(term) || self.rules.contains(term)
    }

    pub fn without(&self, term: &Candidate) -> RuleTable {
        let mut table = self.clone();
        table.tabled.remove(term);
        table.rules.remove(term);
        table
    }

    pub fn with_tabled(mut self, term: Candidate) -> RuleTable {
        self.tabled.insert(term);
        self
    }

    pub fn with_rule(mut self, term: Candidate) -> RuleTable {
        self.rules.insert(term);
        self
    }
}

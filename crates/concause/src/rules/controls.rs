//! What is held fixed while a rule is examined.

use std::collections::BTreeMap;

use super::MOST_CONTROLS;
use crate::dataset::Candidate;
use crate::search::{Contender, Context};

/// The columns associated with the target, the strongest first.
pub(super) struct Controls<'a> {
    context: &'a Context<'a>,
    columns: Vec<Candidate>,
}

impl<'a> Controls<'a> {
    /// From the associated columns, the strongest first.
    pub fn new(context: &'a Context<'a>, associated: &[Contender]) -> Self {
        let columns = associated.iter().map(|single| single.candidate.clone()).collect();
        Self { context, columns }
    }

    /// All that may be held fixed.
    pub fn all(&self) -> &[Candidate] {
        &self.columns
    }

    /// Rules that share their controls, together, in a fixed order.
    pub fn shared(&self, rules: Vec<Contender>) -> BTreeMap<Vec<Candidate>, Vec<Contender>> {
        let mut shared: BTreeMap<Vec<Candidate>, Vec<Contender>> = BTreeMap::new();
        for rule in rules {
            shared.entry(self.of(&rule.candidate)).or_default().push(rule);
        }
        shared
    }

    /// The strongest columns that have nothing to do with the rule.
    fn of(&self, rule: &Candidate) -> Vec<Candidate> {
        let free = self.columns.iter().filter(|control| !self.is_bound(control, rule));
        free.take(MOST_CONTROLS).cloned().collect()
    }

    /// Whether a column is one of the rule's, stands for one, or comes from the same attribute: with the other
    /// columns of an attribute held fixed, one of them could not vary.
    fn is_bound(&self, control: &Candidate, rule: &Candidate) -> bool {
        let attribute = |column: u32| self.context.columns[column as usize].attribute;
        control.columns().iter().any(|&control| {
            rule.columns().iter().any(|&column| {
                attribute(control) == attribute(column)
                    || control == self.context.singles.representative(column)
            })
        })
    }
}

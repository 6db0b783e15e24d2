//! The control variables of a rule.

use std::collections::BTreeMap;

use super::MOST_CONTROLS;
use crate::dataset::{Candidate, Literal};
use crate::search::context::{Candidacy, Context};

/// The columns associated with the target, the strongest first.
pub(super) struct Controls<'a> {
    context: &'a Context<'a>,
    columns: Vec<Candidate>,
}

impl<'a> Controls<'a> {
    /// Takes the associated columns, the strongest first.
    pub fn new(context: &'a Context<'a>, associated: &[Candidacy]) -> Self {
        let columns = associated.iter().map(|single| single.candidate.clone()).collect();
        Self { context, columns }
    }

    /// The columns that may be controls, the strongest first.
    pub fn columns(&self) -> &[Candidate] {
        &self.columns
    }

    /// Groups rules that share their controls, so that the strata are counted once per group.
    pub fn group_by_controls(&self, rules: Vec<Candidacy>) -> BTreeMap<Vec<Candidate>, Vec<Candidacy>> {
        let mut groups: BTreeMap<Vec<Candidate>, Vec<Candidacy>> = BTreeMap::new();
        for rule in rules {
            groups.entry(self.select_controls(&rule.candidate)).or_default().push(rule);
        }
        groups
    }

    /// The strongest [`MOST_CONTROLS`] columns that are unrelated to the rule.
    fn select_controls(&self, rule: &Candidate) -> Vec<Candidate> {
        let unrelated = self.columns.iter().filter(|control| !self.is_related(control, rule));
        unrelated.take(MOST_CONTROLS).cloned().collect()
    }

    /// Whether a column represents a column of the rule or comes from the attribute of one. The columns of an attribute
    /// exclude one another, so they are not useful as controls for one another.
    fn is_related(&self, control: &Candidate, rule: &Candidate) -> bool {
        let attribute = |literal: &Literal| literal.attribute(self.context.columns());
        control.literals().iter().any(|control| {
            rule.literals().iter().any(|literal| {
                attribute(control) == attribute(literal)
                    || control.column() == self.context.singles.representative(literal.column())
            })
        })
    }
}

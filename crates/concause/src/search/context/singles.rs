//! The single columns before the search: their counts, constants, and columns that are equal or complementary.

use std::collections::{BTreeMap, BTreeSet};

use crate::count::{Count, Counter, Grid, Strata, complements};
use crate::dataset::{Candidate, Column, Literal};
use crate::error::Error;
use crate::search::findings::Reason;
use crate::search::settings::{Duplicates, Knowledge, Role, Settings};

/// What is known about the single columns before any test.
pub(crate) struct Singles {
    /// The count of each column.
    pub counts: Vec<Count>,
    /// The count of each column in every stratum of the covariates.
    pub in_strata: Vec<Box<[Count]>>,
    /// The columns that are not tested as single causes, with the reasons.
    pub excluded: BTreeMap<u32, Reason>,
    /// The columns merged into the only other value of their attribute: complements by construction.
    other_values: BTreeSet<u32>,
    /// The columns that background knowledge forbids as causes, in ascending order.
    forbidden: Vec<u32>,
}

impl Singles {
    pub fn new(
        counter: &dyn Counter,
        strata: &Strata,
        columns: &[Column],
        settings: &Settings,
    ) -> Result<Self, Error> {
        let candidates: Vec<Candidate> = (0..columns.len() as u32).map(Candidate::single).collect();
        let in_strata = strata.counts(counter, &candidates)?;
        let counts: Vec<Count> = in_strata.iter().map(|counts| counts.iter().sum()).collect();
        let knowledge = &settings.knowledge;
        let mut excluded = excluded_by_knowledge(knowledge);
        let rows = counter.rows();
        for (column, &count) in (0..).zip(&counts) {
            if count.total() == 0 || count == rows {
                excluded.entry(column).or_insert(Reason::Constant);
            }
        }
        let mut forbidden = knowledge.forbidden.clone();
        forbidden.sort_unstable();
        if settings.duplicates == Duplicates::Merge {
            let found = find_duplicates(counter, &counts, &excluded, knowledge)?;
            excluded.extend(found);
        }
        let is_other_value = |(&column, reason): (&u32, &Reason)| {
            let Reason::Equivalent { to, complement: true } = reason else { return None };
            let attribute = columns[to.literals()[0].column() as usize].attribute;
            (columns[column as usize].attribute == attribute).then_some(column)
        };
        let other_values = excluded.iter().filter_map(is_other_value).collect();
        Ok(Self { counts, in_strata, excluded, other_values, forbidden })
    }

    /// The first forbidden column of a candidate. Forbidden columns are tested but not reported as causes.
    pub fn forbidden_column(&self, candidate: &Candidate) -> Option<Candidate> {
        let is_forbidden = |literal: &&Literal| self.forbidden.binary_search(&literal.column()).is_ok();
        candidate.literals().iter().find(is_forbidden).map(|literal| Candidate::single(literal.column()))
    }

    /// The column into which this one is merged because it is equal or complementary to it; otherwise the column
    /// itself.
    pub fn representative(&self, column: u32) -> u32 {
        match self.excluded.get(&column) {
            Some(Reason::Equivalent { to, .. }) => to.literals()[0].column(),
            _ => column,
        }
    }

    /// Whether conjunctions may use a column. Complements are included, since they form other conjunctions than the
    /// columns they are merged into.
    pub fn is_offered(&self, column: u32) -> bool {
        matches!(self.excluded.get(&column), None | Some(Reason::Equivalent { complement: true, .. }))
            && self.forbidden.binary_search(&column).is_err()
    }

    /// The columns that may be causes, alone and in conjunctions, in data order.
    pub fn parts(&self) -> Vec<u32> {
        let columns = 0..self.counts.len() as u32;
        columns.filter(|column| !self.excluded.contains_key(column) && self.is_offered(*column)).collect()
    }

    /// The columns merged into a single cause, but for the other value of its attribute; for a conjunction, the
    /// conjunctions with a column replaced by an equal one.
    pub fn equivalent(&self, candidate: &Candidate) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (&column, reason) in &self.excluded {
            let Reason::Equivalent { to, complement } = reason else { continue };
            let duplicate = Candidate::single(column);
            if candidate.level() == 1 && candidate.unsigned() == *to {
                // The same rows: the other literal of a complement.
                let [plain, negation] = Literal::signs(column);
                let is_plain = candidate == to;
                if !self.other_values.contains(&column) {
                    found.push(Candidate::single(if is_plain == *complement { negation } else { plain }));
                }
            } else if candidate.level() > 1 && candidate.overlaps(to) && !complement {
                found.push(candidate.without(to).join(&duplicate));
            }
        }
        found
    }
}

/// The number of columns that each column is counted with. The counts form a signature, so few unequal columns need a
/// pairwise comparison.
const PROBES: usize = 16;

/// The columns that take no part in the search, neither as causes nor in conditioning sets.
fn excluded_by_knowledge(knowledge: &Knowledge) -> BTreeMap<u32, Reason> {
    let reason = |column: u32, role| (column, Reason::Excluded { column: Candidate::single(column), role });
    let after = knowledge.after.iter().map(|&column| reason(column, Role::After));
    after.chain(knowledge.covariates.iter().map(|&column| reason(column, Role::Covariate))).collect()
}

/// Finds equal and complementary columns. Only columns with equal or complementary signatures are compared pair by
/// pair; a signature is the count of a column by itself and together with each of the [`PROBES`].
fn find_duplicates(
    counter: &dyn Counter,
    counts: &[Count],
    excluded: &BTreeMap<u32, Reason>,
    knowledge: &Knowledge,
) -> Result<BTreeMap<u32, Reason>, Error> {
    let rows = counter.rows();
    let free: Vec<u32> = (0..counts.len() as u32).filter(|column| !excluded.contains_key(column)).collect();
    let all_rows = Candidate::default();
    let probes: Vec<u32> = free.iter().step_by(free.len() / PROBES + 1).copied().collect();
    let (left, right) = (Literal::plain_all(&probes), Literal::plain_all(&free));
    let within = counter.grid(Grid { base: &all_rows, left: &left, right: &right })?;
    let within: Vec<(Count, &[Count])> =
        probes.iter().map(|&probe| counts[probe as usize]).zip(within.chunks(free.len().max(1))).collect();
    let mut alike: BTreeMap<Vec<Count>, Vec<u32>> = BTreeMap::new();
    for (i, &column) in free.iter().enumerate() {
        let own = counts[column as usize];
        let signature: Vec<Count> =
            std::iter::once(own).chain(within.iter().map(|(_, both)| both[i])).collect();
        let all: Vec<Count> = std::iter::once(rows).chain(within.iter().map(|(probe, _)| *probe)).collect();
        let complement = complements(&all, &signature);
        alike.entry(signature.min(complement)).or_default().push(column);
    }
    // All duplicates are merged into the first of their group. Required columns sort first, then columns without a
    // role. Columns that are no duplicates of the first are compared with one another.
    let mut groups: Vec<Vec<u32>> = alike.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by_key(|&column| {
            (!knowledge.requires(&Candidate::single(column)), knowledge.role(column).is_some(), column)
        });
    }
    let pairs_with_first = |group: &Vec<u32>| {
        let join_first = |&other: &u32| Candidate::new(vec![group[0], other]);
        group[1..].iter().map(join_first).collect::<Vec<_>>()
    };
    counter.prefetch(&[], &groups.iter().flat_map(pairs_with_first).collect::<Vec<_>>());
    let mut duplicates = BTreeMap::new();
    for mut group in groups {
        while group.len() > 1 {
            let first = group.remove(0);
            let (left, right) = ([Literal::plain(first)], Literal::plain_all(&group));
            let both = counter.grid(Grid { base: &all_rows, left: &left, right: &right })?;
            let own = counts[first as usize];
            let mut rest = Vec::new();
            for (column, both) in group.into_iter().zip(both) {
                let count = counts[column as usize];
                let equal = both == own && count == own;
                let complement = both == Count::default() && count + own == rows;
                if equal || complement {
                    duplicates
                        .insert(column, Reason::Equivalent { to: Candidate::single(first), complement });
                } else {
                    rest.push(column);
                }
            }
            group = rest;
        }
    }
    Ok(duplicates)
}

#[cfg(test)]
mod tests {
    use crate::dataset::{DatasetBuilder, Target};
    use crate::progress::NoProgress;
    use crate::search::{Method, Settings, mine};

    /// The values of `sex` are complements by construction, which says nothing; `uniform` is a copy, which does.
    #[test]
    fn the_other_value_of_a_two_valued_attribute_is_not_called_indistinguishable() {
        let women = || (0..200).map(|row| row % 2 == 0);
        let outcome = (0..200).map(|row| row % 2 == 0 && row % 10 != 0).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        let sexes = ["sex=female", "sex=male"].map(String::from).to_vec();
        builder.attribute("sex", sexes, women().map(|is_woman| Some(usize::from(!is_woman))));
        builder.attribute("uniform", vec!["uniform".into()], women().map(|it| it.then_some(0)));
        let data = builder.finish();
        for method in [Method::JOINT, Method::MH_PC_B] {
            let found = mine(&data, &Settings { method, ..Settings::default() }, &NoProgress).unwrap();
            let equivalent = found.causes[0].equivalent.iter().map(|it| it.name(data.columns()));
            assert_eq!(equivalent.collect::<Vec<_>>(), ["uniform"], "{method}");
        }
    }
}

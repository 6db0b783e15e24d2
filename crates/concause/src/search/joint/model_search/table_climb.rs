//! Climbs among tables, with exact scores.

use std::collections::BTreeSet;

use super::{Model, ModelSearch};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;
use crate::search::joint::effort::{AHEAD, EQUAL, HOPELESS, MOST_TABLED, WINDOW};
use crate::search::joint::rule_table::RuleTable;
use crate::search::joint::tables::{score_table, table_candidates, table_neighbours};

impl ModelSearch<'_> {
    /// A model as a table.
    pub(super) fn table(&self, model: &Model) -> RuleTable {
        let term = |&number: &u32| self.terms[number as usize].clone();
        RuleTable {
            tabled: model.terms.iter().filter(|term| !model.rules.contains(term)).map(term).collect(),
            rules: model.rules.iter().map(term).collect(),
        }
    }

    pub(super) fn neighbours_of_table(&self, table: &RuleTable) -> Result<Vec<(RuleTable, f64)>, Error> {
        let pool = self.pool.iter().map(|&number| self.terms[number as usize].clone());
        table_neighbours(self.space, table, &table_candidates(self.space, table, pool), f64::NEG_INFINITY)
    }

    fn insert_table(&mut self, table: &RuleTable, score: f64) {
        let rules = self.numbers(&table.rules);
        let terms = self.numbers(&table.tabled).into_iter().chain(rules.iter().copied()).collect();
        let mut model = Model::regression(Scale::Table, terms);
        model.rules = Model::regression(Scale::Table, rules).terms;
        self.insert_score(model, score);
    }

    /// Keeps the tables in the window.
    pub(super) fn insert_tables(&mut self, tables: Vec<(RuleTable, f64)>) {
        let best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
        for (table, score) in tables {
            if score >= best - WINDOW.ln() {
                self.insert_table(&table, score);
            }
        }
    }

    /// The tables from which climbs start: no terms, the terms of the best regression on each common scale, and the
    /// columns of the best one.
    fn starting_tables(&self) -> BTreeSet<RuleTable> {
        let common = Scale::REGRESSIONS.into_iter().filter(|scale| scale.is_common());
        let best = common.filter_map(|scale| self.best(Some(scale))).chain(self.best(None));
        let mut starts: Vec<Vec<Candidate>> = best.map(|(model, _)| self.terms_of(model)).collect();
        if let Some(best) = starts.last_mut() {
            *best = best.iter().flat_map(Candidate::singles).collect();
        }
        starts.retain(|terms| terms.len() <= MOST_TABLED);
        starts.push(Vec::new());
        let table = |terms: Vec<Candidate>| {
            let free = terms.into_iter().map(|term| self.space.canonical(term, Scale::Table));
            RuleTable {
                tabled: self.space.fixed.iter().cloned().chain(free).collect(),
                ..RuleTable::default()
            }
        };
        starts.into_iter().map(table).collect()
    }

    /// Climbs among tables.
    pub(super) fn climb_tables(&mut self) -> Result<(), Error> {
        for mut table in self.starting_tables() {
            let mut score = score_table(self.space, &table)?;
            let best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
            let is_empty = table.tabled.len() == self.space.fixed.len();
            if !is_empty && score < best - HOPELESS {
                // More terms would divide the rows into even more cells.
                continue;
            }
            let mut climb = vec![score];
            loop {
                self.check_stopped()?;
                let best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
                let is_near = score >= best - HOPELESS;
                if !is_near && self.is_table_hopeless(&climb, &table) {
                    break;
                }
                let neighbours = self.neighbours_of_table(&table)?;
                let mut next = neighbours.first().cloned();
                if next.as_ref().is_none_or(|next| next.1 <= score + EQUAL) {
                    next = if is_near { self.look_ahead(&table, score, &neighbours)? } else { None };
                }
                match next.filter(|next| next.1 > score + EQUAL) {
                    Some(next) => {
                        (table, score) = next;
                        climb.push(score);
                    }
                    None => {
                        self.insert_table(&table, score);
                        self.insert_tables(neighbours);
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The best table with two columns more, if it exceeds a score.
    fn look_ahead(
        &self,
        table: &RuleTable,
        score: f64,
        neighbours: &[(RuleTable, f64)],
    ) -> Result<Option<(RuleTable, f64)>, Error> {
        let singles: Vec<Candidate> =
            self.space.singles.iter().map(|&column| Candidate::single(column)).collect();
        let size = table.tabled.len();
        let has_one_more = |(next, _): &&(RuleTable, f64)| {
            let added = next.tabled.difference(&table.tabled).next();
            next.tabled.len() == size + 1
                && next.rules == table.rules
                && added.is_some_and(|term| term.level() == 1)
        };
        let mut best: Option<(RuleTable, f64)> = None;
        for (next, _) in neighbours.iter().filter(has_one_more).take(AHEAD) {
            self.check_stopped()?;
            let further: Vec<Candidate> =
                singles.iter().filter(|single| !next.tabled.contains(*single)).cloned().collect();
            let found = table_neighbours(self.space, next, &further, score)?.into_iter().next();
            best =
                best.into_iter().chain(found).max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        }
        Ok(best)
    }
}

//! The models in Occam's window: those near the best one, on all scales (Madigan and Raftery 1994).

use std::cmp::Reverse;

use super::expand::Goal;
use super::{Model, ModelSearch};
use crate::error::Error;
use crate::model::Scale;
use crate::search::joint::effort::{LEAST_GAIN, LEAST_SCORED, MOST_GROUPS, MOST_SCORED, WINDOW};

impl ModelSearch<'_> {
    /// Expands the models in the window, best first.
    pub(super) fn collect(&mut self) -> Result<(), Error> {
        let groups = self.groups_of_best()?.max(1);
        let limit = self.scores.len() + (MOST_GROUPS / groups).clamp(LEAST_SCORED, MOST_SCORED);
        let more = limit - self.scores.len();
        self.space.context.progress.begin("comparing the best models: models scored", more as u64);
        let mut summit = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
        loop {
            self.check_stopped()?;
            let Some((best, best_score)) = self.best(None) else { return Ok(()) };
            if best_score > summit + LEAST_GAIN {
                let scale = best.scale;
                self.climb(scale)?;
                summit = self.best(None).map_or(best_score, |(_, score)| score);
            }
            let open = |(model, &score): (&Model, &f64)| {
                (!self.expanded.contains(model) && score >= best_score - WINDOW.ln())
                    .then(|| (score, Reverse(model.clone())))
            };
            let next =
                self.scores.iter().filter_map(open).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((_, Reverse(model))) = next else { return Ok(()) };
            if self.scores.len() > limit {
                return Ok(());
            }
            self.expanded.insert(model.clone());
            if model.scale == Scale::Table {
                self.climbed.insert(model.clone());
                let table = self.table(&model);
                let neighbours = self.neighbours_of_table(&table)?;
                self.insert_tables(neighbours);
            } else {
                self.expand(&model, Goal::Window)?;
                for scale in Scale::REGRESSIONS {
                    let best = self.best(Some(scale)).map_or(f64::NEG_INFINITY, |(_, score)| score);
                    if best >= best_score - WINDOW.ln() {
                        self.change_scale(&model, scale)?;
                    }
                }
            }
        }
    }

    /// The number of groups of rows of the best model.
    fn groups_of_best(&self) -> Result<usize, Error> {
        let terms = self.best(None).map_or_else(Vec::new, |(best, _)| self.terms_of(best));
        Ok(self.space.context.counter().configurations_of(&terms)?.len())
    }
}

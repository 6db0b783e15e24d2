//! From what a user knows of the columns, by name, to what the search is told.

use concause::dataset::{Candidate, Dataset};
use concause::search::Knowledge;
use concause_io::{Encoding, Order, suggestion};

use crate::arguments::KnowledgeArguments;
use crate::failure::Failure;
use crate::names::{self, pieces};

/// What the flags say, before any data is read.
pub(crate) struct Stated<'a> {
    flags: &'a KnowledgeArguments,
    order: Option<Order>,
}

impl<'a> Stated<'a> {
    /// Reads the order of time, if there is one.
    pub fn new(flags: &'a KnowledgeArguments) -> Result<Self, Failure> {
        let order = flags.order.as_deref().map(Order::from_file).transpose()?;
        Ok(Self { flags, order })
    }

    /// The columns and conjunctions that the names stand for.
    pub fn of(&self, encoding: &Encoding) -> Result<Knowledge, Failure> {
        let known = Known { encoding, dataset: &encoding.dataset };
        let mut after = known.columns("--after", &self.flags.after)?;
        if let Some(order) = &self.order {
            after.extend(known.after(order)?);
            after.sort_unstable();
            after.dedup();
        }
        Ok(Knowledge {
            after,
            covariates: known.columns("--covariates", &self.flags.covariates)?,
            forbidden: known.columns("--forbid", &self.flags.forbid)?,
            required: known.candidates(&self.flags.require)?,
        })
    }
}

/// The columns of `--covariates` where nothing else can be known of them.
pub(crate) fn covariates(lists: &[String], encoding: &Encoding) -> Result<Vec<u32>, Failure> {
    Known { encoding, dataset: &encoding.dataset }.columns("--covariates", lists)
}

/// The names there are.
struct Known<'a> {
    encoding: &'a Encoding,
    dataset: &'a Dataset,
}

impl Known<'_> {
    /// The columns of an attribute, none if it was left out; or the column of that name.
    fn find(&self, name: &str) -> Option<Vec<u32>> {
        let columns = self.dataset.columns();
        let of = |attribute: usize| {
            let belongs = move |&column: &u32| columns[column as usize].attribute == attribute;
            (0..columns.len() as u32).filter(belongs).collect()
        };
        if let Some(attribute) = self.dataset.attributes().iter().position(|attribute| attribute == name) {
            return Some(of(attribute));
        }
        if let Some(column) = columns.iter().position(|column| column.name == name) {
            return Some(vec![column as u32]);
        }
        self.encoding.legend.iter().any(|entry| entry.attribute == name).then(Vec::new)
    }

    /// The columns of lists of names, in data order.
    fn columns(&self, flag: &str, lists: &[String]) -> Result<Vec<u32>, Failure> {
        let mut found = Vec::new();
        for list in lists {
            let parts =
                pieces(list, &[',', ';'], &|name| self.find(name).map(|columns| (name.to_owned(), columns)));
            for (name, columns) in parts.ok_or_else(|| self.unknown(flag, list))? {
                // What was left out is no cause and explains nothing, but it cannot be held fixed.
                if columns.is_empty() && flag == "--covariates" {
                    return Err(self.left_out(flag, &name));
                }
                found.extend(columns);
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The candidates of lists of names; an attribute stands for each of its columns.
    fn candidates(&self, lists: &[String]) -> Result<Vec<Candidate>, Failure> {
        let of = |name: &str| {
            let columns = self.find(name).map(|columns| columns.into_iter().map(Candidate::single).collect());
            columns.or_else(|| Some(vec![names::candidate(name, self.dataset.columns()).ok()?]))
        };
        let mut found: Vec<Candidate> = Vec::new();
        for list in lists {
            let parts =
                pieces(list, &[',', ';'], &|name| of(name).map(|candidates| (name.to_owned(), candidates)));
            for (name, candidates) in parts.ok_or_else(|| self.unknown("--require", list))? {
                if candidates.is_empty() {
                    return Err(self.left_out("--require", &name));
                }
                found.extend(candidates);
            }
        }
        Ok(found)
    }

    /// The columns in the tiers after the target's.
    fn after(&self, order: &Order) -> Result<Vec<u32>, Failure> {
        let target = self.dataset.target();
        if let Some(name) = order.names().find(|name| *name != target.name && self.find(name).is_none()) {
            return Err(self.unknown("--order", name));
        }
        let Some(after) = order.after(&target.name) else {
            return Err(Failure::Input(format!(
                "--order has no tier with the target {:?}; put it into one, so that what comes after it is known",
                target.name
            )));
        };
        Ok(after.into_iter().filter_map(|name| self.find(name)).flatten().collect())
    }

    fn left_out(&self, flag: &str, name: &str) -> Failure {
        let note = self.encoding.legend.iter().find(|entry| entry.attribute == name);
        let note = note.and_then(|entry| entry.note.as_deref()).unwrap_or("it gave no column");
        Failure::Input(format!("{flag} names {name:?}, of which there is no column ({note})"))
    }

    /// Blames the first name of a list that is not known by itself.
    fn unknown(&self, flag: &str, list: &str) -> Failure {
        let columns = self.dataset.columns();
        let is_known = |name: &str| self.find(name).is_some() || names::candidate(name, columns).is_ok();
        let name = list.split([',', ';']).map(str::trim).find(|name| !is_known(name)).unwrap_or(list);
        let target = self.dataset.target();
        if name == target.name || name == target.label() {
            return Failure::Input(format!("{flag} names {name:?}, which is the target"));
        }
        let attributes = self.dataset.attributes().iter().map(String::as_str);
        let names = attributes.chain(columns.iter().map(|column| column.name.as_str()));
        Failure::Input(format!("{flag}: there is no column {name:?}{}", suggestion(name, names)))
    }
}

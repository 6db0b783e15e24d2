//! From background knowledge by name to the columns that the search uses.

use std::collections::{BTreeSet, HashMap};

use concause::dataset::{Candidate, ColumnNames, Dataset, name_ends, split_names};
use concause::search::Knowledge;
use concause_io::{Encoding, Order, suggestion};

use crate::error::RunError;
use crate::names::SEPARATORS;
use crate::requests::KnowledgeRequest;

/// Background knowledge before any data are read.
pub(crate) struct NamedKnowledge<'a> {
    request: &'a KnowledgeRequest,
    order: Option<Order>,
}

impl<'a> NamedKnowledge<'a> {
    /// Reads the temporal order, if there is one.
    pub fn read(request: &'a KnowledgeRequest) -> Result<Self, RunError> {
        let order = request.order.as_ref().map(Order::read).transpose()?;
        Ok(Self { request, order })
    }

    /// Finds the columns and conjunctions of the names.
    pub fn resolve(&self, encoding: &Encoding) -> Result<Knowledge, RunError> {
        let names = Names::new(encoding);
        let mut after = names.find_columns("after", &self.request.after)?;
        if let Some(order) = &self.order {
            after.extend(names.find_later_columns(order)?);
            after.sort_unstable();
            after.dedup();
        }
        Ok(Knowledge {
            after,
            covariates: names.find_columns("covariates", &self.request.covariates)?,
            forbidden: names.find_columns("forbid", &self.request.forbid)?,
            required: names.find_candidates(&self.request.require)?,
        })
    }
}

/// The columns of covariates where there is no other background knowledge.
pub(crate) fn find_covariates(lists: &[String], encoding: &Encoding) -> Result<Vec<u32>, RunError> {
    Names::new(encoding).find_columns("covariates", lists)
}

/// The names of attributes and columns, indexed.
struct Names<'a> {
    encoding: &'a Encoding,
    dataset: &'a Dataset,
    columns: ColumnNames<'a>,
    /// The columns of each attribute; none if it was not encoded.
    attributes: HashMap<&'a str, Vec<u32>>,
    longest: usize,
}

impl<'a> Names<'a> {
    fn new(encoding: &'a Encoding) -> Self {
        let dataset = &encoding.dataset;
        let mut of_attributes = vec![Vec::new(); dataset.attributes().len()];
        for (number, column) in (0..).zip(dataset.columns()) {
            of_attributes[column.attribute].push(number);
        }
        let mut attributes: HashMap<&str, Vec<u32>> = HashMap::new();
        for (name, columns) in dataset.attributes().iter().zip(of_attributes) {
            attributes.entry(name).or_insert(columns);
        }
        let columns = ColumnNames::new(dataset.columns());
        for entry in &encoding.legend {
            if columns.find(&entry.attribute).is_none() {
                attributes.entry(&entry.attribute).or_default();
            }
        }
        let names = attributes.keys().copied().chain(dataset.columns().iter().map(|it| it.name.as_str()));
        let longest = names.map(str::len).max().unwrap_or(0);
        Self { encoding, dataset, columns, attributes, longest }
    }

    /// The columns of an attribute, empty if it was not encoded; or the column of this name.
    fn find(&self, name: &str) -> Option<Vec<u32>> {
        self.attributes.get(name).cloned().or_else(|| self.columns.find(name).map(|column| vec![column]))
    }

    /// The ends of the names with which a list begins.
    fn ends(&self, list: &str) -> Vec<usize> {
        name_ends(list, &SEPARATORS, self.longest, &|name| {
            self.attributes.contains_key(name) || self.columns.find(name).is_some()
        })
    }

    /// The columns of lists of names, in data order.
    fn find_columns(&self, setting: &'static str, lists: &[String]) -> Result<Vec<u32>, RunError> {
        let mut found = Vec::new();
        for list in lists {
            let named = split_names(list, &SEPARATORS, &|rest| self.ends(rest), &|name| {
                self.find(name).map(|columns| (name.to_owned(), columns))
            });
            for (name, columns) in named.ok_or_else(|| self.unknown_name(setting, list))? {
                // An attribute that was not encoded is never a cause and explains nothing, but it cannot be held
                // fixed.
                if columns.is_empty() && setting == "covariates" {
                    return Err(self.unused_attribute(setting, &name));
                }
                found.extend(columns);
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The candidates of the required causes; an attribute stands for each of its columns.
    fn find_candidates(&self, lists: &[String]) -> Result<Vec<Candidate>, RunError> {
        let find = |name: &str| {
            let columns = self.find(name).map(|columns| columns.into_iter().map(Candidate::single).collect());
            columns.or_else(|| Some(vec![self.columns.candidate(name)?]))
        };
        let ends = |rest: &str| {
            let mut ends: BTreeSet<usize> = self.ends(rest).into_iter().collect();
            ends.extend(self.columns.candidate_ends(rest, &SEPARATORS));
            ends.into_iter().collect()
        };
        let mut found: Vec<Candidate> = Vec::new();
        for list in lists {
            let named = split_names(list, &SEPARATORS, &ends, &|name| {
                find(name).map(|candidates| (name.to_owned(), candidates))
            });
            for (name, candidates) in named.ok_or_else(|| self.unknown_name("require", list))? {
                if candidates.is_empty() {
                    return Err(self.unused_attribute("require", &name));
                }
                found.extend(candidates);
            }
        }
        Ok(found)
    }

    /// The columns in the tiers after that of the target.
    fn find_later_columns(&self, order: &Order) -> Result<Vec<u32>, RunError> {
        let target = self.dataset.target();
        if let Some(name) = order.names().find(|name| *name != target.name && self.find(name).is_none()) {
            return Err(self.unknown_name("order", name));
        }
        let Some(after) = order.after(&target.name) else {
            return Err(RunError::OrderWithoutTarget { target: target.name.clone() });
        };
        Ok(after.into_iter().filter_map(|name| self.find(name)).flatten().collect())
    }

    fn unused_attribute(&self, setting: &'static str, name: &str) -> RunError {
        let entry = self.encoding.legend.iter().find(|entry| entry.attribute == name);
        let reason = entry.and_then(|entry| entry.note.clone());
        RunError::NamesUnusedAttribute { setting, name: name.to_owned(), reason }
    }

    /// Reports the first name of a list that is not known by itself.
    fn unknown_name(&self, setting: &'static str, list: &str) -> RunError {
        let columns = self.dataset.columns();
        let is_known = |name: &str| self.find(name).is_some() || self.columns.candidate(name).is_some();
        let name = list.split(SEPARATORS).map(str::trim).find(|name| !is_known(name)).unwrap_or(list);
        let target = self.dataset.target();
        if name == target.name || name == target.label() {
            return RunError::NamesTarget { setting, name: name.to_owned() };
        }
        let attributes = self.dataset.attributes().iter().map(String::as_str);
        let names = attributes.chain(columns.iter().map(|column| column.name.as_str()));
        let suggestion = suggestion(name, names);
        RunError::UnknownColumn { setting: Some(setting), name: name.to_owned(), suggestion }
    }
}

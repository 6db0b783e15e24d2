//! Background knowledge about the columns.

use super::{Preset, Settings};
use crate::dataset::{Candidate, Column, Literal};
use crate::error::Error;

/// Background knowledge about the columns. A column has at most one role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// Columns recorded after the target. They are neither causes nor members of conditioning sets.
    pub after: Vec<u32>,
    /// Columns that every test is stratified by, in addition to its conditioning set. They are never causes.
    pub covariates: Vec<u32>,
    /// Columns that may be neither causes nor parts of causes, but may separate other candidates from the target.
    pub forbidden: Vec<u32>,
    /// Columns and conjunctions that are causes regardless of the tests.
    pub required: Vec<Candidate>,
}

/// Why a column may not be a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// It is recorded after the target.
    After,
    /// It is a covariate: every test is stratified by it.
    Covariate,
    /// It is forbidden as a cause.
    Forbidden,
}

impl Role {
    /// The setting that assigns it.
    pub fn setting(self) -> &'static str {
        match self {
            Role::After => "after",
            Role::Covariate => "covariates",
            Role::Forbidden => "forbid",
        }
    }
}

impl Knowledge {
    /// Whether there is no background knowledge.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
            && self.covariates.is_empty()
            && self.forbidden.is_empty()
            && self.required.is_empty()
    }

    /// The role of a column; `None` if it may be a cause.
    pub fn role(&self, column: u32) -> Option<Role> {
        self.roles().find(|&(_, other)| other == column).map(|(role, _)| role)
    }

    /// Whether a candidate is a required cause.
    pub fn requires(&self, candidate: &Candidate) -> bool {
        self.required.contains(candidate)
    }

    fn roles(&self) -> impl Iterator<Item = (Role, u32)> {
        let assigned = [
            (Role::After, &self.after),
            (Role::Covariate, &self.covariates),
            (Role::Forbidden, &self.forbidden),
        ];
        assigned.into_iter().flat_map(|(role, columns)| columns.iter().map(move |&column| (role, column)))
    }

    /// Checks that the knowledge is consistent and that the method supports it.
    pub(crate) fn check(&self, settings: &Settings, columns: &[Column]) -> Result<(), Error> {
        self.check_method(settings)?;
        let name = |column: u32| Candidate::single(column).name(columns);
        let roles: Vec<(Role, u32)> = self.roles().collect();
        for (number, &(role, column)) in roles.iter().enumerate() {
            let is_conflict =
                |&&(other, other_column): &&(Role, u32)| other_column == column && other != role;
            let other = roles[..number].iter().find(is_conflict);
            if let Some((other, _)) = other {
                let settings = [other.setting(), role.setting()];
                return Err(Error::TwoRoles { column: name(column), part_of: None, settings });
            }
        }
        for required in &self.required {
            self.check_required(required, settings, columns)?;
        }
        let is_left = (0..columns.len() as u32).any(|column| self.role(column).is_none());
        if is_left || columns.is_empty() { Ok(()) } else { Err(Error::NoColumnLeft) }
    }

    fn check_required(
        &self,
        required: &Candidate,
        settings: &Settings,
        columns: &[Column],
    ) -> Result<(), Error> {
        let name = required.name(columns);
        for literal in required.literals() {
            if let Some(role) = self.role(literal.column()) {
                let column = literal.name(columns);
                let part_of = (required.level() > 1).then_some(name);
                return Err(Error::TwoRoles { column, part_of, settings: ["require", role.setting()] });
            }
        }
        let attribute = |literal: &Literal| literal.attribute(columns);
        let attributes: Vec<usize> = required.literals().iter().map(attribute).collect();
        if attributes.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::RequiredSameAttribute { name });
        }
        let (level, max_level) = (required.level(), settings.deepest_level());
        if level > max_level { Err(Error::RequiredTooDeep { name, level, max_level }) } else { Ok(()) }
    }

    fn check_method(&self, settings: &Settings) -> Result<(), Error> {
        let method = settings.method.descriptor();
        if settings.preset == Preset::PaperTable && !self.is_empty() {
            return Err(Error::PresetWithoutKnowledge { preset: settings.preset.name() });
        }
        if !self.required.is_empty() && !method.honours("require") {
            return Err(Error::Unsupported { method: method.name, setting: "require" });
        }
        Ok(())
    }
}

//! What is known before the data is searched, and how it bites.

use super::settings::{Preset, Settings};
use crate::dataset::{Candidate, Column};

/// What a user knows of the columns. A column has one role at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// Columns that come after the target: they are never causes, and never in a conditioning set.
    pub after: Vec<u32>,
    /// Columns that are held fixed in every test, beside its conditioning set; they are never causes.
    pub covariates: Vec<u32>,
    /// Columns that may not be causes, nor part of one, but may explain others away.
    pub forbidden: Vec<u32>,
    /// Columns and conjunctions that are causes whatever the tests say.
    pub required: Vec<Candidate>,
}

/// Why a column may not be a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// It comes after the target.
    After,
    /// It is held fixed in every test.
    Covariate,
    /// The user says so.
    Forbidden,
}

impl Role {
    /// The flag that gives it.
    fn flag(self) -> &'static str {
        match self {
            Role::After => "--after",
            Role::Covariate => "--covariates",
            Role::Forbidden => "--forbid",
        }
    }
}

impl Knowledge {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
            && self.covariates.is_empty()
            && self.forbidden.is_empty()
            && self.required.is_empty()
    }

    /// Why a column may not be a cause; none if it may.
    pub fn role(&self, column: u32) -> Option<Role> {
        self.roles().find(|&(_, other)| other == column).map(|(role, _)| role)
    }

    /// Whether a candidate is taken as a cause.
    pub fn requires(&self, candidate: &Candidate) -> bool {
        self.required.contains(candidate)
    }

    fn roles(&self) -> impl Iterator<Item = (Role, u32)> {
        let of =
            |role: Role, columns: &[u32]| columns.iter().map(|&column| (role, column)).collect::<Vec<_>>();
        let all = [
            of(Role::After, &self.after),
            of(Role::Covariate, &self.covariates),
            of(Role::Forbidden, &self.forbidden),
        ];
        all.into_iter().flatten()
    }

    /// The first thing that is wrong with it, as a sentence.
    pub(super) fn check(&self, settings: &Settings, columns: &[Column]) -> Result<(), String> {
        self.check_method(settings)?;
        let name = |column: u32| Candidate::single(column).name(columns);
        let roles: Vec<(Role, u32)> = self.roles().collect();
        for (place, &(role, column)) in roles.iter().enumerate() {
            if let Some((other, _)) =
                roles[..place].iter().find(|&&(other, it)| it == column && other != role)
            {
                return Err(format!(
                    "{:?} is named by {} and by {}; it can be only one of them",
                    name(column),
                    other.flag(),
                    role.flag()
                ));
            }
        }
        for required in &self.required {
            self.check_required(required, settings, columns)?;
        }
        let free = (0..columns.len() as u32).any(|column| self.role(column).is_none());
        if !free && !columns.is_empty() {
            return Err(
                "no column is left that may be a cause: --after, --covariates and --forbid name all".into()
            );
        }
        Ok(())
    }

    fn check_required(
        &self,
        required: &Candidate,
        settings: &Settings,
        columns: &[Column],
    ) -> Result<(), String> {
        let name = required.name(columns);
        for &column in required.columns() {
            if let Some(role) = self.role(column) {
                let column = Candidate::single(column).name(columns);
                let part = if required.level() > 1 { format!(" of {name:?}") } else { String::new() };
                return Err(format!("{column:?}{part} is named by --require and by {}", role.flag()));
            }
        }
        let attribute = |column: u32| columns[column as usize].attribute;
        let attributes: Vec<usize> = required.columns().iter().map(|&column| attribute(column)).collect();
        if attributes.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!(
                "--require {name:?} joins two columns of the same attribute, which cannot both hold"
            ));
        }
        if required.level() > settings.deepest_level() {
            return Err(format!(
                "--require {name:?} joins {} columns, but {}",
                required.level(),
                match settings.deepest_level() {
                    1 => "the search is for single causes".to_owned(),
                    level => format!("--max-level is {level}"),
                }
            ));
        }
        Ok(())
    }

    /// What some methods cannot honour.
    fn check_method(&self, settings: &Settings) -> Result<(), String> {
        let method = settings.method;
        if settings.preset == Preset::PaperTable && !self.is_empty() {
            return Err(
                "--preset paper-table gives the paper's numbers and takes no background knowledge".into()
            );
        }
        // A rule is judged by itself: to require one would change no other.
        let unheard = (!self.required.is_empty() && method.is_of_rules()).then_some("--require");
        match unheard {
            Some(flag) => Err(format!("--method {method} cannot honour {flag}; choose another method")),
            None => Ok(()),
        }
    }
}

//! Descriptors of settings. A setting is defined once, in the table of its request ([`FromSettings::settings`]): the
//! flag of the command with its help, completion and manual page, and the keyword of the Python package, come from
//! that definition.
//!
//! A front end collects what the user gave as [`Given`] values and calls [`build`].

pub(crate) mod values;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use concause_io::suggestion_among;

use crate::error::{SettingError, SettingProblem};
pub use values::Expected;

/// How a setting is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// On or off.
    Flag,
    /// One value.
    Value,
    /// Any number of values.
    List,
}

/// Whether a setting has to be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It may be omitted.
    Optional,
    /// It is always required.
    Required,
    /// It is required unless the named setting is given.
    RequiredUnless(&'static str),
}

type Apply<R> = dyn Fn(&mut R, &str) -> Result<(), Expected> + Send + Sync;

/// A setting of the request `R`.
#[derive(Clone)]
pub struct Setting<R> {
    /// The name, with hyphens: `max-level`.
    pub name: &'static str,
    /// A former name that is still accepted.
    pub alias: Option<&'static str>,
    /// The short flag of the command.
    pub short: Option<char>,
    /// How it is given.
    pub form: Form,
    /// The placeholder of the value in help texts, e.g. `LEVEL`; empty for a flag.
    pub value_name: &'static str,
    /// The heading in help texts; empty for none.
    pub group: &'static str,
    /// The help text, without a final full stop.
    pub help: Cow<'static, str>,
    /// Whether the short help omits it.
    pub advanced: bool,
    /// The text of the default value, if there is a single one.
    pub default: Option<&'static str>,
    /// Whether it has to be given.
    pub presence: Presence,
    /// The settings it cannot be combined with.
    pub conflicts: &'static [&'static str],
    /// The setting that it replaces if both are given.
    pub overrides: Option<&'static str>,
    /// The character between the values of a list, if one text may hold several.
    pub separator: Option<char>,
    /// All possible values, if there are few; for completion.
    pub choices: Vec<&'static str>,
    apply: Arc<Apply<R>>,
}

impl<R: 'static> Setting<R> {
    fn new(name: &'static str, form: Form, help: Cow<'static, str>, apply: Arc<Apply<R>>) -> Self {
        Self {
            name,
            alias: None,
            short: None,
            form,
            value_name: "",
            group: "",
            help,
            advanced: false,
            default: None,
            presence: Presence::Optional,
            conflicts: &[],
            overrides: None,
            separator: None,
            choices: Vec::new(),
            apply,
        }
    }

    pub(crate) fn flag(name: &'static str, help: &'static str, apply: fn(&mut R)) -> Self {
        let apply = move |request: &mut R, _: &str| {
            apply(request);
            Ok(())
        };
        Self::new(name, Form::Flag, help.into(), Arc::new(apply))
    }

    pub(crate) fn value(
        name: &'static str,
        value_name: &'static str,
        help: impl Into<Cow<'static, str>>,
        apply: fn(&mut R, &str) -> Result<(), Expected>,
    ) -> Self {
        Self { value_name, ..Self::new(name, Form::Value, help.into(), Arc::new(apply)) }
    }

    pub(crate) fn list(
        name: &'static str,
        value_name: &'static str,
        help: impl Into<Cow<'static, str>>,
        apply: fn(&mut R, &str) -> Result<(), Expected>,
    ) -> Self {
        Self { value_name, ..Self::new(name, Form::List, help.into(), Arc::new(apply)) }
    }

    pub(crate) fn group(self, group: &'static str) -> Self {
        Self { group, ..self }
    }

    pub(crate) fn advanced(self) -> Self {
        Self { advanced: true, ..self }
    }

    pub(crate) fn short(self, short: char) -> Self {
        Self { short: Some(short), ..self }
    }

    pub(crate) fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    pub(crate) fn default(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(crate) fn required(self) -> Self {
        Self { presence: Presence::Required, ..self }
    }

    pub(crate) fn required_unless(self, other: &'static str) -> Self {
        Self { presence: Presence::RequiredUnless(other), ..self }
    }

    pub(crate) fn conflicts(self, others: &'static [&'static str]) -> Self {
        Self { conflicts: others, ..self }
    }

    pub(crate) fn overrides(self, other: &'static str) -> Self {
        Self { overrides: Some(other), ..self }
    }

    pub(crate) fn separator(self, separator: char) -> Self {
        Self { separator: Some(separator), ..self }
    }

    pub(crate) fn choices(self, choices: Vec<&'static str>) -> Self {
        Self { choices, ..self }
    }

    /// The same setting of a request that contains `R`.
    pub(crate) fn project<Outer: 'static>(self, inner: fn(&mut Outer) -> &mut R) -> Setting<Outer> {
        let apply = self.apply;
        Setting {
            name: self.name,
            alias: self.alias,
            short: self.short,
            form: self.form,
            value_name: self.value_name,
            group: self.group,
            help: self.help.clone(),
            advanced: self.advanced,
            default: self.default,
            presence: self.presence,
            conflicts: self.conflicts,
            overrides: self.overrides,
            separator: self.separator,
            choices: self.choices,
            apply: Arc::new(move |request: &mut Outer, text: &str| apply(inner(request), text)),
        }
    }

    /// Sets one value in a request; the text of a flag is empty.
    pub fn apply(&self, request: &mut R, text: &str) -> Result<(), Expected> {
        (self.apply)(request, text)
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }
}

impl<R> fmt::Debug for Setting<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Setting")
            .field("name", &self.name)
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

/// A request that can be built from named settings.
pub trait FromSettings: Clone + Default + 'static {
    /// All settings, in the order of help texts.
    fn settings() -> Vec<Setting<Self>>;
}

/// A setting that the user gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The name, with hyphens.
    pub name: String,
    /// The values as text; a flag has none.
    pub values: Vec<String>,
}

/// A request, and the settings it was built from: under their current names, in the order of their definition.
#[derive(Clone, Debug)]
pub struct Built<R> {
    /// The request.
    pub request: R,
    /// The settings.
    pub given: Vec<Given>,
}

/// Builds a request from the settings given; all others keep their defaults.
pub fn build<R: FromSettings>(given: &[Given]) -> Result<Built<R>, SettingError> {
    let settings = R::settings();
    if let Some(unknown) = given.iter().find(|it| !settings.iter().any(|setting| setting.is_called(&it.name)))
    {
        return Err(unknown_setting(&settings, &unknown.name));
    }
    let mut built = Built { request: R::default(), given: Vec::new() };
    for setting in &settings {
        let values = collect_values(setting, given)?;
        for text in values.iter().flat_map(|it| &it.values) {
            let applied = setting.apply(&mut built.request, text);
            applied.map_err(|expected| wrong_value(setting.name, text, expected))?;
        }
        if let (Some(given), Form::Flag) = (&values, setting.form) {
            debug_assert!(given.values.is_empty());
            let applied = setting.apply(&mut built.request, "");
            applied.map_err(|expected| wrong_value(setting.name, "", expected))?;
        }
        built.given.extend(values);
    }
    check_combination(&settings, &built.given)?;
    Ok(built)
}

/// The values of a setting, whichever of its names they were given under; none if it was not given.
fn collect_values<R: 'static>(setting: &Setting<R>, given: &[Given]) -> Result<Option<Given>, SettingError> {
    let mut entries = given.iter().filter(|it| setting.is_called(&it.name)).peekable();
    if entries.peek().is_none() {
        return Ok(None);
    }
    let texts: Vec<&String> = entries.flat_map(|it| &it.values).collect();
    let values: Vec<String> = match setting.separator {
        Some(separator) => texts.iter().flat_map(|text| text.split(separator)).map(str::to_owned).collect(),
        None => texts.into_iter().cloned().collect(),
    };
    let is_allowed = match setting.form {
        Form::Flag => values.is_empty(),
        Form::Value => values.len() <= 1,
        Form::List => true,
    };
    if !is_allowed {
        let problem = SettingProblem::TooManyValues;
        return Err(SettingError { setting: setting.name.to_owned(), problem });
    }
    let is_given = setting.form == Form::Flag || !values.is_empty();
    Ok(is_given.then(|| Given { name: setting.name.to_owned(), values }))
}

fn check_combination<R>(settings: &[Setting<R>], given: &[Given]) -> Result<(), SettingError> {
    let is_given = |name: &str| given.iter().any(|it| it.name == name);
    for setting in settings {
        let fail = |problem| Err(SettingError { setting: setting.name.to_owned(), problem });
        if is_given(setting.name) {
            if let Some(other) = setting.conflicts.iter().find(|other| is_given(other)) {
                return fail(SettingProblem::Conflict { with: (*other).to_owned() });
            }
            continue;
        }
        match setting.presence {
            Presence::Required => return fail(SettingProblem::Missing),
            Presence::RequiredUnless(other) if !is_given(other) => return fail(SettingProblem::Missing),
            _ => {}
        }
    }
    Ok(())
}

fn wrong_value(setting: &str, value: &str, expected: Expected) -> SettingError {
    let problem = SettingProblem::Value { value: value.to_owned(), expected };
    SettingError { setting: setting.to_owned(), problem }
}

fn unknown_setting<R>(settings: &[Setting<R>], name: &str) -> SettingError {
    let names = settings.iter().map(|setting| setting.name.replace('-', "_"));
    let names: Vec<String> = names.collect();
    let name = name.replace('-', "_");
    let suggestion = suggestion_among("settings", &name, names.iter().map(String::as_str));
    SettingError { setting: name, problem: SettingProblem::Unknown { suggestion } }
}

//! The settings of a request as flags of a command, built from their descriptors.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint};
use concause_report::printable;
use concause_run::flag_name;
use concause_run::settings::{Expected, Form, FromSettings, Given, Presence, Setting, build};

/// A request, and the settings that were typed.
#[derive(Debug)]
pub struct Flags<R> {
    /// The request.
    pub request: R,
    /// The settings that it was built from.
    pub given: Vec<Given>,
}

impl<R: FromSettings> Args for Flags<R> {
    fn augment_args(command: Command) -> Command {
        command.args(R::settings().into_iter().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<R: FromSettings> FromArgMatches for Flags<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let is_typed =
            |setting: &Setting<R>| matches.value_source(setting.name) == Some(ValueSource::CommandLine);
        let given = |setting: Setting<R>| {
            let values = match setting.form {
                Form::Flag => Vec::new(),
                _ => matches.get_many::<String>(setting.name).into_iter().flatten().cloned().collect(),
            };
            Given { name: setting.name.to_owned(), values }
        };
        let given: Vec<Given> = R::settings().into_iter().filter(is_typed).map(given).collect();
        let built = build(&given);
        let built = built.map_err(|error| {
            Error::raw(ErrorKind::ValueValidation, printable(&error.describe(&flag_name)))
        })?;
        Ok(Self { request: built.request, given: built.given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flag of a setting.
fn flag<R: FromSettings>(setting: Setting<R>) -> Arg {
    let mut flag = Arg::new(setting.name)
        .long(setting.name)
        .help(setting.help.to_string())
        .hide_short_help(setting.advanced)
        .conflicts_with_all(setting.conflicts.iter().copied())
        .action(match setting.form {
            Form::Flag => ArgAction::SetTrue,
            Form::Value => ArgAction::Set,
            Form::List => ArgAction::Append,
        });
    flag = match setting.presence {
        Presence::Optional => flag,
        Presence::Required => flag.required(true),
        Presence::RequiredUnless(other) => flag.required_unless_present(other),
    };
    if !setting.group.is_empty() {
        flag = flag.help_heading(setting.group);
    }
    if let Some(short) = setting.short {
        flag = flag.short(short);
    }
    if let Some(alias) = setting.alias {
        flag = flag.alias(alias);
    }
    if let Some(other) = setting.overrides {
        flag = flag.overrides_with(other);
    }
    if setting.form == Form::Flag {
        return flag;
    }
    flag = flag.value_name(setting.value_name).hide_possible_values(true).allow_negative_numbers(true);
    if let Some(default) = setting.default {
        flag = flag.default_value(default);
    }
    if let Some(separator) = setting.separator {
        flag = flag.value_delimiter(separator);
    }
    if setting.value_name == "FILE" {
        flag = flag.value_hint(ValueHint::AnyPath);
    }
    flag.value_parser(CheckedText { setting })
}

/// Accepts the texts that a setting accepts.
#[derive(Clone)]
struct CheckedText<R> {
    setting: Setting<R>,
}

impl<R: FromSettings> TypedValueParser for CheckedText<R> {
    type Value = String;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let setting = self.setting.clone();
        let check = move |text: &str| -> Result<String, Expected> {
            setting.apply(&mut R::default(), text)?;
            Ok(text.to_owned())
        };
        // clap's own parser of functions words the error, with the name of the flag.
        check.parse_ref(command, flag, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let choices = &self.setting.choices;
        let values = choices.iter().map(|choice| PossibleValue::new(*choice));
        (!choices.is_empty()).then(|| Box::new(values) as Box<dyn Iterator<Item = PossibleValue>>)
    }
}

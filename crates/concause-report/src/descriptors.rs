//! Looks up the method and the test of a result by name.
//!
//! A saved result can name a method or test that this version does not have, so every lookup has a fallback.

use concause::search::Method;
use concause::stats::Test;

use crate::document::{Document, SettingsSummary};

/// The paper that describes the problem and the first methods.
pub(crate) const MA: &str = "Ma S, Li J, Liu L, Le TD (2016) Mining combined causes in large data sets. \
                             Knowledge-Based Systems 92:104–111.";

/// The method with this name.
pub(crate) fn find_method(settings: &SettingsSummary) -> Option<Method> {
    settings.method.parse().ok()
}

/// The symbol of the statistic of the test; that of the default test if the test is unknown.
pub(crate) fn statistic_symbol(settings: &SettingsSummary) -> &'static str {
    settings.test.parse::<Test>().unwrap_or_default().symbol()
}

/// The test and its source, as a phrase for a methods section.
pub(crate) fn test_phrase(settings: &SettingsSummary) -> String {
    match settings.test.parse::<Test>() {
        Ok(test) => format!("{} ({})", test.descriptor().help, test.descriptor().citation),
        Err(_) => settings.test.clone(),
    }
}

/// Whether the method finds causal rules instead of conditioning on sets of causes.
pub(crate) fn finds_rules(settings: &SettingsSummary) -> bool {
    [Method::CR_PA, Method::CR_CS].map(Some).contains(&find_method(settings))
}

/// Whether the method uses a setting, given by its name in the JSON. An unknown method counts as using all.
pub(crate) fn honours(settings: &SettingsSummary, setting: &str) -> bool {
    find_method(settings).is_none_or(|method| method.descriptor().honours(setting))
}

/// Whether the result depends on the seed.
pub(crate) fn uses_seed(document: &Document) -> bool {
    document.draws_rows() || honours(&document.settings, "seed")
}

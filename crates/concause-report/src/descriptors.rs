//! What the descriptors of the method and the test say about a result.
//!
//! A saved result can name a method or test that this version does not have, so every lookup has a fallback.

use concause::search::{Method, MethodDescriptor};
use concause::stats::Test;

use crate::document::{Document, SettingsSummary};

/// The descriptor of the method.
pub(crate) fn find_descriptor(settings: &SettingsSummary) -> Option<&'static MethodDescriptor> {
    settings.method.parse::<Method>().ok().map(Method::descriptor)
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
    [Method::CR_PA, Method::CR_CS].iter().any(|method| method.name() == settings.method)
}

/// Whether the method decides by tests of independence. An unknown method counts as one that does.
pub(crate) fn decides_by_tests(settings: &SettingsSummary) -> bool {
    honours(settings, "test")
}

/// Whether the result depends on a setting, given by its name in the JSON.
pub(crate) fn uses(document: &Document, setting: &str) -> bool {
    let is_used_by_checks = match setting {
        "seed" => document.draws_rows(),
        "alpha" => document.holdout.is_some(),
        _ => false,
    };
    is_used_by_checks || honours(&document.settings, setting)
}

/// Whether the method uses a setting. An unknown method counts as using all.
fn honours(settings: &SettingsSummary, setting: &str) -> bool {
    find_descriptor(settings).is_none_or(|method| method.honours(setting))
}

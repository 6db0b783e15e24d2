//! Checks of how far a result can be trusted.

use crate::settings::values::parse_whole_number_in;
use crate::settings::{Expected, FromSettings, Setting};

pub(super) const TRUST: &str = "Trust";

/// Checks of how far a result can be trusted.
#[derive(Clone, Debug, Default)]
pub struct TrustRequest {
    /// The number of half-samples in which the search is repeated.
    pub stability: Option<u32>,
    /// The number of shuffled outcomes with which the search is repeated.
    pub calibrate: Option<u32>,
}

impl FromSettings for TrustRequest {
    fn settings() -> Vec<Setting<Self>> {
        fn parse_repeats(text: &str) -> Result<u32, Expected> {
            parse_whole_number_in(text, 1, 1_000_000).map(|repeats| repeats as u32)
        }
        let settings = [
            Setting::value(
                "stability",
                "N",
                "Repeat the search in N random half-samples and report how often each cause is found again",
                |request: &mut Self, text| {
                    parse_repeats(text).map(|repeats| request.stability = Some(repeats))
                },
            ),
            Setting::value(
                "calibrate",
                "N",
                "Repeat the search with N shuffled outcomes and report how many false causes these settings find",
                |request, text| parse_repeats(text).map(|repeats| request.calibrate = Some(repeats)),
            ),
        ];
        settings.into_iter().map(|setting| setting.group(TRUST)).collect()
    }
}

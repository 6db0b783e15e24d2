//! The flags that say how far a result is to be trusted.

use clap::Args;

pub(super) const TRUST: &str = "Trust";

/// How far the result is to be trusted.
#[derive(Clone, Debug, Args)]
pub struct ControlArguments {
    /// Search N random halves of the rows too, and tell in how many of them each cause is found again
    #[arg(long, value_name = "N", value_parser = repeats(), help_heading = TRUST)]
    pub stability: Option<u32>,
    /// Search N times with a shuffled outcome too, and tell how many causes these settings find where there are none
    #[arg(long, value_name = "N", value_parser = repeats(), help_heading = TRUST)]
    pub calibrate: Option<u32>,
}

fn repeats() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1_000_000)
}

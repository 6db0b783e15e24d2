//! The words of the command that reproduces a result.

use crate::settings::Given;

/// Settings that change how long a result takes, but not the result.
const WITHOUT_EFFECT: [&str; 1] = ["threads"];

/// The flags of the settings that a request was built from, without those that do not change the result.
///
/// ```
/// use concause_run::reproduce::flags;
/// use concause_run::settings::Given;
///
/// let given = |name: &str, values: &[&str]| Given {
///     name: name.into(),
///     values: values.iter().map(ToString::to_string).collect(),
/// };
/// let settings = [given("target", &["-1"]), given("negate", &[]), given("threads", &["2"]), given("max-k", &["2"])];
/// assert_eq!(flags(&settings), ["--target=-1", "--negate", "--max-k", "2"]);
/// ```
pub fn flags(given: &[Given]) -> Vec<String> {
    given.iter().filter(|it| !WITHOUT_EFFECT.contains(&it.name.as_str())).flat_map(flag_words).collect()
}

fn flag_words(given: &Given) -> Vec<String> {
    let flag = format!("--{}", given.name);
    if given.values.is_empty() {
        return vec![flag];
    }
    let words = |value: &String| match value.starts_with('-') {
        true => vec![format!("{flag}={value}")],
        false => vec![flag.clone(), value.clone()],
    };
    given.values.iter().flat_map(words).collect()
}

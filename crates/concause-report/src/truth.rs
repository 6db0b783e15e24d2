//! The file `truth.json` beside simulated data: the causes built into it, and how it was made.

use concause::simulate::Truth;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::text::printable;

/// The truth as JSON, ended by a newline. Parameters that are numbers, or true and false, are written as such.
pub fn truth_to_json(truth: &Truth) -> String {
    let parameter = |text: &String| {
        serde_json::from_str(text)
            .ok()
            .filter(|value: &Value| !value.is_string())
            .unwrap_or_else(|| json!(text))
    };
    let parameters: Map<String, Value> =
        truth.parameters.iter().map(|(name, value)| (name.clone(), parameter(value))).collect();
    let written = json!({
        "target": truth.target,
        "causes": truth.causes,
        "nominal": truth.nominal,
        "generator": truth.generator,
        "recipe": truth.recipe,
        "seed": truth.seed,
        "parameters": parameters,
    });
    format!("{written:#}\n")
}

/// Reads a truth: `target` and `causes` must be there, the rest may be, so that one can be written by hand.
pub fn truth_from_json(text: &str) -> Result<Truth, String> {
    #[derive(Deserialize)]
    struct Written {
        target: String,
        causes: Vec<Vec<String>>,
        #[serde(default)]
        nominal: Vec<String>,
        #[serde(default)]
        generator: u32,
        #[serde(default)]
        recipe: String,
        #[serde(default)]
        seed: u64,
        #[serde(default)]
        parameters: Map<String, Value>,
    }
    const ADVICE: &str = "give a truth.json as concause simulate writes it";
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("this is not JSON ({error}): {ADVICE}"))?;
    if let Some(schema) = value.get("schema") {
        let schema = printable(&schema.to_string());
        return Err(format!("this is not a truth but has the format {schema}: {ADVICE}"));
    }
    let written: Written = serde_json::from_value(value)
        .map_err(|error| format!("this is not a truth ({}): {ADVICE}", printable(&error.to_string())))?;
    if written.causes.iter().any(Vec::is_empty) {
        return Err(format!("this is not a truth (a cause has no column): {ADVICE}"));
    }
    let parameter = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(Truth {
        target: written.target,
        causes: written.causes,
        nominal: written.nominal,
        generator: written.generator,
        recipe: written.recipe,
        seed: written.seed,
        parameters: written.parameters.into_iter().map(|(name, value)| (name, parameter(value))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::simulate::Recipe;

    #[test]
    fn every_truth_is_read_back() {
        for (name, _) in Recipe::NAMES {
            let mut recipe = Recipe::named(name).expect(name);
            recipe.set("rows", "1000").expect(name);
            let truth = recipe.simulate(3).expect(name).truth;
            assert_eq!(truth_from_json(&truth_to_json(&truth)), Ok(truth));
        }
    }

    #[test]
    fn parameters_have_their_types() {
        let truth =
            Recipe::named("weak").and_then(|recipe| recipe.simulate(3).ok()).expect("it can be made").truth;
        let written: Value = serde_json::from_str(&truth_to_json(&truth)).expect("it is JSON");
        let parameters = &written["parameters"];
        assert_eq!((&parameters["rows"], &parameters["share"]), (&json!(5000), &json!(0.3)));
        assert_eq!((&parameters["signed"], &parameters["split"]), (&json!(false), &json!("aware")));
        assert_eq!(parameters["coefficients"], "0.35..0.7");
    }

    #[test]
    fn other_files_get_a_sentence() {
        for (text, part) in [
            ("{", "this is not JSON (EOF"),
            ("[]", "this is not a truth (invalid length 0"),
            ("{\"target\": \"T\"}", "missing field `causes`"),
            ("{\"target\": \"T\", \"causes\": [[]]}", "a cause has no column"),
            ("{\"target\": \"T\", \"causes\": [\"V1\"]}", "invalid type"),
            ("{\"schema\": \"concause/1\"}", "has the format \"concause/1\""),
        ] {
            let sentence = truth_from_json(text).expect_err(text);
            assert!(sentence.contains(part) && !sentence.contains('\n'), "{sentence}");
        }
        let short = truth_from_json("{\"target\": \"T\", \"causes\": [[\"V1\"]]}");
        assert_eq!(short.map(|truth| truth.causes), Ok(vec![vec!["V1".to_owned()]]));
    }
}

//! The file `truth.json` of simulated data: the causes built into the data and the parameters of the simulation.

use concause_simulate::Truth;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::TruthError;

/// The truth as JSON, terminated by a newline. Parameters keep their types: numbers, booleans or strings.
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
        "numeric": truth.numeric,
        "generator": truth.generator,
        "recipe": truth.recipe,
        "seed": truth.seed,
        "parameters": parameters,
    });
    format!("{written:#}\n")
}

/// Reads a truth. Only `target` and `causes` are required, so that a truth can be written by hand.
pub fn truth_from_json(text: &str) -> Result<Truth, TruthError> {
    #[derive(Deserialize)]
    struct TruthFields {
        target: String,
        causes: Vec<Vec<String>>,
        #[serde(default)]
        nominal: Vec<String>,
        #[serde(default)]
        numeric: Vec<String>,
        #[serde(default)]
        generator: u32,
        #[serde(default)]
        recipe: String,
        #[serde(default)]
        seed: u64,
        #[serde(default)]
        parameters: Map<String, Value>,
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value =
        serde_json::from_str(text).map_err(|error| TruthError::NotJson { message: error.to_string() })?;
    if let Some(schema) = value.get("schema") {
        return Err(TruthError::OtherSchema { found: schema.to_string() });
    }
    let fields: TruthFields = serde_json::from_value(value)
        .map_err(|error| TruthError::InvalidField { message: error.to_string() })?;
    if fields.causes.iter().any(Vec::is_empty) {
        return Err(TruthError::EmptyCause);
    }
    let parameter = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(Truth {
        target: fields.target,
        causes: fields.causes,
        nominal: fields.nominal,
        numeric: fields.numeric,
        generator: fields.generator,
        recipe: fields.recipe,
        seed: fields.seed,
        parameters: fields.parameters.into_iter().map(|(name, value)| (name, parameter(value))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause_simulate::Recipe;

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
    fn parameters_keep_their_types() {
        let truth =
            Recipe::named("weak").and_then(|recipe| recipe.simulate(3).ok()).expect("it can be made").truth;
        let written: Value = serde_json::from_str(&truth_to_json(&truth)).expect("it is JSON");
        let parameters = &written["parameters"];
        assert_eq!((&parameters["rows"], &parameters["share"]), (&json!(5000), &json!(0.3)));
        assert_eq!((&parameters["signed"], &parameters["split"]), (&json!(false), &json!("aware")));
        assert_eq!(parameters["coefficients"], "0.35..0.7");
    }

    #[test]
    fn other_files_are_rejected_with_a_sentence() {
        for (text, part) in [
            ("{", "this is not JSON (EOF"),
            ("[]", "this is not a truth (invalid length 0"),
            ("{\"target\": \"T\"}", "missing field `causes`"),
            ("{\"target\": \"T\", \"causes\": [[]]}", "a cause has no column"),
            ("{\"target\": \"T\", \"causes\": [\"V1\"]}", "invalid type"),
            ("{\"schema\": \"concause/1\"}", "has the format \"concause/1\""),
        ] {
            let sentence = truth_from_json(text).expect_err(text).to_string();
            assert!(sentence.contains(part) && !sentence.contains('\n'), "{sentence}");
        }
        let short = truth_from_json("{\"target\": \"T\", \"causes\": [[\"V1\"]]}");
        assert_eq!(short.map(|truth| truth.causes), Ok(vec![vec!["V1".to_owned()]]));
    }
}

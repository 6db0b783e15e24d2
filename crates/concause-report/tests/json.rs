//! The JSON is read back without loss, and its schema is documented. The Python package tests that results conform to
//! the schema, because a validator in Rust takes a minute to compile.

use std::collections::BTreeSet;

use concause_report::document::WarningFacts;
use concause_report::{Document, SCHEMA};
use serde_json::{Value, json};

use crate::sample;

const SCHEMA_FILE: &str = include_str!("../schema/concause-1.json");
const PAGE: &str = include_str!("../../../docs/json.md");

fn schema() -> Value {
    serde_json::from_str(SCHEMA_FILE).expect("the schema is JSON")
}

fn samples() -> [Document; 4] {
    [sample::hostile(), sample::trusted(), sample::empty(), sample::incomplete()]
}

fn value(document: &Document) -> Value {
    serde_json::from_str(&document.to_json(false)).expect("a document is JSON")
}

/// The example on the page.
fn example() -> &'static str {
    let (_, rest) = PAGE.split_once("```json\n{\n  \"schema\"").expect("the page has an example");
    let length = rest.find("```").expect("the example ends");
    let start = PAGE.len() - rest.len() - "{\n  \"schema\"".len();
    &PAGE[start..PAGE.len() - rest.len() + length]
}

#[test]
fn a_document_is_read_back_without_loss() {
    for document in samples() {
        for pretty in [false, true] {
            let written = document.to_json(pretty);
            assert!(written.ends_with("}\n"));
            let read = Document::from_json(&written).expect("what was written can be read");
            assert_eq!(read, document);
            assert_eq!(read.to_json(pretty), written);
        }
        assert_eq!(document.to_json(false).lines().count(), 1);
    }
}

#[test]
fn unknown_fields_are_ignored() {
    let document = sample::hostile();
    let mut later = value(&document);
    later["evidence"] = json!({"any": [1, 2]});
    later["causes"][0]["challenger"]["stability"] = json!(0.5);
    assert_eq!(Document::from_json(&later.to_string()), Ok(document.clone()));
    later["warnings"] = json!([{"kind": "later", "sentence": "of a later kind", "total": "many"}]);
    let read = Document::from_json(&later.to_string()).expect("a later document");
    assert_eq!(
        (read.warnings[0].sentence.as_str(), &read.warnings[0].facts),
        ("of a later kind", &WarningFacts::Unknown {})
    );
    let marked = format!("\u{feff}{}", document.to_json(false));
    assert_eq!(Document::from_json(&marked), Ok(document));
}

#[test]
fn what_an_earlier_release_wrote_can_be_read() {
    let document = sample::hostile();
    let mut earlier = value(&document);
    for cause in earlier["causes"].as_array_mut().expect("causes") {
        cause.as_object_mut().expect("a cause").remove("evidence");
    }
    for later in ["command", "candidates", "warnings"] {
        earlier.as_object_mut().expect("a document").remove(later);
    }
    earlier["timing"].as_object_mut().expect("timing").remove("evidence_seconds");
    let read = Document::from_json(&earlier.to_string()).expect("an earlier document");
    assert!(read.causes.iter().all(|cause| cause.evidence.is_none()));
    assert_eq!(read.causes.len(), document.causes.len());
    assert!(read.command.is_empty() && read.candidates.is_none());
}

/// Fields and values that were renamed: the former name, then the current one.
const RENAMED: [(&str, &str); 10] = [
    ("\"twins\":", "\"duplicates\":"),
    ("\"asked\":", "\"requested\":"),
    ("\"most\":", "\"max\":"),
    ("\"confirmation\":", "\"holdout_test\":"),
    ("\"confirmed\":", "\"replicated\":"),
    ("\"target-decided\"", "\"near-perfect-predictor\""),
    ("\"by\":", "\"predictors\":"),
    ("\"affordable_level\":", "\"feasible_level\":"),
    ("\"affordable_max_k\":", "\"feasible_max_k\":"),
    ("\"control_seconds\":", "\"resampling_seconds\":"),
];

#[test]
fn fields_are_read_by_their_former_names() {
    let document = sample::trusted();
    let mut earlier = document.to_json(false);
    for (former, current) in RENAMED {
        assert!(earlier.contains(current), "{current}");
        earlier = earlier.replace(current, former);
    }
    assert_eq!(Document::from_json(&earlier), Ok(document));
}

/// Reading the models of a document gives the average that was written.
#[test]
fn models_are_read_back() {
    let model = sample::with_posterior().model.expect("a model");
    let columns = model.columns();
    let average = model.average(&columns).expect("it can be read");
    let risk = |ones: &[&str]| {
        let is_one = |column: u32| ones.contains(&columns[column as usize].as_str());
        average.risk(is_one).expect("there are models")
    };
    let logistic = |predictor: f64| 1.0 / (1.0 + f64::exp(-predictor));
    let [one, plain, negated] = [&model.terms[0][0], &model.terms[1][0], &model.terms[1][1]];
    assert_eq!((one.is, plain.is, negated.is), (1, 1, 0));
    let [one, plain, negated] = [one, plain, negated].map(|literal| literal.column.as_str());
    for (ones, expected) in [
        (&[][..], 0.75 * logistic(-2.25) + 0.25 * 0.125),
        (&[one], 0.75 * logistic(-0.75) + 0.25 * 0.5),
        (&[plain], 0.75 * logistic(-3.0) + 0.25 * 0.875),
        (&[one, plain], 0.75 * logistic(-1.5) + 0.25 * 0.875),
        (&[plain, negated], 0.75 * logistic(-2.25) + 0.25 * 0.125),
    ] {
        assert!((risk(ones) - expected).abs() < 1e-12, "{ones:?}");
    }
    let mut damaged = model.clone();
    damaged.models[0].coefficients.push((2, 1.0));
    assert_eq!(damaged.average(&columns), None);
    assert_eq!(model.average(&columns[1..]), None);
}

#[test]
fn fields_come_in_the_order_of_the_schema() {
    fn keys(value: &Value) -> Vec<&String> {
        value.as_object().map(|object| object.keys().collect()).unwrap_or_default()
    }
    let (schema, document) = (schema(), value(&sample::with_posterior()));
    assert_eq!(keys(&document), keys(&schema["properties"]));
    assert_eq!(keys(&document["causes"][0]), keys(&schema["$defs"]["cause"]["properties"]));
    let posterior = &schema["properties"]["posterior"]["properties"];
    assert_eq!(keys(&document["posterior"]), keys(posterior));
    let set = &posterior["attribute_sets"]["items"]["properties"];
    assert_eq!(keys(&document["posterior"]["attribute_sets"][0]), keys(set));
    let model = &schema["properties"]["model"]["properties"];
    assert_eq!(keys(&document["model"]), keys(model));
    assert_eq!(keys(&document["model"]["encoding"]), keys(&model["encoding"]["properties"]));
    let literal = &model["terms"]["items"]["items"]["properties"];
    assert_eq!(keys(&document["model"]["terms"][0][0]), keys(literal));
    assert_eq!(keys(&document["model"]["models"][1]), keys(&model["models"]["items"]["properties"]));
    let document = value(&sample::hostile());
    for part in ["data", "target", "settings", "timing"] {
        assert_eq!(keys(&document[part]), keys(&schema["properties"][part]["properties"]), "{part}");
    }
    let cause = &schema["$defs"]["cause"]["properties"];
    let challenger = &cause["challenger"]["properties"];
    assert_eq!(keys(&document["causes"][0]["challenger"]), keys(challenger));
    let evidence = &document["causes"][2]["evidence"];
    let interaction = &evidence["interaction"];
    for (part, definition) in [
        (&document["causes"][0]["association"], "figures"),
        (&document["causes"][0]["counts"], "counts"),
        (evidence, "evidence"),
        (&evidence["counts"], "counts"),
        (&evidence["risk_ratio"], "estimate"),
        (&evidence["adjusted"], "adjusted"),
        (interaction, "interaction"),
        (&interaction["reri"], "estimate"),
        (&interaction["sufficient_cause"], "contrast"),
    ] {
        assert_eq!(keys(part), keys(&schema["$defs"][definition]["properties"]), "{definition}");
    }
    let cell = &schema["$defs"]["interaction"]["properties"]["cells"]["items"]["properties"];
    assert_eq!(keys(&interaction["cells"][0]), keys(cell));
    let trusted = value(&sample::trusted());
    let holdout_test = &schema["$defs"]["holdout_test"]["properties"];
    assert_eq!(keys(&trusted["causes"][0]["holdout_test"]), keys(holdout_test));
    let test = &trusted["causes"][0]["holdout_test"]["test"];
    assert_eq!(keys(test), keys(&holdout_test["test"]["properties"]));
    let weights = &schema["properties"]["data"]["properties"]["weights"]["properties"];
    assert_eq!(keys(&trusted["data"]["weights"]), keys(weights));
    for part in ["stability", "calibration", "holdout"] {
        assert_eq!(keys(&trusted[part]), keys(&schema["properties"][part]["properties"]), "{part}");
    }
    let warnings = trusted["warnings"].as_array().expect("warnings");
    let kinds = schema["$defs"]["warning"]["oneOf"].as_array().expect("kinds");
    assert_eq!(warnings.len(), kinds.len(), "a sample of each kind");
    for (warning, kind) in warnings.iter().zip(kinds) {
        let common = keys(&schema["$defs"]["warning"]["properties"]);
        let facts = keys(&kind["properties"]).into_iter().filter(|key| *key != "kind");
        assert_eq!(keys(warning), common.into_iter().chain(facts).collect::<Vec<_>>());
        assert_eq!(warning["kind"], kind["properties"]["kind"]["const"]);
    }
    for (warning, list, definition) in
        [(0, "predictors", "predictor"), (3, "pairs", "duplicate"), (4, "relations", "relation")]
    {
        let item = &warnings[warning][list][0];
        assert_eq!(keys(item), keys(&schema["$defs"][definition]["properties"]), "{definition}");
    }
    let candidates = &schema["properties"]["candidates"]["properties"];
    assert_eq!(keys(&document["candidates"]), keys(candidates));
    for part in ["reasons", "listed"] {
        let items = &candidates[part]["items"]["properties"];
        assert_eq!(keys(&document["candidates"][part][0]), keys(items), "{part}");
    }
    assert_eq!(keys(&document["levels"][0]), keys(&schema["properties"]["levels"]["items"]["properties"]));
}

#[test]
fn the_page_names_every_property() {
    fn collect<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
        match schema {
            Value::Object(fields) => {
                for (key, value) in fields {
                    if let ("properties", Value::Object(properties)) = (key.as_str(), value) {
                        found.extend(properties.keys().map(String::as_str));
                    }
                    collect(value, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let schema = schema();
    let mut properties = BTreeSet::new();
    collect(&schema, &mut properties);
    assert!(properties.len() > 40);
    let missing: Vec<&str> =
        properties.into_iter().filter(|name| !PAGE.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/json.md does not explain {missing:?}");
}

#[test]
fn the_example_on_the_page_is_a_document() {
    let document = Document::from_json(example()).expect("the example is a document");
    assert_eq!(document.schema, SCHEMA);
    assert_eq!(document.to_json(true), example());
}

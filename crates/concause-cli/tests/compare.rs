//! Several methods side by side.

use serde_json::{Value, json};

use crate::support::{Run, Scratch, causes, fire};

fn compare(scratch: &Scratch, methods: &str, more: &[&str]) -> Run {
    scratch.run(&[&["compare", "fire.csv", "--target", "fire", "-q", "--methods", methods], more].concat())
}

fn method<'a>(document: &'a Value, name: &str) -> &'a Value {
    document["methods"].as_array().unwrap().iter().find(|method| method["method"] == name).unwrap()
}

#[test]
fn each_method_finds_the_same_causes_as_mine() {
    let scratch = Scratch::with("fire.csv", fire());
    let names = ["mh-pc-b", "hiton-pc", "cr-pa"];
    // A method that is named twice runs once, and the search flags apply to all methods.
    let flags = ["--format", "json", "--max-k", "2"];
    let document = compare(&scratch, &(names.join(",") + ",mh-pc-b"), &flags).json();
    assert_eq!(document["schema"], "concause-comparison/1");
    assert_eq!((&document["settings"]["max_k"], &document["settings"]["method"]), (&json!(2), &Value::Null));
    assert_eq!(document["methods"].as_array().map(Vec::len), Some(3));
    for name in names {
        let arguments = ["mine", "fire.csv", "--target", "fire", "-q", "--method", name];
        let alone = scratch.run(&[&arguments[..], &flags].concat()).json();
        for part in ["data", "target"] {
            assert_eq!(document[part], alone[part]);
        }
        let tests: u64 =
            alone["levels"].as_array().unwrap().iter().map(|level| level["tests"].as_u64().unwrap()).sum();
        let told = method(&document, name);
        assert_eq!(
            (&told["tests"], &told["causes"]),
            (&json!(tests), &json!(causes(&alone).len())),
            "{name}"
        );
        assert_eq!((&told["complete"], &told["refused"]), (&json!(true), &Value::Null));
        let found = document["causes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|cause| cause["found_by"].as_array().unwrap().contains(&json!(name)));
        let mut found: Vec<&str> = found.map(|cause| cause["name"].as_str().unwrap()).collect();
        let mut expected = causes(&alone);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{name}");
    }
    let agreement = document["agreement"].as_array().unwrap();
    assert_eq!(agreement.len(), 3);
    // HITON-PC finds only the two single causes of the three causes.
    let (common, either) = (&agreement[0]["common"], &agreement[0]["either"]);
    assert_eq!(
        (&agreement[0]["methods"], common, either),
        (&json!(["mh-pc-b", "hiton-pc"]), &json!(2), &json!(3))
    );
    assert!((agreement[0]["jaccard"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn the_table_and_the_csv_agree() {
    let scratch = Scratch::with("fire.csv", fire());
    let lines = compare(&scratch, "mh-pc-f,hiton-pc", &["--format", "csv"]).good();
    let expected = "name,level,mh-pc-f,hiton-pc\nlightning,1,1,1\npower_line_fault,1,1,1\n\
                    burning_stub&dry_brush,2,1,0\n";
    assert_eq!(lines, expected);
    let table = compare(&scratch, "mh-pc-f,hiton-pc", &[]).good();
    for part in [
        "Causes of fire (3,000 rows, 838 cases = 27.9 %; 8 columns)\n\nmethod    single causes  combined",
        "burning_stub&dry_brush      yes         –\n",
        "mh-pc-f  hiton-pc      2 of 3 causes          0.667\n",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    compare(&scratch, "mh-pc-f,hiton-pc", &["--format", "markdown", "-o", "x.md"]).good();
    let page = scratch.read("x.md");
    assert!(page.starts_with("## Causes of `fire` (3,000 rows"), "{page}");
    assert!(page.contains("\n| `burning_stub&dry_brush` | yes | – |\n"), "{page}");
}

#[test]
fn a_method_that_rejects_the_data_does_not_stop_the_others() {
    let scratch = Scratch::with("fire.csv", fire());
    let document = compare(&scratch, "naive-h,mh-pc-b", &["--max-tests", "1000", "--format", "json"]).json();
    let refused = method(&document, "naive-h");
    assert!(refused["refused"].as_str().unwrap().contains("naive-h would test"), "{refused}");
    assert_eq!((&refused["complete"], &refused["causes"]), (&json!(false), &Value::Null));
    assert_eq!((&method(&document, "mh-pc-b")["causes"], &document["agreement"]), (&json!(3), &json!([])));
    let table = compare(&scratch, "naive-h,mh-pc-b", &["--max-tests", "1000"]).good();
    assert!(table.contains("\nnaive-h did not run: naive-h would test"), "{table}");
    // A setting that one method does not support is rejected by that method only.
    let document = compare(&scratch, "cr-pa,mh-pc-f", &["--max-level", "3", "--format", "json"]).json();
    assert!(
        method(&document, "cr-pa")["refused"]
            .as_str()
            .unwrap()
            .contains("--max-level must be at most 2 for --method cr-pa, but is 3")
    );
}

#[test]
fn it_is_an_error_if_no_method_runs() {
    let scratch = Scratch::with("fire.csv", fire());
    let before = scratch.names();
    let cases: [(&str, &[&str], &str); 4] = [
        ("naive-h,pc-select", &["--max-tests", "2"], "no method ran; naive-h: naive-h would test"),
        ("mh-pc-f", &["--max-level", "0"], "no method ran; mh-pc-f: --max-level must be at least 1"),
        ("mh-pc-f,mh-pc-z", &[], "choose one of"),
        ("", &[], "choose one of"),
    ];
    for (methods, more, part) in cases {
        let run = compare(&scratch, methods, &[more, &["-o", "x.json"]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains(part), "{}", run.stderr);
        assert_eq!(scratch.names(), before);
    }
}

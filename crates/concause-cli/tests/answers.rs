//! The commands `test`, `explain` and `encode`, and the commands about the program itself.

use serde_json::{Value, json};

use crate::support::{Run, Scratch, causes, fire, patients};

const FIRE: [&str; 3] = ["fire.csv", "--target", "fire"];

fn test(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(&[&["test"], &FIRE[..], more].concat())
}

fn answer(scratch: &Scratch, more: &[&str]) -> Value {
    test(scratch, &[more, &["--format", "json"]].concat()).json()
}

/// The rows of the fire table with these cells, by name.
fn count(table: &str, wanted: &[(&str, &str)]) -> f64 {
    let (names, rows) = table.split_once('\n').unwrap();
    let names: Vec<&str> = names.split(',').collect();
    let place = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let wanted: Vec<(usize, &str)> = wanted.iter().map(|(name, cell)| (place(name), *cell)).collect();
    let fits = |row: &&str| {
        let cells: Vec<&str> = row.split(',').collect();
        wanted.iter().all(|&(place, cell)| cells[place] == cell)
    };
    rows.lines().filter(fits).count() as f64
}

/// G² of a column and the fire in the rows with these cells, from the definition.
fn g2(table: &str, x: &str, rows: &[(&str, &str)]) -> f64 {
    let count = |more: &[(&str, &str)]| count(table, &[rows, more].concat());
    let all = count(&[]);
    let mut sum = 0.0;
    for cell in ["0", "1"] {
        for outcome in ["0", "1"] {
            let observed = count(&[(x, cell), ("fire", outcome)]);
            let expected = count(&[(x, cell)]) * count(&[("fire", outcome)]) / all;
            sum += if observed > 0.0 { 2.0 * observed * (observed / expected).ln() } else { 0.0 };
        }
    }
    sum
}

#[test]
fn a_test_has_the_numbers_of_its_definition() {
    let table = fire();
    let scratch = Scratch::with("fire.csv", &table);
    let plain = answer(&scratch, &["--x", "lightning"]);
    let fields: Vec<&str> = plain.as_object().unwrap().keys().map(String::as_str).collect();
    for field in ["x", "target", "given", "n", "statistic", "df", "p_value", "outcome"] {
        assert!(fields.contains(&field), "{field} is not among {fields:?}");
    }
    let near = |value: &Value, expected: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < 1e-9 * expected, "{value} is not {expected}");
    };
    near(&plain["statistic"], g2(&table, "lightning", &[]));
    assert_eq!((&plain["x"], &plain["target"]), (&json!("lightning"), &json!("fire")));
    assert_eq!((&plain["given"], &plain["n"], &plain["df"]), (&json!([]), &json!(3000), &json!(1)));
    assert_eq!(plain["outcome"], "dependent");
    near(&plain["ln_p_value"].as_f64().unwrap().exp().into(), plain["p_value"].as_f64().unwrap());

    let given = answer(&scratch, &["--x", "thunder_heard", "--given", "lightning"]);
    let strata = ["0", "1"].map(|cell| g2(&table, "thunder_heard", &[("lightning", cell)]));
    near(&given["statistic"], strata.iter().sum());
    assert_eq!((&given["given"], &given["df"]), (&json!(["lightning"]), &json!(2)));

    let within = answer(&scratch, &["--x", "dry_brush", "--within", "burning_stub"]);
    near(&within["statistic"], g2(&table, "dry_brush", &[("burning_stub", "1")]));
    near(&within["n"], count(&table, &[("burning_stub", "1")]));
    assert_eq!((&within["within"], &within["outcome"]), (&json!("burning_stub"), &json!("dependent")));

    let wind = answer(&scratch, &["--x", "wind", "--alpha", "0.99"]);
    assert_eq!(wind["outcome"], "dependent", "alpha decides: {wind}");
    assert_eq!(answer(&scratch, &["--x", "wind"])["outcome"], "independent");
}

#[test]
fn conjunctions_can_be_tested_and_conditioned_on() {
    let scratch = Scratch::with("fire.csv", fire());
    let pair = answer(&scratch, &["--x", "dry_brush & burning_stub", "--given", "lightning"]);
    assert_eq!((&pair["x"], &pair["outcome"]), (&json!("burning_stub&dry_brush"), &json!("dependent")));
    let weekend = ["--x", "weekend&dry_brush", "--given"];
    let explained = answer(&scratch, &[&weekend[..], &["lightning,burning_stub&dry_brush"]].concat());
    assert_eq!(explained["given"], json!(["lightning", "burning_stub&dry_brush"]));
    assert_eq!((&explained["df"], &explained["outcome"]), (&json!(4), &json!("independent")));
    let repeated =
        answer(&scratch, &[&weekend[..], &["lightning", "--given", "burning_stub&dry_brush"]].concat());
    assert_eq!(repeated, explained);
    let narrow = answer(&scratch, &["--x", "wind", "--within", "burning_stub&dry_brush"]);
    assert_eq!(narrow["n"], count(&fire(), &[("burning_stub", "1"), ("dry_brush", "1")]));
}

#[test]
fn a_test_is_also_reported_in_words() {
    let scratch = Scratch::with("fire.csv", fire());
    let words =
        test(&scratch, &["--x", "dry_brush", "--given", "lightning", "--within", "burning_stub"]).good();
    for part in ["dry_brush and fire given lightning, where burning_stub holds: dependent", "G² = ", "df = 2"]
    {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(test(&scratch, &["--x", "wind", "--test", "x2"]).good().contains("X² = "));
}

#[test]
fn too_few_rows_are_not_testable() {
    let scratch = Scratch::with("few.csv", "a,b,T\n1,1,1\n0,1,0\n1,0,0\n0,0,1\n1,1,1\n");
    let ask = |more: &[&str]| {
        scratch.run(&[&["test", "few.csv", "--target", "T", "--x", "a", "--given", "b"], more].concat())
    };
    for name in ["g2-adjusted", "x2-adjusted", "exact"] {
        let answer = ask(&["--test", name, "--format", "json"]).json();
        assert_eq!((&answer["outcome"], &answer["n"]), (&json!("not testable"), &json!(5)));
        assert_eq!((&answer["statistic"], &answer["p_value"]), (&Value::Null, &Value::Null));
        assert!(ask(&["--test", name]).good().contains("not testable with 5 rows"));
    }
    assert_ne!(ask(&["--format", "json"]).json()["outcome"], "not testable");
}

#[test]
fn few_rows_are_tested_exactly() {
    let row = |cells: &str, times: usize| format!("{cells}\n").repeat(times);
    // Fisher's lady tasting tea identifies all cups: 2 of the 70 tables are as extreme.
    let scratch = Scratch::with("tea.csv", format!("said,milk\n{}{}", row("1,1", 4), row("0,0", 4)));
    let ask = |more: &[&str]| {
        scratch
            .run(&[&["test", "tea.csv", "--target", "milk", "--x", "said", "--test", "exact"], more].concat())
    };
    let answer = ask(&["--format", "json"]).json();
    assert_eq!((&answer["df"], &answer["outcome"]), (&json!(0), &json!("dependent")));
    assert!((answer["p_value"].as_f64().unwrap() - 2.0 / 70.0).abs() < 1e-12);
    let words = ask(&[]).good();
    assert!(words.contains("G² = 11.0904, exact, p = 0.0286, n = 8"), "{words}");
}

#[test]
fn a_file_of_queries_is_answered_in_order() {
    let scratch = Scratch::with("fire.csv", fire());
    let file = "x,given,within,test\n\
                lightning,,,\n\
                thunder_heard,\"lightning,power_line_fault\",,x2\n\
                weekend&dry_brush,lightning;burning_stub&dry_brush,,g2\n\
                dry_brush,,burning_stub,g2-adjusted\n\
                lightning,,,\n\
                wind,lightning;burning_stub,full_moon&weekend,x2-adjusted\n";
    let singly: [&[&str]; 6] = [
        &["--x", "lightning"],
        &["--x", "thunder_heard", "--given", "lightning,power_line_fault", "--test", "x2"],
        &["--x", "weekend&dry_brush", "--given", "lightning,burning_stub&dry_brush"],
        &["--x", "dry_brush", "--within", "burning_stub", "--test", "g2-adjusted"],
        &["--x", "lightning"],
        &["--x", "wind", "--given", "lightning,burning_stub", "--within", "full_moon&weekend", "--test"],
    ];
    let mut expected: Vec<Value> = singly[..5].iter().map(|question| answer(&scratch, question)).collect();
    expected.push(answer(&scratch, &[singly[5], &["x2-adjusted"]].concat()));
    assert_eq!(expected[5]["outcome"], "not testable");
    scratch.write("questions.csv", file);
    assert_eq!(test(&scratch, &["--queries", "questions.csv"]).json_lines(), expected);
    let typed = [&["test"], &FIRE[..], &["--queries", "-"]].concat();
    assert_eq!(scratch.run_with(&typed, file.as_bytes()).json_lines(), expected);
    // Columns may be omitted and in any order; a file without queries gives no output.
    scratch.write("short.csv", "\u{feff}within,x\r\nburning_stub,dry_brush\r\n");
    let short = test(&scratch, &["--queries", "short.csv", "--test", "g2-adjusted"]).json_lines();
    assert_eq!(short, [expected[3].clone()]);
    scratch.write("none.csv", "x\n");
    assert_eq!(test(&scratch, &["--queries", "none.csv"]).good(), "");
}

#[test]
fn every_reason_can_be_explained() {
    let scratch = Scratch::with("fire.csv", fire());
    let cases = [
        ("lightning", "cause", "is a parent or child of fire"),
        ("burning_stub&dry_brush", "cause", "is a parent or child of fire"),
        ("weekend&wind", "redundant", "is redundant: among rows with wind, weekend is independent of fire"),
        ("thunder_heard", "separated", "is independent of fire given lightning and power_line_fault"),
        ("weekend&dry_brush", "separated", "is independent of fire given"),
        ("burning_stub", "not-associated", "is not associated with fire"),
        ("lightning&wind", "part-of-cause", "cannot be a combined cause: lightning is a single cause"),
        ("full_moon=0&full_moon=1", "same-attribute", "come from the same attribute"),
        ("full_moon=1", "equivalent", "is the complement of full_moon=0"),
        ("weekend&burning_stub&wind", "not-reached", "was not reached"),
    ];
    let names = cases.iter().flat_map(|(name, ..)| ["--x", name]);
    let arguments: Vec<&str> = ["explain"]
        .into_iter()
        .chain(FIRE)
        .chain(["--nominal", "full_moon", "--columns", "values"])
        .chain(names)
        .collect();
    let improbable = scratch.run(&arguments).good();
    assert!(
        improbable.contains("weekend&dry_brush is not a cause of fire (probability .00): "),
        "{improbable}"
    );
    let arguments = [&arguments[..], &["--method", "mh-pc-f"]].concat();
    let words = scratch.run(&arguments).good();
    let told = scratch.run(&[&arguments[..], &["--format", "json"]].concat()).json_lines();
    assert_eq!((words.lines().count(), told.len()), (cases.len(), cases.len()));
    for (((name, tag, phrase), sentence), object) in cases.iter().zip(words.lines()).zip(&told) {
        assert!(sentence.starts_with(name) && sentence.contains(phrase), "{name}: {sentence}");
        assert_eq!((&object["candidate"], &object["reason"]), (&json!(name), &json!(tag)), "{object}");
        assert_eq!(object["columns"], json!(name.split('&').collect::<Vec<_>>()));
    }
    assert_eq!((&told[2]["part"], &told[2]["within"]), (&json!("weekend"), &json!("wind")));
    assert!(told[2]["p_value"].as_f64().unwrap() > 0.01);
    assert_eq!(told[3]["by"], json!(["lightning", "power_line_fault"]));
    // The published method excludes conjunctions that contain a single cause.
    let barred =
        ["--x", "lightning&wind", "--x", "weekend&dry_brush", "--method", "mh-pc-b", "--format", "json"];
    let barred = scratch.run(&[&["explain"], &FIRE[..], &barred].concat()).json_lines();
    assert_eq!((&barred[0]["reason"], &barred[0]["cause"]), (&json!("part-of-cause"), &json!("lightning")));
    assert_eq!(barred[1]["by"], json!(["lightning", "burning_stub&dry_brush"]));
    assert_eq!((&told[8]["to"], &told[8]["complement"]), (&json!("full_moon=0"), &json!(true)));
}

#[test]
fn the_legend_lists_the_columns_of_the_search() {
    let scratch = Scratch::with("data.csv", patients(800));
    let encode = ["encode", "data.csv", "--target", "class=sick", "--ignore", "blood"];
    let legend = scratch.run(&[&encode[..], &["--format", "json"]].concat()).json();
    let attributes = legend["attributes"].as_array().unwrap();
    let of = |name: &str| attributes.iter().find(|attribute| attribute["name"] == name).unwrap();
    let names = |name: &str| -> Vec<&str> {
        of(name)["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| column["name"].as_str().unwrap())
            .collect()
    };
    assert_eq!(names("smoker"), ["smoker"]);
    assert!(of("smoker")["missing"].as_u64().unwrap() > 0);
    assert_eq!(names("gene"), ["gene=A", "gene=B", "gene=C"]);
    let cut = of("age")["cuts"][0].as_f64().unwrap();
    assert_eq!(names("age")[0], format!("age>={cut}"));
    let cuts = of("age")["cuts"].as_array().unwrap();
    assert!(
        cuts.len() == 15 && cuts.iter().any(|cut| (55.0..65.0).contains(&cut.as_f64().unwrap())),
        "{cuts:?}"
    );
    assert_eq!((&of("blood")["kind"], names("blood").len()), (&json!("ignored"), 0));
    let ones: u64 =
        of("gene")["columns"].as_array().unwrap().iter().map(|column| column["ones"].as_u64().unwrap()).sum();
    assert_eq!((ones, &legend["rows"]), (800, &json!(800)));
    let words = scratch.run(&encode).good();
    for part in ["800 rows", "gene=B", "age>=", "blood (ignored, ", "): left out on request\n"] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn the_encoded_table_gives_the_same_causes() {
    let scratch = Scratch::with("data.csv", patients(2000));
    scratch
        .run(&[
            "encode",
            "data.csv",
            "--target",
            "class=sick",
            "--table",
            "table.csv",
            "-q",
            "--columns",
            "values",
        ])
        .good();
    let first = scratch.read("table.csv").lines().next().unwrap().to_owned();
    assert!(first.starts_with("age<") && first.ends_with(",class=sick"), "{first}");
    for more in [&["--preset", "paper"][..], &["--preset", "paper-table"]] {
        let mine = |file| {
            let arguments = ["mine", file, "--target", "class=sick", "--format", "json"];
            scratch.run(&[&arguments[..], more].concat()).json()
        };
        let (raw, mut encoded) = (mine("data.csv"), mine("table.csv"));
        assert!(causes(&raw).contains(&"smoker"), "{raw}");
        // Both sides of a cut are attributes of their own in the encoded table, and complements by chance.
        for cause in encoded["causes"].as_array_mut().unwrap() {
            let equivalent = cause["equivalent"].as_array_mut().unwrap();
            equivalent.retain(|name| name != "age>=59.5" && name != "age<59.5");
        }
        let without_attributes = |document: &Value| -> Vec<Value> {
            let mut causes = document["causes"].as_array().unwrap().clone();
            causes.iter_mut().for_each(|cause| cause["attributes"] = Value::Null);
            causes
        };
        assert_eq!(without_attributes(&raw), without_attributes(&encoded), "{more:?}");
    }
}

#[test]
fn an_exported_declaration_gives_the_same_columns() {
    // A value may be called "missing", and names and values may need escapes.
    let odd = "\"na\"\"me\\\",\"line\nbreak\",T\nmissing,x,1\n,y,0\nb\\\"s,x,0\nmissing,,1\n\"q\"\"\",y,0\n";
    let tables = [("data.csv", patients(800), "class=sick"), ("odd.csv", odd.to_owned(), "T")];
    for (name, content, target) in tables {
        for more in
            [&[][..], &["--missing-as", "level"], &["--bands", "4"], &["--negate"], &["--columns", "values"]]
        {
            let scratch = Scratch::with(name, &content);
            let encode =
                [&["encode", name, "--target", target, "--format", "json", "--quiet"], more].concat();
            let written = scratch.run(&[&encode[..], &["--declaration", "d.toml"]].concat()).json();
            let mut again = scratch.run(&[&encode[..], &["--declare", "d.toml"]].concat()).json();
            // Attributes that were left out are now declared as ignored, so there is no notice about them.
            let notices = [&written["notices"], &again["notices"]].map(|list| list.as_array().unwrap().len());
            assert!(notices[1] <= notices[0]);
            again["notices"] = written["notices"].clone();
            let columns = |legend: &Value| -> Vec<Value> {
                let attributes = legend["attributes"].as_array().unwrap();
                attributes.iter().map(|attribute| attribute["columns"].clone()).collect()
            };
            assert_eq!(columns(&again), columns(&written), "{name} {more:?}: {}", scratch.read("d.toml"));
            assert_eq!(again["fingerprint"], written["fingerprint"]);
        }
    }
}

#[test]
fn help_and_version_are_printed() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = scratch.run(&["completions", shell]).good();
        assert!(script.contains("concause") && script.contains("max-level"), "{shell}");
    }
    let page = scratch.run(&["man"]).good();
    assert!(page.contains(".TH concause") && page.contains("mine"), "{page}");
    scratch.run(&["man", "--folder", "pages"]).good();
    let mine = scratch.read("pages/concause-mine.1");
    assert!(mine.contains("target"), "{mine}");
    assert!(scratch.path("pages/concause.1").exists());
    assert_eq!(scratch.run(&["--version"]).good(), concat!("concause ", env!("CARGO_PKG_VERSION"), "\n"));
    for command in
        ["mine", "test", "explain", "encode", "compare", "simulate", "evaluate", "completions", "man"]
    {
        for flag in ["--help", "-h"] {
            assert!(scratch.run(&[command, flag]).good().contains("Usage: concause"), "{command} {flag}");
        }
        assert!(scratch.run(&["help", command]).good().contains("Usage: concause"), "{command}");
    }
    for flag in ["--help", "-h", "help"] {
        assert!(scratch.run(&[flag]).good().contains("explain"), "{flag}");
    }
}

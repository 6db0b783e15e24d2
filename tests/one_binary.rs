//! The integration tests of a crate form one program, because linking one program per file takes longer than running
//! it. A file that is not a module of the program would never run.

use std::path::Path;

/// Fails if a file next to `tests/all.rs` is not one of its modules.
pub fn assert_every_file_is_a_module(crate_folder: &str) {
    let folder = Path::new(crate_folder).join("tests");
    let program = std::fs::read_to_string(folder.join("all.rs")).unwrap();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|extension| extension == "rs") && name != "all" {
            let module = format!("mod {name};");
            assert!(
                program.contains(&module),
                "{} is not run: add `{module}` to tests/all.rs",
                path.display()
            );
        }
    }
}

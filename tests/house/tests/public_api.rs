//! The public items of the library crates are listed in `docs/api`, so that a change of the API is visible in review.
//!
//! After an intended change: `UPDATE_PAGES=1 cargo test -p house-rules --test public_api`.

use house_rules::api::list_api;
use house_rules::page::check_file;
use house_rules::source::Crate;
use house_rules::workspace_root;

fn check_crate(name: &str) {
    let root = workspace_root();
    let parsed = Crate::read(&name.replace('-', "_"), &root, &format!("crates/{name}/src/lib.rs"));
    let api = list_api(&parsed.unwrap_or_else(|error| panic!("{error}")));
    let checked = check_file(&root.join(format!("docs/api/{name}.txt")), &api.to_text());
    checked.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn concause_has_the_listed_api() {
    check_crate("concause");
}

#[test]
fn concause_io_has_the_listed_api() {
    check_crate("concause-io");
}

#[test]
fn concause_report_has_the_listed_api() {
    check_crate("concause-report");
}

#[test]
fn concause_run_has_the_listed_api() {
    check_crate("concause-run");
}

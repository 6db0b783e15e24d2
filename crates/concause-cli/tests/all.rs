//! The integration tests of the command, as one program.

mod accuracy;
mod answers;
mod bad_input;
mod compare;
mod control;
mod edge_cases;
mod formats;
mod holdout;
mod knowledge;
mod pages;
mod paper;
mod predict;
mod report;
mod rivals;
mod support;
mod terminal;
mod warnings;
mod weights;

#[path = "../../../tests/one_binary.rs"]
mod one_binary;
#[path = "../../../tests/shared_data.rs"]
mod shared_data;

#[test]
fn every_file_is_a_module() {
    one_binary::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"));
}

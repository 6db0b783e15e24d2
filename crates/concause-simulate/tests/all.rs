//! The integration tests of the generators, as one program.

mod recipes;
mod risk_models;

#[path = "../../../tests/one_binary.rs"]
mod one_binary;

#[test]
fn every_file_is_a_module() {
    one_binary::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"));
}

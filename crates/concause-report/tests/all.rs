//! The integration tests of the report, as one program.

mod formats;
mod html;
mod json;
mod sample;

#[path = "../../../tests/one_binary.rs"]
mod one_binary;

#[test]
fn every_file_is_a_module() {
    one_binary::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"));
}

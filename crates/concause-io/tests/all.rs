//! The integration tests of reading and encoding, as one program.

mod apply;
mod bad_input;
mod columnar;
mod formats;
mod holdout;
mod laws;
mod uci;
mod weights;

#[path = "../../../tests/one_binary.rs"]
mod one_binary;
#[path = "../../../tests/shared_data.rs"]
mod shared_data;

#[test]
fn every_file_is_a_module() {
    one_binary::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"));
}

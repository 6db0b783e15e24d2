//! The integration tests of the core, as one program.

mod counting;
mod evidence;
mod knowledge;
mod laws;
mod ordered;
mod prediction;
mod published;
mod questions;
mod rivals;
mod rounds;
mod stopping;
mod support;
mod syn7;
mod warnings;

#[path = "../../../tests/one_binary.rs"]
mod one_binary;
#[path = "../../../tests/shared_data.rs"]
mod shared_data;

#[test]
fn every_file_is_a_module() {
    one_binary::assert_every_file_is_a_module(env!("CARGO_MANIFEST_DIR"));
}

//! One file a command.

pub mod encode;
pub mod explain;
pub mod manual;
pub mod mine;
pub mod simulate;
pub mod test;

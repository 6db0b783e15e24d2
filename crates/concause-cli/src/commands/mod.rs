//! One file a command.

pub mod compare;
pub mod encode;
pub mod evaluate;
pub mod explain;
pub mod manual;
pub mod mine;
pub mod predict;
pub mod report;
pub mod simulate;
pub mod test;

//! The JSON `concause/1`, indented. [`Document`] defines its fields.

use super::{OutputFormat, TextStyle};
use crate::comparison::Comparison;
use crate::document::Document;
use crate::evaluation::Evaluation;

pub(super) struct JsonFormat;

impl OutputFormat for JsonFormat {
    fn name(&self) -> &'static str {
        "json"
    }

    fn description(&self) -> &'static str {
        "JSON, for programs; a result can be read back from it"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn render(&self, document: &Document, _: &TextStyle) -> Vec<u8> {
        document.to_json(true).into_bytes()
    }

    fn render_comparison(&self, comparison: &Comparison) -> Option<String> {
        Some(comparison.to_json())
    }

    fn render_evaluation(&self, evaluation: &Evaluation) -> Option<String> {
        Some(evaluation.to_json())
    }

    fn supports_comparisons(&self) -> bool {
        true
    }
}

//! The map of modules and crates as Markdown.

use crate::order::Node;

/// Lines of prose are shorter than this.
const WIDTH: usize = 118;

/// A diagram of what each node is used by, then a list of what each is for and what it uses. The nodes come in order.
pub fn render(nodes: &[Node]) -> String {
    let mut text = String::from("```text\n");
    text += &diagram(nodes);
    text += "```\n\n";
    for node in nodes {
        let uses: Vec<String> = nodes
            .iter()
            .filter(|other| node.uses.contains_key(&other.name))
            .map(|other| format!("`{}`", other.name))
            .collect();
        let uses = if uses.is_empty() { "nothing".to_string() } else { uses.join(", ") };
        let mut sentence = node.sentence.clone().unwrap_or_else(|| "Not documented".to_string());
        if !sentence.ends_with('.') {
            sentence.push('.');
        }
        text += &wrap(&format!("- `{}`: {sentence} Uses {uses}.", node.name), "  ");
    }
    text
}

/// One column per node; in the row of a node an arrowhead under each node that uses it. Heads to the left are `◀`.
fn diagram(nodes: &[Node]) -> String {
    let mut columns = Vec::new();
    let mut header = String::new();
    for node in nodes {
        columns.push(header.chars().count() + (node.name.chars().count() - 1) / 2);
        header += &node.name;
        header += "  ";
    }
    let mut text = header.trim_end().to_string() + "\n";
    for (place, node) in nodes.iter().enumerate() {
        let is_user = |other: &Node| other.uses.contains_key(&node.name);
        let users: Vec<usize> = (0..nodes.len()).filter(|&other| is_user(&nodes[other])).collect();
        let first = columns[users.iter().copied().min().unwrap_or(place).min(place)];
        let last = columns[users.iter().copied().max().unwrap_or(place).max(place)];
        let mut line: Vec<char> = (0..=last).map(|column| if column < first { ' ' } else { '─' }).collect();
        line[columns[place]] = '●';
        for user in users {
            line[columns[user]] = if user > place { '▶' } else { '◀' };
        }
        text.extend(line);
        text.push('\n');
    }
    text
}

/// Breaks a line at spaces; further lines start with `indent`.
fn wrap(line: &str, indent: &str) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for word in line.split(' ') {
        let needed = word.chars().count() + 1;
        if length > 0 && length + needed > WIDTH {
            text.push('\n');
            text += indent;
            length = indent.len();
        } else if length > 0 {
            text.push(' ');
        }
        text += word;
        length += needed;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::module_graph;
    use crate::source::Crate;

    #[test]
    fn arrows_lead_from_a_module_to_its_users() {
        let root = "/// The first one. It has more to say.\nmod one; mod two; mod three;";
        let files = [
            ("lib.rs", root),
            ("one.rs", ""),
            ("two.rs", "use crate::one;"),
            ("three.rs", "use crate::{one, two};"),
        ];
        let mut nodes = module_graph(&Crate::from_texts("x", &files).unwrap(), &[]);
        nodes.sort_by_key(|node| ["one", "two", "three"].iter().position(|name| *name == node.name));
        let expected = "```text\none  two  three\n ●────▶─────▶\n      ●─────▶\n            ●\n```\n\n\
                        - `one`: The first one. Uses nothing.\n- `two`: Not documented. Uses `one`.\n\
                        - `three`: Not documented. Uses `one`, `two`.\n";
        assert_eq!(render(&nodes), expected);
    }

    #[test]
    fn long_lines_are_wrapped() {
        let text = wrap(&"word ".repeat(40), "  ");
        assert!(text.lines().all(|line| line.len() < 120));
        assert!(text.lines().nth(1).unwrap().starts_with("  word"));
    }
}

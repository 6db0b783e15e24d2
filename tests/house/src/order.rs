//! The graph of dependencies between top-level modules, or between crates, and the order it must follow.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use syn::{Attribute, Item, UseTree};

use crate::references::find_references;
use crate::source::{Crate, first_sentence};

/// A place in the order: what a module may use, beyond the rule that it uses only modules to its left.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// The name of the module or crate.
    pub name: &'static str,
    uses_only: Option<&'static [&'static str]>,
    used_by_none: bool,
}

impl Layer {
    /// May use all modules to its left.
    pub const fn new(name: &'static str) -> Layer {
        Layer { name, uses_only: None, used_by_none: false }
    }

    /// Uses no other module.
    pub const fn leaf(name: &'static str) -> Layer {
        Layer::new(name).uses_only(&[])
    }

    /// Uses only these modules to its left.
    pub const fn uses_only(self, modules: &'static [&'static str]) -> Layer {
        Layer { uses_only: Some(modules), ..self }
    }

    /// Not even modules to its right use it.
    pub const fn used_by_none(self) -> Layer {
        Layer { used_by_none: true, ..self }
    }
}

/// What a module or crate uses.
pub struct Node {
    /// Its name.
    pub name: String,
    /// The first sentence of its documentation.
    pub sentence: Option<String>,
    /// The names of what it uses, with the places where it does so: `file:line`.
    pub uses: BTreeMap<String, Vec<String>>,
    /// Places that refer to the room or crate itself instead of to a module.
    pub root_uses: Vec<String>,
}

/// A use that the order does not allow, or a difference between the order and the modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A module is missing from the order.
    NotInOrder {
        /// The module.
        name: String,
    },
    /// The order names a module that does not exist.
    NoSuchModule {
        /// The name.
        name: String,
    },
    /// A module uses one to its right.
    LooksRight {
        /// The module.
        from: String,
        /// The one it uses.
        to: String,
        /// Where.
        places: Vec<String>,
    },
    /// A module uses one to its left that it, or every module, is kept from using.
    NotAllowed {
        /// The module.
        from: String,
        /// The one it uses.
        to: String,
        /// Where.
        places: Vec<String>,
    },
    /// A module refers to the room or crate itself, which hides what it depends on.
    UsesRoot {
        /// The module.
        from: String,
        /// Where.
        places: Vec<String>,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, places: &[String]| {
            places.iter().try_for_each(|place| write!(f, "\n    {place}"))
        };
        match self {
            Violation::NotInOrder { name } => write!(f, "`{name}` is not in the order"),
            Violation::NoSuchModule { name } => write!(f, "the order names `{name}`, which does not exist"),
            Violation::LooksRight { from, to, places } => {
                write!(f, "`{from}` uses `{to}`, which is to its right:")?;
                list(f, places)
            }
            Violation::NotAllowed { from, to, places } => {
                write!(f, "`{from}` uses `{to}`, which the order does not allow:")?;
                list(f, places)
            }
            Violation::UsesRoot { from, places } => {
                write!(f, "`{from}` uses an item of the room itself, which no module defines:")?;
                list(f, places)
            }
        }
    }
}

/// The modules of a room and what they use of one another. A room is a module by its path in the crate; the crate
/// itself has the empty path.
pub fn module_graph(parsed: &Crate, room: &[&str]) -> Vec<Node> {
    let depth = room.len();
    let is_inside =
        |path: &[String]| path.len() > depth && path.iter().zip(room).all(|(one, other)| one == other);
    let within = || parsed.modules.values().filter(|module| is_inside(&module.path));
    let exports = exports(parsed, room);
    let mut nodes: BTreeMap<&str, Node> = BTreeMap::new();
    for module in within().filter(|module| module.path.len() == depth + 1) {
        let name = &module.path[depth];
        let sentence = first_sentence(&module.attributes);
        let node = Node { name: name.to_string(), sentence, uses: BTreeMap::new(), root_uses: Vec::new() };
        nodes.insert(name, node);
    }
    let names: BTreeSet<String> = nodes.keys().map(|name| name.to_string()).collect();
    for module in within() {
        let node = nodes.get_mut(module.path[depth].as_str()).expect("every module is below one of the room");
        let references = find_references(module, &[]).into_iter();
        // What leads out of the room is ordered where the room is one of the modules.
        for reference in references.filter(|it| depth == 0 || is_inside(&it.to)) {
            let place = format!("{}:{}", module.file.display(), reference.line);
            let first = reference.to.get(depth);
            let target = first.and_then(|first| names.get(first).or_else(|| exports.get(first)));
            let places = match target {
                Some(target) if *target == node.name => continue,
                Some(target) => node.uses.entry(target.clone()).or_default(),
                None => &mut node.root_uses,
            };
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }
    nodes.into_values().collect()
}

/// The names that a room re-exports, with the module that each comes from.
fn exports(parsed: &Crate, room: &[&str]) -> BTreeMap<String, String> {
    fn collect(tree: &UseTree, module: Option<&str>, exports: &mut BTreeMap<String, String>) {
        let mut add = |name: &syn::Ident| {
            if let Some(module) = module {
                exports.insert(name.to_string(), module.to_string());
            }
        };
        match tree {
            UseTree::Path(path) if path.ident == "crate" || path.ident == "self" => {
                collect(&path.tree, module, exports);
            }
            UseTree::Path(path) => {
                let first = path.ident.to_string();
                collect(&path.tree, Some(module.unwrap_or(&first)), exports);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, module, exports)),
            UseTree::Name(name) => add(&name.ident),
            UseTree::Rename(name) => add(&name.rename),
            UseTree::Glob(_) => {}
        }
    }
    let mut exports = BTreeMap::new();
    let room: Vec<String> = room.iter().map(|name| name.to_string()).collect();
    for item in parsed.modules.get(&room).map_or(&[][..], |room| &room.items) {
        if let Item::Use(item) = item {
            collect(&item.tree, None, &mut exports);
        }
    }
    exports
}

/// A crate and the crates of `names` that its manifest depends on, other than for its tests. The attributes are those
/// at the top of its root file.
pub fn crate_node(
    name: &str,
    manifest: &Path,
    text: &str,
    attributes: &[Attribute],
    names: &[String],
) -> Node {
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let mut sections = vec![&table];
    let targets = table.get("target").and_then(toml::Value::as_table);
    sections.extend(targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table));
    let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for section in sections {
        for kind in ["dependencies", "build-dependencies"] {
            let dependencies = section.get(kind).and_then(toml::Value::as_table);
            for dependency in dependencies.into_iter().flat_map(toml::Table::keys) {
                if names.contains(dependency) {
                    uses.entry(dependency.clone()).or_default().push(manifest.display().to_string());
                }
            }
        }
    }
    let sentence = first_sentence(attributes);
    Node { name: name.to_string(), sentence, uses, root_uses: Vec::new() }
}

/// All violations of the order. The nodes are sorted into the order; those that are not in it come last.
pub fn check_order(nodes: &mut [Node], order: &[Layer]) -> Vec<Violation> {
    let position = |name: &str| order.iter().position(|layer| layer.name == name);
    nodes.sort_by_key(|node| position(&node.name).unwrap_or(usize::MAX));
    let mut violations = Vec::new();
    for layer in order {
        if !nodes.iter().any(|node| node.name == layer.name) {
            violations.push(Violation::NoSuchModule { name: layer.name.to_string() });
        }
    }
    for node in nodes.iter() {
        let from = node.name.clone();
        if !node.root_uses.is_empty() {
            violations.push(Violation::UsesRoot { from: from.clone(), places: node.root_uses.clone() });
        }
        let Some(left) = position(&from) else {
            violations.push(Violation::NotInOrder { name: from });
            continue;
        };
        for (to, places) in &node.uses {
            let (from, to, places) = (from.clone(), to.clone(), places.clone());
            match position(&to) {
                // Reported once, where the module itself is met.
                None => {}
                Some(right) if right > left => violations.push(Violation::LooksRight { from, to, places }),
                Some(used) => {
                    let is_listed = order[left].uses_only.is_none_or(|only| only.contains(&to.as_str()));
                    if !is_listed || order[used].used_by_none {
                        violations.push(Violation::NotAllowed { from, to, places });
                    }
                }
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: &[Layer] = &[
        Layer::leaf("a"),
        Layer::new("b"),
        Layer::new("c").uses_only(&["a"]).used_by_none(),
        Layer::new("d"),
    ];

    /// The violations in a crate with these texts of its modules.
    fn violations(root: &str, a: &str, b: &str, c: &str, d: &str) -> Vec<String> {
        let root = format!("mod a; mod b; mod c; mod d; {root}");
        let files = [("lib.rs", root.as_str()), ("a.rs", a), ("b.rs", b), ("c.rs", c), ("d.rs", d)];
        let mut nodes = module_graph(&Crate::from_texts("x", &files).unwrap(), &[]);
        check_order(&mut nodes, ORDER)
            .iter()
            .map(|violation| violation.to_string().replace("\n   ", ""))
            .collect()
    }

    #[test]
    fn uses_to_the_left_are_allowed() {
        let found =
            violations("pub use a::A;", "struct A;", "use crate::A;", "use crate::a;", "use super::b::B;");
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_module_that_looks_right_is_caught() {
        let found = violations("", "", "\nuse crate::{a, d::D};\nfn f() { crate::d::g() }", "", "");
        assert_eq!(found, ["`b` uses `d`, which is to its right: b.rs:2 b.rs:3"]);
        let found = violations("", "fn f() { assert!(super::b::g()); }", "", "", "");
        assert_eq!(found, ["`a` uses `b`, which is to its right: a.rs:1"]);
    }

    #[test]
    fn a_module_that_looks_right_through_the_root_is_caught() {
        let found = violations("pub use d::{D as Door, E};", "", "use crate::Door;", "", "");
        assert_eq!(found, ["`b` uses `d`, which is to its right: b.rs:1"]);
        let found = violations("pub struct Local;", "", "use crate::Local;", "", "use crate::*;");
        let message =
            |from| format!("`{from}` uses an item of the room itself, which no module defines: {from}.rs:1");
        assert_eq!(found, [message("b"), message("d")]);
    }

    #[test]
    fn narrower_rules_are_kept() {
        let found = violations("", "", "", "use crate::b;", "use crate::c;");
        let message = |from, to| format!("`{from}` uses `{to}`, which the order does not allow: {from}.rs:1");
        assert_eq!(found, [message("c", "b"), message("d", "c")]);
    }

    #[test]
    fn a_module_of_a_room_that_looks_right_is_caught() {
        let files = [
            ("lib.rs", "mod room; mod other;"),
            ("other.rs", "use crate::room::d::D;"),
            ("room/mod.rs", "mod a; mod b; mod c; mod d; pub use d::D; pub struct Own;"),
            ("room/a.rs", "use crate::other; use super::D;"),
            ("room/b.rs", "use super::a; use crate::room::Own;"),
            ("room/c.rs", "use super::a;"),
            ("room/d/mod.rs", "mod e; use super::b;"),
            ("room/d/e.rs", "use crate::room::b; use super::super::b;"),
        ];
        let mut nodes = module_graph(&Crate::from_texts("x", &files).unwrap(), &["room"]);
        let found: Vec<String> = check_order(&mut nodes, ORDER).iter().map(Violation::to_string).collect();
        assert_eq!(
            found,
            [
                "`a` uses `d`, which is to its right:\n    room/a.rs:1",
                "`b` uses an item of the room itself, which no module defines:\n    room/b.rs:1",
            ]
        );
    }

    #[test]
    fn order_and_modules_must_agree() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod e;"),
            ("a.rs", ""),
            ("b.rs", ""),
            ("c.rs", ""),
            ("e.rs", ""),
        ];
        let mut nodes = module_graph(&Crate::from_texts("x", &files).unwrap(), &[]);
        let found: Vec<String> = check_order(&mut nodes, ORDER).iter().map(Violation::to_string).collect();
        assert_eq!(found, ["the order names `d`, which does not exist", "`e` is not in the order"]);
    }

    #[test]
    fn manifests_name_the_crates_they_use() {
        let parsed = Crate::from_texts("x", &[("lib.rs", "//! A crate.\n")]).unwrap();
        let manifest = "[dependencies]\nx.workspace = true\nserde = \"1\"\n[target.'cfg(unix)'.dependencies]\n\
                        y = { path = \"../y\" }\n[dev-dependencies]\nz = \"1\"\n";
        let names = ["x", "y", "z"].map(String::from);
        let node = crate_node("w", Path::new("w/Cargo.toml"), manifest, &parsed.root().attributes, &names);
        assert_eq!(node.sentence.as_deref(), Some("A crate."));
        assert_eq!(node.uses.into_keys().collect::<Vec<_>>(), ["x", "y"]);
    }
}

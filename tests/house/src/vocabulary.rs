//! The names that a crate defines, and which of them are forbidden.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use syn::visit::{self, Visit};
use syn::{Ident, Item};

use crate::resolve::{is_public, item_name};
use crate::source::{Crate, is_test_only, item_attributes};

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function or method.
    Function,
    /// A struct, enum, union or type alias.
    Type,
    /// A trait.
    Trait,
    /// A module.
    Module,
    /// A variant of an enum.
    Variant,
    /// A field of a struct, a union or a variant.
    Field,
    /// A constant or static.
    Constant,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Function => "fn",
            Kind::Type => "type",
            Kind::Trait => "trait",
            Kind::Module => "mod",
            Kind::Variant => "variant",
            Kind::Field => "field",
            Kind::Constant => "const",
        })
    }
}

/// A name and where it is defined.
#[derive(Clone, Debug)]
pub struct Name {
    /// What it names.
    pub kind: Kind,
    /// The name.
    pub name: String,
    /// The file of its definition.
    pub file: PathBuf,
    /// The line in the file.
    pub line: usize,
}

/// A word that is not to be used, and what to use in its place.
#[derive(Clone, Copy, Debug)]
pub struct Forbidden {
    /// Words in lower case, separated by spaces; those of one name are joined by `_`.
    pub words: &'static str,
    /// Whether only whole names count (`Tie`), or names with such a word too (`break_tie`).
    pub whole_names: bool,
    /// The kinds of names that count; empty for all kinds.
    pub kinds: &'static [Kind],
    /// What to write instead.
    pub instead: &'static str,
}

/// All names that the crate defines outside its tests. Methods that a trait prescribes are left out: the trait's
/// definition is the place to rename them.
pub fn list_names(parsed: &Crate) -> Vec<Name> {
    let mut names = Vec::new();
    for module in parsed.modules.values() {
        let mut finder = Finder { found: Vec::new() };
        module.items.iter().for_each(|item| finder.visit_item(item));
        names.extend(finder.found.into_iter().map(|(kind, ident)| Name {
            kind,
            name: ident.to_string(),
            file: module.file.clone(),
            line: ident.span().start().line,
        }));
    }
    names.sort_by(|left, right| (&left.file, left.line).cmp(&(&right.file, right.line)));
    names
}

struct Finder<'a> {
    found: Vec<(Kind, &'a Ident)>,
}

impl<'ast> Visit<'ast> for Finder<'ast> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test_only(item_attributes(item)) {
            return;
        }
        let named = match item {
            Item::Struct(item) => Some((Kind::Type, &item.ident)),
            Item::Enum(item) => Some((Kind::Type, &item.ident)),
            Item::Union(item) => Some((Kind::Type, &item.ident)),
            Item::Type(item) => Some((Kind::Type, &item.ident)),
            Item::Trait(item) => Some((Kind::Trait, &item.ident)),
            Item::Mod(item) => Some((Kind::Module, &item.ident)),
            Item::Const(item) => Some((Kind::Constant, &item.ident)),
            Item::Static(item) => Some((Kind::Constant, &item.ident)),
            Item::Fn(item) => Some((Kind::Function, &item.sig.ident)),
            _ => None,
        };
        self.found.extend(named);
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        for member in &item.items {
            if let syn::ImplItem::Fn(member) = member {
                if is_test_only(&member.attrs) {
                    continue;
                }
                if item.trait_.is_none() {
                    self.found.push((Kind::Function, &member.sig.ident));
                }
            }
            self.visit_impl_item(member);
        }
    }

    fn visit_trait_item_fn(&mut self, member: &'ast syn::TraitItemFn) {
        self.found.push((Kind::Function, &member.sig.ident));
        visit::visit_trait_item_fn(self, member);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.found.push((Kind::Variant, &variant.ident));
        visit::visit_variant(self, variant);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.found.extend(field.ident.as_ref().map(|ident| (Kind::Field, ident)));
        visit::visit_field(self, field);
    }
}

/// The first forbidden word of a name, if it has one.
pub fn find_forbidden<'a>(name: &Name, forbidden: &'a [Forbidden]) -> Option<&'a Forbidden> {
    let words = split_words(&name.name);
    let name_in_snake_case = words.join("_");
    forbidden.iter().find(|entry| {
        let is_kind = entry.kinds.is_empty() || entry.kinds.contains(&name.kind);
        let mut listed = entry.words.split(' ');
        is_kind
            && listed.any(|word| match entry.whole_names {
                true => name_in_snake_case == word,
                false => words.iter().any(|part| part == word),
            })
    })
}

/// The words of a name in snake case, camel case or capitals, in lower case.
fn split_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut after_lower = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        if letter != '_' {
            words.last_mut().expect("starts with one word").extend(letter.to_lowercase());
        }
        after_lower = !letter.is_uppercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Names of public types that other types have too, each with the paths of all of them. Types that are private to
/// their module do not count; a `pub` type counts as public whatever the visibility of its module.
pub fn shared_names(crates: &[Crate]) -> BTreeMap<String, Vec<String>> {
    let mut by_name: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for (parsed, module) in crates.iter().flat_map(|it| it.modules.values().map(move |module| (it, module))) {
        for item in &module.items {
            let is_type = matches!(
                item,
                Item::Struct(_) | Item::Enum(_) | Item::Union(_) | Item::Type(_) | Item::Trait(_)
            );
            let Some((ident, visibility)) = item_name(item).filter(|_| is_type) else { continue };
            if !matches!(visibility, syn::Visibility::Inherited) {
                let modules = module.path.iter().map(|part| format!("{part}::"));
                let path = format!("{}::{}{ident}", parsed.name, modules.collect::<String>());
                by_name.entry(ident.to_string()).or_default().push((path, is_public(visibility)));
            }
        }
    }
    by_name.retain(|_, types| types.len() > 1 && types.iter().any(|(_, is_public)| *is_public));
    let paths = |types: Vec<(String, bool)>| types.into_iter().map(|(path, _)| path).collect();
    by_name.into_iter().map(|(name, types)| (name, paths(types))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORBIDDEN: &[Forbidden] = &[
        Forbidden { words: "elsewhere", whole_names: false, kinds: &[], instead: "remote" },
        Forbidden { words: "tie work_together", whole_names: true, kinds: &[], instead: "relation" },
        Forbidden { words: "of take", whole_names: true, kinds: &[Kind::Function], instead: "a verb" },
    ];

    fn violations(text: &str) -> Vec<String> {
        let parsed = Crate::from_texts("x", &[("lib.rs", text)]).unwrap();
        let names = list_names(&parsed);
        let found = names.iter().filter(|name| find_forbidden(name, FORBIDDEN).is_some());
        found.map(|name| format!("{} {}", name.kind, name.name)).collect()
    }

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(split_words("mine_elsewhere"), ["mine", "elsewhere"]);
        assert_eq!(split_words("NearPerfect"), ["near", "perfect"]);
        assert_eq!(split_words("MOST_STRATA"), ["most", "strata"]);
        assert_eq!(split_words("V1Of"), ["v1", "of"]);
    }

    #[test]
    fn forbidden_names_of_all_kinds_are_found() {
        assert_eq!(violations("mod m { struct CountElsewhere; }"), ["type CountElsewhere"]);
        assert_eq!(violations("enum Tie { A, Elsewhere }"), ["type Tie", "variant Elsewhere"]);
        assert_eq!(violations("struct S { elsewhere: u8 }"), ["field elsewhere"]);
        assert_eq!(violations("const ELSEWHERE: u8 = 0;"), ["const ELSEWHERE"]);
        assert_eq!(violations("fn f() { fn take() {} }"), ["fn take"]);
        assert_eq!(violations("fn work_together() {}"), ["fn work_together"]);
        assert_eq!(violations("trait T { fn of(); } impl T for u8 { fn of() {} }"), ["fn of"]);
        assert_eq!(violations("impl S { fn of() {} }"), ["fn of"]);
    }

    #[test]
    fn other_names_are_allowed() {
        assert!(
            violations("fn break_tie() {} fn sum_of() {} struct Take; #[cfg(test)] fn take() {}").is_empty()
        );
    }

    #[test]
    fn two_types_with_one_name_are_found() {
        let text = "pub mod a { pub struct T; pub struct U; pub struct V; struct W; } \
                    pub mod b { pub enum T {} pub use crate::a::U; pub(crate) struct V; pub struct W; }";
        let parsed = Crate::from_texts("x", &[("lib.rs", text)]).unwrap();
        let shared: Vec<(String, Vec<String>)> = shared_names(&[parsed]).into_iter().collect();
        let paths = |paths: [&str; 2]| paths.map(String::from).to_vec();
        let expected = [
            ("T".to_string(), paths(["x::a::T", "x::b::T"])),
            ("V".to_string(), paths(["x::a::V", "x::b::V"])),
        ];
        assert_eq!(shared, expected);
    }
}

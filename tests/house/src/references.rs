//! Which modules the code of a module refers to: `use` lines, paths in code, and paths in the arguments of macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

use crate::source::{Module, ModulePath, is_test_only, item_attributes};

/// A path in the code of a module that starts at `crate`, `self` or `super`, or at the name of another crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The other crate that the path starts with; `None` for a path within the crate.
    pub external: Option<String>,
    /// The path from the root of the crate that it leads into.
    pub to: ModulePath,
    /// The line in the file of the module.
    pub line: usize,
}

/// All references of a module's own code, without its children, to its crate and to the crates named in `externals`.
pub fn find_references(module: &Module, externals: &[&str]) -> Vec<Reference> {
    let mut finder = Finder { path: module.path.clone(), externals, found: Vec::new() };
    for item in &module.items {
        finder.visit_item(item);
    }
    finder.found.sort_by_key(|reference| reference.line);
    finder.found
}

struct Finder<'a> {
    path: ModulePath,
    externals: &'a [&'a str],
    found: Vec<Reference>,
}

impl Finder<'_> {
    /// Records a path if it starts in this crate or in one of the external ones.
    fn add_path(&mut self, segments: &[String], span: Span) {
        if let Some((external, to)) = self.resolve(segments) {
            self.found.push(Reference { external, to, line: span.start().line });
        }
    }

    /// The crate and the path from its root that a path in this module leads to.
    fn resolve(&self, segments: &[String]) -> Option<(Option<String>, ModulePath)> {
        let (first, mut rest) = segments.split_first()?;
        let mut to = self.path.clone();
        match first.as_str() {
            "crate" => to.clear(),
            "self" => {}
            "super" => {
                to.pop();
            }
            name if self.externals.contains(&name) => return Some((Some(name.to_string()), rest.to_vec())),
            _ => return None,
        }
        while let [next, others @ ..] = rest
            && next == "super"
        {
            to.pop();
            rest = others;
        }
        to.extend_from_slice(rest);
        Some((None, to))
    }

    /// Records the leaves of a `use` tree: the module itself for `self` and `*`.
    fn add_use_tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_use_tree(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use_tree(tree, prefix);
                }
            }
            UseTree::Glob(_) => self.add_path(prefix, tree.span()),
            UseTree::Name(syn::UseName { ident }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                let mut segments = prefix.clone();
                if ident != "self" || prefix.is_empty() {
                    segments.push(ident.to_string());
                }
                self.add_path(&segments, tree.span());
            }
        }
    }

    /// Records the paths in the arguments of a macro, which are tokens only.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        let mut next = 0;
        while next < tokens.len() {
            match &tokens[next] {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let mut segments = vec![first.to_string()];
                    while is_colon(tokens.get(next + 1))
                        && is_colon(tokens.get(next + 2))
                        && let Some(TokenTree::Ident(segment)) = tokens.get(next + 3)
                    {
                        segments.push(segment.to_string());
                        next += 3;
                    }
                    if segments.len() > 1 {
                        self.add_path(&segments, first.span());
                    }
                }
                _ => {}
            }
            next += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test_only(item_attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        // Only a module inside a function body has its items here.
        self.path.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.path.pop();
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test_only(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_use_tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let segments: Vec<String> =
                path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add_path(&segments, path.span());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        visit::visit_macro(self, item);
        self.add_tokens(item.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Crate;

    /// The references of the module `a::b` with this text.
    fn references(text: &str) -> Vec<String> {
        let files = [("src/lib.rs", "mod a;"), ("src/a/mod.rs", "mod b;"), ("src/a/b.rs", text)];
        let parsed = Crate::from_texts("x", &files).unwrap();
        let module = &parsed.modules[&vec!["a".to_string(), "b".to_string()]];
        let found = find_references(module, &["other"]);
        let external = |reference: &Reference| {
            reference.external.as_ref().map_or(String::new(), |name| format!("{name}: "))
        };
        found.iter().map(|reference| external(reference) + &reference.to.join("::")).collect()
    }

    #[test]
    fn use_trees_are_resolved() {
        assert_eq!(references("use crate::{c, d::e};"), ["c", "d::e"]);
        assert_eq!(references("use crate::c::{self, D as E, f::*};"), ["c", "c::D", "c::f"]);
        assert_eq!(references("use super::super::c;"), ["c"]);
        assert_eq!(references("use super::c;"), ["a::c"]);
        assert_eq!(references("use super::{super::c::D, e};"), ["c::D", "a::e"]);
        assert_eq!(references("use self::c::D;"), ["a::b::c::D"]);
        assert_eq!(references("pub(crate) use crate::c::D;"), ["c::D"]);
        assert_eq!(references("pub use crate::c::*;"), ["c"]);
        assert_eq!(references("use crate::*;"), [""]);
        assert_eq!(references("use std::fmt; use other::c::D;"), ["other: c::D"]);
    }

    #[test]
    fn paths_in_code_are_resolved() {
        assert_eq!(references("fn f() -> u32 { crate::c::g(1) + super::super::d::E }"), ["c::g", "d::E"]);
        assert_eq!(references("fn f(x: &dyn crate::c::D) where crate::e::F: Sized {}"), ["e::F", "c::D"]);
        assert_eq!(references("impl crate::c::D for Vec<crate::e::F> {}"), ["c::D", "e::F"]);
        assert_eq!(references("fn f() { match x { crate::c::D::E { .. } => {} } }"), ["c::D::E"]);
        assert_eq!(references("fn f() { use crate::c::D; }"), ["c::D"]);
        assert_eq!(references("fn f() { <crate::c::D as other::e::F>::g() }"), ["c::D", "other: e::F::g"]);
    }

    #[test]
    fn paths_in_macros_are_resolved() {
        assert_eq!(
            references("fn f() { assert!(x, \"{}\", vec![crate::c::D, super::super::e]); }"),
            ["c::D", "e"]
        );
        assert_eq!(references("macro_rules! m { ($x:expr) => { $crate::c::D($x) } }"), ["c::D"]);
    }

    #[test]
    fn visibilities_and_tests_are_no_references() {
        assert!(references("pub(crate) fn f() {} pub(super) struct S;").is_empty());
        assert!(references("#[cfg(test)] mod tests { use crate::c; }").is_empty());
        assert!(references("#[cfg(test)] fn f() { crate::c::d() }").is_empty());
        assert!(references("impl S { #[cfg(test)] fn f() { crate::c::d() } }").is_empty());
    }

    #[test]
    fn inner_modules_are_one_level_deeper() {
        assert_eq!(references("fn f() { mod m { use super::super::c; } }"), ["a::c"]);
    }
}

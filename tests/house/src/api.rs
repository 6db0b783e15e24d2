//! The public items of a crate, one line each, and its public types.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned;
use syn::{Attribute, Fields, Generics, ImplItem, Item, ItemImpl, TraitItem, Type};

use crate::resolve::{Target, is_public, item_name, list_imports};
use crate::source::{Crate, Module, is_doc_hidden, item_attributes};

/// The public items of a crate.
pub struct Api {
    lines: BTreeSet<Line>,
    /// The public types and traits.
    pub types: Vec<PublicType>,
}

/// A public struct, enum, union, trait or type alias.
pub struct PublicType {
    /// The name by which it is public.
    pub name: String,
    /// The path by which it is public.
    pub path: String,
    /// The path of its definition, through private modules too.
    pub definition: String,
}

/// Sorted by path, then the definition before its implementations.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    path: String,
    rank: u8,
    text: String,
}

/// A module and the name of an item that it defines.
type Definition = (Vec<String>, String);

/// Lists what users of a crate can name, without what is `#[doc(hidden)]`.
pub fn list_api(parsed: &Crate) -> Api {
    let mut lister = Lister {
        parsed,
        api: Api { lines: BTreeSet::new(), types: Vec::new() },
        places: Vec::new(),
        open: Vec::new(),
    };
    lister.add_module_items(parsed.root(), &parsed.name);
    lister.add_exported_macros();
    lister.add_implementations();
    lister.api
}

impl Api {
    /// One line for each item, sorted.
    pub fn to_text(&self) -> String {
        self.lines.iter().map(|line| line.text.clone() + "\n").collect()
    }
}

struct Lister<'a> {
    parsed: &'a Crate,
    api: Api,
    /// Where each type and trait is public.
    places: Vec<(Definition, String)>,
    /// The modules that are being listed, against cycles of globs.
    open: Vec<Vec<String>>,
}

impl<'a> Lister<'a> {
    fn add_line(&mut self, path: &str, rank: u8, text: String) {
        self.api.lines.insert(Line { path: path.to_string(), rank, text });
    }

    /// Lists the public items of a module under a path.
    fn add_module_items(&mut self, module: &'a Module, path: &str) {
        if self.open.contains(&module.path) {
            return;
        }
        self.open.push(module.path.clone());
        for item in &module.items {
            let attributes = item_attributes(item);
            if is_doc_hidden(attributes) {
                continue;
            }
            match item {
                Item::Mod(declaration) if is_public(&declaration.vis) => {
                    let child = [module.path.as_slice(), &[declaration.ident.to_string()]].concat();
                    let child = &self.parsed.modules[&child];
                    self.add_target(Target::Module(child), &format!("{path}::{}", declaration.ident), "");
                }
                Item::Use(declaration) if is_public(&declaration.vis) => {
                    self.add_imports(module, declaration, path);
                }
                _ => {
                    if let Some((name, visibility)) = item_name(item)
                        && is_public(visibility)
                    {
                        self.add_target(Target::Item(module, item), &format!("{path}::{name}"), "");
                    }
                }
            }
        }
        self.open.pop();
    }

    /// Lists what a `pub use` brings to a path.
    fn add_imports(&mut self, module: &'a Module, declaration: &syn::ItemUse, path: &str) {
        let condition = conditions(&declaration.attrs);
        for import in list_imports(declaration) {
            for resolved in self.parsed.resolve(module, &import.path) {
                match (&import.name, resolved.target) {
                    (Some(name), target) if resolved.is_public => {
                        self.add_target(target, &format!("{path}::{name}"), &condition);
                    }
                    (None, Target::Module(module)) => self.add_module_items(module, path),
                    (None, Target::Item(_, Item::Enum(item))) => {
                        for variant in &item.variants {
                            let target = Target::Other(format!("{}::{}", item.ident, variant.ident));
                            self.add_target(target, &format!("{path}::{}", variant.ident), &condition);
                        }
                    }
                    (None, Target::Other(other)) => {
                        self.add_line(
                            &format!("{path}::*"),
                            0,
                            format!("{condition}pub use {other}::* in {path}"),
                        );
                    }
                    _ => {}
                }
            }
        }
    }

    /// Lists a target under a path. The condition is that of the `use` which brings it there.
    fn add_target(&mut self, target: Target<'a>, path: &str, condition: &str) {
        match target {
            Target::Module(module) => {
                if is_doc_hidden(&module.attributes) {
                    return;
                }
                let condition = format!("{condition}{}", conditions(&module.attributes));
                self.add_line(path, 0, format!("{condition}pub mod {path}"));
                self.add_module_items(module, path);
            }
            Target::Item(module, item) => {
                if !is_doc_hidden(item_attributes(item)) {
                    self.add_item(module, item, path, condition);
                }
            }
            Target::Other(other) => self.add_line(path, 0, format!("{condition}pub use {other} as {path}")),
        }
    }

    fn add_item(&mut self, module: &'a Module, item: &'a Item, path: &str, condition: &str) {
        let attributes = item_attributes(item);
        let own_condition = conditions(attributes);
        let start =
            if own_condition == condition { own_condition } else { format!("{condition}{own_condition}") };
        let (head, is_type) = match item {
            Item::Struct(item) => {
                (format!("pub struct {path}{}", struct_shape(&item.generics, &item.fields)), true)
            }
            Item::Union(item) => (format!("pub union {path}{}", generics(&item.generics)), true),
            Item::Enum(item) => (format!("pub enum {path}{}", generics(&item.generics)), true),
            Item::Trait(item) => {
                let bounds = if item.supertraits.is_empty() {
                    String::new()
                } else {
                    format!(": {}", text(&item.supertraits))
                };
                let safety = if item.unsafety.is_some() { "unsafe " } else { "" };
                (format!("pub {safety}trait {path}{}{bounds}", generics(&item.generics)), true)
            }
            Item::Type(item) => {
                (format!("pub type {path}{} = {}", generics(&item.generics), text(&item.ty)), true)
            }
            Item::Const(item) => (format!("pub const {path}: {}", text(&item.ty)), false),
            Item::Static(item) => (format!("pub static {path}: {}", text(&item.ty)), false),
            Item::Fn(item) => (format!("pub {}", signature(&item.sig, path)), false),
            _ => return,
        };
        let open = if has_attribute(attributes, "non_exhaustive") { "#[non_exhaustive] " } else { "" };
        self.add_line(path, 0, format!("{start}{open}{head}"));
        if let Some(derives) = derives(attributes) {
            self.add_line(path, 1, format!("derive({derives}) for {path}"));
        }
        match item {
            Item::Struct(item) => self.add_fields(&item.fields, path),
            Item::Union(item) => self.add_fields(&Fields::Named(item.fields.clone()), path),
            Item::Enum(item) => self.add_variants(item, path),
            Item::Trait(item) => self.add_trait_items(item, path),
            _ => {}
        }
        if is_type {
            let name = item_name(item).expect("types have names").0.to_string();
            let definition = definition_path(self.parsed, module, &name);
            let public_name = path.rsplit("::").next().unwrap_or(path).to_string();
            self.api.types.push(PublicType { name: public_name, path: path.to_string(), definition });
            self.places.push(((module.path.clone(), name), path.to_string()));
        }
    }

    /// Lists the public fields with a name; those of a tuple are in the line of the struct.
    fn add_fields(&mut self, fields: &Fields, path: &str) {
        for field in fields {
            if let Some(name) =
                field.ident.as_ref().filter(|_| is_public(&field.vis) && !is_doc_hidden(&field.attrs))
            {
                let field_path = format!("{path}::{name}");
                let line = format!("{}pub {field_path}: {}", conditions(&field.attrs), text(&field.ty));
                self.add_line(&field_path, 0, line);
            }
        }
    }

    fn add_variants(&mut self, item: &syn::ItemEnum, path: &str) {
        for variant in item.variants.iter().filter(|variant| !is_doc_hidden(&variant.attrs)) {
            let variant_path = format!("{path}::{}", variant.ident);
            let types = |named: bool| {
                let field = |field: &syn::Field| match &field.ident {
                    Some(name) if named => format!("{name}: {}", text(&field.ty)),
                    _ => text(&field.ty),
                };
                variant.fields.iter().map(field).collect::<Vec<_>>().join(", ")
            };
            let shape = match &variant.fields {
                Fields::Unit => String::new(),
                Fields::Unnamed(_) => format!("({})", types(false)),
                Fields::Named(_) => format!(" {{ {} }}", types(true)),
            };
            let open =
                if has_attribute(&variant.attrs, "non_exhaustive") { "#[non_exhaustive] " } else { "" };
            let start = conditions(&variant.attrs);
            self.add_line(&variant_path, 0, format!("{start}{open}pub {variant_path}{shape}"));
        }
    }

    fn add_trait_items(&mut self, item: &syn::ItemTrait, path: &str) {
        for member in &item.items {
            let (attributes, name) = match member {
                TraitItem::Fn(member) => (&member.attrs, &member.sig.ident),
                TraitItem::Const(member) => (&member.attrs, &member.ident),
                TraitItem::Type(member) => (&member.attrs, &member.ident),
                _ => continue,
            };
            if is_doc_hidden(attributes) {
                continue;
            }
            let member_path = format!("{path}::{name}");
            let line = match member {
                TraitItem::Fn(member) => {
                    let provided = if member.default.is_some() { " { .. }" } else { "" };
                    format!("pub {}{provided}", signature(&member.sig, &member_path))
                }
                TraitItem::Const(member) => format!("pub const {member_path}: {}", text(&member.ty)),
                _ => format!("pub type {member_path}"),
            };
            self.add_line(&member_path, 0, conditions(attributes) + &line);
        }
    }

    /// Lists macros with `#[macro_export]`, which are at the root wherever they are defined.
    fn add_exported_macros(&mut self) {
        for item in self.parsed.modules.values().flat_map(|module| &module.items) {
            if let Item::Macro(item) = item
                && let Some(name) = &item.ident
                && has_attribute(&item.attrs, "macro_export")
                && !is_doc_hidden(&item.attrs)
            {
                let path = format!("{}::{name}", self.parsed.name);
                self.add_line(&path, 0, format!("pub macro {path}!"));
            }
        }
    }

    /// Lists public methods and implemented traits of the types that are public.
    fn add_implementations(&mut self) {
        let mut places: BTreeMap<Definition, Vec<String>> = BTreeMap::new();
        for (definition, path) in std::mem::take(&mut self.places) {
            places.entry(definition).or_default().push(path);
        }
        let parsed = self.parsed;
        for module in parsed.modules.values() {
            for item in &module.items {
                let Item::Impl(item) = item else { continue };
                if is_doc_hidden(&item.attrs) {
                    continue;
                }
                let implemented = item.trait_.as_ref().map(|(_, path, _)| self.find_definition(module, path));
                if implemented
                    .as_ref()
                    .is_some_and(|found| found.as_ref().is_some_and(|it| !places.contains_key(it)))
                {
                    // A private trait.
                    continue;
                }
                let own_type = match item.self_ty.as_ref() {
                    Type::Path(path) if path.qself.is_none() => self.find_definition(module, &path.path),
                    _ => None,
                };
                // What is implemented for types of others is listed under the trait.
                let listed_under = own_type.clone().or(implemented.flatten());
                for path in listed_under.and_then(|definition| places.get(&definition)).into_iter().flatten()
                {
                    self.add_implementation(item, path, own_type.is_some());
                }
            }
        }
    }

    /// The item of this crate that a path leads to.
    fn find_definition(&self, module: &Module, path: &syn::Path) -> Option<Definition> {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let named =
            self.parsed.resolve(module, &segments).into_iter().find_map(|resolved| match resolved.target {
                Target::Item(module, item) => Some((module, item_name(item)?.0.to_string())),
                _ => None,
            });
        named.map(|(module, name)| (module.path.clone(), name))
    }

    fn add_implementation(&mut self, item: &ItemImpl, path: &str, is_own_type: bool) {
        let start = conditions(&item.attrs);
        if let Some((_, implemented, _)) = &item.trait_ {
            let written = text(&item.self_ty);
            let arguments = written.split_once('<').map_or(String::new(), |(_, rest)| format!("<{rest}"));
            let target = if is_own_type { format!("{path}{arguments}") } else { written };
            let line = format!("{start}impl{} {} for {target}", generics(&item.generics), text(implemented));
            self.add_line(path, 2, line);
            return;
        }
        for member in &item.items {
            let line = match member {
                ImplItem::Fn(member) if is_public(&member.vis) && !is_doc_hidden(&member.attrs) => {
                    let member_path = format!("{path}::{}", member.sig.ident);
                    let line =
                        format!("{}pub {}", conditions(&member.attrs), signature(&member.sig, &member_path));
                    (member_path, line)
                }
                ImplItem::Const(member) if is_public(&member.vis) && !is_doc_hidden(&member.attrs) => {
                    let member_path = format!("{path}::{}", member.ident);
                    let line =
                        format!("{}pub const {member_path}: {}", conditions(&member.attrs), text(&member.ty));
                    (member_path, line)
                }
                _ => continue,
            };
            self.add_line(&line.0, 0, start.clone() + &line.1);
        }
    }
}

/// The path of an item through the modules that define it.
pub fn definition_path(parsed: &Crate, module: &Module, name: &impl ToString) -> String {
    let modules = module.path.iter().cloned();
    let parts: Vec<String> =
        [parsed.name.clone()].into_iter().chain(modules).chain([name.to_string()]).collect();
    parts.join("::")
}

/// Source text on one line.
fn text(node: &impl Spanned) -> String {
    let written = node.span().source_text().unwrap_or_default();
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    [(", )", ")"), ("( ", "("), (" )", ")"), (", >", ">"), ("< ", "<"), (" >", ">")]
        .iter()
        .fold(line, |line, (from, to)| line.replace(from, to))
}

/// A signature with a path in the place of the name. That a parameter is `mut` inside the function is left out.
fn signature(item: &syn::Signature, path: &str) -> String {
    let written = text(item).replace("(mut ", "(").replace(", mut ", ", ");
    written.replacen(&format!("fn {}", item.ident), &format!("fn {path}"), 1)
}

/// Parameters and conditions of a generic item, as written.
fn generics(item: &Generics) -> String {
    let parameters = if item.params.is_empty() { String::new() } else { text(item) };
    let condition = item.where_clause.as_ref().map_or(String::new(), |clause| format!(" {}", text(clause)));
    parameters + &condition
}

/// What follows the name of a struct: `{ .. }` stands for fields that are not public.
fn struct_shape(parameters: &Generics, fields: &Fields) -> String {
    let is_shown = |field: &syn::Field| is_public(&field.vis) && !is_doc_hidden(&field.attrs);
    let shape = match fields {
        Fields::Unnamed(fields) => {
            let field = |field: &syn::Field| if is_shown(field) { text(&field.ty) } else { "_".to_string() };
            format!("({})", fields.unnamed.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        fields if fields.iter().all(is_shown) => String::new(),
        _ => " { .. }".to_string(),
    };
    generics(parameters) + &shape
}

/// The `cfg` attributes, as written.
fn conditions(attributes: &[Attribute]) -> String {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.map(|attribute| text(attribute) + " ").collect()
}

fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident(name))
}

/// The derived traits, sorted.
fn derives(attributes: &[Attribute]) -> Option<String> {
    let mut names = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let separated = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        let paths = attribute.parse_args_with(separated).ok()?;
        names.extend(paths.iter().filter_map(|path| Some(path.segments.last()?.ident.to_string())));
    }
    names.sort();
    (!names.is_empty()).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(files: &[(&str, &str)]) -> String {
        list_api(&Crate::from_texts("x", files).unwrap()).to_text()
    }

    #[test]
    fn items_have_one_line_each() {
        let text = "
            #[derive(Debug, Clone)]
            pub struct Point<T: Copy> { pub left: T, right: T }
            impl<T: Copy> Point<T> {
                /// Documented.
                pub const fn new(
                    left: T,
                    mut right: T,
                ) -> Self { todo!() }
                fn hidden() {}
                #[doc(hidden)] pub fn internal() {}
            }
            impl<T: Copy> std::fmt::Display for Point<T> {}
            pub struct Pair(pub u32, u32);
            #[non_exhaustive]
            pub enum Kind { One, Two(u32, String), Three { a: u8, b: Vec<u8> } }
            pub trait Counter: Sync { fn count(&self) -> u64; fn twice(&self) -> u64 { 0 } type Out; }
            impl<C: Counter> Counter for &C {}
            pub const LIMIT: usize = 3;
            pub type Callback<'a> = dyn Fn(&str) + 'a;
            pub(crate) fn internal() {}
            #[doc(hidden)] pub fn also_internal() {}
            #[cfg(feature = \"arrow\")] pub fn read<'a>(path: &'a str) -> Result<(), Box<dyn Error>> where Self: Sized {}
        ";
        let expected = "\
pub type x::Callback<'a> = dyn Fn(&str) + 'a
pub trait x::Counter: Sync
impl<C: Counter> Counter for &C
pub type x::Counter::Out
pub fn x::Counter::count(&self) -> u64
pub fn x::Counter::twice(&self) -> u64 { .. }
#[non_exhaustive] pub enum x::Kind
pub x::Kind::One
pub x::Kind::Three { a: u8, b: Vec<u8> }
pub x::Kind::Two(u32, String)
pub const x::LIMIT: usize
pub struct x::Pair(u32, _)
pub struct x::Point<T: Copy> { .. }
derive(Clone, Debug) for x::Point
impl<T: Copy> std::fmt::Display for x::Point<T>
pub x::Point::left: T
pub const fn x::Point::new(left: T, right: T) -> Self
#[cfg(feature = \"arrow\")] pub fn x::read<'a>(path: &'a str) -> Result<(), Box<dyn Error>> where Self: Sized
";
        assert_eq!(listing(&[("lib.rs", text)]), expected);
    }

    #[test]
    fn only_reachable_items_are_listed() {
        let files = [
            (
                "lib.rs",
                "mod a; pub mod b; pub use a::{A, inner::B as Renamed}; pub use b::C; pub(crate) use a::D;",
            ),
            (
                "a.rs",
                "pub mod inner { pub struct B; } pub struct A; pub struct D; pub struct Unreached; \
                      impl A { pub fn f(&self) {} } impl Unreached { pub fn g(&self) {} } trait T {} impl T for A {}",
            ),
            ("b.rs", "pub struct C; pub use crate::a::inner; use super::a::D as _;"),
        ];
        let expected = "\
pub struct x::A
pub fn x::A::f(&self)
pub struct x::C
pub struct x::Renamed
pub mod x::b
pub struct x::b::C
pub mod x::b::inner
pub struct x::b::inner::B
";
        assert_eq!(listing(&files), expected);
    }

    #[test]
    fn globs_renames_and_other_crates_are_followed() {
        let files = [
            (
                "lib.rs",
                "mod a; mod prelude; pub use prelude::*; pub use other::Thing; pub use std::fmt as format; \
                        pub use a::Kind::*;",
            ),
            ("a.rs", "pub fn f() {} pub enum Kind { One }"),
            ("prelude.rs", "pub use super::a::f as g; use super::a::f as h; pub use super::*;"),
        ];
        let expected = "\
pub use Kind::One as x::One
pub use other::Thing as x::Thing
pub use std::fmt as x::format
pub fn x::g()
";
        assert_eq!(listing(&files), expected);
    }

    #[test]
    fn a_function_with_the_name_of_its_private_module_is_listed_alone() {
        let files = [
            ("lib.rs", "mod encode; pub use encode::{apply, encode};"),
            ("encode/mod.rs", "mod apply; pub use apply::apply; pub fn encode() {}"),
            ("encode/apply.rs", "pub fn apply() {} pub fn unreached() {}"),
        ];
        assert_eq!(listing(&files), "pub fn x::apply()\npub fn x::encode()\n");
    }
}

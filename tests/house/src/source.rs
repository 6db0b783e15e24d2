//! The module tree of a crate, parsed from its files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta, Visibility};

/// The path of a module within its crate, without the name of the crate: empty for the root.
pub type ModulePath = Vec<String>;

/// The source code of a crate without the code that is compiled for tests only.
pub struct Crate {
    /// The name as it is written in paths: `concause_io`.
    pub name: String,
    /// All modules by their path.
    pub modules: BTreeMap<ModulePath, Module>,
}

/// One module, inline or with a file of its own.
pub struct Module {
    /// Where it is in the crate.
    pub path: ModulePath,
    /// The file that contains its items.
    pub file: PathBuf,
    /// The attributes at the declaration and those at the top of the file.
    pub attributes: Vec<Attribute>,
    /// The visibility of the declaration.
    pub visibility: Visibility,
    /// The items; those of a child module are in the child only.
    pub items: Vec<Item>,
}

/// Why a crate cannot be read.
#[derive(Debug)]
pub enum SourceError {
    /// No file for a module that is declared.
    MissingFile {
        /// The file or files that were tried.
        tried: Vec<PathBuf>,
    },
    /// The file is not Rust.
    Syntax {
        /// The file.
        file: PathBuf,
        /// The parser's error.
        error: syn::Error,
    },
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::MissingFile { tried } => {
                let tried: Vec<String> = tried.iter().map(|path| path.display().to_string()).collect();
                write!(f, "cannot read {}", tried.join(" or "))
            }
            SourceError::Syntax { file, error } => {
                let start = error.span().start();
                write!(f, "{}:{}: {error}", file.display(), start.line)
            }
        }
    }
}

impl std::error::Error for SourceError {}

impl Crate {
    /// Reads the crate whose root is `file`, a path relative to `root`.
    pub fn read(name: &str, root: &Path, file: &str) -> Result<Crate, SourceError> {
        Crate::parse(name, Path::new(file), &|path| std::fs::read_to_string(root.join(path)).ok())
    }

    /// Parses a crate from texts in memory: pairs of path and text, the first of which is the root.
    pub fn from_texts(name: &str, files: &[(&str, &str)]) -> Result<Crate, SourceError> {
        let find = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, text)| text.to_string())
        };
        Crate::parse(name, Path::new(files[0].0), &find)
    }

    fn parse(name: &str, file: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Crate, SourceError> {
        let mut parser = Parser { read, modules: BTreeMap::new() };
        let (syntax, file) = parser.parse_file(&[file.to_path_buf()])?;
        let public: Visibility = syn::parse_quote!(pub);
        let directory = file.parent().unwrap_or(Path::new("")).to_path_buf();
        parser.add_module(Vec::new(), file, &directory, public, syntax.attrs, syntax.items)?;
        Ok(Crate { name: name.to_string(), modules: parser.modules })
    }

    /// The root module.
    pub fn root(&self) -> &Module {
        &self.modules[&Vec::new()]
    }

    /// The modules below the root, by name.
    pub fn top_level(&self) -> impl Iterator<Item = (&str, &Module)> {
        self.modules
            .values()
            .filter(|module| module.path.len() == 1)
            .map(|module| (module.path[0].as_str(), module))
    }
}

struct Parser<'a> {
    read: &'a dyn Fn(&Path) -> Option<String>,
    modules: BTreeMap<ModulePath, Module>,
}

impl Parser<'_> {
    /// Parses the first of the files that exists.
    fn parse_file(&self, candidates: &[PathBuf]) -> Result<(syn::File, PathBuf), SourceError> {
        for file in candidates {
            if let Some(text) = (self.read)(file) {
                let syntax = syn::parse_file(&text)
                    .map_err(|error| SourceError::Syntax { file: file.clone(), error })?;
                return Ok((syntax, file.clone()));
            }
        }
        Err(SourceError::MissingFile { tried: candidates.to_vec() })
    }

    /// Adds a module and its children, whose files are in `directory`.
    fn add_module(
        &mut self,
        path: ModulePath,
        file: PathBuf,
        directory: &Path,
        visibility: Visibility,
        attributes: Vec<Attribute>,
        items: Vec<Item>,
    ) -> Result<(), SourceError> {
        let mut kept = Vec::new();
        for item in items {
            if is_test_only(item_attributes(&item)) {
                continue;
            }
            let Item::Mod(mut declaration) = item else {
                kept.push(item);
                continue;
            };
            let name = declaration.ident.to_string();
            let child_path = [path.as_slice(), std::slice::from_ref(&name)].concat();
            let mut attributes = declaration.attrs.clone();
            let visibility = declaration.vis.clone();
            if let Some((_, items)) = declaration.content.take() {
                self.add_module(
                    child_path,
                    file.clone(),
                    &directory.join(&name),
                    visibility,
                    attributes,
                    items,
                )?;
            } else {
                let (syntax, child_file) = self.parse_file(&child_files(&declaration, &file, directory))?;
                let child_directory = child_directory(&child_file);
                attributes.extend(syntax.attrs);
                self.add_module(
                    child_path,
                    child_file,
                    &child_directory,
                    visibility,
                    attributes,
                    syntax.items,
                )?;
            }
            declaration.semi = Some(Default::default());
            kept.push(Item::Mod(declaration));
        }
        self.modules.insert(path.clone(), Module { path, file, attributes, visibility, items: kept });
        Ok(())
    }
}

/// Where the file of a declared module may be.
fn child_files(declaration: &syn::ItemMod, parent: &Path, directory: &Path) -> Vec<PathBuf> {
    for attribute in &declaration.attrs {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("path")
            && let Some(path) = string_literal(&pair.value)
        {
            return vec![parent.parent().unwrap_or(Path::new("")).join(path)];
        }
    }
    let name = declaration.ident.to_string();
    vec![directory.join(format!("{name}.rs")), directory.join(name).join("mod.rs")]
}

/// Where the files of the children of a module with a file of its own are.
fn child_directory(file: &Path) -> PathBuf {
    let parent = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    if stem == "mod" { parent.to_path_buf() } else { parent.join(stem) }
}

/// The text of a string literal.
pub fn string_literal(expression: &syn::Expr) -> Option<String> {
    match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// The attributes of an item.
pub fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether what these attributes stand on is compiled for tests only: `cfg(test)`, alone or within `all(…)`.
pub fn is_test_only(attributes: &[Attribute]) -> bool {
    fn requires_test(meta: &Meta) -> bool {
        match meta {
            Meta::Path(path) => path.is_ident("test"),
            Meta::List(list) if list.path.is_ident("all") => {
                let separated = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
                list.parse_args_with(separated).is_ok_and(|metas| metas.iter().any(requires_test))
            }
            _ => false,
        }
    }
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Meta>().is_ok_and(|meta| requires_test(&meta))
    })
}

/// The first sentence of a documentation comment, with links reduced to their text.
pub fn first_sentence(attributes: &[Attribute]) -> Option<String> {
    let mut paragraph = String::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        let line = string_literal(&pair.value)?;
        if line.trim().is_empty() {
            if paragraph.is_empty() { continue } else { break }
        }
        paragraph.push(' ');
        paragraph += line.trim();
    }
    let paragraph = strip_links(paragraph.trim());
    let end = paragraph.find(". ").map_or(paragraph.len(), |dot| dot + 1);
    (end > 0).then(|| paragraph[..end].trim_end_matches(':').to_string())
}

/// `[text](target)` and `[text]` become `text`.
fn strip_links(text: &str) -> String {
    let mut stripped = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((label, after)) = after.split_once(']') else { break };
        stripped += before;
        stripped += label;
        let target_end = if after.starts_with('(') { after.find(')') } else { None };
        rest = target_end.map_or(after, |end| &after[end + 1..]);
    }
    stripped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_in_all_places() {
        let files = [
            (
                "src/lib.rs",
                "pub mod a; mod b; mod c { mod d; } #[cfg(test)] mod tests; #[path = \"odd.rs\"] mod e;",
            ),
            ("src/a/mod.rs", "mod deep;"),
            ("src/a/deep.rs", ""),
            ("src/b.rs", "mod deep;"),
            ("src/b/deep.rs", ""),
            ("src/c/d.rs", ""),
            ("src/odd.rs", ""),
        ];
        let parsed = Crate::from_texts("x", &files).unwrap();
        let paths: Vec<String> = parsed.modules.keys().map(|path| path.join("::")).collect();
        assert_eq!(paths, ["", "a", "a::deep", "b", "b::deep", "c", "c::d", "e"]);
    }

    #[test]
    fn code_for_tests_is_left_out() {
        let text = "#[cfg(test)] fn a() {} #[cfg(all(unix, test))] fn b() {} #[cfg(not(test))] fn c() {} \
                    #[cfg(any(test, fuzzing))] fn d() {}";
        let parsed = Crate::from_texts("x", &[("lib.rs", text)]).unwrap();
        assert_eq!(parsed.root().items.len(), 2);
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let error = Crate::from_texts("x", &[("src/lib.rs", "mod gone;")]).err().unwrap();
        assert_eq!(error.to_string(), "cannot read src/gone.rs or src/gone/mod.rs");
    }

    #[test]
    fn the_first_sentence_has_no_links() {
        let text = "//! Counts [`Family`] sets and\n//! [more](crate::x). And then.\n//!\n//! Next.\n";
        let parsed = Crate::from_texts("x", &[("lib.rs", text)]).unwrap();
        assert_eq!(first_sentence(&parsed.root().attributes).unwrap(), "Counts `Family` sets and more.");
    }
}

//! What a path means in a module: a module, an item, or something of another crate. Follows `use` declarations with
//! renames and globs.

use syn::{Item, ItemUse, UseTree, Visibility};

use crate::source::{Crate, Module, ModulePath};

/// The names that are being resolved, each with its module: globs can lead in circles.
type Open = Vec<(ModulePath, String)>;

/// What a path leads to.
#[derive(Clone)]
pub enum Target<'a> {
    /// A module of the crate.
    Module(&'a Module),
    /// An item of the crate, other than a module, and the module that defines it.
    Item(&'a Module, &'a Item),
    /// Anything else: an item of another crate or a variant of an enum, as a path.
    Other(String),
}

/// A target and whether it is public where the path leads, whatever the visibility of the modules on the way.
#[derive(Clone)]
pub struct Resolved<'a> {
    /// The target.
    pub target: Target<'a>,
    /// Whether its declaration, and every `use` on the way, is `pub`.
    pub is_public: bool,
}

/// One name, or all names, that a `use` declaration brings into its module.
pub struct Import {
    /// The path in the module of the declaration.
    pub path: Vec<String>,
    /// The name that it gets; `None` for a glob.
    pub name: Option<String>,
}

/// All imports of a `use` declaration. Those without a name (`as _`) are left out.
pub fn list_imports(item: &ItemUse) -> Vec<Import> {
    fn collect(tree: &UseTree, prefix: &[String], imports: &mut Vec<Import>) {
        let extended = |ident: &syn::Ident| {
            let mut path = prefix.to_vec();
            if ident != "self" || path.is_empty() {
                path.push(ident.to_string());
            }
            path
        };
        match tree {
            UseTree::Path(tree) => collect(&tree.tree, &extended(&tree.ident), imports),
            UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, prefix, imports)),
            UseTree::Glob(_) => imports.push(Import { path: prefix.to_vec(), name: None }),
            UseTree::Name(tree) => {
                let path = extended(&tree.ident);
                let name = path.last().cloned();
                imports.push(Import { path, name });
            }
            UseTree::Rename(tree) if tree.rename == "_" => {}
            UseTree::Rename(tree) => {
                imports.push(Import { path: extended(&tree.ident), name: Some(tree.rename.to_string()) });
            }
        }
    }
    let mut imports = Vec::new();
    collect(&item.tree, &[], &mut imports);
    imports
}

impl Crate {
    /// What a path in a module leads to: several targets where a type, a value and a module share a name.
    pub fn resolve(&self, module: &Module, path: &[String]) -> Vec<Resolved<'_>> {
        self.resolve_path(&module.path, path, &mut Vec::new())
    }

    fn resolve_path(&self, module: &[String], path: &[String], open: &mut Open) -> Vec<Resolved<'_>> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let start = match first.as_str() {
            "crate" => vec![self.module_target(&[])],
            "self" => vec![self.module_target(module)],
            "super" => vec![self.module_target(&module[..module.len().saturating_sub(1)])],
            name => self.resolve_name(&self.modules[module], name, open),
        };
        if start.is_empty() {
            return vec![Resolved { target: Target::Other(path.join("::")), is_public: true }];
        }
        rest.iter().fold(start, |targets, segment| {
            targets.into_iter().flat_map(|resolved| self.resolve_member(resolved, segment, open)).collect()
        })
    }

    fn module_target(&self, path: &[String]) -> Resolved<'_> {
        Resolved { target: Target::Module(&self.modules[path]), is_public: true }
    }

    fn resolve_member<'a>(
        &'a self,
        resolved: Resolved<'a>,
        segment: &str,
        open: &mut Open,
    ) -> Vec<Resolved<'a>> {
        match resolved.target {
            Target::Module(module) if segment == "super" => {
                vec![self.module_target(&module.path[..module.path.len().saturating_sub(1)])]
            }
            Target::Module(module) => self.resolve_name(module, segment, open),
            Target::Item(_, Item::Enum(item))
                if item.variants.iter().any(|variant| variant.ident == segment) =>
            {
                vec![Resolved {
                    target: Target::Other(format!("{}::{segment}", item.ident)),
                    is_public: true,
                }]
            }
            Target::Item(..) => Vec::new(),
            Target::Other(path) => {
                vec![Resolved { target: Target::Other(format!("{path}::{segment}")), is_public: true }]
            }
        }
    }

    /// What a name means in a module; nothing if it is the name of another crate or of a built-in.
    fn resolve_name<'a>(&'a self, module: &'a Module, name: &str, open: &mut Open) -> Vec<Resolved<'a>> {
        let key = (module.path.clone(), name.to_string());
        // In `mod a; pub use a::a;` the path `a::a` starts at the module, not at what is being imported.
        let follows_imports = !open.contains(&key);
        open.push(key);
        let (mut found, mut from_globs) = (Vec::new(), Vec::new());
        for item in &module.items {
            match item {
                Item::Mod(declaration) if declaration.ident == name => {
                    let path = [module.path.as_slice(), &[name.to_string()]].concat();
                    let target = Target::Module(&self.modules[&path]);
                    found.push(Resolved { target, is_public: is_public(&declaration.vis) });
                }
                Item::Use(declaration) if follows_imports => {
                    for import in list_imports(declaration) {
                        let list = match &import.name {
                            Some(imported) if imported == name => &mut found,
                            None => &mut from_globs,
                            Some(_) => continue,
                        };
                        let mut path = import.path;
                        if import.name.is_none() {
                            path.push(name.to_string());
                        } else if path == [name] {
                            // `use name;` of another crate.
                            list.push(Resolved { target: Target::Other(name.to_string()), is_public: true });
                            continue;
                        }
                        let targets = self.resolve_path(&module.path, &path, open);
                        let is_exported = is_public(&declaration.vis);
                        list.extend(targets.into_iter().map(|resolved| Resolved {
                            is_public: is_exported && resolved.is_public,
                            ..resolved
                        }));
                    }
                }
                _ => {
                    if let Some((ident, visibility)) = item_name(item)
                        && ident == name
                    {
                        let target = Target::Item(module, item);
                        found.push(Resolved { target, is_public: is_public(visibility) });
                    }
                }
            }
        }
        if found.is_empty() {
            // A glob of another crate may bring any name; only names of this crate are certain.
            from_globs.retain(|resolved| !matches!(resolved.target, Target::Other(_)));
            found = from_globs;
        }
        open.pop();
        found
    }
}

/// Whether a visibility is `pub` without restriction.
pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The name and the visibility of an item that a path can lead to, other than a module.
pub fn item_name(item: &Item) -> Option<(&syn::Ident, &Visibility)> {
    Some(match item {
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Union(item) => (&item.ident, &item.vis),
        _ => return None,
    })
}

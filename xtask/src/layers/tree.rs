//! The modules of one crate, or of several that name each other: which file declares what, read from the root files
//! down.

use super::left_out::left_out;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, UseTree, Visibility};

/// A file's place in [`Tree::files`].
pub type FileId = usize;
/// The number of an item's name in [`Tree::items`].
pub type ItemId = usize;
/// A module's place in [`Tree::modules`].
pub type ModuleId = usize;

/// Reads a file by its path from the repository's root; `None` where there is no such file.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A module of the crates.
    Module(ModuleId),
    /// An item that this file defines, by its name.
    Item(FileId, ItemId),
    /// The path of a `use`.
    Import(Vec<String>),
}

/// A module: a file, or a `mod x { … }` inside one.
pub struct Module {
    pub parent: Option<ModuleId>,
    pub file: FileId,
    pub items: Rc<Vec<Item>>,
    /// A name can have several meanings: a module and a function may share one.
    pub names: HashMap<String, Vec<Meaning>>,
    /// The paths of `use path::*`.
    pub globs: Vec<Vec<String>>,
}

/// The modules of the crates. The root of the first is module 0, and its file is file 0.
#[derive(Default)]
pub struct Tree {
    /// The root modules, by the names that the crates have in paths.
    pub roots: HashMap<String, ModuleId>,
    /// Paths from the repository's root.
    pub files: Vec<String>,
    pub modules: Vec<Module>,
    /// The files of `macro_rules!`, which are found without an import.
    pub macros: HashMap<String, FileId>,
    /// The numbers of the items' names, by which [`Meaning::Item`] and [`Tree::members`] know an item.
    items: HashMap<String, ItemId>,
    /// The files of `impl` blocks in another file than their type, by the type and the name of an associated function
    /// or constant.
    pub members: HashMap<(FileId, ItemId, String), FileId>,
    /// The files that define a method of this name in an `impl` of their own or for a type of the crate.
    pub methods: HashMap<String, BTreeSet<FileId>>,
}

/// One name that a `use` brings into scope.
pub struct Leaf {
    pub name: String,
    pub path: Vec<String>,
    pub glob: bool,
    pub line: usize,
}

impl Tree {
    /// The crates of these names whose roots are the files at these paths.
    pub fn read(roots: &[(&str, String)], read: Read) -> Result<Tree, String> {
        let mut tree = Tree::default();
        for (name, path) in roots {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let root = tree.file(path, &folder, None, read)?;
            tree.roots.insert((*name).to_owned(), root);
        }
        Ok(tree)
    }

    /// Whether a file is the root of its crate.
    pub fn is_root(&self, file: FileId) -> bool {
        self.roots.values().any(|root| self.modules[*root].file == file)
    }

    /// The root module of the crate that `module` belongs to.
    pub fn root_of(&self, module: ModuleId) -> ModuleId {
        std::iter::successors(Some(module), |module| self.modules[*module].parent).last().unwrap_or(module)
    }

    /// Adds the file at `path`, whose modules lie in `folder`.
    fn file(&mut self, path: &str, folder: &str, parent: Option<ModuleId>, read: Read) -> Result<ModuleId, String> {
        let text = read(path).ok_or_else(|| format!("{path}: cannot be read"))?;
        let syntax =
            syn::parse_file(&text).map_err(|error| format!("{path}:{}: {error}", error.span().start().line))?;
        let file = self.files.len();
        self.files.push(path.to_owned());
        // A `#[path]` starts at the file's own folder, whatever the file's name is.
        let own = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        self.module(Place { file, folder: folder.to_owned(), own }, syntax.items, parent, read)
    }

    fn module(
        &mut self,
        place: Place,
        items: Vec<Item>,
        parent: Option<ModuleId>,
        read: Read,
    ) -> Result<ModuleId, String> {
        let id = self.modules.len();
        let items: Rc<Vec<Item>> = Rc::new(items.into_iter().filter(|item| !left_out(attributes(item))).collect());
        self.modules.push(Module {
            parent,
            file: place.file,
            items: items.clone(),
            names: HashMap::new(),
            globs: Vec::new(),
        });
        for item in items.iter() {
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let path = path_attribute(&module.attrs);
                    let child = match &module.content {
                        Some((_, inner)) => {
                            let place = place.inside(path.as_deref().unwrap_or(&name));
                            self.module(place, inner.clone(), Some(id), read)?
                        }
                        None => {
                            let (path, folder) = place.declared(&name, path.as_deref(), read).ok_or_else(|| {
                                format!("{}: there is no file of `mod {name}`", self.files[place.file])
                            })?;
                            self.file(&path, &folder, Some(id), read)?
                        }
                    };
                    self.name(id, name, Meaning::Module(child));
                }
                Item::Use(declaration) => {
                    for leaf in leaves(declaration) {
                        match leaf.glob {
                            true => self.modules[id].globs.push(leaf.path),
                            false => self.name(id, leaf.name, Meaning::Import(leaf.path)),
                        }
                    }
                }
                Item::Macro(item) => {
                    if let Some(name) = &item.ident {
                        self.macros.insert(name.to_string(), place.file);
                    }
                }
                item => {
                    for name in names(item) {
                        let item = self.item(&name);
                        self.name(id, name, Meaning::Item(place.file, item));
                    }
                }
            }
        }
        Ok(id)
    }

    /// The number of an item's name.
    fn item(&mut self, name: &str) -> ItemId {
        let next = self.items.len();
        *self.items.entry(name.to_owned()).or_insert(next)
    }

    fn name(&mut self, module: ModuleId, name: String, meaning: Meaning) {
        self.modules[module].names.entry(name).or_default().push(meaning);
    }
}

/// Where a module's text stands, and in which folder the files of its own modules lie.
struct Place {
    file: FileId,
    folder: String,
    own: String,
}

impl Place {
    fn inside(&self, name: &str) -> Place {
        let folder = join(&self.folder, name);
        Place { file: self.file, own: folder.clone(), folder }
    }

    /// The file of `mod name;`, and the folder of that file's modules.
    fn declared(&self, name: &str, path: Option<&str>, read: Read) -> Option<(String, String)> {
        if let Some(path) = path {
            let path = join(&self.own, path);
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            return Some((path, folder));
        }
        let folder = join(&self.folder, name);
        [format!("{folder}.rs"), format!("{folder}/mod.rs")]
            .into_iter()
            .find(|path| read(path).is_some())
            .map(|path| (path, folder))
    }
}

/// `name` in `folder`, without `..`.
fn join(folder: &str, name: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// The names that `declaration` brings into scope.
pub fn leaves(declaration: &syn::ItemUse) -> Vec<Leaf> {
    let mut found = Vec::new();
    // A path from `::` is another crate's.
    if declaration.leading_colon.is_none() {
        walk(&declaration.tree, &mut Vec::new(), &mut found);
    }
    found
}

fn walk(tree: &UseTree, above: &mut Vec<String>, found: &mut Vec<Leaf>) {
    let mut leaf = |name: String, ident: Option<String>, glob: bool, line: usize| {
        let path = above.iter().cloned().chain(ident).collect();
        found.push(Leaf { name, path, glob, line });
    };
    match tree {
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            walk(&path.tree, above, found);
            above.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            leaf(above.last().cloned().unwrap_or_default(), None, false, name.ident.span().start().line);
        }
        UseTree::Name(name) => {
            let text = name.ident.to_string();
            leaf(text.clone(), Some(text), false, name.ident.span().start().line);
        }
        UseTree::Rename(rename) => {
            let ident = (rename.ident != "self").then(|| rename.ident.to_string());
            leaf(rename.rename.to_string(), ident, false, rename.ident.span().start().line);
        }
        UseTree::Glob(glob) => leaf(String::new(), None, true, glob.star_token.spans[0].start().line),
        UseTree::Group(group) => {
            for tree in &group.items {
                walk(tree, above, found);
            }
        }
    }
}

/// Whether a `use` hands its names on instead of needing them.
pub fn hands_on(declaration: &syn::ItemUse) -> bool {
    !matches!(declaration.vis, Visibility::Inherited)
}

/// The names that an item defines in its module.
fn names(item: &Item) -> Vec<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::ForeignMod(block) => {
            return block
                .items
                .iter()
                .filter_map(|item| match item {
                    syn::ForeignItem::Fn(item) => Some(item.sig.ident.to_string()),
                    syn::ForeignItem::Static(item) => Some(item.ident.to_string()),
                    syn::ForeignItem::Type(item) => Some(item.ident.to_string()),
                    _ => None,
                })
                .collect();
        }
        _ => return Vec::new(),
    };
    vec![ident.to_string()]
}

/// The attributes of `item`.
pub fn attributes(item: &Item) -> &[Attribute] {
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

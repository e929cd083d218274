//! The arrows between the files of one crate: which file needs what another defines.

use super::left_out::left_out;
use super::members::type_path;
use super::names::{Block, Blocks, Target};
use super::tokens;
use super::tree::{self, FileId, Meaning, ModuleId, Tree, hands_on, leaves};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// One file's need of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: FileId,
    pub to: FileId,
    /// The line in `from`.
    pub line: usize,
    pub path: String,
}

/// A path of the standard library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Std {
    pub file: FileId,
    pub line: usize,
    pub path: String,
}

/// What the files of a crate name, each thing once a line.
#[derive(Default)]
pub struct Named {
    /// What other files of the crate define. A `mod x;` is no import, nor is a `pub use` whose name the file itself
    /// does not use.
    pub imports: Vec<Import>,
    /// What the standard library defines.
    pub std: Vec<Std>,
    /// Calls of methods whose name only one other file defines. A type of another crate may have a method of the same
    /// name, so these are guesses.
    pub calls: Vec<Import>,
}

/// What the files of the crate name.
pub fn named(tree: &Tree) -> Named {
    let (mut found, mut std, mut calls) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for module in 0..tree.modules.len() {
        let items = tree.modules[module].items.clone();
        let mut visitor = Visitor {
            tree,
            module,
            blocks: Blocks::default(),
            found: &mut found,
            std: &mut std,
            calls: &mut calls,
            of_impl: None,
        };
        for item in items.iter() {
            visitor.visit_item(item);
        }
    }
    let mut imports: Vec<Import> = found.into_iter().collect();
    imports.dedup_by_key(|import| (import.from, import.to, import.line));
    Named { imports, std: std.into_iter().collect(), calls: calls.into_iter().collect() }
}

/// Methods of the standard library's types that the project's types have as well.
const OF_STD: [&str; 16] = [
    "bytes", "collect", "copied", "entry", "for_each", "insert", "last", "lock", "name", "or", "position", "push",
    "read", "replace", "take", "trim",
];

struct Visitor<'a> {
    tree: &'a Tree,
    module: ModuleId,
    blocks: Blocks,
    found: &'a mut BTreeSet<Import>,
    std: &'a mut BTreeSet<Std>,
    calls: &'a mut BTreeSet<Import>,
    /// The type of the `impl` block around, which code calls `Self`.
    of_impl: Option<Vec<String>>,
}

impl Visitor<'_> {
    /// Notes what `path` needs. Naming a module needs nothing of it yet.
    fn note(&mut self, path: &[String], line: usize) {
        let from = self.tree.modules[self.module].file;
        if matches!(path[0].as_str(), "std" | "core") {
            self.std.insert(Std { file: from, line, path: path.join("::") });
            return;
        }
        let of_impl;
        let path = match (&self.of_impl, path.split_first()) {
            (Some(ty), Some((first, rest))) if first == "Self" => {
                of_impl = [ty, rest].concat();
                &of_impl
            }
            _ => path,
        };
        for target in self.tree.resolve(self.module, &self.blocks, path) {
            if let Target::Item(to, _) = target
                && to != from
            {
                self.found.insert(Import { from, to, line, path: path.join("::") });
            }
        }
    }

    /// A macro that is called by its bare name is found by the order of the text, without an import.
    fn note_macro(&mut self, name: &str, line: usize) {
        let from = self.tree.modules[self.module].file;
        if let Some(&to) = self.tree.macros.get(name)
            && to != from
        {
            self.found.insert(Import { from, to, line, path: format!("{name}!") });
        }
    }
}

/// The path's names, as far as a name can lead to a module.
fn names(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !left_out(tree::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    /// A module's items are visited by themselves, with the module's names.
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let outer = std::mem::replace(&mut self.of_impl, type_path(&block.self_ty));
        visit::visit_item_impl(self, block);
        self.of_impl = outer;
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Const(item) => &item.attrs[..],
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Type(item) => &item.attrs,
            syn::ImplItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !left_out(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        let attributes = match item {
            syn::TraitItem::Const(item) => &item.attrs[..],
            syn::TraitItem::Fn(item) => &item.attrs,
            syn::TraitItem::Type(item) => &item.attrs,
            syn::TraitItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !left_out(attributes) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !left_out(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if !left_out(&field.attrs) {
            visit::visit_field_value(self, field);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !left_out(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !left_out(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_stmt_macro(&mut self, statement: &'ast syn::StmtMacro) {
        if !left_out(&statement.attrs) {
            visit::visit_stmt_macro(self, statement);
        }
    }

    fn visit_expr_block(&mut self, block: &'ast syn::ExprBlock) {
        if !left_out(&block.attrs) {
            visit::visit_expr_block(self, block);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if !left_out(&call.attrs) {
            visit::visit_expr_call(self, call);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let (from, name) = (self.tree.modules[self.module].file, call.method.to_string());
        let files = self.tree.methods.get(&name).filter(|files| files.len() == 1 && !files.contains(&from));
        let files = files.filter(|_| !OF_STD.contains(&name.as_str()));
        if let Some(&to) = files.and_then(BTreeSet::first) {
            let line = call.method.span().start().line;
            self.calls.insert(Import { from, to, line, path: format!(".{name}()") });
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let mut names = Block::default();
        for statement in &block.stmts {
            let syn::Stmt::Item(item) = statement else { continue };
            if let syn::Item::Use(declaration) = item
                && !left_out(&declaration.attrs)
            {
                for leaf in leaves(declaration) {
                    match leaf.glob {
                        true => names.globs.push(leaf.path),
                        false => names.names.entry(leaf.name).or_default().push(Meaning::Import(leaf.path)),
                    }
                }
            }
        }
        self.blocks.0.push(names);
        visit::visit_block(self, block);
        self.blocks.0.pop();
    }

    fn visit_item_use(&mut self, declaration: &'ast syn::ItemUse) {
        for leaf in leaves(declaration) {
            let is_std = leaf.path.first().is_some_and(|first| first == "std" || first == "core");
            if is_std || !hands_on(declaration) {
                self.note(&leaf.path, leaf.line);
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // `::a` is another crate's `a`, whatever the file calls `a`.
        if let Some(first) = path.segments.first()
            && (path.leading_colon.is_none() || first.ident == "std" || first.ident == "core")
        {
            self.note(&names(path), first.ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.ident.is_none() {
            return self.visit_macro(&item.mac);
        }
        // The bare names in a definition are those of the caller's file.
        for found in tokens::paths(item.mac.tokens.clone()) {
            let start = found.path[0].as_str();
            if matches!(start, "crate" | "$crate" | "super" | "self" | "std" | "core") && found.path.len() > 1 {
                self.note(&found.path, found.line);
            }
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(name) = call.path.get_ident() {
            let path = [name.to_string()];
            match self.tree.resolve(self.module, &self.blocks, &path).is_empty() {
                true => self.note_macro(&path[0], name.span().start().line),
                false => self.note(&path, name.span().start().line),
            }
        } else {
            self.visit_path(&call.path);
        }
        for found in tokens::paths(call.tokens.clone()) {
            self.note(&found.path, found.line);
        }
    }
}

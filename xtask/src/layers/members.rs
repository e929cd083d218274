//! Functions and constants of a type that stand in an `impl` block of another file.

use super::left_out::left_out;
use super::names::{Blocks, Target};
use super::tree::Tree;
use syn::Item;

impl Tree {
    /// Notes where methods stand, those of traits among them.
    pub fn note_methods(&mut self) {
        let mut found = Vec::new();
        for module in &self.modules {
            for item in module.items.iter() {
                match item {
                    Item::Impl(block) => found.extend(block.items.iter().filter_map(|item| match item {
                        syn::ImplItem::Fn(item) if item.sig.receiver().is_some() && !left_out(&item.attrs) => {
                            Some((item.sig.ident.to_string(), module.file))
                        }
                        _ => None,
                    })),
                    Item::Trait(item) => found.extend(item.items.iter().filter_map(|item| match item {
                        syn::TraitItem::Fn(item) => Some((item.sig.ident.to_string(), module.file)),
                        _ => None,
                    })),
                    _ => {}
                }
            }
        }
        for (name, file) in found {
            self.methods.entry(name).or_default().insert(file);
        }
    }

    /// Notes which `impl` blocks stand in another file than their type.
    pub fn note_members(&mut self) {
        let mut found = Vec::new();
        for (id, module) in self.modules.iter().enumerate() {
            for item in module.items.iter() {
                let Item::Impl(block) = item else { continue };
                let (None, Some(path)) = (&block.trait_, type_path(&block.self_ty)) else { continue };
                for target in self.resolve(id, &Blocks::default(), &path) {
                    let Target::Item(file, Some(item)) = target else { continue };
                    if file != module.file {
                        found.extend(associated(block).map(|name| ((file, item, name), module.file)));
                    }
                }
            }
        }
        self.members = found.into_iter().collect();
    }
}

/// The names of a type's path.
pub fn type_path(ty: &syn::Type) -> Option<Vec<String>> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            Some(path.path.segments.iter().map(|segment| segment.ident.to_string()).collect())
        }
        _ => None,
    }
}

/// The names of the functions and constants that an `impl` block defines.
fn associated(block: &syn::ItemImpl) -> impl Iterator<Item = String> {
    block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(item) if !left_out(&item.attrs) => Some(item.sig.ident.to_string()),
        syn::ImplItem::Const(item) if !left_out(&item.attrs) => Some(item.ident.to_string()),
        _ => None,
    })
}

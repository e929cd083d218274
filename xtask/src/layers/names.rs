//! Which file defines what a path names. Re-exports are followed to the definition, so that a `mod.rs` which only hands
//! names on makes no circle.

use super::tree::{FileId, ItemId, Meaning, Module, ModuleId, Tree};
use std::collections::HashMap;

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Module(ModuleId),
    /// What a file defines; an item of a module has a number.
    Item(FileId, Option<ItemId>),
}

/// The names that the blocks around a piece of code declare, outermost first.
#[derive(Default)]
pub struct Blocks(pub Vec<Block>);

/// The names that one block declares.
#[derive(Default)]
pub struct Block {
    pub names: HashMap<String, Vec<Meaning>>,
    pub globs: Vec<Vec<String>>,
}

/// Which meaning of a name is wanted, where a name has several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// A name in front of `::`.
    Module,
    Anything,
}

impl Wanted {
    /// The meaning that a name must have if `rest` of the path follows.
    fn after(rest: &[String]) -> Wanted {
        if rest.is_empty() { Wanted::Anything } else { Wanted::Module }
    }
}

/// How many re-exports are followed.
const DEEPEST: usize = 24;
/// What a glob counts for. Globs may hand each other's names on in circles, and each has several ways to go.
const GLOB: usize = 8;

impl Tree {
    /// What `path` leads to from `module`, inside of `blocks`. Nothing where the path is another crate's, or a local
    /// name.
    pub fn resolve(&self, module: ModuleId, blocks: &Blocks, path: &[String]) -> Vec<Target> {
        self.follow(module, blocks, path, 0)
    }

    fn follow(&self, module: ModuleId, blocks: &Blocks, path: &[String], depth: usize) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let start = match first.as_str() {
            "crate" | "$crate" => vec![Target::Module(self.root_of(module))],
            "self" => vec![Target::Module(module)],
            "super" => self.modules[module].parent.map(Target::Module).into_iter().collect(),
            name => self.visible(module, blocks, name, Wanted::after(rest), depth),
        };
        let mut targets = start;
        for (index, name) in rest.iter().enumerate() {
            let wanted = Wanted::after(&rest[index + 1..]);
            targets = targets.into_iter().flat_map(|target| self.step(target, name, wanted, depth)).collect();
            targets.dedup();
        }
        targets
    }

    /// `name` below `target`. What lies below an item is the item's, unless an
    /// `impl` in another file defines it. A module's name that is nowhere to be seen was
    /// made by a macro in the module's own file.
    fn step(&self, target: Target, name: &str, wanted: Wanted, depth: usize) -> Vec<Target> {
        let module = match target {
            Target::Module(module) => module,
            Target::Item(file, Some(item)) => {
                let member = self.members.get(&(file, item, name.to_owned()));
                return vec![member.map_or(target, |file| Target::Item(*file, None))];
            }
            Target::Item(_, None) => return vec![target],
        };
        if depth + 1 > DEEPEST {
            return Vec::new();
        }
        if name == "super" {
            return self.modules[module].parent.map(Target::Module).into_iter().collect();
        }
        let found = self.member(module, name, wanted, depth + 1);
        match (found, self.macros.get(name)) {
            (Some(found), _) => found,
            (None, Some(file)) => vec![Target::Item(*file, None)],
            (None, None) => vec![Target::Item(self.modules[module].file, None)],
        }
    }

    /// `name` as code in `module` sees it: the blocks from the innermost on, the module, then the other
    /// crates.
    fn visible(&self, module: ModuleId, blocks: &Blocks, name: &str, wanted: Wanted, depth: usize) -> Vec<Target> {
        for (index, block) in blocks.0.iter().enumerate().rev() {
            // A `use` of a block starts outside of the block's own names: `use work::x as work`.
            let around = Blocks(Vec::new());
            if let Some(meanings) = block.names.get(name) {
                return self.meant(module, &around, meanings, wanted, depth + 1);
            }
            for glob in &blocks.0[index].globs {
                if let Some(found) = self.through(module, glob, name, wanted, depth + 1) {
                    return found;
                }
            }
        }
        let of_a_crate = || self.roots.get(name).map(|root| Target::Module(*root)).into_iter().collect();
        self.member(module, name, wanted, depth).unwrap_or_else(of_a_crate)
    }

    /// `name` as a member of `module`. `None` where the module declares no such name.
    fn member(&self, module: ModuleId, name: &str, wanted: Wanted, depth: usize) -> Option<Vec<Target>> {
        if depth > DEEPEST {
            return None;
        }
        let Module { names, globs, .. } = &self.modules[module];
        if let Some(meanings) = names.get(name) {
            return Some(self.meant(module, &Blocks::default(), meanings, wanted, depth + 1));
        }
        globs.iter().find_map(|glob| self.through(module, glob, name, wanted, depth + 1))
    }

    /// `name` through the `use glob::*` of `module`.
    fn through(
        &self,
        module: ModuleId,
        glob: &[String],
        name: &str,
        wanted: Wanted,
        depth: usize,
    ) -> Option<Vec<Target>> {
        if depth > DEEPEST {
            return None;
        }
        self.follow(module, &Blocks::default(), glob, depth + GLOB).into_iter().find_map(|target| match target {
            // A name that leads nowhere is another crate's, or leads back to where the search began.
            Target::Module(from) if from != module => {
                self.member(from, name, wanted, depth + GLOB).filter(|found| !found.is_empty())
            }
            _ => None,
        })
    }

    fn meant(
        &self,
        module: ModuleId,
        blocks: &Blocks,
        meanings: &[Meaning],
        wanted: Wanted,
        depth: usize,
    ) -> Vec<Target> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let is_module = |meaning: &Meaning| matches!(meaning, Meaning::Module(_));
        let only_modules = wanted == Wanted::Module && meanings.iter().any(is_module);
        let mut found = Vec::new();
        for meaning in meanings.iter().filter(|meaning| !only_modules || is_module(meaning)) {
            match meaning {
                Meaning::Module(id) => found.push(Target::Module(*id)),
                Meaning::Item(file, item) => found.push(Target::Item(*file, Some(*item))),
                Meaning::Import(path) => found.extend(self.imported(module, blocks, path, depth)),
            }
        }
        found
    }

    /// What the path of a `use` leads to. `use ompt::x as ompt` names the crate `ompt`, not itself; `use name;` of a
    /// macro names the macro that the text before it defines.
    fn imported(&self, module: ModuleId, blocks: &Blocks, path: &[String], depth: usize) -> Vec<Target> {
        let itself = |meaning: &Meaning| matches!(meaning, Meaning::Import(other) if other == path);
        let first = path.first().map_or("", String::as_str);
        let names = &self.modules[module].names;
        if names.get(first).is_some_and(|meanings| meanings.iter().all(itself)) {
            let defined = self.macros.get(first).filter(|_| path.len() == 1);
            return defined.map(|file| Target::Item(*file, None)).into_iter().collect();
        }
        self.follow(module, blocks, path, depth + 1)
    }
}

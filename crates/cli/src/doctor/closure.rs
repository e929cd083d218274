//! A program or library together with everything that the loader brings in for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::search::Search;
use crate::elf::{Elf, Unreadable, Want};

/// The files that are loaded together. The first one is the subject.
pub struct Closure {
    /// The files, in the order in which the loader finds them.
    pub files: Vec<Elf>,
    /// Libraries that were not found: name, and the file that needs the library.
    pub not_found: Vec<(String, PathBuf)>,
}

impl Closure {
    /// Follows `DT_NEEDED` from one file through all files that it brings in.
    pub fn of(path: &Path, search: &Search) -> Result<Self, Unreadable> {
        let mut closure = Self { files: vec![Elf::read(path)?], not_found: Vec::new() };
        let mut requested = BTreeSet::new();
        let mut next = 0;
        while next < closure.files.len() {
            for name in closure.files[next].needed.clone() {
                if !requested.insert(name.clone()) {
                    continue;
                }
                let user = &closure.files[next];
                match search.find(&name, user, &closure.files[0]).and_then(|path| Elf::read(&path).ok()) {
                    Some(elf) => closure.files.push(elf),
                    None => closure.not_found.push((name, user.path.clone())),
                }
            }
            next += 1;
        }
        Ok(closure)
    }

    /// The subject.
    pub fn subject(&self) -> &Elf {
        &self.files[0]
    }

    /// Files that contain an OpenMP runtime.
    pub fn runtimes(&self) -> impl Iterator<Item = &Elf> {
        self.files.iter().filter(|elf| elf.is_runtime())
    }

    /// Files that use OpenMP, but are neither a runtime nor a runtime's support library.
    pub fn users(&self) -> impl Iterator<Item = &Elf> {
        self.files.iter().filter(|elf| elf.uses_openmp() && !elf.is_runtime())
    }
}

/// What ferromp lacks for some files.
#[derive(Default)]
pub struct Missing {
    /// Functions, with their version node.
    pub functions: BTreeSet<Want>,
    /// Version nodes without which the program does not even start.
    pub nodes: BTreeSet<String>,
}

impl Missing {
    /// Compares the functions that the OpenMP users among `files` need with those that `ferromp` has.
    pub fn of<'a>(files: impl Iterator<Item = &'a Elf> + Clone, ferromp: &Elf) -> Self {
        let mut missing = Self::default();
        let own: BTreeSet<&str> = files
            .clone()
            .filter(|elf| !elf.is_runtime())
            .flat_map(|elf| elf.exports.iter().map(|(name, _)| name.as_str()))
            .collect();
        for user in files.filter(|elf| !elf.is_runtime()) {
            for want in &user.wants {
                let has = match &want.node {
                    Some(_) => ferromp.exports.contains(&(want.name.clone(), want.node.clone())),
                    None => ferromp.contains.contains(&want.name),
                };
                if !has && !want.weak && !own.contains(want.name.as_str()) {
                    missing.functions.insert(want.clone());
                }
            }
            for (library, node) in &user.needs_nodes {
                if crate::prefix::runtime_names().any(|name| name == library) && !ferromp.nodes.contains(node) {
                    missing.nodes.insert(node.clone());
                }
            }
        }
        missing
    }

    /// True if ferromp has everything.
    pub fn is_nothing(&self) -> bool {
        self.functions.is_empty() && self.nodes.is_empty()
    }
}

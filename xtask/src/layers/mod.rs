//! Data flows one way: no circle of files in any crate, and no import in the runtime against the table of layers.
//!
//! The table stands in ARCHITECTURE.md under `## Layers`: a row a layer, top layer first, with the layer's folders and
//! files and the layers that it may use. A folder of a row may use the folders after it in the same row.

mod circles;
mod circular;
mod crates;
mod imports;
mod left_out;
mod members;
mod names;
mod show;
mod table;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;

use circles::circles;
use circular::CIRCULAR;
use imports::{Import, Std, named};
use std::path::Path;
use table::Table;
use tree::Tree;

pub use show::show;

/// Where the table of layers stands.
const ARCHITECTURE: &str = "ARCHITECTURE.md";
/// The crates that make up the runtime, which the table is about: their names in paths, and their folders, where the
/// table's paths start. The first one is built on the others.
const LAYERED: [(&str, &str); 3] = [
    ("ferromp", "crates/runtime/src/"),
    ("ferromp_settings", "crates/settings/src/"),
    ("ferromp_ground", "crates/ground/src/"),
];

/// The runtime's only file that takes atomics from the standard library, so that a model checker can put its own in
/// their place everywhere else.
const SEAM: &str = "crates/ground/src/model/mod.rs";

/// One crate, or the crates of the runtime: the files and what they need of each other.
struct Krate {
    is_layered: bool,
    tree: Tree,
    imports: Vec<Import>,
    std: Vec<Std>,
    calls: Vec<Import>,
}

impl Krate {
    /// The crates of these names whose roots are the files at these paths.
    fn read(roots: &[(&str, String)], read: tree::Read) -> Result<Krate, String> {
        let mut tree = Tree::read(roots, read)?;
        tree.note_members();
        tree.note_methods();
        let named = named(&tree);
        let is_layered = roots.iter().any(|(_, path)| in_source(path).is_some());
        Ok(Krate { is_layered, tree, imports: named.imports, std: named.std, calls: named.calls })
    }

    /// The circles of files, by name.
    fn circles(&self) -> Vec<Vec<&str>> {
        let named = |circle: Vec<usize>| circle.into_iter().map(|file| self.tree.files[file].as_str()).collect();
        circles(self.tree.files.len(), &self.imports).into_iter().map(named).collect()
    }
}

/// Everything in the workspace at `root` that does not hold, as `file:line: what`.
pub fn findings(root: &Path) -> Result<Vec<String>, String> {
    let (layers, mut found) = layers(root)?;
    for krate in crates(root)? {
        match layers.as_ref().filter(|_| krate.is_layered) {
            Some(table) => {
                found.extend(circle_in_folder_findings(&krate, table));
                found.extend(layer_findings(&krate, table));
            }
            // Without a table, the runtime has no layers to hold yet.
            None if krate.is_layered => {}
            None => found.extend(circle_findings(&krate)),
        }
        if krate.is_layered {
            found.extend(seam_findings(&krate));
        }
    }
    Ok(found)
}

/// The table of layers, and what is wrong with it.
fn layers(root: &Path) -> Result<(Option<Table>, Vec<String>), String> {
    let path = root.join(ARCHITECTURE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let exists = |folder: &str| {
        let mut sources = LAYERED.iter().map(|(_, source)| root.join(source));
        sources.any(|source| source.join(folder).exists() || source.join(format!("{folder}.rs")).exists())
    };
    Ok(match Table::read(&text, exists) {
        Some((table, wrong)) => (Some(table), wrong.into_iter().map(|what| format!("{ARCHITECTURE}:{what}")).collect()),
        None => (None, Vec::new()),
    })
}

fn crates(root: &Path) -> Result<Vec<Krate>, String> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    let layered = LAYERED.map(|(name, source)| (name, format!("{source}lib.rs")));
    let others = crates::roots(root)?.into_iter().filter(|path| layered.iter().all(|(_, root)| root != path));
    let others = others.map(|path| Krate::read(&[("", path)], &read));
    std::iter::once(Krate::read(&layered, &read)).chain(others).collect()
}

/// The path of a file of the runtime as the table has it.
fn in_source(file: &str) -> Option<&str> {
    LAYERED.iter().find_map(|(_, source)| file.strip_prefix(source))
}

/// The circles of the runtime that may not be, and the folders that are listed as circular without need.
fn circle_in_folder_findings(krate: &Krate, table: &Table) -> Vec<String> {
    let folder = |file: &str| {
        let place = table.place(in_source(file)?)?;
        Some(table.layers[place.layer].folders[place.folder].as_str())
    };
    let (wrong, needless) = circular::check(krate.circles(), folder, &CIRCULAR);
    let needless = needless.iter().map(|folder| {
        format!("xtask/src/layers/circular.rs: {folder} has no circle of files any more; take it off the list")
    });
    wrong.iter().map(|circle| circle_finding(circle)).chain(needless).collect()
}

fn circle_findings(krate: &Krate) -> Vec<String> {
    krate.circles().iter().map(|circle| circle_finding(circle)).collect()
}

fn circle_finding(circle: &[&str]) -> String {
    format!("{}: a circle of {} files: {}", circle[0], circle.len(), circle.join(", "))
}

/// The imports against the table, and the files that the table does not know. The root files only declare.
fn layer_findings(krate: &Krate, table: &Table) -> Vec<String> {
    let files = &krate.tree.files;
    let place = |file: usize| in_source(&files[file]).and_then(|path| table.place(path));
    let mut found: Vec<String> = (0..files.len())
        .filter(|file| !krate.tree.is_root(*file) && place(*file).is_none())
        .map(|file| format!("{}: is in no row of the table of layers", files[file]))
        .collect();
    for import in &krate.imports {
        let at = format!("{}:{}", files[import.from], import.line);
        if krate.tree.is_root(import.to) {
            found.push(format!("{at}: imports the root file (`{}`)", import.path));
        } else if let (Some(from), Some(to)) = (place(import.from), place(import.to))
            && let Some(against) = table.against(from, to)
        {
            found.push(format!("{at}: {against} (`{}`)", import.path));
        }
    }
    found
}

/// Atomics that a model checker does not see.
fn seam_findings(krate: &Krate) -> Vec<String> {
    let is_atomic = |path: &str| path.split_once("::").is_some_and(|(_, rest)| rest.starts_with("sync::atomic"));
    let found = krate.std.iter().filter(|named| is_atomic(&named.path) && krate.tree.files[named.file] != SEAM);
    found
        .map(|named| {
            let file = &krate.tree.files[named.file];
            format!("{file}:{}: {}: atomics come from {SEAM}", named.line, named.path)
        })
        .collect()
}

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
/// The crate that the table is about.
const LAYERED: &str = "crates/runtime/src/lib.rs";
/// Where the table's paths start.
const SOURCE: &str = "crates/runtime/src/";

/// The runtime's only file that takes atomics from the standard library, so that a model checker can put its own in
/// their place everywhere else.
const SEAM: &str = "crates/runtime/src/model/mod.rs";

/// One crate: its files and what they need of each other.
struct Krate {
    root: String,
    tree: Tree,
    imports: Vec<Import>,
    std: Vec<Std>,
    calls: Vec<Import>,
}

impl Krate {
    fn read(root: &str, read: tree::Read) -> Result<Krate, String> {
        let mut tree = Tree::read(root, read)?;
        tree.note_members();
        tree.note_methods();
        let named = named(&tree);
        Ok(Krate { root: root.to_owned(), tree, imports: named.imports, std: named.std, calls: named.calls })
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
        match layers.as_ref().filter(|_| krate.root == LAYERED) {
            Some(table) => {
                found.extend(circle_in_folder_findings(&krate, table));
                found.extend(layer_findings(&krate, table));
            }
            // Without a table, the runtime has no layers to hold yet.
            None if krate.root == LAYERED => {}
            None => found.extend(circle_findings(&krate)),
        }
        if krate.root == LAYERED {
            found.extend(seam_findings(&krate));
        }
    }
    Ok(found)
}

/// The table of layers, and what is wrong with it.
fn layers(root: &Path) -> Result<(Option<Table>, Vec<String>), String> {
    let path = root.join(ARCHITECTURE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let source = root.join(SOURCE);
    let exists = |folder: &str| source.join(folder).exists() || source.join(format!("{folder}.rs")).exists();
    Ok(match Table::read(&text, exists) {
        Some((table, wrong)) => (Some(table), wrong.into_iter().map(|what| format!("{ARCHITECTURE}:{what}")).collect()),
        None => (None, Vec::new()),
    })
}

fn crates(root: &Path) -> Result<Vec<Krate>, String> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    crates::roots(root)?.iter().map(|path| Krate::read(path, &read)).collect()
}

/// The circles of the runtime that may not be, and the folders that are listed as circular without need.
fn circle_in_folder_findings(krate: &Krate, table: &Table) -> Vec<String> {
    let folder = |file: &str| {
        let place = table.place(file.strip_prefix(SOURCE)?)?;
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

/// The imports against the table, and the files that the table does not know. The root file only declares.
fn layer_findings(krate: &Krate, table: &Table) -> Vec<String> {
    let files = &krate.tree.files;
    let place = |file: usize| files[file].strip_prefix(SOURCE).and_then(|path| table.place(path));
    let mut found: Vec<String> = (1..files.len())
        .filter(|file| place(*file).is_none())
        .map(|file| format!("{}: is in no row of the table of layers", files[file]))
        .collect();
    for import in &krate.imports {
        let at = format!("{}:{}", files[import.from], import.line);
        if import.to == 0 {
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

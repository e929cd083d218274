//! `cargo xtask layers`: what the check of the layers sees, as text.

use super::circles::circles;
use super::imports::Import;
use super::table::Table;
use super::{Krate, circle_findings, crates, in_source, layer_findings, layers};
use std::collections::BTreeMap;
use std::path::Path;

/// Prints the layers of the workspace at `root` with their counts, the circles, and the imports against the table.
pub fn show(root: &Path) -> Result<(), String> {
    let (table, wrong) = layers(root)?;
    let mut found = wrong;
    for krate in crates(root)? {
        if krate.is_layered {
            match &table {
                Some(table) => {
                    counts(&krate, table);
                    found.extend(layer_findings(&krate, table));
                    inside(&krate, table);
                    calls(&krate, table);
                }
                None => println!("ARCHITECTURE.md has no table of layers yet"),
            }
        }
        for (circle, finding) in krate.circles().iter().zip(circle_findings(&krate)) {
            println!("\n{finding}");
            arrows(&krate, circle);
        }
    }
    println!("\n{} findings against the table", found.len());
    for finding in &found {
        println!("{finding}");
    }
    Ok(())
}

/// A line for each layer: its files, and how many imports lead to which layer.
fn counts(krate: &Krate, table: &Table) {
    let place = |file: usize| in_source(&krate.tree.files[file]).and_then(|path| table.place(path));
    let places: Vec<_> = (0..krate.tree.files.len()).map(place).collect();
    for (index, layer) in table.layers.iter().enumerate() {
        let files = places.iter().flatten().filter(|place| place.layer == index).count();
        let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
        for import in &krate.imports {
            if let (Some(from), Some(to)) = (places[import.from], places[import.to])
                && from.layer == index
            {
                *uses.entry(to.layer).or_default() += 1;
            }
        }
        let uses: Vec<String> = uses.iter().map(|(to, count)| format!("{} {count}", table.layers[*to].name)).collect();
        println!("{}: {files} files; imports: {}", layer.name, uses.join(", "));
    }
}

/// The circles that remain without the imports against the table: they lie inside of folders.
fn inside(krate: &Krate, table: &Table) {
    let place = |file: usize| in_source(&krate.tree.files[file]).and_then(|path| table.place(path));
    let holds = |import: &&Import| match (place(import.from), place(import.to)) {
        (Some(from), Some(to)) => table.against(from, to).is_none(),
        _ => true,
    };
    let imports: Vec<Import> = krate.imports.iter().filter(holds).cloned().collect();
    for circle in circles(krate.tree.files.len(), &imports) {
        let names: Vec<&str> = circle.iter().map(|file| krate.tree.files[*file].as_str()).collect();
        println!("\ninside of folders: {}", names.join(", "));
        arrows(krate, &names);
    }
}

/// Calls of methods that stand where the caller may not look, as far as a method's name tells. A type may be below, and
/// a method of the type above.
fn calls(krate: &Krate, table: &Table) {
    let place = |file: usize| in_source(&krate.tree.files[file]).and_then(|path| table.place(path));
    for call in &krate.calls {
        if let (Some(from), Some(to)) = (place(call.from), place(call.to))
            && let Some(against) = table.against(from, to)
        {
            let (from, to) = (&krate.tree.files[call.from], &krate.tree.files[call.to]);
            println!("perhaps {from}:{}: {against} (`{}` in {to})", call.line, call.path);
        }
    }
}

/// The imports inside a circle, two files once.
fn arrows(krate: &Krate, circle: &[&str]) {
    let name = |file: usize| krate.tree.files[file].as_str();
    let mut seen = BTreeMap::new();
    for import in &krate.imports {
        let (from, to) = (name(import.from), name(import.to));
        if circle.contains(&from) && circle.contains(&to) {
            seen.entry((from, to)).or_insert_with(Vec::new).push(import);
        }
    }
    for ((from, to), imports) in seen {
        println!("  {from}:{} -> {to} (`{}`, {} in all)", imports[0].line, imports[0].path, imports.len());
    }
}

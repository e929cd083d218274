//! Checks the linked runtime library: its names, versions, flags and thread-local storage. The linker accepts mistakes
//! in these silently, but a program that meets one does not start, or starts slowly.

use crate::sh::{Result, cmd};
use crate::{arch, glibc, verify_entry_points};
use std::collections::BTreeSet;
use std::path::Path;

/// The bytes of thread-local storage that the library may have in all. A library that is loaded late takes them from
/// the C library's reserve, 1664 bytes for all libraries. The runtime itself needs 8; the rest is std's panic and print
/// machinery.
const TLS_BYTES: u64 = 128;

/// Checks `library` against the version script that it was linked with.
pub fn runtime(library: &Path, script: &Path) -> Result {
    let script = std::fs::read_to_string(script).map_err(|e| format!("{}: {e}", script.display()))?;
    let map = VersionMap::parse(&script);
    let dynamic = cmd("readelf").args(["-dW"]).arg(library).read()?;
    for (wanted, what) in [("[libferromp.so.1]", "SONAME"), ("NODELETE", "flag"), ("BIND_NOW", "flag")] {
        if !dynamic.contains(wanted) {
            return Err(format!("runtime library: {what} {wanted} is missing"));
        }
    }
    names(library, &map)?;
    thread_local_storage(library)?;
    glibc::verify(library)?;
    verify_entry_points::check(library)
}

fn names(library: &Path, map: &VersionMap) -> Result {
    let symbols = cmd("nm").args(["-D", "--defined-only"]).arg(library).read()?;
    let mut nodes = BTreeSet::new();
    let mut stray = Vec::new();
    for line in symbols.lines() {
        let mut words = line.split_whitespace().skip(1);
        let (Some(kind), Some(symbol)) = (words.next(), words.next()) else {
            continue;
        };
        if kind == "A" {
            nodes.insert(symbol.to_owned());
            continue;
        }
        let (name, version) = symbol.split_once('@').unwrap_or((symbol, ""));
        // The pattern that exports gcc's names under libomp's node must not catch entry points that gcc's nodes lack.
        let without_node = name.starts_with("GOMP_") && symbol.ends_with("@@VERSION");
        if version.is_empty() || !map.exports(name) || without_node {
            stray.push(symbol.to_owned());
        }
    }
    if !stray.is_empty() {
        return Err(format!("runtime library: exports what it should not: {}", stray.join(", ")));
    }
    match map.nodes.difference(&nodes).next() {
        Some(node) => Err(format!("runtime library: version node {node} is missing")),
        None => Ok(()),
    }
}

/// The fast path reads one hidden initial-exec symbol. A `thread_local!` beside it would cost a call at each access.
fn thread_local_storage(library: &Path) -> Result {
    let relocations = cmd("readelf").args(["-rW"]).arg(library).read()?;
    let initial_exec = relocations.lines().filter(|line| line.contains(arch::INITIAL_EXEC)).count();
    if initial_exec > 1 {
        return Err(format!("runtime library: {initial_exec} initial-exec thread-local symbols where one is allowed"));
    }
    let symbols = cmd("readelf").args(["-sW", "--demangle"]).arg(library).read()?;
    let mut owners = Vec::new();
    let mut bytes = 0;
    for line in symbols.lines().filter(|line| line.contains(" TLS ")) {
        // Number, value, size, type, binding, visibility, section, name.
        let mut words = line.split_whitespace().skip(2);
        let size = words.next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        bytes += size;
        owners.push((size, words.skip(4).collect::<Vec<_>>().join(" ")));
    }
    let ours: Vec<&str> =
        owners.iter().map(|(_, name)| name.as_str()).filter(|name| !name.starts_with("std::")).collect();
    if ours.len() > 1 || bytes > TLS_BYTES {
        return Err(format!("runtime library: {bytes} bytes of thread-local storage: {owners:?}"));
    }
    Ok(())
}

/// The nodes of a version script and the names that they let out.
struct VersionMap {
    nodes: BTreeSet<String>,
    names: BTreeSet<String>,
    prefixes: Vec<String>,
}

impl VersionMap {
    /// Reads the subset of the linker's language that `ferromp.map` is written in: comments, nodes, `name;`,
    /// `prefix*;`.
    fn parse(script: &str) -> VersionMap {
        let mut map = VersionMap { nodes: BTreeSet::new(), names: BTreeSet::new(), prefixes: Vec::new() };
        let mut plain = String::new();
        for part in script.split("/*") {
            plain.push_str(part.split_once("*/").map_or(part, |(_, after)| after));
        }
        for block in plain.split('}') {
            let Some((head, body)) = block.split_once('{') else {
                continue;
            };
            // Before the head stands what closed the node above: its parent and a semicolon.
            if let Some(node) = head.rsplit(';').next() {
                map.nodes.insert(node.trim().to_owned());
            }
            let global = body.split("local:").next().unwrap_or("").replace("global:", "");
            for name in global.split(';').map(str::trim).filter(|name| !name.is_empty()) {
                match name.strip_suffix('*') {
                    Some(prefix) => map.prefixes.push(prefix.to_owned()),
                    None => drop(map.names.insert(name.to_owned())),
                }
            }
        }
        map
    }

    fn exports(&self, name: &str) -> bool {
        self.names.contains(name) || self.prefixes.iter().any(|prefix| name.starts_with(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::VersionMap;

    #[test]
    fn a_script_is_read_with_comments_parents_and_patterns() {
        let map =
            VersionMap::parse("/* a; b { */ V { global: k_*; one; local: *; };\nA {\n};\nB { two; } A;\nC {\n} B;\n");
        assert_eq!(map.nodes.iter().map(String::as_str).collect::<Vec<_>>(), ["A", "B", "C", "V"]);
        assert!(map.exports("k_x") && map.exports("one") && map.exports("two"));
        assert!(!map.exports("_RNv") && !map.exports("b"));
    }
}

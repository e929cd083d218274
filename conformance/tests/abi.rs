//! The names that programs bind to: every entry point under `abi/` must be in the runtime, under the version listed.
//! Also what the delivered prefix must look like to a program that is already linked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use ferromp_conformance::runtime::workspace;

fn library() -> PathBuf {
    let library = workspace().join("dist/lib/libferromp.so");
    assert!(library.exists(), "{} is missing: run `cargo xtask build` first", library.display());
    library
}

/// Every exported name, plain and as `name@VERSION`.
fn exported() -> BTreeSet<String> {
    let out = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library())
        .output()
        .unwrap_or_else(|why| panic!("nm: {why}"));
    assert!(out.status.success(), "nm: {}", String::from_utf8_lossy(&out.stderr));
    let mut names = BTreeSet::new();
    for symbol in String::from_utf8_lossy(&out.stdout).lines().filter_map(|line| line.split_whitespace().nth(2)) {
        let versioned = symbol.replace("@@", "@");
        names.insert(versioned.split('@').next().unwrap_or_default().to_owned());
        names.insert(versioned);
    }
    names
}

fn nothing_is_missing(list: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("abi").join(list);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let exported = exported();
    let wanted =
        text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|name| !name.is_empty());
    let missing: Vec<&str> = wanted.filter(|name| !exported.contains(*name)).collect();
    assert!(missing.is_empty(), "{} names of {list} are missing: {}", missing.len(), missing.join(" "));
}

#[test]
fn kmpc_names_are_exported() {
    nothing_is_missing("kmpc.txt");
}

#[test]
fn gomp_names_are_exported_under_their_versions() {
    nothing_is_missing("gomp.txt");
}

#[test]
fn openacc_names_are_exported_under_their_versions() {
    nothing_is_missing("goacc.txt");
}

#[test]
fn omp_routines_are_exported_in_both_spellings() {
    nothing_is_missing("omp.txt");
}

#[test]
fn names_of_the_offload_runtime_are_exported() {
    nothing_is_missing("tgt.txt");
}

#[test]
fn what_debuggers_look_for_is_exported() {
    nothing_is_missing("ompd.txt");
}

#[test]
fn every_name_of_the_runtime_is_the_same_file() {
    let library = library();
    let folder = library.parent().expect("a library lies in a folder");
    let file = library.canonicalize().unwrap_or_else(|why| panic!("{}: {why}", library.display()));
    let list = workspace().join("crates/runtime/names.txt");
    let names = std::fs::read_to_string(&list).unwrap_or_else(|why| panic!("{}: {why}", list.display()));
    for name in names.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let link = folder.join(name);
        assert_eq!(link.canonicalize().ok(), Some(file.clone()), "{name}");
        let target = std::fs::read_link(&link).unwrap_or_else(|why| panic!("{}: {why}", link.display()));
        assert!(target.is_relative(), "{name} points to {}: the prefix could not be moved", target.display());
    }
}

#[test]
fn offload_runtime_has_the_name_of_every_released_llvm() {
    let list = workspace().join("crates/runtime/names.txt");
    let names = std::fs::read_to_string(&list).unwrap_or_else(|why| panic!("{}: {why}", list.display()));
    for release in 16..=23 {
        let mut wanted = vec![format!("libomptarget.so.{release}")];
        wanted.extend((release >= 18).then(|| format!("libomptarget.so.{release}.1")));
        for name in wanted {
            assert!(names.lines().any(|line| line == name), "{name}");
        }
    }
}

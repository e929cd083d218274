//! The check on small made-up crates, and on mutations of them that it must catch.

use super::*;
use std::collections::HashMap;

const TABLE: &str = "## Layers\n\n| layer | folders | what | may use |\n| --- | --- | --- | --- |\n\
                     | entry points | `abi` | | all below |\n\
                     | behaviour | `team`, `task` | | all below |\n\
                     | ground | `arch.rs`, `call.rs` | | nothing |\n";

/// A crate that keeps to the table.
const CLEAN: [(&str, &str); 9] = [
    ("lib.rs", "mod abi; mod team; mod task; mod arch; mod call; #[cfg(test)] mod testing;"),
    ("abi/mod.rs", "mod gomp;"),
    ("abi/gomp.rs", "use crate::{call::Call, team}; fn entry_point() { team::fork(Call); }"),
    ("team/mod.rs", "mod fork; mod hot; pub use fork::fork; pub use hot::Hot;"),
    ("team/fork.rs", "use super::hot::Hot; pub fn fork(_: crate::call::Call) { crate::task::spawn!(); Hot::new(); }"),
    ("team/hot.rs", "pub struct Hot; impl Hot { pub fn new() -> Hot { crate::arch::pause(); Hot } }"),
    ("task/mod.rs", "macro_rules! spawn { () => { $crate::arch::pause() } } pub(crate) use spawn;"),
    ("arch.rs", "pub fn pause() {} #[cfg(test)] mod tests { use crate::team::fork; }"),
    ("call.rs", "pub struct Call;"),
];

/// Where the made-up files lie: in the crate that has the seam.
const SOURCE: &str = LAYERED[2].1;

fn read(read: tree::Read) -> Krate {
    Krate::read(&[("x", format!("{SOURCE}lib.rs"))], read).unwrap()
}

/// The findings on [`CLEAN`] with the files of `changes` in place of its own.
fn found(changes: &[(&str, &str)]) -> Vec<String> {
    let files: HashMap<String, String> =
        CLEAN.iter().chain(changes).map(|(name, text)| (format!("{SOURCE}{name}"), text.to_string())).collect();
    let krate = read(&|path| files.get(path).cloned());
    let (table, wrong) = Table::read(TABLE, |_| true).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut found = circle_findings(&krate);
    found.extend(layer_findings(&krate, &table));
    found.iter().map(|finding| finding.replace(SOURCE, "")).collect()
}

#[test]
fn a_crate_that_keeps_to_the_table_has_no_findings() {
    assert_eq!(found(&[]), Vec::<String>::new());
}

#[test]
fn imports_against_the_table_are_found_however_they_are_written() {
    for text in [
        "use crate::team::fork;",
        "use crate::team::{self}; fn f() { team::fork() }",
        "use super::team::fork as f;",
        "fn f() { crate::team::fork() }",
        "fn f() { super::team::fork() }",
        "fn f() { println!(\"{}\", crate::team::fork()) }",
        "macro_rules! m { () => { $crate::team::fork() } }",
        "fn f() { use crate::team::fork; fork() }",
        "use crate::team::*; fn f() { fork() }",
        "type F = Option<crate::team::fork>;",
        "mod inner { fn f() { super::super::team::fork() } }",
    ] {
        let found = found(&[("call.rs", &format!("pub struct Call; {text}"))]);
        assert!(
            found.iter().any(|f| f.starts_with("call.rs:1: layer ground imports layer behaviour (`")),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn a_folder_uses_the_folders_after_it_only() {
    let task = "use crate::team::NAME; macro_rules! spawn { () => {} } pub(crate) use spawn;";
    let up = |name| format!("task/mod.rs:1: layer behaviour: task imports team above it (`crate::team::{name}`)");
    assert_eq!(found(&[("task/mod.rs", &task.replace("NAME", "Hot"))]), [up("Hot")]);
    let circle = "team/fork.rs: a circle of 2 files: team/fork.rs, task/mod.rs".to_owned();
    assert_eq!(found(&[("task/mod.rs", &task.replace("NAME", "fork"))]), [circle, up("fork")]);
}

#[test]
fn circles_inside_a_folder_are_found() {
    let hot = "use super::fork::fork; pub struct Hot; impl Hot { pub fn new() -> Hot { Hot } }";
    assert_eq!(found(&[("team/hot.rs", hot)]), ["team/fork.rs: a circle of 2 files: team/fork.rs, team/hot.rs"]);
    // The folder's own file counts as soon as it does more than hand names on.
    let folder = "mod fork; mod hot; pub use fork::fork; pub use hot::Hot; pub struct Team(Hot);";
    assert_eq!(found(&[("team/mod.rs", folder)]), Vec::<String>::new());
    let hot = "use super::Team; pub struct Hot; impl Hot { pub fn new() -> Hot { Hot } }";
    let found = found(&[("team/mod.rs", folder), ("team/hot.rs", hot)]);
    assert_eq!(found, ["team/mod.rs: a circle of 2 files: team/mod.rs, team/hot.rs"]);
}

#[test]
fn a_file_must_have_a_row_and_nothing_imports_the_root() {
    let root = "mod abi; mod team; mod task; mod arch; mod call; mod stray; pub struct Root;";
    let found = found(&[("lib.rs", root), ("stray.rs", ""), ("arch.rs", "use crate::Root; pub fn pause() {}")]);
    assert_eq!(
        found,
        ["stray.rs: is in no row of the table of layers", "arch.rs:1: imports the root file (`crate::Root`)"]
    );
}

#[test]
fn macros_are_imports_too() {
    let fork = "pub fn fork(_: crate::call::Call) {}";
    let call = "pub struct Call; fn f() { spawn!() }";
    let found = found(&[("team/fork.rs", fork), ("call.rs", call)]);
    assert_eq!(found, ["call.rs:1: layer ground imports layer behaviour (`spawn!`)"]);
}

#[test]
fn atomics_come_from_the_seam() {
    let uses = [
        "use std::sync::atomic::AtomicU32;",
        "use std::sync::{Mutex, atomic::{AtomicU32, Ordering}};",
        "pub use core::sync::atomic::*;",
        "fn f() { std::sync::atomic::fence(g) }",
        "fn f() { ::core::sync::atomic::fence(g) }",
        "fn f() { assert!(std::sync::atomic::fence(g)) }",
        "macro_rules! m { () => { ::std::sync::atomic::fence(g) } }",
    ];
    for text in uses {
        let files = [("lib.rs", "mod model; mod work;"), ("model/mod.rs", text), ("work.rs", text)];
        let text_of = |path: &str| {
            let name = path.strip_prefix(SOURCE)?;
            files.iter().find(|(file, _)| *file == name).map(|(_, text)| text.to_string())
        };
        let found = seam_findings(&read(&text_of));
        assert!(!found.is_empty(), "{text}");
        assert!(found.iter().all(|finding| finding.contains("work.rs:1: ")), "{found:?}");
    }
    let clean =
        |path: &str| path.ends_with("lib.rs").then(|| "#[cfg(test)] mod t { use std::sync::atomic::fence; }".into());
    assert!(seam_findings(&read(&clean)).is_empty());
}

#[test]
fn what_an_impl_elsewhere_defines_is_its_file_s() {
    let hot = "pub struct Hot; impl Hot { pub fn new() -> Hot { Hot } fn f() { Self::made() } }";
    let fork =
        "use super::hot::Hot; pub fn fork(_: crate::call::Call) {} impl Hot { pub fn made() {} pub fn go(self) {} }";
    assert_eq!(
        found(&[("team/hot.rs", hot), ("team/fork.rs", fork)]),
        ["team/fork.rs: a circle of 2 files: team/fork.rs, team/hot.rs"]
    );
    let call = "pub struct Call; fn f() { crate::task::Task::made() }";
    let task = "pub struct Task; macro_rules! spawn { () => {} } pub(crate) use spawn;";
    let fork = "pub fn fork(_: crate::call::Call) {} impl crate::task::Task { pub fn made() {} }";
    let found = found(&[("team/fork.rs", fork), ("task/mod.rs", task), ("call.rs", call)]);
    assert!(
        found.iter().any(|f| f.starts_with("team/fork.rs: a circle of 2 files: team/fork.rs, call.rs")),
        "{found:?}"
    );
}

#[test]
fn the_crates_of_the_runtime_are_one_set() {
    let read = |call: &str| {
        let files = [
            ("crates/runtime/src/lib.rs", "mod abi; mod team; pub use ferromp_ground::call;"),
            ("crates/runtime/src/abi.rs", "use crate::call::Call; use ferromp_ground::arch::pause;"),
            ("crates/runtime/src/team.rs", "pub fn fork() { crate::call::Call::new(); }"),
            ("crates/settings/src/lib.rs", ""),
            ("crates/ground/src/lib.rs", "pub mod call; pub mod arch;"),
            ("crates/ground/src/arch.rs", "pub fn pause(_: crate::call::Call) {}"),
            ("crates/ground/src/call.rs", call),
        ];
        let text_of = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_string());
        Krate::read(&LAYERED.map(|(name, source)| (name, format!("{source}lib.rs"))), &text_of).unwrap()
    };
    let findings = |krate: &Krate| {
        let (table, _) = Table::read(TABLE, |_| true).unwrap();
        [circle_findings(krate), layer_findings(krate, &table)].concat()
    };
    let clean = read("pub struct Call; impl Call { pub fn new() {} }");
    assert_eq!(findings(&clean), Vec::<String>::new());
    let name = |file: usize| clean.tree.files[file].rsplit_once('/').unwrap().1;
    let imports: Vec<_> = clean.imports.iter().map(|import| (name(import.from), name(import.to))).collect();
    let expected = [("abi.rs", "arch.rs"), ("abi.rs", "call.rs"), ("team.rs", "call.rs"), ("arch.rs", "call.rs")];
    assert!(expected.iter().all(|pair| imports.contains(pair)) && imports.len() == expected.len(), "{imports:?}");
    let found = findings(&read("pub struct Call; fn f() { ferromp::team::fork() }"));
    assert!(found.iter().any(|found| found.contains("call.rs:1: layer ground imports layer behaviour")), "{found:?}");
}

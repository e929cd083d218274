//! What people forget: formatting, lints, opening comments, safety comments, unfinished code, paths of one machine.
//! Every finding is printed as `file:line: what`, all of them before it fails.

use crate::sh::{self, Result, cargo, cmd};
mod width;

use crate::{generate, layers};
use std::path::Path;

/// Files that every published project must have.
const REQUIRED: [&str; 6] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Lines above which a file holds more than one concept.
const LONGEST_FILE: usize = 800;

/// The page that states the limits.
const CONTRIBUTING: &str = "CONTRIBUTING.md";

/// Beginnings of absolute paths that exist on one machine only. Written in halves, so that this file passes its own
/// check.
const MACHINE_PATHS: [&str; 3] = [concat!("/", "root/"), concat!("/", "work/"), concat!("/", "home/")];

/// Marks of unfinished or silenced code, in halves for the same reason.
const UNFINISHED: [&str; 6] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("#[", "ignore"),
    concat!("allow(dead", "_code"),
];

/// Calls that end a process silently, in halves for the same reason. `LAST_WORDS` is the only file of the runtime that
/// may use them, because it says why first.
const SILENT_ENDS: [&str; 3] =
    [concat!("process::", "abort("), concat!("libc::", "abort("), concat!("handle_alloc", "_error(")];
const LAST_WORDS: &str = "crates/ground/src/stderr.rs";

/// Where the crates lie that make up the runtime.
const RUNTIME: [&str; 3] = ["crates/runtime/src/", "crates/settings/src/", "crates/ground/src/"];

/// What depends on the processor, in halves for the same reason. It stands in modules named `arch`, so that a further
/// architecture is a further file there.
const OF_ONE_PROCESSOR: [&str; 4] =
    [concat!("asm", "!("), concat!("core::", "arch"), concat!("std::", "arch"), concat!("target", "_arch")];

/// Runs every check.
pub fn tidy() -> Result {
    sh::step("tidy: formatting");
    let formatting = cargo(["fmt", "--all", "--check", "--", "--color=never", "-l"]).check();
    sh::step("tidy: clippy");
    let lints = cargo(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]).check();
    sh::step("tidy: files");
    let mut findings = findings()?;
    findings.extend(generate::outdated()?);
    findings.extend(layers::findings(&sh::root())?);
    for finding in &findings {
        eprintln!("{finding}");
    }
    formatting?;
    lints?;
    match findings.len() {
        0 => Ok(()),
        n => Err(format!("tidy: {n} findings")),
    }
}

fn findings() -> Result<Vec<String>> {
    let root = sh::root();
    let mut found: Vec<String> =
        REQUIRED.iter().filter(|name| !root.join(name).is_file()).map(|name| format!("{name}: is missing")).collect();
    for name in tracked()? {
        // A symlink, or a file that is deleted and not yet committed, has no text of its own.
        let path = root.join(&name);
        if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|e| format!("{name}: {e}"))?;
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if name.ends_with(".lock") || name.starts_with("LICENSE") {
            continue;
        }
        any_text(&name, &text, &mut found);
        if Path::new(&name).extension().is_some_and(|e| e == "rs") {
            rust(&name, &text, &mut found);
            width::rust(&name, &text, &mut found);
        }
        if name.ends_with(".md") {
            width::markdown(&name, &text, &mut found);
        }
    }
    let architecture = std::fs::read_to_string(root.join(ARCHITECTURE)).map_err(|e| format!("{ARCHITECTURE}: {e}"))?;
    constructs(&architecture, |path| code_of(&root.join(path)), &mut found);
    let contributing = std::fs::read_to_string(root.join(CONTRIBUTING)).map_err(|e| format!("{CONTRIBUTING}: {e}"))?;
    for limit in [format!("{LONGEST_FILE} lines"), format!("{} columns", width::WIDEST)] {
        if !contributing.contains(&limit) {
            found.push(format!("{CONTRIBUTING}: does not name the limit of {limit}"));
        }
    }
    Ok(found)
}

/// The code map.
const ARCHITECTURE: &str = "ARCHITECTURE.md";
/// The heading above the table of constructs.
const CONSTRUCTS: &str = "## Where each construct is";
/// Where the paths of the table's last three columns start.
const ABOVE: [&[&str]; 3] = [&["crates/runtime/src/abi/"], &RUNTIME, &["conformance/programs/"]];

/// The table of constructs in `text` must exist, and so must every path in its last three columns: entry points, core
/// and programs. Each name that compilers call must stand in one of the row's files of entry points. `code` gives the
/// code of a file or folder.
fn constructs(text: &str, code: impl Fn(&str) -> Option<String>, found: &mut Vec<String>) {
    let rows = numbered(text)
        .skip_while(|(_, line)| *line != CONSTRUCTS)
        .skip(1)
        .take_while(|(_, line)| !line.starts_with("## "));
    let mut some = false;
    for (number, row) in rows.filter(|(_, line)| line.starts_with('|') && !line.starts_with("| -")).skip(1) {
        some = true;
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        if cells.len() != ABOVE.len() + 2 {
            found.push(format!("{ARCHITECTURE}:{number}: {} columns", cells.len()));
            continue;
        }
        for (cell, above) in cells[2..].iter().zip(ABOVE) {
            for name in quoted(cell) {
                if !above.iter().any(|above| code(&format!("{above}{name}")).is_some()) {
                    found.push(format!("{ARCHITECTURE}:{number}: there is no {}{name}", above[0]));
                }
            }
        }
        let entry_points: Vec<String> =
            quoted(cells[2]).filter_map(|name| code(&format!("{}{name}", ABOVE[0][0]))).collect();
        for name in quoted(cells[1]).filter(|name| !entry_points.iter().any(|code| has_name(code, name))) {
            found.push(format!("{ARCHITECTURE}:{number}: {name} is in none of the row's entry points"));
        }
    }
    if !some {
        found.push(format!("{ARCHITECTURE}: no table under \"{CONSTRUCTS}\""));
    }
}

/// The code of a file, or of all files of a folder, without comments; `None` if nothing is at `path`.
fn code_of(path: &Path) -> Option<String> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).ok()?.flatten();
        return Some(entries.filter_map(|entry| code_of(&entry.path())).collect());
    }
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    Some(text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect())
}

/// The words of a table's cell that stand in backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Whether `name` stands in `code` as a whole word, or if it ends with `*`, as the beginning of a word.
fn has_name(code: &str, name: &str) -> bool {
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (start, is_prefix) = name.strip_suffix('*').map_or((name, false), |start| (start, true));
    code.match_indices(start)
        .any(|(at, _)| !code[..at].ends_with(in_name) && (is_prefix || !code[at + start.len()..].starts_with(in_name)))
}

/// The project's files: those that git tracks, and new files that git does not ignore. Without git's data, as in a
/// source archive, this fails.
fn tracked() -> Result<Vec<String>> {
    let list = cmd("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).read()?;
    Ok(list.lines().map(str::to_owned).collect())
}

/// Checks of every text file.
fn any_text(name: &str, text: &str, found: &mut Vec<String>) {
    for (number, line) in numbered(text) {
        if MACHINE_PATHS.iter().any(|path| mentions(line, path)) {
            found.push(format!("{name}:{number}: a path of one machine"));
        }
        // In a conformance program a blank can be what is tested.
        if line.ends_with([' ', '\t']) && !name.starts_with("conformance/programs/") && !name.ends_with(".snap") {
            found.push(format!("{name}:{number}: blanks at the end of the line"));
        }
    }
}

/// Whether `path` stands in `line` as the beginning of a path, not inside of one.
fn mentions(line: &str, path: &str) -> bool {
    line.match_indices(path)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}*)$".contains(c)))
}

/// Checks of Rust files.
fn rust(name: &str, text: &str, found: &mut Vec<String>) {
    if !text.starts_with("//!") {
        found.push(format!("{name}:1: does not open with //!"));
    }
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        found.push(format!("{name}: {lines} lines; more than one concept?"));
    }
    let may_be_silent = !RUNTIME.iter().any(|crates| name.starts_with(crates)) || name == LAST_WORDS;
    let mut above: Vec<&str> = Vec::new();
    for (number, line) in numbered(text) {
        for end in SILENT_ENDS.iter().filter(|end| !may_be_silent && line.contains(**end)) {
            found
                .push(format!("{name}:{number}: {end}…) ends the process in silence; crate::stderr has what says why"));
        }
        for mark in UNFINISHED.iter().filter(|mark| line.contains(**mark)) {
            found.push(format!("{name}:{number}: {mark}"));
        }
        for mark in OF_ONE_PROCESSOR.iter().filter(|mark| !is_of_arch(name) && line.contains(**mark)) {
            found.push(format!("{name}:{number}: {mark} depends on the processor; its place is a module named arch"));
        }
        if opens_unsafe(line) && !line.contains("SAFETY:") && !says_why(&above) {
            found.push(format!("{name}:{number}: unsafe without a SAFETY comment above"));
        }
        above.push(line);
    }
}

/// Whether a file belongs to a module named `arch`.
fn is_of_arch(name: &str) -> bool {
    name.split('/').any(|part| part == "arch" || part == "arch.rs")
}

/// Whether the line opens an unsafe block, declares an unsafe impl or has an unsafe attribute, outside of a comment.
/// `no_mangle` needs no reason, because other code finds the function by that name.
fn opens_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    let attribute = code.contains(concat!("#[", "unsafe(")) && !code.contains("no_mangle");
    code.contains(concat!("unsafe", " {")) || code.trim_start().starts_with(concat!("unsafe", " impl")) || attribute
}

/// Whether a SAFETY comment stands right above: the comment block above the line, past attributes, the lines of the
/// same statement, and a further unsafe impl that the comment covers as well.
fn says_why(above: &[&str]) -> bool {
    for line in above.iter().rev().take(12) {
        let line = line.trim();
        if line.contains("SAFETY:") {
            return true;
        }
        let statement_goes_on = !line.is_empty() && !line.ends_with([';', '{', '}']);
        if !(line.starts_with("//")
            || line.starts_with("#[")
            || line.starts_with(concat!("unsafe", " impl"))
            || statement_goes_on)
        {
            return false;
        }
    }
    false
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        any_text("f.rs", text, &mut found);
        rust("f.rs", text, &mut found);
        found
    }

    #[test]
    fn clean_code_passes() {
        let code =
            concat!("//! Doc.\nfn f() {\n    // SAFETY: p is valid.\n    let x =\n        unsafe", " { *p };\n}\n");
        assert_eq!(found(code), Vec::<String>::new());
    }

    #[test]
    fn the_table_of_constructs_names_what_exists() {
        let table = format!(
            "{CONSTRUCTS}\n\n| construct | calls | entry points | core | programs |\n| --- | --- | --- | --- | --- |\n\
             | barrier | `x` | `gomp/a.rs` | `team/b.rs`, `team/c.rs` | `sync` |\n\n## Next\n"
        );
        let code = |path: &str| (!path.ends_with("c.rs")).then(|| "fn x_y() {}".to_owned());
        let mut found = Vec::new();
        constructs(&table, code, &mut found);
        let missing = "ARCHITECTURE.md:5: there is no crates/runtime/src/team/c.rs";
        assert_eq!(found, [missing, "ARCHITECTURE.md:5: x is in none of the row's entry points"]);
        constructs("no table", code, &mut found);
        assert_eq!(found.len(), 3);
        assert!(has_name("fn x_y() {}", "x_y") && has_name("fn x_y() {}", "x_*") && !has_name("fn x_y() {}", "y"));
    }

    #[test]
    fn the_runtime_says_why_it_ends_a_process() {
        let code = concat!("//! Doc.\nfn f() {\n    std::process::", "abort()\n}\n");
        for (name, count) in
            [("crates/ground/src/protocol/ring.rs", 1), (LAST_WORDS, 0), ("crates/tool/src/start.rs", 0)]
        {
            let mut found = Vec::new();
            rust(name, code, &mut found);
            assert_eq!(found.len(), count, "{name}: {found:?}");
        }
    }

    #[test]
    fn code_of_one_processor_has_its_place() {
        let code = concat!("//! Doc.\n#[cfg(target", "_arch = \"x86_64\")]\nstd::", "arch::global_asm", "!(\"\");\n");
        for (name, count) in [("crates/x/src/f.rs", 3), ("crates/x/src/arch/f.rs", 0), ("crates/x/src/march.rs", 3)] {
            let mut found = Vec::new();
            rust(name, code, &mut found);
            assert_eq!(found.len(), count, "{name}: {found:?}");
        }
    }

    #[test]
    fn each_habit_is_found_at_its_line() {
        let code = concat!(
            "fn f() {\n    // p is valid\n    unsafe",
            " { *p };\n    todo",
            "!();\n    g(\"/",
            "root/x\"); \n}\n"
        );
        let found = found(code);
        assert_eq!(found.len(), 5, "{found:?}");
        for line in ["f.rs:1:", "f.rs:3:", "f.rs:4:", "f.rs:5: a path", "f.rs:5: blanks"] {
            assert!(found.iter().any(|f| f.starts_with(line)), "{line} {found:?}");
        }
    }
}

//! `cargo xtask start-order`: which functions a process executes from its start to the end of its first regions. The
//! linker places them next to each other. Otherwise they are spread over the whole library, and the kernel maps 64 KiB
//! of a file around each page that is touched: 1.4 MiB more of resident memory.

use crate::sh::{self, Result, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The list: a function's symbol a line, without its hash.
const LIST: &str = "crates/runtime/start.txt";

/// A name stands for all instances of a generic function. The list leaves out a name whose instances have more than
/// this many bytes, and more than twice the bytes of the instances that were executed.
const TOO_LARGE: u64 = 16 << 10;

const HEAD: &str = "\
# The functions that a process executes from its start to the end of its first regions, without the hashes in their
# symbols. The linker places them next to each other. `cargo xtask start-order` writes this list. A name that no
# function has any more does no harm.
";

/// GNU's linker sorts the sections that begin with `.text.sorted.`. The name puts these behind all entry points'
/// sections, and next to the compiler's own function for the start of a library.
const TOGETHER: &str = ".text.sorted.~start";

/// Team sizes of the processes that are looked at.
const TEAMS: [&str; 3] = ["1", "2", "8"];

/// Where [`write`] expects the runtime, and leaves its programs.
pub fn folder() -> PathBuf {
    sh::target().join("start-order")
}

/// Runs programs of gcc and clang under valgrind, on the runtime in [`folder`], and writes the list.
pub fn write() -> Result {
    let folder = folder();
    sh::step("functions of the start");
    let lib = folder.join("lib");
    let source = sh::root().join("bench/programs/situation.c");
    let (gcc, clang) = (folder.join("gcc"), folder.join("clang"));
    cmd("gcc").args(["-O2", "-fopenmp", "-o"]).arg(&gcc).arg(&source).check()?;
    cmd("clang-19").args(["-O2", "-fopenmp=libomp", "-L"]).arg(&lib).arg("-o").arg(&clang).arg(&source).check()?;
    let mut executed = BTreeSet::new();
    for program in [&gcc, &clang] {
        for threads in TEAMS {
            executed.extend(functions(program, threads, &lib)?);
        }
    }
    let functions = Functions::of(&sh::target().join("release/libferromp.a"))?;
    let list = sh::root().join(LIST);
    sh::write(&list, functions.list(&executed).as_bytes())?;
    eprintln!("wrote {}; build again to use it", list.display());
    Ok(())
}

/// Copies the runtime's archive, with the listed functions in sections that the linker places together. Returns the
/// copy.
pub fn arrange(archive: &Path) -> Result<PathBuf> {
    let list = sh::root().join(LIST);
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let wanted: BTreeSet<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let options: String = Functions::of(archive)?
        .sections(&wanted)
        .iter()
        .map(|section| format!("--rename-section \"{section}={TOGETHER}\"\n"))
        .collect();
    let (copy, file) = (archive.with_extension("arranged.a"), archive.with_extension("arranged.options"));
    sh::write(&file, options.as_bytes())?;
    cmd("objcopy").arg(format!("@{}", file.display())).arg(archive).arg(&copy).check()?;
    Ok(copy)
}

/// The symbols of the runtime's functions that a process executes.
fn functions(program: &Path, threads: &str, lib: &Path) -> Result<BTreeSet<String>> {
    let profile: PathBuf = program.with_extension("callgrind");
    cmd("valgrind")
        .args(["--quiet", "--tool=callgrind", "--demangle=no"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program)
        .args(["once", threads, "1"])
        .env("LD_LIBRARY_PATH", lib)
        .env("OMP_NUM_THREADS", threads)
        .check()?;
    let text = std::fs::read_to_string(&profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    Ok(of_library(&text, "/libferromp.so"))
}

/// The functions of the library in callgrind's output: `fn=` lines after an `ob=` line of the library. A name is
/// written once, with a number, and is the number alone from then on (Callgrind Format Specification, "name
/// compression"). `cob=` and `cfn=` are about callees, which have lines of their own.
fn of_library(profile: &str, library: &str) -> BTreeSet<String> {
    let (mut objects, mut names) = (BTreeMap::new(), BTreeMap::new());
    let (mut is_library, mut found) = (false, BTreeSet::new());
    for line in profile.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        let table = match key {
            "ob" | "cob" => &mut objects,
            "fn" | "cfn" => &mut names,
            _ => continue,
        };
        let (number, name) = value.split_once(' ').unwrap_or((value, ""));
        if !name.is_empty() {
            table.insert(number, name);
        }
        let name = table.get(number).copied().unwrap_or_default();
        match key {
            "ob" => is_library = name.ends_with(library),
            "fn" if is_library => drop(found.insert(name.to_owned())),
            _ => {}
        }
    }
    found
}

/// A function of the archive.
struct Function {
    symbol: String,
    section: String,
    bytes: u64,
}

struct Functions(Vec<Function>);

impl Functions {
    fn of(archive: &Path) -> Result<Functions> {
        Ok(Functions::read(&cmd("objdump").arg("-t").arg(archive).read()?))
    }

    /// By `objdump -t`, whose lines are `0000000000000040 g     F .text.name<tab>000000000000009f .hidden symbol`.
    fn read(table: &str) -> Functions {
        let function = |line: &str| {
            let (before, after) = line.split_once('\t')?;
            let section = before.split(' ').next_back().filter(|name| name.starts_with(".text."))?;
            let (bytes, symbol) = after.split_once(' ')?;
            let symbol = symbol.split(' ').next_back()?.to_owned();
            Some(Function { symbol, section: section.to_owned(), bytes: u64::from_str_radix(bytes, 16).ok()? })
        };
        Functions(table.lines().filter_map(function).collect())
    }

    /// The list of those that were executed.
    fn list(&self, executed: &BTreeSet<String>) -> String {
        // Bytes that were executed, and of all instances.
        let mut names = BTreeMap::<String, (u64, u64)>::new();
        for function in &self.0 {
            let (used, all) = names.entry(name(&function.symbol)).or_default();
            *all += function.bytes;
            *used += if executed.contains(&function.symbol) { function.bytes } else { 0 };
        }
        let chosen = names.iter().filter(|(_, (used, all))| *used > 0 && *all <= TOO_LARGE.max(2 * used));
        HEAD.to_owned() + &chosen.map(|(name, _)| format!("{name}\n")).collect::<String>()
    }

    /// The sections of the functions with these names.
    fn sections(&self, names: &BTreeSet<&str>) -> BTreeSet<&str> {
        let chosen = self.0.iter().filter(|function| names.contains(name(&function.symbol).as_str()));
        chosen.map(|function| function.section.as_str()).collect()
    }
}

/// The symbol without what another compiler or a change to the function makes different: the hash or number at the
/// end, and the numbers of crates (`Cs…_`).
fn name(symbol: &str) -> String {
    let symbol = symbol.rsplit_once('.').filter(|it| it.1.parse::<u32>().is_ok()).map_or(symbol, |it| it.0);
    if let Some((name, _)) = symbol.rsplit_once("17h").filter(|(_, hash)| hash.len() == 17 && hash.ends_with('E')) {
        return name.to_owned();
    }
    if !symbol.starts_with("_R") {
        return symbol.to_owned();
    }
    let mut parts = symbol.split("Cs");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("Cs");
        text.push_str(part.find('_').map_or("", |end| &part[end..]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "\
ob=(1) /usr/lib/ld.so
fn=(1) start
cob=(2) /prefix/lib/libferromp.so
cfn=(2) GOMP_parallel
calls=1 0
0 10

ob=(2)
fn=(2)
0 5
cob=(1)
cfn=(3) other

fn=(4) _ZN7ferromp4team4fork5begin17h5ace7867122c420fE
";

    #[test]
    fn functions_of_the_library_are_those_with_lines_of_their_own() {
        let found = of_library(PROFILE, "/libferromp.so");
        assert_eq!(
            found.iter().map(String::as_str).collect::<Vec<_>>(),
            ["GOMP_parallel", "_ZN7ferromp4team4fork5begin17h5ace7867122c420fE"]
        );
    }

    #[test]
    fn names_have_no_hashes() {
        assert_eq!(name("_ZN7ferromp4team4fork5begin17h5ace7867122c420fE"), "_ZN7ferromp4team4fork5begin");
        assert_eq!(name("GOMP_parallel"), "GOMP_parallel");
        assert_eq!(
            name("_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner11finish_growB7_.4556"),
            "_RNvMs4_NtCs_5alloc7raw_vecNtB5_11RawVecInner11finish_growB7_"
        );
    }

    #[test]
    fn instances_that_were_not_executed_may_not_be_much_larger() {
        let line =
            |bytes: u64, name: &str| format!("0000000000000000 l     F .text.{name}\t{bytes:016x} .hidden {name}\n");
        let table = line(100, "_ZN4sort17h0000000000000001E")
            + &line(100_000, "_ZN4sort17h0000000000000002E")
            + &line(100_000, "_ZN5start17h0000000000000003E");
        let functions = Functions::read(&table);
        let executed =
            ["_ZN4sort17h0000000000000001E", "_ZN5start17h0000000000000003E", "gone"].map(str::to_owned).into();
        assert_eq!(functions.list(&executed), HEAD.to_owned() + "_ZN5start\n");
        assert_eq!(functions.sections(&["_ZN5start"].into()), [".text._ZN5start17h0000000000000003E"].into());
    }
}

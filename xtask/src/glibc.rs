//! Linking for old systems: no file of the prefix needs a newer glibc than 2.17, that of RHEL 7 and of manylinux2014. A
//! linker takes the newest version of each symbol that it finds, so it gets libraries that end at 2.17. These have
//! names without code, made from the machine's own glibc, whose compatibility symbols show the older versions.

use crate::arch;
use crate::sh::{self, Result, cargo, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The newest glibc that may be needed.
const NEWEST: Version = Version([2, 17, 0]);

/// The libraries of glibc that the linker may meet: the name that `-l` finds, and the file that the loader finds.
const LIBRARIES: [(&str, &str); 5] = [
    ("libc.so", "libc.so.6"),
    ("libm.so", "libm.so.6"),
    ("libpthread.so", "libpthread.so.0"),
    ("libdl.so", "libdl.so.2"),
    ("librt.so", "librt.so.1"),
];

/// What glibc 2.34 moved into `libc.so.6`, by how the names begin, and where older ones have it.
const MOVED: [(&str, &str); 10] = [
    ("pthread_", "libpthread.so.0"),
    ("__pthread_", "libpthread.so.0"),
    ("sem_", "libpthread.so.0"),
    ("dl", "libdl.so.2"),
    ("shm_", "librt.so.1"),
    ("timer_", "librt.so.1"),
    ("mq_", "librt.so.1"),
    ("aio_", "librt.so.1"),
    ("lio_", "librt.so.1"),
    ("clock_", "librt.so.1"),
];

/// Functions that older glibcs have under other names or in another way, for all that is linked.
const OLDER: [(&str, &str); 2] = [("stat", include_str!("glibc/stat.c")), ("start", include_str!("glibc/start.c"))];

/// `cargo` whose output needs no newer glibc than 2.17. `folder` is the folder of [`make`].
pub fn cargo_with(folder: &Path, args: &[&str]) -> Result<sh::Cmd> {
    let about = cmd(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-vV").read()?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc -vV names no host")?;
    let variable = format!("CARGO_TARGET_{}_LINKER", host.to_uppercase().replace(['-', '.'], "_"));
    Ok(cargo(args).env(&variable, folder.join("cc")))
}

/// Makes the folder of libraries for `-L`, and in it `cc`, a linker that looks there first. Returns the folder.
pub fn make() -> Result<PathBuf> {
    let folder = sh::target().join("glibc-2.17");
    sh::make_dir(&folder)?;
    let mut stubs: BTreeMap<&str, Vec<Symbol>> = LIBRARIES.iter().map(|&(_, file)| (file, Vec::new())).collect();
    for (_, file) in LIBRARIES {
        let table = cmd("readelf").args(["--dyn-syms", "-W"]).arg(find(file)?).read()?;
        for symbol in of_old_systems(&table) {
            let home = symbol.home(file);
            stubs.entry(home).or_default().push(symbol);
        }
    }
    for (name, file) in LIBRARIES {
        stub(&folder, file, &stubs[file])?;
        sh::write(&folder.join(name), format!("GROUP ( {} )\n", folder.join(file).display()).as_bytes())?;
    }
    let archive = older(&folder)?;
    // The machine's archive has the code that each program and library links statically, such as `atexit`.
    let parts = [archive, find("libc_nonshared.a")?, folder.join("libc.so.6")].map(|part| part.display().to_string());
    let group = format!("GROUP ( {} AS_NEEDED ( {} ) )\n", parts.join(" "), find(arch::LOADER)?.display());
    sh::write(&folder.join("libc.so"), group.as_bytes())?;
    // libgcc_s of the machine may need the machine's glibc: that of an old system does not.
    let script = format!("#!/bin/sh\nexec cc -L'{}' -Wl,--allow-shlib-undefined \"$@\"\n", folder.display());
    let compiler = folder.join("cc");
    sh::write(&compiler, script.as_bytes())?;
    cmd("chmod").arg("+x").arg(&compiler).check()?;
    Ok(folder)
}

/// Checks that a linked file needs no symbol of a newer glibc.
pub fn verify(file: &Path) -> Result {
    let table = cmd("readelf").args(["--dyn-syms", "-W"]).arg(file).read()?;
    let newer = newer(&table);
    if newer.is_empty() {
        return Ok(());
    }
    Err(format!("{}: needs a newer glibc than 2.17: {}", file.display(), newer.join(", ")))
}

/// The symbols of a table that are needed in a version after 2.17, weak ones too: loaders check versions, not needs.
/// Then the symbols that are needed without a version, because no library of 2.17 has them. Weak symbols are left out
/// there, because code tests them before their use.
fn newer(table: &str) -> Vec<String> {
    let too_new = |row: &Row| match row.version {
        "" => row.binding != "WEAK",
        version => Version::of(version).is_some_and(|v| v > NEWEST),
    };
    rows(table).filter(|row| row.section == "UND" && too_new(row)).map(|row| row.symbol()).collect()
}

/// A version of glibc's, for comparison: 2.2.5 comes before 2.17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u32; 3]);

impl Version {
    /// `GLIBC_2.2.5`; `None` for other names, such as `GLIBC_PRIVATE`.
    fn of(node: &str) -> Option<Version> {
        let mut numbers = [0; 3];
        for (place, part) in node.strip_prefix("GLIBC_")?.split('.').enumerate() {
            *numbers.get_mut(place)? = part.parse().ok()?;
        }
        Some(Version(numbers))
    }
}

/// A line of `readelf --dyn-syms -W`.
struct Row<'a> {
    size: &'a str,
    kind: &'a str,
    binding: &'a str,
    section: &'a str,
    name: &'a str,
    version: &'a str,
}

impl Row<'_> {
    fn symbol(&self) -> String {
        if self.version.is_empty() { self.name.to_owned() } else { format!("{}@{}", self.name, self.version) }
    }
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table.lines().filter_map(|line| {
        // Number, value, size, type, binding, visibility, section, name.
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, version) =
            words.get(7).filter(|_| words[0].ends_with(':'))?.split_once('@').unwrap_or((words[7], ""));
        let version = version.trim_start_matches('@');
        Some(Row { size: words[2], kind: words[3], binding: words[4], section: words[6], name, version })
    })
}

/// A symbol as systems with glibc 2.17 have it.
#[derive(Debug, Clone, PartialEq)]
struct Symbol {
    name: String,
    version: String,
    /// Data, and how many bytes of it.
    data: Option<String>,
    thread_local: bool,
    /// There is a newer version, in which glibc may have moved it.
    renewed: bool,
}

impl Symbol {
    /// The library that an old system has it in; `file` is where this machine has it.
    fn home(&self, file: &'static str) -> &'static str {
        let moved = MOVED.iter().find(|(begin, _)| self.renewed && file == "libc.so.6" && self.name.starts_with(begin));
        moved.map_or(file, |&(_, home)| home)
    }
}

/// What a library's table offers to programs that were linked on glibc 2.17: of each name the newest version until
/// then.
fn of_old_systems(table: &str) -> Vec<Symbol> {
    let mut best: BTreeMap<&str, (Version, Symbol)> = BTreeMap::new();
    let mut renewed = BTreeSet::new();
    for row in rows(table).filter(|row| row.section != "UND" && row.section != "ABS") {
        let Some(version) = Version::of(row.version) else { continue };
        if version > NEWEST {
            renewed.insert(row.name);
            continue;
        }
        let symbol = Symbol {
            name: row.name.to_owned(),
            version: row.version.to_owned(),
            data: (row.kind == "OBJECT").then(|| row.size.to_owned()),
            thread_local: row.kind == "TLS",
            renewed: false,
        };
        if best.get(row.name).is_none_or(|(known, _)| *known < version) {
            best.insert(row.name, (version, symbol));
        }
    }
    let renewed = |symbol: Symbol| Symbol { renewed: renewed.contains(symbol.name.as_str()), ..symbol };
    best.into_values().map(|(_, symbol)| renewed(symbol)).filter(|symbol| !symbol.thread_local).collect()
}

/// Makes the archive of [`OLDER`].
fn older(folder: &Path) -> Result<PathBuf> {
    let archive = folder.join("libolder.a");
    drop(std::fs::remove_file(&archive));
    for (name, text) in OLDER {
        let (source, object) = (folder.join(name).with_extension("c"), folder.join(name).with_extension("o"));
        sh::write(&source, text.as_bytes())?;
        let options = ["-O2", "-fPIC", "-fvisibility=hidden", "-c", "-o"];
        cmd("cc").args(arch::GLIBC_MACROS).args(options).arg(&object).arg(&source).check()?;
        cmd("ar").args(["rcs"]).arg(&archive).arg(&object).check()?;
    }
    Ok(archive)
}

/// Makes a library with these symbols and nothing behind them.
fn stub(folder: &Path, file: &str, symbols: &[Symbol]) -> Result {
    let (mut code, mut nodes) = (String::from(".text\n"), BTreeMap::<&str, Vec<&str>>::new());
    for symbol in symbols {
        let (name, kind) = (&symbol.name, if symbol.data.is_some() { "object" } else { "function" });
        let size = symbol.data.as_deref().unwrap_or("1");
        writeln!(code, ".globl {name}\n.type {name}, %{kind}\n.size {name}, {size}\n{name}: .skip 1")
            .expect("a string takes it");
        nodes.entry(&symbol.version).or_default().push(name);
    }
    let node = |(node, names): (&&str, &Vec<&str>)| format!("{node} {{ global: {}; }};\n", names.join("; "));
    let script: String = nodes.iter().map(node).collect();
    let (source, map) = (folder.join(format!("{file}.s")), folder.join(format!("{file}.map")));
    sh::write(&source, code.as_bytes())?;
    sh::write(&map, script.as_bytes())?;
    cmd("cc")
        .args(["-shared", "-nostdlib", "-o"])
        .arg(folder.join(file))
        .arg(&source)
        .arg(format!("-Wl,--version-script={},-soname,{file}", map.display()))
        .check()
}

/// Where the machine has a library of its C library.
fn find(file: &str) -> Result<PathBuf> {
    let path = cmd("cc").arg(format!("-print-file-name={file}")).read()?;
    let path = PathBuf::from(path.trim());
    if path.is_absolute() { Ok(path) } else { Err(format!("cc does not find {file}")) }
}

#[cfg(test)]
mod tests {
    use super::{newer, of_old_systems};

    const TABLE: &str = "
   Num:    Value          Size Type    Bind   Vis      Ndx Name
     1: 0000000000027280   321 FUNC    GLOBAL DEFAULT   15 memcpy@GLIBC_2.2.5
     2: 0000000000027280   321 FUNC    GLOBAL DEFAULT   15 memcpy@@GLIBC_2.14
     3: 0000000000027280   321 FUNC    GLOBAL DEFAULT   15 pthread_create@GLIBC_2.2.5
     4: 0000000000027280   321 FUNC    GLOBAL DEFAULT   15 pthread_create@@GLIBC_2.34
     5: 0000000000027280   321 FUNC    GLOBAL DEFAULT   15 gettid@@GLIBC_2.30
     6: 0000000000027280     8 OBJECT  GLOBAL DEFAULT   30 environ@@GLIBC_2.2.5
     7: 0000000000027280     8 FUNC    GLOBAL DEFAULT   30 inside@@GLIBC_PRIVATE
     8: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND getrandom@GLIBC_2.25 (3)
     9: 0000000000000000     0 FUNC    WEAK   DEFAULT  UND statx@GLIBC_2.28 (4)
    10: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND free@GLIBC_2.2.5 (2)
    11: 0000000000000000     0 FUNC    WEAK   DEFAULT  UND gettid
    12: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT  UND memfd_create
";

    #[test]
    fn each_name_has_the_newest_version_that_an_old_system_has() {
        let symbols = of_old_systems(TABLE);
        let shown: Vec<String> =
            symbols.iter().map(|s| format!("{}@{} {}", s.name, s.version, s.home("libc.so.6"))).collect();
        let wanted = [
            "environ@GLIBC_2.2.5 libc.so.6",
            "memcpy@GLIBC_2.14 libc.so.6",
            "pthread_create@GLIBC_2.2.5 libpthread.so.0",
        ];
        assert_eq!(shown, wanted);
        assert_eq!(symbols[0].data.as_deref(), Some("8"));
    }

    #[test]
    fn what_a_newer_glibc_alone_has_is_named() {
        assert_eq!(newer(TABLE), ["getrandom@GLIBC_2.25", "statx@GLIBC_2.28", "memfd_create"]);
    }
}

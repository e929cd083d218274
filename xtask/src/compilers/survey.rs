//! `cargo xtask abi-survey`: what the compilers of a root emit, what their `omp.h` says and what their runtimes export,
//! against what ferromp's library exports and the table of what it serves (`served.rs`).

use super::emitted::Emitted;
use super::header;
use super::root::{Compiler, Root};
use super::served::Served;
use super::table::SERVED;
use crate::dist;
use crate::sh::{self, Result, cmd};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Options with which clang translates programs with code for devices.
const DEVICE: &str = "-fopenmp-targets=x86_64-pc-linux-gnu";

/// Most names that a cell of a table lists; all of them stand below it.
const MOST_NAMES: usize = 6;

/// Names of a library, each with the version nodes that it is exported under.
type Names = BTreeMap<String, BTreeSet<String>>;

/// What a library exports.
struct Library {
    names: Names,
    nodes: BTreeSet<String>,
    soname: String,
}

/// A runtime that was found in a root.
struct Runtime {
    /// What it is called in the tables, without the root.
    name: String,
    path: PathBuf,
}

/// Compares what the roots have with what we serve; the survey's part of the page.
pub fn survey(roots: &[Root]) -> Result<String> {
    let ours = Library::read(&sh::root().join("dist/lib/libferromp.so"))
        .map_err(|why| format!("{why}: `cargo xtask build` makes it"))?;
    let served = Served::read()?;
    let mut page = Page { links: dist::runtime_names()?, ours, served, rows: Rows::default() };
    for root in roots {
        for compiler in root.compilers()? {
            if compiler.kind() != "offload" {
                sh::step(&format!("{} of {}", compiler.command, root.name));
                page.compiler(&compiler)?;
            }
        }
        for runtime in runtimes(root)? {
            page.runtime(root, &runtime)?;
        }
    }
    let missing = page.rows.missing.len();
    if missing > 0 {
        eprintln!("{missing} things are not served: see the page");
    }
    page.text(roots)
}

#[derive(Default)]
struct Rows {
    compilers: String,
    runtimes: String,
    /// What is not served, and where it was found.
    missing: BTreeMap<String, BTreeSet<String>>,
    /// Patterns of internal names, and how many names fell under each.
    internal: BTreeMap<String, BTreeSet<String>>,
}

struct Page {
    ours: Library,
    served: Served,
    links: Vec<String>,
    rows: Rows,
}

impl Page {
    /// A row for a compiler.
    fn compiler(&mut self, compiler: &Compiler) -> Result {
        let place = format!("{} ({})", compiler.command, compiler.root.name);
        let (emitted, enumerators) = match compiler.kind() {
            "clang" => (
                emitted(compiler, "host.c", &[])?.and(emitted(compiler, "target.c", &[DEVICE])?),
                Some(header::values(compiler)?),
            ),
            "gcc" => (
                emitted(compiler, "host.c", &[])?.and(emitted(compiler, "target.c", &[])?),
                Some(header::values(compiler)?),
            ),
            _ => (emitted(compiler, "host.f90", &[])?, None),
        };
        let calls: Vec<String> = emitted
            .calls
            .iter()
            .filter(|name| !self.ours.names.contains_key(*name))
            .map(|n| format!("`{n}`"))
            .collect();
        let wrong = |(name, value): (&String, &i64)| self.served.value(name, *value);
        let values: Option<Vec<String>> = enumerators.as_ref().map(|all| all.iter().filter_map(wrong).collect());
        let known =
            |name: &String, form: &String| self.served.structures.get(name).is_some_and(|forms| forms.contains(form));
        let all = emitted.structures.iter().flat_map(|(name, forms)| forms.iter().map(move |form| (name, form)));
        let structures: Vec<String> = all
            .filter(|(name, form)| !known(name, form))
            .map(|(name, form)| format!("`{name}` {{ {form} }}"))
            .collect();
        let versions = emitted
            .kernel_arguments
            .difference(&self.served.kernel_arguments)
            .map(|v| format!("kernel arguments {v}"))
            .collect();
        let bits = emitted.map_types.iter().fold(0, |bits, kind| bits | kind) & !self.served.map_bits;
        let bits = if bits == 0 { Vec::new() } else { vec![format!("map bits {bits:#x}")] };

        let version = compiler.version()?;
        let kernels = emitted.kernel_arguments.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let cells = [
            self.cell(&place, calls, format!("{} names", emitted.calls.len())),
            match (values, enumerators) {
                (Some(values), Some(all)) => self.cell(&place, values, format!("{} values", all.len())),
                _ => "–".into(),
            },
            self.layouts(&place, structures, &emitted),
            if kernels.is_empty() { "–".into() } else { self.cell(&place, versions, format!("version {kernels}")) },
            if emitted.map_types.is_empty() {
                "–".into()
            } else {
                self.cell(&place, bits, format!("{} types", emitted.map_types.len()))
            },
        ];
        let row = format!("| {} | {} | {version} | {} |\n", compiler.command, compiler.root.name, cells.join(" | "));
        self.rows.compilers += &row;
        Ok(())
    }

    fn layouts(&mut self, place: &str, wrong: Vec<String>, emitted: &Emitted) -> String {
        match emitted.structures.len() {
            0 => "–".into(),
            count => self.cell(place, wrong, format!("{count}")),
        }
    }

    /// What a cell says: what is served, or what is not, which is noted for the list below the tables.
    fn cell(&mut self, place: &str, wrong: Vec<String>, all: String) -> String {
        if wrong.is_empty() {
            return format!("served: {all}");
        }
        let mut shown: Vec<String> = wrong.iter().take(MOST_NAMES).cloned().collect();
        if wrong.len() > MOST_NAMES {
            shown.push(format!("{} more", wrong.len() - MOST_NAMES));
        }
        for what in wrong {
            self.rows.missing.entry(what).or_default().insert(place.to_owned());
        }
        format!("**not served**: {}", shown.join(", "))
    }

    /// A row for a runtime.
    fn runtime(&mut self, root: &Root, runtime: &Runtime) -> Result {
        let place = format!("{} ({})", runtime.name, root.name);
        let library = Library::read(&runtime.path)?;
        let (mut missing, mut internal) = (Vec::new(), 0);
        for (name, nodes) in &library.names {
            let absent: Vec<&String> = match self.ours.names.get(name) {
                Some(ours) => nodes.iter().filter(|node| !ours.contains(*node)).collect(),
                None => nodes.iter().collect(),
            };
            match self.served.internal(name) {
                Some(_) if absent.is_empty() => {}
                Some(pattern) => {
                    internal += 1;
                    self.rows.internal.entry(pattern.to_owned()).or_default().insert(name.clone());
                }
                None => missing.extend(absent.into_iter().map(|node| match node.as_str() {
                    "" => format!("`{name}`"),
                    node => format!("`{name}@{node}`"),
                })),
            }
        }
        let nodes = library
            .nodes
            .iter()
            .filter(|node| !self.ours.nodes.contains(*node) && self.served.internal(node).is_none());
        let nodes: Vec<String> = nodes.map(|node| format!("node `{node}`")).collect();
        let under = |name: &str| {
            if name.starts_with("libomptarget") { self.links.iter().any(|link| link == name) } else { true }
        };
        let soname = if under(&library.soname) { Vec::new() } else { vec![format!("name `{}`", library.soname)] };
        let cells = [
            self.cell(&place, soname, format!("`{}`", library.soname)),
            self.cell(&place, missing, format!("{} names", library.names.len() - internal)),
            self.cell(&place, nodes, library.nodes.len().to_string()),
            internal.to_string(),
        ];
        let row = format!("| {} | {} | {} |\n", runtime.name, root.name, cells.join(" | "));
        self.rows.runtimes += &row;
        Ok(())
    }

    fn text(&self, roots: &[Root]) -> Result<String> {
        let mut text = String::new();
        let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
        writeln!(
            text,
            "Surveyed on {}, in Debian's suites {}.\n",
            cmd("date").arg("+%F").read()?.trim(),
            names.join(", ")
        )
        .expect("a string grows");
        text += "| compiler | suite | version | calls | `omp.h` | structures | kernel arguments | map types |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
        text += &self.rows.compilers;
        text += "\nWhat the runtimes of these suites export:\n\n| runtime | suite | asked for as | names | version nodes | internal |\n| --- | --- | --- | --- | --- | ---: |\n";
        text += &self.rows.runtimes;
        text += "\n### Not served\n\n";
        if self.rows.missing.is_empty() {
            text += "Nothing of the above.\n";
        }
        // What is missing in the same places stands together.
        let mut together: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (what, places) in &self.rows.missing {
            together.entry(places.iter().cloned().collect::<Vec<_>>().join(", ")).or_default().push(what);
        }
        for (places, what) in together {
            writeln!(text, "- {places}: {}", what.join(", ")).expect("a string grows");
        }
        text += "\n### Internal, not served\n\nNames that no compiler emits and no header declares.\n\n| names | how many | why not |\n| --- | ---: | --- |\n";
        for (pattern, reason) in &self.served.internal {
            let count = self.rows.internal.get(pattern).map_or(0, BTreeSet::len);
            if count > 0 {
                writeln!(text, "| `{pattern}` | {count} | {reason} |").expect("a string grows");
            }
        }
        writeln!(text, "\nWhat is served beyond names stands in `{SERVED}`.").expect("a string grows");
        Ok(text)
    }
}

impl Emitted {
    /// Both together.
    fn and(mut self, other: Emitted) -> Emitted {
        for (name, forms) in other.structures {
            self.structures.entry(name).or_default().extend(forms);
        }
        self.kernel_arguments.extend(other.kernel_arguments);
        self.map_types.extend(other.map_types);
        self.calls.extend(other.calls);
        self
    }
}

/// What a compiler makes of one of the probes.
fn emitted(compiler: &Compiler, probe: &str, options: &[&str]) -> Result<Emitted> {
    let source = sh::root().join("xtask/probes").join(probe);
    let mut command =
        compiler.root.command(&compiler.program()).args(["-fopenmp", "-O0", "-S", "-o", "-"]).args(options);
    if compiler.kind() != "flang" {
        command = command.arg("-w");
    }
    if compiler.kind() == "clang" {
        command = command.arg("-emit-llvm");
    }
    let mut emitted = Emitted::default();
    emitted.read(&command.arg(source).read()?);
    Ok(emitted)
}

/// The runtimes of a root: libgomp, and each release's libomp and libomptarget, a file that several releases share
/// once.
fn runtimes(root: &Root) -> Result<Vec<Runtime>> {
    let lib = root.path.join("usr/lib");
    let mut found = vec![Runtime { name: "libgomp".into(), path: lib.join("x86_64-linux-gnu/libgomp.so.1") }];
    let entries = std::fs::read_dir(&lib).map_err(|e| format!("{}: {e}", lib.display()))?;
    let mut releases: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            Some((entry.file_name().to_str()?.strip_prefix("llvm-")?.parse().ok()?, entry.path().join("lib")))
        })
        .collect();
    // The newest first: what releases share is its.
    releases.sort_by(|one, other| other.cmp(one));
    for (release, folder) in releases {
        for stem in ["libomp.so.5", "libomptarget.so"] {
            let name = format!("{} {release}", stem.trim_end_matches(".5").trim_end_matches(".so"));
            found.push(Runtime { name, path: folder.join(stem) });
        }
    }
    let mut seen = BTreeSet::new();
    found.retain_mut(|runtime| match runtime.path.canonicalize() {
        Ok(path) => {
            runtime.path.clone_from(&path);
            seen.insert(path)
        }
        Err(_) => false,
    });
    Ok(found)
}

impl Library {
    fn read(path: &Path) -> Result<Library> {
        let (names, nodes) = exported(&cmd("nm").args(["-D", "--defined-only"]).arg(path).read()?);
        let dynamic = cmd("readelf").arg("-dW").arg(path).read()?;
        let soname = dynamic.lines().find_map(|line| line.split_once("Library soname: [")?.1.strip_suffix(']'));
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Library { names, nodes, soname: soname.unwrap_or(&file).to_owned() })
    }
}

/// Names and version nodes in what `nm -D` says: `0000 T name@@NODE`.
fn exported(listing: &str) -> (Names, BTreeSet<String>) {
    let (mut names, mut nodes) = (Names::new(), BTreeSet::new());
    for line in listing.lines() {
        let mut words = line.split_whitespace().rev();
        let (Some(symbol), Some(kind)) = (words.next(), words.next()) else { continue };
        let (name, node) = symbol.split_once('@').unwrap_or((symbol, ""));
        let node = node.trim_start_matches('@');
        if kind == "A" {
            nodes.insert(name.to_owned());
        } else if is_openmp(name) {
            names.entry(name.to_owned()).or_default().insert(node.to_owned());
        }
    }
    (names, nodes)
}

/// Whether a name is one of OpenMP's or OpenACC's runtimes: libraries export what they are made of as well.
fn is_openmp(name: &str) -> bool {
    const PREFIXES: [&str; 15] = [
        "omp_", "ompc_", "ompt_", "ompd_", "ompx_", "kmp_", "kmpc_", "__kmp", "___kmp", "GOMP_", "GOACC_", "acc_",
        "__tgt_", "llvm", "__llvm",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::exported;

    #[test]
    fn names_and_nodes_are_told_apart() {
        let (names, nodes) = exported(
            "0000000000000000 A GOMP_1.0@@GOMP_1.0\n0000000000001000 T GOMP_barrier@@GOMP_1.0\n0000000000001000 T omp_x@OMP_1.0\n\
             0000000000001000 T omp_x@@OMP_2.0\n0000000000001000 T __tgt_y\n0000000000001000 W _ZN4llvm1xE\n",
        );
        assert_eq!(nodes.into_iter().collect::<Vec<_>>(), ["GOMP_1.0"]);
        assert_eq!(names["omp_x"].len(), 2);
        assert!(names["__tgt_y"].contains("") && !names.contains_key("_ZN4llvm1xE"));
    }
}

//! Python: the extension modules of a package, or of all packages that an interpreter sees.
//! Wheels carry private runtimes such as `libgomp-<hash>.so.1.0.0`; the preload takes their place as well.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::closure::Missing;
use super::file;
use super::findings::{Findings, count, some_of};
use crate::elf::Elf;
use crate::failure::{Failure, reason};

/// How deep folders are followed.
const DEPTH: usize = 12;

/// What one package, a folder directly in `site-packages`, has to do with OpenMP.
#[derive(Default)]
struct Package {
    /// Modules that use OpenMP.
    users: Vec<Elf>,
    /// Runtimes that it carries.
    runtimes: Vec<Elf>,
}

/// True for the usual names of Python interpreters.
pub fn is_python(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// An interpreter: its own file, and the packages on the path that it reports.
pub fn examine_interpreter(python: &Path, ferromp: &Elf, findings: &mut Findings) -> Result<(), Failure> {
    let output =
        Command::new(python).args(["-c", "import sys; print(sys.executable); print(*sys.path, sep='\\n')"]).output();
    let output =
        output.map_err(|error| Failure::new(format!("cannot ask {}: {}", python.display(), reason(&error))))?;
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = answer.lines().filter(|line| !line.is_empty());
    let Some(executable) = lines.next().filter(|_| output.status.success()) else {
        return Err(Failure::new(format!("{} did not say where its packages are", python.display())));
    };
    file::examine(Path::new(executable), ferromp, findings)?;
    for folder in lines.map(Path::new).filter(|folder| holds_packages(folder)) {
        findings.gap();
        examine_folder(folder, ferromp, findings)?;
    }
    Ok(())
}

/// True for folders that hold packages side by side.
fn holds_packages(folder: &Path) -> bool {
    folder.ends_with("site-packages") || folder.ends_with("dist-packages")
}

/// A package's folder, or one with many packages.
pub fn examine_folder(folder: &Path, ferromp: &Elf, findings: &mut Findings) -> Result<(), Failure> {
    let mut files = Vec::new();
    collect(folder, &mut files, DEPTH);
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    let mut modules = 0;
    for elf in files.iter().filter_map(|path| Elf::read(path).ok()) {
        modules += 1;
        let name = package_of(&elf.path, folder);
        if elf.is_runtime() {
            packages.entry(name).or_default().runtimes.push(elf);
        } else if elf.uses_openmp() {
            packages.entry(name).or_default().users.push(elf);
        }
    }
    findings.line("folder", format_args!("{} ({})", folder.display(), count(modules, "binary module")));
    if packages.is_empty() {
        findings.line("OpenMP", "none in it");
        return Ok(());
    }
    let mut missing = Missing::default();
    let mut label = "OpenMP";
    for (name, package) in &packages {
        let lacking = Missing::of(package.users.iter(), ferromp);
        missing.functions.extend(lacking.functions);
        missing.nodes.extend(lacking.nodes);
        findings.line(label, format_args!("{name}: {}", described(package)));
        label = "";
    }
    findings.line("reached", "yes: ferromp is preloaded and takes the place of all of them");
    file::missing(&missing, findings);
    Ok(())
}

fn described(package: &Package) -> String {
    let named: BTreeSet<&str> = package
        .users
        .iter()
        .flat_map(|elf| &elf.needed)
        .map(String::as_str)
        .filter(|name| crate::elf::is_runtime_name(name))
        .collect();
    let mut parts = Vec::new();
    if !package.users.is_empty() {
        let by = if named.is_empty() { "no runtime named".to_owned() } else { format!("with {}", some_of(named, 3)) };
        parts.push(format!("{}, {by}", count(package.users.len(), "module")));
    }
    if !package.runtimes.is_empty() {
        let file = |elf: &Elf| elf.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        parts.push(format!("carries {}", some_of(package.runtimes.iter().map(file), 3)));
    }
    parts.join("; ")
}

/// The package that a file belongs to. If `folder` holds many packages, this is the first folder below it, with
/// `x.libs` counted as `x`. Otherwise it is `folder` itself.
fn package_of(path: &Path, folder: &Path) -> String {
    if !holds_packages(folder) {
        return folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    }
    let below = path.strip_prefix(folder).unwrap_or(path);
    let mut parts = below.components();
    let first = parts.next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    first.strip_suffix(".libs").unwrap_or(&first).to_owned()
}

/// Shared libraries below a folder. Links are not followed, because their targets are found under their own names.
fn collect(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if kind.is_dir() && depth > 0 {
            collect(&entry.path(), files, depth - 1);
        } else if kind.is_file() && (name.ends_with(".so") || name.contains(".so.")) {
            files.push(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_known_by_their_names() {
        for name in ["python", "python3", "/usr/bin/python3.11", "pypy3"] {
            assert!(is_python(Path::new(name)), "{name}");
        }
        for name in ["pythonista", "ipython", "python3-config"] {
            assert!(!is_python(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn private_libraries_belong_to_their_package() {
        let site = Path::new("/v/site-packages");
        assert_eq!(package_of(&site.join("sk.libs/libgomp-1.so"), site), "sk");
        assert_eq!(package_of(&site.join("sk/a/b.so"), site), "sk");
        assert_eq!(package_of(&site.join("sk/b.so"), &site.join("sk")), "sk");
    }
}

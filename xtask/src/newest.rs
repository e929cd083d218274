//! `cargo xtask setup --newest`: root folders with the compilers of Debian's suites, older and newer than the
//! machine's, made by debootstrap. The corpus runs in them (`cargo xtask compilers`). Existing roots are recognised,
//! and then nothing is downloaded.

use crate::setup;
use crate::sh::{self, Result, cmd};
use std::path::{Path, PathBuf};

/// A Debian suite, and which of its packages a root has.
struct Suite {
    name: &'static str,
    /// Installed as usual.
    packages: &'static [&'static str],
    /// Releases of LLVM whose runtimes conflict with the installed one: packages, and a file that shows their presence.
    /// Their files under `/usr/lib/llvm-N` are copied beside it.
    beside: &'static [(&'static str, &'static str)],
}

/// The one table of suites and packages. clang-tools-N has the packer for device code; since LLVM 22 llvm-N has it too.
const SUITES: [Suite; 4] = [
    Suite {
        name: "sid",
        packages: &[
            "binutils",
            "clang-19",
            "clang-21",
            "clang-22",
            "clang-23",
            "clang-tools-19",
            "clang-tools-21",
            "clang-tools-22",
            "clang-tools-23",
            "llvm-22",
            "llvm-23",
            "flang-19",
            "flang-21",
            "flang-22",
            "flang-23",
            "libomp-23-dev",
            "liboffload-23-dev",
            "g++-11",
            "g++-12",
            "g++-13",
            "g++-14",
            "g++-15",
            "g++-16",
            "gfortran-11",
            "gfortran-12",
            "gfortran-13",
            "gfortran-14",
            "gfortran-15",
            "gfortran-16",
        ],
        beside: &[
            ("libomp-19-dev", "/usr/lib/llvm-19/lib/clang/19/include/omp.h"),
            ("liboffload-19", "/usr/lib/llvm-19/lib/libomptarget.so.19.1"),
            ("liboffload-19-dev", "/usr/lib/llvm-19/lib/libomptarget.so"),
            ("libomp-21-dev", "/usr/lib/llvm-21/lib/clang/21/include/omp.h"),
            ("liboffload-21", "/usr/lib/llvm-21/lib/libomptarget.so.21.1"),
            ("liboffload-21-dev", "/usr/lib/llvm-21/lib/libomptarget.so"),
            ("libomp-22-dev", "/usr/lib/llvm-22/lib/clang/22/include/omp.h"),
            ("liboffload-22", "/usr/lib/llvm-22/lib/libomptarget.so.22.1"),
            ("liboffload-22-dev", "/usr/lib/llvm-22/lib/libomptarget.so"),
        ],
    },
    Suite {
        name: "trixie",
        packages: &[
            "binutils",
            "clang-17",
            "clang-18",
            "clang-19",
            "clang-tools-17",
            "clang-tools-18",
            "clang-tools-19",
            "flang-19",
            "libomp-19-dev",
            "g++",
            "gcc",
        ],
        beside: &[
            ("libomp-17-dev", "/usr/lib/llvm-17/lib/clang/17/include/omp.h"),
            ("libomp5-17t64", "/usr/lib/llvm-17/lib/libomptarget.so.17"),
            ("libomp-18-dev", "/usr/lib/llvm-18/lib/clang/18/include/omp.h"),
            ("libomp5-18", "/usr/lib/llvm-18/lib/libomptarget.so.18.1"),
        ],
    },
    Suite {
        name: "bookworm",
        packages: &[
            "binutils",
            "clang-14",
            "clang-16",
            "clang-tools-14",
            "clang-tools-16",
            "libomp-16-dev",
            "g++",
            "gfortran",
            "g++-11",
            "gfortran-11",
        ],
        beside: &[
            ("libomp-14-dev", "/usr/lib/llvm-14/lib/clang/14.0.6/include/omp.h"),
            ("libomp5-14", "/usr/lib/llvm-14/lib/libomptarget.so"),
        ],
    },
    Suite {
        name: "bullseye",
        packages: &[
            "binutils",
            "clang-13",
            "clang-16",
            "clang-tools-13",
            "clang-tools-16",
            "libomp-16-dev",
            "g++-9",
            "g++-10",
            "gfortran-9",
            "gfortran-10",
        ],
        beside: &[
            ("libomp-13-dev", "/usr/lib/llvm-13/lib/clang/13.0.1/include/omp.h"),
            ("libomp5-13", "/usr/lib/llvm-13/lib/libomptarget.so"),
        ],
    },
];

/// The packages that the machine needs to make a root, and to run programs in one.
const TOOLS: [setup::Package; 2] = [("debootstrap", "/usr/sbin/debootstrap"), ("bubblewrap", "bwrap")];

/// Where Debian's packages come from.
pub const MIRROR: &str = "http://deb.debian.org/debian";

/// apt's options in a root. A mirror may be older than the validity of its lists allows.
const APT: [&str; 4] = [
    "-q",
    "-oAcquire::Check-Valid-Until=false",
    "-oAPT::Install-Recommends=false",
    "-oDpkg::Options::=--force-unsafe-io",
];

/// Folder of the roots unless another is named.
pub fn folder() -> PathBuf {
    sh::target().join("roots")
}

/// Makes the roots, or those of the named suites: `[--roots FOLDER] [SUITE…]`.
pub fn setup(args: &[String]) -> Result {
    let mut roots = folder();
    let mut wanted = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--roots" => roots = sh::absolute(Path::new(words.next().ok_or("--roots needs a folder")?)),
            name => wanted.push(SUITES.iter().find(|suite| suite.name == name).ok_or_else(|| {
                let known: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
                format!("setup --newest: unknown suite {name}; there are {}", known.join(", "))
            })?),
        }
    }
    if wanted.is_empty() {
        wanted.extend(&SUITES);
    }
    for suite in wanted {
        complete(suite, &roots.join(suite.name))?;
    }
    Ok(())
}

/// Makes a root, or adds what it lacks.
fn complete(suite: &Suite, root: &Path) -> Result {
    let made = root.join("etc/debian_version").exists();
    let (packages, beside) = if made { lacks(suite, root) } else { (suite.packages.to_vec(), suite.beside.to_vec()) };
    if packages.is_empty() && beside.is_empty() {
        eprintln!("{}: has everything", root.display());
        return Ok(());
    }
    if cmd("id").arg("-u").read()?.trim() != "0" {
        return Err(format!("{}: only root can make it; type: sudo cargo xtask setup --newest", root.display()));
    }
    setup::system(&[&TOOLS])?;
    if !made {
        sh::step(&format!("{}: {}, by debootstrap", root.display(), suite.name));
        sh::make_dir(root.parent().unwrap_or(root))?;
        cmd("debootstrap").args(["--variant=minbase", suite.name]).arg(root).arg(MIRROR).check()?;
    }
    sh::step(&format!("{}: packages", root.display()));
    apt(root).arg("update").check()?;
    let packages = offered(suite, root, packages)?;
    if !packages.is_empty() {
        apt(root).args(["install", "-y"]).args(&packages).check()?;
    }
    let names = beside.iter().map(|(package, _)| *package).collect();
    for package in offered(suite, root, names)? {
        lay_beside(root, package)?;
    }
    let (packages, beside) = lacks(suite, root);
    let names: Vec<&str> = packages.into_iter().chain(beside.into_iter().map(|(package, _)| package)).collect();
    eprintln!(
        "{}: {}",
        root.display(),
        if names.is_empty() { "has everything".into() } else { format!("lacks {}", names.join(", ")) }
    );
    Ok(())
}

/// What a root lacks: packages to install, and packages whose files are copied beside.
fn lacks(suite: &Suite, root: &Path) -> (Vec<&'static str>, Vec<(&'static str, &'static str)>) {
    let list = std::fs::read_to_string(root.join("var/lib/dpkg/status")).unwrap_or_default();
    let installed = installed(&list);
    let packages = suite.packages.iter().copied().filter(|package| !installed.contains(package)).collect();
    let there = |file: &str| root.join(file.trim_start_matches('/')).exists();
    (packages, suite.beside.iter().copied().filter(|(_, file)| !there(file)).collect())
}

/// The packages that a package manager's list shows as installed.
fn installed(list: &str) -> Vec<&str> {
    let paragraphs = list.split("\n\n").filter(|text| text.lines().any(|line| line == "Status: install ok installed"));
    paragraphs.filter_map(|text| text.lines().find_map(|line| line.strip_prefix("Package: "))).collect()
}

/// The packages that the suite has. Prints a line about those that it lacks.
fn offered<'a>(suite: &Suite, root: &Path, packages: Vec<&'a str>) -> Result<Vec<&'a str>> {
    let mut there = Vec::new();
    for package in packages {
        let policy = cmd("chroot").arg(root).args(["apt-cache", "policy", package]).read()?;
        if policy
            .lines()
            .any(|line| line.trim().strip_prefix("Candidate:").is_some_and(|version| version.trim() != "(none)"))
        {
            there.push(package);
        } else {
            eprintln!("skipped: {package}: {} does not offer it", suite.name);
        }
    }
    Ok(there)
}

/// Copies a package's files under `/usr/lib/llvm-*` into the root; those that are there already stay.
fn lay_beside(root: &Path, package: &str) -> Result {
    const UNPACK: &str = "set -e; f=$(mktemp -d); chmod 755 $f; cd $f; apt-get -q download \"$0\"; dpkg -x ./*.deb u; \
                          for l in u/usr/lib/llvm-*; do cp -an $l /usr/lib/; done; cd /; rm -rf $f";
    cmd("chroot").arg(root).args(["sh", "-c", UNPACK, package]).check()
}

fn apt(root: &Path) -> sh::Cmd {
    cmd("chroot").arg(root).args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(APT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_packages_are_not_installed_ones() {
        let list = "Package: a\nStatus: install ok installed\nVersion: 1\n\nPackage: b\nStatus: deinstall ok config-files\n\n\
                    Package: c\nStatus: install ok installed\n";
        assert_eq!(installed(list), ["a", "c"]);
    }

    #[test]
    fn each_suite_stands_once() {
        for (index, suite) in SUITES.iter().enumerate() {
            assert!(SUITES[index + 1..].iter().all(|other| other.name != suite.name), "{}", suite.name);
        }
    }
}

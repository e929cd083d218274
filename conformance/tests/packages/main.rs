//! The packages that `cargo xtask package` makes, on a clean Debian system: each is installed, traces a program of gcc
//! and a program of clang, and is removed without leaving a file. The wheel traces scikit-learn in an environment of
//! its own.

mod paths;
mod program;
mod root;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use paths::{conformance, package, packages};
use program::{compile, traces};
use root::Root;

#[test]
fn debian_packages() {
    let Some(root) = Root::fresh("deb") else { return };
    compile(&root.temporary());
    let (before, gccs) = (root.files(), found_by_the_loader(&root));
    let packages = packages("ferromp", ".deb");
    assert_eq!(packages.len(), 3, "{packages:?}");
    for package in &packages {
        fs::copy(package, root.temporary().join(package.file_name().unwrap())).unwrap();
    }
    root.run("dpkg -i ./*.deb");
    traces(&root, "ferromp");
    for file in ["usr/share/man/man1/ferromp-trace.1.gz", "usr/share/man/man7/ferromp-runtime.7.gz"] {
        assert!(root.path(file).is_file(), "{file}");
    }
    assert!(root.run("ferromp doctor").contains("/usr/lib/ferromp"));
    a_tool_is_built(&root.path("usr/include/ferromp"));
    debug_information_belongs_to_the_files(&root);
    the_machines_runtime(&root);
    // The packages are removed while ferromp is the machine's runtime.
    root.run("ferromp system enable && dpkg --purge ferromp-dbg ferromp-dev ferromp");
    assert_eq!(found_by_the_loader(&root), gccs);
    assert_eq!(root.files_beside(&before), [""; 0]);
}

/// Compiles a tool's source against the header of the package.
fn a_tool_is_built(include: &Path) {
    let source = conformance().join("tools/journal.c");
    let done = Command::new("gcc")
        .args(["-fsyntax-only", "-Werror", "-I"])
        .arg(include)
        .arg("-I")
        .arg(conformance().join("tools"))
        .arg(&source)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Debuggers find debug information by the build id of the stripped file.
fn debug_information_belongs_to_the_files(root: &Root) {
    let libraries = ["libferromp.so", "libferromp-trace.so", "libferromp-mpi.so", "libferromp-check.so"];
    for file in libraries.map(|name| format!("lib/{name}")).into_iter().chain(["bin/ferromp".into()]) {
        let file = root.path("usr/lib/ferromp").join(file);
        let notes = Command::new("readelf").arg("-n").arg(&file).output().unwrap().stdout;
        let notes = String::from_utf8_lossy(&notes).into_owned();
        let id = notes.split_once("Build ID: ").and_then(|(_, rest)| rest.lines().next()).unwrap().trim();
        let (first, rest) = id.split_at(2);
        let debug = root.path("usr/lib/debug/.build-id").join(first).join(format!("{rest}.debug"));
        let sections = Command::new("readelf").arg("-SW").arg(&debug).output().unwrap().stdout;
        assert!(String::from_utf8_lossy(&sections).contains(".debug_line"), "{}", debug.display());
        let sections = Command::new("readelf").arg("-SW").arg(&file).output().unwrap().stdout;
        assert!(!String::from_utf8_lossy(&sections).contains(".debug_line"), "{}: not stripped", file.display());
    }
}

/// The file that the loader has for the runtime of gcc's program.
fn found_by_the_loader(root: &Root) -> String {
    let said = root.run("LD_TRACE_LOADED_OBJECTS=1 ./gcc-app");
    let line = said.lines().find(|line| line.contains("libgomp.so.1 =>")).unwrap_or_else(|| panic!("{said}"));
    line.split_whitespace().nth(2).unwrap().to_owned()
}

/// `ferromp system`: what it changes, what it refuses, and that all is as before.
fn the_machines_runtime(root: &Root) {
    let ours = "/usr/lib/ferromp/lib/system/libgomp.so.1";
    let before = found_by_the_loader(root);
    assert!(root.run("ferromp system status").contains("not enabled"));
    let said = root.run("ferromp system enable");
    assert!(said.contains(&format!("libgomp.so.1  {ours} (ferromp)\n")) && said.contains("\nenabled: "), "{said}");
    assert_eq!(found_by_the_loader(root), ours);
    // clang's program runs without any libomp on the system.
    assert!(root.run("OMP_NUM_THREADS=2 ./clang-19-app").contains("sum 499999500000"));
    // The loader ignores the paths in libraries of setuid programs, but not its list.
    let setuid = "/usr/bin/setuid-app";
    let run = format!("install -m 4755 gcc-app {setuid}; setpriv --reuid=65534 --clear-groups {setuid}; rm {setuid}");
    assert!(root.run(&run).contains("sum 499999500000"));
    assert_eq!(root.run("ferromp system enable"), said, "it is enabled again");
    assert!(root.run("ferromp system disable").contains("not enabled"));
    assert_eq!(found_by_the_loader(root), before);

    let refused = |script: &str, why: &str| {
        let (status, said) = root.try_run(script);
        assert!(status == 125 && said.contains(why) && said.trim().lines().count() == 1, "{script}: {status}: {said}");
        assert_eq!(found_by_the_loader(root), before);
    };
    let nobody = "setpriv --reuid=65534 --clear-groups";
    refused(&format!("{nobody} ferromp system enable"), "only root may");
    refused(&format!("{nobody} ferromp system disable"), "only root may");
    for (make, undo, why) in [
        ("chmod g+w", "chmod g-w", "is writable for others than root"),
        ("chown nobody", "chown root", "belongs to user 65534"),
    ] {
        for file in ["/usr/lib/ferromp/lib/libferromp.so", "/usr/lib/ferromp/lib", "/usr/lib"] {
            refused(
                &format!("{make} {file}; status=0; ferromp system enable || status=$?; {undo} {file}; exit $status"),
                &format!("{file} {why}"),
            );
        }
    }
}

#[test]
fn tarball_and_module() {
    let Some(root) = Root::fresh("tarball") else { return };
    compile(&root.temporary());
    let before = root.files();
    let tarball = package("ferromp-", ".tar.xz");
    let done = Command::new("tar").arg("-xf").arg(&tarball).arg("-C").arg(root.path("opt")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let name = tarball.file_name().unwrap().to_string_lossy().replace(".tar.xz", "");
    // Older files of modules do not work while a failure ends the shell.
    let init = "set +e; . /usr/share/modules/init/sh; set -e";
    let module = format!("{init}; module use /opt/{name}/share/modulefiles; module load ferromp; ferromp");
    traces(&root, &module);
    // The folder may lie anywhere.
    fs::rename(root.path("opt").join(&name), root.path("srv/moved")).unwrap();
    traces(&root, "/srv/moved/bin/ferromp");
    fs::remove_dir_all(root.path("srv/moved")).unwrap();
    assert_eq!(root.files_beside(&before), [""; 0]);
}

#[test]
fn rpm_packages() {
    let Some(root) = Root::fresh("rpm") else { return };
    let packages = packages("ferromp", ".rpm");
    if packages.is_empty() {
        return eprintln!("skipped: there was no rpmbuild to make RPMs with");
    }
    compile(&root.temporary());
    let (before, gccs) = (root.files(), found_by_the_loader(&root));
    let rpm = |options: &[&str], what: &[&Path]| {
        // The root is Debian's, whose packages the RPM's database does not know.
        let mut command = Command::new("rpm");
        command.arg("--root").arg(root.path("")).arg("--nodeps").args(options).args(what);
        let done = command.output().unwrap();
        assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    rpm(&["--install"], &packages.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    traces(&root, "ferromp");
    a_tool_is_built(&root.path("usr/include/ferromp"));
    root.run("ferromp system enable");
    rpm(&["--erase"], &["ferromp-devel", "ferromp"].map(Path::new));
    assert_eq!(found_by_the_loader(&root), gccs);
    // The database of packages stays, as on any system.
    let left = root.files_beside(&before);
    let left: Vec<&String> =
        left.iter().filter(|file| !file.contains("var/lib/rpm") && !file.contains(".rpmdb")).collect();
    assert_eq!(left, [""; 0]);
}

//! The Python wheel, in an environment of its own that sees the packages of the project's environment.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths::{conformance, package, target};
use crate::program::{PROGRAMS, compile};

#[test]
fn wheel_and_scikit_learn() {
    let base = std::env::var_os("FERROMP_TEST_PYTHON").map_or(target().join("python/bin/python"), PathBuf::from);
    assert!(base.exists(), "{} is missing: run `cargo xtask setup` first", base.display());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages/wheel");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let python = folder.join("venv/bin/python");
    run(Command::new("/usr/bin/python3").args(["-m", "venv"]).arg(folder.join("venv")));
    let site = |python: &Path| {
        let words = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
        PathBuf::from(run(Command::new(python).args(words)).trim())
    };
    fs::write(site(&python).join("project.pth"), site(&base).to_str().unwrap()).unwrap();
    let pip = |words: &[&str]| {
        run(Command::new(&python).args(["-m", "pip", "--disable-pip-version-check", "--quiet"]).args(words))
    };

    compile(&folder);
    let before = files(&folder);
    let wheel = package("ferromp-", ".whl");
    assert!(wheel.to_string_lossy().contains("-py3-none-manylinux_2_17_x86_64"), "{}", wheel.display());
    pip(&["install", "--no-index", "--no-deps", wheel.to_str().unwrap()]);
    // Nothing is loaded until it is asked for.
    let maps = "import ferromp; print(open('/proc/self/maps').read())";
    assert!(!run(Command::new(&python).args(["-c", maps])).contains("libferromp"));
    let learn = conformance().join("clients/learn.py");
    let trace = folder.join("trace");
    let words = [Path::new("trace"), "--quiet".as_ref(), "-o".as_ref(), &trace, "--".as_ref(), &python, &learn];
    let said = run(Command::new(folder.join("venv/bin/ferromp")).args(words));
    assert!(said.contains("KMeans"), "{said}");
    let report = run(Command::new(&python).args(["-m", "ferromp", "report", "--regions"]).arg(&trace));
    assert!(report.contains("Parallel regions") && report.contains("sklearn"), "{report}");
    fs::remove_dir_all(&trace).unwrap();
    // The names of the runtime are libraries of their own here, since wheels have no links.
    let doctor = run(Command::new(&python).args(["-m", "ferromp", "doctor"]));
    assert!(doctor.contains("libgomp.so.1") && !doctor.contains("missing"), "{doctor}");
    // Programs find them as well.
    for (_, name) in PROGRAMS {
        let said = run(Command::new(folder.join("venv/bin/ferromp")).arg("run").arg(folder.join(name)));
        assert!(said.contains("sum 499999500000"), "{name}: {said}");
    }
    pip(&["uninstall", "--yes", "ferromp"]);
    let after = files(&folder);
    assert_eq!(after.symmetric_difference(&before).collect::<Vec<_>>(), [""; 0]);
}

/// Runs a command to its end, on two threads, and returns what it printed. A failure fails the test.
fn run(command: &mut Command) -> String {
    for (name, _) in std::env::vars_os() {
        if ["OMP_", "KMP_", "GOMP_", "LD_", "FERROMP_", "PYTHON"]
            .iter()
            .any(|start| name.to_string_lossy().starts_with(start))
        {
            command.env_remove(name);
        }
    }
    let done = command.env("OMP_NUM_THREADS", "2").output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

/// The files of a folder; Python's own cache of compiled modules of pip may grow.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                if path.ends_with("pip") || path.ends_with("setuptools") {
                    continue;
                }
                folders.push(path.clone());
            }
            files.insert(path.to_string_lossy().into_owned());
        }
    }
    files
}

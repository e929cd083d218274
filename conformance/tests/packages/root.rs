//! A clean Debian system in a folder, copied from the one that `cargo xtask test` has made, and commands inside of it.
//! Nothing outside of the copy changes. `FERROMP_TEST_SUITE` names another suite of Debian.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths::target;

/// A copy of the clean system; removed at the end.
pub struct Root(PathBuf);

/// The folder for temporary files, from the root on.
const TEMPORARY: &str = "tmp/";

/// What package managers and the loader keep for themselves: logs, caches, and their lists' earlier states.
const KEPT: [&str; 5] = ["proc/", TEMPORARY, "var/cache/ldconfig/", "var/lib/dpkg/", "var/log/"];

impl Root {
    /// A copy for one test. `None` if there can be none; then a line says why.
    pub fn fresh(name: &str) -> Option<Root> {
        let suite = std::env::var("FERROMP_TEST_SUITE").unwrap_or_else(|_| "bookworm".to_owned());
        let clean = target().join("clean-root").join(suite);
        if !clean.join("etc/debian_version").exists() {
            eprintln!("skipped: there is no clean system ({}); cargo xtask test makes it, for root", clean.display());
            return None;
        }
        if !Command::new("unshare").args(["--mount", "--pid", "--fork", "true"]).status().is_ok_and(|end| end.success())
        {
            eprintln!("skipped: only root can enter another system");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.parent().unwrap()).unwrap();
        let copy = Command::new("cp").args(["-a", "--reflink=auto"]).arg(&clean).arg(&folder).status().unwrap();
        assert!(copy.success());
        Some(Root(folder))
    }

    /// A file or folder of the root, by its path without the slash.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// The root's own folder for temporary files, where scripts start.
    pub fn temporary(&self) -> PathBuf {
        self.path(TEMPORARY)
    }

    /// Runs a script of the shell inside the root, and returns what it prints. A failure fails the test.
    pub fn run(&self, script: &str) -> String {
        let (status, said) = self.try_run(script);
        assert_eq!(status, 0, "{script}: {said}");
        said
    }

    /// As [`run`](Self::run), with the exit status.
    pub fn try_run(&self, script: &str) -> (i32, String) {
        let done = Command::new("unshare")
            .args(["--mount", "--pid", "--fork", "--kill-child"])
            .arg(format!("--mount-proc={}", self.path("proc").display()))
            .arg("chroot")
            .arg(&self.0)
            .args(["sh", "-c", &format!("set -e; cd {TEMPORARY}; {script}")])
            .env_clear()
            .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", "/root")
            .output()
            .unwrap();
        let said = [done.stdout, done.stderr].concat();
        (done.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
    }

    /// The paths of all files and folders.
    pub fn files(&self) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&self.0).unwrap().to_string_lossy().into_owned();
                if KEPT.iter().any(|kept| name.starts_with(kept)) {
                    continue;
                }
                if path.symlink_metadata().unwrap().is_dir() {
                    folders.push(path);
                }
                files.insert(name);
            }
        }
        files
    }

    /// Paths that there are now and were not before, or the other way round.
    pub fn files_beside(&self, before: &BTreeSet<String>) -> Vec<String> {
        self.files().symmetric_difference(before).cloned().collect()
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! Where the dynamic loader looks for a library, in its order (ld.so(8)).

use std::path::{Path, PathBuf};

use crate::elf::Elf;

/// The folders that every program's libraries are looked for in.
pub struct Search {
    /// `LD_LIBRARY_PATH`.
    named: Vec<PathBuf>,
    /// `/etc/ld.so.conf` and what it includes, then the loader's own.
    system: Vec<PathBuf>,
}

impl Search {
    /// Reads this machine's configuration. Missing files mean no folders.
    pub fn of_this_machine() -> Self {
        let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let named = std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect();
        let mut system = Vec::new();
        read_configuration(Path::new("/etc/ld.so.conf"), &mut system, 0);
        let own = [of_architecture(), String::from("lib64"), String::from("lib")];
        system
            .extend(own.iter().flat_map(|folder| ["/", "/usr/"].map(|above| PathBuf::from(above.to_owned() + folder))));
        Self { named, system }
    }

    /// The file that a `DT_NEEDED` of `user` names. `program` is the program that was started; its `DT_RPATH` counts
    /// too.
    pub fn find(&self, name: &str, user: &Elf, program: &Elf) -> Option<PathBuf> {
        if name.contains('/') {
            let path = PathBuf::from(expand(name, user));
            return path.is_file().then_some(path);
        }
        let mut folders = Vec::new();
        if user.runpath.is_empty() {
            folders.extend(user.rpath.iter().map(|path| expand(path, user).into()));
            folders.extend(
                program.rpath.iter().filter(|_| program.runpath.is_empty()).map(|path| expand(path, program).into()),
            );
        }
        folders.extend(self.named.iter().cloned());
        folders.extend(user.runpath.iter().map(|path| expand(path, user).into()));
        folders.extend(self.system.iter().cloned());
        // A library for another machine is passed over, as the loader does.
        folders
            .into_iter()
            .map(|folder: PathBuf| folder.join(name))
            .find(|path| path.is_file() && Elf::links(path).is_ok())
    }
}

/// The folder with libraries of the processor's architecture, on Debian and its kin.
fn of_architecture() -> String {
    format!("lib/{}-linux-gnu", std::env::consts::ARCH)
}

/// Replaces `$ORIGIN` and `$LIB`.
pub(super) fn expand(path: &str, user: &Elf) -> String {
    let file = user.path.canonicalize().unwrap_or_else(|_| user.path.clone());
    let origin = file.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let mut path = path.to_owned();
    for (name, value) in [("ORIGIN", origin.as_str()), ("LIB", of_architecture().as_str())] {
        path = path.replace(&format!("${{{name}}}"), value).replace(&format!("${name}"), value);
    }
    path
}

/// Collects the folders that a configuration file names. Includes are followed; the last part of their path may be a
/// pattern.
fn read_configuration(file: &Path, folders: &mut Vec<PathBuf>, depth: usize) {
    let Ok(text) = std::fs::read_to_string(file) else { return };
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(pattern) = line.strip_prefix("include ") {
            if depth < 4 {
                let pattern = file.parent().unwrap_or(Path::new("/")).join(pattern.trim());
                for included in matching(&pattern) {
                    read_configuration(&included, folders, depth + 1);
                }
            }
        } else if line.starts_with('/') {
            folders.push(PathBuf::from(line));
        }
    }
}

/// The files that a path names, sorted. The last part of the path may hold one `*`.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let name = pattern.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some((before, after)) = name.split_once('*') else { return vec![pattern.to_path_buf()] };
    let Some(entries) = pattern.parent().and_then(|folder| std::fs::read_dir(folder).ok()) else { return Vec::new() };
    let fits = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(fits).collect();
    files.sort();
    files
}

//! The program to run. It is found as the shell would find it, and followed through scripts to the ELF file that the
//! system will load. That file is checked for what keeps a preloaded runtime out.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::elf::{Elf, Unreadable};
use crate::failure::{Failure, NOT_EXECUTABLE, NOT_FOUND, reason};

/// How deep scripts may name scripts as their interpreters; the kernel's limit is 5.
const INTERPRETER_DEPTH: usize = 5;

/// A program that was found and may be executed.
pub struct Program {
    /// The program's file; for a script, the script.
    pub path: PathBuf,
    /// The files that run in its place, from the script to the last interpreter; the path alone if it is no script.
    pub chain: Vec<PathBuf>,
}

impl Program {
    /// Finds a program as `execvp` does: with a slash a path, without one a name for `PATH`.
    pub fn find(name: &OsStr) -> Result<Self, Failure> {
        let path = if name.as_bytes().contains(&b'/') { check(Path::new(name))? } else { search(name)? };
        let chain = follow(&path)?;
        Ok(Self { path, chain })
    }

    /// The file that the system finally loads.
    pub fn loaded(&self) -> &Path {
        self.chain.last().unwrap_or(&self.path)
    }
}

/// Makes sure that a path may be executed.
fn check(path: &Path) -> Result<PathBuf, Failure> {
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::with_status(NOT_FOUND, format!("{shown}: no such file")),
        std::io::ErrorKind::NotADirectory => Failure::with_status(NOT_FOUND, format!("{shown}: {}", reason(&error))),
        _ => Failure::with_status(NOT_EXECUTABLE, format!("{shown}: {}", reason(&error))),
    })?;
    if metadata.is_dir() {
        return Err(Failure::with_status(NOT_EXECUTABLE, format!("{shown}: is a folder, not a program")));
    }
    if !executable(path) {
        let line = format!("{shown}: not executable (chmod +x makes it so)");
        return Err(Failure::with_status(NOT_EXECUTABLE, line));
    }
    Ok(path.to_path_buf())
}

/// Looks a name up in `PATH`.
fn search(name: &OsStr) -> Result<PathBuf, Failure> {
    let shown = Path::new(name).display();
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let mut refused = None;
    for folder in std::env::split_paths(&path) {
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let candidate = folder.join(name);
        if !candidate.is_file() {
            continue;
        }
        if executable(&candidate) {
            return Ok(candidate);
        }
        refused.get_or_insert(candidate);
    }
    if let Some(refused) = refused {
        return Err(Failure::with_status(NOT_EXECUTABLE, format!("{}: not executable", refused.display())));
    }
    let hint = if Path::new(name).is_file() { format!("; did you mean ./{shown}?") } else { String::new() };
    Err(Failure::with_status(NOT_FOUND, format!("{shown}: no such program in PATH{hint}")))
}

/// Whether this process may execute a file.
fn executable(path: &Path) -> bool {
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: the string is terminated and lives through the call.
    unsafe { libc::access(path.as_ptr(), libc::X_OK) == 0 }
}

/// Follows `#!` lines, through `env` too, to the last interpreter.
fn follow(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut chain = vec![path.to_path_buf()];
    for _ in 0..INTERPRETER_DEPTH {
        let script = chain[chain.len() - 1].clone();
        let Some(words) = shebang(&script) else { break };
        let Some((interpreter, arguments)) = words.split_first() else { break };
        let missing = |what: &OsStr| {
            let line = format!("{}: its interpreter {} was not found", script.display(), Path::new(what).display());
            Failure::with_status(NOT_EXECUTABLE, line)
        };
        if !Path::new(interpreter).exists() {
            return Err(missing(interpreter));
        }
        let by_env = Path::new(interpreter).file_name() == Some(OsStr::new("env"));
        let named =
            arguments.iter().find(|word| !word.as_bytes().starts_with(b"-") && !word.as_bytes().contains(&b'='));
        match named {
            Some(name) if by_env => chain.push(search(name).map_err(|_| missing(name))?),
            _ => chain.push(PathBuf::from(interpreter)),
        }
    }
    Ok(chain)
}

/// The words of a script's first line; none if the file is no script or cannot be read.
fn shebang(path: &Path) -> Option<Vec<OsString>> {
    let mut start = [0; 256];
    let mut length = 0;
    let mut file = std::fs::File::open(path).ok()?;
    while length < start.len() {
        match file.read(&mut start[length..]).ok()? {
            0 => break,
            more => length += more,
        }
    }
    let line = start[..length].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let words = line.split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).filter(|word| !word.is_empty());
    Some(words.map(|word| OsString::from_vec(word.to_vec())).collect())
}

/// Why a preloaded runtime cannot take the place of a program's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Set-user-id, set-group-id or file capabilities: the loader ignores `LD_PRELOAD`.
    Privileged(&'static str),
    /// The program contains an OpenMP runtime.
    ContainsRuntime,
    /// The program has no dynamic loader.
    Static,
    /// The loader is musl's.
    Musl,
    /// The program is for another machine; the text names it.
    OtherMachine(String),
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Privileged(how) => write!(f, "it is {how}: the loader ignores LD_PRELOAD for it"),
            Self::ContainsRuntime => {
                write!(
                    f,
                    "it contains a statically linked OpenMP runtime, which cannot be replaced; link it with the shared one"
                )
            }
            Self::Static => write!(f, "it is statically linked: nothing can be preloaded into it"),
            Self::Musl => write!(f, "it is linked with musl, and ferromp's libraries need glibc"),
            Self::OtherMachine(machine) => write!(f, "it is a program for {machine}; ferromp runs on x86-64"),
        }
    }
}

/// The reason that keeps a preloaded runtime out of the file that the system loads, if there is one.
pub fn obstacle(loaded: &Path) -> Option<Obstacle> {
    if let Some(how) = privileged(loaded) {
        return Some(Obstacle::Privileged(how));
    }
    match Elf::read(loaded) {
        Ok(elf) => obstacle_in(&elf),
        Err(Unreadable::OtherMachine(machine)) => Some(Obstacle::OtherMachine(machine)),
        // A file that cannot be read is left to the system, which knows more kinds of programs than this command.
        Err(_) => None,
    }
}

/// The reason in a file's contents that keeps a preloaded runtime out.
pub fn obstacle_in(elf: &Elf) -> Option<Obstacle> {
    if elf.program && elf.is_runtime() {
        Some(Obstacle::ContainsRuntime)
    } else if elf.is_static() {
        Some(Obstacle::Static)
    } else if elf.is_musl() {
        Some(Obstacle::Musl)
    } else {
        None
    }
}

/// True for a program that runs with its owner's rights.
pub fn is_set_user_id(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.mode() & libc::S_ISUID != 0)
}

/// Whether the program gets rights that its user does not have, and how.
fn privileged(path: &Path) -> Option<&'static str> {
    let metadata = std::fs::metadata(path).ok()?;
    // SAFETY: both calls take no pointers and always succeed.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    if metadata.mode() & libc::S_ISUID != 0 && metadata.uid() != user {
        return Some("set-user-id");
    }
    // Without the group's execute bit, set-group-id means mandatory locking.
    let set_group = libc::S_ISGID | libc::S_IXGRP;
    if metadata.mode() & set_group == set_group && metadata.gid() != group {
        return Some("set-group-id");
    }
    if user != 0 && has_capabilities(path) {
        return Some("given file capabilities (setcap)");
    }
    None
}

/// Whether the file carries the attribute that `setcap` writes.
fn has_capabilities(path: &Path) -> bool {
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: both strings are terminated; with size 0 the call only answers the attribute's length.
    unsafe { libc::getxattr(path.as_ptr(), c"security.capability".as_ptr(), std::ptr::null_mut(), 0) > 0 }
}

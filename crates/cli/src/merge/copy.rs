//! Copies of trace folders: links where that is possible.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use ferromp_trace::store::{files, folder, lock, trimmed};

use crate::failure::Failure;

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;
/// What was copied.
#[derive(Debug, Default)]
pub struct Copied {
    /// Files that are links to their sources.
    pub linked: u64,
    /// Files that are copies.
    pub copied: u64,
    /// Bytes of the copies.
    pub bytes: u64,
}

/// What went wrong.
#[derive(Debug)]
pub enum Trouble {
    /// A file cannot be read. The other sources can still be merged.
    Source(Failure),
    /// A file cannot be written.
    Target(Failure),
}

/// Makes `target` a copy of a trace's folder, with the folders in it down to `deepest` folders. Other things than
/// regular files and folders are left out: a trace has none, and a link might lead to anything.
///
/// # Errors
/// If a file cannot be read or written.
pub fn folder(source: &Path, deepest: usize, target: &Path, copied: &mut Copied) -> Result<(), Trouble> {
    std::fs::create_dir(target).map_err(|error| Trouble::Target(Failure::file("make", target, &error)))?;
    for path in files_of(source, deepest).map_err(Trouble::Source)? {
        let Ok(inside) = path.strip_prefix(source) else { continue };
        let to = target.join(inside);
        if let Some(parent) = inside.parent() {
            make_inside(target, parent).map_err(Trouble::Target)?;
        }
        // Another file system, no permission, or a file system without links: a copy does as well.
        if std::fs::hard_link(&path, &to).is_ok() {
            copied.linked += 1;
        } else {
            copied.bytes += copy(&path, &to)?;
            copied.copied += 1;
        }
    }
    Ok(())
}

/// Makes the folder `inside` of `target`, where it may exist. `target` itself exists.
fn make_inside(target: &Path, inside: &Path) -> Result<(), Failure> {
    let mut folder = target.to_path_buf();
    for name in inside {
        folder.push(name);
        files::make_folder(&folder).map_err(|error| Failure::file("make", &folder, &error))?;
    }
    Ok(())
}

/// Whether two folders hold the same trace, down to `deepest` folders. What reports keep, and locks, do not count.
///
/// # Errors
/// If a file cannot be read.
pub fn are_equal(one: &Path, other: &Path, deepest: usize) -> Result<bool, Failure> {
    let inside = |root: &Path| -> Result<Vec<PathBuf>, Failure> {
        let kept = [folder::SUMMARY, lock::FILE, lock::FOLLOWER, trimmed::SUMMARY];
        let counts = |path: &PathBuf| !kept.iter().any(|name| path.ends_with(name));
        let all = files_of(root, deepest)?.into_iter().filter(counts);
        Ok(all.filter_map(|path| path.strip_prefix(root).ok().map(Path::to_path_buf)).collect())
    };
    let names = inside(one)?;
    if names != inside(other)? {
        return Ok(false);
    }
    for name in names {
        if !same_bytes(&one.join(&name), &other.join(&name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The regular files in a folder and in the folders in it, down to `deepest` folders, sorted by name.
fn files_of(root: &Path, deepest: usize) -> Result<Vec<PathBuf>, Failure> {
    let refused = |error: std::io::Error| Failure::file("read", root, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        let kind = entry.file_type().map_err(refused)?;
        if kind.is_file() {
            found.push(entry.path());
        } else if kind.is_dir() && deepest > 1 {
            found.extend(files_of(&entry.path(), deepest - 1)?);
        }
    }
    found.sort();
    Ok(found)
}

/// Copies a file with the time of its last change, by which a kept summary knows it. Returns its bytes.
fn copy(from: &Path, to: &Path) -> Result<u64, Trouble> {
    let unread = |error: std::io::Error| Trouble::Source(Failure::file("read", from, &error));
    let unwritten = |error: std::io::Error| Trouble::Target(Failure::file("write", to, &error));
    let mut source = files::open(from).map_err(unread)?;
    let modified = source.metadata().and_then(|data| data.modified()).map_err(unread)?;
    let mut target = File::create_new(to).map_err(unwritten)?;
    let (mut block, mut bytes) = (vec![0; BLOCK], 0);
    loop {
        let count = read(&mut source, &mut block).map_err(unread)?;
        if count == 0 {
            break;
        }
        target.write_all(&block[..count]).map_err(unwritten)?;
        bytes += count as u64;
    }
    target.set_modified(modified).map_err(unwritten)?;
    Ok(bytes)
}

fn same_bytes(one: &Path, other: &Path) -> Result<bool, Failure> {
    let opened = |path: &Path| {
        let file = files::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        file.map_err(|error| Failure::file("read", path, &error))
    };
    let ((length, mut first), (other_length, mut second)) = (opened(one)?, opened(other)?);
    if length != other_length {
        return Ok(false);
    }
    let (mut here, mut there) = (vec![0; BLOCK], vec![0; BLOCK]);
    loop {
        let count = read(&mut first, &mut here).map_err(|error| Failure::file("read", one, &error))?;
        let others = read(&mut second, &mut there).map_err(|error| Failure::file("read", other, &error))?;
        if here[..count] != there[..others] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(true);
        }
    }
}

/// Reads a whole block, unless the file ends before.
fn read(file: &mut File, block: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match file.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

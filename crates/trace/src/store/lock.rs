//! Whether the process that a trace is of still runs, and may have its files mapped: to shorten these would end it with
//! SIGBUS. A process id cannot tell: it may be of another pid namespace, of another user, of another machine, or have
//! been given away.
//!
//! The recorder holds a lock (`flock`) on a file of the trace. A lock of this kind belongs to the open file, not to a
//! process or a descriptor; the kernel releases it when nothing refers to the open file any more. What refers to it
//! here is a mapping and nothing else, so the lock is there exactly as long as the memory in which the threads' files
//! are mapped as well:
//!
//! - A program that closes all its descriptors does not release it.
//! - Whatever ends the process releases it, and so does `exec`, which gives the process other memory.
//! - A forked child inherits the mapping. The recorder's handler takes it away there, since the child never touches the
//!   parent's files. A child that is made past all handlers (`_Fork`, a bare `clone`) keeps it until it ends or
//!   executes another program: it could touch them.
//!
//! A lock that is free says nothing where locks of one machine are not seen on the other, as on some network file
//! systems. So the file also says under which start of which kernel it was locked, and what comes from another one is
//! not judged.

use super::files::{self, Folder};
use std::fs::File;
use std::io::{Error, Result, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::Path;

/// Name of the file in the trace folder.
pub const FILE: &str = "lock";
/// The file's length is bounded by this.
const LONGEST: u64 = 4096;
/// Length of the mapping, one page or less; nothing in it is ever touched.
const LENGTH: usize = 4096;

/// The lock of a process that records. Held until dropped, or until the process has ended.
#[derive(Debug)]
pub struct Lock {
    /// A mapping without access rights.
    base: *mut libc::c_void,
}

// SAFETY: the address is only ever unmapped, which any thread may do.
unsafe impl Send for Lock {}
// SAFETY: as above; a shared reference can do nothing but `give_up_in_child`, on a process's only thread.
unsafe impl Sync for Lock {}

impl Lock {
    /// Makes the file of a trace that has none, and locks it. It is seen under its name only when it is locked.
    ///
    /// # Errors
    /// If the folder takes no file, or its file system has no locks.
    pub fn take(folder: &Folder) -> Result<Lock> {
        let new = format!("{FILE}.new");
        folder.remove(&new)?;
        let taken = folder.create(&new).and_then(|file| {
            flock(&file, libc::LOCK_EX)?;
            let boot = boot_id().unwrap_or_default();
            files::fits_limit(boot.len() as u64)?;
            (&file).write_all(boot.as_bytes())?;
            let (length, none) = (LENGTH, libc::PROT_NONE);
            // SAFETY: maps a new range at an address of the kernel's choice.
            let base = unsafe { libc::mmap(std::ptr::null_mut(), length, none, libc::MAP_SHARED, file.as_raw_fd(), 0) };
            if base == libc::MAP_FAILED {
                return Err(Error::last_os_error());
            }
            let lock = Lock { base };
            folder.rename(&new, FILE).map(|()| lock)
        });
        taken.inspect_err(|_| {
            // A file without a lock would say that the process has ended.
            let _ = folder.remove(&new);
        })
    }

    /// In a forked child: the lock is the parent's, and is released when the parent ends, not when the child does.
    pub fn give_up_in_child(&self) {
        // SAFETY: the mapping of this process, which is a copy of the parent's and which nobody touches.
        unsafe { libc::munmap(self.base, LENGTH) };
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // SAFETY: the range is ours, and nobody touches it.
        unsafe { libc::munmap(self.base, LENGTH) };
    }
}

/// What is known about the process of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It runs, and may have files of the trace mapped.
    Runs,
    /// It has ended, or its memory is gone.
    Ended,
    /// Nothing: the trace has no lock, as those of older versions, or comes from another machine or from before a
    /// restart.
    Unknown,
}

/// What is known about the process of the trace in `dir`.
pub fn state(dir: &Path) -> State {
    let path = dir.join(FILE);
    // A link in the trace's place of the lock would have another trace judged.
    let is_link = std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink());
    let Some(file) = files::open(&path).ok().filter(|_| !is_link) else { return State::Unknown };
    // Recorders take the lock before the file has this name, and each once: this shared one is in nobody's way.
    match flock(&file, libc::LOCK_SH) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => State::Runs,
        Err(_) => State::Unknown,
        Ok(()) => {
            let here = boot_id();
            let there = files::read_open(&file, LONGEST).unwrap_or_default();
            if here.is_some_and(|here| here.as_bytes() == there) { State::Ended } else { State::Unknown }
        }
    }
}

fn flock(file: &File, kind: i32) -> Result<()> {
    // SAFETY: plain system call on an open file.
    match unsafe { libc::flock(file.as_raw_fd(), kind | libc::LOCK_NB) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Tells this start of this machine's kernel from all others; the same in all of its containers.
fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_judged_by_its_lock_alone() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        assert_eq!(state(dir.path()), State::Unknown);
        let lock = Lock::take(&folder).unwrap();
        assert_eq!(state(dir.path()), State::Runs);
        drop(lock);
        assert_eq!(state(dir.path()), State::Ended);
        std::fs::write(dir.path().join(FILE), "another start of the machine").unwrap();
        assert_eq!(state(dir.path()), State::Unknown);
        std::fs::write(dir.path().join(FILE), "").unwrap();
        assert_eq!(state(dir.path()), State::Unknown);
    }

    #[test]
    fn closing_every_descriptor_releases_no_lock() {
        let dir = tempfile::tempdir().unwrap();
        let _lock = Lock::take(&Folder::open(dir.path()).unwrap()).unwrap();
        let shown = dir.path().join(FILE).canonicalize().unwrap();
        let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        assert!(
            open.filter_map(|entry| entry.path().read_link().ok()).all(|path| path != shown),
            "a descriptor is kept"
        );
        assert_eq!(state(dir.path()), State::Runs);
    }
}

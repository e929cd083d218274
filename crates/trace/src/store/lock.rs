//! Whether the process of a trace still runs, and may have the trace's files mapped. Shortening mapped files would kill
//! the process with SIGBUS. The process id cannot answer this: it may belong to another pid namespace, user or machine,
//! or have been reused.
//!
//! The recorder holds a lock (`flock`) on a file of the trace. A lock of this kind belongs to the open file, not to a
//! process or a descriptor. The kernel releases the lock when nothing refers to the open file any more. Here only a
//! mapping refers to the open file. The lock therefore lasts exactly as long as the process's memory, in which the
//! threads' files are mapped too:
//!
//! - A program that closes all its descriptors does not release the lock.
//! - Every end of the process releases the lock. So does `exec`, which gives the process new memory.
//! - A forked child inherits the mapping. The recorder's fork handler unmaps it there, because the child never touches
//!   the parent's files. A child that was made without fork handlers (`_Fork`, a bare `clone`) keeps the lock until it
//!   ends or executes another program. Such a child could touch the files.
//!
//! On some network file systems, one machine does not see the locks of another. A free lock proves nothing there. The
//! file therefore also holds the boot id of the kernel that locked it, and a trace with another boot id is not judged.

use super::files::{self, Folder};
use std::fs::File;
use std::io::{Error, Result, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::Path;

/// Name of the file in the trace folder.
pub const FILE: &str = "lock";
/// The largest length of the file.
const LONGEST: u64 = 4096;
/// Length of the mapping, one page or less; nothing in it is ever touched.
const LENGTH: usize = 4096;

/// The lock of a process that records. Held until dropped, or until the process has ended.
#[derive(Debug)]
pub struct Lock {
    /// A mapping without access rights.
    base: *mut libc::c_void,
}

// SAFETY: the address is only ever passed to munmap, which any thread may call.
unsafe impl Send for Lock {}
// SAFETY: as above; a shared reference allows only `give_up_in_child`, which runs on a process's only thread.
unsafe impl Sync for Lock {}

impl Lock {
    /// Creates the lock file of a trace, and locks it. The file gets its name only after it is locked.
    ///
    /// # Errors
    /// If no file can be created in the folder, or its file system has no locks.
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

    /// Call in a forked child: unmaps the lock, which belongs to the parent. Otherwise the parent's end would not
    /// release it.
    pub fn give_up_in_child(&self) {
        // SAFETY: the child's copy of the mapping, which nothing accesses any more.
        unsafe { libc::munmap(self.base, LENGTH) };
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // SAFETY: the mapping is this lock's own, and nothing accesses it any more.
        unsafe { libc::munmap(self.base, LENGTH) };
    }
}

/// Name of the file that the process has locked which follows the recording.
pub const FOLLOWER: &str = "follower";

/// The lock of a process that follows the recording in a folder. Held until dropped, or until the process has ended.
#[derive(Debug)]
pub struct Follower {
    _file: File,
}

impl Follower {
    /// Creates the file, and locks it. The file gets its name only after it is locked.
    ///
    /// # Errors
    /// If no file can be created in the folder, or its file system has no locks.
    pub fn take(folder: &Folder) -> Result<Follower> {
        let new = format!("{FOLLOWER}.new");
        folder.remove(&new)?;
        let file = folder.create(&new)?;
        flock(&file, libc::LOCK_EX).and_then(|()| folder.rename(&new, FOLLOWER)).inspect_err(|_| {
            let _ = folder.remove(&new);
        })?;
        Ok(Follower { _file: file })
    }
}

/// Whether a process follows the recording in a folder; none if none has begun to, or nothing can be found out.
pub fn is_followed(folder: &Folder) -> Option<bool> {
    let file = folder.open_made(&folder.path().join(FOLLOWER)).ok()??;
    match flock(&file, libc::LOCK_SH) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Some(true),
        Err(_) => None,
        Ok(()) => Some(false),
    }
}

/// What is known about the process of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The process runs, and may have files of the trace mapped.
    Runs,
    /// The process has ended, or executes another program.
    Ended,
    /// Nothing is known. The trace has no lock, as with older versions, or comes from another machine or from before a
    /// reboot.
    Unknown,
}

/// What is known about the process of the trace in `dir`.
pub fn state(dir: &Path) -> State {
    let path = dir.join(FILE);
    // A link in place of the lock would lead to the lock of another trace.
    let is_link = std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink());
    let Some(file) = files::open(&path).ok().filter(|_| !is_link) else { return State::Unknown };
    // A recorder takes the lock before the file has this name, and only once. This shared lock therefore blocks no
    // recorder.
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

/// The boot id: unique for this machine and boot, and the same in all containers.
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

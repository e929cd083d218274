//! How the files of a trace are opened and created. Whatever a trace names, only regular files of a bounded size are
//! read. Only new files are written, in a folder that belongs to this process's user.

use crate::Error;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Opens a file for reading, and only if it is a regular file. A read from a pipe could wait for ever, and a device
/// could deliver data for ever.
///
/// # Errors
/// If the system refuses, or the file is not a regular one.
pub fn open(path: &Path) -> io::Result<File> {
    // The type is checked before opening, because merely opening some devices has effects.
    regular(&std::fs::metadata(path)?)?;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    // The file may have been replaced since the check.
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Makes a folder that may exist, and nothing above the folder. A signal that ends a command removes all that the
/// command is writing, and the writing thread must not put back what is gone.
///
/// # Errors
/// If the system refuses.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// As [`open`], or if the file is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_open(&open(path)?, most)
}

/// Reads an open file of at most `most` bytes, from where it stands.
pub fn read_open(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("larger than {most} bytes")));
    }
    Ok(bytes)
}

/// Whether this error says that a file is no regular one.
pub fn is_irregular(error: &io::Error) -> bool {
    error.kind() == ErrorKind::InvalidInput && error.raw_os_error().is_none()
}

fn regular(data: &std::fs::Metadata) -> io::Result<()> {
    if data.is_file() { Ok(()) } else { Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")) }
}

/// Whether the process may have a file of this many bytes. Writing more than `ulimit -f` allows would kill the process
/// with SIGXFSZ.
///
/// # Errors
/// The error that the system would return if it did not send the signal.
pub fn fits_limit(length: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a live structure.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) } == 0;
    if known && length > limit.rlim_cur { Err(io::Error::from_raw_os_error(libc::EFBIG)) } else { Ok(()) }
}

/// A folder in which this process makes files.
///
/// The owner of a folder can put links into it, and replace files. Nothing is therefore created in a folder of another
/// user, and no link is followed in a folder of this user.
///
/// The folder is opened anew for each file. Programs that close all their descriptors would close a kept descriptor
/// too, and its number would then belong to another file.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The same for system calls.
    terminated: CString,
    owner: u32,
}

impl Folder {
    /// An existing folder. Its owner is checked when the first file is created in it.
    ///
    /// # Errors
    /// If the path leads to no folder that can be opened.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let terminated = CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other)?;
        let folder = File::from(open_folder(&terminated)?);
        Ok(Folder { path: path.to_path_buf(), terminated, owner: folder.metadata()?.uid() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a new file, for reading and writing.
    ///
    /// # Errors
    /// If the name exists, also as a link; if the folder is another user's; if the system refuses.
    pub fn create(&self, name: &str) -> io::Result<File> {
        self.create_terminated(&terminated(name)?).map_err(explained)
    }

    /// As [`Folder::create`], without lock and allocation: a signal handler may call it.
    ///
    /// # Errors
    /// As [`Folder::create`]; a folder of another user is a plain [`ErrorKind::PermissionDenied`].
    pub fn create_terminated(&self, name: &CStr) -> io::Result<File> {
        let folder = self.enter_quietly()?;
        let file = open_in(&folder, name, libc::O_RDWR | libc::O_CREAT | libc::O_EXCL)?;
        // The owner is compared with the new file's, not with the process's user: some file systems give all new files
        // to one user.
        if file.metadata()?.uid() != self.owner {
            unlink(&folder, name)?;
            return Err(ErrorKind::PermissionDenied.into());
        }
        Ok(file)
    }

    /// Opens a file again that [`Folder::create`] made, for reading and writing. Without lock and allocation: a signal
    /// handler may call it.
    ///
    /// # Errors
    /// If the file is gone, or another file has its name (`ESTALE`).
    pub fn reopen(&self, name: &CStr, made: FileId) -> io::Result<File> {
        let file = open_in(&self.enter_quietly()?, name, libc::O_RDWR | libc::O_NONBLOCK | libc::O_NOCTTY)?;
        if FileId::of(&file)? != made {
            return Err(io::Error::from_raw_os_error(libc::ESTALE));
        }
        Ok(file)
    }

    /// Opens an existing file, for reading and writing; none if it is a link or not a regular file.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open_made(&self, path: &Path) -> io::Result<Option<File>> {
        let folder = self.enter()?;
        let name = path.file_name().unwrap_or_default();
        let name = CString::new(name.as_bytes()).map_err(io::Error::other)?;
        // The type is checked before opening, because merely opening some devices has effects.
        // SAFETY: the folder is open, the name terminated, and an all-zero stat is a valid one, which the call writes.
        let mode = unsafe {
            let mut data: libc::stat = std::mem::zeroed();
            match libc::fstatat(folder.as_raw_fd(), name.as_ptr(), &mut data, libc::AT_SYMLINK_NOFOLLOW) {
                0 => data.st_mode,
                _ => return Err(io::Error::last_os_error()),
            }
        };
        if mode & libc::S_IFMT != libc::S_IFREG {
            return Ok(None);
        }
        let file = open_in(&folder, &name, libc::O_RDWR | libc::O_NONBLOCK | libc::O_NOCTTY)?;
        Ok(file.metadata()?.is_file().then_some(file))
    }

    /// Writes a file atomically, in place of an older one if there is one. A reader sees either the old or the new
    /// file.
    ///
    /// # Errors
    /// If the folder is another user's, or the system refuses; the old file stays then.
    pub fn replace(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let new = format!("{name}.new");
        self.remove(&new)?;
        let mut file = self.create(&new)?;
        let written = fits_limit(contents.len() as u64).and_then(|()| file.write_all(contents));
        written.and_then(|()| self.rename(&new, name)).inspect_err(|_| {
            // A temporary file that cannot be removed stays.
            let _ = self.remove(&new);
        })
    }

    /// Gives a file another name, whatever had that name before.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (folder, from, to) = (self.enter()?, terminated(from)?, terminated(to)?);
        // SAFETY: plain system call with an open folder and terminated names.
        let status = unsafe { libc::renameat(folder.as_raw_fd(), from.as_ptr(), folder.as_raw_fd(), to.as_ptr()) };
        if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Removes a file if it is there; of a link, the link.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.remove_terminated(&terminated(name)?).map_err(explained)
    }

    /// As [`Folder::remove`], without lock and allocation: a signal handler may call it.
    pub fn remove_terminated(&self, name: &CStr) -> io::Result<()> {
        match unlink(&self.enter_quietly()?, name) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The error of an operation on a file in this folder.
    pub fn error(&self, name: &str) -> impl FnOnce(io::Error) -> Error {
        Error::io(self.path.join(name))
    }

    fn enter(&self) -> io::Result<OwnedFd> {
        self.enter_quietly().map_err(explained)
    }

    /// Opens the folder, without lock and allocation.
    fn enter_quietly(&self) -> io::Result<OwnedFd> {
        let folder = File::from(open_folder(&self.terminated)?);
        if folder.metadata()?.uid() != self.owner {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Ok(folder.into())
    }
}

/// The identity of a file, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The identity of an open file.
    pub fn of(file: &File) -> io::Result<FileId> {
        let data = file.metadata()?;
        Ok(FileId { device: data.dev(), inode: data.ino() })
    }
}

/// Words for the one error that the system has none for: the folder is another user's.
pub(super) fn explained(error: io::Error) -> io::Error {
    match (error.kind(), error.raw_os_error()) {
        (ErrorKind::PermissionDenied, None) => {
            io::Error::new(ErrorKind::PermissionDenied, "the folder belongs to another user")
        }
        _ => error,
    }
}

fn terminated(name: &str) -> io::Result<CString> {
    CString::new(name).map_err(io::Error::other)
}

fn open_folder(path: &CStr) -> io::Result<OwnedFd> {
    // SAFETY: plain system call with a terminated path.
    owned(unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) })
}

fn open_in(folder: &OwnedFd, name: &CStr, flags: i32) -> io::Result<File> {
    let flags = flags | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: plain system call with an open folder and a terminated name.
    owned(unsafe { libc::openat(folder.as_raw_fd(), name.as_ptr(), flags, 0o666) }).map(File::from)
}

fn unlink(folder: &OwnedFd, name: &CStr) -> io::Result<()> {
    // SAFETY: plain system call with an open folder and a terminated name.
    match unsafe { libc::unlinkat(folder.as_raw_fd(), name.as_ptr(), 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn owned(descriptor: i32) -> io::Result<OwnedFd> {
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just opened, so it has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_neither_followed_nor_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let victim = dir.path().join("victim");
        std::fs::write(&victim, "precious").unwrap();
        let inside = dir.path().join("folder");
        std::fs::create_dir(&inside).unwrap();
        let folder = Folder::open(&inside).unwrap();
        symlink(&victim, inside.join("made")).unwrap();
        assert_eq!(folder.create("made").unwrap_err().kind(), ErrorKind::AlreadyExists);
        symlink(&victim, inside.join("whole.new")).unwrap();
        folder.replace("whole", b"new").unwrap();
        assert_eq!(std::fs::read(inside.join("whole")).unwrap(), b"new");
        let made = FileId::of(&folder.create("thread").unwrap()).unwrap();
        folder.reopen(c"thread", made).unwrap();
        std::fs::remove_file(inside.join("thread")).unwrap();
        symlink(&victim, inside.join("thread")).unwrap();
        folder.reopen(c"thread", made).unwrap_err();
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    }

    #[test]
    fn nothing_is_made_in_a_folder_of_another_user() {
        let dir = tempfile::tempdir().unwrap();
        if std::os::unix::fs::chown(dir.path(), Some(65534), None).is_err() {
            return println!("skipped: only root can give a folder away");
        }
        let folder = Folder::open(dir.path()).unwrap();
        assert_eq!(folder.create("file").unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!(folder.replace("file", b"").unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn only_regular_files_of_the_right_size_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        let name = CString::new(path.as_os_str().as_bytes()).unwrap();
        // SAFETY: plain system call with a terminated path.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        for path in [path.as_path(), Path::new("/dev/zero"), dir.path()] {
            assert!(is_irregular(&read(path, 10).unwrap_err()), "{}", path.display());
        }
        let file = dir.path().join("file");
        std::fs::write(&file, "0123456789").unwrap();
        assert_eq!(read(&file, 10).unwrap().len(), 10);
        assert_eq!(read(&file, 9).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(!is_irregular(&read(&dir.path().join("absent"), 9).unwrap_err()));
    }
}

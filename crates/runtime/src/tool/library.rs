//! Libraries that may hold a tool: loading one, and finding its `ompt_start_tool` (OpenMP 5.1 §4.2.2).

use super::log::Log;
use crate::warnings;
use std::ffi::{CStr, CString, c_void};
use std::fs::File;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A loaded library that has `ompt_start_tool`.
pub struct Library {
    handle: *mut c_void,
    name: CString,
    /// Its `ompt_start_tool`.
    pub start: *mut c_void,
    /// Its name as the user gave it.
    pub shown: String,
}

impl Library {
    /// Loads a library that `variable` names. If it cannot be loaded, prints a warning, because the user has named it.
    pub fn open(path: &Path, variable: &str, log: &mut Log) -> Option<Library> {
        let complain = |why: &String| {
            let shown = path.display();
            warnings::warn(&format!("ferromp: {variable}: {shown} is not a tool: {why}; going on without it\n"));
        };
        Self::try_open(path, log).inspect_err(complain).ok()
    }

    /// Loads a library without a warning: the user has not named it.
    pub fn try_open(path: &Path, log: &mut Log) -> Result<Library, String> {
        log.print(&format!("Opening {}... ", path.display()));
        let opened = Self::load(path);
        match &opened {
            Ok(_) => log.print("Success. \n"),
            Err(why) => log.print(&format!("Failed: {why}\n")),
        }
        opened
    }

    fn load(path: &Path) -> Result<Library, String> {
        openable(path)?;
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| "its name holds a zero byte")?;
        // SAFETY: loads a library; its constructors run.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        if handle.is_null() {
            return Err(loader_error());
        }
        // SAFETY: the handle was just opened.
        let start = unsafe { libc::dlsym(handle, c"ompt_start_tool".as_ptr()) };
        if start.is_null() {
            let why = loader_error();
            // SAFETY: the handle was just opened, and nothing of the library is in use.
            unsafe { libc::dlclose(handle) };
            return Err(why);
        }
        Ok(Library { handle, start, name, shown: path.display().to_string() })
    }

    /// Keeps the library loaded for good, even if it closes itself.
    pub fn keep(self) {
        // SAFETY: the library is loaded; this only marks it.
        unsafe { libc::dlopen(self.name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
    }

    /// Unloads the library.
    pub fn close(self) {
        // SAFETY: the handle is this value's, and nothing that was found through it is in use.
        unsafe { libc::dlclose(self.handle) };
    }
}

/// Whether the loader may get this name. The loader would wait for ever at a pipe, has a poor message for a folder, and
/// crashes on a truncated file. The loader itself searches for a name without a slash.
fn openable(path: &Path) -> Result<(), String> {
    if !path.as_os_str().as_bytes().contains(&b'/') {
        return Ok(());
    }
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => Err("it is a folder".into()),
        Ok(data) if !data.is_file() => Err("it is not a regular file".into()),
        Ok(data) if breaks_off(path, data.len()) => Err("it breaks off".into()),
        // For a missing or unreadable file, the loader has the best message.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether the file is a program or library for this kind of machine, and ends before its last segment does.
fn breaks_off(path: &Path, length: u64) -> bool {
    let Ok(file) = File::open(path) else { return false };
    // SAFETY: the header consists of numbers.
    let header = unsafe { read::<libc::Elf64_Ehdr>(&file, 0) };
    // ELF64, little-endian. The loader refuses other files by their first bytes.
    let Some(header) = header.filter(|header| header.e_ident.starts_with(b"\x7fELF\x02\x01")) else { return false };
    (0..u64::from(header.e_phnum)).any(|index| {
        let at = header.e_phoff.checked_add(index * size_of::<libc::Elf64_Phdr>() as u64);
        // SAFETY: a program header consists of numbers.
        at.and_then(|at| unsafe { read::<libc::Elf64_Phdr>(&file, at) }).is_none_or(|segment| {
            let end = segment.p_offset.checked_add(segment.p_filesz);
            segment.p_type == libc::PT_LOAD && end.is_none_or(|end| end > length)
        })
    })
}

/// The `T` at this offset of the file; none where the file ends before.
///
/// # Safety
/// Any bytes are a valid `T`.
unsafe fn read<T>(file: &File, at: u64) -> Option<T> {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the bytes of `value`, which are initialised.
    let bytes = unsafe { std::slice::from_raw_parts_mut(value.as_mut_ptr().cast(), size_of::<T>()) };
    file.read_exact_at(bytes, at).ok()?;
    // SAFETY: the caller keeps to the `# Safety` section.
    Some(unsafe { value.assume_init() })
}

fn loader_error() -> String {
    // SAFETY: dlerror returns null or a string that is valid until the next call on this thread.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

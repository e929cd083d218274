//! Archer, the one tool that is loaded without being named: in a process with a thread sanitizer. Without Archer, the
//! sanitizer knows nothing of OpenMP's synchronisation and reports races where there are none. libomp therefore opens
//! `libarcher.so` by itself, and users of `-fsanitize=thread -fopenmp` rely on that. `OMP_TOOL=disabled` and
//! `ARCHER_OPTIONS=enable=0`, which is Archer's own, keep their meaning.

use super::library::Library;
use super::log::Log;
use crate::icv::Settings;
use crate::ompd::locations;
use crate::ompt::sanitizer;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The library's name.
const NAME: &str = "libarcher.so";

/// Opens Archer, if the process has a sanitizer. The library may lie where libomp's users have it: beside this library,
/// under the name by which this library was opened and under its file's name; where the loader looks; in the run path
/// of the program. A privileged process gets no Archer, nor does a process whose runtime is instrumented itself.
pub fn open(settings: &Settings, log: &mut Log) -> Option<Library> {
    if settings.privileged || cfg!(instrumented) || !sanitizer::is_here() {
        return None;
    }
    log.print("...searching tool libraries failed. Using archer tool.\n");
    let there = |folder: PathBuf| Some(folder.join(NAME)).filter(|file| file.is_file());
    beside()
        .into_iter()
        .filter_map(there)
        .chain([PathBuf::from(NAME)])
        .chain(run_path().into_iter().filter_map(there))
        .find_map(|file| Library::try_open(&file, log).ok())
}

/// The folders of this library: of the name by which the loader knows it, and of the file itself. A library that is
/// part of the program has the program's.
fn beside() -> Vec<PathBuf> {
    let own = locations::own_name().map(|name| PathBuf::from(OsStr::from_bytes(name.to_bytes())));
    let Some(name) = own.or_else(|| std::env::current_exe().ok()) else { return Vec::new() };
    let name = name.as_path();
    let file = name.canonicalize().unwrap_or_default();
    // A relative name counts from the directory in which the program began. The current directory may be another.
    let absolute = [name, &file].map(|name| name.parent().filter(|folder| folder.is_absolute()).map(Path::to_owned));
    let mut folders: Vec<PathBuf> = absolute.into_iter().flatten().collect();
    folders.dedup();
    folders
}

/// The folders that the program's own file names for its libraries. The loader does not search them for a library that
/// this library opens.
fn run_path() -> Vec<PathBuf> {
    // SAFETY: no condition; null is the program itself, whose handle is not counted.
    let program = unsafe { libc::dlopen(std::ptr::null(), libc::RTLD_LAZY) };
    if program.is_null() {
        return Vec::new();
    }
    let mut map: *const LinkMap = std::ptr::null();
    // SAFETY: the handle is open, and the request writes a pointer.
    if unsafe { libc::dlinfo(program, libc::RTLD_DI_LINKMAP, (&raw mut map).cast()) } != 0 || map.is_null() {
        return Vec::new();
    }
    // SAFETY: the loader's description of the program, which stays as long as the process.
    let text = unsafe { (*map).run_path() };
    let origin = std::env::current_exe().ok();
    let origin = origin.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    folders(text, origin)
}

/// The absolute folders in a run path, with `$ORIGIN` replaced by `origin`.
fn folders(text: &[u8], origin: &Path) -> Vec<PathBuf> {
    let expand = |entry: &[u8]| {
        let entry = String::from_utf8_lossy(entry);
        let origin = origin.to_string_lossy();
        PathBuf::from(entry.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin))
    };
    text.split(|&byte| byte == b':').map(expand).filter(|folder| folder.is_absolute()).collect()
}

/// The beginning of the loader's description of a file (`<link.h>`).
#[repr(C)]
struct LinkMap {
    address: usize,
    name: *const libc::c_char,
    /// The dynamic section, which an entry with the tag 0 ends.
    dynamic: *const Dynamic,
}

/// An entry of a dynamic section (`Elf64_Dyn`).
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: usize,
}

const DT_STRTAB: i64 = 5;
const DT_RPATH: i64 = 15;
const DT_RUNPATH: i64 = 29;
impl LinkMap {
    /// `DT_RUNPATH`, else `DT_RPATH`; empty where the file has none.
    ///
    /// # Safety
    /// The description is the loader's, of the program.
    unsafe fn run_path(&self) -> &[u8] {
        let value = |tag: i64| {
            let mut entry = self.dynamic;
            // SAFETY: the caller's: the section is mapped, and has an end.
            unsafe {
                while !entry.is_null() && (*entry).tag != 0 {
                    if (*entry).tag == tag {
                        return Some((*entry).value);
                    }
                    entry = entry.add(1);
                }
            }
            None
        };
        let (Some(names), Some(path)) = (value(DT_STRTAB), value(DT_RUNPATH).or_else(|| value(DT_RPATH))) else {
            return b"";
        };
        // SAFETY: the loader has made the table's offset an address, and the value is an offset of a string in it.
        unsafe { CStr::from_ptr((names + path) as *const libc::c_char) }.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_paths_are_taken_apart() {
        let expected = ["/usr/lib/llvm-19/lib", "/opt/app/../lib", "/opt/app"].map(PathBuf::from);
        assert_eq!(
            folders(b"/usr/lib/llvm-19/lib:$ORIGIN/../lib:relative::${ORIGIN}", Path::new("/opt/app")),
            expected
        );
        assert_eq!(folders(b"", Path::new("/opt/app")), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn without_a_sanitizer_nothing_is_looked_for() {
        let settings = crate::icv::Settings::default();
        assert!(open(&settings, &mut Log::open(None)).is_none());
        // The program's own dynamic section can be read in any case.
        run_path();
    }
}

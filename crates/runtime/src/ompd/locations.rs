//! Where debuggers find `libompd.so`, the library that reads this runtime: beside the runtime's own file, also when the
//! file has been moved (OpenMP 5.1 §5.2.2).

use super::breakpoints::ompd_dll_locations_valid;
use crate::loaded;
use crate::model::atomic::{AtomicPtr, Ordering};
use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The library's name.
const LIBRARY: &str = "libompd.so";

/// `const char **`: a list of file names, which a null pointer ends; null until it is known.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name by which debuggers find it")]
pub static ompd_dll_locations: AtomicPtr<*const c_char> = AtomicPtr::new(std::ptr::null_mut());

/// Publishes the library's name to debuggers.
pub fn publish() {
    let own = own_file().unwrap_or_default().into_os_string().into_encoded_bytes();
    let folder = own.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |end| &own[..=end]);
    // With capacity for the zero at the end, so that the name is not copied.
    let mut name = Vec::with_capacity(folder.len() + LIBRARY.len() + 1);
    name.extend_from_slice(folder);
    name.extend_from_slice(LIBRARY.as_bytes());
    let name = CString::new(name).expect("file names have no zeros");
    let list = Box::leak(Box::new([name.into_raw().cast_const(), std::ptr::null()]));
    ompd_dll_locations.store(list.as_mut_ptr(), Ordering::Release);
    ompd_dll_locations_valid();
}

/// The file that this code is in, without symbolic links.
fn own_file() -> Option<PathBuf> {
    // A relative name counts from the directory in which the program began. The current directory may be another.
    let name = own_name().filter(|name| name.to_bytes().starts_with(b"/"));
    name.and_then(without_links)
        .or_else(|| mapped_file(&std::fs::read("/proc/self/maps").ok()?, publish as *const () as usize))
}

/// The name by which the dynamic linker has loaded the file that this code is in; none for the program's own file.
/// `dladdr` would look at all of the file's symbols, for the name of the function that nobody asks for.
pub fn own_name() -> Option<&'static CStr> {
    let mut name = None;
    loaded::with_object(publish as *const () as usize, |own| name = Some(own.name.as_ptr()));
    // SAFETY: the dynamic linker's own string, which stays: this library is never unloaded.
    name.map(|name| unsafe { CStr::from_ptr(name) }).filter(|name| !name.is_empty())
}

/// What the dynamic linker knows of the file that has `code`.
pub fn module_of(code: *const c_void) -> Option<libc::Dl_info> {
    // SAFETY: a structure of pointers, which the call fills.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the call accepts any address, and fills the structure.
    (unsafe { libc::dladdr(code, &mut info) } != 0).then_some(info)
}

/// The file's name without symbolic links. `realpath` writes into a buffer on the stack: a signal handler that brings
/// the runtime up may have interrupted `malloc`.
fn without_links(name: &CStr) -> Option<PathBuf> {
    let mut buffer = [0u8; libc::PATH_MAX as usize];
    // SAFETY: the name ends with a zero, and the buffer has room for any name.
    let found = unsafe { libc::realpath(name.as_ptr(), buffer.as_mut_ptr().cast()) };
    let file = CStr::from_bytes_until_nul(&buffer).ok()?;
    (!found.is_null()).then(|| PathBuf::from(OsStr::from_bytes(file.to_bytes())))
}

/// The file that is mapped at an address, by the lines of `/proc/self/maps`.
fn mapped_file(maps: &[u8], address: usize) -> Option<PathBuf> {
    maps.split(|&byte| byte == b'\n').find_map(|line| {
        let range = std::str::from_utf8(line.split(|&byte| byte == b' ').next()?).ok()?;
        let (start, end) = range.split_once('-')?;
        let range = usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?;
        let name = line.iter().position(|&byte| byte == b'/')?;
        range.contains(&address).then(|| PathBuf::from(OsStr::from_bytes(&line[name..])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_file_at_an_address_is_found() {
        let maps = b"1000-2000 r-xp 00000000 00:00 0\n2000-3000 r-xp 00000000 fd:01 77    /opt/a b/lib.so\n";
        assert_eq!(mapped_file(maps, 0x2fff), Some(PathBuf::from("/opt/a b/lib.so")));
        assert_eq!(mapped_file(maps, 0x1fff), None);
        assert_eq!(mapped_file(b"nonsense\n-\n", 0x1fff), None);
    }

    #[test]
    fn the_library_lies_beside_the_file_of_this_code() {
        publish();
        // SAFETY: a list that `publish` made.
        let name = unsafe { CStr::from_ptr(*ompd_dll_locations.load(Ordering::Acquire)) };
        let here = std::env::current_exe().expect("there is a file").canonicalize().expect("it has a name");
        assert_eq!(Path::new(OsStr::from_bytes(name.to_bytes())), here.with_file_name(LIBRARY));
    }
}

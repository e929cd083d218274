//! Finds the functions and variables of the MPI library that the program has loaded.

use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function or variable of MPI's, found by its name when it is first needed.
pub struct Symbol {
    name: &'static CStr,
    /// A name under which this library has an entry point itself; only what comes after this library is meant. Empty
    /// for none.
    own: &'static CStr,
    /// 0 before the search; [`ABSENT`] if nothing was found.
    address: AtomicUsize,
}

/// No symbol has this address.
const ABSENT: usize = usize::MAX;

impl Symbol {
    /// A symbol of this name, which is not among the entry points of this library.
    pub const fn named(name: &'static CStr) -> Symbol {
        Symbol { name, own: c"", address: AtomicUsize::new(0) }
    }

    /// A function by its name of the profiling interface. A library that lacks the name has the plain one: MPICH's
    /// functions of the module `mpi_f08` do.
    pub const fn profiled(name: &'static CStr, plain: &'static CStr) -> Symbol {
        Symbol { name, own: plain, address: AtomicUsize::new(0) }
    }

    /// The address; none if the program has loaded no library that has it. MPI is loaded before the first search,
    /// because the program has called MPI.
    #[inline]
    pub fn find(&self) -> Option<usize> {
        match self.address.load(Ordering::Relaxed) {
            0 => self.search(),
            ABSENT => None,
            address => Some(address),
        }
    }

    /// The address of a function that the program is calling; the program ends if there is none.
    #[inline]
    pub fn get(&self) -> usize {
        self.find().unwrap_or_else(|| self.missing())
    }

    #[cold]
    fn search(&self) -> Option<usize> {
        let address = find(self.name, false).or_else(|| if self.own.is_empty() { None } else { find(self.own, true) });
        self.address.store(address.unwrap_or(ABSENT), Ordering::Relaxed);
        address
    }

    /// Ends the program with a line: nobody has the function that the program calls.
    #[cold]
    pub fn missing(&self) -> ! {
        let name = self.name.to_string_lossy();
        let line = format!("ferromp: mpi: no MPI library of this program has {name}; the program cannot go on\n");
        // SAFETY: the bytes are alive. If standard error cannot be written, the line is lost.
        unsafe { libc::write(2, line.as_ptr().cast(), line.len()) };
        std::process::abort()
    }
}

/// The function of this name that the program would have called without this library; none if nobody has one.
#[cold]
pub fn behind(name: &CStr) -> Option<usize> {
    find(name, true)
}

/// Looks where the program itself finds a name, then in libraries that were opened for their users alone, as Python
/// opens its modules. The program may have a copy of a library's variable, and then only the copy counts. The program
/// would find this library for the names of its entry points (`own`): for them the search begins behind this library.
fn find(name: &CStr, own: bool) -> Option<usize> {
    let look = |library: *mut c_void| {
        // SAFETY: the name is terminated; the handle is the loader's.
        let address = unsafe { libc::dlsym(library, name.as_ptr()) } as usize;
        (address != 0).then_some(address)
    };
    let first = look(if own { libc::RTLD_NEXT } else { libc::RTLD_DEFAULT });
    first.or_else(|| libraries().iter().find_map(|file| look(opened(file)?)))
}

/// The handle of a library that is loaded already; none if it is not any more. Handles of MPI's libraries are kept:
/// a program that closes them has no MPI any more.
fn opened(file: &CStr) -> Option<*mut c_void> {
    // SAFETY: the path is terminated; nothing new is loaded.
    let handle = unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    (!handle.is_null()).then_some(handle)
}

/// The loaded files whose names begin as those of MPI's libraries do.
fn libraries() -> Vec<CString> {
    unsafe extern "C" fn note(about: *mut libc::dl_phdr_info, _size: usize, found: *mut c_void) -> c_int {
        // SAFETY: the loader's description, and the list of the caller.
        let (name, found) = unsafe { ((*about).dlpi_name, &mut *found.cast::<Vec<CString>>()) };
        if !name.is_null() {
            // SAFETY: the loader's names are terminated.
            let name = unsafe { CStr::from_ptr(name) };
            if is_of_mpi(name.to_bytes()) {
                found.push(name.to_owned());
            }
        }
        0
    }
    let mut found: Vec<CString> = Vec::new();
    // SAFETY: the function gets the list, which lives through the call.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    found
}

/// Whether a path is that of an MPI library, such as `libmpi.so.40`, `libmpi_mpifh.so.40` and `libmpich.so.12`.
fn is_of_mpi(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    name.starts_with(b"libmpi") || name.starts_with(b"libpmpi")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_mpi_are_known_by_their_names() {
        for name in ["/usr/lib/libmpi.so.40", "libmpich.so.12", "/a/b/libmpi_mpifh.so", "libmpifort.so.12"] {
            assert!(is_of_mpi(name.as_bytes()), "{name}");
        }
        for name in ["/libmpi/libc.so.6", "libferromp-mpi.so", "libompi.so", ""] {
            assert!(!is_of_mpi(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_symbol_that_nobody_has_is_absent() {
        static NONE: Symbol = Symbol::named(c"PMPI_No_such_function");
        assert_eq!((NONE.find(), NONE.find()), (None, None));
        static WRITE: Symbol = Symbol::named(c"write");
        assert!(WRITE.find().is_some() && WRITE.find() == WRITE.find());
    }
}

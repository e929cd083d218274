//! Where the runtime's library lies in memory, to tell its code from the program's. Found once at
//! the start: asking the dynamic linker from a callback may wait for its lock for ever.

use std::ffi::{c_int, c_void};
use std::ops::Range;

/// The addresses of the runtime's library, none if it is linked into the program itself.
#[derive(Clone, Default)]
pub struct RuntimeLibrary(Option<Range<usize>>);

struct Search {
    address: usize,
    objects_seen: usize,
    found: Option<Range<usize>>,
}

impl RuntimeLibrary {
    /// The library that holds this address of the runtime's code.
    pub fn of(address: Option<usize>) -> RuntimeLibrary {
        let Some(address) = address else { return RuntimeLibrary(None) };
        let mut search = Search { address, objects_seen: 0, found: None };
        // SAFETY: `visit` has the type of a `dl_iterate_phdr` callback, and `search` outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
        RuntimeLibrary(search.found)
    }

    /// Whether the address lies in the library.
    pub fn contains(&self, address: usize) -> bool {
        self.0.as_ref().is_some_and(|range| range.contains(&address))
    }
}

unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, search: *mut c_void) -> c_int {
    // SAFETY: `of` passes a `Search`, and no one else has it during the call.
    let search = unsafe { &mut *search.cast::<Search>() };
    // SAFETY: the dynamic linker passes a valid description of an object.
    let info = unsafe { &*info };
    search.objects_seen += 1;
    // SAFETY: the object's program headers, as many as it says.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let segments = headers.iter().filter(|header| header.p_type == libc::PT_LOAD).map(|header| {
        let start = (info.dlpi_addr + header.p_vaddr) as usize;
        start..start + header.p_memsz as usize
    });
    let whole = segments.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
    match whole {
        Some(range) if range.contains(&search.address) => {
            // The program itself comes first.
            search.found = (search.objects_seen > 1).then_some(range);
            1
        }
        _ => 0,
    }
}

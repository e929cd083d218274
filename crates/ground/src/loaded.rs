//! The program and the libraries that the dynamic linker has loaded.

use std::ffi::{CStr, c_int, c_void};

/// A loaded program or library.
pub struct Object<'a> {
    /// The distance of its addresses from those in the file.
    pub base: usize,
    /// Its segments.
    pub headers: &'a [libc::Elf64_Phdr],
    /// The segment that the address lies in.
    pub segment: &'a libc::Elf64_Phdr,
    /// The file's name, empty for the program itself.
    pub name: &'a CStr,
}

/// Calls `look` with the object that `address` lies in, if there is one.
#[cold]
pub fn with_object(address: usize, mut look: impl FnMut(&Object)) {
    type Search<'a> = (usize, &'a mut dyn FnMut(&Object));
    /// # Safety
    /// The dynamic linker calls this with an object, and with the search that `with_object` has passed.
    unsafe extern "C" fn visit(object: *mut libc::dl_phdr_info, _size: usize, search: *mut c_void) -> c_int {
        // SAFETY: `with_object` passes its search; the dynamic linker passes an object with its headers and name.
        let ((address, look), object, headers, name) = unsafe {
            let object = &*object;
            let headers = std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into());
            let name = object.dlpi_name.as_ref().map_or(c"", |name| CStr::from_ptr(name));
            (&mut *search.cast::<Search>(), object, headers, name)
        };
        let base = object.dlpi_addr as usize;
        let offset = address.wrapping_sub(base);
        let segment = headers.iter().find(|header| {
            header.p_type == libc::PT_LOAD && offset.wrapping_sub(header.p_vaddr as usize) < header.p_memsz as usize
        });
        let Some(segment) = segment else { return 0 };
        look(&Object { base, headers, segment, name });
        1
    }
    let mut search: Search = (address, &mut look);
    // SAFETY: the function has the right type, and takes the search.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
}

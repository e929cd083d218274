//! For which release of LLVM's offload runtime the code of an address was linked: what tells apart what compilers lay
//! out in two ways without a version.

use std::ffi::{CStr, c_char, c_int, c_void};

/// What libraries of LLVM's offload runtime are called, before the release's number.
const NAME: &[u8] = b"libomptarget.so.";

/// What is looked for.
struct Wanted {
    address: usize,
    release: Option<u32>,
}

/// The release whose library the program or library at this address needs; none if it does not say.
#[cold]
pub fn release_of(address: usize) -> Option<u32> {
    let mut wanted = Wanted { address, release: None };
    // SAFETY: the function has the right type, and takes what is wanted.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut wanted).cast()) };
    wanted.release
}

/// The number in the name of a library.
fn number(name: &[u8]) -> Option<u32> {
    let digits = name.strip_prefix(NAME)?.split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// An entry of the dynamic section.
#[repr(C)]
#[derive(Clone, Copy)]
struct Dynamic {
    tag: i64,
    value: usize,
}

const END: i64 = 0;
const NEEDED: i64 = 1;
const STRINGS: i64 = 5;

/// Reads the dynamic section of this object, if the address lies in it.
unsafe extern "C" fn look(object: *mut libc::dl_phdr_info, _size: usize, wanted: *mut c_void) -> c_int {
    // SAFETY: `release_of` passes what it wants; the dynamic linker passes an object with its headers.
    let (object, wanted) = unsafe { (&*object, &mut *wanted.cast::<Wanted>()) };
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()) };
    let base = object.dlpi_addr as usize;
    let offset = wanted.address.wrapping_sub(base);
    let is_in = |header: &libc::Elf64_Phdr| offset.wrapping_sub(header.p_vaddr as usize) < header.p_memsz as usize;
    if !headers.iter().any(|header| header.p_type == libc::PT_LOAD && is_in(header)) {
        return 0;
    }
    let Some(dynamic) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else { return 1 };
    let first = (base + dynamic.p_vaddr as usize) as *const Dynamic;
    // SAFETY: a loaded object's dynamic section has an end.
    let entries = || (0..).map(|index| unsafe { *first.add(index) }).take_while(|entry| entry.tag != END);
    let Some(strings) = entries().find(|entry| entry.tag == STRINGS) else { return 1 };
    // The dynamic linker has put the address there, or left what is in the file.
    let strings = if strings.value < base { base + strings.value } else { strings.value };
    wanted.release = entries().filter(|entry| entry.tag == NEEDED).find_map(|entry| {
        // SAFETY: a string of the object's.
        number(unsafe { CStr::from_ptr((strings + entry.value) as *const c_char) }.to_bytes())
    });
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_in_the_names_of_libraries() {
        for (name, release) in [
            ("libomptarget.so.23.1", Some(23)),
            ("libomptarget.so.18", Some(18)),
            ("libomptarget.so.", None),
            ("libomp.so.5", None),
        ] {
            assert_eq!(number(name.as_bytes()), release, "{name}");
        }
        // The test's own program needs no such library; memory of the heap is in no object.
        assert_eq!(release_of(releases_are_in_the_names_of_libraries as fn() as usize), None);
        assert_eq!(release_of(Box::into_raw(Box::new(0_u8)) as usize), None);
    }
}

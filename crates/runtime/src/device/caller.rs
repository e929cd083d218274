//! The release of LLVM's offload runtime for which a loaded program or library was linked. The release decides between
//! two layouts that compilers use without a version.

use crate::loaded::{Object, with_object};
use std::ffi::{CStr, c_char};

/// What libraries of LLVM's offload runtime are called, before the release's number.
const NAME: &[u8] = b"libomptarget.so.";

/// The release of LLVM's offload runtime that the program or library at this address needs, by the name of the
/// runtime's library; `None` if it needs no such library.
#[cold]
pub fn release_of(address: usize) -> Option<u32> {
    let mut release = None;
    with_object(address, |object| release = needed(object));
    release
}

/// The number in the name of a library.
fn number(name: &[u8]) -> Option<u32> {
    let digits = name.strip_prefix(NAME)?.split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The release in the object's list of needed libraries.
fn needed(object: &Object) -> Option<u32> {
    const END: i64 = 0;
    const NEEDED: i64 = 1;
    const STRINGS: i64 = 5;
    /// An entry of the dynamic section.
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Dynamic {
        tag: i64,
        value: usize,
    }
    let dynamic = object.headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?;
    let first = (object.base + dynamic.p_vaddr as usize) as *const Dynamic;
    // SAFETY: a loaded object's dynamic section has an end.
    let entries = || (0..).map(|index| unsafe { *first.add(index) }).take_while(|entry| entry.tag != END);
    let strings = entries().find(|entry| entry.tag == STRINGS)?.value;
    // The dynamic linker has put the address there, or left the value of the file.
    let strings = if strings < object.base { object.base + strings } else { strings };
    entries().filter(|entry| entry.tag == NEEDED).find_map(|entry| {
        // SAFETY: the entry is the offset of a string of the object.
        number(unsafe { CStr::from_ptr((strings + entry.value) as *const c_char) }.to_bytes())
    })
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

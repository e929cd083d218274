//! Where an image comes from, for tools: the file of the program or library that it lies in (OpenMP 5.1 §4.5.2.21).

use crate::ompt::{self, Code};
use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::OsStringExt;

/// What the dynamic linker knows of an address.
struct Place {
    address: usize,
    file: Option<CString>,
    offset: Option<i64>,
    vma: Option<usize>,
}

/// Reports to tools that a device has loaded an image, at `there` on the device.
#[cold]
pub fn report_load(device: i32, number: u64, image: &[u8], there: Option<usize>) {
    let mut place = Place { address: image.as_ptr() as usize, file: None, offset: None, vma: None };
    // SAFETY: the function has the right type, and the place is what it takes.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut place).cast()) };
    let code = Code {
        file: place.file.as_deref(),
        offset: place.offset,
        vma: place.vma,
        bytes: image.len(),
        host: Some(place.address),
        device: there,
        module: number,
    };
    ompt::device_load(device, &code);
}

/// Fills in the place if it lies in this object.
unsafe extern "C" fn look(object: *mut libc::dl_phdr_info, _size: usize, place: *mut c_void) -> c_int {
    // SAFETY: `report_load` passes a place; the dynamic linker passes an object with its headers.
    let (object, place) = unsafe { (&*object, &mut *place.cast::<Place>()) };
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()) };
    let vma = place.address.wrapping_sub(object.dlpi_addr as usize);
    let segment = headers.iter().find(|header| {
        header.p_type == libc::PT_LOAD && vma.wrapping_sub(header.p_vaddr as usize) < header.p_memsz as usize
    });
    let Some(segment) = segment else { return 0 };
    place.vma = Some(vma);
    place.offset = i64::try_from(vma - segment.p_vaddr as usize + segment.p_offset as usize).ok();
    // SAFETY: the name, where there is one, is a string.
    let name = unsafe { object.dlpi_name.as_ref().map(|name| CStr::from_ptr(name)) };
    place.file = match name {
        Some(name) if !name.is_empty() => Some(name.to_owned()),
        // The program itself has no name.
        _ => std::fs::read_link("/proc/self/exe")
            .ok()
            .and_then(|file| CString::new(file.into_os_string().into_vec()).ok()),
    };
    1
}

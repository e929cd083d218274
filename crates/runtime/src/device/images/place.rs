//! The place of an image, for tools: the file of the program or library that it lies in (OpenMP 5.1 §4.5.2.21).

use crate::loaded::with_object;
use crate::ompt::{self, Code};
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStringExt;

/// Reports to tools that a device has loaded an image, at `there` on the device.
#[cold]
pub fn report_load(device: i32, number: u64, image: &[u8], there: Option<usize>) {
    let address = image.as_ptr() as usize;
    let (mut file, mut offset, mut vma) = (None, None, None);
    with_object(address, |object| {
        let at = address.wrapping_sub(object.base);
        vma = Some(at);
        offset = i64::try_from(at - object.segment.p_vaddr as usize + object.segment.p_offset as usize).ok();
        file = file_of(object.name);
    });
    let code = Code {
        file: file.as_deref(),
        offset,
        vma,
        bytes: image.len(),
        host: Some(address),
        device: there,
        module: number,
    };
    ompt::device_load(device, &code);
}

/// The file of an object with this name. The program itself has no name.
fn file_of(name: &CStr) -> Option<CString> {
    if !name.is_empty() {
        return Some(name.to_owned());
    }
    let file = std::fs::read_link("/proc/self/exe").ok()?;
    CString::new(file.into_os_string().into_vec()).ok()
}

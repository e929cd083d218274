//! The layout of what a program registers: the description, images, which may be wrapped, and entries, of which there
//! are two layouts.

use std::ffi::{CStr, c_char};

/// `__tgt_bin_desc`
#[repr(C)]
pub struct BinaryDescription {
    count: i32,
    images: *const DeviceImage,
    entries: *const u8,
    entries_end: *const u8,
}

/// `__tgt_device_image`
#[repr(C)]
struct DeviceImage {
    start: *const u8,
    end: *const u8,
    entries: *const u8,
    entries_end: *const u8,
}

/// `__tgt_offload_entry`: an entry up to clang 20. An image has a table of such entries, too.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OldEntry {
    pub address: usize,
    pub name: *const c_char,
    size: usize,
    flags: i32,
    data: i32,
}

/// A kernel, a variable, or the requirements of a compilation unit: an entry since clang 21. The first word, which is
/// the address in old entries, is 0, and a version follows.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    reserved: u64,
    version: u16,
    kind: u16,
    flags: u32,
    /// The host's address; for a kernel, the address by which the program knows the region.
    pub address: usize,
    pub name: *const c_char,
    /// 0 for kernels.
    pub size: usize,
    pub data: i64,
    auxiliary: usize,
}

/// The kind of OpenMP's entries.
const OPENMP: u16 = 1;
/// The only known version.
const VERSION: u16 = 1;

/// `OMP_DECLARE_TARGET_LINK`: the entry is a pointer to the variable on the device.
const LINK: u32 = 0x01;
/// `OMP_DECLARE_TARGET_CTOR`: a kernel, up to clang 16, that is run after the image has been loaded.
const CONSTRUCTOR: u32 = 0x02;
/// `OMP_DECLARE_TARGET_DTOR`: the same, before the image is unloaded.
const DESTRUCTOR: u32 = 0x04;
/// `OMP_DECLARE_TARGET_INDIRECT`: a function that the device calls by the host's pointer.
const INDIRECT: u32 = 0x08;
/// `OMP_REGISTER_REQUIRES`: the clauses of `requires` directives, in `data`.
const REQUIRES: u32 = 0x10;

// SAFETY: the name is only read, and exists as long as its program is registered.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Entry {
    /// The entry's name. The program is registered.
    pub fn name(&self) -> &CStr {
        // SAFETY: a registered program's names exist, and are strings.
        unsafe { CStr::from_ptr(self.name) }
    }

    pub fn is_requirement(&self) -> bool {
        self.flags & REQUIRES != 0
    }

    pub fn is_kernel(&self) -> bool {
        self.size == 0 && self.flags & (CONSTRUCTOR | DESTRUCTOR | REQUIRES) == 0 && self.address != 0
    }

    pub fn is_constructor(&self) -> bool {
        self.flags & (CONSTRUCTOR | REQUIRES) == CONSTRUCTOR
    }

    pub fn is_destructor(&self) -> bool {
        self.flags & (DESTRUCTOR | REQUIRES) == DESTRUCTOR
    }

    pub fn is_global(&self) -> bool {
        self.size != 0 && self.flags & (CONSTRUCTOR | DESTRUCTOR | REQUIRES) == 0 && self.address != 0
    }

    pub fn is_indirect(&self) -> bool {
        self.flags & INDIRECT != 0
    }

    /// Whether the entry is a pointer to the declared variable on the device. Compilers give some such pointers names
    /// of their own.
    pub fn is_reference(&self) -> bool {
        self.size == size_of::<usize>()
            && (self.flags & LINK != 0 || self.name().to_bytes().ends_with(b"_decl_tgt_ref_ptr"))
    }
}

/// The images and entries of a description. The error is the version of an unknown entry.
///
/// # Safety
/// The description is as the compiler makes it.
pub unsafe fn read(description: *const BinaryDescription) -> Result<(Vec<&'static [u8]>, Vec<Entry>), u16> {
    // SAFETY: the caller keeps to the `# Safety` section.
    let description = unsafe { &*description };
    let images = (0..usize::try_from(description.count).unwrap_or(0)).filter_map(|index| {
        // SAFETY: the description counts its images, and each one lies between its start and end.
        let whole = unsafe {
            let image = &*description.images.add(index);
            bytes(image.start, image.end)
        };
        unwrapped(whole)
    });
    // SAFETY: the caller keeps to the `# Safety` section.
    let entries = unsafe { entries(bytes(description.entries, description.entries_end))? };
    Ok((images.collect(), entries))
}

/// # Safety
/// Both are null, or the bounds of memory that exists as long as the program is registered.
unsafe fn bytes(start: *const u8, end: *const u8) -> &'static [u8] {
    if start.is_null() || end <= start {
        return &[];
    }
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { std::slice::from_raw_parts(start, end as usize - start as usize) }
}

/// OpenMP's entries of a table in either layout. The error is an unknown version.
fn entries(table: &[u8]) -> Result<Vec<Entry>, u16> {
    let is_versioned =
        |entry: &Entry| entry.reserved == 0 && (1..=0xff).contains(&entry.version) && entry.kind.is_power_of_two();
    if let Some(mut entries) = all_of::<Entry>(table).filter(|entries| entries.iter().all(is_versioned)) {
        if let Some(unknown) = entries.iter().find(|entry| entry.version != VERSION) {
            return Err(unknown.version);
        }
        entries.retain(|entry| entry.kind == OPENMP);
        return Ok(entries);
    }
    let of = |OldEntry { address, name, size, flags, data }: OldEntry| Entry {
        reserved: 0,
        version: VERSION,
        kind: OPENMP,
        flags: flags as u32,
        address,
        name,
        size,
        data: data.into(),
        auxiliary: 0,
    };
    Ok(all_of(table).unwrap_or_default().into_iter().map(of).collect())
}

/// The elements of a table; `None` if its size is no multiple of an element's.
fn all_of<T: Copy>(table: &[u8]) -> Option<Vec<T>> {
    let elements = table.chunks_exact(size_of::<T>());
    // SAFETY: entries consist of integers and pointers, for which any bits are valid; the read is unaligned.
    let read = |bytes: &[u8]| unsafe { bytes.as_ptr().cast::<T>().read_unaligned() };
    elements.remainder().is_empty().then(|| elements.map(read).collect())
}

/// The first bytes of a wrapped image.
const WRAPPER: [u8; 4] = [0x10, 0xff, 0x10, 0xad];

/// The image in its wrapper, or the image itself if there is no wrapper; `None` if the image is empty.
fn unwrapped(image: &[u8]) -> Option<&[u8]> {
    if !image.starts_with(&WRAPPER) {
        return (!image.is_empty()).then_some(image);
    }
    let word = |at: usize| -> Option<usize> {
        let bytes = image.get(at..at.checked_add(8)?)?;
        usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    // The header: magic, version, size, where the first entry is, how large it is. The entry: kinds and flags, strings,
    // then the image.
    let entry = word(16)?;
    let (start, size) = (word(entry.checked_add(24)?)?, word(entry.checked_add(32)?)?);
    image.get(start..start.checked_add(size)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw<T: Copy>(entries: &[T]) -> &[u8] {
        // SAFETY: plain words.
        unsafe { std::slice::from_raw_parts(entries.as_ptr().cast(), size_of_val(entries)) }
    }

    #[test]
    fn entries_in_the_old_layout() {
        let (kernel, requires) = (c"kernel".as_ptr(), c"".as_ptr());
        let table = [
            OldEntry { address: 16, name: kernel, size: 0, flags: 0, data: 0 },
            OldEntry { address: 0, name: requires, size: 0, flags: 16, data: 8 },
            OldEntry { address: 32, name: kernel, size: 8, flags: 1, data: 0 },
            OldEntry { address: 48, name: kernel, size: 0, flags: 2, data: 0 },
        ];
        let found = entries(raw(&table)).unwrap();
        assert_eq!(
            found.iter().map(|entry| (entry.is_kernel(), entry.is_global())).collect::<Vec<_>>(),
            [(true, false), (false, false), (false, true), (false, false)]
        );
        assert!(found[3].is_constructor() && !found[0].is_constructor());
        assert!(found[1].is_requirement() && found[1].data == 8 && found[2].is_reference());
    }

    #[test]
    fn entries_in_the_layout_with_a_version() {
        let name = c"variable".as_ptr();
        let entry = |kind, flags, address, size, data| Entry {
            reserved: 0,
            version: 1,
            kind,
            flags,
            address,
            name,
            size,
            data,
            auxiliary: 0,
        };
        // Four of 56 bytes are seven of 32: the version decides.
        let table = [entry(1, 0, 16, 0, 0), entry(2, 0, 64, 0, 0), entry(1, 8, 24, 8, 0), entry(1, 16, 0, 0, 8)];
        let found = entries(raw(&table)).unwrap();
        assert_eq!(found.len(), 3);
        assert!(found[0].is_kernel() && found[1].is_indirect() && found[2].is_requirement());
    }

    #[test]
    fn entries_of_a_later_version_were_read_as_those_of_this_one() {
        let name = c"kernel".as_ptr();
        let entry = |version, address| Entry {
            reserved: 0,
            version,
            kind: OPENMP,
            flags: 0,
            address,
            name,
            size: 0,
            data: 0,
            auxiliary: 0,
        };
        assert_eq!(entries(raw(&[entry(1, 16), entry(2, 24)])), Err(2));
        assert_eq!(entries(raw(&[entry(1, 16)])).map(|found| found.len()), Ok(1));
    }

    #[test]
    fn wrapped_images() {
        let image = b"\x7fELF and so on";
        let mut wrapped = vec![0_u8; 72];
        wrapped[..4].copy_from_slice(&WRAPPER);
        wrapped[16..24].copy_from_slice(&32_u64.to_le_bytes());
        wrapped[56..64].copy_from_slice(&72_u64.to_le_bytes());
        wrapped[64..72].copy_from_slice(&(image.len() as u64).to_le_bytes());
        wrapped.extend_from_slice(image);
        assert_eq!(unwrapped(&wrapped), Some(image.as_slice()));
        assert_eq!(unwrapped(image), Some(image.as_slice()));
        assert_eq!(unwrapped(&wrapped[..80]), None);
        assert_eq!(unwrapped(&[]), None);
    }
}

//! Images on a host device. Each device loads its own copy of the shared object in the program's memory, so each device
//! has its own variables.

use crate::arch;
use crate::device::driver::{Address, Module};
use crate::device::images::layout::OldEntry;
use crate::park::mutex::Mutex;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd};

/// A loaded copy.
struct Copy {
    /// The dynamic linker's handle.
    handle: usize,
    /// The file, which stays open: the dynamic linker knows the copy by a name with the file's number.
    file: File,
    /// The image's own table of entries: offset in the copy, and length, both in bytes.
    entries: Option<(usize, usize)>,
}

static COPIES: Mutex<Vec<Copy>> = Mutex::new(Vec::new());
/// Files of unloaded copies that the dynamic linker may still know.
static LEAVING: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// Whether the image is a shared object for this processor.
pub fn fits(image: &[u8]) -> bool {
    const DYNAMIC: [u8; 2] = [3, 0];
    // 64 bits, least significant byte first.
    image.starts_with(b"\x7fELF\x02\x01")
        && image.get(16..20) == Some([DYNAMIC, arch::ELF_MACHINE.to_le_bytes()].concat().as_slice())
}

/// Loads a copy of the image; its constructors run.
pub fn load(image: &[u8]) -> Result<Module, String> {
    close_forgotten();
    let in_memory = in_memory(image).and_then(|file| open(file, image, None));
    // If files without a name cannot be executed, a file with a name serves.
    in_memory.or_else(|why| in_folder(image).map_err(|second| format!("{why}; {second}")))
}

/// The offset of a section in the loaded image, and its length, both in bytes. `name` ends with a zero byte.
fn section(image: &[u8], name: &[u8]) -> Option<(usize, usize)> {
    let bytes = |at: usize, number: usize| image.get(at..at.checked_add(number)?);
    let half = |at: usize| Some(u16::from_le_bytes(bytes(at, 2)?.try_into().ok()?) as usize);
    let word = |at: usize| Some(u32::from_le_bytes(bytes(at, 4)?.try_into().ok()?) as usize);
    let long = |at: usize| usize::try_from(u64::from_le_bytes(bytes(at, 8)?.try_into().ok()?)).ok();
    // The file header (elf(5)): where the section headers begin, their size and number, which of them has the names.
    let (headers, size, number, names) = (long(40)?, half(58)?, half(60)?, half(62)?);
    let header = |index: usize| headers.checked_add(index.checked_mul(size)?);
    let names = long(header(names)?.checked_add(24)?)?;
    (0..number).find_map(|index| {
        let header = header(index)?;
        let begins = names.checked_add(word(header)?)?;
        (bytes(begins, name.len())? == name).then_some(())?;
        Some((long(header.checked_add(16)?)?, long(header.checked_add(32)?)?))
    })
}

/// The address of an entry by the image's own table. Up to clang 16, the code of constructors and destructors has no
/// symbol that the dynamic linker finds.
fn listed(module: Module, name: &CStr) -> Option<Address> {
    let entries =
        COPIES.with(|copies| copies.iter().find(|copy| copy.handle == module.0).and_then(|copy| copy.entries));
    let (offset, bytes) = entries?;
    let first = (address(module)?.checked_add(offset)?) as *const OldEntry;
    (0..bytes / size_of::<OldEntry>()).find_map(|index| {
        // SAFETY: the section is part of the loaded copy, and the dynamic linker has relocated its addresses; a name is
        // a string or null.
        unsafe {
            let entry = &*first.add(index);
            (!entry.name.is_null() && CStr::from_ptr(entry.name) == name && entry.address != 0).then_some(entry.address)
        }
    })
}

/// A file in memory that contains the image.
fn in_memory(image: &[u8]) -> Result<File, String> {
    /// `MFD_EXEC`. Older kernels reject the flag, and let files in memory be executed without it.
    const EXECUTABLE: u32 = 0x10;
    let create = |flags: u32| {
        // SAFETY: the name is a string. glibc has the function only since 2.27, hence the system call.
        unsafe { libc::syscall(libc::SYS_memfd_create, c"ferromp-device".as_ptr(), libc::MFD_CLOEXEC | flags) as i32 }
    };
    let number = match create(EXECUTABLE) {
        -1 => create(0),
        number => number,
    };
    if number == -1 {
        return Err(format!("no file in memory: {}", std::io::Error::last_os_error()));
    }
    // SAFETY: the file has just been opened, and is owned by no one else.
    filled(unsafe { File::from_raw_fd(number) }, image)
}

/// Loads the image from a file in the folder for temporary files, and removes the file's name.
fn in_folder(image: &[u8]) -> Result<Module, String> {
    let mut name = std::env::temp_dir().join("ferromp-device-XXXXXX").into_os_string().into_encoded_bytes();
    name.push(0);
    // SAFETY: the name is a writable string that ends with XXXXXX.
    let number = unsafe { libc::mkostemp(name.as_mut_ptr().cast(), libc::O_CLOEXEC) };
    let path = CString::from_vec_with_nul(name)
        .map_err(|_| String::from("the folder for temporary files has no usable name"))?;
    if number == -1 {
        return Err(format!("no temporary file: {}", std::io::Error::last_os_error()));
    }
    // SAFETY: as in `in_memory`.
    let file = filled(unsafe { File::from_raw_fd(number) }, image);
    let module = file.and_then(|file| open(file, image, Some(&path)));
    // SAFETY: the name is a string.
    unsafe { libc::unlink(path.as_ptr()) };
    module
}

fn filled(mut file: File, image: &[u8]) -> Result<File, String> {
    let written = file.write_all(image).and_then(|()| file.seek(SeekFrom::Start(0)));
    written.map(|_| file).map_err(|why| format!("cannot copy the image: {why}"))
}

/// Loads the file, which contains the image, by its number if it has no name.
fn open(file: File, image: &[u8], path: Option<&CStr>) -> Result<Module, String> {
    let by_number = by_number(&file);
    let path = path.unwrap_or(&by_number);
    // SAFETY: loads the program's own code.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(linker_says());
    }
    let handle = handle as usize;
    let entries = section(image, b"omp_offloading_entries\0");
    COPIES.with(|copies| copies.push(Copy { handle, file, entries }));
    Ok(Module(handle))
}

/// A name of the file that other processes understand, too. A debugger opens the names that the dynamic linker has
/// listed; with `self` it would open a file of its own, or wait for ever on a pipe.
fn by_number(file: &File) -> CString {
    let process = std::fs::read_link("/proc/self").map_or("self".into(), |link| link.to_string_lossy().into_owned());
    CString::new(format!("/proc/{process}/fd/{}", file.as_raw_fd())).expect("neither has zero bytes")
}

fn linker_says() -> String {
    // SAFETY: null or a string that stays until this thread's next call of the dynamic linker.
    let text = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
    text.map_or(String::from("the dynamic linker does not say why"), |text| text.to_string_lossy().into_owned())
}

/// Runs a copy's destructors, and unloads it.
pub fn unload(module: Module) {
    let copy = COPIES.with(|copies| {
        let index = copies.iter().position(|copy| copy.handle == module.0)?;
        Some(copies.swap_remove(index))
    });
    let Some(copy) = copy else { return };
    // SAFETY: the handle is from `dlopen`, and is closed once.
    unsafe { libc::dlclose(module.0 as *mut c_void) };
    LEAVING.with(|leaving| leaving.push(copy.file));
    close_forgotten();
}

/// Closes the files of copies that the dynamic linker has forgotten. A copy that is unloaded by a library's destructor
/// is forgotten only after the library, and some code is never forgotten. Until then no other file may get the same
/// number: the dynamic linker would take the other file for this one.
fn close_forgotten() {
    let gone: Vec<File> = LEAVING.with(std::mem::take);
    let (there, _gone): (Vec<File>, Vec<File>) = gone.into_iter().partition(is_loaded);
    LEAVING.with(|leaving| leaving.extend(there));
}

/// Whether the dynamic linker knows the file by its number.
fn is_loaded(file: &File) -> bool {
    // SAFETY: a handle that is opened is closed again.
    unsafe {
        let handle = libc::dlopen(by_number(file).as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        !handle.is_null() && libc::dlclose(handle) == 0
    }
}

/// The address and the size of a symbol; the size is 0 if it is unknown.
pub fn symbol(module: Module, name: &CStr) -> Option<(Address, usize)> {
    // SAFETY: the handle is from `dlopen`, the name is a string.
    let address = unsafe { libc::dlsym(module.0 as *mut c_void, name.as_ptr()) };
    if address.is_null() {
        return Some((listed(module, name)?, 0));
    }
    Some((address as usize, entry_of(address).map_or(0, |symbol| symbol.st_size as usize)))
}

/// Where the copy has been loaded.
pub fn address(module: Module) -> Option<Address> {
    /// The begin of what a handle of the C library points to.
    #[repr(C)]
    struct LinkMap {
        base: usize,
    }
    let mut map: *const LinkMap = std::ptr::null();
    // SAFETY: the handle is from `dlopen`; the call writes one pointer, to what stays as long as the copy.
    unsafe {
        (libc::dlinfo(module.0 as *mut c_void, libc::RTLD_DI_LINKMAP, (&raw mut map).cast()) == 0 && !map.is_null())
            .then(|| (*map).base)
    }
}

unsafe extern "C" {
    fn dladdr1(address: *const c_void, info: *mut libc::Dl_info, extra: *mut *mut c_void, flags: c_int) -> c_int;
}

/// The entry of the symbol table for the symbol that begins at an address.
fn entry_of(address: *mut c_void) -> Option<&'static libc::Elf64_Sym> {
    const SYMBOL: c_int = 1;
    let mut extra = std::ptr::null_mut();
    // SAFETY: the call writes to both places; the entry is part of the loaded object.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        let found = dladdr1(address, &mut info, &mut extra, SYMBOL) != 0 && info.dli_saddr == address;
        let none: *const c_char = std::ptr::null();
        (found && info.dli_sname != none).then(|| extra.cast::<libc::Elf64_Sym>().as_ref()).flatten()
    }
}

/// In a forked child, where the thread that was loading an image does not exist.
pub fn after_fork() {
    COPIES.force_open();
    LEAVING.force_open();
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn sections_are_found_and_rubbish_has_none() {
        let image = std::fs::read("/proc/self/exe").unwrap();
        let (offset, bytes) = section(&image, b".text\0").unwrap();
        assert!(offset > 0 && bytes > 0 && bytes < image.len());
        assert_eq!(section(&image, b".nothing\0"), None);
        for end in [0, 16, 63, 64, image.len() / 2] {
            assert_eq!(section(&image[..end], b".text\0"), None, "a file that ends after {end} bytes");
        }
        assert_eq!(section(&[0xff; 200], b".text\0"), None);
    }
}

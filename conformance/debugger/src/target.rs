//! What can be looked at, be it a stopped process or a core file: memory, threads and symbols.

use crate::modules::Module;

/// A thread while it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// By which number the kernel knows it.
    pub lwp: i32,
    /// By which the C library does (`pthread_t`): on x86-64 the address that the register `fs` stands for.
    pub pthread: u64,
    /// The registers that tests need.
    pub pc: u64,
    pub sp: u64,
}

/// A stopped process, or what is left of one. Reading is for any thread.
pub trait Target: Send + Sync {
    /// Reads as many bytes as there are in `bytes`; `false` if they are not all there.
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool;

    /// Writes; `false` if it cannot.
    fn write(&self, address: u64, bytes: &[u8]) -> bool;

    /// The threads, in the order of their creation.
    fn threads(&self) -> Vec<Thread>;

    /// The files behind its memory, the program first.
    fn modules(&self) -> Vec<Module>;

    /// The address of a symbol: of the file of that name if one is given, of the first that defines it otherwise.
    fn symbol(&self, name: &str, file: Option<&str>) -> Option<u64> {
        let in_file =
            |module: &Module| file.is_none_or(|file| file == module.name() || module.path.to_str() == Some(file));
        self.modules().iter().filter(|module| in_file(module)).find_map(|module| module.symbol(name))
    }

    /// The value at an address.
    fn value<T: Plain>(&self, address: u64) -> Option<T>
    where
        Self: Sized,
    {
        value(self, address)
    }
}

/// The value at an address.
pub fn value<T: Plain>(target: &dyn Target, address: u64) -> Option<T> {
    let mut value = T::default();
    // SAFETY: plain types are made of bytes that may all have any value.
    let bytes = unsafe { std::slice::from_raw_parts_mut((&raw mut value).cast::<u8>(), size_of::<T>()) };
    target.read(address, bytes).then_some(value)
}

/// The values from an address on.
pub fn values<T: Plain>(target: &dyn Target, address: u64, count: usize) -> Option<Vec<T>> {
    let mut values = vec![T::default(); count];
    // SAFETY: as above; the bytes are the vector's.
    let bytes = unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), count * size_of::<T>()) };
    target.read(address, bytes).then_some(values)
}

/// The string at an address, without its end; `None` if it is not readable or longer than 4096 bytes.
pub fn string(target: &dyn Target, address: u64) -> Option<String> {
    let mut bytes = Vec::new();
    while bytes.len() < 4096 {
        match value::<u8>(target, address + bytes.len() as u64)? {
            0 => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            byte => bytes.push(byte),
        }
    }
    None
}

/// A type that has no invalid values, no padding and no pointers.
///
/// # Safety
/// As said; values are made of bytes from elsewhere.
pub unsafe trait Plain: Copy + Default {}

// SAFETY: numbers.
unsafe impl Plain for u8 {}
// SAFETY: numbers.
unsafe impl Plain for i32 {}
// SAFETY: numbers.
unsafe impl Plain for u32 {}
// SAFETY: numbers.
unsafe impl Plain for i64 {}
// SAFETY: numbers.
unsafe impl Plain for u64 {}

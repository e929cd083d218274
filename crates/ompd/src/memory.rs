//! The program's memory, as the debugger's callbacks show it: bytes, numbers of any size and byte order, strings,
//! symbols (OpenMP 5.1, sections 5.4.2 to 5.4.4). Nothing is kept from one call of the library to the next, because the
//! program may have run.

use crate::heap::Heap;
use crate::{Address, AddressSpaceContext, Callbacks, DeviceTypeSizes, Rc, SEGMENT_NONE};
use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::ptr::null_mut;

/// The most reads of one call of the library. No program needs more, not even one with a hundred thousand tasks that
/// generate one another. A call therefore ends whatever the debugger answers.
const MOST_READS: u32 = 1 << 22;

/// Each further piece of this many bytes counts as one more read, because large pieces take time too.
const LARGE: usize = 256;

/// The program's memory in one context of the debugger, during one call of the library.
#[derive(Clone)]
pub struct Memory {
    callbacks: Callbacks,
    context: *mut AddressSpaceContext,
    heap: Heap,
    /// Whether the program's byte order is not the library's.
    swapped: bool,
    /// Bytes of a pointer: 4 or 8.
    pointer: usize,
    /// Reads that are left to this call.
    left: Cell<u32>,
}

/// The answer of a function whose callback failed. The debugger's handle may be stale, or the debugger may lack memory;
/// every other failure is an unexpected error (section 5.5).
pub fn checked(answer: Rc) -> Result<(), Rc> {
    match answer {
        Rc::OK => Ok(()),
        Rc::STALE_HANDLE | Rc::NOMEM => Err(answer),
        _ => Err(Rc::CALLBACK_ERROR),
    }
}

impl Memory {
    /// The memory behind `context`. Asks for sizes and byte order, which stay what they are while the program exists.
    pub fn new(callbacks: &Callbacks, context: *mut AddressSpaceContext) -> Result<Memory, Rc> {
        let heap = Heap::of(callbacks)?;
        let mut sizes = DeviceTypeSizes {
            sizeof_char: 0,
            sizeof_short: 0,
            sizeof_int: 0,
            sizeof_long: 0,
            sizeof_long_long: 0,
            sizeof_pointer: 0,
        };
        let sizeof = callbacks.sizeof_type.ok_or(Rc::BAD_INPUT)?;
        // SAFETY: the debugger's function, with its own context and a place to write to.
        checked(unsafe { sizeof(context, &mut sizes) })?;
        let pointer = usize::from(sizes.sizeof_pointer);
        if !matches!(pointer, 4 | 8) {
            return Err(Rc::CALLBACK_ERROR);
        }
        let mut memory =
            Memory { callbacks: *callbacks, context, heap, swapped: false, pointer, left: Cell::new(MOST_READS) };
        memory.swapped = memory.is_swapped()?;
        Ok(memory)
    }

    /// The same memory through another context of the debugger's.
    pub fn through(&self, context: *mut AddressSpaceContext) -> Memory {
        Memory { context, ..self.clone() }
    }

    /// Another read of this call's, of so many bytes.
    fn spend(&self, bytes: usize) -> Result<(), Rc> {
        let reads = u32::try_from(bytes / LARGE).unwrap_or(u32::MAX).saturating_add(1);
        self.left.set(self.left.get().checked_sub(reads).ok_or(Rc::ERROR)?);
        Ok(())
    }

    /// Asks the debugger what becomes of numbers of each size.
    fn is_swapped(&self) -> Result<bool, Rc> {
        let convert = self.callbacks.device_to_host.ok_or(Rc::BAD_INPUT)?;
        let mut found = None;
        for size in [2, 4, 8_usize] {
            let given: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
            let given = given.get(..size).unwrap_or_default();
            let mut taken = [0; 8];
            // SAFETY: the debugger's function, with buffers of the sizes that it gets.
            checked(unsafe {
                convert(self.context, given.as_ptr().cast(), size as u64, 1, taken.as_mut_ptr().cast())
            })?;
            let taken = taken.get(..size).unwrap_or_default();
            let swapped = match taken == given {
                true => false,
                false if taken.iter().eq(given.iter().rev()) => true,
                false => return Err(Rc::CALLBACK_ERROR),
            };
            if found.is_some_and(|before| before != swapped) {
                return Err(Rc::CALLBACK_ERROR);
            }
            found = Some(swapped);
        }
        Ok(found.unwrap_or(false))
    }

    /// The source of the library's own memory.
    pub fn heap(&self) -> Heap {
        self.heap
    }

    /// The debugger's functions.
    pub fn callbacks(&self) -> &Callbacks {
        &self.callbacks
    }

    /// The debugger's name of the address space.
    pub fn context(&self) -> *mut AddressSpaceContext {
        self.context
    }

    /// Bytes of a pointer in the program.
    pub fn pointer_size(&self) -> usize {
        self.pointer
    }

    /// Fills `buffer` with the bytes at `address`. Nothing lies at null.
    pub fn read(&self, address: u64, buffer: &mut [u8]) -> Result<(), Rc> {
        if buffer.is_empty() {
            return Ok(());
        }
        if address == 0 || address.checked_add(buffer.len() as u64 - 1).is_none() {
            return Err(Rc::ERROR);
        }
        self.spend(buffer.len())?;
        let read = self.callbacks.read_memory.ok_or(Rc::BAD_INPUT)?;
        let address = Address { segment: SEGMENT_NONE, address };
        // SAFETY: the debugger's function gets a buffer with as many bytes as its length says.
        checked(unsafe { read(self.context, null_mut(), &address, buffer.len() as u64, buffer.as_mut_ptr().cast()) })
    }

    /// The unsigned number that a copy of the program's bytes holds: 1, 2, 4 or 8 of them.
    pub fn number(&self, bytes: &[u8]) -> Result<u64, Rc> {
        let mut wide = [0; 8];
        let used = match (bytes.len(), self.is_little()) {
            (1 | 2 | 4 | 8, true) => wide.get_mut(..bytes.len()),
            (1 | 2 | 4 | 8, false) => wide.get_mut(8 - bytes.len()..),
            _ => None,
        };
        used.ok_or(Rc::INCOMPATIBLE)?.copy_from_slice(bytes);
        Ok(if self.is_little() { u64::from_le_bytes(wide) } else { u64::from_be_bytes(wide) })
    }

    fn is_little(&self) -> bool {
        cfg!(target_endian = "little") != self.swapped
    }

    /// The unsigned number of `size` bytes at `address`.
    pub fn unsigned(&self, address: u64, size: usize) -> Result<u64, Rc> {
        let mut bytes = [0; 8];
        let bytes = bytes.get_mut(..size).ok_or(Rc::INCOMPATIBLE)?;
        self.read(address, bytes)?;
        self.number(bytes)
    }

    /// The pointer at `address`.
    pub fn pointer(&self, address: u64) -> Result<u64, Rc> {
        self.unsigned(address, self.pointer)
    }

    /// The string at `address`, cut off at the end of `buffer`, without its zero byte.
    pub fn string<'b>(&self, address: u64, buffer: &'b mut [u8]) -> Result<&'b [u8], Rc> {
        if address == 0 || buffer.is_empty() {
            return Err(Rc::ERROR);
        }
        self.spend(buffer.len())?;
        let read = self.callbacks.read_string.ok_or(Rc::BAD_INPUT)?;
        let address = Address { segment: SEGMENT_NONE, address };
        buffer.fill(0);
        // SAFETY: the debugger's function gets a buffer with as many bytes as its length says.
        let answer =
            unsafe { read(self.context, null_mut(), &address, buffer.len() as u64, buffer.as_mut_ptr().cast()) };
        if answer != Rc::INCOMPLETE {
            checked(answer)?;
        }
        Ok(buffer.split(|&byte| byte == 0).next().unwrap_or_default())
    }

    /// Where a symbol of the program lies; `None` if it has no such symbol.
    pub fn symbol(&self, name: &CStr) -> Result<Option<u64>, Rc> {
        let look_up = self.callbacks.symbol_addr_lookup.ok_or(Rc::BAD_INPUT)?;
        let mut found = Address { segment: SEGMENT_NONE, address: 0 };
        // SAFETY: the debugger's function, with a C string and a place to write to.
        let answer = unsafe { look_up(self.context, null_mut(), name.as_ptr(), &mut found, std::ptr::null()) };
        match answer {
            // Some debuggers report success and give no address.
            Rc::OK => Ok(Some(found.address).filter(|&address| address != 0 && address != u64::MAX)),
            Rc::ERROR | Rc::UNAVAILABLE | Rc::BAD_INPUT => Ok(None),
            other => checked(other).map(|()| None),
        }
    }

    /// Makes the debugger print a line for its user.
    pub fn print(&self, line: &CStr) {
        /// The category of an error, as in other libraries.
        const CATEGORY: c_int = 0;
        if let Some(print) = self.callbacks.print_string {
            // SAFETY: the debugger's function, with a C string.
            let _ = unsafe { print(line.as_ptr(), CATEGORY) };
        }
    }
}

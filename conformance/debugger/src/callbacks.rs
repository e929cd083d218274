//! The callbacks that libompd sees the program through (OpenMP 5.1, section 5.4), for a target of this machine's kind.
//! An address space context is a [`Context`]; a thread context is the number of its thread in the target's list, from
//! 1.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use ompd::{
    Address, AddressSpaceContext, Callbacks, DeviceTypeSizes, Rc, Size, THREAD_ID_LWP, THREAD_ID_PTHREAD,
    ThreadContext, ThreadId,
};

use crate::target::{self, Target};

/// What the library has of an address space: a pointer to this.
pub struct Context {
    pub target: Arc<dyn Target>,
}

thread_local! {
    /// How many pieces of memory the library got in this thread and did not give back.
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// What the library printed, by all threads.
static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// How many pieces of memory the library has allocated in this thread and not yet freed.
pub fn held() -> i64 {
    HELD.with(Cell::get)
}

/// What the library has printed since the last call of this function.
pub fn printed() -> Vec<String> {
    std::mem::take(&mut PRINTED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The table of them all.
pub fn table() -> Callbacks {
    Callbacks {
        alloc_memory: Some(alloc_memory),
        free_memory: Some(free_memory),
        print_string: Some(print_string),
        sizeof_type: Some(sizeof_type),
        symbol_addr_lookup: Some(symbol_addr_lookup),
        read_memory: Some(read_memory),
        write_memory: Some(write_memory),
        read_string: Some(read_string),
        device_to_host: Some(copy_units),
        host_to_device: Some(copy_units),
        get_thread_context_for_thread_id: Some(get_thread_context_for_thread_id),
    }
}

/// The target behind a context.
///
/// # Safety
/// The context is null or one of ours.
unsafe fn target<'a>(context: *mut AddressSpaceContext) -> Option<&'a Arc<dyn Target>> {
    // SAFETY: the caller's promise.
    unsafe { context.cast::<Context>().as_ref() }.map(|context| &context.target)
}

unsafe extern "C" fn alloc_memory(nbytes: Size, ptr: *mut *mut c_void) -> Rc {
    let Ok(bytes) = usize::try_from(nbytes) else { return Rc::NOMEM };
    // SAFETY: any size is allowed.
    let memory = unsafe { libc::malloc(bytes.max(1)) };
    if memory.is_null() {
        return Rc::NOMEM;
    }
    HELD.with(|held| held.set(held.get() + 1));
    // SAFETY: the library passes a place for the pointer.
    unsafe { *ptr = memory };
    Rc::OK
}

unsafe extern "C" fn free_memory(ptr: *mut c_void) -> Rc {
    if !ptr.is_null() {
        HELD.with(|held| held.set(held.get() - 1));
    }
    // SAFETY: the library gives back what it got.
    unsafe { libc::free(ptr) };
    Rc::OK
}

unsafe extern "C" fn print_string(string: *const c_char, _category: c_int) -> Rc {
    // SAFETY: the library passes a string.
    let text = unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned();
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    Rc::OK
}

unsafe extern "C" fn sizeof_type(_: *mut AddressSpaceContext, sizes: *mut DeviceTypeSizes) -> Rc {
    let host = DeviceTypeSizes {
        sizeof_char: 1,
        sizeof_short: 2,
        sizeof_int: 4,
        sizeof_long: 8,
        sizeof_long_long: 8,
        sizeof_pointer: 8,
    };
    // SAFETY: the library passes a place for them.
    unsafe { *sizes = host };
    Rc::OK
}

unsafe extern "C" fn symbol_addr_lookup(
    context: *mut AddressSpaceContext,
    _thread: *mut ThreadContext,
    symbol_name: *const c_char,
    symbol_addr: *mut Address,
    file_name: *const c_char,
) -> Rc {
    // SAFETY: the library passes one of our contexts, a string, and a string or null.
    let (target, name, file) = unsafe {
        let file = if file_name.is_null() { None } else { CStr::from_ptr(file_name).to_str().ok() };
        (target(context), CStr::from_ptr(symbol_name), file)
    };
    let (Some(target), Ok(name)) = (target, name.to_str()) else { return Rc::BAD_INPUT };
    match target.symbol(name, file) {
        Some(address) => {
            // SAFETY: the library passes a place for it.
            unsafe { *symbol_addr = Address { segment: ompd::SEGMENT_NONE, address } };
            Rc::OK
        }
        None => Rc::ERROR,
    }
}

unsafe extern "C" fn read_memory(
    context: *mut AddressSpaceContext,
    _thread: *mut ThreadContext,
    addr: *const Address,
    nbytes: Size,
    buffer: *mut c_void,
) -> Rc {
    // SAFETY: the library passes one of our contexts, an address, and a buffer of that many bytes.
    let (target, address, bytes) = unsafe {
        let bytes = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), usize::try_from(nbytes).unwrap_or(0));
        (target(context), (*addr).address, bytes)
    };
    match target {
        Some(target) if target.read(address, bytes) => Rc::OK,
        Some(_) => Rc::ERROR,
        None => Rc::BAD_INPUT,
    }
}

unsafe extern "C" fn write_memory(
    context: *mut AddressSpaceContext,
    _thread: *mut ThreadContext,
    addr: *const Address,
    nbytes: Size,
    buffer: *const c_void,
) -> Rc {
    // SAFETY: as in `read_memory`, the other way round.
    let (target, address, bytes) = unsafe {
        let bytes = std::slice::from_raw_parts(buffer.cast::<u8>(), usize::try_from(nbytes).unwrap_or(0));
        (target(context), (*addr).address, bytes)
    };
    match target {
        Some(target) if target.write(address, bytes) => Rc::OK,
        Some(_) => Rc::ERROR,
        None => Rc::BAD_INPUT,
    }
}

unsafe extern "C" fn read_string(
    context: *mut AddressSpaceContext,
    _thread: *mut ThreadContext,
    addr: *const Address,
    nbytes: Size,
    buffer: *mut c_void,
) -> Rc {
    // SAFETY: as in `read_memory`.
    let (target, address, bytes) = unsafe {
        let bytes = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), usize::try_from(nbytes).unwrap_or(0));
        (target(context), (*addr).address, bytes)
    };
    let Some(target) = target else { return Rc::BAD_INPUT };
    for (number, byte) in bytes.iter_mut().enumerate() {
        match target::value::<u8>(&**target, address + number as u64) {
            Some(value) => *byte = value,
            None => return Rc::ERROR,
        }
        if *byte == 0 {
            return Rc::OK;
        }
    }
    Rc::INCOMPLETE
}

/// Both ways: program and debugger are of one kind.
unsafe extern "C" fn copy_units(
    _: *mut AddressSpaceContext,
    input: *const c_void,
    unit_size: Size,
    count: Size,
    output: *mut c_void,
) -> Rc {
    let Some(bytes) = unit_size.checked_mul(count).and_then(|bytes| usize::try_from(bytes).ok()) else {
        return Rc::BAD_INPUT;
    };
    // SAFETY: the library passes both with that many bytes; they may be the same.
    unsafe { std::ptr::copy(input.cast::<u8>(), output.cast::<u8>(), bytes) };
    Rc::OK
}

unsafe extern "C" fn get_thread_context_for_thread_id(
    context: *mut AddressSpaceContext,
    kind: ThreadId,
    sizeof_thread_id: Size,
    thread_id: *const c_void,
    thread_context: *mut *mut ThreadContext,
) -> Rc {
    let size = usize::try_from(sizeof_thread_id).unwrap_or(0);
    let mut id = [0; 8];
    if size > id.len() || thread_id.is_null() {
        return Rc::BAD_INPUT;
    }
    // SAFETY: the library passes an identifier of that size.
    unsafe { std::ptr::copy_nonoverlapping(thread_id.cast::<u8>(), id.as_mut_ptr(), size) };
    let id = u64::from_ne_bytes(id);
    // SAFETY: the library passes one of our contexts.
    let Some(target) = (unsafe { target(context) }) else { return Rc::BAD_INPUT };
    let found = target.threads().iter().position(|thread| match kind {
        THREAD_ID_PTHREAD => size == 8 && thread.pthread == id,
        THREAD_ID_LWP => u64::from(thread.lwp.unsigned_abs()) == id,
        _ => false,
    });
    match found {
        Some(number) => {
            // SAFETY: the library passes a place for it, which it does not follow.
            unsafe { *thread_context = std::ptr::without_provenance_mut(number + 1) };
            Rc::OK
        }
        None if kind > THREAD_ID_LWP => Rc::UNSUPPORTED,
        None => Rc::UNAVAILABLE,
    }
}

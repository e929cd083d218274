//! The functions that the debugger lends the library, through which alone it sees the program.
//! OpenMP 5.1, section 5.4.

use crate::{Address, AddressSpaceContext, DeviceTypeSizes, Rc, Size, ThreadContext, ThreadId};
use std::ffi::{c_char, c_int, c_void};

ompt::function_types! {
    /// The types of the debugger's functions.
    pub(crate) CALLBACK_TYPES:
    /// gives the library memory (5.4.1.1).
    MemoryAlloc "ompd_callback_memory_alloc_fn" (nbytes: Size, ptr: *mut *mut c_void) -> Rc;
    /// takes it back (5.4.1.2).
    MemoryFree "ompd_callback_memory_free_fn" (ptr: *mut c_void) -> Rc;
    /// finds the debugger's name for a thread by its native identifier (5.4.2.1).
    GetThreadContextForThreadId "ompd_callback_get_thread_context_for_thread_id_fn" (
        address_space_context: *mut AddressSpaceContext, kind: ThreadId, sizeof_thread_id: Size,
            thread_id: *const c_void,
        thread_context: *mut *mut ThreadContext,
    ) -> Rc;
    /// tells the sizes of C's types in the program (5.4.2.2).
    Sizeof "ompd_callback_sizeof_fn" (address_space_context: *mut AddressSpaceContext, sizes: *mut DeviceTypeSizes) -> Rc;
    /// finds the address of a symbol (5.4.3.1).
    SymbolAddr "ompd_callback_symbol_addr_fn" (
        address_space_context: *mut AddressSpaceContext, thread_context: *mut ThreadContext, symbol_name: *const c_char,
        symbol_addr: *mut Address, file_name: *const c_char,
    ) -> Rc;
    /// reads the program's memory, bytes or a string (5.4.3.2).
    MemoryRead "ompd_callback_memory_read_fn" (
        address_space_context: *mut AddressSpaceContext, thread_context: *mut ThreadContext, addr: *const Address,
            nbytes: Size,
        buffer: *mut c_void,
    ) -> Rc;
    /// writes the program's memory (5.4.3.3).
    MemoryWrite "ompd_callback_memory_write_fn" (
        address_space_context: *mut AddressSpaceContext, thread_context: *mut ThreadContext, addr: *const Address,
            nbytes: Size,
        buffer: *const c_void,
    ) -> Rc;
    /// converts between the byte orders of program and library (5.4.4).
    DeviceHost "ompd_callback_device_host_fn" (
        address_space_context: *mut AddressSpaceContext, input: *const c_void, unit_size: Size, count: Size,
            output: *mut c_void,
    ) -> Rc;
    /// prints for the user (5.4.5).
    PrintString "ompd_callback_print_string_fn" (string: *const c_char, category: c_int) -> Rc;
}

ompt::described! {
    /// All of them, as the debugger hands them to `ompd_initialize` (`ompd_callbacks_t`, 5.4.6).
    #[repr(C)]
    #[derive(Copy, Clone, Debug, Default)]
    pub struct Callbacks {
        /// Gives memory.
        pub alloc_memory: Option<MemoryAlloc>,
        /// Takes memory back.
        pub free_memory: Option<MemoryFree>,
        /// Prints for the user.
        pub print_string: Option<PrintString>,
        /// Tells the sizes of types.
        pub sizeof_type: Option<Sizeof>,
        /// Finds symbols.
        pub symbol_addr_lookup: Option<SymbolAddr>,
        /// Reads bytes.
        pub read_memory: Option<MemoryRead>,
        /// Writes bytes.
        pub write_memory: Option<MemoryWrite>,
        /// Reads a string up to its end.
        pub read_string: Option<MemoryRead>,
        /// Converts what was read.
        pub device_to_host: Option<DeviceHost>,
        /// Converts numbers that are written to the program.
        pub host_to_device: Option<DeviceHost>,
        /// Finds threads.
        pub get_thread_context_for_thread_id: Option<GetThreadContextForThreadId>,
    }
}

impl Callbacks {
    /// Whether the debugger provides all callbacks that the library needs. The library can do without writing into the
    /// program and without printing.
    pub fn suffice(&self) -> bool {
        self.alloc_memory.is_some()
            && self.free_memory.is_some()
            && self.sizeof_type.is_some()
            && self.symbol_addr_lookup.is_some()
            && self.read_memory.is_some()
            && self.read_string.is_some()
            && self.device_to_host.is_some()
            && self.host_to_device.is_some()
            && self.get_thread_context_for_thread_id.is_some()
    }

    /// Whether both are the same functions.
    pub fn are(&self, other: &Callbacks) -> bool {
        macro_rules! same {
            ($($field:ident)*) => { true $( && self.$field.map(|f| f as usize) == other.$field.map(|f| f as usize) )* };
        }
        same!(alloc_memory free_memory print_string sizeof_type symbol_addr_lookup read_memory write_memory read_string
              device_to_host host_to_device get_thread_context_for_thread_id)
    }
}

//! A program that exists in the tests' memory alone, and a debugger that shows the program to the library.
//!
//!
//! The program has threads, teams and tasks as the runtime has them, but at other offsets, in any byte order, and with
//! pointers of 4 or 8 bytes. The debugger's functions can be made to fail.

mod lists;
mod program;
mod refusals;
mod regions;
mod tasks;

use crate::*;
use ompd_layout::{Entry, Field, MAGIC, VERSION};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

pub use program::Program;

/// Where memory begins, so that small numbers are no addresses.
const BASE: u64 = 0x1_0000;

/// A program's memory, and how its debugger behaves.
pub struct Fake {
    pub big_endian: bool,
    pub pointer: usize,
    memory: RefCell<Vec<u8>>,
    entries: Vec<Entry>,
    object: u64,
    /// Answers of the debugger's functions; with `Rc::OK` a function works.
    pub sizeof_fails: Cell<Rc>,
    pub symbol_fails: Cell<Rc>,
    pub convert_fails: Cell<Rc>,
    pub read_fails: Cell<Rc>,
    /// Reads that succeed before they fail as `read_fails` says.
    pub reads_left: Cell<u64>,
    pub pointer_reported: Cell<u8>,
    pub scrambles: Cell<bool>,
    /// Whether every pointer that is read is another address of existing memory.
    pub dreams: Cell<bool>,
    pub reads: Cell<u64>,
}

std::thread_local! {
    /// Allocations that succeed before one fails.
    pub static ALLOCATIONS_LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What failing allocations answer.
    pub static ALLOCATION_FAILS: Cell<Rc> = const { Cell::new(Rc::NOMEM) };
    /// Blocks that the library has allocated and not yet given back.
    pub static LENT: Cell<i64> = const { Cell::new(0) };
    /// What was printed.
    pub static PRINTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// How many bytes a field has.
fn size_of_field(field: Field, pointer: usize) -> u32 {
    use Field::*;
    match field {
        ThreadGtid | ThreadDevice | ThreadLwp | ThreadKind | ThreadState | MemberTid | TeamThreads | TeamLevel
        | TeamActiveLevel | TeamCapacity | TeamNumber | TeamLeague | TeamFlags | TaskDepth | TaskFlags
        | TaskPriority | TaskEncountered | NodePending | RootKept | ProcessDevices => 4,
        ThreadWaitId | ThreadData | TeamData | TaskData | MemberEpoch | MemberArrival | MemberSeen | TeamGo => 8,
        ThreadPresence | ThreadWaitFor | TeamBreakpoint | TaskClass => 1,
        TaskFrame => 24,
        TaskIcvs => 64,
        MemberImplicit => 512,
        TeamTool => 16,
        _ => pointer as u32,
    }
}

impl Fake {
    pub fn new(big_endian: bool, pointer: usize) -> Fake {
        let mut fake = Fake {
            big_endian,
            pointer,
            memory: RefCell::new(Vec::new()),
            entries: Vec::new(),
            object: 0,
            sizeof_fails: Cell::new(Rc::OK),
            symbol_fails: Cell::new(Rc::OK),
            convert_fails: Cell::new(Rc::OK),
            read_fails: Cell::new(Rc::OK),
            reads_left: Cell::new(u64::MAX),
            pointer_reported: Cell::new(pointer as u8),
            scrambles: Cell::new(false),
            dreams: Cell::new(false),
            reads: Cell::new(0),
        };
        fake.entries = Self::places(pointer);
        fake.object = fake.allocate(4096);
        fake.poke(fake.object, &MAGIC);
        fake.poke_number(fake.object + 8, 4, u64::from(VERSION));
        fake.poke_number(fake.object + 12, 4, Field::COUNT as u64);
        for (index, entry) in fake.entries.clone().iter().enumerate() {
            fake.poke_number(fake.object + 16 + 8 * index as u64, 4, u64::from(entry.offset));
            fake.poke_number(fake.object + 20 + 8 * index as u64, 4, u64::from(entry.size));
        }
        fake
    }

    /// Fields of one structure after the other, in the opposite order of the contract's, with holes.
    fn places(pointer: usize) -> Vec<Entry> {
        let structure = |field: &Field| {
            let name = field.name();
            name.char_indices()
                .skip(1)
                .find(|(_, letter)| letter.is_uppercase())
                .map_or(name, |(end, _)| &name[..end])
                .to_owned()
        };
        let mut entries = vec![Entry::ABSENT; Field::COUNT];
        let mut ends = std::collections::BTreeMap::new();
        for field in Field::ALL.iter().rev() {
            let size = size_of_field(*field, pointer);
            let end = ends.entry(structure(field)).or_insert(24_u32);
            *end = end.next_multiple_of(size.next_power_of_two().min(64)) + 8;
            *end = end.next_multiple_of(size.next_power_of_two().min(8));
            entries[*field as usize] = Entry { offset: *end, size };
            *end += size;
        }
        let roots = [Field::RootThreads, Field::RootProcess, Field::RootKept];
        for (field, offset) in roots.iter().zip((16 + 8 * Field::COUNT as u32).next_multiple_of(64)..) {
            entries[*field as usize].offset = (16 + 8 * Field::COUNT as u32).next_multiple_of(64) + 16 * (offset % 64);
        }
        let constants = [
            (Field::SlabFirst, 64),
            (Field::SlabBytes, 8192),
            (Field::BlockBytes0, 768),
            (Field::BlockBytes1, 1024),
            (Field::BlockBytes2, 1280),
            (Field::BlockBytes3, 2048),
            (Field::FlagFinished, 1 << 11),
            (Field::FlagTarget, 1 << 14),
            (Field::FlagBegun, 1 << 25),
            (Field::LockOwnerShift, 3),
            (Field::NestOwnerShift, 4),
            (Field::NestOwnerAlign, 8),
        ];
        for (field, value) in constants {
            entries[field as usize] = Entry { offset: value, size: 4 };
        }
        entries[Field::SlabNext as usize] = Entry { offset: 16, size: pointer as u32 };
        entries
    }

    /// Memory of the program, aligned to 64 bytes, all zero.
    pub fn allocate(&self, bytes: usize) -> u64 {
        let mut memory = self.memory.borrow_mut();
        let address = memory.len().next_multiple_of(64);
        memory.resize(address + bytes, 0);
        BASE + address as u64
    }

    pub fn poke(&self, address: u64, bytes: &[u8]) {
        let from = (address - BASE) as usize;
        self.memory.borrow_mut()[from..from + bytes.len()].copy_from_slice(bytes);
    }

    pub fn poke_number(&self, address: u64, size: usize, value: u64) {
        let bytes = value.to_le_bytes();
        let mut bytes = bytes[..size].to_vec();
        if self.big_endian {
            bytes.reverse();
        }
        self.poke(address, &bytes);
    }

    pub fn entry(&self, field: Field) -> Entry {
        self.entries[field as usize]
    }

    /// Changes an entry of the object.
    pub fn set_entry(&self, field: Field, entry: Entry) {
        let at = self.object + 16 + 8 * field as u64;
        self.poke_number(at, 4, u64::from(entry.offset));
        self.poke_number(at + 4, 4, u64::from(entry.size));
    }

    pub fn object(&self) -> u64 {
        self.object
    }

    /// Writes a field of the structure at `base`.
    pub fn set(&self, base: u64, field: Field, value: u64) {
        let Entry { offset, size } = self.entry(field);
        self.poke_number(base + u64::from(offset), size as usize, value);
    }

    pub fn set_root(&self, field: Field, value: u64) {
        self.set(self.object, field, value);
    }

    pub fn context(&self) -> *mut AddressSpaceContext {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// A handle of the process; the library is initialised, with the same functions for all tests.
    pub fn process(&self) -> *mut AddressSpaceHandle {
        start();
        let mut handle = null_mut();
        // SAFETY: the context is a fake, and the place a variable.
        assert_eq!(unsafe { ompd_process_initialize(self.context(), &mut handle) }, Rc::OK);
        handle
    }
}

/// Initialises the library.
pub fn start() {
    // SAFETY: a table.
    assert_eq!(unsafe { ompd_initialize(202011, &TABLE) }, Rc::OK);
}

/// Calls `test` for a program of each kind.
pub fn on_each(test: impl Fn(&Fake)) {
    for (big_endian, pointer) in [(false, 8), (true, 8), (false, 4), (true, 4)] {
        test(&Fake::new(big_endian, pointer));
    }
}

static TABLE: Callbacks = Callbacks {
    alloc_memory: Some(alloc),
    free_memory: Some(free),
    print_string: Some(print),
    sizeof_type: Some(sizeof),
    symbol_addr_lookup: Some(symbol),
    read_memory: Some(read),
    write_memory: None,
    read_string: Some(read_string),
    device_to_host: Some(convert),
    host_to_device: Some(convert),
    get_thread_context_for_thread_id: Some(thread_context),
};

fn of<'a>(context: *mut AddressSpaceContext) -> &'a Fake {
    // SAFETY: tests give contexts of fakes only, which live as long.
    unsafe { &*context.cast::<Fake>() }
}

/// Bytes in front of each block, which hold its size.
const FRONT: usize = 16;

unsafe extern "C" fn alloc(nbytes: Size, ptr: *mut *mut c_void) -> Rc {
    let left = ALLOCATIONS_LEFT.get();
    if left == 0 {
        return ALLOCATION_FAILS.get();
    }
    ALLOCATIONS_LEFT.set(left.saturating_sub(1));
    LENT.set(LENT.get() + 1);
    let bytes = nbytes as usize + FRONT;
    // SAFETY: a size that is not zero, and a place to write to.
    unsafe {
        let block = std::alloc::alloc(std::alloc::Layout::from_size_align(bytes, 16).unwrap());
        block.cast::<usize>().write(bytes);
        // Fresh memory holds garbage, which the library may not rely on.
        block.add(FRONT).write_bytes(0xa5, nbytes as usize);
        *ptr = block.add(FRONT).cast();
    }
    Rc::OK
}

unsafe extern "C" fn free(ptr: *mut c_void) -> Rc {
    LENT.set(LENT.get() - 1);
    // SAFETY: what `alloc` has given.
    unsafe {
        let block = ptr.cast::<u8>().sub(FRONT);
        std::alloc::dealloc(block, std::alloc::Layout::from_size_align(block.cast::<usize>().read(), 16).unwrap());
    }
    Rc::OK
}

unsafe extern "C" fn print(string: *const c_char, _: c_int) -> Rc {
    // SAFETY: the library prints C strings.
    PRINTED.with_borrow_mut(|all| all.push(unsafe { CStr::from_ptr(string) }.to_str().unwrap().to_owned()));
    Rc::OK
}

unsafe extern "C" fn sizeof(context: *mut AddressSpaceContext, sizes: *mut DeviceTypeSizes) -> Rc {
    let fake = of(context);
    let pointer = fake.pointer_reported.get();
    // SAFETY: a place to write to.
    unsafe {
        *sizes = DeviceTypeSizes {
            sizeof_char: 1,
            sizeof_short: 2,
            sizeof_int: 4,
            sizeof_long: pointer,
            sizeof_long_long: 8,
            sizeof_pointer: pointer,
        };
    }
    fake.sizeof_fails.get()
}

unsafe extern "C" fn symbol(
    context: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    name: *const c_char,
    address: *mut Address,
    _: *const c_char,
) -> Rc {
    let fake = of(context);
    // SAFETY: the library asks with a C string and a place to write to.
    let (name, address) = unsafe { (CStr::from_ptr(name), &mut *address) };
    if fake.symbol_fails.get() != Rc::OK {
        return fake.symbol_fails.get();
    }
    if name.to_str() != Ok(ompd_layout::SYMBOL) {
        return Rc::ERROR;
    }
    *address = Address { segment: SEGMENT_NONE, address: fake.object };
    Rc::OK
}

unsafe extern "C" fn read(
    context: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    address: *const Address,
    nbytes: Size,
    buffer: *mut c_void,
) -> Rc {
    let fake = of(context);
    fake.reads.set(fake.reads.get() + 1);
    match fake.reads_left.get() {
        0 => return fake.read_fails.get(),
        left => fake.reads_left.set(left.saturating_sub(1)),
    }
    if fake.dreams.get() {
        // SAFETY: the library passes a buffer of `nbytes` bytes.
        let buffer = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), nbytes as usize) };
        for (index, byte) in buffer.iter_mut().enumerate() {
            let number = (fake.reads.get() << 6) + index as u64 / 8;
            *byte = number.to_le_bytes()[index % 8];
        }
        return Rc::OK;
    }
    let memory = fake.memory.borrow();
    // SAFETY: the library passes an address.
    let Some(from) = unsafe { (*address).address }.checked_sub(BASE) else { return Rc::ERROR };
    let Some(bytes) = memory.get(from as usize..(from as usize).saturating_add(nbytes as usize)) else {
        return Rc::ERROR;
    };
    // SAFETY: the library passes a buffer of as many bytes.
    unsafe { buffer.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Rc::OK
}

unsafe extern "C" fn read_string(
    context: *mut AddressSpaceContext,
    thread: *mut ThreadContext,
    address: *const Address,
    nbytes: Size,
    buffer: *mut c_void,
) -> Rc {
    for index in 0..nbytes {
        // SAFETY: as for `read`.
        unsafe {
            let at = Address { segment: SEGMENT_NONE, address: (*address).address + index };
            let to = buffer.cast::<u8>().add(index as usize);
            match read(context, thread, &at, 1, to.cast()) {
                Rc::OK if *to == 0 => return Rc::OK,
                Rc::OK => {}
                error => return error,
            }
        }
    }
    Rc::INCOMPLETE
}

unsafe extern "C" fn convert(
    context: *mut AddressSpaceContext,
    input: *const c_void,
    unit: Size,
    count: Size,
    output: *mut c_void,
) -> Rc {
    let fake = of(context);
    let unit = unit as usize;
    for index in 0..count as usize {
        // SAFETY: as many units as the library says.
        let (from, to) = unsafe {
            let from = std::slice::from_raw_parts(input.cast::<u8>().add(index * unit), unit);
            (from, std::slice::from_raw_parts_mut(output.cast::<u8>().add(index * unit), unit))
        };
        to.copy_from_slice(from);
        if fake.big_endian != cfg!(target_endian = "big") {
            to.reverse();
        }
        if fake.scrambles.get() {
            to.rotate_left(1);
        }
    }
    fake.convert_fails.get()
}

unsafe extern "C" fn thread_context(
    _: *mut AddressSpaceContext,
    _: ThreadId,
    _: Size,
    _: *const c_void,
    context: *mut *mut ThreadContext,
) -> Rc {
    // SAFETY: a place to write to.
    unsafe { *context = null_mut() };
    Rc::UNAVAILABLE
}

/// Calls a function of the library that makes something, and returns its answer and what it made.
macro_rules! made {
    ($function:ident($($argument:expr),*)) => {{
        let mut made = $crate::fake::nothing();
        #[allow(unused_unsafe, reason = "an argument may be made by the macro, too")]
        // SAFETY: handles, and a variable to write to.
        let code = unsafe { $crate::$function($($argument,)* &mut made) };
        (code, made)
    }};
}
pub(crate) use made;

/// As [`made`], and the function must succeed.
macro_rules! get {
    ($function:ident($($argument:expr),*)) => {{
        let (code, made) = $crate::fake::made!($function($($argument),*));
        assert_eq!(code, $crate::Rc::OK, stringify!($function($($argument),*)));
        made
    }};
}
pub(crate) use get;

/// As [`made`], and the function must fail with this code.
macro_rules! refused {
    ($code:ident: $function:ident($($argument:expr),*)) => {{
        let (code, _made) = $crate::fake::made!($function($($argument),*));
        assert_eq!(code, $crate::Rc::$code, stringify!($function($($argument),*)));
    }};
}
pub(crate) use refused;

/// What a function is to write, before it does.
pub trait Nothing {
    fn nothing() -> Self;
}
impl<T> Nothing for *mut T {
    fn nothing() -> Self {
        null_mut()
    }
}
impl<T> Nothing for *const T {
    fn nothing() -> Self {
        null()
    }
}
impl Nothing for i32 {
    fn nothing() -> Self {
        i32::MIN
    }
}
impl Nothing for Word {
    fn nothing() -> Self {
        Word::MIN
    }
}
impl Nothing for Address {
    fn nothing() -> Self {
        Address { segment: 7, address: 7 }
    }
}

pub fn nothing<T: Nothing>() -> T {
    T::nothing()
}

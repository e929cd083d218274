//! A debugger that lies: memory that is not what it was, that is not there, that is another at each look, that has no
//! end; callbacks that fail, that say they have not, that return what is no answer at all.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

use ompd::{Address, AddressSpaceContext, Callbacks, DeviceTypeSizes, Rc, Size, ThreadContext, ThreadId};

use crate::snapshot::Snapshot;

/// Numbers that look like chance and come again from the same seed (xorshift*).
#[derive(Clone, Copy)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }

    /// Returns true in this many of a thousand cases.
    pub fn happens(&mut self, of_thousand: u32) -> bool {
        self.below(1000) < of_thousand as usize
    }
}

/// What stands where there is memory everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    /// Numbers of all kinds.
    Anything,
    /// Pointers to anywhere.
    Pointers,
    /// Pointers to what lies a little further on, so that no list comes back to where it was.
    Onwards,
}

impl Endless {
    /// The word at an address, the same at each look.
    fn word(self, address: u64) -> u64 {
        let mut dice = Dice::new(address);
        match self {
            Endless::Anything => match dice.below(4) {
                0 => dice.next() % 8,
                1 => dice.next() & 0x7fff_ffff_fff8,
                2 => address.wrapping_add(64),
                _ => dice.next(),
            },
            Endless::Pointers => dice.next() & 0x7fff_ffff_f000 | 0x1000,
            Endless::Onwards => address.wrapping_add(4096) & !7,
        }
    }
}

/// How it lies; numbers are times of a thousand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lies {
    /// Words of the snapshot that are changed before the first look.
    pub changed: usize,
    /// Reads that fail, with an answer of any kind.
    pub fails: u32,
    /// Reads that give a part only, and say that all is well.
    pub short: u32,
    /// Reads that return other bytes than the memory has.
    pub flickers: u32,
    /// Whether there is memory at every address, and what stands in it.
    pub endless: Option<Endless>,
    /// Null pointers that are none: lists do not end.
    pub no_null: u32,
    /// Sizes of types, conversions, symbols and thread contexts that are wrong.
    pub odd: u32,
    /// Whether the program's byte order is said to be the other one.
    pub swapped: bool,
    /// Allocations that fail.
    pub no_memory: u32,
    /// After how many looks of one call it loses its patience, and everything fails; 0 for never.
    pub patience: u64,
}

/// One debugger's view of a process.
pub struct Liar<'s> {
    snapshot: &'s Snapshot,
    pub lies: Lies,
    dice: RefCell<Dice>,
    /// Words that are not as in the snapshot.
    changes: RefCell<HashMap<u64, u64>>,
    /// How often memory was looked at since this was set to 0; each 256 bytes count as a look more.
    pub looks: Cell<u64>,
    /// Words that were looked at, where they are noted.
    pub noted: RefCell<Option<Vec<u64>>>,
}

impl<'s> Liar<'s> {
    /// `known`: words that the library looks at, which are worth changing.
    pub fn new(snapshot: &'s Snapshot, lies: Lies, seed: u64, known: &[u64]) -> Liar<'s> {
        let mut dice = Dice::new(seed);
        let mut changes = HashMap::new();
        for _ in 0..lies.changed {
            let Some(&address) = known.get(dice.below(known.len())) else { break };
            changes.insert(address, wrong_value(&mut dice, snapshot, known, address));
        }
        Liar {
            snapshot,
            lies,
            dice: RefCell::new(dice),
            changes: RefCell::new(changes),
            looks: Cell::new(0),
            noted: RefCell::new(None),
        }
    }

    /// As the library gets it.
    pub fn context(&self) -> *mut AddressSpaceContext {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    fn happens(&self, of_thousand: u32) -> bool {
        of_thousand > 0 && self.dice.borrow_mut().happens(of_thousand)
    }

    /// An answer that is none of success, and perhaps none at all.
    fn refusal(&self) -> Rc {
        let mut dice = self.dice.borrow_mut();
        if dice.happens(200) { Rc(dice.next() as c_int | 16) } else { Rc(1 + dice.below(12) as c_int) }
    }

    fn read(&self, address: u64, buffer: &mut [u8]) -> Rc {
        self.looks.set(self.looks.get() + 1 + buffer.len() as u64 / 256);
        if let Some(noted) = &mut *self.noted.borrow_mut() {
            noted.extend((address..address.saturating_add(buffer.len() as u64)).step_by(8).map(|word| word & !7));
        }
        let is_impatient = self.lies.patience > 0 && self.looks.get() > self.lies.patience;
        if is_impatient || self.happens(self.lies.fails) {
            return self.refusal();
        }
        if !self.snapshot.read(address, buffer) {
            let Some(endless) = self.lies.endless else { return Rc::ERROR };
            // Large pieces are the same all over, so that it does not take for ever.
            let mut word = [0; 8];
            for (offset, byte) in buffer.iter_mut().enumerate() {
                let at = address.wrapping_add(offset as u64);
                if offset == 0 || at & 7 == 0 && offset < 4096 {
                    word = endless.word(at & !7).to_le_bytes();
                }
                *byte = word[(at & 7) as usize];
            }
        }
        self.change(address, buffer);
        if buffer.len() == 8 && buffer.iter().all(|byte| *byte == 0) && self.happens(self.lies.no_null) {
            buffer.copy_from_slice(&Endless::Pointers.word(address).to_le_bytes());
        }
        if self.happens(self.lies.flickers) && !buffer.is_empty() {
            let mut dice = self.dice.borrow_mut();
            let place = dice.below(buffer.len());
            buffer[place] ^= dice.next() as u8;
        }
        if self.happens(self.lies.short) {
            let kept = self.dice.borrow_mut().below(buffer.len());
            buffer[kept..].fill(0);
        }
        if self.lies.swapped && buffer.len() <= 8 {
            buffer.reverse();
        }
        Rc::OK
    }

    fn change(&self, address: u64, buffer: &mut [u8]) {
        let changes = self.changes.borrow();
        if changes.is_empty() {
            return;
        }
        for word in (address & !7..address.saturating_add(buffer.len() as u64)).step_by(8) {
            let Some(value) = changes.get(&word) else { continue };
            for (index, byte) in value.to_le_bytes().into_iter().enumerate() {
                let place =
                    (word + index as u64).checked_sub(address).and_then(|offset| buffer.get_mut(offset as usize));
                if let Some(place) = place {
                    *place = byte;
                }
            }
        }
    }
}

/// A value that a word may have been left with: by a thread that was killed, by a program that has written where it
/// should not.
fn wrong_value(dice: &mut Dice, snapshot: &Snapshot, known: &[u64], address: u64) -> u64 {
    let mut old = [0; 8];
    snapshot.read(address, &mut old);
    let old = u64::from_le_bytes(old);
    match dice.below(12) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => dice.next(),
        4 => old ^ 1 << dice.below(64),
        5 => address,
        6 => known[dice.below(known.len())],
        7 => old.wrapping_add(8),
        8 => old.wrapping_neg(),
        9 => old & 0xffff_ffff_0000_0000 | dice.next() & 0xffff_ffff,
        10 => old & 0xffff_ffff | dice.next() << 32,
        _ => dice.next() % 70_000,
    }
}

// What the library holds of the debugger's memory, in all threads.
static HELD: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// How often this thread's allocations fail, and by which dice.
    static ALLOCATION: Cell<(u32, Dice)> = const { Cell::new((0, Dice(1))) };
}

/// How many pieces of the debugger's memory the library and its users have.
pub fn held() -> i64 {
    HELD.load(Ordering::SeqCst)
}

/// Makes this many of a thousand allocations of the calling thread fail.
pub fn let_allocations_fail(of_thousand: u32, seed: u64) {
    ALLOCATION.set((of_thousand, Dice::new(seed)));
}

/// Before and behind each piece of memory.
const CANARY: u64 = 0x5afe_c0de_0dd5_1de5;

unsafe extern "C" fn allocate(bytes: Size, to: *mut *mut c_void) -> Rc {
    let (of_thousand, mut dice) = ALLOCATION.get();
    let fails = of_thousand > 0 && dice.happens(of_thousand);
    let kind = dice.below(3);
    ALLOCATION.set((of_thousand, dice));
    if fails {
        // SAFETY: the library gives a place to write to.
        unsafe { *to = std::ptr::null_mut() };
        return [Rc::NOMEM, Rc::OK, Rc(99)][kind];
    }
    assert!(bytes < 1 << 33, "the library asks for {bytes} bytes");
    // SAFETY: room for the length, two canaries and what was asked for; all of it is written before it is given away.
    unsafe {
        let start = libc::malloc(bytes as usize + 32).cast::<u8>();
        assert!(!start.is_null(), "no memory for {bytes} bytes");
        start.cast::<u64>().write(bytes);
        start.add(8).cast::<u64>().write(CANARY);
        start.add(16).write_bytes(0xa5, bytes as usize);
        start.add(16 + bytes as usize).cast::<u64>().write_unaligned(CANARY);
        *to = start.add(16).cast();
    }
    HELD.fetch_add(1, Ordering::SeqCst);
    Rc::OK
}

/// Takes a piece of memory back.
///
/// # Safety
/// The library has it from here.
pub unsafe extern "C" fn release(piece: *mut c_void) -> Rc {
    // SAFETY: as `allocate` has made it.
    unsafe {
        let start = piece.cast::<u8>().sub(16);
        assert_eq!(start.add(8).cast::<u64>().read(), CANARY, "freed twice, or written before its start");
        let bytes = start.cast::<u64>().read() as usize;
        assert_eq!(start.add(16 + bytes).cast::<u64>().read_unaligned(), CANARY, "written behind its end");
        start.add(8).cast::<u64>().write(!CANARY);
        libc::free(start.cast());
    }
    HELD.fetch_sub(1, Ordering::SeqCst);
    Rc::OK
}

/// # Safety
/// The context is a liar's, which lives.
unsafe fn liar<'l>(context: *mut AddressSpaceContext) -> &'l Liar<'l> {
    // SAFETY: the caller says so; tests give the library no other ones.
    unsafe { &*context.cast::<Liar>() }
}

unsafe extern "C" fn print(_: *const c_char, _: c_int) -> Rc {
    Rc::OK
}

unsafe extern "C" fn sizes(context: *mut AddressSpaceContext, to: *mut DeviceTypeSizes) -> Rc {
    // SAFETY: a liar, and a place to write to.
    let (liar, to) = unsafe { (liar(context), &mut *to) };
    *to = DeviceTypeSizes {
        sizeof_char: 1,
        sizeof_short: 2,
        sizeof_int: 4,
        sizeof_long: 8,
        sizeof_long_long: 8,
        sizeof_pointer: 8,
    };
    if liar.happens(liar.lies.odd) {
        to.sizeof_pointer = [0, 1, 4, 7, 255][liar.dice.borrow_mut().below(5)];
        return if liar.happens(500) { Rc::OK } else { liar.refusal() };
    }
    Rc::OK
}

unsafe extern "C" fn symbol(
    context: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    name: *const c_char,
    to: *mut Address,
    _: *const c_char,
) -> Rc {
    // SAFETY: a liar, a string, and a place to write to.
    let (liar, name, to) = unsafe { (liar(context), CStr::from_ptr(name), &mut *to) };
    if liar.happens(liar.lies.odd) {
        to.address = liar.dice.borrow_mut().next();
        return if liar.happens(500) { Rc::OK } else { liar.refusal() };
    }
    if name != c"ferromp_ompd" {
        return Rc::ERROR;
    }
    *to = Address { segment: 0, address: liar.snapshot.object };
    Rc::OK
}

unsafe extern "C" fn read(
    context: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    address: *const Address,
    bytes: Size,
    to: *mut c_void,
) -> Rc {
    assert!(bytes < 1 << 30, "the library reads {bytes} bytes at once");
    // SAFETY: the library passes its context, which is a liar, an address, and a buffer of this many bytes.
    let (liar, address, buffer) =
        unsafe { (liar(context), *address, std::slice::from_raw_parts_mut(to.cast::<u8>(), bytes as usize)) };
    liar.read(address.address, buffer)
}

unsafe extern "C" fn read_string(
    context: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    address: *const Address,
    bytes: Size,
    to: *mut c_void,
) -> Rc {
    assert!(bytes < 1 << 30, "the library reads {bytes} bytes at once");
    // SAFETY: as above.
    let (liar, address, buffer) =
        unsafe { (liar(context), *address, std::slice::from_raw_parts_mut(to.cast::<u8>(), bytes as usize)) };
    for (index, byte) in buffer.iter_mut().enumerate() {
        let mut one = [0];
        match liar.read(address.address.wrapping_add(index as u64), &mut one) {
            Rc::OK => *byte = one[0],
            refusal if index == 0 => return refusal,
            _ => return Rc::INCOMPLETE,
        }
        if one[0] == 0 {
            break;
        }
    }
    Rc::OK
}

unsafe extern "C" fn write(
    _: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    _: *const Address,
    _: Size,
    _: *const c_void,
) -> Rc {
    panic!("the library writes into the program");
}

unsafe extern "C" fn convert(
    context: *mut AddressSpaceContext,
    from: *const c_void,
    unit: Size,
    count: Size,
    to: *mut c_void,
) -> Rc {
    let bytes = usize::try_from(unit * count).expect("not that many");
    // SAFETY: a liar, and room for as many units.
    let (liar, from, to) = unsafe {
        (
            liar(context),
            std::slice::from_raw_parts(from.cast::<u8>(), bytes),
            std::slice::from_raw_parts_mut(to.cast::<u8>(), bytes),
        )
    };
    to.copy_from_slice(from);
    if liar.lies.swapped {
        to.chunks_mut(unit.max(1) as usize).for_each(<[u8]>::reverse);
    }
    if liar.happens(liar.lies.odd) {
        to.fill(liar.dice.borrow_mut().next() as u8);
        return if liar.happens(500) { Rc::OK } else { liar.refusal() };
    }
    Rc::OK
}

unsafe extern "C" fn thread(
    context: *mut AddressSpaceContext,
    _: ThreadId,
    _: Size,
    _: *const c_void,
    to: *mut *mut ThreadContext,
) -> Rc {
    // SAFETY: a liar, and a place to write to.
    let (liar, to) = unsafe { (liar(context), &mut *to) };
    *to = liar.dice.borrow_mut().next() as *mut ThreadContext;
    if liar.happens(liar.lies.odd) { liar.refusal() } else { Rc::OK }
}

/// The debugger's functions.
pub fn table() -> Callbacks {
    Callbacks {
        alloc_memory: Some(allocate),
        free_memory: Some(release),
        print_string: Some(print),
        sizeof_type: Some(sizes),
        symbol_addr_lookup: Some(symbol),
        read_memory: Some(read),
        write_memory: Some(write),
        read_string: Some(read_string),
        device_to_host: Some(convert),
        host_to_device: Some(convert),
        get_thread_context_for_thread_id: Some(thread),
    }
}

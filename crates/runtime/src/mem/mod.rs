//! Memory: allocators, the spaces and traits that they are made of, and the blocks that they give. Data in
//! `omp_alloc`ed memory, in variables of an `allocate` clause or directive and in those of `uses_allocators` comes from
//! here. OpenMP 5.1 §2.13, §3.13.
//!
//! An allocator gives blocks of the C library's heap, unless its space or its traits ask for pages of their own, or for
//! a device's memory (`remote.rs`). A header before each block of the host says whose it is. What an allocator cannot
//! serve, its fallback does.

mod block;
pub mod marks;
mod nodes;
mod pages;
mod remote;
pub mod spaces;

use crate::allocators::table::Allocator;
use crate::allocators::{DEFAULT, Handle, NULL};
use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::warnings;
use std::ptr::{self, NonNull};

use crate::allocators::spaces::{Named, Resource, Space};
use crate::allocators::traits::{Fallback, Partition, Traits};
use crate::objects::call::Call;
use crate::stderr;
use block::{Header, NATURAL, Source};
use pages::Layout;

/// Fallbacks that one request follows before it counts as failed: more than that go round in a circle.
const MOST_FALLBACKS: u32 = 64;

/// A request for memory.
#[derive(Clone, Copy)]
pub struct Request {
    /// Bytes; no allocator is asked for none.
    pub size: usize,
    /// What the program asks for beside the allocator's trait: a power of two.
    pub alignment: usize,
    /// Whether all bytes are to be 0.
    pub zeroed: bool,
    /// Who asks, for messages.
    pub routine: &'static str,
    /// Where in the program, for tools.
    pub call: Call,
}

impl Request {
    /// A request of `count` items of `size` bytes each, all zero. Where that is more than there can be, no allocator
    /// will have it.
    pub fn of_zeroes(count: usize, size: usize, alignment: usize, routine: &'static str, call: Call) -> Request {
        Request { size: count.saturating_mul(size), alignment, zeroed: true, routine, call }
    }
}

/// Memory from the allocator that `handle` names, or from the calling thread's default one (0). Null where neither it
/// nor its fallback has any, and for no bytes (§3.13.6 to §3.13.9).
pub fn allocate(handle: usize, request: Request) -> *mut u8 {
    if request.size == 0 {
        return ptr::null_mut();
    }
    if !request.alignment.is_power_of_two() {
        let (routine, alignment) = (request.routine, request.alignment);
        static SAID: AtomicBool = AtomicBool::new(false);
        complain_once(&SAID, || format!("{routine}: {alignment} is no alignment; returning a null pointer"));
        return ptr::null_mut();
    }
    let pointer = |block: Option<NonNull<u8>>| block.map_or(ptr::null_mut(), NonNull::as_ptr);
    pointer(from(chosen(handle, request.routine), request))
}

/// As [`allocate`], for a variable whose memory the compiler asks for: the program cannot be told that there is none,
/// so it ends (§2.13.3 and §2.13.4: `null_fb` counts as `abort_fb`).
pub fn allocate_variable(handle: usize, request: Request) -> *mut u8 {
    let block = allocate(handle, request);
    if block.is_null() && request.size > 0 {
        give_up(request);
    }
    block
}

/// Frees a block, whichever allocator gave it; null is ignored (§3.13.10).
///
/// # Safety
/// `pointer` is null or the address of memory, with readable bytes before it; if it is a block, nobody uses it any
/// more.
pub unsafe fn free(pointer: *mut u8, routine: &'static str, call: Call) {
    let Some(block) = NonNull::new(pointer) else { return };
    if let Some(known) = remote::look(block) {
        // SAFETY: by the caller it is not in use.
        return unsafe { remote::release(block, &known, call) };
    }
    // SAFETY: by the caller.
    match unsafe { block::look(block) } {
        // SAFETY: it is a block, and by the caller it is not in use.
        Some(header) => unsafe { release(block, header) },
        None => not_a_block(pointer, routine),
    }
}

/// Moves what a block holds into one of another size or of another allocator, and frees it; null where there is no
/// memory for that, and then the block stays. A null pointer asks for a new block, size 0 frees the block (§3.13.11).
///
/// # Safety
/// As for [`free`].
pub unsafe fn reallocate(pointer: *mut u8, size: usize, handle: usize, routine: &'static str, call: Call) -> *mut u8 {
    let request = Request { size, alignment: 1, zeroed: false, routine, call };
    let Some(block) = NonNull::new(pointer) else { return allocate(handle, request) };
    if let Some(known) = remote::look(block) {
        // SAFETY: by the caller it is not in use.
        return unsafe { remote::reallocate(block, &known, handle, request) };
    }
    // SAFETY: by the caller.
    let Some(header) = (unsafe { block::look(block) }) else {
        not_a_block(pointer, routine);
        return ptr::null_mut();
    };
    if size == 0 {
        // SAFETY: it is a block, and by the caller it is not in use.
        unsafe { release(block, header) };
        return ptr::null_mut();
    }
    let owner = owner(&header);
    let allocator = match handle {
        0 => owner.or_else(|| crate::allocators::table::find(DEFAULT as usize)),
        _ => Some(chosen(handle, routine)),
    };
    let Some(allocator) = allocator else { return ptr::null_mut() };
    // SAFETY: it is a block, and by the caller it is not in use.
    let new = unsafe {
        match resize(block, &header, size, allocator, owner) {
            Some(new) => Some(new),
            None => transfer(block, header, allocator, request),
        }
    };
    new.map_or(ptr::null_mut(), NonNull::as_ptr)
}

/// Makes an allocator of a memory space and of traits; `None` where the space or a trait does not exist (§3.13.2).
pub fn make(space: usize, pairs: impl IntoIterator<Item = (u32, usize)>) -> Option<Handle> {
    let exists = |handle| crate::allocators::table::find(handle).map(|allocator| allocator.handle);
    let traits = Traits::from_pairs(pairs, exists)?;
    match Named::find(space) {
        Some(Named::Composed(space)) => crate::allocators::table::add_composed(space, traits),
        // The number of no space is that of the default one in older headers.
        _ => crate::allocators::table::add(Space::from_number(space)?, traits),
    }
}

/// Ends an allocator that a program has made; 0 is ignored (§3.13.3).
pub fn destroy(handle: usize, routine: &'static str) {
    if handle != NULL as usize && !crate::allocators::table::remove(handle) {
        static SAID: AtomicBool = AtomicBool::new(false);
        complain_once(&SAID, || format!("{routine}: {handle:#x} is no allocator of the program's; left alone"));
    }
}

/// The value of def-allocator-var: that of the calling thread's implicit task, to which the variable belongs (§3.13.5).
pub fn default_allocator() -> Handle {
    // SAFETY: only the thread itself reads and writes the ICVs of its implicit task.
    unsafe { (*current::current().member().implicit.icvs.get()).def_allocator }
}

/// Sets def-allocator-var; 0 stands for `omp_default_mem_alloc` (§3.13.4).
pub fn set_default_allocator(handle: usize, routine: &'static str) {
    let handle = if handle == NULL as usize { DEFAULT as usize } else { handle };
    let Some(allocator) = crate::allocators::table::find(handle) else {
        static SAID: AtomicBool = AtomicBool::new(false);
        complain_once(&SAID, || format!("{routine}: {handle:#x} is no allocator; the default allocator stays"));
        return;
    };
    let thread = current::current();
    // SAFETY: only the thread itself reads and writes the ICVs of its implicit task.
    unsafe { (*thread.member().implicit.icvs.get()).def_allocator = allocator.handle };
    // What an explicit task hands down to regions that it encounters is its thread's.
    thread.icvs_mut().def_allocator = allocator.handle;
}

/// The allocator that a program names, or the default one of the calling thread. What names none is replaced.
#[inline]
fn chosen(handle: usize, routine: &'static str) -> &'static Allocator {
    let wanted = if handle == NULL as usize { default_allocator() as usize } else { handle };
    crate::allocators::table::find(wanted).unwrap_or_else(|| no_allocator(wanted, routine))
}

#[cold]
fn no_allocator(handle: usize, routine: &'static str) -> &'static Allocator {
    static SAID: AtomicBool = AtomicBool::new(false);
    complain_once(&SAID, || format!("{routine}: {handle:#x} is no allocator; using omp_default_mem_alloc"));
    last_resort()
}

fn last_resort() -> &'static Allocator {
    match crate::allocators::table::find(DEFAULT as usize) {
        Some(allocator) => allocator,
        None => unreachable!("predefined allocators exist"),
    }
}

/// A block from an allocator or, where it has none, from its fallback.
fn from(allocator: &'static Allocator, mut request: Request) -> Option<NonNull<u8>> {
    let mut allocator = allocator;
    for _ in 0..MOST_FALLBACKS {
        // What one allocator would have aligned, its fallback aligns too.
        request.alignment = request.alignment.max(allocator.traits.alignment);
        if let Some(block) = serve(allocator, request) {
            return Some(block);
        }
        allocator = match allocator.traits.fallback {
            Fallback::Null => return None,
            Fallback::Abort => give_up(request),
            Fallback::DefaultMem => last_resort(),
            Fallback::Allocator(next) => crate::allocators::table::find(next as usize).unwrap_or_else(last_resort),
        };
    }
    None
}

/// A block from this allocator itself.
fn serve(allocator: &Allocator, request: Request) -> Option<NonNull<u8>> {
    if !allocator.charge(request.size) {
        return None;
    }
    let block = take(allocator, request);
    if block.is_none() {
        allocator.discharge(request.size);
    }
    block
}

/// The domains that a space consists of: `Some(None)` where it is the ordinary memory, `None` where the machine has no
/// such memory.
fn domains(space: Space) -> Option<Option<&'static [u32]>> {
    match space {
        Space::Default | Space::Const | Space::LowLat | Space::Cgroup => Some(None),
        Space::LargeCap => Some(Some(&nodes::nodes().large_capacity[..]).filter(|nodes| !nodes.is_empty())),
        Space::HighBw => {
            Some(Some(&nodes::nodes().high_bandwidth[..])).filter(|nodes| nodes.is_some_and(|nodes| !nodes.is_empty()))
        }
        // The memory of devices: see [`remote::take`].
        Space::TargetHost | Space::TargetShared | Space::TargetDevice => None,
        // As libgomp without a device that the host shares such memory with.
        Space::GnuManaged => None,
    }
}

/// The domains among resources.
fn domains_among(resources: &[Resource]) -> Vec<u32> {
    let domain = |resource: &Resource| if let Resource::Domain(node) = resource { Some(*node) } else { None };
    resources.iter().filter_map(domain).collect()
}

/// Memory for a block, with its header.
fn take(allocator: &Allocator, request: Request) -> Option<NonNull<u8>> {
    let traits = &allocator.traits;
    if let Some(taken) = remote::take(allocator, request) {
        return taken;
    }
    let part = allocator.composed.map(|space| domains_among(space.resources()));
    let domains = match &part {
        Some(nodes) => Some(&nodes[..]),
        None => domains(allocator.space)?,
    };
    let bytes = block::needed(request.size, request.alignment)?;
    let layout = match (domains, traits.partition) {
        (None, Partition::Environment) => Layout::Anywhere,
        _ => pages::layout(domains, traits, &nodes::nodes().all, nodes::nearest),
    };
    let (base, source) = if layout == Layout::Anywhere && !traits.pinned {
        (heap(bytes, request.zeroed)?, Source::Heap)
    } else {
        (pages::map(bytes, &layout, traits.pinned)?, Source::Pages)
    };
    // SAFETY: the memory is new, aligned and has the bytes needed.
    Some(unsafe { block::place(base, request.size, request.alignment, source, allocator.handle, allocator.serial) })
}

fn heap(bytes: usize, zeroed: bool) -> Option<NonNull<u8>> {
    // SAFETY: no preconditions.
    let memory = unsafe { if zeroed { libc::calloc(1, bytes) } else { libc::malloc(bytes) } };
    NonNull::new(memory.cast())
}

/// The allocator that gave a block, if it still exists.
fn owner(header: &Header) -> Option<&'static Allocator> {
    crate::allocators::table::find(header.owner() as usize).filter(|allocator| allocator.serial == header.serial)
}

/// In a forked child: whoever held a lock is not there.
pub fn after_fork() {
    crate::allocators::spaces::after_fork();
    remote::after_fork();
}

/// Gives a block's memory back.
///
/// # Safety
/// It is a block with this header, and nobody uses it any more.
unsafe fn release(block: NonNull<u8>, header: Header) {
    if let Some(owner) = owner(&header) {
        owner.discharge(header.size);
    }
    // SAFETY: by the caller; the base is what the source gave.
    unsafe {
        block::forget(block);
        match header.source() {
            Source::Heap => libc::free(header.base.cast()),
            Source::Pages => pages::unmap(header.base, header.taken()),
        }
    }
}

/// Makes a block larger or smaller in place or with the heap's own means; `None` where that cannot be, and then it is
/// as it was.
///
/// # Safety
/// As for [`release`].
unsafe fn resize(
    block: NonNull<u8>,
    header: &Header,
    size: usize,
    allocator: &Allocator,
    owner: Option<&Allocator>,
) -> Option<NonNull<u8>> {
    let same = owner.is_some_and(|owner| ptr::eq(owner, allocator));
    if !same || !header.can_be_resized() || allocator.traits.alignment > NATURAL {
        return None;
    }
    let bytes = block::needed(size, NATURAL)?;
    let grown = size.saturating_sub(header.size);
    if !allocator.charge(grown) {
        return None;
    }
    // SAFETY: the base is what the heap gave, and by the caller nobody uses the block.
    let base = unsafe {
        block::forget(block);
        NonNull::new(libc::realloc(header.base.cast(), bytes).cast::<u8>())
    };
    let Some(base) = base else {
        allocator.discharge(grown);
        let old = header.base;
        // SAFETY: the heap has left the memory as it was, and so has its header to be.
        unsafe {
            block::place(NonNull::new(old)?, header.size, NATURAL, Source::Heap, allocator.handle, allocator.serial)
        };
        return None;
    };
    allocator.discharge(header.size.saturating_sub(size));
    // SAFETY: the memory has the bytes needed, and the heap aligns it.
    Some(unsafe { block::place(base, size, NATURAL, Source::Heap, allocator.handle, allocator.serial) })
}

/// A new block with what the old one held, which is freed.
///
/// # Safety
/// As for [`release`].
unsafe fn transfer(
    block: NonNull<u8>,
    header: Header,
    allocator: &'static Allocator,
    request: Request,
) -> Option<NonNull<u8>> {
    let new = from(allocator, request)?;
    // SAFETY: the new block is nobody else's and has at least as many bytes; the old one is not in use.
    unsafe {
        let bytes = header.size.min(request.size);
        if remote::look(new).is_none() {
            ptr::copy_nonoverlapping(block.as_ptr(), new.as_ptr(), bytes);
        } else if !remote::copy(new, block, bytes, request.call) {
            free(new.as_ptr(), request.routine, request.call);
            return None;
        }
        release(block, header);
    }
    Some(new)
}

#[cold]
fn not_a_block(pointer: *mut u8, routine: &'static str) {
    static SAID: AtomicBool = AtomicBool::new(false);
    complain_once(&SAID, || {
        format!("{routine}: {pointer:p} is no memory of an allocator, or has been freed; left alone")
    });
}

/// Ends the program, as the fallback trait `abort_fb` asks.
#[cold]
fn give_up(request: Request) -> ! {
    let Request { routine, size, .. } = request;
    stderr::abort(format_args!("{routine}: no allocator that may serve {size} bytes has them"))
}

/// Prints a line about bad input the first time.
#[cold]
fn complain_once(said: &AtomicBool, line: impl FnOnce() -> String) {
    if !said.swap(true, Ordering::Relaxed) {
        warnings::warn(&format!("ferromp: {}\n", line()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocators::{describe, from_text};

    const TEST: &str = "test";

    fn request(size: usize, alignment: usize) -> Request {
        Request { size, alignment, zeroed: false, routine: TEST, call: nowhere() }
    }

    fn nowhere() -> Call {
        Call::at(ptr::null())
    }

    unsafe fn free(pointer: *mut u8, routine: &'static str) {
        // SAFETY: the caller's.
        unsafe { super::free(pointer, routine, nowhere()) }
    }

    unsafe fn reallocate(pointer: *mut u8, size: usize, handle: usize, routine: &'static str) -> *mut u8 {
        // SAFETY: the caller's.
        unsafe { super::reallocate(pointer, size, handle, routine, nowhere()) }
    }

    /// A block that is freed at the end; null counts as none.
    struct Owned(*mut u8);

    impl Owned {
        fn get(handle: Handle, size: usize) -> Owned {
            Owned(allocate(handle as usize, request(size, 1)))
        }
    }

    impl Drop for Owned {
        fn drop(&mut self) {
            // SAFETY: null or a block that is used no more.
            unsafe { free(self.0, TEST) };
        }
    }

    fn owner_of(block: &Owned) -> Handle {
        // SAFETY: a block has readable bytes before it.
        unsafe { block::look(NonNull::new(block.0).unwrap()) }.unwrap().owner()
    }

    #[test]
    fn alignment_is_the_strictest() {
        let handle = make(0, [(2, 256)]).unwrap();
        for (asked, expected) in [(1, 256), (64, 256), (4096, 4096)] {
            let block = allocate(handle as usize, request(10, asked));
            assert_eq!(block.addr() % expected, 0);
            // SAFETY: our block.
            unsafe { free(block, TEST) };
        }
        destroy(handle as usize, TEST);
    }

    #[test]
    fn a_full_pool_falls_back() {
        let pool = |fallback, data| make(0, [(4, 100), (5, fallback), (6, data)]).unwrap();
        let small = pool(12, 0);
        {
            let first = Owned::get(small, 70);
            assert_eq!(owner_of(&first), small);
            assert!(Owned::get(small, 31).0.is_null());
            let _second = Owned::get(small, 30);
            assert!(Owned::get(small, 1).0.is_null());
        }
        assert!(!Owned::get(small, 100).0.is_null());
        let (to_default, to_small) = (pool(11, 0), pool(14, small as usize));
        let _block = Owned::get(to_small, 100);
        let second = Owned::get(to_small, 60);
        assert_eq!(owner_of(&second), small);
        assert!(Owned::get(to_small, 60).0.is_null());
        assert_eq!(owner_of(&Owned::get(to_default, 101)), DEFAULT);
    }

    #[test]
    fn memory_that_is_not_there_comes_from_the_fallback() {
        assert_eq!(owner_of(&Owned::get(102, 10)), DEFAULT);
        let strict = make(100, [(5, 12)]).unwrap();
        assert!(Owned::get(strict, 10).0.is_null());
    }

    #[test]
    fn realloc_keeps_the_contents_and_the_pool() {
        let handle = make(0, [(4, 1000), (5, 12)]).unwrap() as usize;
        // SAFETY: blocks of our own, of these sizes.
        unsafe {
            let mut block = allocate(handle, request(100, 1));
            block.write_bytes(7, 100);
            for (size, other) in [(900, 0), (50, 0), (400, DEFAULT as usize), (300, handle), (1000, 0)] {
                block = reallocate(block, size, other, TEST);
                assert!((0..50).all(|index| block.add(index).read() == 7), "{size}");
            }
            assert!(reallocate(block, 1001, 0, TEST).is_null());
            assert_eq!(block.add(49).read(), 7);
            assert!(allocate(handle, request(1, 1)).is_null());
            assert!(reallocate(block, 0, 0, TEST).is_null());
            assert!(!reallocate(ptr::null_mut(), 1000, handle, TEST).is_null());
        }
    }

    #[test]
    fn aligned_blocks_stay_aligned() {
        let handle = make(0, [(2, 512)]).unwrap() as usize;
        // SAFETY: blocks of our own.
        unsafe {
            let mut block = allocate(handle, request(10, 1));
            for size in [100, 5000, 3] {
                block = reallocate(block, size, 0, TEST);
                assert_eq!(block.addr() % 512, 0);
            }
            free(block, TEST);
        }
    }

    #[test]
    fn zeroed_memory_is_zero() {
        let pinned = make(0, [(7, 1)]).unwrap();
        for handle in [DEFAULT, pinned] {
            let block = allocate(handle as usize, Request::of_zeroes(100, 40, 64, TEST, nowhere()));
            // SAFETY: the block has 4000 bytes.
            assert!((0..4000).all(|index| unsafe { block.add(index).read() } == 0));
            // SAFETY: our block.
            unsafe { free(block, TEST) };
        }
        assert!(allocate(DEFAULT as usize, Request::of_zeroes(usize::MAX, 2, 1, TEST, nowhere())).is_null());
    }

    #[test]
    fn a_block_outlives_its_allocator() {
        let handle = make(0, [(4, 100)]).unwrap() as usize;
        let block = allocate(handle, request(50, 1));
        destroy(handle, TEST);
        // SAFETY: our block.
        unsafe { free(reallocate(block, 60, 0, TEST), TEST) };
    }

    #[test]
    fn fallbacks_follow_one_another() {
        let last = make(101, [(5, 11)]).unwrap() as usize;
        let middle = make(100, [(2, 128), (5, 14), (6, last)]).unwrap() as usize;
        let first = make(102, [(5, 14), (6, middle)]).unwrap();
        let block = Owned::get(first, 10);
        assert_eq!((owner_of(&block), block.0.addr() % 128), (DEFAULT, 0));
    }

    #[test]
    fn text_makes_allocators() {
        assert_eq!(from_text("omp_const_mem_alloc"), Some(3));
        assert_eq!(describe(3), "omp_const_mem_alloc");
        let text = "omp_default_mem_space:alignment=64,pinned=true";
        assert_eq!(describe(from_text(text).unwrap()), text);
        assert_eq!(from_text("omp_default_mem_space:alignment=3"), None);
    }
}

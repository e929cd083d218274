//! Memory of allocators (OpenMP 5.1 §2.13, §3.13): `omp_alloc` and its like, variables of `allocate` and
//! `uses_allocators` clauses and of `allocate` directives.
//!
//! ```text
//! allocate ──> chosen ──> serve ──┬──> the C library's heap
//!             allocator     ▲     ├──> pages.rs: pages in certain NUMA domains, or pinned pages
//!                           │     └──> remote.rs: memory of a device
//!                        its fallback, when no memory is left
//! ```
//!
//! A header before each block of the host's memory says which allocator the block is from (`block.rs`). Blocks of
//! devices stand in a list instead, because the host may be unable to read there.

mod block;
pub mod marks;
mod nodes;
mod pages;
mod remote;
mod request;
pub mod spaces;

pub use request::Request;

use crate::allocators::spaces::{Named, Resource, Space};
use crate::allocators::table::{self, Allocator};
use crate::allocators::traits::{Fallback, Partition, Traits};
use crate::allocators::{DEFAULT, Handle, NULL};
use crate::objects::call::Call;
use crate::objects::current;
use crate::place::near;
use crate::{stderr, warn_once};
use block::{Header, NATURAL, Source};
use pages::Layout;
use remote::Remote;
use std::ptr::{self, NonNull};

/// How many fallbacks a request follows before it fails. A longer chain is a circle.
const MOST_FALLBACKS: u32 = 64;

/// What is known of a block.
enum Known {
    Host(Header),
    Device(Remote),
}

impl Known {
    /// # Safety
    /// The memory before the address can be read, if the address is the host's.
    unsafe fn look(block: NonNull<u8>) -> Option<Known> {
        match remote::look(block) {
            Some(remote) => Some(Known::Device(remote)),
            // SAFETY: the caller keeps to the `# Safety` section.
            None => unsafe { block::look(block) }.map(Known::Host),
        }
    }

    /// Bytes that the program asked for.
    fn bytes(&self) -> usize {
        match self {
            Known::Host(header) => header.size,
            Known::Device(remote) => remote.size,
        }
    }

    /// The allocator of the block, if it still exists.
    fn owner(&self) -> Option<&'static Allocator> {
        let (handle, serial) = match self {
            Known::Host(header) => (header.owner(), header.serial),
            Known::Device(remote) => (remote.owner, remote.serial),
        };
        table::find(handle as usize).filter(|allocator| allocator.serial == serial)
    }
}

/// Memory from the allocator `handle`, or from the calling thread's default allocator (0). Null if neither the
/// allocator nor its fallbacks have any, and for 0 bytes (§3.13.6 to §3.13.9).
pub fn allocate(handle: usize, request: Request) -> *mut u8 {
    if request.size == 0 {
        return ptr::null_mut();
    }
    if !request.alignment.is_power_of_two() {
        let Request { routine, alignment, .. } = request;
        warn_once!("{routine}: {alignment} is no alignment; returning a null pointer");
        return ptr::null_mut();
    }
    address(from(chosen(handle, request.routine), request))
}

/// As [`allocate`], for a variable. A compiler's code does not check for null, so the program ends without memory
/// (§2.13.3 and §2.13.4: `null_fb` counts as `abort_fb`).
pub fn allocate_variable(handle: usize, request: Request) -> *mut u8 {
    let block = allocate(handle, request);
    if block.is_null() && request.size > 0 {
        give_up(request);
    }
    block
}

/// Frees a block of any allocator; null is ignored (§3.13.10).
///
/// # Safety
/// `pointer` is null or the address of memory, with readable bytes before it. A block is no longer used.
pub unsafe fn free(pointer: *mut u8, routine: &'static str, call: Call) {
    let Some(block) = NonNull::new(pointer) else { return };
    // SAFETY: the caller keeps to the `# Safety` section.
    match unsafe { Known::look(block) } {
        // SAFETY: the caller keeps to the `# Safety` section.
        Some(known) => unsafe { release(block, &known, call) },
        None => not_a_block(pointer, routine),
    }
}

/// Moves the content of a block into a block of another size or allocator, and frees the old block. Null, and the old
/// block stays, if there is no memory. A null pointer asks for a new block; size 0 frees the block (§3.13.11).
///
/// # Safety
/// As for [`free`].
pub unsafe fn reallocate(pointer: *mut u8, size: usize, handle: usize, routine: &'static str, call: Call) -> *mut u8 {
    let mut request = Request { size, alignment: 1, zeroed: false, routine, call };
    let Some(block) = NonNull::new(pointer) else { return allocate(handle, request) };
    // SAFETY: the caller keeps to the `# Safety` section.
    let Some(known) = (unsafe { Known::look(block) }) else {
        not_a_block(pointer, routine);
        return ptr::null_mut();
    };
    if size == 0 {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { release(block, &known, call) };
        return ptr::null_mut();
    }
    let owner = known.owner();
    let allocator = if handle == 0 { owner.unwrap_or_else(last_resort) } else { chosen(handle, routine) };
    let resized = match &known {
        // SAFETY: the caller keeps to the `# Safety` section.
        Known::Host(header) => unsafe { resize(block, header, size, allocator, owner) },
        Known::Device(remote) => {
            request.alignment = remote.alignment;
            None
        }
    };
    // SAFETY: the caller keeps to the `# Safety` section.
    address(resized.or_else(|| unsafe { transfer(block, &known, allocator, request) }))
}

fn address(block: Option<NonNull<u8>>) -> *mut u8 {
    block.map_or(ptr::null_mut(), NonNull::as_ptr)
}

/// Makes an allocator of a memory space and of traits; `None` if the space or a trait does not exist (§3.13.2).
pub fn make(space: usize, pairs: impl IntoIterator<Item = (u32, usize)>) -> Option<Handle> {
    let exists = |handle| table::find(handle).map(|allocator| allocator.handle);
    let traits = Traits::from_pairs(pairs, exists)?;
    match Named::find(space) {
        Some(Named::Composed(space)) => table::add_composed(space, traits, false),
        // Older headers number the default space as no space is numbered here.
        _ => table::add(Space::from_number(space)?, traits),
    }
}

/// Ends an allocator that a program has made; 0 is ignored (§3.13.3).
pub fn destroy(handle: usize, routine: &'static str) {
    if handle != NULL as usize && !table::remove(handle) {
        warn_once!("{routine}: {handle:#x} is no allocator of the program's; left alone");
    }
}

/// The value of def-allocator-var, which belongs to the calling thread's implicit task (§3.13.5).
pub fn default_allocator() -> Handle {
    // SAFETY: only the thread itself reads and writes the ICVs of its implicit task.
    unsafe { (*current::current().member().implicit.icvs.get()).def_allocator }
}

/// Sets def-allocator-var; 0 means `omp_default_mem_alloc` (§3.13.4).
pub fn set_default_allocator(handle: usize, routine: &'static str) {
    let handle = if handle == NULL as usize { DEFAULT as usize } else { handle };
    let Some(allocator) = table::find(handle) else {
        warn_once!("{routine}: {handle:#x} is no allocator; the default allocator stays");
        return;
    };
    let thread = current::current();
    // SAFETY: only the thread itself reads and writes the ICVs of its implicit task.
    unsafe { (*thread.member().implicit.icvs.get()).def_allocator = allocator.handle };
    // The regions of an explicit task inherit the value from the task's own ICVs.
    thread.icvs_mut().def_allocator = allocator.handle;
}

/// The allocator `handle`, or the calling thread's default one (0). A handle of no allocator is replaced, with a
/// warning.
#[inline]
fn chosen(handle: usize, routine: &'static str) -> &'static Allocator {
    let wanted = if handle == NULL as usize { default_allocator() as usize } else { handle };
    table::find(wanted).unwrap_or_else(|| no_allocator(wanted, routine))
}

#[cold]
fn no_allocator(handle: usize, routine: &'static str) -> &'static Allocator {
    warn_once!("{routine}: {handle:#x} is no allocator; using omp_default_mem_alloc");
    last_resort()
}

fn last_resort() -> &'static Allocator {
    table::find(DEFAULT as usize).expect("predefined allocators exist")
}

/// A block from an allocator or from its fallbacks.
fn from(mut allocator: &'static Allocator, mut request: Request) -> Option<NonNull<u8>> {
    for _ in 0..MOST_FALLBACKS {
        // A fallback keeps the alignment of the allocator that it stands in for.
        request.alignment = request.alignment.max(allocator.traits.alignment);
        if let Some(block) = serve(allocator, request) {
            return Some(block);
        }
        allocator = match allocator.traits.fallback {
            Fallback::Null => return None,
            Fallback::Abort => give_up(request),
            Fallback::DefaultMem => last_resort(),
            Fallback::Allocator(next) => table::find(next as usize).unwrap_or_else(last_resort),
        };
    }
    None
}

/// A block from this allocator alone, within its pool size.
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

/// The NUMA domains of a space: `Some(None)` for ordinary memory, `None` if the machine has no such memory.
fn domains(space: Space) -> Option<Option<&'static [u32]>> {
    let some_of = |nodes: &'static [u32]| (!nodes.is_empty()).then_some(Some(nodes));
    match space {
        Space::Default | Space::Const | Space::LowLat | Space::Cgroup => Some(None),
        // Without memory that is larger than ordinary memory, this one is the largest.
        Space::LargeCap => Some(some_of(&nodes::nodes().large_capacity).flatten()),
        Space::HighBw => some_of(&nodes::nodes().high_bandwidth),
        // `remote::take` serves the memory of devices. `GnuManaged` exists on libgomp with a device that shares such
        // memory with the host.
        Space::TargetHost | Space::TargetShared | Space::TargetDevice | Space::GnuManaged => None,
    }
}

/// The NUMA domains among resources.
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
    let part = allocator.composed.map(|space| domains_among(&space.resources));
    let domains = match &part {
        Some(nodes) => Some(&nodes[..]),
        None => domains(allocator.space)?,
    };
    let bytes = block::needed(request.size, request.alignment)?;
    let layout = match (domains, traits.partition) {
        (None, Partition::Environment) => Layout::Anywhere,
        _ => pages::layout(domains, traits, &nodes::nodes().all, near::domain_of_caller),
    };
    let (base, source) = if layout == Layout::Anywhere && !traits.pinned {
        // SAFETY: no preconditions.
        let memory = unsafe { if request.zeroed { libc::calloc(1, bytes) } else { libc::malloc(bytes) } };
        (NonNull::new(memory.cast())?, Source::Heap)
    } else {
        (pages::map(bytes, &layout, traits.pinned)?, Source::Pages)
    };
    // SAFETY: the memory is new, aligned and has the bytes needed.
    Some(unsafe { block::place(base, request.size, request.alignment, source, allocator.handle, allocator.serial) })
}

/// In a forked child, where the thread that held a lock does not exist.
pub fn after_fork() {
    crate::allocators::spaces::after_fork();
    remote::after_fork();
}

/// Gives a block's memory back.
///
/// # Safety
/// `known` describes the block, and the block is no longer used.
unsafe fn release(block: NonNull<u8>, known: &Known, call: Call) {
    if let Some(owner) = known.owner() {
        owner.discharge(known.bytes());
    }
    // SAFETY: the caller's; a header's base is what its source gave.
    unsafe {
        match known {
            Known::Device(remote) => remote::give_back(block, remote, call),
            Known::Host(header) => {
                block::forget(block);
                match header.source() {
                    Source::Heap => libc::free(header.base.cast()),
                    Source::Pages => pages::unmap(header.base, header.taken()),
                }
            }
        }
    }
}

/// Changes the size of a block of the heap by the heap's own means. `None`, and the block is as before, if that is
/// impossible.
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
    // SAFETY: the base is the heap's. Where the heap refuses, the old memory stays as it was, but for the header that
    // `forget` has spoilt.
    unsafe {
        let place = |base, size| block::place(base, size, NATURAL, Source::Heap, allocator.handle, allocator.serial);
        block::forget(block);
        let Some(base) = NonNull::new(libc::realloc(header.base.cast(), bytes).cast::<u8>()) else {
            allocator.discharge(grown);
            place(NonNull::new(header.base)?, header.size);
            return None;
        };
        allocator.discharge(header.size.saturating_sub(size));
        Some(place(base, size))
    }
}

/// A new block with the content of the old one, which is freed. `None`, and the old block stays, if there is no memory
/// or a device cannot copy.
///
/// # Safety
/// As for [`release`].
unsafe fn transfer(
    block: NonNull<u8>,
    known: &Known,
    allocator: &'static Allocator,
    request: Request,
) -> Option<NonNull<u8>> {
    let new = from(allocator, request)?;
    let bytes = known.bytes().min(request.size);
    // SAFETY: the new block is this call's own, and neither block is smaller than `bytes`.
    unsafe {
        if matches!(known, Known::Host(_)) && remote::look(new).is_none() {
            ptr::copy_nonoverlapping(block.as_ptr(), new.as_ptr(), bytes);
        } else if !remote::copy(new, block, bytes, request.call) {
            free(new.as_ptr(), request.routine, request.call);
            return None;
        }
        release(block, known, request.call);
    }
    Some(new)
}

#[cold]
fn not_a_block(pointer: *mut u8, routine: &'static str) {
    warn_once!("{routine}: {pointer:p} is no memory of an allocator, or has been freed; left alone");
}

/// Ends the program, as the fallback trait `abort_fb` asks.
#[cold]
fn give_up(request: Request) -> ! {
    let Request { routine, size, .. } = request;
    stderr::abort(format_args!("{routine}: no allocator that may serve {size} bytes has them"))
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
        // SAFETY: the tests pass what `super`'s function of this name asks for.
        unsafe { super::free(pointer, routine, nowhere()) }
    }

    unsafe fn reallocate(pointer: *mut u8, size: usize, handle: usize, routine: &'static str) -> *mut u8 {
        // SAFETY: the tests pass what `super`'s function of this name asks for.
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

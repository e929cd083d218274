//! Blocks of memory that a device's driver gives. The host may not be able to read there, so that they have no header
//! before them: what is known of each stands in a list of its own. OpenMP 6.0, chapter 27.

use super::{Request, block};
use crate::allocators::spaces::{Resource, Use};
use crate::allocators::table::Allocator;
use crate::allocators::{DEFAULT, Handle, table};
use crate::device::driver;
use crate::device::{self, Copy, Fill, Operation, Owner, Place, Routine, memory};
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::objects::call::Call;
use crate::objects::current;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// What drivers align their memory to at least.
const ALIGNED: usize = 128;

/// What is known of a block.
#[derive(Clone, Copy)]
pub struct Remote {
    /// Where the driver's memory begins.
    base: usize,
    /// Bytes that the program asked for.
    pub size: usize,
    pub alignment: usize,
    /// The allocator that gave the block, and what tells it from others of the same handle.
    pub owner: Handle,
    pub serial: u32,
    /// The device.
    device: i32,
}

/// The blocks, by address.
static BLOCKS: Mutex<BTreeMap<usize, Remote>> = Mutex::new(BTreeMap::new());
/// How many there are: as long as there are none, nobody looks for one.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What the runtime does with a device's memory on an allocator's behalf, for tools.
fn routine(call: Call) -> Routine {
    Routine::begin(current::current(), call)
}

/// A block of a device's memory, where the allocator's space or traits ask for that; the inner result is none where
/// there is no more of it, or no device. The outer one is none where the host's memory is asked for.
pub fn take(allocator: &Allocator, request: Request) -> Option<Option<NonNull<u8>>> {
    let traits = &allocator.traits;
    let from = |resource| take_from(resource, request, allocator.handle, allocator.serial);
    if let Some(space) = allocator.composed {
        if !space.resources().iter().any(|resource| matches!(resource, Resource::Device(..))) {
            return None;
        }
        let wanted = traits.preferred_device;
        let preferred = |found: &&Resource| matches!(found, Resource::Device(number, _) if Some(*number) == wanted);
        let first = space.resources().iter().find(preferred);
        return Some(first.into_iter().chain(space.resources()).find_map(|&resource| from(resource)));
    }
    if let Some(of) = allocator.space.use_by_devices() {
        let device = traits.preferred_device.unwrap_or_else(|| device::default(current::current()));
        return Some(from(Resource::Device(device, of)));
    }
    // Memory that is pinned for a device which cannot reach all of the host's has to come from its driver.
    let device = traits.pin_device.filter(|_| traits.pinned).and_then(device::find)?;
    if !device.ready() || device.driver().shares_memory() {
        return None;
    }
    Some(from(Resource::Device(device.number(), Use::Host)))
}

/// A block of a resource; none where that has no more memory, is not a device's, or its device cannot be used.
fn take_from(resource: Resource, request: Request, owner: Handle, serial: u32) -> Option<NonNull<u8>> {
    let Resource::Device(number, of) = resource else { return None };
    let device = device::find(number).filter(|device| device.ready())?;
    let alignment = request.alignment.max(block::NATURAL);
    let slack = if alignment > ALIGNED { alignment } else { 0 };
    let bytes = request.size.checked_add(slack).filter(|&bytes| bytes <= isize::MAX as usize)?;
    let routine = routine(request.call);
    let base = memory::allocate(&routine, Owner::Device(device), bytes, for_driver(of)) as usize;
    let address = if base == 0 { return None } else { base.next_multiple_of(alignment) };
    if request.zeroed {
        let fill = Fill { to: Place { owner: Owner::Device(device), address }, value: 0, bytes: request.size };
        // SAFETY: the bytes are new, and nobody else's.
        if unsafe { fill.perform(&routine) }.is_err() {
            // SAFETY: as above.
            unsafe { memory::free(&routine, Owner::Device(device), base as *mut c_void) };
            return None;
        }
    }
    COUNT.fetch_add(1, Ordering::Relaxed);
    BLOCKS
        .with(|all| all.insert(address, Remote { base, size: request.size, alignment, owner, serial, device: number }));
    NonNull::new(address as *mut u8)
}

/// What is known of a block at this address; none if there is none. Whoever has a block sees it: its thread has been
/// told the address.
#[inline]
pub fn look(block: NonNull<u8>) -> Option<Remote> {
    if COUNT.load(Ordering::Relaxed) == 0 { None } else { look_it_up(block) }
}

#[cold]
fn look_it_up(block: NonNull<u8>) -> Option<Remote> {
    BLOCKS.with(|all| all.get(&block.addr().get()).copied())
}

/// Gives a block back.
///
/// # Safety
/// Nobody uses it any more.
unsafe fn give_back(block: NonNull<u8>, known: &Remote, call: Call) {
    if BLOCKS.with(|all| all.remove(&block.addr().get())).is_none() {
        return;
    }
    COUNT.fetch_sub(1, Ordering::Relaxed);
    // The memory of a device that was given back meanwhile went with it.
    if let Some(device) = device::find(known.device).filter(|device| device.blocks.have(known.base, 1)) {
        // SAFETY: the caller's.
        unsafe { memory::free(&routine(call), Owner::Device(device), known.base as *mut c_void) };
    }
}

/// The allocator that gave a block of a device's memory, if it still exists.
fn owner(known: &Remote) -> Option<&'static Allocator> {
    table::find(known.owner as usize).filter(|allocator| allocator.serial == known.serial)
}

/// Gives a device's block back.
///
/// # Safety
/// Nobody uses it any more.
#[cold]
pub unsafe fn release(block: NonNull<u8>, known: &Remote, call: Call) {
    if let Some(owner) = owner(known) {
        owner.discharge(known.size);
    }
    // SAFETY: by the caller.
    unsafe { give_back(block, known, call) };
}

/// [`super::reallocate`] of a device's block.
///
/// # Safety
/// As for [`release`].
#[cold]
pub unsafe fn reallocate(block: NonNull<u8>, known: &Remote, handle: usize, mut request: Request) -> *mut u8 {
    if request.size == 0 {
        // SAFETY: by the caller.
        unsafe { release(block, known, request.call) };
        return ptr::null_mut();
    }
    let allocator = match handle {
        0 => owner(known).or_else(|| table::find(DEFAULT as usize)),
        _ => Some(super::chosen(handle, request.routine)),
    };
    request.alignment = known.alignment;
    let Some(new) = allocator.and_then(|allocator| super::from(allocator, request)) else { return ptr::null_mut() };
    // SAFETY: the new block is nobody else's and has at least as many bytes; the old one is not in use.
    unsafe {
        if copy(new, block, known.size.min(request.size), request.call) {
            release(block, known, request.call);
            return new.as_ptr();
        }
        super::free(new.as_ptr(), request.routine, request.call);
    }
    ptr::null_mut()
}

/// Copies from one block to another, each of them the host's or a device's; false where a device cannot.
///
/// # Safety
/// Both have that many bytes, and nobody else uses them meanwhile.
pub unsafe fn copy(to: NonNull<u8>, from: NonNull<u8>, bytes: usize, call: Call) -> bool {
    let place = |block: NonNull<u8>| {
        let owner = match look(block).and_then(|known| device::find(known.device)) {
            Some(device) => Owner::Device(device),
            None => Owner::Host,
        };
        Place { owner, address: block.addr().get() }
    };
    // SAFETY: the caller's.
    unsafe { Copy { to: place(to), from: place(from), bytes }.perform(&routine(call)) }.is_ok()
}

/// In a forked child: whoever held the list is not there. What it knows of devices' blocks stays; those of devices that
/// are closed there are told by [`give_back`].
pub fn after_fork() {
    BLOCKS.force_open();
}
/// What the driver is asked for.
fn for_driver(of: Use) -> driver::Space {
    match of {
        Use::Device => driver::Space::Device,
        Use::Host => driver::Space::Host,
        Use::Shared => driver::Space::Shared,
    }
}

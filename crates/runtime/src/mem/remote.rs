//! Blocks of devices' memory (OpenMP 6.0, chapter 27). The host may be unable to read there, so blocks have no header:
//! a list has what is known of each block.

use super::block;
use super::request::Request;
use crate::allocators::Handle;
use crate::allocators::spaces::{Resource, Use};
use crate::allocators::table::Allocator;
use crate::device::{self, Copy, Fill, Operation, Owner, Place, Routine, memory};
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::objects::call::Call;
use crate::objects::current;
use crate::park::mutex::Mutex;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::NonNull;

/// The least alignment of drivers' memory.
const ALIGNED: usize = 128;

/// What is known of a block.
#[derive(Clone, Copy)]
pub struct Remote {
    /// Where the driver's memory begins.
    base: usize,
    /// Bytes that the program asked for.
    pub size: usize,
    pub alignment: usize,
    /// The allocator of the block. The serial number tells apart allocators that had the same handle one after the
    /// other.
    pub owner: Handle,
    pub serial: u32,
    /// The device's number.
    device: i32,
}

/// The blocks, by address.
static BLOCKS: Mutex<BTreeMap<usize, Remote>> = Mutex::new(BTreeMap::new());
/// The number of blocks. While it is 0, no lookup takes the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What the runtime does with a device's memory for an allocator, as a routine for tools.
fn routine(call: Call) -> Routine {
    Routine::begin(current::current(), call)
}

/// A block of a device's memory. The outer result is `None` if the allocator's space and traits ask for the host's
/// memory; the inner one is `None` if there is no such device, or no memory left.
pub fn take(allocator: &Allocator, request: Request) -> Option<Option<NonNull<u8>>> {
    let traits = &allocator.traits;
    let from = |resource| take_from(resource, request, allocator.handle, allocator.serial);
    if let Some(space) = allocator.composed {
        if !space.resources.iter().any(|resource| matches!(resource, Resource::Device(..))) {
            return None;
        }
        let wanted = traits.preferred_device;
        let preferred = |found: &&Resource| matches!(found, Resource::Device(number, _) if Some(*number) == wanted);
        let first = space.resources.iter().find(preferred);
        return Some(first.into_iter().chain(&space.resources).find_map(|&resource| from(resource)));
    }
    if let Some(of) = allocator.space.use_by_devices() {
        let device = traits.preferred_device.unwrap_or_else(|| device::default(current::current()));
        return Some(from(Resource::Device(device, of)));
    }
    // A device that cannot reach all of the host's memory can only reach pinned memory from its own driver.
    let device = traits.pin_device.filter(|_| traits.pinned).and_then(device::find)?;
    if !device.ready() || device.abilities.shares_memory {
        return None;
    }
    Some(from(Resource::Device(device.number, Use::Host)))
}

/// A block of a resource; `None` without memory left, or if the resource is no usable device's.
fn take_from(resource: Resource, request: Request, owner: Handle, serial: u32) -> Option<NonNull<u8>> {
    let Resource::Device(number, of) = resource else { return None };
    let device = device::find(number).filter(|device| device.ready())?;
    let alignment = request.alignment.max(block::NATURAL);
    let slack = if alignment > ALIGNED { alignment } else { 0 };
    let bytes = request.size.checked_add(slack).filter(|&bytes| bytes <= isize::MAX as usize)?;
    let routine = routine(request.call);
    let base = memory::allocate(&routine, Owner::Device(device), bytes, of) as usize;
    let address = if base == 0 { return None } else { base.next_multiple_of(alignment) };
    if request.zeroed {
        let fill = Fill { to: Place { owner: Owner::Device(device), address }, value: 0, bytes: request.size };
        // SAFETY: the bytes are new, and this call's own.
        if unsafe { fill.perform(&routine) }.is_err() {
            // SAFETY: allocated above, and not used.
            unsafe { memory::free(&routine, Owner::Device(device), base as *mut c_void) };
            return None;
        }
    }
    COUNT.fetch_add(1, Ordering::Relaxed);
    BLOCKS
        .with(|all| all.insert(address, Remote { base, size: request.size, alignment, owner, serial, device: number }));
    NonNull::new(address as *mut u8)
}

/// What is known of the block at this address; `None` without a block. The count cannot be 0 for a thread that has a
/// block's address: the address has reached the thread after the count was raised.
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
/// The block is no longer used.
#[cold]
pub unsafe fn give_back(block: NonNull<u8>, known: &Remote, call: Call) {
    if BLOCKS.with(|all| all.remove(&block.addr().get())).is_none() {
        return;
    }
    COUNT.fetch_sub(1, Ordering::Relaxed);
    // A device that was closed meanwhile has freed the memory itself.
    if let Some(device) = device::find(known.device).filter(|device| device.has_given(known.base, 1)) {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { memory::free(&routine(call), Owner::Device(device), known.base as *mut c_void) };
    }
}

/// Copies from one block to another, each of them the host's or a device's. False if a device cannot.
///
/// # Safety
/// Both blocks have this size, and no other thread uses them meanwhile.
pub unsafe fn copy(to: NonNull<u8>, from: NonNull<u8>, bytes: usize, call: Call) -> bool {
    let place = |block: NonNull<u8>| {
        let owner = match look(block).and_then(|known| device::find(known.device)) {
            Some(device) => Owner::Device(device),
            None => Owner::Host,
        };
        Place { owner, address: block.addr().get() }
    };
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { Copy { to: place(to), from: place(from), bytes }.perform(&routine(call)) }.is_ok()
}

/// In a forked child, where the thread that held the list does not exist. [`give_back`] recognizes the blocks of
/// devices that do not exist there either.
pub fn after_fork() {
    BLOCKS.force_open();
}

//! Memory of an NVIDIA device: blocks in classes of size, of which those that were given back are kept for the next who
//! asks. The driver's own functions take long, and the one that frees waits for all that is under way on the device.

use super::api::{self, Address, Api, Fault};
use crate::device::blocks::{CLASSES, class, size_of_class};
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;

/// The memory of one device. Callers have entered the device's context.
pub struct Memory {
    classes: [Mutex<Vec<Address>>; CLASSES],
    /// Bytes in all classes.
    kept: AtomicUsize,
    /// How many bytes are kept at most.
    most: AtomicUsize,
}

impl Memory {
    pub const fn new() -> Self {
        Memory {
            classes: [const { Mutex::new(Vec::new()) }; CLASSES],
            kept: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    /// Of the device's memory, which is so large, a quarter is kept at most.
    pub fn set_size(&self, bytes: usize) {
        self.most.store(bytes / 4, Ordering::Relaxed);
    }

    /// A block of at least so many bytes; the driver's error if there is not enough memory.
    pub fn allocate(&self, api: &Api, bytes: usize) -> Result<Address, Fault> {
        let (index, size) = class(bytes).ok_or(Fault { call: "cuMemAlloc_v2", status: api::OUT_OF_MEMORY })?;
        if let Some(block) = self.classes[index].with(Vec::pop) {
            self.kept.fetch_sub(size, Ordering::Relaxed);
            return Ok(block);
        }
        let fresh = || {
            let mut block: Address = 0;
            // SAFETY: writes the block's address.
            unsafe { api.allocate(&raw mut block, size) }.map(|()| block)
        };
        fresh().or_else(|fault| {
            if fault.is_final() {
                return Err(fault);
            }
            self.release(api);
            fresh()
        })
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// It is from [`allocate`](Self::allocate) for as many bytes, and nobody uses it any more.
    pub unsafe fn free(&self, api: &Api, block: Address, bytes: usize) {
        let Some((index, size)) = class(bytes) else { return };
        let most = self.most.load(Ordering::Relaxed);
        if self.kept.load(Ordering::Relaxed) + size > most {
            // What is asked for now is likelier to be asked for again than what was long ago.
            self.release(api);
        }
        if size > most {
            // SAFETY: the caller's. What cannot be freed is lost.
            let _ = unsafe { api.free(block) };
            return;
        }
        self.kept.fetch_add(size, Ordering::Relaxed);
        self.classes[index].with(|blocks| blocks.push(block));
    }

    /// Gives all that is kept back to the driver.
    pub fn release(&self, api: &Api) {
        for (index, blocks) in self.classes.iter().enumerate() {
            for block in blocks.with(std::mem::take) {
                self.kept.fetch_sub(size_of_class(index), Ordering::Relaxed);
                // SAFETY: it has been given back, and was taken from the list by this thread alone. What cannot be
                // freed is lost.
                let _ = unsafe { api.free(block) };
            }
        }
    }

    /// Forgets all that is kept: the device is not there any more, or whoever held a list is not, in a forked child.
    pub fn forget(&self) {
        for blocks in &self.classes {
            blocks.renew_after_fork();
        }
        self.kept.store(0, Ordering::Relaxed);
    }
}

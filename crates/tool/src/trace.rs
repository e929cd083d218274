//! A device's trace: the buffers that the framework gives to devices, and the records in them. OpenMP 5.1, sections
//! 4.5.2.23, 4.5.2.24 and 4.6.2.10 to 4.6.2.14.

use crate::Device;
use crate::device::entry_point;
use crate::hosted::{AbortOnUnwind, Hosted};
use crate::records::Records;
use ompt::*;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The devices that trace, by number.
static TRACED: Mutex<BTreeMap<c_int, Traced>> = Mutex::new(BTreeMap::new());

struct Traced {
    device: Device,
    /// The size in bytes of the buffers that the device gets.
    bytes: usize,
    /// Buffers that came back, to be given again.
    spare: Vec<Block>,
}

fn traced() -> MutexGuard<'static, BTreeMap<c_int, Traced>> {
    TRACED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A buffer's memory: its size, and at [`Block::HEAD`] the buffer that the device gets.
struct Block(*mut u8);
// SAFETY: the memory belongs to the block alone.
unsafe impl Send for Block {}

impl Block {
    /// The alignment of buffers. Records begin with words of eight bytes, and no device needs more than this.
    const HEAD: usize = 16;
    /// How many free buffers are kept for a device: one is filled while others are read.
    const SPARE: usize = 4;

    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes.checked_add(Block::HEAD)?, Block::HEAD).ok()
    }

    fn new(bytes: usize) -> Option<Block> {
        // SAFETY: the size is not 0.
        let memory = unsafe { alloc(Block::layout(bytes)?) };
        if memory.is_null() {
            return None;
        }
        // SAFETY: the memory begins with a head that holds a `usize`, and is aligned for it.
        unsafe { memory.cast::<usize>().write(bytes) };
        Some(Block(memory))
    }

    /// The device's buffer. The device owns the block until it gives the buffer back.
    fn into_buffer(self) -> *mut Buffer {
        let memory = self.0;
        std::mem::forget(self);
        // SAFETY: inside the memory.
        unsafe { memory.add(Block::HEAD) }.cast()
    }

    /// # Safety
    /// `buffer` is from `into_buffer`, and the device has given it back.
    unsafe fn of_buffer(buffer: *mut Buffer) -> Block {
        // SAFETY: by the caller's contract the header before `buffer` is the one that `new` wrote.
        Block(unsafe { buffer.cast::<u8>().sub(Block::HEAD) })
    }

    fn bytes(&self) -> usize {
        // SAFETY: `new` has written it there.
        unsafe { self.0.cast::<usize>().read() }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let layout = Block::layout(self.bytes()).expect("it was valid when the block was made");
        // SAFETY: `new` has allocated the memory with this layout, and `self` owns it.
        unsafe { dealloc(self.0, layout) };
    }
}

impl Device {
    /// Starts the trace: from here on the device writes its records into buffers of `bytes` bytes, which the framework
    /// allocates. [`Tool::device_records`](crate::Tool::device_records) of the tool `T` gets each buffer when the
    /// buffer is full or flushed, or the trace has stopped. `number` is the device number that `device_initialize` got.
    /// Returns whether the trace has started.
    ///
    /// ```
    /// use ferromp_tool::*;
    /// use std::ffi::c_int;
    ///
    /// struct Copies;
    /// #[tool]
    /// impl Tool for Copies {
    ///     const NAME: &'static str = "copies";
    ///     fn initialize(_init: &Init<Self>) -> Result<Self, String> {
    ///         Ok(Copies)
    ///     }
    ///     fn device_records(&self, number: c_int, records: Records<'_>) {
    ///         for operation in records.filter_map(Record::operation) {
    ///             if let Performed::Data(data) = operation.what {
    ///                 eprintln!("device {number}: {:?} of {} bytes", data.optype, data.bytes);
    ///             }
    ///         }
    ///     }
    /// }
    ///
    /// // What `device_initialize` hands to the tool.
    /// fn trace(device: Device, number: c_int) -> bool {
    ///     device.set_trace(Some(Event::TargetDataOp), true);
    ///     device.start_trace::<Copies>(number, 1 << 20)
    /// }
    /// # fn main() {}
    /// ```
    pub fn start_trace<T: Hosted>(self, number: c_int, bytes: usize) -> bool {
        let Some(start) = entry_point!(self, c"ompt_start_trace" as StartTrace) else { return false };
        prepare(number, self, bytes);
        // SAFETY: this device has answered the look-up of the entry point, and the callbacks have the types that it
        // takes.
        unsafe { start(self.as_ptr(), request, complete::<T>) != 0 }
    }
}

/// From here on the device of this number is given buffers of `bytes` bytes.
fn prepare(number: c_int, device: Device, bytes: usize) {
    traced().insert(number, Traced { device, bytes, spare: Vec::new() });
}

/// `ompt_callback_buffer_request`: gives a device a buffer; none where there is no memory.
unsafe extern "C" fn request(number: c_int, buffer: *mut *mut Buffer, bytes: *mut usize) {
    let block = traced().get_mut(&number).and_then(|traced| traced.spare.pop().or_else(|| Block::new(traced.bytes)));
    let (size, memory) = block.map_or((0, std::ptr::null_mut()), |block| (block.bytes(), block.into_buffer()));
    // SAFETY: the runtime passes two places to write to.
    unsafe { (*buffer, *bytes) = (memory, size) };
}

/// `ompt_callback_buffer_complete`: gives the tool a device's records, and takes the buffer back.
unsafe extern "C" fn complete<T: Hosted>(
    number: c_int,
    buffer: *mut Buffer,
    bytes: usize,
    begin: BufferCursor,
    buffer_owned: c_int,
) {
    let guard = AbortOnUnwind;
    let device = traced().get(&number).map(|traced| traced.device);
    if let Some(device) = device
        && !buffer.is_null()
    {
        // A trace is started by a method of the tool, or by what a method has stored, so the tool is there.
        if bytes > 0
            && T::instance().is_ready()
            && let Some(records) = Records::of(device, buffer, bytes, begin)
        {
            // SAFETY: it is ready.
            unsafe { T::instance().get() }.device_records(number, records);
        }
        if buffer_owned != 0 {
            // SAFETY: the device has only buffers from `request`, and gives this one back.
            let block = unsafe { Block::of_buffer(buffer) };
            if let Some(traced) = traced().get_mut(&number)
                && traced.bytes == block.bytes()
                && traced.spare.len() < Block::SPARE
            {
                traced.spare.push(block);
            }
        }
    }
    std::mem::forget(guard);
}

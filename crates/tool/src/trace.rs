//! A device's trace: the buffers that the framework gives to devices, and the records in them. OpenMP 5.1, sections
//! 4.5.2.23, 4.5.2.24 and 4.6.2.10 to 4.6.2.14.

use crate::Device;
use crate::device::entry_point;
use crate::start::{AbortOnUnwind, Hosted};
use ompt::*;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
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
        // SAFETY: there is room for the size in front of the buffer, and the memory is aligned for it.
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
        // SAFETY: made with this layout, and nobody else has it.
        unsafe { dealloc(self.0, layout) };
    }
}

/// Gives the device of this number buffers of `bytes` bytes from now on.
pub(crate) fn prepare(number: c_int, device: Device, bytes: usize) {
    traced().insert(number, Traced { device, bytes, spare: Vec::new() });
}

/// `ompt_callback_buffer_request`: gives a device a buffer; none if there is no memory.
pub(crate) unsafe extern "C" fn request(number: c_int, buffer: *mut *mut Buffer, bytes: *mut usize) {
    let block = traced().get_mut(&number).and_then(|traced| traced.spare.pop().or_else(|| Block::new(traced.bytes)));
    let (size, memory) = block.map_or((0, std::ptr::null_mut()), |block| (block.bytes(), block.into_buffer()));
    // SAFETY: the runtime passes two places to write to.
    unsafe { (*buffer, *bytes) = (memory, size) };
}

/// `ompt_callback_buffer_complete`: gives the tool a device's records, and takes the buffer back.
pub(crate) unsafe extern "C" fn complete<T: Hosted>(
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
        // Only a method of the tool, or a handle that a method has stored, starts a trace. The tool therefore exists.
        if bytes > 0 && T::instance().is_ready() {
            let walk = Walk::new(device);
            if walk.has_records(buffer, bytes, begin) {
                let records = Records { walk, buffer, bytes, next: Some(begin), lives: PhantomData };
                // SAFETY: it is ready.
                unsafe { T::instance().get() }.device_records(number, records);
            }
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

/// The device's entry points that read a buffer.
#[derive(Copy, Clone)]
struct Walk {
    device: Device,
    advance: Option<AdvanceBufferCursor>,
    kind: Option<GetRecordType>,
    ompt: Option<GetRecordOmpt>,
    native: Option<GetRecordNative>,
    describe: Option<GetRecordAbstract>,
}

impl Walk {
    fn new(device: Device) -> Walk {
        Walk {
            device,
            advance: entry_point!(device, c"ompt_advance_buffer_cursor" as AdvanceBufferCursor),
            kind: entry_point!(device, c"ompt_get_record_type" as GetRecordType),
            ompt: entry_point!(device, c"ompt_get_record_ompt" as GetRecordOmpt),
            native: entry_point!(device, c"ompt_get_record_native" as GetRecordNative),
            describe: entry_point!(device, c"ompt_get_record_abstract" as GetRecordAbstract),
        }
    }

    /// Whether a completed buffer holds anything. `bytes` is the size of the whole buffer, so the cursor alone can
    /// tell: it is at no record, and nothing follows.
    fn has_records(&self, buffer: *mut Buffer, bytes: usize, begin: BufferCursor) -> bool {
        let mut after = begin;
        // SAFETY: here and below the arguments are the buffer that the device has completed and its cursor.
        self.kind.is_none_or(|kind| unsafe { kind(buffer, begin) } != ompt::Record::INVALID)
            || self
                .advance
                .is_some_and(|advance| unsafe { advance(self.device.as_ptr(), buffer, bytes, begin, &mut after) } != 0)
    }
}

/// The records of one buffer, in the order in which the device has written them. They live as long as the call of
/// [`Tool::device_records`](crate::Tool::device_records) that got them.
pub struct Records<'a> {
    walk: Walk,
    buffer: *mut Buffer,
    bytes: usize,
    next: Option<BufferCursor>,
    lives: PhantomData<&'a Buffer>,
}

/// A record of a device.
#[derive(Copy, Clone)]
pub enum Record<'a> {
    /// An event of OpenMP. `type_` says which member of `record` is valid.
    Ompt(&'a RecordOmpt),
    /// A record in the device's native form.
    Native(NativeRecord<'a>),
    /// A record that cannot be read.
    Invalid,
}

/// An operation that a device has performed, in the device's time ([`Device::translate_time`]).
#[derive(Copy, Clone)]
pub struct Operation<'a> {
    pub begin: DeviceTime,
    pub end: DeviceTime,
    /// The target construct that it belongs to.
    pub target_id: Id,
    pub what: Performed<'a>,
}

/// What a device has done.
#[derive(Copy, Clone)]
pub enum Performed<'a> {
    /// It has executed a target region.
    Kernel(&'a RecordTargetKernel),
    /// It has allocated, copied or freed data.
    Data(&'a RecordTargetDataOp),
}

impl<'a> Record<'a> {
    /// The operation of the record; `None` for a record of another event, or in the device's native form.
    pub fn operation(self) -> Option<Operation<'a>> {
        let Record::Ompt(record) = self else { return None };
        let (what, end) = match record.type_ {
            Event::TargetSubmit | Event::TargetSubmitEmi => {
                // SAFETY: a record of this event holds this.
                let kernel = unsafe { &record.record.target_kernel };
                (Performed::Kernel(kernel), kernel.end_time)
            }
            Event::TargetDataOp | Event::TargetDataOpEmi => {
                // SAFETY: as above.
                let operation = unsafe { &record.record.target_data_op };
                (Performed::Data(operation), operation.end_time)
            }
            _ => return None,
        };
        Some(Operation { begin: record.time, end, target_id: record.target_id, what })
    }
}

/// A record in the device's native form, with its abstract description.
#[derive(Copy, Clone)]
pub struct NativeRecord<'a> {
    record: &'a c_void,
    /// The host's operation that caused the record; 0 for none.
    pub host_op_id: Id,
    description: Option<&'a RecordAbstract>,
}

impl<'a> NativeRecord<'a> {
    /// The record itself; the device's documentation says what it is.
    pub fn as_ptr(self) -> *const c_void {
        self.record
    }

    /// Class, times and place; `None` if the device has no abstract form of the record.
    pub fn description(self) -> Option<&'a RecordAbstract> {
        self.description
    }

    /// The device's name for it.
    pub fn name(self) -> Option<&'a CStr> {
        let name = self.description?.type_;
        // SAFETY: null or a C string that lives as long as the record.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let at = self.next?;
        let (walk, buffer) = (self.walk, self.buffer);
        let mut after = at;
        let more = walk.advance.is_some_and(|advance| {
            // SAFETY: here and below the arguments are the buffer that the device has completed and a cursor of its
            // own.
            unsafe { advance(walk.device.as_ptr(), buffer, self.bytes, at, &mut after) != 0 }
        });
        self.next = more.then_some(after);
        // SAFETY: as above.
        let kind = walk.kind.map_or(ompt::Record::INVALID, |kind| unsafe { kind(buffer, at) });
        Some(match kind {
            // SAFETY: as above; the record lives as long as the buffer.
            ompt::Record::OMPT => match walk.ompt.and_then(|get| unsafe { get(buffer, at).as_ref() }) {
                Some(record) => Record::Ompt(record),
                None => Record::Invalid,
            },
            ompt::Record::NATIVE => self.native(at).map_or(Record::Invalid, Record::Native),
            _ => Record::Invalid,
        })
    }
}

impl<'a> Records<'a> {
    fn native(&self, at: BufferCursor) -> Option<NativeRecord<'a>> {
        let mut host_op_id = ID_NONE;
        // SAFETY: as in `next`.
        let pointer = unsafe { self.walk.native?(self.buffer, at, &mut host_op_id) };
        // SAFETY: as above; null is none.
        let record = unsafe { pointer.as_ref() }?;
        // SAFETY: a native record of the device's own; its description lives as long as the record.
        let description = self.walk.describe.and_then(|describe| unsafe { describe(pointer).as_ref() });
        Some(NativeRecord { record, host_op_id, description })
    }
}

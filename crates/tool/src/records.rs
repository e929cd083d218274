//! The records in a buffer that a device has filled. OpenMP 5.1, sections 4.5.2.24 and 4.6.2.10 to 4.6.2.14.

use crate::Device;
use crate::device::entry_point;
use ompt::*;
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;

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
    /// An event of OpenMP's; what `record` holds goes by `type_`.
    Ompt(&'a RecordOmpt),
    /// A record in the device's own form.
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
    /// The device has executed a target region.
    Kernel(&'a RecordTargetKernel),
    /// The device has allocated, copied or freed data.
    Data(&'a RecordTargetDataOp),
}

impl<'a> Record<'a> {
    /// The operation that the record describes; `None` for a record of another event, or in the device's own form.
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

/// A record in the device's own form, with what can be said of it in general.
#[derive(Copy, Clone)]
pub struct NativeRecord<'a> {
    record: &'a c_void,
    /// The operation of the host's that it goes back to; 0 for none.
    pub host_op_id: Id,
    description: Option<&'a RecordAbstract>,
}

impl<'a> NativeRecord<'a> {
    /// The record itself; the device's documentation says what it is.
    pub fn as_ptr(self) -> *const c_void {
        self.record
    }

    /// Class, times and place; `None` where the device can say nothing in general.
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

impl Records<'_> {
    /// The records of a buffer, from `begin` on; `None` if there are none.
    pub(crate) fn of(device: Device, buffer: *mut Buffer, bytes: usize, begin: BufferCursor) -> Option<Self> {
        let walk = Walk::new(device);
        let some = walk.has_records(buffer, bytes, begin);
        some.then_some(Records { walk, buffer, bytes, next: Some(begin), lives: PhantomData })
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

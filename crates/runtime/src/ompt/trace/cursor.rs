//! Reading a buffer that a device has handed back: cursors and kinds of records (OpenMP 5.1 §4.6.2.10–14).
//!
//! A cursor is the offset of a record in its buffer, in bytes. A buffer describes itself, so a tool may read it at any
//! time and on any thread, also when the device is closed.

use super::buffers::{Memory, SLOT};
use super::native::{NATIVE, NativeRecord};
use ::ompt::{Event, Id, Record, RecordAbstract, RecordOmpt};
use std::ffi::{c_int, c_void};

/// The cursor of a buffer without records.
pub const NOWHERE: u64 = u64::MAX;
/// The kind of the slot behind the last record of a buffer.
const END: c_int = -1;

/// The begin of each record: a standard record has its type there. The number of slots lies in the gap behind the type.
#[repr(C)]
struct Head {
    kind: c_int,
    slots: u32,
}

/// Writes the number of slots into a standard record's gap.
///
/// # Safety
/// A record has been written to `at`.
#[inline(always)]
pub unsafe fn set_slots(at: *mut u8, slots: u32) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { (*at.cast::<Head>()).slots = slots };
}

/// Marks the end of a buffer that has `used` of its slots written. Returns the cursor of the first record.
///
/// # Safety
/// The buffer is the caller's.
pub unsafe fn seal(memory: &Memory, used: u32) -> u64 {
    let (begin, slots) = memory.slots();
    if used == 0 {
        return NOWHERE;
    }
    if used < slots {
        // SAFETY: the slot is in the buffer.
        unsafe { (*((memory.buffer + begin + used as usize * SLOT) as *mut Head)).kind = END };
    }
    begin as u64
}

/// # Safety
/// `buffer` is null, or a buffer that was handed back, and `cursor` one of its cursors.
unsafe fn head(buffer: *mut c_void, cursor: u64) -> Option<*mut Head> {
    (!buffer.is_null() && cursor != NOWHERE).then(|| buffer.wrapping_byte_add(cursor as usize).cast())
}

/// `ompt_advance_buffer_cursor`: 1 and the next record's cursor, or 0 at the end. The device is not used.
pub unsafe extern "C" fn advance(
    _: *mut c_void,
    buffer: *mut c_void,
    bytes: usize,
    current: u64,
    next: *mut u64,
) -> c_int {
    // SAFETY: the tool passes a buffer and a cursor of it.
    let Some(record) = (unsafe { head(buffer, current) }) else { return 0 };
    // SAFETY: a record of the buffer.
    let slots = unsafe { (*record).slots } as usize;
    let after = current as usize + slots * SLOT;
    if slots == 0 || after + SLOT > bytes {
        return 0;
    }
    // SAFETY: the slot ends inside the buffer.
    if unsafe { (*buffer.byte_add(after).cast::<Head>()).kind } == END {
        return 0;
    }
    if !next.is_null() {
        // SAFETY: the tool passes a place to write to.
        unsafe { *next = after as u64 };
    }
    1
}

/// `ompt_get_record_type`
pub unsafe extern "C" fn record_type(buffer: *mut c_void, current: u64) -> Record {
    // SAFETY: the tool passes a buffer and a cursor of it.
    match unsafe { head(buffer, current).map(|record| (*record).kind) } {
        Some(NATIVE) => Record::NATIVE,
        Some(kind) if Event(kind).name().is_some() => Record::OMPT,
        _ => Record::INVALID,
    }
}

/// `ompt_get_record_ompt`: null for a native record.
pub unsafe extern "C" fn record_ompt(buffer: *mut c_void, current: u64) -> *mut RecordOmpt {
    // SAFETY: the tool passes a buffer and a cursor of it.
    if unsafe { record_type(buffer, current) } == Record::OMPT {
        buffer.wrapping_byte_add(current as usize).cast()
    } else {
        std::ptr::null_mut()
    }
}

/// `ompt_get_record_native`: null for a standard record.
pub unsafe extern "C" fn record_native(buffer: *mut c_void, current: u64, host_op_id: *mut Id) -> *mut c_void {
    // SAFETY: the tool passes a buffer and a cursor of it.
    if unsafe { record_type(buffer, current) } != Record::NATIVE {
        return std::ptr::null_mut();
    }
    let record = buffer.wrapping_byte_add(current as usize).cast::<NativeRecord>();
    if !host_op_id.is_null() {
        // SAFETY: a native record, and a place to write to.
        unsafe { *host_op_id = (*record).host_op_id };
    }
    record.cast()
}

/// `ompt_get_record_abstract`: it is a part of the native record, and lives as long.
pub unsafe extern "C" fn record_abstract(native: *mut c_void) -> *mut RecordAbstract {
    // SAFETY: the tool passes null, or what `ompt_get_record_native` answered.
    unsafe { native.cast::<NativeRecord>().as_mut() }.map_or(std::ptr::null_mut(), |record| &raw mut record.summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots with a kind and a length each.
    fn buffer(heads: &[(c_int, u32)]) -> Vec<u64> {
        let mut memory = vec![0_u64; heads.len() * SLOT / 8];
        for (slot, &(kind, slots)) in heads.iter().enumerate() {
            // SAFETY: inside the memory, which is aligned for it.
            unsafe { *memory.as_mut_ptr().cast::<u8>().add(slot * SLOT).cast::<Head>() = Head { kind, slots } };
        }
        memory
    }

    fn walk(memory: &mut [u64], begin: u64) -> Vec<u64> {
        let bytes = memory.len() * 8;
        let (mut cursors, mut cursor) = (vec![begin], begin);
        // SAFETY: a buffer with records.
        while unsafe { advance(std::ptr::null_mut(), memory.as_mut_ptr().cast(), bytes, cursor, &mut cursor) } == 1 {
            cursors.push(cursor);
        }
        cursors
    }

    #[test]
    fn walk_ends_at_the_end_of_the_buffer_and_at_the_mark() {
        let slot = SLOT as u64;
        let mut full = buffer(&[(1, 1), (3, 1), (NATIVE, 1)]);
        assert_eq!(walk(&mut full, 0), [0, slot, 2 * slot]);
        let mut half = buffer(&[(1, 1), (22, 2), (0, 0), (END, 0), (7, 1)]);
        assert_eq!(walk(&mut half, 0), [0, slot]);
    }

    #[test]
    fn kinds_of_records() {
        let mut memory = buffer(&[(1, 1), (NATIVE, 1), (END, 0), (38, 1)]);
        let start: *mut c_void = memory.as_mut_ptr().cast();
        let slot = SLOT as u64;
        // SAFETY: a buffer and its cursors.
        unsafe {
            let kinds: Vec<_> = (0..4).map(|index| record_type(start, index * slot)).collect();
            assert_eq!(kinds, [Record::OMPT, Record::NATIVE, Record::INVALID, Record::INVALID]);
            assert!(record_ompt(start, slot).is_null());
            assert!(!record_ompt(start, 0).is_null());
            let mut id = 7;
            assert!(record_native(start, 0, &mut id).is_null());
            let native = record_native(start, slot, &mut id);
            assert_eq!(id, 0);
            assert!(!record_abstract(native).is_null());
            assert!(record_abstract(std::ptr::null_mut()).is_null());
            assert_eq!(record_type(std::ptr::null_mut(), 0), Record::INVALID);
            assert_eq!(record_type(start, NOWHERE), Record::INVALID);
            assert_eq!(advance(std::ptr::null_mut(), start, 4 * SLOT, NOWHERE, std::ptr::null_mut()), 0);
        }
    }
}

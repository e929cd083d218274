//! Reading a buffer that a device has handed back: cursors and the kinds of records (OpenMP 5.1 §4.6.2.10–14).
//!
//! A cursor is the distance of a record from the begin of its buffer, in bytes. All that is needed lies in the buffer,
//! so that a tool may read it when and where it likes, and without a device.

use super::buffers::ROOM;
use super::native::{NATIVE, NativeRecord};
use ::ompt::{Event, Id, Record, RecordAbstract, RecordOmpt};
use std::ffi::{c_int, c_void};

/// The cursor of a buffer without records.
pub const NOWHERE: u64 = u64::MAX;
/// What stands there behind the last record of a buffer.
const END: c_int = -1;

/// What each record begins with: standard ones with their type, and in the gap behind it how many rooms they take.
#[repr(C)]
struct Head {
    kind: c_int,
    rooms: u32,
}

/// Says in a record's gap how many rooms it takes.
///
/// # Safety
/// A record has been written to `at`.
#[inline(always)]
pub unsafe fn set_rooms(at: *mut u8, rooms: u32) {
    // SAFETY: the caller's.
    unsafe { (*at.cast::<Head>()).rooms = rooms };
}

/// Marks the end of a buffer that has `used` of its rooms taken. Returns the cursor of the first record.
///
/// # Safety
/// The buffer is the caller's.
pub unsafe fn seal(buffer: usize, begin: usize, used: u32, rooms: u32) -> u64 {
    if used == 0 {
        return NOWHERE;
    }
    if used < rooms {
        // SAFETY: the room is in the buffer.
        unsafe { (*((buffer + begin + used as usize * ROOM) as *mut Head)).kind = END };
    }
    begin as u64
}

/// # Safety
/// `buffer` is null, or a buffer that was handed back, and `cursor` one of its cursors.
unsafe fn head(buffer: *mut c_void, cursor: u64) -> Option<*mut Head> {
    if buffer.is_null() || cursor == NOWHERE {
        return None;
    }
    Some(buffer.wrapping_byte_add(cursor as usize).cast())
}

/// `ompt_advance_buffer_cursor`: 1 and the next record's cursor, or 0 at the end. Any device does, or none.
pub unsafe extern "C" fn advance(
    _: *mut c_void,
    buffer: *mut c_void,
    bytes: usize,
    current: u64,
    next: *mut u64,
) -> c_int {
    // SAFETY: the tool passes a buffer and a cursor of it.
    let Some(record) = (unsafe { head(buffer, current) }) else { return 0 };
    // SAFETY: as above.
    let rooms = unsafe { (*record).rooms } as usize;
    let after = current as usize + rooms * ROOM;
    if rooms == 0 || after + ROOM > bytes {
        return 0;
    }
    // SAFETY: as above: it is in the buffer.
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
    // SAFETY: as in `advance`.
    match unsafe { head(buffer, current).map(|record| (*record).kind) } {
        Some(NATIVE) => Record::NATIVE,
        Some(kind) if Event(kind).name().is_some() => Record::OMPT,
        _ => Record::INVALID,
    }
}

/// `ompt_get_record_ompt`: null for a native record.
pub unsafe extern "C" fn record_ompt(buffer: *mut c_void, current: u64) -> *mut RecordOmpt {
    // SAFETY: as the tool called us.
    if unsafe { record_type(buffer, current) } == Record::OMPT {
        buffer.wrapping_byte_add(current as usize).cast()
    } else {
        std::ptr::null_mut()
    }
}

/// `ompt_get_record_native`: null for a standard record.
pub unsafe extern "C" fn record_native(buffer: *mut c_void, current: u64, host_op_id: *mut Id) -> *mut c_void {
    // SAFETY: as the tool called us.
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
    if native.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the tool passes what `ompt_get_record_native` answered.
    unsafe { &raw mut (*native.cast::<NativeRecord>()).summary }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rooms with a kind and a length each.
    fn buffer(heads: &[(c_int, u32)]) -> Vec<u64> {
        let mut memory = vec![0_u64; heads.len() * ROOM / 8];
        for (room, &(kind, rooms)) in heads.iter().enumerate() {
            // SAFETY: inside the memory, which is aligned for it.
            unsafe { *memory.as_mut_ptr().cast::<u8>().add(room * ROOM).cast::<Head>() = Head { kind, rooms } };
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
        let room = ROOM as u64;
        let mut full = buffer(&[(1, 1), (3, 1), (NATIVE, 1)]);
        assert_eq!(walk(&mut full, 0), [0, room, 2 * room]);
        let mut half = buffer(&[(1, 1), (22, 2), (0, 0), (END, 0), (7, 1)]);
        assert_eq!(walk(&mut half, 0), [0, room]);
    }

    #[test]
    fn kinds_of_records() {
        let mut memory = buffer(&[(1, 1), (NATIVE, 1), (END, 0), (38, 1)]);
        let start: *mut c_void = memory.as_mut_ptr().cast();
        let room = ROOM as u64;
        // SAFETY: a buffer and its cursors.
        unsafe {
            let kinds: Vec<_> = (0..4).map(|index| record_type(start, index * room)).collect();
            assert_eq!(kinds, [Record::OMPT, Record::NATIVE, Record::INVALID, Record::INVALID]);
            assert!(record_ompt(start, room).is_null());
            assert!(!record_ompt(start, 0).is_null());
            let mut id = 7;
            assert!(record_native(start, 0, &mut id).is_null());
            let native = record_native(start, room, &mut id);
            assert_eq!(id, 0);
            assert!(!record_abstract(native).is_null());
            assert!(record_abstract(std::ptr::null_mut()).is_null());
            assert_eq!(record_type(std::ptr::null_mut(), 0), Record::INVALID);
            assert_eq!(record_type(start, NOWHERE), Record::INVALID);
            assert_eq!(advance(std::ptr::null_mut(), start, 4 * ROOM, NOWHERE, std::ptr::null_mut()), 0);
        }
    }
}

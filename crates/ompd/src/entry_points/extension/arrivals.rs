//! Which threads have arrived at a region's barrier.

use super::write_list;
use crate::model::live;
use crate::model::team::{self, Go, Slot};
use crate::{ParallelHandle, Rc, Size};
use ompd_layout::Field;

ompt::described! {
    /// A thread of a region, and the barriers of the region that it has come to, counted by the team since it was made.
    #[repr(C)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct ArrivalRecord {
        /// The thread number.
        pub tid: i32,
        /// The thread's number in clang's programs.
        pub gtid: i32,
        /// The last barrier that the thread has passed.
        pub passed: u64,
        /// The last barrier that the thread has arrived at. If this is a later one than `passed`, the thread waits
        /// there. If other threads have arrived at a later one, they wait for this thread. At the end of the region the
        /// two are the same.
        pub arrived: u64,
    }
}

/// Lists the threads of a region by their numbers, with what they have passed and arrived at.
///
/// # Safety
/// The pointers are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_get_arrivals(
    parallel_handle: *mut ParallelHandle,
    records: *mut *mut ArrivalRecord,
    count: *mut Size,
) -> Rc {
    // SAFETY: the caller passes null or places to write to.
    unsafe {
        write_list(records, count, live::parallel(parallel_handle), |space, parallel, list| {
            // Leaving threads may meet once more, and the primary thread arrives there before the others know of the
            // meeting. This is not a barrier of the program.
            let last = match Go::of(space, parallel.team)?.is_leaving() {
                true => Some(space.unsigned(Slot::of_team(space, parallel.team, 0)?.member, Field::MemberEpoch)?),
                false => None,
            };
            for tid in 0..team::size(space, parallel.team)? {
                let slot = Slot::of_team(space, parallel.team, tid)?;
                let thread = slot.thread(space)?;
                list.push(ArrivalRecord {
                    tid: tid as i32,
                    gtid: if thread == 0 { -1 } else { space.signed(thread, Field::ThreadGtid)? as i32 },
                    passed: last.map_or_else(|| space.unsigned(slot.member, Field::MemberEpoch), Ok)?,
                    arrived: last.map_or_else(|| space.unsigned(slot.member, Field::MemberArrival), Ok)?,
                })?;
            }
            Ok(())
        })
    }
}

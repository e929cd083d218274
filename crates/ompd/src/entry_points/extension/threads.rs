//! The list of threads.

use super::write_list;
use crate::model::{live, team, thread};
use crate::space::{HOST, Space};
use crate::{AddressSpaceHandle, Rc, Size};
use ompd_layout::Field;

ompt::described! {
    /// A thread of OpenMP's.
    #[repr(C)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct ThreadRecord {
        /// The thread's number in the kernel.
        pub lwp: u64,
        /// The thread's `pthread_t`.
        pub pthread: u64,
        /// The task that the thread executes. If it is 0, the following fields of task and team are as well.
        pub task: u64,
        /// The slot in the team.
        pub member: u64,
        /// The team of the region that the thread executes.
        pub team: u64,
        /// The wait identifier; 0 outside of mutual exclusion.
        pub wait_id: u64,
        /// The thread's number in clang's programs.
        pub gtid: i32,
        /// The thread number; -1 where there is no team.
        pub tid: i32,
        /// `ompt_thread_t`
        pub kind: i32,
        /// `ompt_state_t`; -1 where states are not kept.
        pub state: i32,
        /// The device that the thread belongs to; -1 for the host.
        pub device: i32,
        /// How many regions are around it; -1 where there is no team.
        pub level: i32,
    }
}

/// Lists the threads of OpenMP's: of a process, also those of its host devices, so that a thread of the host that runs
/// a device's code is there twice; of a device, its own.
///
/// # Safety
/// The pointers are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_get_threads(
    address_space: *mut AddressSpaceHandle,
    records: *mut *mut ThreadRecord,
    count: *mut Size,
) -> Rc {
    // SAFETY: the caller passes null or places to write to.
    unsafe {
        write_list(records, count, live::space(address_space), |space, _, list| {
            thread::for_each(space, |thread| {
                let device = space.signed(thread, Field::ThreadDevice)?;
                if space.device == HOST || space.device == device {
                    list.push(describe(space, thread, device)?)?;
                }
                Ok(())
            })
        })
    }
}

fn describe(space: &Space, thread: u64, device: i64) -> Result<ThreadRecord, Rc> {
    let (state, wait_id) = thread::state(space, thread)?.unwrap_or((-1, 0));
    let mut record = ThreadRecord {
        lwp: space.unsigned(thread, Field::ThreadLwp)?,
        pthread: space.unsigned(thread, Field::ThreadPthread)?,
        task: 0,
        member: 0,
        team: 0,
        wait_id,
        gtid: space.signed(thread, Field::ThreadGtid)? as i32,
        tid: -1,
        kind: space.signed(thread, Field::ThreadKind)? as i32,
        state: state as i32,
        device: device as i32,
        level: -1,
    };
    if let Some(at) = thread::whereabouts(space, thread)? {
        record.task = at.task;
        if !at.is_leaving && team::region_under_way(space, at.slot.team)?.is_some() {
            record.member = at.slot.member;
            record.team = at.slot.team;
            record.tid = at.slot.tid as i32;
            record.level = space.signed(at.slot.team, Field::TeamLevel)? as i32;
        }
    }
    Ok(record)
}

//! The list of parallel regions.

use super::write_list;
use crate::model::steps::Steps;
use crate::model::team;
use crate::model::{live, thread};
use crate::space::{HOST, Space};
use crate::{AddressSpaceHandle, Rc, Size};
use ompd_layout::Field;

ompt::described! {
    /// A parallel region.
    #[repr(C)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct ParallelRecord {
        /// The team.
        pub team: u64,
        /// The team of the enclosing region; 0 if there is none.
        pub parent: u64,
        /// The task that encountered the construct; 0 for the implicit region of a thread's or a target region's
        /// initial task.
        pub encountering: u64,
        /// The outlined function of the region's code; 0 if there is none.
        pub function: u64,
        /// Where the construct was encountered; 0 where that is not kept.
        pub codeptr: u64,
        /// How many threads it has.
        pub threads: i32,
        /// `omp_get_level`
        pub level: i32,
        /// `omp_get_active_level`
        pub active_level: i32,
        /// `ompt_parallel_flag_t`; -1 where that is not kept.
        pub flags: i32,
        /// The device that executes it; -1 for the host.
        pub device: i32,
        /// 0.
        pub reserved: i32,
    }
}

/// Lists the regions that threads execute, and those around them, each once; with the implicit regions of initial
/// tasks.
///
/// # Safety
/// The pointers are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_get_parallels(
    address_space: *mut AddressSpaceHandle,
    records: *mut *mut ParallelRecord,
    count: *mut Size,
) -> Rc {
    // SAFETY: the caller passes null or places to write to.
    unsafe {
        write_list(records, count, live::space(address_space), |space, _, list| {
            thread::for_each(space, |thread| {
                let device = space.signed(thread, Field::ThreadDevice)?;
                if space.device != HOST && space.device != device {
                    return Ok(());
                }
                let mut next = thread::whereabouts(space, thread)?.filter(|at| !at.is_leaving).map(|at| at.slot.team);
                let mut steps = Steps::new();
                while let Some(team) = next {
                    steps.to(team)?;
                    // What is around a region that is listed is listed as well.
                    if list.as_slice().iter().any(|record: &ParallelRecord| record.team == team) {
                        break;
                    }
                    let outer = team::enclosing(space, team)?;
                    if team::region_under_way(space, team)?.is_some() {
                        list.push(describe(space, team, outer.unwrap_or(0), device)?)?;
                    }
                    next = outer;
                }
                Ok(())
            })
        })
    }
}

fn describe(space: &Space, team: u64, parent: u64, device: i64) -> Result<ParallelRecord, Rc> {
    let is_outermost = parent == 0 || space.unsigned(team, Field::TeamEncounteredIn)? != 0;
    let is_kept = !is_outermost && space.keeps_states()?;
    let codeptr = if is_kept { space.unsigned(team, Field::TeamCodeptr)? } else { 0 };
    let flags = if is_kept { space.signed(team, Field::TeamFlags)? } else { -1 };
    Ok(ParallelRecord {
        team,
        parent,
        encountering: if is_outermost { 0 } else { space.unsigned(team, Field::TeamParentTask)? },
        function: space.unsigned(team, Field::TeamFunction)?,
        codeptr,
        threads: team::size(space, team)? as i32,
        level: space.signed(team, Field::TeamLevel)? as i32,
        active_level: space.signed(team, Field::TeamActiveLevel)? as i32,
        flags: flags as i32,
        device: device as i32,
        reserved: 0,
    })
}

//! Questions about the calling thread's position: what the `omp_get_*` routines answer
//! (OpenMP 5.1 §3.2).

use super::{Member, Team};
use crate::place::Partition;
use crate::thread;

/// `omp_get_thread_num`.
pub fn thread_num() -> i32 {
    thread::current().member().tid as i32
}

/// `omp_get_num_threads`.
pub fn num_threads() -> i32 {
    thread::current().member().team().nthreads() as i32
}

/// `omp_get_num_teams`.
pub fn num_teams() -> i32 {
    thread::current().member().team().region.num_teams.get()
}

/// `omp_get_team_num`.
pub fn team_num() -> i32 {
    thread::current().member().team().region.team_num.get()
}

/// `omp_get_level`.
pub fn level() -> i32 {
    thread::current().member().team().region.level.get()
}

/// `omp_get_active_level`.
pub fn active_level() -> i32 {
    thread::current().member().team().region.active_level.get()
}

/// `omp_in_parallel`.
pub fn in_parallel() -> bool {
    active_level() > 0
}

/// The team at nesting `level` around the calling thread, and the slot there that it descends from.
fn ancestor(level: i32) -> Option<(&'static Team, &'static Member)> {
    let mut member = thread::current().member();
    let mut here = member.team().region.level.get();
    if level < 0 || level > here {
        return None;
    }
    while here > level {
        // SAFETY: a region below level 0 has a parent slot, and slots live for ever.
        member = unsafe { &*member.team().region.parent.get() };
        here -= 1;
    }
    Some((member.team(), member))
}

/// `omp_get_ancestor_thread_num`; -1 for a level that does not exist.
pub fn ancestor_thread_num(level: i32) -> i32 {
    ancestor(level).map_or(-1, |(_, member)| member.tid as i32)
}

/// `omp_get_team_size`; -1 for a level that does not exist.
pub fn team_size(level: i32) -> i32 {
    ancestor(level).map_or(-1, |(team, _)| team.nthreads() as i32)
}

/// `omp_in_final`.
pub fn in_final() -> bool {
    thread::current().task().is_final()
}

/// `omp_in_explicit_task`.
pub fn in_explicit_task() -> bool {
    thread::current().task().is_explicit()
}

/// `omp_get_place_num`; -1 for a thread that is not bound.
pub fn place_num() -> i32 {
    thread::current().place()
}

/// The place partition of the current task.
pub fn partition() -> Partition {
    thread::current().icvs().partition
}

//! The answers of the `omp_get_*` routines about the calling thread's position (OpenMP 5.1 §3.2). Signal handlers may
//! call them at any time. A thread without a descriptor stays without one, and gets the answers of a thread outside all
//! regions.

use crate::objects::current;
use crate::objects::structures::{Member, Region, Team, Thread};

/// `omp_get_thread_num`.
pub fn thread_num() -> i32 {
    current::for_query().map_or(0, |thread| match thread.works_for() {
        Some(_) if thread.member().team().parent().is_none() => UNASSIGNED,
        _ => thread.member().tid as i32,
    })
}

/// `omp_unassigned_thread`: the number of a free agent in the team whose task it executes (OpenMP 6.0, section 21.3).
const UNASSIGNED: i32 = -2;

/// `omp_get_num_threads`.
pub fn num_threads() -> i32 {
    // A new worker has a slot in a team before the team's first region is described.
    let of = |thread: &Thread| match thread.works_for() {
        Some(team) if thread.member().team().parent().is_none() => team.nthreads(),
        _ => thread.member().team().nthreads(),
    };
    current::for_query().map_or(1, |thread| of(thread).max(1) as i32)
}

/// The innermost region around the calling thread: a parallel region, or that of an initial task.
fn region() -> Option<&'static Region> {
    current::for_query().map(|thread| &thread.member().team().region)
}

/// `omp_get_num_teams`.
pub fn num_teams() -> i32 {
    region().map_or(1, |region| region.num_teams.get())
}

/// `omp_get_team_num`.
pub fn team_num() -> i32 {
    region().map_or(0, |region| region.team_num.get())
}

/// `omp_get_level`.
pub fn level() -> i32 {
    region().map_or(0, |region| region.level.get())
}

/// `omp_get_active_level`.
pub fn active_level() -> i32 {
    region().map_or(0, |region| region.active_level.get())
}

/// `omp_in_parallel`.
pub fn in_parallel() -> bool {
    active_level() > 0
}

/// The team at nesting `level` around the calling thread, and the slot there from which the thread descends.
fn ancestor(level: i32) -> Option<(&'static Team, &'static Member)> {
    let mut member = current::for_query()?.member();
    let mut here = member.team().region.level.get();
    if level < 0 || level > here || member.team().nthreads() == 0 {
        return None;
    }
    while here > level {
        // SAFETY: the field is null or points to a slot, and slots are never freed. Null is seen by a signal handler on
        // a new worker whose first region is not described yet.
        member = unsafe { member.team().region.parent.get().as_ref() }?;
        here -= 1;
    }
    Some((member.team(), member))
}

/// `omp_get_ancestor_thread_num`; -1 for a level that does not exist.
pub fn ancestor_thread_num(level: i32) -> i32 {
    ancestor(level).map_or(if level == 0 { 0 } else { -1 }, |(_, member)| member.tid as i32)
}

/// `omp_get_team_size`; -1 for a level that does not exist.
pub fn team_size(level: i32) -> i32 {
    ancestor(level).map_or(if level == 0 { 1 } else { -1 }, |(team, _)| team.nthreads() as i32)
}

/// `omp_ancestor_is_free_agent` (OpenMP 6.0, section 23.1.5).
pub fn ancestor_is_free_agent(level: i32) -> bool {
    current::for_query().is_some_and(|thread| thread.works_for().is_some()) && level == self::level()
        || ancestor(level).is_some_and(|(_, member)| member.thread().works_for().is_some())
}

/// `omp_in_final`.
pub fn in_final() -> bool {
    current::for_query().is_some_and(|thread| thread.task().is_final())
}

/// `omp_in_explicit_task`.
pub fn in_explicit_task() -> bool {
    current::for_query().is_some_and(|thread| thread.task().is_explicit())
}

/// `omp_get_place_num`; -1 for a thread that is not bound.
pub fn place_num() -> i32 {
    current::for_query().map_or(-1, Thread::place)
}

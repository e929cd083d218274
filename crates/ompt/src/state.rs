//! Thread states: what a thread is doing at the moment, as `ompt_get_state` tells.
//! OpenMP 5.1, section 4.4.4.27.

use crate::open_enum;
use core::ffi::c_int;

open_enum! {
    /// What a thread is doing. Values from 0x200 up belong to the implementation.
    pub enum State: c_int => {
        WORK_SERIAL = 0x000 "ompt_state_work_serial",
        WORK_PARALLEL = 0x001 "ompt_state_work_parallel",
        WORK_REDUCTION = 0x002 "ompt_state_work_reduction",
        /// Of OpenMP 6.0: the code of a task of another team's.
        WORK_FREE_AGENT = 0x003 "ompt_state_work_free_agent",
        /// Of OpenMP 6.0.
        WORK_INDUCTION = 0x004 "ompt_state_work_induction",
        /// Deprecated in 5.1.
        WAIT_BARRIER = 0x010 "ompt_state_wait_barrier",
        WAIT_BARRIER_IMPLICIT_PARALLEL = 0x011 "ompt_state_wait_barrier_implicit_parallel",
        WAIT_BARRIER_IMPLICIT_WORKSHARE = 0x012 "ompt_state_wait_barrier_implicit_workshare",
        /// Deprecated in 5.1.
        WAIT_BARRIER_IMPLICIT = 0x013 "ompt_state_wait_barrier_implicit",
        WAIT_BARRIER_EXPLICIT = 0x014 "ompt_state_wait_barrier_explicit",
        WAIT_BARRIER_IMPLEMENTATION = 0x015 "ompt_state_wait_barrier_implementation",
        WAIT_BARRIER_TEAMS = 0x016 "ompt_state_wait_barrier_teams",
        WAIT_TASKWAIT = 0x020 "ompt_state_wait_taskwait",
        WAIT_TASKGROUP = 0x021 "ompt_state_wait_taskgroup",
        WAIT_MUTEX = 0x040 "ompt_state_wait_mutex",
        WAIT_LOCK = 0x041 "ompt_state_wait_lock",
        WAIT_CRITICAL = 0x042 "ompt_state_wait_critical",
        WAIT_ATOMIC = 0x043 "ompt_state_wait_atomic",
        WAIT_ORDERED = 0x044 "ompt_state_wait_ordered",
        WAIT_TARGET = 0x080 "ompt_state_wait_target",
        WAIT_TARGET_MAP = 0x081 "ompt_state_wait_target_map",
        WAIT_TARGET_UPDATE = 0x082 "ompt_state_wait_target_update",
        IDLE = 0x100 "ompt_state_idle",
        OVERHEAD = 0x101 "ompt_state_overhead",
        UNDEFINED = 0x102 "ompt_state_undefined",
    }
}

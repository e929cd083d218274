//! `teams` on the host (`__kmpc_fork_teams` and its kin; OpenMP 5.1 §2.7).

use super::Ident;
use super::parallel::outlined;
use crate::abi::routines;
use crate::arch;
use crate::objects::call::{Call, NoTool};
use crate::objects::clauses::Clauses;
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::stderr;
use crate::team::league;
use std::ffi::c_void;

/// `__kmpc_fork_teams(loc, argc, microtask, …)`: executes a teams region.
///
/// # Safety
/// As for `__kmpc_fork_call`.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_fork_teams(loc: *const Ident, argc: i32, microtask: *const c_void) {
    arch::entry_spills_fork!(fork_teams)
}

/// # Safety
/// As for the function behind `__kmpc_fork_call`.
unsafe extern "C" fn fork_teams(
    arguments: *const usize,
    argc: i32,
    microtask: *const c_void,
    codeptr: usize,
    stack: usize,
) {
    let outlined = outlined(arguments, argc, microtask, stack);
    let clauses = |thread: &Thread| thread.pushed_teams.replace(Clauses::default());
    match current::without_tool() {
        Some(thread) => league::teams(thread, outlined, clauses(thread), NoTool),
        None => {
            std::hint::cold_path();
            let thread = current::current();
            league::teams(thread, outlined, clauses(thread), Call::new(codeptr, stack));
        }
    }
}

/// The value of a clause. A negative value counts as 1; 0 means that the clause is not there.
fn clause(name: &str, value: i32) -> u32 {
    u32::try_from(value).unwrap_or_else(|_| {
        stderr::write_stderr(&format!(
            "ferromp: {name}({value}) on a teams construct: not a positive integer; using 1\n"
        ));
        1
    })
}

routines! {
    /// `__kmpc_push_num_teams`: the `num_teams` and `thread_limit` clauses of the next teams construct, 0 for one that
    /// is not there.
    pub fn __kmpc_push_num_teams(loc: *const Ident, gtid: i32, num_teams: i32, thread_limit: i32) {
        let teams = clause("num_teams", num_teams);
        let thread_limit = clause("thread_limit", thread_limit);
        current::current().pushed_teams.set(Clauses { at_least: teams, at_most: teams, thread_limit });
    }

    /// `__kmpc_set_thread_limit`: the `thread_limit` clause of a target construct, for the task that runs its region.
    pub fn __kmpc_set_thread_limit(loc: *const Ident, gtid: i32, thread_limit: i32) {
        if thread_limit > 0 {
            current::current().icvs_mut().thread_limit = thread_limit;
        }
    }

    /// `__kmpc_push_num_teams_51`: as `__kmpc_push_num_teams`, the `num_teams` clause with a lower and an upper bound.
    pub fn __kmpc_push_num_teams_51(loc: *const Ident, gtid: i32, lower: i32, upper: i32, thread_limit: i32) {
        let at_most = clause("num_teams", upper);
        let at_least = if lower == 0 { at_most } else { clause("num_teams", lower).min(at_most) };
        let thread_limit = clause("thread_limit", thread_limit);
        current::current().pushed_teams.set(Clauses { at_least, at_most, thread_limit });
    }
}

//! Recorded graphs of tasks (`__kmpc_start_record_task`; OpenMP 6.0, section 14.3). No released clang calls these for a
//! directive; libomp has them where it is built with `OMPX_TASKGRAPH`, and programs call them directly.

use super::Ident;
use super::task::{KmpTask, move_shareds, set_body};
use crate::abi::entry_point;
use crate::objects::structures::Task;
use crate::task::graph;

/// `kmp_taskgraph_flags_t`
const NOWAIT: i32 = 1;
const RE_RECORD: i32 = 1 << 1;
const GRAPH_RESET: i32 = 1 << 2;

entry_point! {
    /// `__kmpc_start_record_task`: a graph of tasks begins, by the program's number for it. Returns 1 where the program
    /// is to generate the tasks, 0 where the runtime has replayed them.
    pub fn __kmpc_start_record_task(loc: *const Ident, gtid: i32, flags: i32, number: i32) -> i32, |thread, call, _in| {
        let anew = flags & (RE_RECORD | GRAPH_RESET) != 0;
        graph::begin(thread, number, flags & NOWAIT == 0, anew, relocate, call).into()
    }

    /// `__kmpc_end_record_task`: the graph's tasks have been generated. Waits for them, unless `flags` has `nowait`.
    pub fn __kmpc_end_record_task(loc: *const Ident, gtid: i32, flags: i32, number: i32), |thread, call, _in| {
        graph::end(thread, number, flags & NOWAIT == 0, call);
    }
}

/// Corrects the addresses in a copy of a task whose data lay at `from`. The block of shared variables lies at the same
/// distance from the start of the data.
fn relocate(task: &Task, from: usize) {
    let data = task.payload().cast::<KmpTask>();
    // SAFETY: the payload is a copy of one from `__kmpc_omp_task_alloc`, and no other thread knows the task yet.
    unsafe {
        move_shareds(data, from);
        set_body(task, data, (*data).routine, std::ptr::null());
    }
}

//! `parallel`, and queries about threads (`__kmpc_fork_call` and its kin).

use super::{Ident, error};
use crate::abi::{entry_point, list, routines, wide_entry_point};
use crate::arch;
use crate::objects::call::{Call, NoTool};
use crate::objects::clauses::{Demand, Strict};
use crate::objects::current;
use crate::objects::structures::{Member, Outlined, Thread};
use crate::ompt;
use crate::place::Bind;
use crate::team::fork::{self, Request};
use crate::team::query;
use crate::thread::roster;
use std::ffi::{c_char, c_void};

/// Calls a microtask for the implicit task, or a league's initial task, of `member`.
unsafe fn invoke(outlined: &Outlined, thread: &Thread, member: &Member, exit_frame: *mut usize) {
    let gtid = thread.gtid();
    let btid = member.tid as i32;
    // SAFETY: the entry point that made `outlined` got function and arguments from the compiler.
    unsafe {
        arch::call_microtask(outlined.function, &gtid, &btid, outlined.argc, outlined.head, outlined.tail, exit_frame);
    }
}

/// A microtask with its arguments. `head` points to its first variadic arguments, which came in registers, and `stack`
/// to the others.
pub(super) fn outlined(head: *const usize, argc: i32, microtask: *const c_void, stack: usize) -> Outlined {
    Outlined { invoke, function: microtask, argc: argc.max(0) as usize, head, tail: stack as *const usize }
}

/// `__kmpc_fork_call(loc, argc, microtask, …)`: executes a parallel region (OpenMP 5.1 §2.6). Spills the argument
/// registers: `fork_call` gets the addresses of the arguments, the return address and the frame.
///
/// # Safety
/// Called by compiled code as its ABI asks: `argc` pointers follow the microtask.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_fork_call(loc: *const Ident, argc: i32, microtask: *const c_void) {
    arch::entry_spills_fork!(fork_call)
}

/// # Safety
/// `arguments` points to [`arch::FORK_WORDS`] words, and `stack` into the frame of the entry point's caller.
unsafe extern "C" fn fork_call(
    arguments: *const usize,
    argc: i32,
    microtask: *const c_void,
    codeptr: usize,
    stack: usize,
) {
    let outlined = outlined(arguments, argc, microtask, stack);
    match current::without_tool() {
        Some(thread) => fork::parallel(thread, outlined, Request::PLAIN, NoTool),
        None => {
            std::hint::cold_path();
            fork::parallel(current::current(), outlined, Request::PLAIN, Call::new(codeptr, stack));
        }
    }
}

wide_entry_point! {
    /// `__kmpc_fork_call_if(loc, argc, microtask, cond, args)`: a parallel region with an `if`
    /// clause (OpenMP 5.1 §2.6); `args` is the only argument of the microtask.
    pub fn __kmpc_fork_call_if(loc: *const Ident, argc: i32, microtask: *const c_void, cond: i32, args: *mut c_void),
        |call| {
        let mut head = [0; arch::FORK_WORDS + 1];
        head[0] = args as usize;
        let outlined = outlined(head.as_ptr(), argc, microtask, (&raw const head[arch::FORK_WORDS]).addr());
        let request = Request { serial: cond == 0, ..Request::PLAIN };
        fork::parallel(current::current(), outlined, request, call);
    }
}

/// The policy of a `proc_bind` clause, by `omp_proc_bind_t`.
pub(in crate::abi) fn bind(clause: i32) -> Option<Bind> {
    match clause {
        // `master`, and `primary` as clang passes it.
        2 | 5 => Some(Bind::Primary),
        3 => Some(Bind::Close),
        4 => Some(Bind::Spread),
        _ => None,
    }
}

/// The `severity` and `message` clauses of a construct whose `num_threads` clause has the `strict` modifier.
///
/// # Safety
/// `loc` is null or describes the construct.
unsafe fn strict(loc: *const Ident, severity: i32, message: *const c_char) -> Option<Strict> {
    // SAFETY: the caller keeps to the `# Safety` section; compilers put such descriptions into constants.
    let place = unsafe { error::place_of(loc) };
    Some(Strict { severity: error::severity(severity), message, place })
}

routines! {
    /// `__kmpc_push_num_threads_strict`: a `num_threads` clause with the `strict` modifier (OpenMP 6.0, section
    /// 12.1.2). Where the region gets another number of threads, the runtime prints the message, and ends the program
    /// unless `severity` is a warning.
    pub fn __kmpc_push_num_threads_strict(
        loc: *const Ident, gtid: i32, num_threads: i32, severity: i32, message: *const c_char,
    ) {
        Demand::new(&[num_threads], strict(loc, severity, message)).push(current::current());
    }

    /// `__kmpc_push_num_threads_list_strict`: as `__kmpc_push_num_threads_list`, the first number `strict`.
    pub fn __kmpc_push_num_threads_list_strict(
        loc: *const Ident, gtid: i32, length: u32, numbers: *const i32, severity: i32, message: *const c_char,
    ) {
        Demand::new(list(length, numbers), strict(loc, severity, message)).push(current::current());
    }

    /// `__kmpc_push_num_threads`: the `num_threads` clause of the next parallel construct. Values below 1 are not
    /// conforming; the ICVs then decide.
    pub fn __kmpc_push_num_threads(loc: *const Ident, gtid: i32, num_threads: i32) {
        current::current().pushed_num_threads.set(num_threads.max(0));
    }

    /// `__kmpc_push_num_threads_list`: a `num_threads` clause with a list, the first number for the next
    /// parallel construct, the others for regions inside it.
    pub fn __kmpc_push_num_threads_list(loc: *const Ident, gtid: i32, length: u32, numbers: *const i32) {
        Demand::new(list(length, numbers), None).push(current::current());
    }

    /// `__kmpc_pop_num_threads`: forgets the clause.
    pub fn __kmpc_pop_num_threads(loc: *const Ident, gtid: i32) {
        current::current().pushed_num_threads.set(0);
    }

    /// `__kmpc_push_proc_bind`: the `proc_bind` clause of the next parallel construct.
    pub fn __kmpc_push_proc_bind(loc: *const Ident, gtid: i32, proc_bind: i32) {
        current::current().pushed_bind.set(bind(proc_bind));
    }

    /// `__kmpc_global_thread_num`: the calling thread's number in the process.
    pub fn __kmpc_global_thread_num(loc: *const Ident) -> i32 { current::current().gtid() }

    /// `__kmpc_global_num_threads`: threads known to the runtime.
    pub fn __kmpc_global_num_threads(loc: *const Ident) -> i32 { roster::count() }

    /// `__kmpc_bound_thread_num`: `omp_get_thread_num`.
    pub fn __kmpc_bound_thread_num(loc: *const Ident) -> i32 { query::thread_num() }

    /// `__kmpc_bound_num_threads`: `omp_get_num_threads`.
    pub fn __kmpc_bound_num_threads(loc: *const Ident) -> i32 { query::num_threads() }

    /// `__kmpc_in_parallel`: whether an active parallel region surrounds the caller.
    pub fn __kmpc_in_parallel(loc: *const Ident) -> i32 { i32::from(query::in_parallel()) }

    /// `__kmpc_ok_to_fork`: whether a parallel region may be started: always.
    pub fn __kmpc_ok_to_fork(loc: *const Ident) -> i32 { 1 }

    /// `__kmpc_begin`: the program is going to use OpenMP. Brings the runtime up.
    pub fn __kmpc_begin(loc: *const Ident, flags: i32) {
        current::current();
    }

    /// `__kmpc_end`: the program does not need the runtime any more. Does nothing: other parts of the process may still
    /// use the runtime.
    pub fn __kmpc_end(loc: *const Ident) {}
}

entry_point! {
    /// `__kmpc_serialized_parallel`: begins a region of one thread, whose code the program runs itself.
    /// `__kmpc_end_serialized_parallel` ends the region.
    pub fn __kmpc_serialized_parallel(loc: *const Ident, gtid: i32), |thread, call| {
        let request = Request { serial: true, called_by_program: true, ..Request::PLAIN };
        let task = thread.task();
        let entered = ompt::Entered::new(thread, call);
        fork::begin(thread, Outlined::NOTHING, request, call);
        ompt::program_runs(entered, thread, task, call);
    }

    /// `__kmpc_end_serialized_parallel`: ends the region that `__kmpc_serialized_parallel` began.
    pub fn __kmpc_end_serialized_parallel(loc: *const Ident, gtid: i32), |thread, call| {
        if query::level() == 0 {
            crate::warnings::warn("ferromp: __kmpc_end_serialized_parallel outside a parallel region; ignored\n");
        } else {
            fork::end_run_by_program(thread, call);
        }
    }
}

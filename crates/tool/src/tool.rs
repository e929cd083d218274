//! The trait that a tool implements: one method an event of the host, empty unless overridden.
//! OpenMP 5.1, section 4.5.2.

use crate::{CodePtr, EventSet, Init, Slot};
use ompt::*;
use std::ffi::{CStr, c_int, c_uint, c_void};

/// An OMPT tool. The value made by [`initialize`](Self::initialize) lives in a static from then on;
/// all threads call its methods at the same time.
///
/// Only events in [`EVENTS`](Self::EVENTS) arrive; a method that is overridden but not named there
/// is never called. Arguments that C passes as pointers are options, because runtimes pass null
/// in more places than the specification lists. A method that panics ends the program with one
/// line that names the tool.
pub trait Tool: Sync + Sized + 'static {
    /// The tool's name in messages.
    const NAME: &'static str;

    /// The events that the tool may want: the methods that it overrides.
    const EVENTS: EventSet;

    /// Makes the tool while the runtime starts. No event arrives before it has returned. An error
    /// is printed with the tool's name, and the tool stays inactive.
    fn initialize(init: &Init) -> Result<Self, String>;

    /// Which of [`EVENTS`](Self::EVENTS) are wanted in this run; asked once, after
    /// [`initialize`](Self::initialize).
    fn events(&self) -> EventSet {
        Self::EVENTS
    }

    /// What the runtime answered to the registration of an event; called for each before the first
    /// event arrives.
    fn registered(&self, event: Event, answer: SetResult) {
        let _ = (event, answer);
    }

    /// The runtime ends, or gives the tool up. The last call, if the runtime keeps to the
    /// specification.
    fn finalize(&self) {}

    /// A thread comes into being, on that thread, before its other events (4.5.2.1).
    fn thread_begin(&self, thread_type: Thread, thread_data: Option<Slot<'_>>) {
        let _ = (thread_type, thread_data);
    }

    /// A thread ends, on that thread (4.5.2.2).
    fn thread_end(&self, thread_data: Option<Slot<'_>>) {
        let _ = thread_data;
    }

    /// A parallel region or league begins, on the thread that encounters it; `requested_parallelism`
    /// is the number of threads or teams asked for (4.5.2.3).
    fn parallel_begin(
        &self,
        encountering_task_data: Option<Slot<'_>>,
        encountering_task_frame: Option<&Frame>,
        parallel_data: Option<Slot<'_>>,
        requested_parallelism: c_uint,
        flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let _ = (encountering_task_data, encountering_task_frame, parallel_data);
        let _ = (requested_parallelism, flags, codeptr_ra);
    }

    /// A parallel region or league ends, on the thread that encountered it (4.5.2.4).
    fn parallel_end(
        &self,
        parallel_data: Option<Slot<'_>>,
        encountering_task_data: Option<Slot<'_>>,
        flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let _ = (parallel_data, encountering_task_data, flags, codeptr_ra);
    }

    /// An explicit or target task, or a taskwait with dependences, is made (4.5.2.7).
    fn task_create(
        &self,
        encountering_task_data: Option<Slot<'_>>,
        encountering_task_frame: Option<&Frame>,
        new_task_data: Option<Slot<'_>>,
        flags: TaskFlag,
        has_dependences: bool,
        codeptr_ra: CodePtr,
    ) {
        let _ = (encountering_task_data, encountering_task_frame, new_task_data);
        let _ = (flags, has_dependences, codeptr_ra);
    }

    /// The thread leaves one task, for the reason `prior_task_status`, and goes to another, if any
    /// (4.5.2.10).
    fn task_schedule(&self, prior_task_data: Option<Slot<'_>>, prior_task_status: TaskStatus, next_task_data: Option<Slot<'_>>) {
        let _ = (prior_task_data, prior_task_status, next_task_data);
    }

    /// An implicit or initial task begins or ends, on the thread that runs it. `index` is the
    /// thread's or team's number, `actual_parallelism` how many there are (0 at the end).
    /// `parallel_data` is absent at the end (4.5.2.11).
    fn implicit_task(
        &self,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        actual_parallelism: c_uint,
        index: c_uint,
        flags: TaskFlag,
    ) {
        let _ = (endpoint, parallel_data, task_data, actual_parallelism, index, flags);
    }

    /// The program called `omp_control_tool`; the answer is what that returns: 0 for success, 1 for
    /// ignored, see [`ompt::ControlToolResult`] (4.5.2.29).
    fn control_tool(&self, command: u64, modifier: u64, arg: *mut c_void, codeptr_ra: CodePtr) -> c_int {
        let _ = (command, modifier, arg, codeptr_ra);
        ControlToolResult::IGNORED.0
    }

    /// A task begins or ends to wait inside a synchronisation region (4.5.2.13).
    fn sync_region_wait(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        let _ = (kind, endpoint, parallel_data, task_data, codeptr_ra);
    }

    /// A lock, critical section, atomic or ordered region has been left (4.5.2.15).
    fn mutex_released(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        let _ = (kind, wait_id, codeptr_ra);
    }

    /// The dependences of a task that has just been made, or of an `ordered` construct (4.5.2.8).
    fn dependences(&self, task_data: Option<Slot<'_>>, deps: &[Dependence]) {
        let _ = (task_data, deps);
    }

    /// A task must wait for an earlier one (4.5.2.9).
    fn task_dependence(&self, src_task_data: Option<Slot<'_>>, sink_task_data: Option<Slot<'_>>) {
        let _ = (src_task_data, sink_task_data);
    }

    /// A worksharing, distribute or taskloop region begins or ends; `count` is its number of
    /// iterations, sections, … (4.5.2.5).
    fn work(
        &self,
        work_type: Work,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        count: u64,
        codeptr_ra: CodePtr,
    ) {
        let _ = (work_type, endpoint, parallel_data, task_data, count, codeptr_ra);
    }

    /// A masked region begins or ends (4.5.2.12).
    fn masked(&self, endpoint: ScopeEndpoint, parallel_data: Option<Slot<'_>>, task_data: Option<Slot<'_>>, codeptr_ra: CodePtr) {
        let _ = (endpoint, parallel_data, task_data, codeptr_ra);
    }

    /// A barrier, taskwait or taskgroup region begins or ends (4.5.2.13). `parallel_data` may be
    /// absent at the end of the barrier that ends the parallel region.
    fn sync_region(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        let _ = (kind, endpoint, parallel_data, task_data, codeptr_ra);
    }

    /// A lock is initialised; `mutex_impl` is a value of `ompt_enumerate_mutex_impls` (4.5.2.14).
    fn lock_init(&self, kind: Mutex, hint: c_uint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let _ = (kind, hint, mutex_impl, wait_id, codeptr_ra);
    }

    /// A lock is destroyed (4.5.2.15).
    fn lock_destroy(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        let _ = (kind, wait_id, codeptr_ra);
    }

    /// A thread wants a lock or to enter a critical, atomic or ordered region; it may have to wait
    /// (4.5.2.14).
    fn mutex_acquire(&self, kind: Mutex, hint: c_uint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let _ = (kind, hint, mutex_impl, wait_id, codeptr_ra);
    }

    /// It has it (4.5.2.15).
    fn mutex_acquired(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        let _ = (kind, wait_id, codeptr_ra);
    }

    /// A nest lock that the task already owned was set once more (begin) or unset but kept (end)
    /// (4.5.2.16).
    fn nest_lock(&self, endpoint: ScopeEndpoint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let _ = (endpoint, wait_id, codeptr_ra);
    }

    /// A flush has been executed (4.5.2.17).
    fn flush(&self, thread_data: Option<Slot<'_>>, codeptr_ra: CodePtr) {
        let _ = (thread_data, codeptr_ra);
    }

    /// A region is cancelled, a cancellation noticed, or a task discarded (4.5.2.18).
    fn cancel(&self, task_data: Option<Slot<'_>>, flags: CancelFlag, codeptr_ra: CodePtr) {
        let _ = (task_data, flags, codeptr_ra);
    }

    /// A task begins or ends to combine values of a reduction (4.5.2.13).
    fn reduction(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        let _ = (kind, endpoint, parallel_data, task_data, codeptr_ra);
    }

    /// A thread is given a section, an iteration or a chunk. What `instance` holds depends on
    /// `kind`: a section's code address, an iteration number, or a pointer to a
    /// [`DispatchChunk`] (4.5.2.6).
    fn dispatch(&self, parallel_data: Option<Slot<'_>>, task_data: Option<Slot<'_>>, kind: Dispatch, instance: Data) {
        let _ = (parallel_data, task_data, kind, instance);
    }

    /// An `error` directive was reached at run time (4.5.2.30).
    fn error(&self, severity: Severity, message: Option<&CStr>, codeptr_ra: CodePtr) {
        let _ = (severity, message, codeptr_ra);
    }
}

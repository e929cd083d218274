//! Each rule of the checker against a runtime that this test plays: an orderly program passes, and
//! one fault at a time is found. Each case runs in a process of its own, which the checker ends.

mod device;
mod later;
mod play;
mod program;
mod strangers;

use play::play;
use program::*;

/// Everything in order.
fn orderly(p: &Program) {
    p.fork(0);
    p.work(Work::LOOP_DYNAMIC, End::BEGIN);
    event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: 0 });
    p.work(Work::LOOP_DYNAMIC, End::END);
    let task = p.create();
    p.sync(SyncRegion::TASKWAIT, End::BEGIN);
    p.wait(SyncRegion::TASKWAIT, End::BEGIN);
    p.wait(SyncRegion::TASKWAIT, End::END);
    p.run(task);
    p.wait(SyncRegion::TASKWAIT, End::BEGIN);
    p.wait(SyncRegion::TASKWAIT, End::END);
    p.sync(SyncRegion::TASKWAIT, End::END);
    event!(LockInit, Mutex::NEST_LOCK, 0, 0, 77, CODE);
    event!(MutexAcquire, Mutex::TEST_NEST_LOCK, 0, 0, 77, CODE);
    event!(MutexAcquired, Mutex::TEST_NEST_LOCK, 77, CODE);
    event!(MutexAcquire, Mutex::NEST_LOCK, 0, 0, 77, CODE);
    event!(NestLock, End::BEGIN, 77, CODE);
    event!(NestLock, End::END, 77, CODE);
    event!(MutexReleased, Mutex::NEST_LOCK, 77, CODE);
    event!(LockDestroy, Mutex::NEST_LOCK, 77, CODE);
    let detached = p.create();
    p.switch(p.implicit, TaskStatus::SWITCH, detached);
    p.switch(detached, TaskStatus::DETACH, p.implicit);
    event!(TaskSchedule, detached, TaskStatus::LATE_FULFILL, null_mut());
    // Another thread may report that it fulfilled a task before this one reports the detaching.
    let detached = p.create();
    p.switch(p.implicit, TaskStatus::SWITCH, detached);
    event!(TaskSchedule, detached, TaskStatus::LATE_FULFILL, null_mut());
    p.switch(detached, TaskStatus::DETACH, p.implicit);
    p.join();
    orderly_target(p);
}

/// A construct with a copy and a kernel on a device that traces itself.
fn orderly_target(p: &Program) {
    let (target, copy, kernel) = (word(), operation(), operation());
    device::begin(true);
    event!(DeviceLoad, 0, null(), 0, null_mut(), 0, null_mut(), null_mut(), 1);
    let task = p.create_target(p.initial);
    p.switch(p.initial, TaskStatus::SWITCH, task);
    p.target_in(task, End::BEGIN, Target::TARGET, 0, target);
    p.copy(End::BEGIN, TargetDataOp::ALLOC, 0, target, copy);
    p.copy(End::END, TargetDataOp::ALLOC, 0, target, copy);
    p.submit(End::BEGIN, target, kernel);
    p.submit(End::END, target, kernel);
    device::kernel(kernel, 5, 6);
    p.target_in(task, End::END, Target::TARGET, 0, target);
    p.switch(task, TaskStatus::COMPLETE, p.initial);
    // The begin of a target data region has no target task.
    let region = word();
    p.target(End::BEGIN, Target::ENTER_DATA, 0, region);
    p.target(End::END, Target::ENTER_DATA, 0, region);
    event!(DeviceUnload, 0, 1);
    event!(DeviceFinalize, 0);
}

/// The rule that finds a fault, and the fault.
type Fault = (&'static str, fn(&Program));

const FAULTS: &[Fault] = &[
    ("thread-begin", |_| event!(ThreadBegin, Thread::INITIAL, word())),
    ("thread-data", |_| {
        THREAD.store(word(), Relaxed);
        event!(Flush, null_mut(), CODE);
    }),
    ("data-not-zero", |p| {
        // SAFETY: the word lives for ever, and this process has one thread.
        unsafe { (*p.region).value = 5 };
        p.fork(0);
        p.join();
    }),
    ("data-lost", |p| {
        p.fork(0);
        // SAFETY: as above.
        unsafe { (*p.implicit).value = 5 };
        p.sync(SyncRegion::TASKWAIT, End::BEGIN);
    }),
    ("data-moved", |p| {
        p.fork(0);
        p.leave();
        // SAFETY: as above.
        let copy = Box::leak(Box::new(unsafe { *p.region }));
        event!(ParallelEnd, copy, p.initial, TEAM, CODE);
    }),
    ("null-data", |p| {
        p.fork(0);
        event!(Work, Work::LOOP, End::BEGIN, null_mut(), p.implicit, 1, CODE);
    }),
    ("parallel-pair", |p| {
        p.fork(0);
        p.leave();
        let inner = word();
        event!(ParallelBegin, p.initial, &p.frame, inner, 1, TEAM, CODE);
        event!(ParallelEnd, p.region, p.initial, TEAM, CODE);
    }),
    ("implicit-task-count", |p| {
        event!(ParallelBegin, p.initial, &p.frame, p.region, 1, TEAM, CODE);
        event!(ParallelEnd, p.region, p.initial, TEAM, CODE);
    }),
    ("task-index", |p| p.fork(1)),
    ("wrong-region", |p| {
        p.fork(0);
        event!(Masked, End::BEGIN, p.implicit, p.implicit, CODE);
    }),
    ("not-current-task", |p| {
        p.fork(0);
        event!(Work, Work::LOOP, End::BEGIN, null_mut(), p.initial, 1, CODE);
    }),
    ("implicit-task-pair", |p| {
        p.fork(0);
        event!(ImplicitTask, End::END, null_mut(), p.initial, 0, 1, INITIAL);
    }),
    ("end-without-begin", |p| {
        p.fork(0);
        p.work(Work::LOOP, End::BEGIN);
        p.work(Work::SECTIONS, End::END);
    }),
    ("begin-without-end", |p| {
        p.fork(0);
        p.sync(SyncRegion::TASKWAIT, End::BEGIN);
        p.join();
    }),
    ("wait-outside-region", |p| {
        p.fork(0);
        p.wait(SyncRegion::TASKWAIT, End::BEGIN);
    }),
    ("schedule-inside-wait", |p| {
        p.fork(0);
        let task = p.create();
        p.sync(SyncRegion::TASKWAIT, End::BEGIN);
        p.wait(SyncRegion::TASKWAIT, End::BEGIN);
        p.run(task);
    }),
    ("prior-task", |p| {
        p.fork(0);
        let (one, other) = (p.create(), p.create());
        p.switch(p.implicit, TaskStatus::SWITCH, one);
        p.switch(p.implicit, TaskStatus::SWITCH, other);
    }),
    ("task-after-end", |p| {
        p.fork(0);
        let task = p.create();
        p.run(task);
        p.run(task);
    }),
    ("next-task", |p| {
        p.fork(0);
        p.switch(p.implicit, TaskStatus::YIELD, p.implicit);
        let task = p.create();
        p.switch(p.implicit, TaskStatus::SWITCH, task);
        p.switch(task, TaskStatus::DETACH, p.implicit);
        p.run(task);
    }),
    ("detach", |p| {
        p.fork(0);
        event!(TaskSchedule, p.create(), TaskStatus::LATE_FULFILL, null_mut());
    }),
    ("task-open", |p| {
        p.fork(0);
        p.create();
        p.join();
    }),
    ("task-status", |p| {
        p.fork(0);
        p.switch(p.implicit, TaskStatus(42), p.create());
    }),
    ("mutex-order", |_| event!(MutexAcquired, Mutex::CRITICAL, 7, CODE)),
    ("mutex-order", |_| event!(MutexReleased, Mutex::CRITICAL, 7, CODE)),
    ("mutex-kind", |_| event!(LockInit, Mutex::CRITICAL, 0, 0, 7, CODE)),
    ("lock-uninitialized", |_| {
        event!(LockInit, Mutex::LOCK, 0, 0, 7, CODE);
        event!(LockDestroy, Mutex::NEST_LOCK, 7, CODE);
    }),
    ("nest-lock", |_| event!(NestLock, End::END, 7, CODE)),
    ("lock-uninitialized", |_| event!(LockDestroy, Mutex::LOCK, 7, CODE)),
    ("lock-uninitialized", |_| event!(MutexAcquire, Mutex::LOCK, 0, 0, 7, CODE)),
    ("codeptr-null", |_| event!(LockInit, Mutex::LOCK, 0, 0, 7, null())),
    ("dispatch-outside-work", |p| {
        p.fork(0);
        event!(Dispatch, p.region, p.implicit, Dispatch::SECTION, Data::NONE);
    }),
    ("enter-frame", |p| {
        event!(ParallelBegin, p.initial, &Frame::NONE, p.region, 1, TEAM, CODE);
    }),
    ("task-info", |p| {
        TASK.store(word(), Relaxed);
        event!(ParallelBegin, p.initial, &p.frame, p.region, 1, TEAM, CODE);
    }),
    ("parallel-info", |p| {
        p.fork(0);
        REGION.store(p.initial, Relaxed);
        p.sync(SyncRegion::TASKWAIT, End::BEGIN);
    }),
    ("after-thread-end", |p| {
        event!(ImplicitTask, End::END, null_mut(), p.initial, 0, 1, INITIAL);
        event!(ThreadEnd, THREAD.load(Relaxed));
        event!(Flush, null_mut(), CODE);
    }),
    ("implicit-task-open", |_| event!(ThreadEnd, THREAD.load(Relaxed))),
    ("data-not-null", |p| {
        p.fork(0);
        event!(ImplicitTask, End::END, p.region, p.implicit, 0, 0, IMPLICIT);
    }),
    ("parallel-flags", |p| {
        event!(ParallelBegin, p.initial, &p.frame, p.region, 1, ParallelFlag::TEAM.0, CODE);
    }),
    ("parallel-flags", |p| {
        p.fork(0);
        p.leave();
        event!(ParallelEnd, p.region, p.initial, ParallelFlag::LEAGUE.0 | ParallelFlag::INVOKER_RUNTIME.0, CODE);
    }),
    ("requested-parallelism", |p| {
        event!(ParallelBegin, p.initial, &p.frame, p.region, 1, TEAM, CODE);
        event!(ImplicitTask, End::BEGIN, p.region, p.implicit, 2, 0, IMPLICIT);
    }),
    ("actual-parallelism", |p| {
        p.fork(0);
        event!(ImplicitTask, End::END, null_mut(), p.implicit, 1, 0, IMPLICIT);
    }),
    ("task-index", |p| {
        p.fork(0);
        event!(ImplicitTask, End::END, null_mut(), p.implicit, 0, 1, IMPLICIT);
    }),
    ("task-flags", |p| {
        p.fork(0);
        event!(TaskCreate, p.implicit, &p.frame, word(), IMPLICIT, 0, CODE);
    }),
    ("children-complete", |p| {
        p.fork(0);
        p.create();
        p.sync(SyncRegion::TASKWAIT, End::BEGIN);
        p.sync(SyncRegion::TASKWAIT, End::END);
    }),
    ("taskgroup-complete", |p| {
        p.fork(0);
        p.sync(SyncRegion::TASKGROUP, End::BEGIN);
        p.create();
        p.sync(SyncRegion::TASKGROUP, End::END);
    }),
    ("barrier-tasks", |p| {
        p.fork(0);
        p.create();
        p.sync(SyncRegion::BARRIER_EXPLICIT, End::BEGIN);
        p.sync(SyncRegion::BARRIER_EXPLICIT, End::END);
    }),
    ("barrier-left", |p| {
        event!(ParallelBegin, p.initial, &p.frame, p.region, 2, TEAM, CODE);
        event!(ImplicitTask, End::BEGIN, p.region, p.implicit, 2, 0, IMPLICIT);
        p.sync(SyncRegion::BARRIER_EXPLICIT, End::BEGIN);
        p.sync(SyncRegion::BARRIER_EXPLICIT, End::END);
    }),
    ("scheduling-constraint", |p| {
        p.fork(0);
        let (one, other) = (p.create(), p.create());
        p.switch(p.implicit, TaskStatus::SWITCH, one);
        p.switch(one, TaskStatus::SWITCH, other);
    }),
    ("dependence-kind", |p| {
        p.fork(0);
        p.depends(DependenceType(99));
    }),
    ("dependences-missing", |p| {
        p.fork(0);
        let task = word();
        event!(TaskCreate, p.implicit, &p.frame, task, EXPLICIT, 1, CODE);
        p.switch(p.implicit, TaskStatus::SWITCH, task);
    }),
    ("dependences-missing", |p| {
        p.fork(0);
        event!(Dependences, p.create(), null(), 0);
    }),
    ("dependence-order", |p| {
        p.fork(0);
        p.depends(DependenceType::OUT);
        let later = p.depends(DependenceType::IN);
        p.switch(p.implicit, TaskStatus::SWITCH, later);
    }),
    ("dependence-exclusion", |p| {
        p.fork(0);
        let one = p.depends(DependenceType::MUTEXINOUTSET);
        let other = p.depends(DependenceType::MUTEXINOUTSET);
        p.switch(p.implicit, TaskStatus::SWITCH, one);
        p.switch(one, TaskStatus::SWITCH, other);
    }),
    ("task-dependence", |p| {
        p.fork(0);
        let one = p.depends(DependenceType::IN);
        let other = p.depends(DependenceType::IN);
        event!(TaskDependence, one, other);
    }),
    ("endpoint", |p| {
        p.fork(0);
        p.sync(SyncRegion::TASKWAIT, End(9));
    }),
    ("sync-kind", |p| {
        p.fork(0);
        p.sync(SyncRegion(99), End::BEGIN);
    }),
    ("work-kind", |p| {
        p.fork(0);
        p.work(Work(99), End::BEGIN);
    }),
    ("single-executor", |p| {
        p.fork(0);
        p.work(Work::SINGLE_OTHER, End::BEGIN);
        p.work(Work::SINGLE_OTHER, End::END);
    }),
    ("dispatch-kind", |p| {
        p.fork(0);
        p.work(Work::LOOP_DYNAMIC, End::BEGIN);
        event!(Dispatch, p.region, p.implicit, Dispatch::SECTION, Data::NONE);
    }),
    ("dispatch-range", |p| {
        p.fork(0);
        p.work(Work::LOOP_DYNAMIC, End::BEGIN);
        event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: 0 });
        event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: 5 });
    }),
    ("dispatch-overlap", |p| {
        p.fork(0);
        p.work(Work::LOOP_DYNAMIC, End::BEGIN);
        event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: 0 });
        event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: 0 });
    }),
    ("dispatch-missing", |p| {
        p.fork(0);
        event!(Work, Work::LOOP_DYNAMIC, End::BEGIN, p.region, p.implicit, 3, CODE);
        event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: 0 });
        p.work(Work::LOOP_DYNAMIC, End::END);
    }),
    ("dispatch-chunks", |p| {
        p.fork(0);
        p.work(Work::LOOP_DYNAMIC, End::BEGIN);
        let chunk = Box::leak(Box::new(DispatchChunk { start: 0, iterations: 2 }));
        event!(Dispatch, p.region, p.implicit, Dispatch::WS_LOOP_CHUNK, Data { ptr: (&raw mut *chunk).cast() });
    }),
    ("ordered-order", |p| {
        p.fork(0);
        event!(Work, Work::LOOP_DYNAMIC, End::BEGIN, p.region, p.implicit, 2, CODE);
        for iteration in [1, 0] {
            event!(Dispatch, p.region, p.implicit, Dispatch::ITERATION, Data { value: iteration });
            event!(MutexAcquire, Mutex::ORDERED, 0, 0, 7, CODE);
            event!(MutexAcquired, Mutex::ORDERED, 7, CODE);
            event!(MutexReleased, Mutex::ORDERED, 7, CODE);
        }
    }),
    ("mutex-exclusion", |_| {
        for _ in 0..2 {
            event!(MutexAcquire, Mutex::ATOMIC, 0, 0, 7, CODE);
            event!(MutexAcquired, Mutex::ATOMIC, 7, CODE);
        }
    }),
    ("cancel-flags", |p| {
        p.fork(0);
        event!(Cancel, p.implicit, CancelFlag::PARALLEL.0, CODE);
    }),
    ("cancel-task", |p| {
        p.fork(0);
        let task = p.create();
        p.switch(p.implicit, TaskStatus::SWITCH, task);
        event!(Cancel, task, CancelFlag::TASKGROUP.0 | CancelFlag::DISCARDED_TASK.0, null());
    }),
    ("severity", |_| event!(Error, Severity(9), null(), 0, CODE)),
    ("state", |_| {
        STATE.store(0x1ff, Relaxed);
        event!(Flush, null_mut(), CODE);
    }),
    ("state-serial", |_| {
        STATE.store(State::WORK_PARALLEL.0, Relaxed);
        event!(Flush, null_mut(), CODE);
    }),
    ("state-wait", |_| {
        STATE.store(State::WAIT_TASKGROUP.0, Relaxed);
        event!(Flush, null_mut(), CODE);
    }),
    ("state-wait", |_| {
        STATE.store(State::WAIT_LOCK.0, Relaxed);
        event!(Flush, null_mut(), CODE);
    }),
    ("wait-id", |_| {
        STATE.store(State::WAIT_CRITICAL.0, Relaxed);
        event!(MutexAcquire, Mutex::CRITICAL, 0, 0, 7, CODE);
    }),
    ("self-deadlock", |_| {
        event!(MutexAcquire, Mutex::CRITICAL, 0, 0, 7, CODE);
        event!(MutexAcquired, Mutex::CRITICAL, 7, CODE);
        event!(MutexAcquire, Mutex::CRITICAL, 0, 0, 7, CODE);
    }),
    ("lock-destroyed", |_| {
        event!(LockInit, Mutex::LOCK, 0, 0, 7, CODE);
        event!(MutexAcquire, Mutex::LOCK, 0, 0, 7, CODE);
        event!(MutexAcquired, Mutex::LOCK, 7, CODE);
        event!(LockDestroy, Mutex::LOCK, 7, CODE);
    }),
    ("lock-not-owned", |_| {
        event!(LockInit, Mutex::LOCK, 0, 0, 7, CODE);
        event!(MutexReleased, Mutex::LOCK, 7, CODE);
    }),
    ("lock-kept", |p| {
        event!(LockInit, Mutex::LOCK, 0, 0, 7, CODE);
        p.fork(0);
        event!(MutexAcquire, Mutex::LOCK, 0, 0, 7, CODE);
        event!(MutexAcquired, Mutex::LOCK, 7, CODE);
        p.join();
    }),
    ("task-never-completed", |p| {
        p.fork(0);
        let detached = p.create();
        p.switch(p.implicit, TaskStatus::SWITCH, detached);
        p.switch(detached, TaskStatus::DETACH, p.implicit);
    }),
    ("device-number", |_| event!(DeviceInitialize, -1, null(), null_mut(), None, null())),
    ("device-life", |_| {
        device::begin(false);
        event!(DeviceFinalize, 0);
        event!(DeviceFinalize, 0);
    }),
    ("device-module", |_| {
        device::begin(false);
        event!(DeviceUnload, 0, 7);
    }),
    ("target-kind", |p| p.target(End::BEGIN, Target(77), 0, word())),
    ("target-pair", |p| {
        let target = word();
        p.target(End::BEGIN, Target::TARGET, 0, target);
        p.target(End::END, Target::UPDATE, 0, target);
    }),
    ("target-open", |p| {
        p.target(End::BEGIN, Target::TARGET, 0, word());
        p.fork(0);
        p.join();
    }),
    ("target-open", |p| {
        p.fork(0);
        p.target(End::BEGIN, Target::TARGET, 0, word());
        p.join();
    }),
    ("target-failed", |p| p.target(End::BEGIN, Target::TARGET, 0, word())),
    ("worksharing-nesting", |p| {
        p.fork(0);
        p.work(Work::LOOP_DYNAMIC, End::BEGIN);
        p.work(Work::SINGLE_EXECUTOR, End::BEGIN);
    }),
    ("worksharing-nesting", |p| {
        p.fork(0);
        event!(Masked, End::BEGIN, p.region, p.implicit, CODE);
        p.work(Work::LOOP_STATIC, End::BEGIN);
    }),
    ("barrier-nesting", |p| {
        p.fork(0);
        p.work(Work::SECTIONS, End::BEGIN);
        event!(Dispatch, p.region, p.implicit, Dispatch::SECTION, Data { value: 0x1000 });
        p.sync(SyncRegion::BARRIER_EXPLICIT, End::BEGIN);
    }),
    ("barrier-nesting", |p| {
        p.fork(0);
        event!(MutexAcquire, Mutex::CRITICAL, 0, 0, 7, CODE);
        event!(MutexAcquired, Mutex::CRITICAL, 7, CODE);
        p.sync(SyncRegion::BARRIER_EXPLICIT, End::BEGIN);
    }),
    ("barrier-nesting", |p| {
        p.fork(0);
        let task = p.create();
        p.switch(p.implicit, TaskStatus::SWITCH, task);
        event!(SyncRegion, SyncRegion::BARRIER_EXPLICIT, End::BEGIN, p.region, task, CODE);
    }),
    ("masked-nesting", |p| {
        p.fork(0);
        p.work(Work::SINGLE_EXECUTOR, End::BEGIN);
        event!(Masked, End::BEGIN, p.region, p.implicit, CODE);
    }),
    ("ordered-nesting", |p| {
        p.fork(0);
        event!(MutexAcquire, Mutex::CRITICAL, 0, 0, 7, CODE);
        event!(MutexAcquired, Mutex::CRITICAL, 7, CODE);
        event!(MutexAcquire, Mutex::ORDERED, 0, 0, 8, CODE);
    }),
    ("target-task", |p| p.target(End::BEGIN, Target::UPDATE, 0, word())),
    ("target-task", |p| {
        let task = p.create_target(p.initial);
        p.target_in(task, End::BEGIN, Target::TARGET, 0, word());
    }),
    ("target-task", |p| {
        p.fork(0);
        let task = p.create_target(p.implicit);
        p.switch(p.implicit, TaskStatus::SWITCH, task);
        p.target_in(task, End::BEGIN, Target::TARGET, 0, word()); // Names the initial task.
    }),
    ("target-forms", |p| {
        p.target(End::BEGIN, Target::TARGET, 0, word());
        event!(Target, Target::TARGET, End::BEGIN, 0, p.initial, 1, CODE);
    }),
    ("target-id", |p| {
        event!(Target, Target::TARGET, End::BEGIN, 0, p.initial, 1, CODE);
        event!(TargetSubmit, 1, 1, 0);
    }),
    ("operation-kind", |p| p.copy(End::BEGIN, TargetDataOp(77), 0, null_mut(), operation())),
    ("operation-device", |p| {
        let target = word();
        p.target(End::BEGIN, Target::TARGET, 0, target);
        p.copy(End::BEGIN, TargetDataOp::TRANSFER_TO_DEVICE, 1, target, operation());
    }),
    ("operation-pair", |p| {
        let op = operation();
        p.copy(End::BEGIN, TargetDataOp::ALLOC, 0, null_mut(), op);
        p.copy(End::END, TargetDataOp::DELETE, 0, null_mut(), op);
    }),
    ("record-invalid", |_| {
        device::begin(true);
        device::record(Event(0), 1, RecordBody { thread_begin: RecordThreadBegin { thread_type: Thread::INITIAL } });
    }),
    ("record-time", |p| {
        device::begin(true);
        let kernel = operation();
        p.submit(End::BEGIN, null_mut(), kernel);
        p.submit(End::END, null_mut(), kernel);
        device::kernel(kernel, 5, 4);
    }),
    ("record-operation", |p| {
        device::begin(true);
        let kernel = operation();
        p.submit(End::BEGIN, null_mut(), kernel);
        p.submit(End::END, null_mut(), kernel);
        device::kernel(kernel, 5, 6);
        device::kernel(kernel, 5, 6);
    }),
    ("record-scope", |_| {
        device::begin(true);
        let masked = RecordMasked { endpoint: End::END, parallel_id: 1, task_id: 1, codeptr_ra: CODE };
        device::record(Event::Masked, 1, RecordBody { masked });
    }),
    ("record-missing", |p| {
        device::begin(true);
        let (target, kernel) = (word(), operation());
        p.target(End::BEGIN, Target::TARGET, 0, target);
        p.submit(End::BEGIN, target, kernel);
        p.submit(End::END, target, kernel);
        p.target(End::END, Target::TARGET, 0, target);
    }),
    // The last: what is left out is looked for by its number.
    ("thread-open", |_| {}),
];

/// The case that this process is to play; an ordinary run of the tests asks for none.
#[test]
fn case() {
    let Ok(case) = std::env::var("CHECKER_CASE") else { return };
    let result = start(if case == "later" { later::VERSION } else { OMP_VERSION_5_1 });
    let program = Program::begin();
    match case.parse::<usize>() {
        Ok(number) => FAULTS[number].1(&program),
        Err(_) if case.starts_with("stranger") => {
            strangers::stranger(&program, &case);
            program.end();
        }
        Err(_) => {
            match case.as_str() {
                "values-of-6.0" => later::of_6_0(&program),
                "later" | "unknown" => later::unknown(&program),
                _ => orderly(&program),
            }
            program.end();
        }
    }
    // SAFETY: ends the tool as a runtime does.
    unsafe { ((*result).finalize.unwrap())(&raw mut (*result).tool_data) };
    if case == "after-finalize" {
        event!(Flush, null_mut(), CODE);
    }
}

#[test]
fn an_orderly_program_passes() {
    let (status, lines) = play("orderly", "");
    assert_eq!(status, Some(0), "{lines}");
    assert_eq!(lines, "ferromp-checker: 51 events, 0 violations\n");
}

#[test]
fn each_fault_is_found_by_its_rule() {
    for (number, (rule, _)) in FAULTS.iter().enumerate() {
        let (status, lines) = play(&number.to_string(), "");
        assert_eq!(status, Some(87), "fault {number}, {rule}: {lines}");
        let found = [format!(": {rule}: thread 0: "), format!(": {rule}: device 0: ")];
        assert!(found.iter().any(|found| lines.contains(found)), "{rule}: {lines}");
        assert!(lines.lines().last().unwrap().starts_with("ferromp-checker: "), "{lines}");
    }
}

/// Rules whose faults take several threads, time, or a runtime in a library of its own:
/// `crates/cli/tests/command/check.rs` has the program's, `tests/stock_libomp.rs` and the corpus the others.
const ELSEWHERE: [&str; 11] = [
    "after-finalize",
    "tied-task",
    "work-differs",
    "worksharing-order",
    "codeptr-in-runtime",
    "deadlock",
    "lock-across-task",
    "barrier-missed",
    "stuck",
    "oversubscribed",
    "held-long",
];

#[test]
fn each_rule_has_a_fault() {
    for rule in ferromp_checker::Rule::ALL {
        let played = FAULTS.iter().any(|(name, _)| *name == rule.id());
        assert!(played != ELSEWHERE.contains(&rule.id()), "{}", rule.id());
    }
}

#[test]
fn an_event_after_the_finaliser_is_found() {
    let (status, lines) = play("after-finalize", "");
    assert_eq!(status, Some(87), "{lines}");
    assert!(lines.contains("violation: after-finalize: "), "{lines}");
}

#[test]
fn ignored_rules_are_not_checked() {
    let thread_open = FAULTS.len() - 1;
    let (status, lines) = play(&thread_open.to_string(), "thread-open, implicit-task-open");
    assert_eq!(status, Some(0), "{lines}");
    assert!(lines.ends_with(" events, 0 violations\n"), "{lines}");
}

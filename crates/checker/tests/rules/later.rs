//! Runtimes that know later versions of OpenMP than 5.1: what 6.0 has is known, and what comes after is passed over
//! where the runtime says that it is of a later version.

use crate::device;
use crate::play::play;
use crate::program::*;

/// A version that this tool does not know.
pub const VERSION: c_uint = 209912;

/// Values of OpenMP 5.2 and 6.0, in order.
pub fn of_6_0(p: &Program) {
    p.fork(0);
    p.work(Work::WORKDISTRIBUTE, End::BEGIN);
    p.work(Work::WORKDISTRIBUTE, End::END);
    let task = word();
    event!(TaskCreate, p.implicit, &p.frame, task, EXPLICIT | TaskFlag::IMPORTING.0 | TaskFlag::EXPORTING.0, 0, CODE);
    p.switch(p.implicit, TaskStatus::SWITCH, task);
    STATE.store(State::WORK_FREE_AGENT.0, Relaxed);
    event!(Flush, null_mut(), CODE);
    STATE.store(State::WORK_INDUCTION.0, Relaxed);
    event!(Flush, null_mut(), CODE);
    STATE.store(State::OVERHEAD.0, Relaxed);
    p.switch(task, TaskStatus::COMPLETE, p.implicit);
    p.join();
    device::begin(false);
    let region = word();
    p.target(End::BEGIN, Target::ENTER_DATA, 0, region);
    for kind in [TargetDataOp::TRANSFER, TargetDataOp::TRANSFER_RECT_ASYNC, TargetDataOp::MEMSET_ASYNC] {
        let op = operation();
        p.copy(End::BEGIN, kind, 0, region, op);
        p.copy(End::END, kind, 0, region, op);
    }
    p.target(End::END, Target::ENTER_DATA, 0, region);
}

/// Values that no version has yet, in each argument.
pub fn unknown(p: &Program) {
    const NEW: c_int = 99;
    p.fork(0);
    p.work(Work(NEW), End::BEGIN);
    event!(Dispatch, p.region, p.implicit, Dispatch(NEW), Data { value: 0 });
    p.work(Work(NEW), End::END);
    p.sync(SyncRegion(NEW), End::BEGIN);
    p.sync(SyncRegion(NEW), End::END);
    event!(MutexAcquire, Mutex(NEW), 0, 0, 55, CODE);
    event!(MutexAcquired, Mutex(NEW), 55, CODE);
    event!(MutexReleased, Mutex(NEW), 55, CODE);
    let task = p.depends(DependenceType(NEW));
    STATE.store(0x7f, Relaxed);
    p.switch(p.implicit, TaskStatus(NEW), task);
    p.switch(task, TaskStatus::COMPLETE, p.implicit);
    STATE.store(State::OVERHEAD.0, Relaxed);
    event!(Error, Severity(NEW), null(), 0, CODE);
    p.join();
    device::begin(false);
    let (region, op) = (word(), operation());
    p.target(End::BEGIN, Target(NEW), 0, region);
    p.copy(End::BEGIN, TargetDataOp(NEW), 0, region, op);
    p.copy(End::END, TargetDataOp(NEW), 0, region, op);
    p.target(End::END, Target(NEW), 0, region);
}

#[test]
fn values_of_openmp_6_are_known() {
    let (status, lines) = play("values-of-6.0", "");
    assert_eq!(status, Some(0), "{lines}");
}

#[test]
fn unknown_values_of_a_later_runtime_are_no_faults() {
    let (status, lines) = play("later", "");
    assert_eq!(status, Some(0), "{lines}");
    assert!(lines.ends_with(", 0 violations\n"), "{lines}");
}

#[test]
fn unknown_values_of_a_runtime_of_today_are_faults() {
    let (status, lines) = play("unknown", "");
    assert_eq!(status, Some(87), "{lines}");
    for rule in
        ["work-kind", "dispatch-kind", "sync-kind", "mutex-kind", "dependence-kind", "state", "severity", "target-kind"]
    {
        assert!(lines.contains(&format!(": {rule}: ")), "{rule}: {lines}");
    }
}

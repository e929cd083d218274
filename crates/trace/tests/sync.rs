//! Waiting in traces made by hand: what it is named for, what it is charged to, who holds locks, what blocks tasks.

mod synthetic;

use ferromp_trace::analysis::{Activity, ActivityKind, Lock, Summary, Wait};
use ferromp_trace::store::Record;
use synthetic::{implicit, trace};

const REGION: u64 = 0x1000;
const TASK: u64 = 0x2000;
const GROUP: u64 = 0x3000;
const GROUP_END: u64 = 0x3040;
const SINGLE: u64 = 0x4000;
const TASKWAIT: u64 = 0x5000;
const OUTER: u64 = 0x6000;
const INNER: u64 = 0x7000;

/// `ompt_sync_region_t`.
const BARRIER_KIND: u64 = 9;
const TASKWAIT_KIND: u64 = 5;
const TASKGROUP_KIND: u64 = 6;
/// `ompt_work_t`.
const SINGLE_EXECUTOR: u64 = 3;
const SINGLE_OTHER: u64 = 4;
/// `ompt_task_status_t`.
const COMPLETE: u64 = 1;
const SWITCH: u64 = 7;
/// `ompt_mutex_t`.
const LOCK: u64 = 1;
const CRITICAL: u64 = 5;

fn summary(end: u64, threads: &[&[(u64, Record)]]) -> Summary {
    let dir = tempfile::tempdir().unwrap();
    Summary::of(&trace(dir.path(), end, threads), &mut |_, _| {})
}

/// The first thread's begin of the region, and its end.
fn begin() -> (u64, Record) {
    (0, Record::ParallelBegin { parallel: 1, task: 0, requested: 2, flags: 0, codeptr: REGION })
}

fn end(ns: u64) -> [(u64, Record); 2] {
    [(ns, Record::ImplicitTaskEnd { task: 2, index: 0 }), (ns, Record::ParallelEnd { parallel: 1, codeptr: REGION })]
}

fn create(parent: u64, task: u64) -> Record {
    Record::TaskCreate { parent, task, flags: 4, dependences: 0, codeptr: TASK }
}

fn schedule(prior: u64, status: u64, next: u64) -> Record {
    Record::TaskSchedule { prior, status, next }
}

fn work(kind: u64) -> Record {
    Record::WorkBegin { kind, count: 1, codeptr: SINGLE }
}

/// A thread reaches the barrier, and waits.
fn arrive(ns: u64, codeptr: u64) -> [(u64, Record); 2] {
    [(ns, Record::SyncBegin { kind: BARRIER_KIND, codeptr }), (ns, Record::WaitBegin { kind: BARRIER_KIND, codeptr })]
}

/// A thread leaves the barrier.
fn leave(ns: u64) -> [(u64, Record); 2] {
    [(ns, Record::WaitEnd { kind: BARRIER_KIND }), (ns, Record::SyncEnd { kind: BARRIER_KIND })]
}

fn waits_at(summary: &Summary, kind: u64) -> Vec<&Wait> {
    summary.waits.iter().filter(|wait| wait.kind == kind).collect()
}

/// What the waiting is charged to, without what took no time.
fn causes(wait: &Wait) -> Vec<(Activity, u64)> {
    wait.causes.iter().copied().filter(|(_, ns)| *ns > 0).collect()
}

fn lock_at(summary: &Summary, codeptr: u64) -> &Lock {
    summary.locks.iter().find(|lock| lock.codeptr == codeptr).unwrap()
}

/// The wait at the end of a taskgroup is in the runtime's call for the end. The place to change is the begin.
#[test]
fn the_wait_of_a_taskgroup_is_named_for_its_begin() {
    let first = [
        begin(),
        (0, implicit(1, 2, 2, 0)),
        (10, Record::SyncBegin { kind: TASKGROUP_KIND, codeptr: GROUP }),
        (20, create(2, 5)),
        (30, Record::WaitBegin { kind: TASKGROUP_KIND, codeptr: GROUP_END }),
        (80, Record::WaitEnd { kind: TASKGROUP_KIND }),
        (80, Record::SyncEnd { kind: TASKGROUP_KIND }),
    ];
    let second = [
        (0, implicit(1, 3, 2, 1)),
        (25, schedule(3, SWITCH, 5)),
        (80, schedule(5, COMPLETE, 3)),
        (100, Record::ImplicitTaskEnd { task: 3, index: 1 }),
    ];
    let summary = summary(100, &[&[&first[..], &end(100)[..]].concat(), &second]);
    let [wait] = waits_at(&summary, TASKGROUP_KIND)[..] else { panic!("one wait: {:?}", summary.waits) };
    assert_eq!((wait.site.codeptr, wait.wait_ns), (GROUP, 50));
    let [(cause, ns)] = causes(wait)[..] else { panic!("one cause: {wait:?}") };
    assert_eq!((cause.kind, cause.site.codeptr, ns), (ActivityKind::Task, TASK, 50));
}

/// gcc's taskgroup has no wait while its own thread executes tasks at the end. Who waits for that thread waits for the
/// taskgroup.
#[test]
fn a_task_at_the_end_of_a_taskgroup_belongs_to_it() {
    let first = [
        begin(),
        (0, implicit(1, 2, 2, 0)),
        (0, Record::SyncBegin { kind: TASKGROUP_KIND, codeptr: GROUP }),
        (0, create(2, 5)),
        (10, schedule(2, SWITCH, 5)),
        (90, schedule(5, COMPLETE, 2)),
        (90, Record::SyncEnd { kind: TASKGROUP_KIND }),
    ];
    let second = [(0, implicit(1, 3, 2, 1))];
    let summary = summary(
        90,
        &[
            &[&first[..], &arrive(90, REGION), &leave(90), &end(90)].concat(),
            &[&second[..], &arrive(10, 0), &leave(90), &[(90, Record::ImplicitTaskEnd { task: 3, index: 1 })]].concat(),
        ],
    );
    let [wait] = waits_at(&summary, BARRIER_KIND)[..] else { panic!("one wait: {:?}", summary.waits) };
    let [(cause, ns)] = causes(wait)[..] else { panic!("one cause: {wait:?}") };
    assert_eq!((cause.kind, ns), (ActivityKind::TaskInWait(TASKGROUP_KIND), 80));
    assert_eq!(cause.site.codeptr, GROUP);
}

/// What the others wait for while one thread is in a single construct that ends so.
fn causes_of_single(end_of_single: &[(u64, Record)]) -> Vec<(ActivityKind, u64)> {
    let first = [begin(), (0, implicit(1, 2, 2, 0)), (10, work(SINGLE_EXECUTOR))];
    let second = [(0, implicit(1, 3, 2, 1)), (10, work(SINGLE_OTHER)), (10, Record::WorkEnd { kind: SINGLE_OTHER })];
    let summary = summary(
        100,
        &[
            &[&first[..], end_of_single, &arrive(80, REGION), &leave(80), &end(100)].concat(),
            &[&second[..], &arrive(10, 0), &leave(80), &[(100, Record::ImplicitTaskEnd { task: 3, index: 1 })]]
                .concat(),
        ],
    );
    let [wait] = waits_at(&summary, BARRIER_KIND)[..] else { panic!("one wait: {:?}", summary.waits) };
    assert_eq!(wait.wait_ns, 70);
    causes(wait).into_iter().map(|(activity, ns)| (activity.kind, ns)).collect()
}

/// gcc's runtime learns of the begin of a single construct only, and tells the end at once.
#[test]
fn a_single_that_ends_at_once_lasts_to_the_next_synchronisation() {
    let single = ActivityKind::Work(SINGLE_EXECUTOR);
    let at_once = [(10, Record::WorkEnd { kind: SINGLE_EXECUTOR })];
    assert_eq!(causes_of_single(&at_once), [(single, 70)]);
    // clang's runtime sees the end. What comes after it is the region's own code.
    let task = [(20, create(2, 5)), (40, Record::WorkEnd { kind: SINGLE_EXECUTOR })];
    assert_eq!(causes_of_single(&task), [(ActivityKind::Body, 40), (single, 30)]);
    // The next construct ends it as well.
    let next = [
        (10, Record::WorkEnd { kind: SINGLE_EXECUTOR }),
        (60, Record::WorkBegin { kind: 1, count: 8, codeptr: SINGLE }),
        (80, Record::WorkEnd { kind: 1 }),
    ];
    assert_eq!(causes_of_single(&next), [(single, 50), (ActivityKind::Work(1), 20)]);
}

#[test]
fn waiting_under_a_lock_is_told_from_other_waiting() {
    let acquire = |kind, wait, codeptr| Record::MutexAcquire { kind, wait, codeptr };
    let acquired = |kind, wait| Record::MutexAcquired { kind, wait };
    let released = |kind, wait| Record::MutexReleased { kind, wait };
    let first = [
        begin(),
        (0, implicit(1, 2, 2, 0)),
        (0, acquire(LOCK, 0x10, OUTER)),
        (0, acquired(LOCK, 0x10)),
        // It holds the outer lock while it waits for the inner one.
        (10, acquire(CRITICAL, 0x20, INNER)),
        (40, acquired(CRITICAL, 0x20)),
        (60, released(CRITICAL, 0x20)),
        (70, released(LOCK, 0x10)),
    ];
    let second = [
        (0, implicit(1, 3, 2, 1)),
        (5, acquire(CRITICAL, 0x20, INNER + 8)),
        (5, acquired(CRITICAL, 0x20)),
        (40, released(CRITICAL, 0x20)),
        (50, acquire(LOCK, 0x10, OUTER)),
        (70, acquired(LOCK, 0x10)),
        (75, released(LOCK, 0x10)),
        (100, Record::ImplicitTaskEnd { task: 3, index: 1 }),
    ];
    let summary = summary(100, &[&[&first[..], &end(100)[..]].concat(), &second]);
    let outer = lock_at(&summary, OUTER);
    assert_eq!((outer.count, outer.objects, outer.wait_ns, outer.hold_ns), (2, 1, 20, 75));
    assert_eq!((outer.inner_wait_ns, outer.wait_while_holding_ns), (30, 0));
    // Who waited for the lock waited for its holder, who had acquired it at the same place.
    assert_eq!((&outer.holders[..], outer.region.codeptr), (&[(OUTER, 20)][..], REGION));
    let inner = lock_at(&summary, INNER);
    assert_eq!((inner.count, inner.wait_ns, inner.max_wait_ns, inner.hold_ns), (1, 30, 30, 20));
    assert_eq!((inner.inner_wait_ns, inner.wait_while_holding_ns), (0, 30));
    // The holder had acquired it at another place.
    assert_eq!(inner.holders, [(INNER + 8, 30)]);
    let free = lock_at(&summary, INNER + 8);
    assert_eq!((free.wait_ns, free.hold_ns, &free.holders[..]), (0, 35, &[][..]));
}

#[test]
fn a_task_that_is_waited_for_at_once_is_alone() {
    let wait = |ns| (ns, Record::SyncBegin { kind: TASKWAIT_KIND, codeptr: TASKWAIT });
    let done = |ns| (ns, Record::SyncEnd { kind: TASKWAIT_KIND });
    let run = |ns, task| [(ns, schedule(2, SWITCH, task)), (ns + 1_000, schedule(task, COMPLETE, 2))];
    let events = [
        &[begin(), (0, implicit(1, 2, 1, 0))][..],
        // Created, and waited for: the creating task could have done the work itself.
        &[(1_000, create(2, 5)), wait(1_500)],
        &run(2_000, 5),
        &[done(3_000)],
        // Two of them: one can run beside the other.
        &[(4_000, create(2, 6)), (4_100, create(2, 7)), wait(4_200)],
        &run(5_000, 6),
        &run(6_000, 7),
        &[done(7_000)],
        // The creating task works before it waits.
        &[(8_000, create(2, 8)), wait(20_000)],
        &run(20_000, 8),
        &[done(21_000)],
        &end(22_000),
    ];
    let summary = summary(22_000, &[&events.concat()]);
    let [site] = &summary.tasks[..] else { panic!("one construct: {:?}", summary.tasks) };
    assert_eq!((site.created, site.completed, site.alone, site.blocked), (4, 4, 1, 0));
    assert_eq!((site.taskwait.codeptr, site.region.codeptr), (TASKWAIT, REGION));
}

#[test]
fn a_task_behind_one_that_is_not_done_is_blocked() {
    let depends = |source, sink| Record::TaskDependence { source, sink };
    let events = [
        &[begin(), (0, implicit(1, 2, 1, 0)), (0, create(2, 5)), (1, create(2, 6)), (1, depends(5, 6))][..],
        &[(10, schedule(2, SWITCH, 5)), (20, schedule(5, COMPLETE, 2))],
        // What it depends on is done.
        &[(30, create(2, 7)), (30, depends(5, 7))],
        &[(40, schedule(2, SWITCH, 6)), (50, schedule(6, COMPLETE, 2))],
        &[(60, schedule(2, SWITCH, 7)), (70, schedule(7, COMPLETE, 2))],
        // Nothing is known of either task.
        &[(80, depends(98, 99))],
        &end(100),
    ];
    let summary = summary(100, &[&events.concat()]);
    let [site] = &summary.tasks[..] else { panic!("one construct: {:?}", summary.tasks) };
    assert_eq!((site.created, site.completed, site.blocked, site.alone), (3, 3, 1, 0));
}

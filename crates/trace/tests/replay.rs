//! Replays of traces made by hand: as they were, each nanosecond is on the critical path; with changes, it is known
//! what the run would take.

mod synthetic;

use ferromp_trace::analysis::{ActivityKind, CriticalPath, PathKind, Summary};
use ferromp_trace::findings::{Cause, Finding, findings, replayed_gains};
use ferromp_trace::reader::Trace;
use ferromp_trace::replay::{Asked, WhatIf, path_of, what_if};
use ferromp_trace::store::Record;
use ferromp_trace::symbols::Symbolizer;
use proptest::prelude::*;
use synthetic::{implicit, trace};

const REGION: u64 = 0x1000;
const LOOP: u64 = 0x2000;
const BARRIER: u64 = 0x3000;
const LOCK: u64 = 0x4000;
const TASK: u64 = 0x5000;
/// `ompt_sync_region_t`.
const EXPLICIT: u64 = 3;
const TASKWAIT: u64 = 5;
const AT_END: u64 = 9;
/// `ompt_work_t`.
const STATIC: u64 = 10;
const DYNAMIC: u64 = 11;
/// `ompt_mutex_t`.
const CRITICAL: u64 = 5;
/// `ompt_task_status_t`.
const COMPLETE: u64 = 1;
const SWITCH: u64 = 7;

type Events = Vec<(u64, Record)>;

fn opened(end: u64, threads: &[Events]) -> (tempfile::TempDir, Trace) {
    let dir = tempfile::tempdir().unwrap();
    let threads: Vec<&[(u64, Record)]> = threads.iter().map(Vec::as_slice).collect();
    let trace = trace(dir.path(), end, &threads);
    (dir, trace)
}

fn path(end: u64, threads: &[Events]) -> CriticalPath {
    let (_dir, trace) = opened(end, threads);
    let summary = Summary::of(&trace, &mut |_, _| {});
    let path = path_of(&trace, &summary, &mut Symbolizer::new(&trace.modules), &mut |done, total| {
        assert!(done <= total);
    });
    assert_eq!(path.steps.iter().map(|step| step.ns).sum::<u64>(), path.length_ns, "the steps make the path");
    assert_eq!(path.length_ns, path.measured_ns, "measured delays explain the run");
    path
}

fn changed(end: u64, threads: &[Events], changes: &[&str]) -> Result<WhatIf, String> {
    let (_dir, trace) = opened(end, threads);
    let summary = Summary::of(&trace, &mut |_, _| {});
    let asked: Vec<Asked> = changes.iter().map(|text| text.parse().unwrap()).collect();
    what_if(&trace, &summary, &asked, &mut Symbolizer::new(&trace.modules), &mut |_, _| {})
}

/// How long the run takes with changes.
fn predicted(end: u64, threads: &[Events], changes: &[&str]) -> u64 {
    let found = changed(end, threads, changes).unwrap();
    assert_eq!(found.before.replayed_ns, found.before.measured_ns);
    assert_eq!(found.after.steps.iter().map(|step| step.ns).sum::<u64>(), found.after.length_ns);
    found.after.length_ns
}

fn on(path: &CriticalPath, what: PathKind, codeptr: u64) -> u64 {
    let is = |step: &&ferromp_trace::analysis::PathStep| (step.what, step.site.codeptr) == (what, codeptr);
    path.steps.iter().find(is).map_or(0, |step| step.ns)
}

fn begin(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelBegin { parallel, task: 0, requested: 2, flags: 0, codeptr }
}

fn wait(kind: u64, codeptr: u64, from: u64, to: u64) -> Events {
    vec![
        (from, Record::SyncBegin { kind, codeptr }),
        (from, Record::WaitBegin { kind, codeptr }),
        (to, Record::WaitEnd { kind }),
        (to, Record::SyncEnd { kind }),
    ]
}

fn work(kind: u64, from: u64, to: u64) -> Events {
    vec![(from, Record::WorkBegin { kind, count: 64, codeptr: LOOP }), (to, Record::WorkEnd { kind })]
}

/// The encountering thread's part of a region from `from` to `to`.
fn primary(parallel: u64, from: u64, to: u64, inside: Events) -> Events {
    let task = 100 * parallel;
    let mut events = vec![(from, begin(parallel, REGION)), (from, implicit(parallel, task, 2, 0))];
    events.extend(inside);
    events.push((to, Record::ImplicitTaskEnd { task, index: 0 }));
    events.push((to, Record::ParallelEnd { parallel, codeptr: REGION }));
    events
}

fn worker(parallel: u64, from: u64, to: u64, inside: Events) -> Events {
    let task = 100 * parallel + 1;
    let mut events = vec![(from, implicit(parallel, task, 2, 1))];
    events.extend(inside);
    events.push((to, Record::ImplicitTaskEnd { task, index: 1 }));
    events
}

fn join(parts: &[Events]) -> Events {
    parts.concat()
}

/// A loop in which one member works for 300 and the other for 100.
fn unequal(kind: u64) -> Vec<Events> {
    vec![
        primary(1, 100, 400, join(&[work(kind, 100, 400), wait(AT_END, REGION, 400, 400)])),
        worker(1, 100, 400, join(&[work(kind, 100, 200), wait(AT_END, 0, 200, 400)])),
    ]
}

#[test]
fn the_busiest_member_is_on_the_path() {
    let path = path(500, &unequal(STATIC));
    assert_eq!((path.measured_ns, path.replayed_ns), (500, 500));
    assert_eq!(on(&path, PathKind::Serial, 0), 200);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Work(STATIC)), LOOP), 300);
    assert_eq!(path.steps.len(), 2);
}

#[test]
fn equal_parts_take_the_mean() {
    assert_eq!(predicted(500, &unequal(STATIC), &["balance=0x2000"]), 400);
    assert_eq!(predicted(500, &unequal(STATIC), &["balance=0x1000"]), 400);
    assert_eq!(predicted(500, &unequal(STATIC), &["balance=0x2000", "faster=serial/4"]), 250);
    assert_eq!(predicted(500, &unequal(STATIC), &["faster=0x2000/3"]), 300);
}

#[test]
fn gains_of_findings_come_from_replays() {
    let found = |threads: &[Events]| {
        let (_dir, trace) = opened(500, threads);
        let mut summary = Summary::of(&trace, &mut |_, _| {});
        let mut symbols = Symbolizer::new(&trace.modules);
        let by_rule = findings(&trace, &summary, &mut symbols);
        summary.gains = replayed_gains(&trace, &summary, &mut symbols, &mut |_, _| {});
        let by_replay = findings(&trace, &summary, &mut symbols);
        let gains = |found: &[Finding]| found.iter().take(1).map(|one| (one.cause, one.gain_ns)).collect::<Vec<_>>();
        (gains(&by_rule), gains(&by_replay))
    };
    assert_eq!(found(&unequal(STATIC)), (vec![(Cause::Imbalance, 100)], vec![(Cause::Imbalance, 100)]));
    // Without the barrier between the loops, one member still waits 1 ns at the region's end.
    assert_eq!(found(&in_turn()), (vec![(Cause::NeedlessBarrier, 148)], vec![(Cause::NeedlessBarrier, 149)]));
}

#[test]
fn work_is_shared_out_anew_among_other_threads() {
    // Of four blocks, the first two have 150 each; chunks go to whoever is free.
    assert_eq!(predicted(500, &unequal(STATIC), &["threads=4"]), 350);
    assert_eq!(predicted(500, &unequal(DYNAMIC), &["threads=4"]), 300);
    assert_eq!(predicted(500, &unequal(STATIC), &["threads=1"]), 600);
    assert_eq!(predicted(500, &unequal(STATIC), &["threads=2"]), 500, "as it was");
    let found = changed(500, &unequal(STATIC), &["threads=4"]).unwrap();
    assert_eq!((found.gain_ns(), found.gain_percent()), (150, 30.0));
    assert_eq!(found.assumptions.len(), 2);
}

/// A dynamic loop of 40 iterations, in four recorded chunks: 4 us each for those of the first member, 1 us each for
/// those of the other, and 90 ns more for each.
fn in_chunks() -> Vec<Events> {
    let chunk = |ns, first| vec![(ns, Record::Chunk { first, iterations: 10 })];
    let in_loop = |to, chunks: [Events; 2]| {
        join(&[
            vec![(100, Record::WorkBegin { kind: DYNAMIC, count: 40, codeptr: LOOP })],
            join(&chunks),
            vec![(to, Record::WorkEnd { kind: DYNAMIC })],
        ])
    };
    let first = in_loop(8280, [chunk(100, 0), chunk(4190, 10)]);
    let second = in_loop(2280, [chunk(100, 20), chunk(1190, 30)]);
    vec![
        primary(1, 100, 8280, join(&[first, wait(AT_END, REGION, 8280, 8280)])),
        worker(1, 100, 8280, join(&[second, wait(AT_END, 0, 2280, 8280)])),
    ]
}

#[test]
fn chunks_of_another_size() {
    assert_eq!(predicted(8380, &in_chunks(), &["chunk=0x2000:10"]), 5380);
    assert_eq!(predicted(8380, &in_chunks(), &["chunk=0x2000:5"]), 5560);
    assert_eq!(predicted(8380, &in_chunks(), &["chunk=0x2000:40"]), 10290);
    let found = changed(8380, &in_chunks(), &["chunk=0x2000:10"]).unwrap();
    assert!(found.assumptions[0].contains("90 ns"), "{:?}", found.assumptions);
    let why = changed(500, &unequal(DYNAMIC), &["chunk=0x2000:10"]).unwrap_err();
    assert!(why.contains("--chunks"), "{why}");
    let why = changed(8380, &in_chunks(), &["chunk=0x1000:10"]).unwrap_err();
    assert!(why.contains("no loop with recorded chunks"), "{why}");
}

#[test]
fn delays_are_told_apart_from_work() {
    let threads = vec![
        primary(1, 100, 430, join(&[work(STATIC, 100, 200), wait(AT_END, REGION, 200, 430)])),
        worker(1, 107, 900, join(&[work(STATIC, 107, 400), wait(AT_END, 0, 400, 900)])),
    ];
    let path = path(500, &threads);
    assert_eq!(on(&path, PathKind::ThreadStart, REGION), 7);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Work(STATIC)), LOOP), 293);
    assert_eq!(on(&path, PathKind::Leaving(AT_END), REGION), 30);
    assert_eq!(on(&path, PathKind::Serial, 0), 170);
}

/// Two phases; in each another member is the busier one.
fn in_turn() -> Vec<Events> {
    vec![
        primary(
            1,
            0,
            500,
            join(&[
                work(STATIC, 0, 300),
                wait(EXPLICIT, BARRIER, 300, 300),
                work(STATIC, 300, 350),
                wait(AT_END, REGION, 350, 500),
            ]),
        ),
        worker(
            1,
            0,
            500,
            join(&[
                work(STATIC, 0, 100),
                wait(EXPLICIT, BARRIER, 100, 300),
                work(STATIC, 300, 499),
                wait(AT_END, 0, 499, 500),
            ]),
        ),
    ]
}

#[test]
fn without_a_barrier_nobody_waits_there() {
    assert_eq!(path(500, &in_turn()).replayed_ns, 500);
    assert_eq!(predicted(500, &in_turn(), &["nowait=0x3000"]), 351);
    // The barrier belongs to the loop before it.
    assert_eq!(predicted(500, &in_turn(), &["nowait=0x2000"]), 351);
    let refused = changed(500, &in_turn(), &["nowait=0x1000"]).unwrap_err();
    assert!(refused.contains("the end of a region"), "{refused}");
}

fn critical(asked: u64, acquired: u64, released: u64) -> Events {
    vec![
        (asked, Record::MutexAcquire { kind: CRITICAL, wait: 7, codeptr: LOCK }),
        (acquired, Record::MutexAcquired { kind: CRITICAL, wait: 7 }),
        (released, Record::MutexReleased { kind: CRITICAL, wait: 7 }),
    ]
}

#[test]
fn a_lock_is_passed_on() {
    let threads = vec![
        primary(1, 0, 420, join(&[critical(10, 10, 210), wait(AT_END, REGION, 220, 420)])),
        worker(1, 0, 420, join(&[critical(10, 210, 410), wait(AT_END, 0, 419, 420)])),
    ];
    let path = path(420, &threads);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Holding(CRITICAL)), LOCK), 400);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Body), REGION), 19);
    assert_eq!(predicted(420, &threads, &["contention=0x4000"]), 221);
    // The lock has one holder at a time, however many threads there are.
    assert_eq!(predicted(420, &threads, &["threads=8"]), 401);
}

fn create(parent: u64, task: u64) -> Record {
    Record::TaskCreate { parent, task, flags: 4, dependences: 0, codeptr: TASK }
}

fn switch(prior: u64, status: u64, next: u64) -> Record {
    Record::TaskSchedule { prior, status, next }
}

#[test]
fn a_task_begins_after_its_creation_and_its_dependences() {
    // The primary thread creates two tasks, the second of which depends on the first, and waits for both.
    let creator = vec![
        (20, create(100, 11)),
        (40, create(100, 12)),
        (40, Record::TaskDependence { source: 11, sink: 12 }),
        (50, Record::SyncBegin { kind: TASKWAIT, codeptr: BARRIER }),
        (50, Record::WaitBegin { kind: TASKWAIT, codeptr: BARRIER }),
        (121, Record::WaitEnd { kind: TASKWAIT }),
        (121, switch(100, SWITCH, 12)),
        (200, switch(12, COMPLETE, 100)),
        (200, Record::SyncEnd { kind: TASKWAIT }),
    ];
    let other = vec![
        (5, Record::SyncBegin { kind: AT_END, codeptr: 0 }),
        (5, Record::WaitBegin { kind: AT_END, codeptr: 0 }),
        (21, Record::WaitEnd { kind: AT_END }),
        (21, switch(101, SWITCH, 11)),
        (120, switch(11, COMPLETE, 101)),
        (120, Record::WaitBegin { kind: AT_END, codeptr: 0 }),
        (210, Record::WaitEnd { kind: AT_END }),
        (210, Record::SyncEnd { kind: AT_END }),
    ];
    let threads = vec![primary(1, 0, 210, join(&[creator, wait(AT_END, REGION, 210, 210)])), worker(1, 0, 210, other)];
    let path = path(210, &threads);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Task), TASK), 178);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Body), REGION), 30);
    assert_eq!(on(&path, PathKind::TaskStart, TASK), 2);
    // Both tasks are a chain, so that the gain of either counts.
    assert_eq!(predicted(210, &threads, &["faster=0x5000/2"]), 120);
}

#[test]
fn coarser_tasks_cost_less() {
    let mut creator = Vec::new();
    for number in 0..10 {
        creator.push((100 * (number + 1), create(100, 11 + number)));
    }
    let threads = vec![
        primary(1, 0, 1000, join(&[creator, wait(AT_END, REGION, 1000, 1000)])),
        worker(1, 0, 1000, wait(AT_END, 0, 0, 1000)),
    ];
    // Nine creations cost 100, as the quickest does. What the first one costs is not known.
    assert_eq!(predicted(1000, &threads, &["grain=0x5000:10"]), 190);
}

#[test]
fn an_inner_region_is_work_of_the_outer_one() {
    let inner = |parallel, from, to| {
        vec![
            (from, begin(parallel, LOOP)),
            (from, implicit(parallel, 100 * parallel, 1, 0)),
            (to, Record::ImplicitTaskEnd { task: 100 * parallel, index: 0 }),
            (to, Record::ParallelEnd { parallel, codeptr: LOOP }),
        ]
    };
    let threads = vec![
        primary(1, 0, 300, join(&[inner(2, 10, 290), wait(AT_END, REGION, 300, 300)])),
        worker(1, 0, 300, join(&[inner(3, 10, 90), wait(AT_END, 0, 100, 300)])),
    ];
    let path = path(300, &threads);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Body), LOOP), 280);
    assert_eq!(on(&path, PathKind::Code(ActivityKind::Body), REGION), 20);
    assert_eq!(predicted(300, &threads, &["balance=0x1000"]), 200);
}

#[test]
fn a_run_that_is_cut_off_is_replayed_to_its_end() {
    let mut threads = unequal(STATIC);
    threads[0].truncate(3);
    threads[1].truncate(2);
    assert_eq!(path(350, &threads).replayed_ns, 350);
}

#[test]
fn places_are_matched_or_refused() {
    let refused = |change: &str| changed(500, &unequal(STATIC), &[change]).unwrap_err();
    assert_eq!(refused("balance=0x9"), "balance=0x9: no region, loop or task is there; near it: 0x1000, 0x2000");
    let none = "contention=0x1000: the run has no lock or critical, ordered or atomic region";
    assert_eq!(refused("contention=0x1000"), none);
    assert_eq!(refused("overlap=0x1000"), "overlap=0x1000: the run has no device construct");
}

/// Events of every kind that replays look at, with few different ids, so that they belong together now and then.
fn any_record() -> impl Strategy<Value = Record> {
    let id = || prop_oneof![0u64..6, Just(u64::MAX)];
    let kind = || prop_oneof![0u64..14, Just(u64::MAX)];
    let at = || prop_oneof![Just(0), Just(REGION), Just(LOOP), Just(LOCK), Just(TASK)];
    prop_oneof![
        kind().prop_map(|kind| Record::ThreadBegin { kind }),
        (id(), at()).prop_map(|(parallel, codeptr)| begin(parallel, codeptr)),
        (id(), at()).prop_map(|(parallel, codeptr)| Record::ParallelEnd { parallel, codeptr }),
        (id(), id(), id(), id()).prop_map(|(parallel, task, team, index)| implicit(parallel, task, team, index)),
        (id(), id()).prop_map(|(task, index)| Record::ImplicitTaskEnd { task, index }),
        (id(), id()).prop_map(|(parent, task)| create(parent, task)),
        (id(), 0u64..8, id()).prop_map(|(prior, status, next)| switch(prior, status, next)),
        (id(), id()).prop_map(|(source, sink)| Record::TaskDependence { source, sink }),
        (kind(), at()).prop_map(|(kind, codeptr)| Record::SyncBegin { kind, codeptr }),
        kind().prop_map(|kind| Record::SyncEnd { kind }),
        (kind(), at()).prop_map(|(kind, codeptr)| Record::WaitBegin { kind, codeptr }),
        kind().prop_map(|kind| Record::WaitEnd { kind }),
        (kind(), id(), at()).prop_map(|(kind, count, codeptr)| Record::WorkBegin { kind, count, codeptr }),
        kind().prop_map(|kind| Record::WorkEnd { kind }),
        at().prop_map(|codeptr| Record::MaskedBegin { codeptr }),
        Just(Record::MaskedEnd {}),
        (kind(), id(), at()).prop_map(|(kind, wait, codeptr)| Record::MutexAcquire { kind, wait, codeptr }),
        (kind(), id()).prop_map(|(kind, wait)| Record::MutexAcquired { kind, wait }),
        (kind(), id()).prop_map(|(kind, wait)| Record::MutexReleased { kind, wait }),
        (0u64..3, id()).prop_map(|(endpoint, wait)| Record::NestLock { endpoint, wait }),
        (id(), at()).prop_map(|(target, codeptr)| Record::TargetBegin { target, kind: 1, device: 0, codeptr }),
        id().prop_map(|target| Record::TargetEnd { target }),
        (id(), id()).prop_map(|(section, ns)| Record::Section { section, count: section, ns }),
        id().prop_map(|ns| Record::Chunks {
            chunks: ns,
            iterations: ns,
            largest: ns,
            total_ns: ns,
            min_ns: ns,
            max_ns: ns
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Events in any order make odd paths, but no panic, whatever is changed.
    #[test]
    fn hostile_events_are_replayed(
        threads in prop::collection::vec(
            prop::collection::vec((prop_oneof![0u64..50, Just(u64::MAX / 2)], any_record()), 0..60),
            1..4,
        ),
    ) {
        let in_time = |events: Vec<(u64, Record)>| {
            let mut now = 0u64;
            let later = |(time, record)| {
                now = now.saturating_add(time);
                (now, record)
            };
            events.into_iter().map(later).collect::<Events>()
        };
        let threads: Vec<Events> = threads.into_iter().map(in_time).collect();
        for changes in [
            &["threads=7"][..],
            &["balance=0x1000", "contention=0x4000", "faster=serial/3"],
            &["balance=0x2000", "nowait=0x2000", "threads=3"],
            &["grain=0x5000:7", "faster=0x1000/2"],
        ] {
            // A place may be missing.
            let _ = changed(1 << 62, &threads, changes);
        }
    }
}

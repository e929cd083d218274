//! Summaries of traces made by hand: each nanosecond is accounted for.

mod synthetic;

use ferromp_trace::analysis::{Region, Summary};
use ferromp_trace::store::Record;
use ferromp_trace::{report, symbols::Symbolizer};
use synthetic::{implicit, trace};

const REGION: u64 = 0x1000;
const TASK: u64 = 0x2000;
const INNER: u64 = 0x3000;

/// `ompt_sync_region_t`.
const BARRIER: u64 = 9;
const TASKWAIT: u64 = 5;
/// `ompt_task_status_t`.
const COMPLETE: u64 = 1;
const SWITCH: u64 = 7;

fn summary(end: u64, threads: &[&[(u64, Record)]]) -> Summary {
    let dir = tempfile::tempdir().unwrap();
    let summary = Summary::of(&trace(dir.path(), end, threads), &mut |done, total| assert!(done <= total));
    for region in &summary.regions {
        let parts = region.work_ns + region.barrier_ns + region.sync_ns + region.idle_ns + region.runtime_ns;
        assert_eq!(parts, region.thread_ns, "the parts make the whole: {region:?}");
    }
    summary
}

fn begin(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelBegin { parallel, task: 0, requested: 2, flags: 0, codeptr }
}

fn end(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelEnd { parallel, codeptr }
}

fn create(task: u64) -> Record {
    Record::TaskCreate { parent: 2, task, flags: 4, dependences: 0, codeptr: TASK }
}

fn schedule(prior: u64, status: u64, next: u64) -> Record {
    Record::TaskSchedule { prior, status, next }
}

fn wait(kind: u64) -> [Record; 2] {
    [Record::SyncBegin { kind, codeptr: REGION }, Record::WaitBegin { kind, codeptr: REGION }]
}

fn parts(region: &Region) -> [u64; 5] {
    [region.work_ns, region.barrier_ns, region.sync_ns, region.idle_ns, region.runtime_ns]
}

#[test]
fn a_late_end_is_cut_at_the_region() {
    let [sync, waiting] = wait(BARRIER);
    let summary = summary(
        1000,
        &[
            &[
                (100, begin(1, REGION)),
                (110, implicit(1, 2, 2, 0)),
                (190, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (200, end(1, REGION)),
            ],
            // The worker notices only at 900 that the region was over at 200.
            &[
                (120, implicit(1, 3, 2, 1)),
                (150, sync),
                (150, waiting),
                (900, Record::WaitEnd { kind: BARRIER }),
                (900, Record::SyncEnd { kind: BARRIER }),
                (900, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let [region] = &summary.regions[..] else { panic!("one region: {summary:?}") };
    assert_eq!((region.total_ns, region.thread_ns, region.max_work_ns), (100, 200, 80));
    assert_eq!(parts(region), [110, 50, 0, 20, 20]);
    assert_eq!(format!("{:.2}", region.imbalance()), "31.25");
    assert_eq!((summary.wall_ns, summary.serial_ns), (1000, 900));
}

#[test]
fn a_task_run_in_a_barrier_is_work() {
    let [sync, waiting] = wait(BARRIER);
    let summary = summary(
        100,
        &[
            &[
                (0, begin(1, REGION)),
                (0, implicit(1, 2, 2, 0)),
                (10, create(5)),
                (100, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (100, end(1, REGION)),
            ],
            &[
                (0, implicit(1, 3, 2, 1)),
                (5, sync),
                (10, waiting),
                (20, schedule(3, SWITCH, 5)),
                (80, schedule(5, COMPLETE, 3)),
                (95, Record::WaitEnd { kind: BARRIER }),
                (100, Record::SyncEnd { kind: BARRIER }),
                (100, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    // Thread 1: 5 work, 5 into the barrier, 10 waiting, 60 the task, 15 waiting, 5 out of the barrier.
    assert_eq!(parts(&summary.regions[0]), [165, 25, 0, 0, 10]);
    let task = &summary.tasks[0];
    assert_eq!((task.codeptr, task.created, task.completed, task.stolen), (TASK, 1, 1, 1));
    assert_eq!((task.total_ns, task.min_ns, task.max_ns, task.mean_ns()), (60, 60, 60, 60));
}

/// Clocks of two CPUs may differ by some nanoseconds, and a worker may be the thread with the lower number.
#[test]
fn an_implicit_task_may_seem_to_begin_before_its_region() {
    let summary = summary(
        200,
        &[
            &[(98, implicit(1, 3, 2, 1)), (150, Record::ImplicitTaskEnd { task: 3, index: 1 })],
            &[
                (100, begin(1, REGION)),
                (100, implicit(1, 2, 2, 0)),
                (150, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (150, end(1, REGION)),
            ],
        ],
    );
    let [region] = &summary.regions[..] else { panic!("one region: {summary:?}") };
    assert_eq!((region.calls, region.max_threads, region.total_ns), (1, 2, 52));
    assert_eq!((region.max_work_ns, region.idle_ns), (52, 2));
}

/// Regions and tasks are over at different times on different threads, and some are never over.
#[test]
fn what_is_not_over_at_the_end_counts_up_to_the_end() {
    let summary = summary(
        100,
        &[
            &[
                (0, begin(1, REGION)),
                (0, implicit(1, 2, 2, 0)),
                (10, create(5)),
                (20, create(6)),
                (30, begin(7, INNER)),
                (30, implicit(7, 8, 1, 0)),
            ],
            &[(0, implicit(1, 3, 2, 1)), (40, schedule(3, SWITCH, 5)), (70, schedule(5, COMPLETE, 3))],
        ],
    );
    let [outer, inner] = &summary.regions[..] else { panic!("two regions: {summary:?}") };
    assert_eq!((outer.codeptr, outer.total_ns, outer.work_ns), (REGION, 100, 200));
    assert_eq!((inner.codeptr, inner.total_ns, inner.nested), (INNER, 70, 1));
    let [site] = &summary.tasks[..] else { panic!("one construct") };
    assert_eq!((site.created, site.completed, site.stolen, site.total_ns), (2, 1, 1, 30));
}

/// As `a_task_run_in_a_barrier_is_work`, where the runtime ends the wait before the task and begins it again after.
#[test]
fn a_wait_may_be_ended_around_a_task() {
    let [sync, waiting] = wait(BARRIER);
    let summary = summary(
        100,
        &[&[
            (0, begin(1, REGION)),
            (0, implicit(1, 2, 1, 0)),
            (5, create(5)),
            (10, sync),
            (10, waiting),
            (20, Record::WaitEnd { kind: BARRIER }),
            (20, schedule(2, SWITCH, 5)),
            (80, schedule(5, COMPLETE, 2)),
            (80, waiting),
            (100, Record::WaitEnd { kind: BARRIER }),
            (100, Record::SyncEnd { kind: BARRIER }),
            (100, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (100, end(1, REGION)),
        ]],
    );
    assert_eq!(parts(&summary.regions[0]), [70, 30, 0, 0, 0]);
    assert_eq!(summary.tasks[0].total_ns, 60);
}

#[test]
fn a_task_that_waits_for_its_child_is_charged_for_its_own_work_only() {
    let [sync, waiting] = wait(TASKWAIT);
    let summary = summary(
        100,
        &[&[
            (0, begin(1, REGION)),
            (0, implicit(1, 2, 1, 0)),
            (0, create(5)),
            (0, schedule(2, SWITCH, 5)),
            (10, create(6)),
            (15, sync),
            (20, waiting),
            (30, schedule(5, SWITCH, 6)),
            (70, schedule(6, COMPLETE, 5)),
            (75, Record::WaitEnd { kind: TASKWAIT }),
            (80, Record::SyncEnd { kind: TASKWAIT }),
            (90, schedule(5, COMPLETE, 2)),
            (100, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (100, end(1, REGION)),
        ]],
    );
    // The outer task works 0 to 15 and 80 to 90, the inner one 30 to 70.
    assert_eq!(parts(&summary.regions[0]), [75, 0, 15, 0, 10]);
    let task = &summary.tasks[0];
    assert_eq!((task.completed, task.stolen, task.min_ns, task.max_ns), (2, 0, 25, 40));
}

#[test]
fn an_untied_task_is_added_up_over_threads() {
    let summary = summary(
        100,
        &[
            &[
                (0, begin(1, REGION)),
                (0, implicit(1, 2, 2, 0)),
                (10, create(5)),
                (10, schedule(2, SWITCH, 5)),
                (30, schedule(5, SWITCH, 2)),
                (100, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (100, end(1, REGION)),
            ],
            &[
                (0, implicit(1, 3, 2, 1)),
                (40, schedule(3, SWITCH, 5)),
                (70, schedule(5, COMPLETE, 3)),
                (100, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let task = &summary.tasks[0];
    assert_eq!((task.completed, task.stolen, task.total_ns), (1, 1, 50));
}

#[test]
fn a_nested_region_is_work_of_the_outer_one() {
    let summary = summary(
        100,
        &[&[
            (0, begin(1, REGION)),
            (10, implicit(1, 2, 1, 0)),
            (20, begin(2, INNER)),
            (30, implicit(2, 3, 1, 0)),
            (60, Record::ImplicitTaskEnd { task: 3, index: 0 }),
            (70, end(2, INNER)),
            (90, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (100, end(1, REGION)),
        ]],
    );
    let [outer, inner] = &summary.regions[..] else { panic!("two regions: {summary:?}") };
    assert_eq!((outer.codeptr, outer.nested, outer.serialized, parts(outer)), (REGION, 0, 1, [80, 0, 0, 0, 20]));
    assert_eq!((inner.codeptr, inner.nested, inner.serialized, parts(inner)), (INNER, 1, 1, [30, 0, 0, 0, 20]));
    assert_eq!(summary.serial_ns, 0);
}

#[test]
fn locks_are_summed_up_by_place() {
    let acquire = |kind, wait| Record::MutexAcquire { kind, wait, codeptr: TASK };
    let acquired = |kind, wait| Record::MutexAcquired { kind, wait };
    let released = |kind, wait| Record::MutexReleased { kind, wait };
    let summary = summary(
        200,
        &[&[
            (0, begin(1, REGION)),
            (0, implicit(1, 2, 1, 0)),
            // A lock, waited for.
            (10, acquire(1, 0x10)),
            (20, acquired(1, 0x10)),
            (50, released(1, 0x10)),
            // Another one at the same place.
            (60, acquire(1, 0x18)),
            (62, acquired(1, 0x18)),
            (70, released(1, 0x18)),
            // A test that fails: no event but the first, and no waiting.
            (80, acquire(2, 0x10)),
            // A nest lock, taken twice.
            (100, acquire(3, 0x20)),
            (105, acquired(3, 0x20)),
            (110, acquire(3, 0x20)),
            (110, Record::NestLock { endpoint: 1, wait: 0x20 }),
            (120, Record::NestLock { endpoint: 2, wait: 0x20 }),
            (135, released(3, 0x20)),
            (200, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (200, end(1, REGION)),
        ]],
    );
    let [lock, nest] = &summary.locks[..] else { panic!("two places: {:?}", summary.locks) };
    assert_eq!((&*lock.kind_name(), lock.count, lock.objects), ("lock", 2, 2));
    assert_eq!((lock.wait_ns, lock.max_wait_ns, lock.hold_ns), (12, 10, 38));
    assert_eq!((&*nest.kind_name(), nest.count, nest.objects), ("nest lock", 2, 1));
    assert_eq!((nest.wait_ns, nest.hold_ns), (5, 30));
    assert_eq!(parts(&summary.regions[0]), [183, 0, 17, 0, 0]);
}

#[test]
fn only_a_lock_that_another_thread_holds_is_contended() {
    let mutex = |wait: u64, from: u64, to: u64| {
        [
            (from, Record::MutexAcquire { kind: 5, wait, codeptr: TASK }),
            (to, Record::MutexAcquired { kind: 5, wait }),
            (to + 100, Record::MutexReleased { kind: 5, wait }),
        ]
    };
    let first: Vec<(u64, Record)> = [
        vec![(0, begin(1, REGION)), (0, implicit(1, 2, 2, 0))],
        mutex(7, 10, 20).to_vec(),
        // The other thread holds another lock meanwhile.
        mutex(8, 200, 240).to_vec(),
        // The thread waits for 2100 ns, but the other one has the lock for 100 ns of them alone.
        mutex(8, 1500, 3600).to_vec(),
        vec![(5000, Record::ImplicitTaskEnd { task: 2, index: 0 }), (5000, end(1, REGION))],
    ]
    .concat();
    let second: Vec<(u64, Record)> = [
        vec![(0, implicit(1, 3, 2, 1))],
        // The first thread has it until 120. The release is recorded after the next acquisition.
        mutex(7, 15, 118).to_vec(),
        mutex(7, 230, 235).to_vec(),
        mutex(8, 1600, 1610).to_vec(),
        vec![(5000, Record::ImplicitTaskEnd { task: 3, index: 1 })],
    ]
    .concat();
    let summary = summary(5000, &[&first, &second]);
    let [lock] = &summary.locks[..] else { panic!("{:?}", summary.locks) };
    assert_eq!((lock.count, lock.wait_ns), (6, 10 + 40 + 2100 + 103 + 5 + 10));
    assert_eq!(lock.contended_ns, 103 + 100);
    assert_eq!(lock.holders, [(TASK, 103)]);
}

#[test]
fn a_region_that_never_ended_lasts_to_the_end() {
    let [sync, waiting] = wait(BARRIER);
    let summary = summary(
        100,
        &[
            &[(20, begin(1, REGION)), (30, implicit(1, 2, 2, 0)), (60, sync), (60, waiting)],
            &[(40, implicit(1, 3, 2, 1)), (90, create(5))],
        ],
    );
    let region = &summary.regions[0];
    assert_eq!((region.calls, region.total_ns, parts(region)), (1, 80, [90, 40, 0, 20, 10]));
    assert_eq!((summary.tasks[0].created, summary.tasks[0].completed, summary.tasks[0].mean_ns()), (1, 0, 0));
    assert_eq!(summary.serial_ns, 20);
}

#[test]
fn copies_of_a_construct_are_one_row() {
    let dir = tempfile::tempdir().unwrap();
    let lock = |wait, codeptr| Record::MutexAcquire { kind: 5, wait, codeptr };
    let thread = [
        (0, begin(1, REGION)),
        (10, lock(7, 0x3000)),
        (20, Record::MutexAcquired { kind: 5, wait: 7 }),
        (30, Record::MutexReleased { kind: 5, wait: 7 }),
        (40, end(1, REGION)),
        (50, begin(2, REGION + 8)),
        (60, lock(7, 0x3008)),
        (90, Record::MutexAcquired { kind: 5, wait: 7 }),
        (95, Record::MutexReleased { kind: 5, wait: 7 }),
        (100, end(2, REGION + 8)),
    ];
    let trace = trace(dir.path(), 100, &[&thread]);
    assert_eq!(Summary::of(&trace, &mut |_, _| {}).regions.len(), 2);
    let summary = Summary::by_place(&trace, &mut |_, _| {}, &mut |site| (site.codeptr & !0xf).into());
    let [region] = &summary.regions[..] else { panic!("{:?}", summary.regions) };
    assert_eq!((region.codeptr, region.calls, region.total_ns), (REGION, 2, 90));
    let [lock] = &summary.locks[..] else { panic!("{:?}", summary.locks) };
    assert_eq!((lock.codeptr, lock.objects, lock.count), (0x3000, 1, 2));
    assert_eq!((lock.wait_ns, lock.max_wait_ns, lock.hold_ns), (40, 30, 15));
}

#[test]
fn a_function_says_which_construct_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let function = |function| Record::Function { codeptr: REGION, function };
    let first = [
        // A wrapper calls the runtime for constructs of two functions.
        (0, function(0x7000)),
        (0, begin(1, REGION)),
        (10, end(1, REGION)),
        (20, begin(2, REGION)),
        (40, end(2, REGION)),
        (50, function(0x8000)),
        (50, begin(3, REGION)),
        (90, end(3, REGION)),
    ];
    // Another thread knows nothing of the functions that the first thread has recorded.
    let second = [
        (0, begin(4, REGION)),
        (5, end(4, REGION)),
        (6, Record::Function { codeptr: TASK, function: 0x9000 }),
        (7, create(8)),
    ];
    let trace = trace(dir.path(), 100, &[&first, &second]);
    let summary = Summary::of(&trace, &mut |_, _| {});
    let regions: Vec<_> =
        summary.regions.iter().map(|region| (region.codeptr, region.function, region.total_ns)).collect();
    assert_eq!(regions, [(REGION, 0x8000, 40), (REGION, 0x7000, 30), (REGION, 0, 5)]);
    assert_eq!((summary.tasks[0].codeptr, summary.tasks[0].function), (TASK, 0x9000));
    assert_eq!(summary.events, 9, "what is said of functions is no event");
}

#[test]
fn the_report_says_it_in_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let trace = trace(
        dir.path(),
        2_000_000,
        &[&[
            (500_000, begin(1, REGION)),
            (500_000, implicit(1, 2, 1, 0)),
            (600_000, create(5)),
            (600_000, schedule(2, SWITCH, 5)),
            (700_500, schedule(5, COMPLETE, 2)),
            (1_500_000, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (1_500_000, end(1, REGION)),
        ]],
    );
    let mut summary = Summary::of(&trace, &mut |_, _| {});
    summary.thread_rows[0].tid = 7;
    let mut symbols = Symbolizer::new(&trace.modules);
    let style = report::Style { choice: report::Choice::All, ..report::Style::plain() };
    assert_eq!(
        report::text(&trace, &summary, &mut symbols, &style),
        "\
app
  where    process 7 on node1, 4 CPUs
  threads  1
  runtime  by hand
  time     2.00 ms from the first use of OpenMP, 1.00 ms (50.0 %) of it outside parallel regions; 7 events

No findings: nothing is lost that could gain 2 % of the run; what only samples show was not looked for

Parallel regions (% of the team's time)
  region  calls  threads     time  % wall   work
  0x1000      1        1  1.00 ms    50.0  100.0

Explicit tasks, by place of creation
  created at  count   total    mean     min     max
  0x2000          1  100 us  100 us  100 us  100 us

Threads
  thread      work
  0 t (7)  1.00 ms
"
    );
    let narrow = report::text(&trace, &summary, &mut symbols, &report::Style::terminal(10));
    assert!(narrow.contains("\x1b[1m") && narrow.contains("0x1000"), "{narrow}");
}

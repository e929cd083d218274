//! Time on the CPU against wall time, in traces made by hand, and what the report says of quotas and other processes.

mod synthetic;

use ferromp_trace::analysis::{CpuTime, Summary};
use ferromp_trace::store::limits::Throttled;
use ferromp_trace::store::{Meta, Modules, Record};
use ferromp_trace::{report, symbols::Symbolizer};
use synthetic::{implicit, trace, trace_of};

const REGION: u64 = 0x1000;
const INNER: u64 = 0x2000;
/// `ompt_sync_region_t`.
const BARRIER: u64 = 9;
const MS: u64 = 1_000_000;

fn summary(end: u64, threads: &[&[(u64, Record)]]) -> Summary {
    let dir = tempfile::tempdir().unwrap();
    Summary::of(&trace(dir.path(), end, threads), &mut |_, _| {})
}

fn begin(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelBegin { parallel, task: 0, requested: 2, flags: 0, codeptr }
}

fn end(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelEnd { parallel, codeptr }
}

const fn wait() -> Record {
    Record::WaitBegin { kind: BARRIER, codeptr: REGION }
}

/// A reading: time on the CPU, voluntary and involuntary switches, the CPU.
fn used(cpu_ns: u64, voluntary: u64, involuntary: u64, cpu: u64) -> Record {
    Record::Usage { cpu_ns, voluntary, involuntary, minor_faults: 2, major_faults: 1, cpu }
}

#[test]
fn a_thread_that_sleeps_in_a_region_is_blocked() {
    let summary = summary(
        500 * MS,
        &[
            &[
                (0, used(0, 0, 0, 0)),
                (0, Record::ImplicitTaskBegin { parallel: 0, task: 9, team: 1, index: 0, flags: 1 }),
                (50 * MS, used(50 * MS, 0, 0, 0)),
                (50 * MS, begin(1, REGION)),
                (50 * MS, implicit(1, 2, 2, 0)),
                (250 * MS, used(20 * MS, 1, 0, 0)),
                (250 * MS, wait()),
                (450 * MS, used(150 * MS, 3, 0, 1)),
                (450 * MS, Record::WaitEnd { kind: BARRIER }),
                (450 * MS, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (450 * MS, end(1, REGION)),
                (500 * MS, used(50 * MS, 0, 0, 1)),
            ],
            &[
                (60 * MS, used(0, 0, 0, 1)),
                (60 * MS, implicit(1, 3, 2, 1)),
                (440 * MS, used(380 * MS, 0, 2, 1)),
                (440 * MS, wait()),
                (450 * MS, Record::WaitEnd { kind: BARRIER }),
                (450 * MS, Record::ImplicitTaskEnd { task: 3, index: 1 }),
                (451 * MS, used(11 * MS, 0, 0, 1)),
                (451 * MS, Record::ThreadEnd {}),
            ],
        ],
    );
    let [region] = &summary.regions[..] else { panic!("one region: {:?}", summary.regions) };
    let cpu = &region.cpu;
    assert_eq!((cpu.work_ns, cpu.blocked_ns, cpu.preempted_ns), (580 * MS, 180 * MS, 0));
    assert_eq!(cpu.off_cpu_ns(), 180 * MS);
    assert_eq!(format!("{:.1}", cpu.percent_of_work(cpu.blocked_ns)), "31.0");
    assert_eq!((cpu.spin_ns, cpu.cpu_ns), (160 * MS, (20 + 150 + 380 + 10) * MS));
    assert_eq!((cpu.voluntary, cpu.involuntary, cpu.migrations), (4, 2, 1));
    let [first, second] = &summary.thread_rows[..] else { panic!("two threads: {:?}", summary.thread_rows) };
    assert_eq!((first.work_ns, first.serial_ns, first.wait_ns, first.idle_ns), (300 * MS, 100 * MS, 200 * MS, 0));
    assert_eq!((first.cpu.cpu_ns, &first.cpus[..]), (270 * MS, &[0, 1][..]));
    assert_eq!((first.cpu.minor_faults, first.cpu.major_faults), (8, 4));
    assert_eq!((second.begin_ns, second.end_ns, second.idle_ns), (60 * MS, 451 * MS, MS));
    // The last millisecond is idle, but on the CPU.
    assert_eq!((second.cpu.work_ns, second.cpu.spin_ns), (380 * MS, 11 * MS));
    // One works outside of the region, and while the other waits; then two.
    assert_eq!(summary.concurrency_ns, [10 * MS, (60 + 190 + 50) * MS, 190 * MS]);
}

#[test]
fn threads_on_one_cpu_take_it_from_each_other() {
    let thread = |parallel_task: u64, index, cpu| {
        vec![
            (0, used(0, 0, 0, cpu)),
            (0, implicit(1, parallel_task, 2, index)),
            (100 * MS, used(50 * MS, 0, 15, cpu)),
            (100 * MS, Record::ImplicitTaskEnd { task: parallel_task, index }),
        ]
    };
    let both = |first_cpu, second_cpu| {
        let mut first = vec![(0, used(0, 0, 0, first_cpu)), (0, begin(1, REGION))];
        first.extend_from_slice(&thread(2, 0, first_cpu)[1..]);
        first.push((100 * MS, end(1, REGION)));
        summary(100 * MS, &[&first, &thread(3, 1, second_cpu)])
    };
    let cpu = |summary: &Summary| summary.regions[0].cpu.clone();
    let together = cpu(&both(1, 1));
    assert_eq!((together.preempted_ns, together.blocked_ns), (100 * MS, 0));
    // There are four CPUs for two threads.
    assert_eq!((together.shared_ns, together.needless_ns), (100 * MS, 100 * MS));
    // Strangers have taken the CPUs.
    let apart = cpu(&both(0, 1));
    assert_eq!((apart.preempted_ns, apart.shared_ns, apart.needless_ns), (100 * MS, 0, 0));
}

#[test]
fn more_threads_than_cpus_share_them_of_need() {
    let thread = |task: u64| {
        [
            (0, used(0, 0, 0, task % 4)),
            (0, implicit(1, task, 8, task - 2)),
            (100 * MS, used(50 * MS, 0, 15, task % 4)),
            (100 * MS, Record::ImplicitTaskEnd { task, index: task - 2 }),
        ]
    };
    let mut threads: Vec<Vec<(u64, Record)>> = (2..10).map(|task| thread(task).to_vec()).collect();
    threads[0].insert(1, (0, begin(1, REGION)));
    threads[0].push((100 * MS, end(1, REGION)));
    let threads: Vec<&[(u64, Record)]> = threads.iter().map(Vec::as_slice).collect();
    let summary = summary(100 * MS, &threads);
    let cpu = &summary.regions[0].cpu;
    assert_eq!((cpu.preempted_ns, cpu.shared_ns, cpu.needless_ns), (400 * MS, 400 * MS, 0));
    assert_eq!(summary.concurrency_ns, [0, 0, 0, 0, 0, 0, 0, 0, 100 * MS]);
}

#[test]
fn an_interval_over_several_regions_is_divided_by_their_time() {
    let summary = summary(
        100 * MS,
        &[&[
            (0, used(0, 0, 0, 0)),
            (0, begin(1, REGION)),
            (0, implicit(1, 2, 1, 0)),
            (20 * MS, begin(2, INNER)),
            (20 * MS, implicit(2, 3, 1, 0)),
            (60 * MS, Record::ImplicitTaskEnd { task: 3, index: 0 }),
            (60 * MS, end(2, INNER)),
            (100 * MS, used(50 * MS, 0, 9, 0)),
            (100 * MS, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (100 * MS, end(1, REGION)),
        ]],
    );
    let [outer, inner] = &summary.regions[..] else { panic!("two regions: {:?}", summary.regions) };
    // The outer one without the inner one.
    assert_eq!((outer.cpu.work_ns, outer.cpu.preempted_ns), (60 * MS, 30 * MS));
    assert_eq!((inner.cpu.work_ns, inner.cpu.preempted_ns), (40 * MS, 20 * MS));
    assert_eq!(outer.work_ns, 100 * MS);
    assert_eq!((summary.events, summary.thread_rows[0].cpu.work_ns), (8, 100 * MS));
}

/// The report of a run of a second by two threads, of whose work the system took `taken_ns` each. Threads of the
/// program took `shared_ns` of that from each other.
fn text(about: Meta, taken_ns: u64, shared_ns: u64) -> String {
    let dir = tempfile::tempdir().unwrap();
    let end = 1_000 * MS;
    let first = [
        (0, Record::ParallelBegin { parallel: 1, task: 0, requested: 2, flags: 0, codeptr: REGION }),
        (0, implicit(1, 2, 2, 0)),
        (end, Record::ImplicitTaskEnd { task: 2, index: 0 }),
        (end, Record::ParallelEnd { parallel: 1, codeptr: REGION }),
    ];
    let second = [(0, implicit(1, 3, 2, 1)), (end, Record::ImplicitTaskEnd { task: 3, index: 1 })];
    let about = Meta { program: "/opt/app".into(), ..about };
    let trace = trace_of(dir.path(), about, &Modules::default(), end, &[&first, &second]);
    let mut summary = Summary::of(&trace, &mut |_, _| {});
    for row in &mut summary.thread_rows {
        row.cpu = CpuTime { work_ns: end, preempted_ns: taken_ns, shared_ns, ..CpuTime::default() };
    }
    report::text(&trace, &summary, &mut Symbolizer::new(&trace.modules), &report::Style::plain())
}

fn throttled(periods: u64, ns: u64) -> Option<Throttled> {
    Some(Throttled { periods, ns })
}

#[test]
fn a_quota_is_a_line_of_the_header() {
    let limited = text(Meta { cpu_quota: Some(1.5), ..Meta::default() }, 0, 0);
    assert!(limited.contains("\n  quota    the time of 1.50 CPUs, as control groups limit it\n"), "{limited}");
    let free = text(Meta::default(), 0, 0);
    assert!(!free.contains("quota"), "{free}");
}

#[test]
fn other_processes_on_the_cpus_are_told() {
    let warning = "other processes took 20 % of the threads' time on CPUs: times are uncertain";
    let disturbed = text(Meta::default(), 200 * MS, 0);
    assert!(disturbed.contains(warning), "{disturbed}");
    // What threads of the program take from each other is their own affair.
    let shared = text(Meta::default(), 200 * MS, 200 * MS);
    let little = text(Meta::default(), 40 * MS, 0);
    for quiet in [shared, little] {
        assert!(!quiet.contains("other processes"), "{quiet}");
    }
}

#[test]
fn a_quota_that_held_the_process_back_is_told() {
    let run = |before, after| {
        let about = Meta { cpu_quota: Some(1.0), throttled_before: before, throttled_after: after, ..Meta::default() };
        text(about, 0, 0)
    };
    // The group had been held back before the recording as well.
    let held_back = run(throttled(5, 70 * MS), throttled(9, 320 * MS));
    assert!(held_back.contains("! the quota held the process back for 250 ms\n"), "{held_back}");
    let never = run(throttled(5, 70 * MS), throttled(5, 70 * MS));
    // A recording that did not end in good order does not know.
    let unknown = run(throttled(5, 70 * MS), None);
    for quiet in [never, unknown] {
        assert!(!quiet.contains("held the process back"), "{quiet}");
    }
}

/// The report of a region of two threads that change their CPU so many times.
fn report_of_region(about: Meta, changes: u64) -> String {
    let dir = tempfile::tempdir().unwrap();
    let member = |index: u64| {
        let mut events = vec![(0, used(0, 0, 0, 0))];
        if index == 0 {
            events.push((0, begin(1, REGION)));
        }
        events.push((0, implicit(1, 2 + index, 2, index)));
        let step = 1000 * MS / (changes + 1);
        events.extend((1..=changes).map(|nth| (nth * step, used(step, 0, 0, nth % 2))));
        events.push((1000 * MS, Record::ImplicitTaskEnd { task: 2 + index, index }));
        if index == 0 {
            events.push((1000 * MS, end(1, REGION)));
        }
        events
    };
    let (first, second) = (member(0), member(1));
    let about = Meta { cpus: 2, ..about };
    let trace = trace_of(dir.path(), about, &Modules::default(), 1000 * MS, &[&first, &second]);
    let summary = Summary::of(&trace, &mut |_, _| {});
    report::text(&trace, &summary, &mut Symbolizer::new(&trace.modules), &report::Style::plain())
}

#[test]
fn a_quota_that_is_used_up_is_a_finding() {
    let about = Meta {
        cpu_quota: Some(1.0),
        throttled_before: throttled(0, 0),
        throttled_after: throttled(9, 600 * MS),
        ..Meta::default()
    };
    let report = report_of_region(about, 0);
    assert!(report.contains("30 % (300 ms), quota-used-up"), "{report}");
    assert!(!report_of_region(Meta::default(), 0).contains("quota-used-up"));
}

#[test]
fn threads_that_change_their_cpu_all_the_time_are_a_finding() {
    let report = report_of_region(Meta::default(), 500);
    assert!(report.contains("5 % (50.0 ms), threads-migrate"), "{report}");
    assert!(!report_of_region(Meta::default(), 100).contains("threads-migrate"));
}

/// The report of a region of two threads with these events, which takes a second.
fn report_of_members(members: [&[(u64, Record)]; 2]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let member = |index: u64, events: &[(u64, Record)]| {
        let mut all: Vec<(u64, Record)> = (index == 0).then_some((0, begin(1, REGION))).into_iter().collect();
        all.push((0, implicit(1, 2 + index, 2, index)));
        all.extend_from_slice(events);
        all.push((1000 * MS, Record::ImplicitTaskEnd { task: 2 + index, index }));
        all.extend((index == 0).then_some((1000 * MS, end(1, REGION))));
        all
    };
    let (first, second) = (member(0, members[0]), member(1, members[1]));
    let trace = trace(dir.path(), 1000 * MS, &[&first, &second]);
    let summary = Summary::of(&trace, &mut |_, _| {});
    report::text(&trace, &summary, &mut Symbolizer::new(&trace.modules), &report::Style::plain())
}

/// Two threads on one CPU of four work in turn. Not all of the time without the CPU is time of the work.
#[test]
fn a_second_cpu_brings_no_more_than_half_of_the_time() {
    let member = [
        (0, used(0, 0, 0, 1)),
        (500 * MS, used(250 * MS, 0, 15, 1)),
        (500 * MS, wait()),
        (1000 * MS, used(250 * MS, 0, 15, 1)),
        (1000 * MS, Record::WaitEnd { kind: BARRIER }),
    ];
    let report = report_of_members([&member, &member]);
    assert!(report.contains("50 % (500 ms), same-cpu"), "{report}");
}

/// At one barrier a thread waits for another one that sleeps, at a second one for one that computes.
#[test]
fn time_off_the_cpu_counts_at_one_barrier() {
    const EXPLICIT: u64 = 3;
    const LOOP: u64 = 1;
    let first = [
        (0, used(0, 0, 0, 0)),
        (400 * MS, used(100 * MS, 3, 0, 0)),
        (400 * MS, Record::WaitBegin { kind: EXPLICIT, codeptr: INNER }),
        (400 * MS, Record::WaitEnd { kind: EXPLICIT }),
        (400 * MS, Record::WorkBegin { kind: LOOP, count: 100, codeptr: INNER }),
        (1000 * MS, Record::WorkEnd { kind: LOOP }),
        (1000 * MS, used(600 * MS, 0, 0, 0)),
        (1000 * MS, wait()),
        (1000 * MS, Record::WaitEnd { kind: BARRIER }),
    ];
    let second = [
        (0, used(0, 0, 0, 1)),
        (100 * MS, used(100 * MS, 0, 0, 1)),
        (100 * MS, Record::WaitBegin { kind: EXPLICIT, codeptr: INNER }),
        (400 * MS, used(300 * MS, 0, 0, 1)),
        (400 * MS, Record::WaitEnd { kind: EXPLICIT }),
        (400 * MS, Record::WorkBegin { kind: LOOP, count: 100, codeptr: INNER }),
        (900 * MS, Record::WorkEnd { kind: LOOP }),
        (900 * MS, used(500 * MS, 0, 0, 1)),
        (900 * MS, wait()),
        (1000 * MS, used(100 * MS, 0, 0, 1)),
        (1000 * MS, Record::WaitEnd { kind: BARRIER }),
    ];
    let report = report_of_members([&first, &second]);
    assert!(report.contains("30 % (300 ms), io-in-region"), "{report}");
    assert!(report.contains("5 % (50.0 ms), io-in-region"), "{report}");
}

/// The report of a static loop of two threads on two CPUs, each on a node of its own. The second thread works for
/// `far_ms`, and the first one, with nearly all page faults, for half a second.
fn report_of_nodes(nodes: Vec<u32>, far_ms: u64, faults: u64) -> String {
    let dir = tempfile::tempdir().unwrap();
    let usage = |cpu_ns, minor_faults, cpu| Record::Usage {
        cpu_ns,
        voluntary: 0,
        involuntary: 0,
        minor_faults,
        major_faults: 0,
        cpu,
    };
    let member = |index: u64, work: u64, faults: u64| {
        let mut events = vec![(0, usage(0, 0, index))];
        events.extend((index == 0).then_some((0, begin(1, REGION))));
        events.extend([
            (0, implicit(1, 2 + index, 2, index)),
            (work, usage(work, faults, index)),
            (work, wait()),
            (1000 * MS, Record::WaitEnd { kind: BARRIER }),
            (1000 * MS, Record::ImplicitTaskEnd { task: 2 + index, index }),
        ]);
        events.extend((index == 0).then_some((1000 * MS, end(1, REGION))));
        events
    };
    let (first, second) = (member(0, 500 * MS, faults), member(1, far_ms * MS, 100));
    let about = Meta { cpus: 2, nodes, ..Meta::default() };
    let trace = trace_of(dir.path(), about, &Modules::default(), 1000 * MS, &[&first, &second]);
    let summary = Summary::of(&trace, &mut |_, _| {});
    report::text(&trace, &summary, &mut Symbolizer::new(&trace.modules), &report::Style::plain())
}

#[test]
fn memory_that_one_node_has_touched_first_is_a_finding() {
    const MANY: u64 = 50_000;
    let report = report_of_nodes(vec![0, 1], 800, MANY);
    assert!(report.contains("30 % (300 ms), first-touch"), "{report}");
    assert!(report.contains("threads on other nodes work 1.60 times as long"), "{report}");
    // One node; as long on both nodes; little memory.
    for quiet in [(vec![], 800, MANY), (vec![0, 1], 510, MANY), (vec![0, 1], 800, 200)] {
        let report = report_of_nodes(quiet.0, quiet.1, quiet.2);
        assert!(!report.contains("first-touch"), "{report}");
    }
}

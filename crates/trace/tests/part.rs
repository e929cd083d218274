//! Parts of traces made by hand: windows of time, regions, and what hostile traces do to them.

mod synthetic;

use ferromp_trace::analysis::{Count, Summary, regions};
use ferromp_trace::export::{html, perfetto};
use ferromp_trace::reader::Trace;
use ferromp_trace::report;
use ferromp_trace::selection::{Regions, Selection, Window};
use ferromp_trace::store::{Meta, Modules, Record};
use ferromp_trace::symbols::Symbolizer;
use proptest::prelude::*;
use std::path::Path;
use synthetic::{implicit, trace, trace_of};

const OUTER: u64 = 0x1000;
const INNER: u64 = 0x2000;
const LOOP: u64 = 0x3000;
/// `ompt_work_t`.
const DYNAMIC: u64 = 11;
/// `ompt_sync_region_t` of the barrier at a region's end.
const REGION_END: u64 = 9;

/// A trace with counters.
fn counting(dir: &Path, end: u64, threads: &[&[(u64, Record)]]) -> Trace {
    let counters = ["instructions", "cycles"].map(String::from).into();
    let about = Meta { program: "/opt/app".into(), counters, ..Meta::default() };
    trace_of(dir, about, &Modules::default(), end, threads)
}

fn window(from_ns: u64, to_ns: u64) -> Option<Window> {
    Some(Window { from_ns, to_ns })
}

fn only(trace: &Trace, codeptr: u64) -> Option<Regions> {
    let sites = regions(trace, &mut |_, _| {}).into_iter().filter(|site| site.codeptr == codeptr).collect();
    Some(Regions { sites, names: vec!["it".into()] })
}

fn summary(trace: &Trace) -> Summary {
    Summary::of(trace, &mut |_, _| {})
}

fn begin(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelBegin { parallel, task: 0, requested: 1, flags: 0, codeptr }
}

fn end(parallel: u64, codeptr: u64) -> Record {
    Record::ParallelEnd { parallel, codeptr }
}

/// An outer region from 100 to 900, an inner one in it from 300 to 500 and again, in another one, from 1100 to 1200.
fn nested(dir: &Path) -> Trace {
    let leave = |task| Record::ImplicitTaskEnd { task, index: 0 };
    let events = [
        (0, Record::ThreadBegin { kind: 1 }),
        (100, begin(1, OUTER)),
        (100, implicit(1, 2, 1, 0)),
        (300, begin(3, INNER)),
        (300, implicit(3, 4, 1, 0)),
        (500, leave(4)),
        (500, end(3, INNER)),
        (900, leave(2)),
        (900, end(1, OUTER)),
        (1000, begin(5, LOOP)),
        (1000, implicit(5, 6, 1, 0)),
        (1100, begin(7, INNER)),
        (1100, implicit(7, 8, 1, 0)),
        (1200, leave(8)),
        (1200, end(7, INNER)),
        (1300, leave(6)),
        (1300, end(5, LOOP)),
    ];
    trace(dir, 2000, &[&events])
}

#[test]
fn what_is_inside_of_a_region_counts_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let mut trace = nested(dir.path());
    let mut found = |codeptr, window| {
        trace.selection = Selection { window, regions: only(&trace, codeptr) };
        let summary = summary(&trace);
        let rows = summary.regions.iter().map(|region| (region.codeptr, region.calls, region.total_ns));
        (summary.wall_ns, rows.collect::<Vec<_>>())
    };
    assert_eq!(found(OUTER, None), (800, vec![(OUTER, 1, 800), (INNER, 1, 200)]));
    assert_eq!(found(INNER, None), (300, vec![(INNER, 2, 300)]));
    assert_eq!(found(INNER, window(400, 1150)), (150, vec![(INNER, 2, 150)]));
    assert_eq!(found(OUTER, window(950, 1250)), (0, vec![]));
}

#[test]
fn chunks_of_a_loop_that_crosses_an_edge_count_in_proportion() {
    let dir = tempfile::tempdir().unwrap();
    let chunks = Record::Chunks { chunks: 10, iterations: 100, largest: 10, total_ns: 1000, min_ns: 100, max_ns: 100 };
    let events = [
        (0, begin(1, OUTER)),
        (0, implicit(1, 2, 1, 0)),
        (1000, Record::WorkBegin { kind: DYNAMIC, count: 100, codeptr: LOOP }),
        (1000, Record::Chunk { first: 0, iterations: 60 }),
        (1600, Record::Chunk { first: 60, iterations: 40 }),
        (2000, Record::ChunkLengths { octave: 6, chunks: 10 }),
        (2000, chunks),
        (2000, Record::WorkEnd { kind: DYNAMIC }),
        (3000, Record::ImplicitTaskEnd { task: 2, index: 0 }),
        (3000, end(1, OUTER)),
    ];
    let mut trace = trace(dir.path(), 3000, &[&events]);
    let mut found = |from, to| {
        trace.selection.window = window(from, to);
        let [one] = &summary(&trace).loops[..] else { panic!("one loop") };
        let longest = one.longest.map(|chunk| (chunk.first, chunk.begin_ns, chunk.ns));
        (one.thread_ns, one.chunks, one.lengths.iter().sum::<u64>(), longest)
    };
    assert_eq!(found(0, 3000), (1000, 10, 10, Some((0, 1000, 600))));
    assert_eq!(found(1700, 2500), (300, 3, 3, Some((60, 1700, 300))));
    // The loop's chunks are told at its end, and the chunk records say more.
    assert_eq!(found(500, 1500), (500, 0, 0, Some((0, 1000, 500))));
}

#[test]
fn counters_belong_to_what_the_thread_was_in() {
    let dir = tempfile::tempdir().unwrap();
    let counted = |counter, value| Record::Counter { counter, value, share: 100 };
    let wait = Record::WaitBegin { kind: REGION_END, codeptr: 0 };
    let initial = [
        (0, Record::ThreadBegin { kind: 1 }),
        (100, begin(1, OUTER)),
        (100, counted(0, 10)),
        (100, counted(1, 20)),
        (100, implicit(1, 2, 2, 0)),
        (200, counted(0, 1000)),
        (200, counted(1, 500)),
        (200, wait),
        (300, Record::WaitEnd { kind: REGION_END }),
        (300, counted(0, 7)),
        (300, counted(1, 70)),
        (300, Record::ImplicitTaskEnd { task: 2, index: 0 }),
        (300, end(1, OUTER)),
        (900, counted(0, 60)),
        (900, Record::ThreadEnd {}),
    ];
    let worker = [
        (100, counted(0, 5)),
        (100, implicit(1, 3, 2, 1)),
        (300, counted(0, 200)),
        (300, wait),
        (300, Record::ImplicitTaskEnd { task: 3, index: 1 }),
    ];
    let mut trace = counting(dir.path(), 900, &[&initial, &worker]);
    let values = |counts: &[Count]| counts.iter().map(|count| count.value).collect::<Vec<u64>>();
    let sums = summary(&trace).counters;
    let [(region, counts)] = &sums.regions[..] else { panic!("one region: {sums:?}") };
    assert_eq!((region.codeptr, values(counts)), (OUTER, vec![1200, 500]));
    assert_eq!((values(&sums.serial), values(&sums.idle)), (vec![70, 20], vec![12, 70]));
    assert_eq!(sums.threads.iter().map(|(_, counts)| values(counts)).collect::<Vec<_>>(), [[1077, 590], [205, 0]]);
    assert_eq!(sums.ratios(counts), [("IPC", 2.4)]);
    // Half of the initial thread's work in the region, and three quarters of the worker's.
    trace.selection.window = window(150, 600);
    let sums = summary(&trace).counters;
    assert_eq!(values(&sums.regions[0].1), [500 + 150, 250]);
    trace.selection = Selection { window: None, regions: only(&trace, OUTER) };
    let sums = summary(&trace).counters;
    assert_eq!((values(&sums.regions[0].1), sums.serial.len()), (vec![1200, 500], 0));
}

/// Records with small numbers, so that they meet each other, and now and then with large ones.
fn record() -> impl Strategy<Value = Record> {
    let number = || prop_oneof![8 => 0u64..6, 1 => any::<u64>()];
    let kind = || prop_oneof![8 => 0u64..14, 1 => any::<u64>()];
    let address = || prop_oneof![Just(OUTER), Just(INNER), Just(LOOP)];
    prop_oneof![
        (number(), address()).prop_map(|(parallel, codeptr)| begin(parallel, codeptr)),
        (number(), address()).prop_map(|(parallel, codeptr)| end(parallel, codeptr)),
        (number(), number(), 0u64..4, 0u64..4).prop_map(|(parallel, task, team, index)| Record::ImplicitTaskBegin {
            parallel,
            task,
            team,
            index,
            flags: 2
        }),
        (number(), number()).prop_map(|(task, index)| Record::ImplicitTaskEnd { task, index }),
        (number(), number(), address()).prop_map(|(parent, task, codeptr)| Record::TaskCreate {
            parent,
            task,
            flags: 4,
            dependences: 0,
            codeptr
        }),
        (number(), 0u64..8, number()).prop_map(|(prior, status, next)| Record::TaskSchedule { prior, status, next }),
        (kind(), address()).prop_map(|(kind, codeptr)| Record::WaitBegin { kind, codeptr }),
        kind().prop_map(|kind| Record::WaitEnd { kind }),
        (kind(), number(), address()).prop_map(|(kind, count, codeptr)| Record::WorkBegin { kind, count, codeptr }),
        kind().prop_map(|kind| Record::WorkEnd { kind }),
        (number(), number()).prop_map(|(first, iterations)| Record::Chunk { first, iterations }),
        (number(), number(), number()).prop_map(|(chunks, total_ns, max_ns)| {
            Record::Chunks { chunks, iterations: total_ns, largest: max_ns, total_ns, min_ns: max_ns, max_ns }
        }),
        (number(), number()).prop_map(|(octave, chunks)| Record::ChunkLengths { octave, chunks }),
        (number(), number(), number()).prop_map(|(section, count, ns)| Record::Section { section, count, ns }),
        (kind(), number(), address()).prop_map(|(kind, wait, codeptr)| Record::MutexAcquire { kind, wait, codeptr }),
        (kind(), number()).prop_map(|(kind, wait)| Record::MutexAcquired { kind, wait }),
        (kind(), number()).prop_map(|(kind, wait)| Record::MutexReleased { kind, wait }),
        (number(), number(), number()).prop_map(|(counter, value, share)| Record::Counter { counter, value, share }),
        (number(), number(), 0u64..3).prop_map(|(cpu_ns, voluntary, cpu)| {
            Record::Usage { cpu_ns, voluntary, involuntary: cpu_ns, minor_faults: 0, major_faults: 0, cpu }
        }),
        (number(), 0u64..3, number()).prop_map(|(target, kind, device)| Record::TargetBegin {
            target,
            kind,
            device,
            codeptr: LOOP
        }),
        number().prop_map(|target| Record::TargetEnd { target }),
        (number(), number(), number()).prop_map(|(op, late, length)| Record::Operation {
            op,
            kind: 0,
            amount: 0,
            late,
            length
        }),
    ]
}

fn events() -> impl Strategy<Value = Vec<(u64, Record)>> {
    proptest::collection::vec((0u64..40, record()), 0..120).prop_map(|events| {
        let timed = events.into_iter().scan(0, |now, (passed, record)| {
            *now += passed;
            Some((*now, record))
        });
        timed.collect()
    })
}

/// Each case makes several documents.
fn few() -> ProptestConfig {
    ProptestConfig { cases: 64, max_shrink_iters: 64, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(few())]

    /// Any records in any part: reports and exports are made, and no time is longer than the part. Pages are slow to
    /// make, so there are few of them.
    #[test]
    fn no_records_make_a_part_fail(
        one in events(),
        other in events(),
        (from, length) in (0u64..2500, 0u64..2500),
        how in 0u8..4,
        page in prop::bool::weighted(0.15),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let on_device = [&[(0, Record::OnDevice { device: 0, thread: 0 })], &other[..]].concat();
        let mut trace = counting(dir.path(), 2500, &[&one, &other, &on_device]);
        trace.selection.window = window(from, from + length).filter(|_| how & 1 != 0);
        trace.selection.regions = only(&trace, OUTER).filter(|_| how & 2 != 0);
        let summary = summary(&trace);
        let longest = if how & 1 != 0 { length } else { u64::MAX };
        prop_assert!(summary.wall_ns <= longest);
        let mut symbols = Symbolizer::new(&trace.modules);
        let style = report::Style { choice: report::Choice::All, ..report::Style::plain() };
        report::text(&trace, &summary, &mut symbols, &style);
        perfetto::write(&trace, &mut symbols, &mut std::io::sink(), &mut |_, _| {}).unwrap();
        if !page {
            return Ok(());
        }
        let mut sink = std::io::sink();
        let mut page = html::Page::begin(&mut sink, 1).unwrap();
        let found = html::findings(&trace, &summary, &mut symbols);
        page.add(&trace, &summary, &found, &mut symbols, &mut |_, _| {}).unwrap();
        page.finish().unwrap();
    }
}

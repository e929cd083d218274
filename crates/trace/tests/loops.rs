//! Worksharing loops and sections, in traces made by hand.

mod synthetic;

use ferromp_trace::analysis::{Chunk, Section, Summary};
use ferromp_trace::store::Record;
use synthetic::{implicit, trace};

const REGION: u64 = 0x1000;
const LOOP: u64 = 0x2000;
/// `ompt_work_t`.
const SECTIONS: u64 = 2;
const SINGLE: u64 = 3;
const DYNAMIC: u64 = 11;

fn summary(end: u64, threads: &[&[(u64, Record)]]) -> Summary {
    let dir = tempfile::tempdir().unwrap();
    Summary::of(&trace(dir.path(), end, threads), &mut |_, _| {})
}

fn begin() -> Record {
    Record::ParallelBegin { parallel: 1, task: 0, requested: 2, flags: 0, codeptr: REGION }
}

fn end() -> Record {
    Record::ParallelEnd { parallel: 1, codeptr: REGION }
}

fn work(kind: u64, count: u64) -> Record {
    Record::WorkBegin { kind, count, codeptr: LOOP }
}

fn chunks(chunks: u64, iterations: u64, total_ns: u64, min_ns: u64, max_ns: u64) -> Record {
    Record::Chunks { chunks, iterations, largest: 16, total_ns, min_ns, max_ns }
}

#[test]
fn a_loop_is_summed_up_over_threads_and_executions() {
    let lengths = |octave, chunks| Record::ChunkLengths { octave, chunks };
    let [leave, single, no_single] =
        [Record::WorkEnd { kind: DYNAMIC }, work(SINGLE, 1), Record::WorkEnd { kind: SINGLE }];
    let summary = summary(
        1000,
        &[
            &[
                (0, begin()),
                (0, implicit(1, 2, 2, 0)),
                (100, work(DYNAMIC, 64)),
                (200, lengths(4, 2)),
                (200, lengths(5, 1)),
                (200, chunks(3, 48, 90, 20, 50)),
                (200, leave),
                // A single region is no loop.
                (250, single),
                (260, no_single),
                // The second execution, of which the other thread has no chunk.
                (300, work(DYNAMIC, 32)),
                (400, chunks(2, 32, 96, 40, 56)),
                (400, leave),
                (500, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (500, end()),
            ],
            &[
                (0, implicit(1, 3, 2, 1)),
                (100, work(DYNAMIC, 64)),
                (160, chunks(1, 16, 55, 55, 55)),
                (160, leave),
                (300, work(DYNAMIC, 32)),
                (310, leave),
                (500, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let [dynamic] = &summary.loops[..] else { panic!("one loop: {:?}", summary.loops) };
    assert_eq!((dynamic.region.codeptr, dynamic.site.codeptr, dynamic.kind), (REGION, LOOP, DYNAMIC));
    assert_eq!((dynamic.executions, dynamic.max_threads, dynamic.iterations), (2, 2, 96));
    assert_eq!((dynamic.chunks, dynamic.max_chunks, dynamic.largest_chunk), (6, 3, 16));
    assert_eq!((dynamic.chunk_ns, dynamic.min_chunk_ns, dynamic.max_chunk_ns), (90 + 96 + 55, 20, 56));
    assert_eq!(dynamic.lengths, [0, 0, 0, 0, 2, 4]);
    assert_eq!((dynamic.thread_ns, dynamic.dispatch_ns(), dynamic.mean_chunk_ns()), (270, 29, 40));
    // 100 of 100 and 60, and 100 of 100 and 10.
    assert_eq!((dynamic.busiest_ns, dynamic.mean_ns), (200, 135.0));
    assert_eq!(format!("{:.1}", dynamic.imbalance()), "32.5");
    assert_eq!(summary.events, 16, "what is said of chunks is no event");
}

#[test]
fn sections_are_told_apart() {
    let section = |section, count, ns| Record::Section { section, count, ns };
    let leave = Record::WorkEnd { kind: SECTIONS };
    let summary = summary(
        1000,
        &[
            &[
                (0, begin()),
                (0, implicit(1, 2, 2, 0)),
                (0, work(SECTIONS, 3)),
                (80, section(1, 1, 80)),
                (80, leave),
                (100, work(SECTIONS, 3)),
                (130, section(2, 1, 30)),
                (140, section(3, 1, 10)),
                (140, leave),
                (200, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (200, end()),
            ],
            &[
                (0, implicit(1, 3, 2, 1)),
                (0, work(SECTIONS, 3)),
                (20, section(2, 1, 20)),
                (30, section(3, 1, 10)),
                (30, leave),
                // This thread does not come to the second execution's end.
                (100, work(SECTIONS, 3)),
                (200, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let [one] = &summary.loops[..] else { panic!("one construct: {:?}", summary.loops) };
    assert_eq!((one.kind, one.executions, one.iterations, one.chunks, one.max_chunks), (SECTIONS, 2, 6, 5, 2));
    let known = |first, executions, total_ns, max_ns| Section { first, count: 1, executions, total_ns, max_ns };
    assert_eq!(one.sections, [known(1, 1, 80, 80), known(2, 2, 50, 30), known(3, 2, 20, 10)]);
    assert_eq!((one.thread_ns, one.busiest_ns), (150, 120));
}

#[test]
fn a_loop_outside_of_regions_has_no_region() {
    let initial = Record::ImplicitTaskBegin { parallel: 0, task: 9, team: 1, index: 0, flags: 1 };
    let leave = Record::WorkEnd { kind: DYNAMIC };
    let summary = summary(100, &[&[(0, initial), (10, work(DYNAMIC, 8)), (30, chunks(1, 8, 20, 20, 20)), (30, leave)]]);
    let [one] = &summary.loops[..] else { panic!("one loop: {:?}", summary.loops) };
    assert_eq!((one.region.codeptr, one.max_threads, one.thread_ns), (0, 1, 20));
}

#[test]
fn the_longest_chunk_is_known_if_each_is_recorded() {
    let chunk = |first, iterations| Record::Chunk { first, iterations };
    let leave = Record::WorkEnd { kind: DYNAMIC };
    let summary = summary(
        1000,
        &[
            &[
                (0, begin()),
                (0, implicit(1, 2, 2, 0)),
                // Outside of a loop it means nothing.
                (50, chunk(7, 7)),
                (100, work(DYNAMIC, 64)),
                (110, chunk(0, 16)),
                (150, chunk(32, 16)),
                (180, chunks(2, 32, 70, 30, 40)),
                (180, leave),
                (500, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (500, end()),
            ],
            &[
                (0, implicit(1, 3, 2, 1)),
                (100, work(DYNAMIC, 64)),
                (110, chunk(16, 16)),
                (190, chunk(48, 16)),
                (195, chunks(2, 32, 85, 5, 80)),
                (195, leave),
                (500, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let [dynamic] = &summary.loops[..] else { panic!("one loop: {:?}", summary.loops) };
    let longest = Chunk { thread: 1, first: 16, iterations: 16, begin_ns: 110, ns: 80 };
    assert_eq!((dynamic.chunks, dynamic.longest), (4, Some(longest)));
}

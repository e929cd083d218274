//! Samples of traces made by hand: what they are charged to, and what of them survives damage.

mod synthetic;

use ferromp_trace::Site;
use ferromp_trace::analysis::{Activity, ActivityKind, Doing, Summary};
use ferromp_trace::reader::{Sample, Trace};
use ferromp_trace::store::sample::Stack;
use ferromp_trace::store::{Folder, Record, Writer, clock, folder, segment};
use std::path::Path;
use synthetic::{implicit, trace};

const REGION: Site = Site { codeptr: 0x1000, function: 0 };
const LOOP: Site = Site { codeptr: 0x2000, function: 0 };
/// `ompt_sync_region_t`.
const BARRIER: u64 = 9;

/// Writes a thread's samples: the time, the callers, the outermost first, and the address.
fn write(dir: &Path, thread: u32, samples: &[(u64, &[u64], u64)]) {
    let (folder, mut stack) = (Folder::open(dir).unwrap(), Stack::default());
    let ticker = clock::Ticker::choose();
    let mut writer = Writer::prepare(&folder, &folder::samples_file(thread), thread, "t", ticker, 0).unwrap();
    for (time, callers, address) in samples {
        if !writer.has_room(stack.changes(callers)) {
            writer.grow().unwrap();
            stack.clear();
        }
        stack.change(callers, *address, |entry| assert!(writer.record(*time, &entry)));
    }
    writer.finish();
}

/// A region of two threads from 100 to 400; the first thread is in a loop and waits from 300 on.
fn region(dir: &Path) {
    let begin = Record::ParallelBegin { parallel: 1, task: 0, requested: 2, flags: 0, codeptr: REGION.codeptr };
    let initial = [
        (0, implicit(0, 9, 1, 0)),
        (100, begin),
        (100, implicit(1, 2, 2, 0)),
        (200, Record::WorkBegin { kind: 11, count: 8, codeptr: LOOP.codeptr }),
        (300, Record::WorkEnd { kind: 11 }),
        (300, Record::SyncBegin { kind: BARRIER, codeptr: REGION.codeptr }),
        (300, Record::WaitBegin { kind: BARRIER, codeptr: REGION.codeptr }),
        (400, Record::WaitEnd { kind: BARRIER }),
        (400, Record::SyncEnd { kind: BARRIER }),
        (400, Record::ImplicitTaskEnd { task: 2, index: 0 }),
        (400, Record::ParallelEnd { parallel: 1, codeptr: REGION.codeptr }),
    ];
    let worker = [(100, implicit(1, 3, 2, 1)), (400, Record::ImplicitTaskEnd { task: 3, index: 1 })];
    trace(dir, 500, &[&initial, &worker]);
}

#[test]
fn each_sample_is_charged_to_what_its_thread_did() {
    let dir = tempfile::tempdir().unwrap();
    region(dir.path());
    write(
        dir.path(),
        0,
        &[
            (50, &[70], 80),
            (150, &[71], 90),
            (250, &[71, 72], 91),
            (251, &[71, 72], 91),
            (350, &[], 92),
            (450, &[70], 81),
        ],
    );
    write(dir.path(), 1, &[(150, &[73], 93), (450, &[], 94)]);
    let trace = Trace::open(dir.path()).unwrap();
    let samples = Summary::of(&trace, &mut |_, _| {}).samples;
    assert_eq!(samples.count, 8);
    let active = |kind, site| Doing::Active(Activity { kind, site });
    let nowhere = Site::default();
    let count = |region, doing| samples.of(region, doing).map_or(0, |sampled| sampled.count);
    assert_eq!(samples.serial().unwrap().count, 2);
    assert_eq!(count(REGION, active(ActivityKind::Body, REGION)), 2);
    assert_eq!(count(REGION, active(ActivityKind::Work(11), LOOP)), 2);
    assert_eq!(count(REGION, Doing::Waiting(BARRIER, REGION)), 1);
    assert_eq!(count(nowhere, Doing::Idle), 1);
    let calls = &samples.of(REGION, active(ActivityKind::Work(11), LOOP)).unwrap().calls;
    let leaf = calls.leaves().next().unwrap();
    let path: Vec<u64> = calls.path(leaf).map(|node| calls.address(node)).collect();
    assert_eq!((path, calls.count(leaf)), (vec![92, 72, 71], 2));
}

#[test]
fn samples_of_many_chunks_come_back() {
    let dir = tempfile::tempdir().unwrap();
    region(dir.path());
    let callers: Vec<u64> = (0..60).map(|depth| 0x7000_0000_0000 + depth).collect();
    let samples: Vec<(u64, &[u64], u64)> =
        (0..30_000).map(|time| (time, &callers[..time as usize * 7 % 60], time << 20)).collect();
    write(dir.path(), 1, &samples);
    let size = dir.path().join(folder::samples_file(1)).metadata().unwrap().len();
    assert!(size > 2 * segment::FIRST, "{size}");
    let read: Vec<Sample> = {
        let trace = Trace::open(dir.path()).unwrap();
        assert_eq!(trace.samples(&trace.threads[0]).count(), 0);
        let read = trace.samples(&trace.threads[1]).collect();
        assert!(trace.all_damage().is_empty());
        read
    };
    assert_eq!(read.len(), samples.len());
    for (sample, (ns, callers, address)) in read.iter().zip(&samples) {
        assert_eq!((sample.ns, &sample.callers[..], sample.address), (*ns, *callers, *address));
    }
    // A damaged chunk loses its samples alone, and no sample has a wrong stack.
    let file = dir.path().join(folder::samples_file(1));
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[segment::HEADER as usize + 1000..segment::FIRST as usize].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let trace = Trace::open(dir.path()).unwrap();
    let left: Vec<Sample> = trace.samples(&trace.threads[1]).collect();
    assert!(left.len() > 20_000 && left.len() < read.len(), "{}", left.len());
    assert!(left.iter().all(|sample| sample.callers.len() == sample.ns as usize * 7 % 60));
    assert_eq!(trace.all_damage().len(), 1, "{:?}", trace.all_damage());
}

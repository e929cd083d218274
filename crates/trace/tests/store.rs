//! The store by itself: what a writer records, a reader gives back, whatever becomes of the files in between.

use ferromp_trace::analysis::{Efficiency, Summary};
use ferromp_trace::export::perfetto;
use ferromp_trace::reader::Trace;
use ferromp_trace::report;
use ferromp_trace::store::lock::Lock;
use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, clock, folder, meta, segment};
use ferromp_trace::symbols::Symbolizer;
use proptest::prelude::*;
use std::path::Path;

fn record(index: u64) -> Record {
    let codeptr = 0x5555_5555_1000 + index % 7 * 64;
    match index % 7 {
        0 => Record::ParallelBegin { parallel: index + 1, task: 1, requested: 4, flags: 0x8000_0002, codeptr },
        1 => Record::ImplicitTaskBegin { parallel: index, task: index + 1, team: 4, index: 0, flags: 2 },
        2 => Record::MutexAcquire { kind: 5, wait: 0x7fff_0000_1000 + index % 3 * 8, codeptr },
        3 => Record::TaskCreate { parent: index, task: index + 1, flags: 4, dependences: 0, codeptr },
        4 => Record::Function { codeptr, function: codeptr ^ 0xfff_0000 },
        5 => Record::TaskSchedule { prior: u64::MAX, status: 7, next: index },
        _ => Record::ParallelEnd { parallel: index - 6, codeptr },
    }
}

/// A trace with one thread of `events` records, a nanosecond clock and a step of 10 ns.
fn write(dir: &Path, events: u64) {
    let ticker = clock::Ticker::choose();
    let start = ticker.pair();
    let clock = clock::Clock { source: clock::Source::Monotonic, start, later: start };
    let folder = Folder::open(dir).unwrap();
    Meta { format: meta::FORMAT, clock, ..Meta::default() }.write(&folder).unwrap();
    Modules::of_this_process().write(&folder).unwrap();
    let mut writer = Writer::create(&folder, 0, "main", ticker, start.ticks).unwrap();
    for index in 0..events {
        if writer.is_full() {
            writer.grow().unwrap();
        }
        assert!(writer.record(start.ticks + 10 * index, &record(index)));
    }
    writer.finish();
}

fn read(dir: &Path) -> Vec<(u64, Record)> {
    let trace = Trace::open(dir).unwrap();
    let events = trace.events(&trace.threads[0]);
    events.map(|event| (event.ns, event.record)).collect()
}

#[test]
fn records_come_back_across_chunks() {
    let dir = tempfile::tempdir().unwrap();
    const EVENTS: u64 = 800_000;
    write(dir.path(), EVENTS);
    let size = dir.path().join(folder::thread_file(0)).metadata().unwrap().len();
    assert!(size > segment::FIRST + segment::CHUNK, "the test must cross two chunks: {size}");
    let trace = Trace::open(dir.path()).unwrap();
    assert!(trace.damage.is_empty() && trace.threads[0].finished, "{:?}", trace.damage);
    let mut count = 0;
    for (index, event) in trace.events(&trace.threads[0]).enumerate() {
        assert_eq!((event.ns, event.record), (10 * index as u64, record(index as u64)));
        count += 1;
    }
    assert_eq!(count, EVENTS);
    println!("{:.2} bytes an event", size as f64 / EVENTS as f64);
}

#[test]
fn a_file_that_cannot_grow_counts_what_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let ticker = clock::Ticker::choose();
    let folder = Folder::open(dir.path()).unwrap();
    Meta { format: meta::FORMAT, ..Meta::default() }.write(&folder).unwrap();
    let mut writer = Writer::create(&folder, 0, "main", ticker, 0).unwrap();
    std::fs::remove_file(dir.path().join(folder::thread_file(0))).unwrap();
    std::fs::create_dir(dir.path().join(folder::thread_file(0))).unwrap();
    let mut lost = 0;
    for index in 0..100_000 {
        if writer.is_full() && !writer.is_closed() {
            writer.grow().unwrap_err();
        }
        lost += u64::from(!writer.record(index, &record(index)));
    }
    assert!(writer.is_closed() && lost > 0 && lost < 100_000, "{lost}");
}

#[test]
fn a_link_in_the_place_of_a_threads_file_is_not_written_through() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    let mut writer = Writer::create(&folder, 0, "main", clock::Ticker::choose(), 0).unwrap();
    let (file, victim) = (dir.path().join(folder::thread_file(0)), dir.path().join("victim"));
    std::fs::write(&victim, [7; 10_000]).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&victim, &file).unwrap();
    for index in 0..100_000 {
        if writer.is_full() && !writer.is_closed() {
            writer.grow().unwrap_err();
        }
        writer.record(index, &record(index));
    }
    assert!(writer.is_closed());
    writer.finish();
    assert_eq!(std::fs::read(&victim).unwrap(), [7; 10_000]);
}

#[test]
fn records_that_make_no_sense_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 50_000);
    let damage = |trace: &Trace| {
        trace.events(&trace.threads[0]).for_each(drop);
        trace.all_damage()
    };
    assert_eq!(damage(&Trace::open(dir.path()).unwrap()), [] as [String; 0]);
    let path = dir.path().join(folder::thread_file(0));
    let content = std::fs::read(&path).unwrap();
    assert!(content.len() as u64 > segment::FIRST, "the test needs two chunks");
    // Where a chunk begins, and in the middle of one.
    for at in [segment::HEADER as usize, 20_000, segment::FIRST as usize] {
        let mut content = content.clone();
        content[at..at + 16].fill(0xff);
        std::fs::write(&path, content).unwrap();
        let damage = damage(&Trace::open(dir.path()).unwrap());
        assert!(damage.len() == 1 && damage[0].ends_with(" bytes of it are no records"), "{at}: {damage:?}");
    }
}

#[test]
fn a_file_that_is_said_to_be_endless_is_given_up() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 10);
    let path = dir.path().join(folder::thread_file(0));
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    let length = 1_u64 << 43;
    if file.set_len(length).is_err() {
        return println!("skipped: the file system has no files of this size");
    }
    std::os::unix::fs::FileExt::write_all_at(&file, &length.to_le_bytes(), segment::offset::COMMITTED as u64).unwrap();
    let trace = Trace::open(dir.path()).unwrap();
    assert_eq!(trace.events(&trace.threads[0]).count(), 10);
    assert_eq!(trace.all_damage().len(), 1);
}

#[test]
fn a_thread_that_had_not_begun_its_file_is_no_damage() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 10);
    for (number, content) in [(1, vec![]), (2, vec![0; 300_000])] {
        std::fs::write(dir.path().join(folder::thread_file(number)), content).unwrap();
    }
    let trace = Trace::open(dir.path()).unwrap();
    assert_eq!((trace.threads.len(), trace.all_damage().len()), (1, 0));
    // A trace that has ended in good order has begun all of its threads.
    let finished = Meta { finished: true, ..trace.meta };
    finished.write(&Folder::open(dir.path()).unwrap()).unwrap();
    assert_eq!(Trace::open(dir.path()).unwrap().all_damage().len(), 2);
}

#[test]
fn trim_gives_back_what_a_killed_process_left() {
    let dir = tempfile::tempdir().unwrap();
    let ticker = clock::Ticker::choose();
    let folder = Folder::open(dir.path()).unwrap();
    Meta { format: meta::FORMAT, ..Meta::default() }.write(&folder).unwrap();
    let mut writer = Writer::create(&folder, 0, "main", ticker, 0).unwrap();
    writer.record(1, &Record::ThreadBegin { kind: 1 });
    std::mem::forget(writer);
    // Without a lock nothing is known of the process, as of those that older versions recorded; with one that is held
    // it runs.
    assert_eq!(folder::trim(dir.path()).unwrap(), 0);
    let lock = Lock::take(&folder).unwrap();
    assert_eq!(folder::trim(dir.path()).unwrap(), 0);
    drop(lock);
    let freed = folder::trim(dir.path()).unwrap();
    assert!(freed > segment::FIRST / 2, "{freed}");
    assert_eq!(read(dir.path()).len(), 1);
    assert_eq!(folder::trim(dir.path()).unwrap(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Cut at any byte: what is left reads as a prefix.
    #[test]
    fn a_cut_file_reads_as_a_prefix(cut in 0u64..40_000) {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), 5000);
        let whole = read(dir.path());
        let path = dir.path().join(folder::thread_file(0));
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        let length = file.metadata().unwrap().len();
        file.set_len(cut.min(length)).unwrap();
        let trace = Trace::open(dir.path()).unwrap();
        match trace.threads.first() {
            Some(thread) => {
                let left: Vec<_> = trace.events(thread).map(|event| (event.ns, event.record)).collect();
                prop_assert_eq!(&left[..], &whole[..left.len()]);
                prop_assert!(cut >= length || !trace.damage.is_empty());
            }
            None => prop_assert!(!trace.damage.is_empty()),
        }
    }

    /// Garbled anywhere: opens or says why not, gives events or not, and does not panic, neither does what reads it.
    #[test]
    fn garbled_files_never_panic(
        at in 0usize..60_000,
        bytes in proptest::collection::vec(any::<u8>(), 1..64),
        file in prop::sample::select(vec!["thread", "thread", "thread", "meta.json", "modules.txt"]),
    ) {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), 10_000);
        let path = match file {
            "thread" => dir.path().join(folder::thread_file(0)),
            name => dir.path().join(name),
        };
        let mut content = std::fs::read(&path).unwrap();
        let at = at % content.len();
        for (target, byte) in content[at..].iter_mut().zip(bytes) {
            *target = byte;
        }
        std::fs::write(&path, content).unwrap();
        if let Ok(trace) = Trace::open(dir.path()) {
            let _ = trace.duration_ns();
            let summary = Summary::of(&trace, &mut |_, _| {});
            let regions = summary.regions.iter().map(Efficiency::of_region);
            for found in regions.chain([Efficiency::of_run(&summary)]).flatten() {
                let product: f64 = found.factors().iter().product();
                prop_assert!((product - found.parallel).abs() < 1e-9 && product <= 1.0, "{:?}", found);
            }
            let mut symbols = Symbolizer::new(&trace.modules);
            report::text(&trace, &summary, &mut symbols, &report::Style::plain());
            perfetto::write(&trace, &mut symbols, &mut std::io::sink(), &mut |_, _| {}).unwrap();
        }
    }
}

//! The export to Perfetto, read back with Perfetto's own schema.

mod common;

use common::{compile, recorded};
use ferromp_trace::analysis::Summary;
use ferromp_trace::export::perfetto;
use ferromp_trace::reader::Trace;
use ferromp_trace::store::{Meta, Modules, Record, Writer, clock, meta};
use ferromp_trace::symbols::Symbolizer;
use perfetto_protos::trace_packet::TracePacket;
use perfetto_protos::track_event::track_event::Type;
use protobuf::Message as _;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

fn export(dir: &Path) -> (perfetto::Counts, Vec<TracePacket>) {
    let trace = Trace::open(dir).unwrap();
    let mut bytes = Vec::new();
    let mut symbols = Symbolizer::new(&trace.modules);
    let counts = perfetto::write(&trace, &mut symbols, &mut bytes, &mut |done, total| assert!(done <= total)).unwrap();
    assert_eq!(counts.bytes, bytes.len() as u64);
    let trace = perfetto_protos::trace::Trace::parse_from_bytes(&bytes).unwrap();
    (counts, trace.packet)
}

/// A slice as the UI would show it.
#[derive(Debug)]
struct Slice {
    name: String,
    begin: u64,
    end: u64,
    track: u64,
    flows: Vec<u64>,
}

/// Slices from packets; panics where Perfetto would complain.
fn slices(packets: &[TracePacket]) -> Vec<Slice> {
    let mut tracks = BTreeSet::new();
    let mut names = HashMap::new();
    let mut categories = BTreeSet::new();
    let mut locations = BTreeSet::new();
    let mut open: BTreeMap<u64, Vec<Slice>> = BTreeMap::new();
    let mut last: BTreeMap<u64, u64> = BTreeMap::new();
    let mut done = Vec::new();
    assert_eq!(packets[0].sequence_flags(), 1, "the sequence begins with clear names");
    for packet in packets {
        assert_eq!(packet.special_fields.unknown_fields().iter().count(), 0);
        assert_ne!(packet.trusted_packet_sequence_id(), 0);
        if packet.has_track_descriptor() {
            let track = packet.track_descriptor();
            assert_eq!(track.special_fields.unknown_fields().iter().count(), 0);
            assert!(tracks.insert(track.uuid()), "each track has its own id");
        }
        for data in packet.interned_data.iter() {
            names.extend(data.event_names.iter().map(|name| (name.iid(), name.name().to_owned())));
            categories.extend(data.event_categories.iter().map(|category| category.iid()));
            locations.extend(data.source_locations.iter().map(|location| location.iid()));
        }
        if !packet.has_track_event() {
            continue;
        }
        let event = packet.track_event();
        assert_eq!(event.special_fields.unknown_fields().iter().count(), 0);
        assert!(tracks.contains(&event.track_uuid()), "the track was described before");
        let previous = last.insert(event.track_uuid(), packet.timestamp()).unwrap_or(0);
        assert!(packet.timestamp() >= previous, "times of a track never run backwards");
        let stack = open.entry(event.track_uuid()).or_default();
        let slice = || Slice {
            name: names[&event.name_iid()].clone(),
            begin: packet.timestamp(),
            end: packet.timestamp(),
            track: event.track_uuid(),
            flows: event.flow_ids.clone(),
        };
        if event.type_() != Type::TYPE_SLICE_END {
            assert!(event.category_iids.iter().all(|iid| categories.contains(iid)));
            assert!(!event.has_source_location_iid() || locations.contains(&event.source_location_iid()));
        }
        match event.type_() {
            Type::TYPE_SLICE_BEGIN => stack.push(slice()),
            Type::TYPE_SLICE_END => {
                let slice = stack.pop().expect("an end follows a begin");
                done.push(Slice { end: packet.timestamp(), ..slice });
            }
            Type::TYPE_INSTANT => done.push(slice()),
            other => panic!("unexpected {other:?}"),
        }
    }
    assert!(open.values().all(Vec::is_empty), "everything is closed");
    done
}

#[test]
fn a_recorded_program_reads_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    assert!(recorded(&compile(dir.path(), "mixture"), &path).output().unwrap().status.success());
    let (counts, packets) = export(&path);
    let slices = slices(&packets);
    let named = |prefix: &str| slices.iter().filter(|slice| slice.name.starts_with(prefix)).collect::<Vec<_>>();
    assert_eq!((counts.tracks, counts.flows), (4, 50));
    assert_eq!(named("parallel").len(), 25);
    assert_eq!(named("wait for critical").len(), 80);
    assert_eq!(named("critical").len(), 80);
    assert_eq!(counts.slices as usize + 50, slices.len());
    let (created, run) = (named("create task mixture.c:"), named("task mixture.c:"));
    assert_eq!((created.len(), run.len()), (50, 50));
    for task in &run {
        let creation = created.iter().find(|creation| creation.flows == task.flows).expect("a flow leads to each task");
        assert!(creation.begin <= task.begin && task.end - task.begin >= 490_000);
    }
    let process = packets.iter().find(|packet| packet.track_descriptor().process.is_some()).unwrap();
    assert_eq!(process.track_descriptor().process.process_name(), "mixture");
}

/// A worker that hears of the region's end only at the next fork: its barrier ends with the region.
#[test]
fn a_late_end_is_cut_at_the_region() {
    let dir = tempfile::tempdir().unwrap();
    let ticker = clock::Ticker::choose();
    let start = clock::Pair { ticks: 0, ns: 0 };
    let clock = clock::Clock { source: clock::Source::Monotonic, start, later: start };
    let meta = Meta { format: meta::FORMAT, clock, pid: 7, finished: true, end_ticks: 1000, ..Meta::default() };
    meta.write(dir.path()).unwrap();
    Modules::default().write(dir.path()).unwrap();
    let write = |number, records: &[(u64, Record)]| {
        let mut writer = Writer::create(dir.path(), number, "t", ticker, 0).unwrap();
        for (time, record) in records {
            assert!(writer.record(*time, record));
        }
        writer.finish();
    };
    let implicit = |task, index| Record::ImplicitTaskBegin { parallel: 1, task, team: 2, index, flags: 2 };
    let codeptr = 0x1000;
    write(
        0,
        &[
            (100, Record::ParallelBegin { parallel: 1, task: 9, requested: 2, flags: 0, codeptr }),
            (110, implicit(2, 0)),
            (190, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (200, Record::ParallelEnd { parallel: 1, codeptr }),
        ],
    );
    write(
        1,
        &[
            (120, implicit(3, 1)),
            (150, Record::SyncBegin { kind: 9, codeptr }),
            (150, Record::WaitBegin { kind: 9, codeptr }),
            (900, Record::WaitEnd { kind: 9 }),
            (900, Record::SyncEnd { kind: 9 }),
            (900, Record::ImplicitTaskEnd { task: 3, index: 1 }),
        ],
    );
    let slices = slices(&export(dir.path()).1);
    let worker: Vec<_> = slices.iter().filter(|slice| slice.track != slices[0].track).collect();
    assert_eq!(worker.len(), 3, "{slices:?}");
    assert!(worker.iter().all(|slice| slice.end == 200), "{worker:?}");

    let trace = Trace::open(dir.path()).unwrap();
    let summary = Summary::of(&trace, &mut |_, _| {});
    let [region] = &summary.regions[..] else { panic!("one region") };
    assert_eq!((region.total_ns, region.thread_ns), (100, 200));
    // Thread 0: 10 fork, 80 work, 10 join. Thread 1: 20 not yet there, 30 work, 50 waiting.
    assert_eq!((region.work_ns, region.barrier_ns, region.runtime_ns, region.idle_ns), (110, 50, 20, 20));
    assert_eq!(region.max_work_ns, 80);
    assert_eq!(format!("{:.2}", region.imbalance()), "31.25");
    assert_eq!(summary.serial_ns, 900);
}

//! The export to Perfetto, read back with Perfetto's own schema.

mod common;
mod synthetic;

use common::{compile, recorded};
use ferromp_trace::analysis::regions;
use ferromp_trace::export::perfetto;
use ferromp_trace::reader::Trace;
use ferromp_trace::selection::Regions;
use ferromp_trace::store::Record;
use ferromp_trace::symbols::Symbolizer;
use perfetto_protos::trace_packet::TracePacket;
use perfetto_protos::track_event::track_event::Type;
use protobuf::Message as _;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use synthetic::implicit;

fn export(dir: &Path) -> (perfetto::Counts, Vec<TracePacket>) {
    export_of(&Trace::open(dir).unwrap())
}

fn export_of(trace: &Trace) -> (perfetto::Counts, Vec<TracePacket>) {
    let mut bytes = Vec::new();
    let mut symbols = Symbolizer::new(&trace.modules);
    let counts = perfetto::write(trace, &mut symbols, &mut bytes, &mut |done, total| assert!(done <= total)).unwrap();
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
    // Tracks of samples and counters.
    let mut below = BTreeSet::new();
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
            if track.has_name() {
                assert!(tracks.contains(&track.parent_uuid()), "the thread's track was described before");
                below.insert(track.uuid());
            }
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
        if !matches!(event.type_(), Type::TYPE_SLICE_END | Type::TYPE_COUNTER) {
            assert!(event.category_iids.iter().all(|iid| categories.contains(iid)));
            assert!(!event.has_source_location_iid() || locations.contains(&event.source_location_iid()));
        }
        match event.type_() {
            Type::TYPE_SLICE_BEGIN => stack.push(slice()),
            Type::TYPE_SLICE_END => {
                let slice = stack.pop().expect("an end follows a begin");
                done.push(Slice { end: packet.timestamp(), ..slice });
            }
            Type::TYPE_INSTANT if below.contains(&event.track_uuid()) => {}
            Type::TYPE_INSTANT => done.push(slice()),
            Type::TYPE_COUNTER => assert!(below.contains(&event.track_uuid())),
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

/// A worker that notices the region's end only at the next fork: its barrier ends with the region.
#[test]
fn a_late_end_is_cut_at_the_region() {
    let dir = tempfile::tempdir().unwrap();
    let codeptr = 0x1000;
    synthetic::trace(
        dir.path(),
        1000,
        &[
            &[
                (100, Record::ParallelBegin { parallel: 1, task: 9, requested: 2, flags: 0, codeptr }),
                (110, implicit(1, 2, 2, 0)),
                (190, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (200, Record::ParallelEnd { parallel: 1, codeptr }),
            ],
            &[
                (120, implicit(1, 3, 2, 1)),
                (150, Record::SyncBegin { kind: 9, codeptr }),
                (150, Record::WaitBegin { kind: 9, codeptr }),
                (900, Record::WaitEnd { kind: 9 }),
                (900, Record::SyncEnd { kind: 9 }),
                (900, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let slices = slices(&export(dir.path()).1);
    let worker: Vec<_> = slices.iter().filter(|slice| slice.track != slices[0].track).collect();
    assert_eq!(worker.len(), 3, "{slices:?}");
    assert!(worker.iter().all(|slice| slice.end == 200), "{worker:?}");
}

/// A worker's events may be read before those of the thread that encountered its region.
#[test]
fn what_a_worker_of_a_selected_region_asks_a_device_for_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (0x1000, 0x2000);
    let begin = |parallel, codeptr| Record::ParallelBegin { parallel, task: 9, requested: 2, flags: 0, codeptr };
    let leave = |task| Record::ImplicitTaskEnd { task, index: 1 };
    let launched = |op| Record::SubmitBegin { op, teams: 1 };
    let carried_out = |op| Record::Operation { op, kind: 0, amount: 1, late: 0, length: 10 };
    let mut trace = synthetic::trace(
        dir.path(),
        1000,
        &[
            &[
                (110, implicit(1, 3, 2, 1)),
                (120, launched(21)),
                (190, leave(3)),
                (310, implicit(2, 4, 2, 1)),
                (320, launched(22)),
                (390, leave(4)),
            ],
            &[
                (100, begin(1, one)),
                (200, Record::ParallelEnd { parallel: 1, codeptr: one }),
                (300, begin(2, other)),
                (400, Record::ParallelEnd { parallel: 2, codeptr: other }),
                (500, launched(23)),
            ],
            &[
                (0, Record::OnDevice { device: 0, thread: 0 }),
                (150, carried_out(21)),
                (350, carried_out(22)),
                (550, carried_out(23)),
            ],
        ],
    );
    for (codeptr, begin) in [(one, 140), (other, 340)] {
        let sites = regions(&trace, &mut |_, _| {}).into_iter().filter(|site| site.codeptr == codeptr).collect();
        trace.selection.regions = Some(Regions { sites, names: vec!["it".into()] });
        let slices = slices(&export_of(&trace).1);
        let kernels: Vec<u64> =
            slices.iter().filter(|slice| slice.name.starts_with("kernel")).map(|slice| slice.begin).collect();
        assert_eq!(kernels, [begin], "{slices:?}");
    }
}

/// A task inside a wait inside a task: each slice ends in its own turn, also when the trace breaks off.
#[test]
fn slices_nest_and_are_closed_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let codeptr = 0x1000;
    let create = |task| Record::TaskCreate { parent: 2, task, flags: 4, dependences: 0, codeptr };
    let schedule = |prior, status, next| Record::TaskSchedule { prior, status, next };
    synthetic::trace(
        dir.path(),
        100,
        &[&[
            (0, Record::ParallelBegin { parallel: 1, task: 9, requested: 1, flags: 0, codeptr }),
            (0, implicit(1, 2, 1, 0)),
            (5, create(5)),
            (10, schedule(2, 7, 5)),
            (20, create(6)),
            (30, Record::WaitBegin { kind: 5, codeptr }),
            (40, schedule(5, 7, 6)),
            (60, schedule(6, 1, 5)),
            (70, Record::WaitEnd { kind: 5 }),
            (80, Record::WorkBegin { kind: 1, count: 4, codeptr }),
        ]],
    );
    let slices = slices(&export(dir.path()).1);
    let times: Vec<_> = slices.iter().map(|slice| (slice.name.as_str(), slice.begin, slice.end)).collect();
    assert_eq!(
        times,
        [
            ("create task 0x1000", 5, 5),
            ("create task 0x1000", 20, 20),
            ("task 0x1000", 40, 60),
            ("wait 0x1000", 30, 70),
            ("loop 0x1000", 80, 100),
            ("task 0x1000", 10, 100),
            ("implicit task 0x1000", 0, 100),
            ("parallel 0x1000", 0, 100),
        ]
    );
}

/// Kinds that this version does not know: nothing is lost, and the numbers are shown.
#[test]
fn kinds_of_later_versions_are_slices_with_their_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let codeptr = 0x1000;
    synthetic::trace(
        dir.path(),
        100,
        &[&[
            (0, Record::ParallelBegin { parallel: 1, task: 9, requested: 1, flags: 0x7f00_0000, codeptr }),
            (0, implicit(1, 2, 1, 0)),
            (10, Record::WorkBegin { kind: 99, count: 4, codeptr }),
            (20, Record::WorkEnd { kind: 99 }),
            (30, Record::SyncBegin { kind: 98, codeptr }),
            (40, Record::SyncEnd { kind: 98 }),
            (50, Record::TargetBegin { target: 5, kind: 97, device: 0, codeptr }),
            (60, Record::TargetEnd { target: 5 }),
        ]],
    );
    let slices = slices(&export(dir.path()).1);
    let names: Vec<_> = slices.iter().map(|slice| slice.name.as_str()).collect();
    for name in ["worksharing 99 0x1000", "synchronisation 98 0x1000", "device construct 97 0x1000"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

/// A value is the sum from the start. A share of 0 means that nothing is known.
#[test]
fn counters_have_tracks_below_their_threads() {
    let dir = tempfile::tempdir().unwrap();
    let count = |value, share| Record::Counter { counter: 1, value, share };
    let events = [(10, count(5, 100)), (20, count(7, 0)), (30, count(7, 100)), (40, count(1, 50))];
    let mut trace = synthetic::trace(dir.path(), 100, &[&events]);
    trace.meta.counters = vec!["cycles".into(), "page-faults".into()];
    let packets = export_of(&trace).1;
    assert!(slices(&packets).is_empty());
    let track = packets.iter().map(|packet| packet.track_descriptor()).find(|track| track.counter.is_some()).unwrap();
    assert_eq!(track.name(), "page-faults");
    let counted = packets.iter().filter(|packet| packet.track_event().has_counter_value());
    let counted: Vec<i64> = counted.map(|packet| packet.track_event().counter_value()).collect();
    assert_eq!(counted, [5, 12, 13]);
}

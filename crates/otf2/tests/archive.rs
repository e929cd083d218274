//! Archives of random programs, read back with OTF2's own commands.

#[path = "../../trace/tests/generated/mod.rs"]
mod generated;
#[path = "../../trace/tests/synthetic/mod.rs"]
mod synthetic;

use ferromp_trace::analysis::Summary;
use ferromp_trace::export::{Format, Written, csv};
use ferromp_trace::reader::Trace;
use ferromp_trace::selection::Window;
use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, clock};
use ferromp_trace::symbols::Symbolizer;
use generated::programs;
use proptest::prelude::*;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn export(trace: &Trace, folder: &Path) -> Written {
    std::fs::create_dir(folder).unwrap();
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut writer = Box::new(ferromp_otf2::Writer::new(folder).unwrap());
    writer.add(trace, &mut symbols, &mut |done, total| assert!(done <= total)).unwrap();
    writer.finish().unwrap()
}

/// What a command of OTF2 prints of an archive, without a warning.
fn printed(command: &str, words: &[&str], folder: &Path) -> String {
    let done = Command::new(command).args(words).arg(folder.join("traces.otf2")).output();
    let done = done.unwrap_or_else(|error| panic!("{command}: {error}; Debian's package otf2-tools has it"));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.is_empty(), "{command}: {said}");
    String::from_utf8(done.stdout).unwrap()
}

/// An event as otf2-print shows it.
struct Event {
    what: String,
    location: u64,
    time: u64,
    rest: String,
}

fn events(folder: &Path) -> Vec<Event> {
    let text = printed("otf2-print", &[], folder);
    let event = |line: &str| {
        let mut words = line.split_whitespace();
        let what = words.next()?.to_owned();
        let [location, time] = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
        Some(Event { what, location, time, rest: words.collect::<Vec<_>>().join(" ") })
    };
    text.lines().filter_map(event).collect()
}

/// How many regions are entered and left, and their nanoseconds; panics if they are not nested.
fn intervals(events: &[Event]) -> (u64, u64) {
    let (mut open, mut sum) = (HashMap::<u64, Vec<(u64, &str)>>::new(), (0, 0));
    for Event { what, location, time, rest } in events {
        let stack = open.entry(*location).or_default();
        match what.as_str() {
            "ENTER" => stack.push((*time, rest)),
            "LEAVE" => {
                let (begin, entered) = stack.pop().unwrap();
                assert_eq!(entered, rest);
                sum = (sum.0 + 1, sum.1 + time - begin);
            }
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty));
    sum
}

/// Sizes that otf2-estimator gives for these events, in an archive with so many regions.
fn estimated(regions: usize, events: &[&str]) -> Vec<u64> {
    let mut estimator = Command::new("otf2-estimator");
    let mut child = estimator.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let asked: String = events.iter().map(|event| format!("get {event}\n")).collect();
    let words = format!("set Region {regions}\nget Timestamp\n{asked}exit\n");
    child.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();
    let sizes = text.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    sizes.collect()
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 12, max_shrink_iters: 32, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn archives_have_what_the_trace_has(
        program in programs(),
        (from_ns, length) in (0u64..500, 1u64..500),
        windowed in prop::bool::ANY,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let about = Meta { program: "/opt/app".into(), start_unix_ns: 1_700_000_000_000_000_000, ..Meta::default() };
        let mut trace = generated::write(dir.path(), about, &program);
        trace.selection.window = windowed.then_some(Window { from_ns, to_ns: from_ns + length });
        let mut text = Vec::new();
        let mut format = Box::new(csv::Writer::new(&mut text).unwrap());
        format.add(&trace, &mut Symbolizer::new(&trace.modules), &mut |_, _| {}).unwrap();
        format.finish().unwrap();
        let (mut count, mut ns) = (0, 0);
        for row in ::csv::Reader::from_reader(&text[..]).deserialize::<HashMap<String, String>>() {
            let row = row.unwrap();
            let number = |name: &str| row[name].parse::<u64>().unwrap();
            (count, ns) = (count + 1, ns + number("end_ns") - number("begin_ns"));
        }
        let folder = dir.path().join("archive");
        let written = export(&trace, &folder);
        let events = events(&folder);
        prop_assert_eq!(&written.parts, &vec![(3, "locations"), (events.len() as u64, "events")]);
        prop_assert_eq!(intervals(&events), (count, ns));
        let named = |name: &str| events.iter().filter(|event| event.what == name).count() as u64;
        let summary = Summary::of(&trace, &mut |_, _| {});
        prop_assert_eq!(named("METRIC"), summary.samples.count);
        prop_assert_eq!(named("THREAD_FORK"), named("THREAD_JOIN"));
        prop_assert_eq!(named("THREAD_TEAM_BEGIN"), named("THREAD_TEAM_END"));
        if !windowed {
            prop_assert_eq!(named("THREAD_FORK"), summary.regions.iter().map(|region| region.calls).sum::<u64>());
            prop_assert_eq!(named("THREAD_TASK_CREATE"), summary.tasks.iter().map(|it| it.created).sum::<u64>());
            prop_assert_eq!(named("THREAD_TASK_COMPLETE"), summary.tasks.iter().map(|it| it.completed).sum::<u64>());
            prop_assert_eq!(named("THREAD_ACQUIRE_LOCK"), summary.locks.iter().map(|lock| lock.count).sum::<u64>());
            prop_assert_eq!(named("THREAD_RELEASE_LOCK"), named("THREAD_ACQUIRE_LOCK"));
        }
    }
}

/// One thread begins a task and suspends it, another one ends it.
#[test]
fn a_task_that_migrates_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let codeptr = 0x1000;
    let create = |task| Record::TaskCreate { parent: 2, task, flags: 4, dependences: 1, codeptr };
    let schedule = |prior, status, next| Record::TaskSchedule { prior, status, next };
    let begin = Record::ParallelBegin { parallel: 1, task: 9, requested: 2, flags: 0, codeptr };
    let trace = synthetic::trace(
        dir.path(),
        100,
        &[
            &[
                (0, begin),
                (0, synthetic::implicit(1, 2, 2, 0)),
                (5, create(5)),
                (6, create(6)),
                (10, schedule(2, 7, 5)),
                (20, schedule(5, 2, 6)),
                (80, schedule(6, 1, 2)),
                (90, Record::ImplicitTaskEnd { task: 2, index: 0 }),
                (90, Record::ParallelEnd { parallel: 1, codeptr }),
            ],
            &[
                (1, synthetic::implicit(1, 3, 2, 1)),
                (30, schedule(3, 7, 5)),
                (70, schedule(5, 1, 3)),
                (80, Record::ImplicitTaskEnd { task: 3, index: 1 }),
            ],
        ],
    );
    let folder = dir.path().join("archive");
    export(&trace, &folder);
    let events = events(&folder);
    let number = |rest: &str, name: &str| -> u64 {
        let text = rest.split(name).nth(1).unwrap();
        text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    let tasks = events.iter().filter_map(|event| {
        let what = event.what.strip_prefix("THREAD_TASK_")?;
        let [creator, generation] = ["Creating Thread: ", "Generation Number: "].map(|name| number(&event.rest, name));
        Some((event.time, event.location, what, creator, generation))
    });
    assert_eq!(
        tasks.collect::<Vec<_>>(),
        [
            (5, 0, "CREATE", 0, 1),
            (6, 0, "CREATE", 0, 2),
            (10, 0, "SWITCH", 0, 1),
            (20, 0, "SWITCH", 0, 2),
            (30, 1, "SWITCH", 0, 1),
            (70, 1, "COMPLETE", 0, 1),
            (70, 1, "SWITCH", 1, 0),
            (80, 0, "COMPLETE", 0, 2),
            (80, 0, "SWITCH", 0, 0),
        ]
    );
    // Two regions of the team and three parts of tasks, each entered once.
    let sizes = estimated(3, &["Enter", "Leave"]);
    let [.., enter, leave] = &sizes[..] else { panic!("{sizes:?}") };
    let file = folder.join("traces/0.evt").metadata().unwrap().len();
    assert!(*enter > 0 && *leave > 0 && file > 4, "{sizes:?}");
}

/// More events than the library keeps in memory.
#[test]
fn many_events_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let pairs = 60_000u64;
    let events: Vec<(u64, Record)> = (0..pairs)
        .flat_map(|turn| [(10 * turn, Record::MaskedBegin { codeptr: 0x1000 }), (10 * turn + 7, Record::MaskedEnd {})])
        .collect();
    let folder = dir.path().join("archive");
    let trace = long(&dir.path().join("trace"), &events);
    export(&trace, &folder);
    assert_eq!(intervals(&self::events(&folder)), (pairs, 7 * pairs));
    assert!(folder.join("traces/0.evt").metadata().unwrap().len() > 1 << 20);
}

/// A trace of one thread that needs many chunks.
fn long(dir: &Path, events: &[(u64, Record)]) -> Trace {
    std::fs::create_dir(dir).unwrap();
    synthetic::trace(dir, 10 * events.len() as u64, &[]);
    let folder = Folder::open(dir).unwrap();
    let mut writer = Writer::create(&folder, 0, "t", clock::Ticker::choose(), 0).unwrap();
    for (time, record) in events {
        if writer.is_full() {
            writer.grow().unwrap();
        }
        assert!(writer.record(*time, record));
    }
    writer.finish();
    Trace::open(dir).unwrap()
}

/// Streams of devices, counters, and names from outside.
#[test]
fn devices_and_counters_and_hostile_names() {
    let dir = tempfile::tempdir().unwrap();
    let name = "a;b\"c',\r\n\0 7 \u{202e}";
    let done = |op, kind, late, length| Record::Operation { op, kind, amount: 8, late, length };
    let counted = |value| Record::Counter { counter: 0, value, share: 100 };
    let host = [
        (5, counted(10)),
        (10, Record::SubmitBegin { op: 3, teams: 1 }),
        (12, Record::SubmitEnd { op: 3 }),
        (20, counted(7)),
    ];
    let device = [
        (0, Record::OnDevice { device: 0, thread: 0 }),
        (100, done(3, 0, 10, 60)),
        (100, done(4, 2, 0, 50)),
        (120, done(5, 3, 60, 40)),
    ];
    let about = Meta { program: name.into(), counters: vec!["cycles".into()], ..Meta::default() };
    let trace = synthetic::trace_of(dir.path(), about, &Modules::default(), 200, &[&host, &device]);
    let folder = dir.path().join("archive");
    let written = export(&trace, &folder);
    assert_eq!(written.parts[0], (4, "locations"), "the thread, the kernels, and two lanes of copies");
    let events = events(&folder);
    assert_eq!(intervals(&events), (4, 2 + 60 + 50 + 40));
    let metrics = events.iter().filter(|event| event.what == "METRIC");
    let metrics: Vec<&str> = metrics.map(|event| event.rest.as_str()).collect();
    assert!(metrics.len() == 2 && metrics[0].contains("10") && metrics[1].contains("17"), "{metrics:?}");
    let definitions = printed("otf2-print", &["-G"], &folder);
    for line in ["Type: ACCELERATOR,", "Type: ACCELERATOR_STREAM, # Events: 2", "\"cycles\""] {
        assert!(definitions.contains(line), "{line}: {definitions}");
    }
}

//! The exports of random programs, read back: all formats have the same intervals, waits and samples, and those are
//! what the summary says.

mod generated;
mod synthetic;

use ferromp_trace::analysis::{Summary, regions};
use ferromp_trace::export::intervals::Intervals;
use ferromp_trace::export::slices::{Details, Open, Title};
use ferromp_trace::export::walk::{Operation, Visitor, walk};
use ferromp_trace::export::{Format, chrome, csv, folded, perf_script, perfetto, speedscope};
use ferromp_trace::reader::{Sample, Trace};
use ferromp_trace::selection::{Regions, Window};
use ferromp_trace::store::{Meta, Modules, Record};
use ferromp_trace::symbols::Symbolizer;
use generated::{REGIONS, programs};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{Result, Write};

/// How many intervals, and their nanoseconds.
type Sum = (u64, u64);

/// What a walk finds.
#[derive(Default)]
struct Found {
    all: Sum,
    selves: u64,
    parallel: Sum,
    tasks: Sum,
    waits: u64,
    locks: Sum,
    operations: Sum,
    samples: u64,
}

struct Reference(Intervals, Found);

impl Visitor for Reference {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        self.0.begin(thread, ns, open, title, details);
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        let (interval, found) = (self.0.end(thread, ns).unwrap(), &mut self.1);
        let add = |sum: &mut Sum, ns| *sum = (sum.0 + 1, sum.1 + ns);
        add(&mut found.all, interval.duration_ns());
        found.selves += interval.self_ns;
        found.waits += if interval.is_wait() { interval.self_ns } else { 0 };
        match interval.open {
            Open::Parallel(_) => add(&mut found.parallel, interval.duration_ns()),
            Open::Task(_) => add(&mut found.tasks, interval.self_ns),
            Open::Acquire => add(&mut found.locks, interval.duration_ns()),
            _ => {}
        }
        Ok(())
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        let (count, ns) = self.1.operations;
        self.1.operations = (count + 1, ns + operation.end_ns - operation.begin_ns);
        Ok(())
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sample(&mut self, _: usize, _: u64, _: &Sample) -> Result<()> {
        self.1.samples += 1;
        Ok(())
    }
}

fn found(trace: &Trace) -> Found {
    let mut reference = Reference(Intervals::new(trace.threads.len()), Found::default());
    walk(trace, &mut reference, &mut |done, total| assert!(done <= total)).unwrap();
    reference.1
}

/// The text of an export.
fn export<'a>(trace: &Trace, out: &'a mut Vec<u8>, format: impl FnOnce(&'a mut dyn Write) -> Box<dyn Format + 'a>) {
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut format = format(out);
    format.add(trace, &mut symbols, &mut |done, total| assert!(done <= total)).unwrap();
    format.finish().unwrap();
}

macro_rules! exported {
    ($trace:expr, $out:ident => $format:expr) => {{
        let mut bytes = Vec::new();
        export($trace, &mut bytes, |$out| Box::new($format));
        String::from_utf8(bytes).unwrap()
    }};
}

fn scratch() -> std::fs::File {
    tempfile::tempfile().unwrap()
}

fn of_csv(trace: &Trace) -> (Sum, u64) {
    let text = exported!(trace, out => csv::Writer::new(out).unwrap());
    let (mut sum, mut selves) = ((0, 0), 0);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().unwrap().clone();
    for row in reader.records() {
        let row = row.unwrap();
        let number = |name: &str| -> u64 { row[columns.iter().position(|it| it == name).unwrap()].parse().unwrap() };
        sum = (sum.0 + 1, sum.1 + number("end_ns") - number("begin_ns"));
        selves += number("self_ns");
    }
    (sum, selves)
}

/// The sum of the weights of folded stacks; no line is anything else.
fn of_folded(trace: &Trace, of: folded::Of) -> u64 {
    let text = exported!(trace, out => folded::Writer::new(out, of));
    text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum()
}

/// The intervals of a profile with begins and ends; panics where speedscope would complain.
fn of_speedscope(trace: &Trace) -> Sum {
    let text = exported!(trace, out => speedscope::Writer::new(out, speedscope::Of::Intervals, scratch()).unwrap());
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = document["shared"]["frames"].as_array().unwrap().len() as u64;
    let mut sum = (0, 0);
    for profile in document["profiles"].as_array().unwrap() {
        let (mut open, mut last) = (Vec::new(), profile["startValue"].as_u64().unwrap());
        for event in profile["events"].as_array().unwrap() {
            let [frame, at] = ["frame", "at"].map(|name| event[name].as_u64().unwrap());
            assert!(frame < frames && at >= last && at <= profile["endValue"].as_u64().unwrap(), "{profile:#}");
            last = at;
            match event["type"].as_str().unwrap() {
                "O" => open.push((frame, at)),
                _ => {
                    let (opened, begin) = open.pop().unwrap();
                    assert_eq!(opened, frame);
                    sum = (sum.0 + 1, sum.1 + at - begin);
                }
            }
        }
        assert!(open.is_empty());
    }
    sum
}

fn samples_of_speedscope(trace: &Trace) -> u64 {
    let text = exported!(trace, out => speedscope::Writer::new(out, speedscope::Of::Samples, scratch()).unwrap());
    let document: Value = serde_json::from_str(&text).unwrap();
    let frames = document["shared"]["frames"].as_array().unwrap().len() as u64;
    let mut count = 0;
    for profile in document["profiles"].as_array().unwrap() {
        let [samples, weights] = ["samples", "weights"].map(|name| profile[name].as_array().unwrap());
        assert_eq!(samples.len(), weights.len());
        let mut stacks = samples.iter().map(|stack| stack.as_array().unwrap());
        assert!(stacks.all(|stack| !stack.is_empty() && stack.iter().all(|frame| frame.as_u64().unwrap() < frames)));
        count += samples.len() as u64;
    }
    count
}

fn of_chrome(trace: &Trace) -> Sum {
    let text = exported!(trace, out => chrome::Writer::new(out, chrome::LONGEST).unwrap());
    let document: Value = serde_json::from_str(&text).unwrap();
    let (mut sum, mut open) = ((0, 0), HashMap::<u64, Vec<u64>>::new());
    for event in document["traceEvents"].as_array().unwrap() {
        let stack = open.entry(event["tid"].as_u64().unwrap()).or_default();
        let ns = || (event["ts"].as_f64().unwrap() * 1000.0).round() as u64;
        match event["ph"].as_str().unwrap() {
            "B" => stack.push(ns()),
            "E" => sum = (sum.0 + 1, sum.1 + ns() - stack.pop().unwrap()),
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty));
    sum
}

fn of_perfetto(trace: &Trace) -> Sum {
    use perfetto_protos::track_event::track_event::Type;
    use protobuf::Message as _;
    let mut bytes = Vec::new();
    perfetto::write(trace, &mut Symbolizer::new(&trace.modules), &mut bytes, &mut |_, _| {}).unwrap();
    let (mut sum, mut open) = ((0, 0), HashMap::<u64, Vec<u64>>::new());
    for packet in perfetto_protos::trace::Trace::parse_from_bytes(&bytes).unwrap().packet {
        let stack = open.entry(packet.track_event().track_uuid()).or_default();
        match packet.track_event().type_() {
            Type::TYPE_SLICE_BEGIN => stack.push(packet.timestamp()),
            Type::TYPE_SLICE_END => sum = (sum.0 + 1, sum.1 + packet.timestamp() - stack.pop().unwrap()),
            _ => {}
        }
    }
    sum
}

fn samples_of_perf_script(trace: &Trace) -> u64 {
    let text = exported!(trace, out => perf_script::Writer::new(out));
    let blocks: Vec<&str> = text.split_terminator("\n\n").collect();
    for block in &blocks {
        let mut lines = block.lines();
        let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
        assert!(head.len() == 5 && head[1].contains('/') && head[4] == "task-clock:u:", "{head:?}");
        assert!(lines.all(|line| line.starts_with('\t') && line.ends_with(')')), "{block}");
    }
    blocks.len() as u64
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 48, max_shrink_iters: 64, failure_persistence: None, ..ProptestConfig::default() }
}

fn app() -> Meta {
    Meta { program: "/opt/app".into(), start_unix_ns: 1_700_000_000_000_000_000, ..Meta::default() }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn all_formats_agree(
        program in programs(),
        (from_ns, length) in (0u64..500, 1u64..500),
        (windowed, selected) in (prop::bool::ANY, prop::bool::weighted(0.3)),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut trace = generated::write(dir.path(), app(), &program);
        trace.selection.window = windowed.then_some(Window { from_ns, to_ns: from_ns + length });
        let sites = || regions(&trace, &mut |_, _| {}).into_iter().filter(|site| site.codeptr == REGIONS).collect();
        trace.selection.regions = selected.then(|| Regions { sites: sites(), names: vec!["it".into()] });
        let found = found(&trace);
        let all = (found.all.0 + found.operations.0, found.all.1 + found.operations.1);
        prop_assert_eq!(of_csv(&trace), (all, found.selves + found.operations.1));
        prop_assert_eq!(of_speedscope(&trace), all);
        prop_assert_eq!(of_chrome(&trace), all);
        prop_assert_eq!(of_perfetto(&trace), all);
        prop_assert_eq!(of_folded(&trace, folded::Of::Intervals), found.selves);
        prop_assert_eq!(of_folded(&trace, folded::Of::Waits), found.waits);
        prop_assert_eq!(of_folded(&trace, folded::Of::Samples), found.samples);
        prop_assert_eq!(samples_of_speedscope(&trace), found.samples);
        prop_assert_eq!(samples_of_perf_script(&trace), found.samples);
        let summary = Summary::of(&trace, &mut |_, _| {});
        prop_assert_eq!(found.samples, summary.samples.count);
        prop_assert_eq!(found.parallel.1, summary.regions.iter().map(|region| region.total_ns).sum::<u64>());
        if trace.selection.is_all() {
            prop_assert_eq!(found.parallel.0, summary.regions.iter().map(|region| region.calls).sum::<u64>());
            let tasks = summary.tasks.iter().map(|tasks| (tasks.completed, tasks.total_ns));
            prop_assert_eq!(found.tasks.0, tasks.map(|(completed, _)| completed).sum::<u64>());
            let locks = summary.locks.iter().map(|lock| (lock.count, lock.wait_ns));
            prop_assert_eq!(found.locks, locks.fold((0, 0), |sum, lock| (sum.0 + lock.0, sum.1 + lock.1)));
        }
    }
}

/// Operations of a device overlap, and are reported late and out of order.
#[test]
fn operations_of_devices_are_in_all_formats() {
    let dir = tempfile::tempdir().unwrap();
    let done = |op, kind, late, length| Record::Operation { op, kind, amount: 8, late, length };
    let launch = [(10, Record::SubmitBegin { op: 3, teams: 1 }), (12, Record::SubmitEnd { op: 3 })];
    let device = [
        (0, Record::OnDevice { device: 0, thread: 0 }),
        (100, done(3, 0, 10, 60)),
        (100, done(4, 2, 0, 50)),
        (120, done(5, 3, 60, 40)),
        (130, done(6, 0, 0, 80)),
    ];
    let trace = synthetic::trace(dir.path(), 200, &[&launch, &device]);
    let all = (5, 2 + 60 + 50 + 40 + 80);
    assert_eq!(of_csv(&trace), (all, all.1));
    assert_eq!((of_speedscope(&trace), of_chrome(&trace), of_perfetto(&trace)), (all, all, all));
    assert_eq!(of_folded(&trace, folded::Of::Intervals), all.1);
}

/// Names of threads, programs and files are from outside.
#[test]
fn hostile_names_stay_in_their_fields() {
    let dir = tempfile::tempdir().unwrap();
    let name = "a;b\"c',\r\n\u{1b}[2J 7 \u{202e}";
    let modules: Modules = [ferromp_trace::store::Module {
        start: 0x40_0000,
        end: 0x80_0000,
        offset: 0,
        build_id: None,
        path: format!("/nowhere/{name}"),
    }]
    .into_iter()
    .collect();
    let codeptr = REGIONS + 1;
    let events = [
        (0, Record::ParallelBegin { parallel: 1, task: 9, requested: 1, flags: 0, codeptr }),
        (90, Record::ParallelEnd { parallel: 1, codeptr }),
    ];
    let about = Meta { program: name.into(), sample_rate: 199, ..Meta::default() };
    let trace = synthetic::trace_of(dir.path(), about, &modules, 100, &[&events]);
    let all = (1, 90);
    assert_eq!((of_csv(&trace), of_speedscope(&trace), of_chrome(&trace)), ((all, 90), all, all));
    let text = exported!(&trace, out => folded::Writer::new(out, folded::Of::Intervals));
    assert_eq!(text.lines().count(), 1, "{text}");
    assert_eq!(text.matches(';').count(), 1, "{text}");
    assert!(text.ends_with(" 90\n") && !text.contains('\x1b'), "{text:?}");
}

#[test]
fn without_samples_there_is_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let trace = synthetic::trace(dir.path(), 100, &[&[(0, Record::ThreadBegin { kind: 1 })]]);
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut bytes = Vec::new();
    let error = perf_script::Writer::new(&mut bytes).add(&trace, &mut symbols, &mut |_, _| {}).unwrap_err();
    let line = format!("{}: has no samples: it was recorded without them", dir.path().display());
    assert_eq!(error.to_string(), line);
}

#[test]
fn chrome_ends_where_no_viewer_follows() {
    let dir = tempfile::tempdir().unwrap();
    let trace = synthetic::trace(
        dir.path(),
        100,
        &[&[
            (0, Record::MaskedBegin { codeptr: 5 }),
            (5, Record::MaskedEnd {}),
            (9, Record::MaskedBegin { codeptr: 5 }),
        ]],
    );
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut bytes = Vec::new();
    let mut format = chrome::Writer::new(&mut bytes, 300).unwrap();
    let error = Format::add(&mut format, &trace, &mut symbols, &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("which no viewer of this format opens"), "{error}");
}

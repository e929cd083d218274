//! The exports of random programs, read back: all formats have the same intervals, waits and samples, and those are
//! what the summary says.

mod generated;
mod synthetic;

use ferromp_trace::analysis::{Summary, regions};
use ferromp_trace::export::intervals::Intervals;
use ferromp_trace::export::merge::Merging;
use ferromp_trace::export::slices::{Details, Open, Title};
use ferromp_trace::export::walk::{Operation, Visitor, walk};
use ferromp_trace::export::{Budget, Format, chrome, csv, folded, perf_script, perfetto, speedscope};
use ferromp_trace::reader::{Sample, Trace};
use ferromp_trace::selection::{Regions, Window};
use ferromp_trace::store::{Meta, Modules, Record};
use ferromp_trace::symbols::Symbolizer;
use generated::{REGIONS, programs};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
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

/// More than any export here takes.
const LARGE: Budget = Budget { bytes: 1 << 40, traces: 1 };

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
    let text =
        exported!(trace, out => speedscope::Writer::new(out, speedscope::Of::Intervals, scratch(), LARGE).unwrap());
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
    let text =
        exported!(trace, out => speedscope::Writer::new(out, speedscope::Of::Samples, scratch(), LARGE).unwrap());
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

/// What a file for Perfetto has: slices, with those that are merged into one counted as many, and samples.
fn of_perfetto(bytes: &[u8]) -> (Sum, u64) {
    use perfetto_protos::track_event::track_event::Type;
    use protobuf::Message as _;
    let (mut sum, mut samples, mut open) = ((0, 0), 0, HashMap::<u64, Vec<(u64, u64)>>::new());
    let (mut names, mut of_samples) = (HashMap::new(), HashSet::new());
    for packet in perfetto_protos::trace::Trace::parse_from_bytes(bytes).unwrap().packet {
        let interned = packet.interned_data.debug_annotation_names.iter();
        names.extend(interned.map(|name| (name.iid(), name.name().to_owned())));
        if packet.track_descriptor().name() == "samples" {
            of_samples.insert(packet.track_descriptor().uuid());
        }
        let event = packet.track_event();
        let merged = event.debug_annotations.iter().find(|one| names[&one.name_iid()] == "merged");
        let stack = open.entry(event.track_uuid()).or_default();
        match event.type_() {
            Type::TYPE_SLICE_BEGIN => stack.push((packet.timestamp(), merged.map_or(1, |one| one.uint_value()))),
            Type::TYPE_SLICE_END => {
                let (begin, count) = stack.pop().unwrap();
                sum = (sum.0 + count, sum.1 + packet.timestamp() - begin);
            }
            Type::TYPE_INSTANT => samples += u64::from(of_samples.contains(&event.track_uuid())),
            _ => {}
        }
    }
    (sum, samples)
}

fn perfetto_of(trace: &Trace) -> Vec<u8> {
    let mut bytes = Vec::new();
    perfetto::write(trace, &mut Symbolizer::new(&trace.modules), &mut bytes, &mut |_, _| {}).unwrap();
    bytes
}

/// For each title, and for instants, how many there are, and the sum of their durations.
#[derive(Default)]
struct ByTitle {
    open: Vec<Vec<(String, u64, u64)>>,
    sums: BTreeMap<String, Sum>,
    /// The last time of each thread.
    last: Vec<u64>,
}

impl ByTitle {
    fn new(threads: usize) -> ByTitle {
        ByTitle { open: vec![Vec::new(); threads], last: vec![0; threads], ..ByTitle::default() }
    }

    fn at(&mut self, thread: usize, ns: u64) {
        assert!(ns >= self.last[thread], "times of a thread never run backwards");
        self.last[thread] = ns;
    }

    fn count(details: &Details) -> u64 {
        details.values.into_iter().flatten().find(|(name, _)| *name == "merged").map_or(1, |(_, count)| count)
    }
}

impl Visitor for ByTitle {
    fn begin(&mut self, thread: usize, ns: u64, _: Open, title: Title, details: Details) -> Result<()> {
        self.at(thread, ns);
        let above = self.open[thread].last().map_or("", |(name, ..)| name);
        let name = format!("{above} > {} {:?}", title.name, title.site);
        self.open[thread].push((name, ns, Self::count(&details)));
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        self.at(thread, ns);
        let (name, begin, count) = self.open[thread].pop().unwrap();
        let sum = self.sums.entry(name).or_default();
        *sum = (sum.0 + count, sum.1 + ns - begin);
        Ok(())
    }

    fn instant(&mut self, thread: usize, ns: u64, title: Title, details: Details) -> Result<()> {
        self.at(thread, ns);
        let above = self.open[thread].last().map_or("", |(name, ..)| name);
        self.sums.entry(format!("{above} ! {} {:?}", title.name, title.site)).or_default().0 += Self::count(&details);
        Ok(())
    }

    fn operation(&mut self, _: Operation) -> Result<()> {
        Ok(())
    }
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
        let whole = perfetto_of(&trace);
        prop_assert_eq!(of_perfetto(&whole), (all, found.samples));
        let (mut small, most) = (Vec::new(), whole.len() as u64 * 2 / 3);
        let mut symbols = Symbolizer::new(&trace.modules);
        if perfetto::write_within(&trace, &mut symbols, &mut small, most, &mut |_, _| {}).is_ok() {
            prop_assert!(small.len() as u64 <= most);
            prop_assert_eq!(of_perfetto(&small), (all, found.samples));
        }
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

proptest! {
    #![proptest_config(few())]

    /// Each title has the same number and the same time under each parent, and times never run backwards.
    #[test]
    fn merged_slices_keep_all_sums(program in programs(), shorter_ns in 0u64..400) {
        let dir = tempfile::tempdir().unwrap();
        let trace = generated::write(dir.path(), app(), &program);
        let threads = trace.threads.len();
        let (mut plain, mut merged) = (ByTitle::new(threads), ByTitle::new(threads));
        walk(&trace, &mut plain, &mut |_, _| {}).unwrap();
        let mut merging = Merging::new(&mut merged, shorter_ns, threads);
        walk(&trace, &mut merging, &mut |_, _| {}).unwrap();
        let what = merging.finish().unwrap();
        prop_assert!(what.into <= what.slices);
        prop_assert_eq!(plain.sums, merged.sums);
        prop_assert!(merged.open.iter().all(Vec::is_empty));
    }
}

/// A thread waits and works in turn, so that slices of two titles alternate. A long slice stays where it is.
#[test]
fn short_slices_are_merged_around_long_ones() {
    let dir = tempfile::tempdir().unwrap();
    let short = |at: u64| {
        [
            (at, Record::MaskedBegin { codeptr: 5 }),
            (at + 300, Record::MaskedEnd {}),
            (at + 300, Record::SyncBegin { kind: 5, codeptr: 6 }),
            (at + 500, Record::SyncEnd { kind: 5 }),
        ]
    };
    let long = [(10_000, Record::MaskedBegin { codeptr: 7 }), (19_000, Record::MaskedEnd {})];
    let events: Vec<(u64, Record)> = (0..20)
        .flat_map(|turn| short(500 * turn))
        .chain(long)
        .chain((0..20).flat_map(|turn| short(20_000 + 500 * turn)))
        .collect();
    let trace = synthetic::trace(dir.path(), 40_000, &[&events]);
    let mut seen = Seen::default();
    let mut merging = Merging::new(&mut seen, 1_000, 1);
    walk(&trace, &mut merging, &mut |_, _| {}).unwrap();
    let merged = merging.finish().unwrap();
    assert_eq!((merged.slices, merged.into), (80, 4));
    let line = "80 slices shorter than 1.00 us are merged into 4; sums of durations are unchanged";
    assert_eq!(merged.line().as_deref(), Some(line));
    let expected =
        [(0, 6_000, 20), (6_000, 10_000, 20), (10_000, 19_000, 1), (20_000, 26_000, 20), (26_000, 30_000, 20)];
    assert_eq!(seen.slices, expected);
}

/// The slices of a thread without slices inside: begin, end, and how many each stands for.
#[derive(Default)]
struct Seen {
    slices: Vec<(u64, u64, u64)>,
}

impl Visitor for Seen {
    fn begin(&mut self, _: usize, ns: u64, _: Open, _: Title, details: Details) -> Result<()> {
        self.slices.push((ns, 0, ByTitle::count(&details)));
        Ok(())
    }

    fn end(&mut self, _: usize, ns: u64) -> Result<()> {
        self.slices.last_mut().unwrap().1 = ns;
        Ok(())
    }

    fn operation(&mut self, _: Operation) -> Result<()> {
        Ok(())
    }
}

/// An export that cannot be small enough says what to do instead.
#[test]
fn what_cannot_be_merged_ends_with_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let trace = synthetic::trace(dir.path(), 100, &[&[(0, Record::MaskedBegin { codeptr: 5 })]]);
    let mut symbols = Symbolizer::new(&trace.modules);
    let budget = Budget { bytes: 150, traces: 1 };
    let mut bytes = Vec::new();
    let error = perfetto::Writer::new(&mut bytes, Some(budget)).add(&trace, &mut symbols, &mut |_, _| {}).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("more than 150 B with all slices merged; --from, --until and --region export a part")
    );
    let mut writer = speedscope::Writer::new(&mut bytes, speedscope::Of::Intervals, scratch(), budget).unwrap();
    let error = Format::add(&mut writer, &trace, &mut symbols, &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("more than 150 B, which the viewer does not open; --from"), "{error}");
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
    assert_eq!((of_speedscope(&trace), of_chrome(&trace), of_perfetto(&perfetto_of(&trace)).0), (all, all, all));
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

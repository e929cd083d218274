//! The recorder under the system's libomp: programs with known amounts of everything, and what becomes of their traces.

mod common;

use common::{compile, recorded};
use ferromp_trace::analysis::Summary;
use ferromp_trace::reader::Trace;
use ferromp_trace::report;
use ferromp_trace::store::lock::{self, State};
use ferromp_trace::store::{Record, folder, segment};
use ferromp_trace::symbols::Symbolizer;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn summary(trace: &Trace) -> Summary {
    Summary::of(trace, &mut |_, _| {})
}

/// The line of `tests/programs/<name>.c` that holds `text`.
fn line_of(name: &str, text: &str) -> u32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let source = std::fs::read_to_string(path).unwrap();
    1 + source.lines().position(|line| line.contains(text)).unwrap() as u32
}

#[test]
fn a_mixture_is_counted_and_placed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let output = recorded(&compile(dir.path(), "mixture"), &path).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let trace = Trace::open(&path).unwrap();
    assert!(trace.meta.finished && trace.damage.is_empty(), "{:?}", trace.damage);
    assert!(trace.meta.program.ends_with("/mixture") && trace.meta.runtime.contains("LLVM"), "{:?}", trace.meta);
    assert!(trace.threads.iter().all(|thread| thread.finished));
    let summary = summary(&trace);
    let mut symbols = Symbolizer::new(&trace.modules);
    println!("{}", report::text(&trace, &summary, &mut symbols, &report::Style::plain()));
    let mut line = |codeptr| symbols.locate(codeptr).line;

    assert_eq!((summary.threads, summary.lost, summary.no_openmp), (4, 0, false));
    // This runtime does not know the functions of constructs.
    let mut records = trace.threads.iter().flat_map(|thread| trace.events(thread)).map(|event| event.record);
    assert!(!records.any(|record| matches!(record, Record::Function { .. })));
    assert_eq!(summary.regions.iter().map(|region| region.calls).sum::<u64>(), 25);
    for region in &summary.regions {
        let parts = region.work_ns + region.barrier_ns + region.sync_ns + region.idle_ns + region.runtime_ns;
        let off = parts.abs_diff(region.thread_ns);
        assert!(off <= region.thread_ns / 1000, "the parts differ from the whole by {off} ns: {region:?}");
    }
    let at = |text: &str| Some(line_of("mixture.c", text));
    let mut region = |text: &str| summary.regions.iter().find(|region| line(region.codeptr) == at(text)).unwrap();
    let looped = region("// 20 calls");
    assert_eq!((looped.calls, looped.max_threads, looped.serialized, looped.nested), (20, 4, 0, 0));
    // libomp reports another place for the nested region, so the test finds the region by its amount.
    let nested = summary.regions.iter().find(|region| region.nested > 0).unwrap();
    assert_eq!((nested.calls, nested.max_threads, nested.nested), (2, 1, 2));
    assert!(nested.work_ns >= 3_980_000, "{nested:?}");
    let serial = region("// 1 call, serialised");
    assert_eq!((serial.calls, serial.serialized), (1, 1));
    assert!(serial.work_ns >= 2_990_000, "{serial:?}");

    let critical = summary.locks.iter().find(|lock| &*lock.kind_name() == "critical").unwrap();
    assert_eq!((critical.count, critical.objects), (80, 1));
    assert!(critical.hold_ns >= 80 * 99_000 && critical.wait_ns > 0, "{critical:?}");
    let lock = summary.locks.iter().find(|lock| &*lock.kind_name() == "lock").unwrap();
    assert_eq!((lock.count, lock.objects), (2, 1));
    assert!(lock.hold_ns >= 19_900_000, "{lock:?}");

    let [tasks] = &summary.tasks[..] else { panic!("one place creates tasks: {:?}", summary.tasks) };
    assert_eq!((tasks.created, tasks.completed), (50, 50));
    assert!(tasks.min_ns >= 490_000 && tasks.total_ns >= 24_500_000, "{tasks:?}");
    assert_eq!(line(tasks.codeptr), at("// 50 tasks"));
    // What the tasks did is work of their region, wherever they were run.
    let region = summary.regions.iter().find(|region| line(region.codeptr) == at("num_threads(2) // 1 call")).unwrap();
    assert!(region.work_ns >= tasks.total_ns, "{region:?}");
}

#[test]
fn a_killed_program_leaves_a_trace() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let mut child = recorded(&compile(dir.path(), "forever"), &path).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let trace = Trace::open(&path).unwrap();
    assert!(!trace.meta.finished && trace.damage.is_empty(), "{:?}", trace.damage);
    let summary = summary(&trace);
    assert!(summary.regions[0].calls >= 10_000, "{summary:?}");
    assert!(summary.wall_ns > 1_000_000 && summary.wall_ns < 600_000_000_000, "{summary:?}");
    let before: Vec<_> = trace.events(&trace.threads[0]).collect();
    assert!(folder::trim(&path).unwrap() > 0);
    let trimmed = Trace::open(&path).unwrap();
    assert_eq!(trimmed.events(&trimmed.threads[0]).collect::<Vec<_>>(), before);
    let mut symbols = Symbolizer::new(&trimmed.modules);
    assert_eq!(symbols.locate(summary.regions[0].codeptr).line, Some(line_of("forever.c", "#pragma omp parallel")));
}

#[test]
fn a_forked_child_has_a_trace_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let output = recorded(&compile(dir.path(), "forking"), &path).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let traces = folder::traces_in(&path).unwrap();
    // The children that used no OpenMP have none.
    assert_eq!(traces.len(), 2, "{traces:?}");
    let [parent, child] = [&traces[0], &traces[1]].map(|path| Trace::open(path).unwrap());
    assert_eq!(child.meta.forked_from, Some(parent.meta.pid));
    assert_eq!(summary(&parent).regions.iter().map(|region| region.calls).sum::<u64>(), 20);
    assert_eq!(summary(&child).regions.iter().map(|region| region.calls).sum::<u64>(), 30);
}

/// A program that reports its steps on standard output, and continues at a byte on standard input.
struct Conversation {
    child: std::process::Child,
    said: BufReader<std::process::ChildStdout>,
}

impl Conversation {
    fn with(command: &mut Command) -> Conversation {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        Conversation { child, said }
    }

    fn hears(&mut self, expected: &str) {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), expected);
    }

    fn tells(&mut self) {
        self.child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
    }
}

#[test]
fn the_files_of_a_program_that_runs_are_not_shortened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let mut program = Conversation::with(&mut recorded(&compile(dir.path(), "lifetimes"), &path));
    // The child has closed the recorder's descriptors with all others.
    program.hears("closed");
    assert_eq!((lock::state(&path), folder::trim(&path).unwrap()), (State::Runs, 0));
    assert_eq!(path.join(folder::thread_file(0)).metadata().unwrap().len(), segment::FIRST);
    program.child.kill().unwrap();
    program.child.wait().unwrap();
    assert_eq!(lock::state(&path), State::Ended);
    assert!(folder::trim(&path).unwrap() > 0);
}

#[test]
fn a_child_neither_keeps_its_parent_alive_nor_dies_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let mut program = Conversation::with(&mut recorded(&compile(dir.path(), "lifetimes"), &path));
    program.hears("closed");
    program.tells();
    program.hears("child");
    // Not `wait`, which closes standard input: the children wait for its end.
    while program.child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let traces = folder::traces_in(&path).unwrap();
    let [parent, child] = &traces[..] else { panic!("{traces:?}") };
    assert_eq!((lock::state(parent), lock::state(child)), (State::Ended, State::Runs));
    assert!(folder::trim(parent).unwrap() > 0 && folder::trim(child).unwrap() == 0);
    let [parent, child] = [parent, child].map(|path| Trace::open(path).unwrap());
    assert_eq!(summary(&parent).regions.iter().map(|region| region.calls).sum::<u64>(), 20);
    assert_eq!(summary(&child).regions.iter().map(|region| region.calls).sum::<u64>(), 10);
    let text = report::text(&child, &summary(&child), &mut Symbolizer::new(&child.modules), &report::Style::plain());
    assert!(text.contains("the program still runs"), "{text}");
}

#[test]
fn a_process_that_executes_another_program_has_ended_its_trace() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let mut command = recorded(&compile(dir.path(), "lifetimes"), &path);
    let mut program = Conversation::with(command.args(["sh", "-c", "echo executed; cat"]));
    program.hears("closed");
    program.tells();
    program.hears("executed");
    assert_eq!(lock::state(&path), State::Ended);
    assert!(program.child.try_wait().unwrap().is_none(), "the process goes on");
}

#[test]
fn a_file_size_limit_below_the_description_ends_no_program() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let program = compile(dir.path(), "nothing");
    let limited = format!("ulimit -f 2; exec {} {}", program.display(), "x".repeat(3000));
    let output = recorded(Path::new("/bin/bash"), &path).args(["-c", &limited]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("ferromp: ") && said.contains("meta.json: File too large") && said.lines().count() == 1,
        "{said}"
    );
    assert!(!path.exists(), "what cannot be described is no trace");
}

#[test]
fn a_folder_of_another_user_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    std::fs::create_dir(&path).unwrap();
    if std::os::unix::fs::chown(&path, Some(65534), None).is_err() {
        return println!("skipped: only root can give a folder away");
    }
    let output = recorded(&compile(dir.path(), "nothing"), &path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the folder belongs to another user") && said.lines().count() == 1, "{said}");
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
}

#[test]
fn a_program_without_constructs_is_said_to_have_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace-%p-%%");
    let output = recorded(&compile(dir.path(), "nothing"), &path).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let entries = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let [path] = &entries.filter(|path| path.is_dir()).collect::<Vec<_>>()[..] else { panic!("one folder") };
    let trace = Trace::open(path).unwrap();
    assert!(path.to_str().unwrap().ends_with(&format!("trace-{}-%", trace.meta.pid)), "{path:?}");
    let summary = summary(&trace);
    assert!(summary.no_openmp && summary.regions.is_empty(), "{summary:?}");
    let text = report::text(&trace, &summary, &mut Symbolizer::new(&trace.modules), &report::Style::plain());
    assert!(text.contains("no OpenMP events"), "{text}");
}

#[test]
fn an_unwritable_folder_costs_one_line() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let path = dir.path().join("file/trace");
    let output = recorded(&compile(dir.path(), "mixture"), &path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("ferromp: ") && said.contains("file/trace") && said.lines().count() == 1, "{said}");
    assert!(output.stdout.starts_with(b"9.99e+06"), "{:?}", output.stdout);
}

#[test]
fn a_file_size_limit_loses_events_and_counts_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let program = compile(dir.path(), "forever");
    // The first chunk fits, the next one does not.
    let limited = format!("ulimit -f 1024; exec {}", program.display());
    let mut command = recorded(Path::new("/bin/sh"), &path);
    let mut child = command.args(["-c", &limited]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("ferromp: trace: ") && said.lines().count() == 1, "{said}");
    let trace = Trace::open(&path).unwrap();
    assert!(trace.lost() > 0 && summary(&trace).regions[0].calls > 1000);
    let text = report::text(&trace, &summary(&trace), &mut Symbolizer::new(&trace.modules), &report::Style::plain());
    assert!(text.contains("events were lost"), "{text}");
}

#[test]
fn ranks_share_a_name_and_have_a_folder_each() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let program = compile(dir.path(), "nothing");
    for rank in ["0", "1"] {
        assert!(recorded(&program, &path).env("OMPI_COMM_WORLD_RANK", rank).status().unwrap().success());
    }
    let traces = folder::traces_in(&path).unwrap();
    assert_eq!(traces, [path.join("rank-0"), path.join("rank-1")]);
    assert_eq!(Trace::open(&traces[1]).unwrap().meta.rank, Some(1));
}

#[test]
fn times_of_a_thread_never_run_backwards() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    assert!(recorded(&compile(dir.path(), "mixture"), &path).output().unwrap().status.success());
    let trace = Trace::open(&path).unwrap();
    for thread in &trace.threads {
        let events: Vec<_> = trace.events(thread).collect();
        let [used, begin, ..] = &events[..] else { panic!("two records at least") };
        assert!(matches!(used.record, Record::Usage { cpu_ns: 0, voluntary: 0, .. }), "{used:?}");
        assert!(matches!(begin.record, Record::ThreadBegin { .. }));
        assert!(events.is_sorted_by_key(|event| event.ns));
        assert!(events.last().unwrap().ns <= trace.duration_ns());
    }
}

#[test]
fn code_that_came_and_went_is_still_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let (opener, plugin) = (compile(dir.path(), "opener"), compile(dir.path(), "libplugin.so"));
    let output = recorded(&opener, &path).arg(plugin).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let trace = Trace::open(&path).unwrap();
    assert!(!trace.meta.finished, "the program left by _exit");
    let mut symbols = Symbolizer::new(&trace.modules);
    let regions = summary(&trace).regions;
    let mut places: Vec<_> = regions.iter().map(|region| symbols.locate(region.codeptr).short()).collect();
    places.sort();
    let line = |name: &str| format!("{name}:{}", line_of(name, "#pragma omp parallel"));
    assert_eq!(places, [line("opener.c"), line("plugin.c")]);
}

#[test]
fn many_threads_need_few_file_descriptors() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let program = compile(dir.path(), "crowd");
    let limited = format!("ulimit -n 20; exec {}", program.display());
    let output = recorded(Path::new("/bin/sh"), &path).args(["-c", &limited]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let trace = Trace::open(&path).unwrap();
    assert_eq!((trace.threads.len(), trace.meta.missed_threads, trace.lost()), (200, 0, 0));
    let regions = summary(&trace).regions;
    assert_eq!((regions.len(), regions[0].calls, regions[0].max_threads), (1, 3, 200));
}

#[test]
fn samples_need_no_large_stack_for_handlers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    assert!(recorded(&compile(dir.path(), "small_stack"), &path).output().unwrap().status.success());
    let trace = Trace::open(&path).unwrap();
    let samples = trace.samples(&trace.threads[0]).count();
    assert!(samples >= 50, "{samples} samples in half a second");
}

#[test]
fn places_are_named_as_well_as_the_program_allows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    let program = compile(dir.path(), "crowd");
    assert!(recorded(&program, &path).status().unwrap().success());
    let trace = Trace::open(&path).unwrap();
    let codeptr = summary(&trace).regions[0].codeptr;
    let place = || Symbolizer::new(&trace.modules).locate(codeptr).long();
    let strip = |option| assert!(Command::new("strip").arg(option).arg(&program).status().unwrap().success());
    assert_eq!(place(), format!("main (crowd.c:{})", line_of("crowd.c", "#pragma omp parallel")));
    strip("--strip-debug");
    assert!(place().starts_with("main+0x"), "{}", place());
    strip("--strip-all");
    assert!(place().starts_with("crowd+0x"), "{}", place());
    // Another program in its place: its names would be wrong.
    compile(dir.path(), "nothing");
    std::fs::rename(dir.path().join("nothing"), &program).unwrap();
    assert!(place().starts_with("crowd+0x"), "{}", place());
}

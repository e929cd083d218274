//! Reports of a trace whose every time is chosen here, so that each number in them can be checked by hand.

use crate::common;

use std::path::Path;

use ferromp_trace::store::clock::{Clock, Pair, Source, Ticker};
use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, meta};

/// Later than this machine's clocks: the recording's start.
const START: u64 = 1 << 62;

const REGION: u64 = 0x40_1000;
const CRITICAL: u64 = 0x40_2000;
const TASK: u64 = 0x40_3000;

/// `ompt_task_explicit`.
const EXPLICIT: u64 = 4;
/// `ompt_task_complete`.
const COMPLETE: u64 = 1;
/// `ompt_task_switch`.
const SWITCH: u64 = 7;
/// `ompt_mutex_critical`.
const CRITICAL_KIND: u64 = 5;
/// `ompt_sync_region_barrier_implicit_parallel`.
const BARRIER: u64 = 9;

/// The regions: three executions by two threads, 80 us each, that begin 100 us apart, the first after 10 us.
fn region_begins() -> impl Iterator<Item = (u64, u64)> {
    (0..3).map(|call| (call, 10_000 + 100_000 * call))
}

/// What the initial thread did. It works 60 us of each region, 5 us of these in a task, and waits 20 us in the barrier.
fn initial_thread() -> Vec<(u64, Record)> {
    let mut events = vec![
        (0, Record::ThreadBegin { kind: 1 }),
        (0, Record::ImplicitTaskBegin { parallel: 0, task: 2, team: 1, index: 1, flags: 1 }),
    ];
    for (call, begin) in region_begins() {
        let (parallel, task, explicit) = (10 + call, 20 + 2 * call, 40 + call);
        events.extend([
            (begin, Record::ParallelBegin { parallel, task: 2, requested: 2, flags: 0x8000_0002, codeptr: REGION }),
            (begin, Record::ImplicitTaskBegin { parallel, task, team: 2, index: 0, flags: 2 }),
            (
                begin + 10_000,
                Record::TaskCreate { parent: task, task: explicit, flags: EXPLICIT, dependences: 0, codeptr: TASK },
            ),
            (begin + 20_000, Record::TaskSchedule { prior: task, status: SWITCH, next: explicit }),
            (begin + 25_000, Record::TaskSchedule { prior: explicit, status: COMPLETE, next: task }),
            (begin + 60_000, Record::SyncBegin { kind: BARRIER, codeptr: REGION }),
            (begin + 60_000, Record::WaitBegin { kind: BARRIER, codeptr: REGION }),
            (begin + 80_000, Record::WaitEnd { kind: BARRIER }),
            (begin + 80_000, Record::SyncEnd { kind: BARRIER }),
            (begin + 80_000, Record::ImplicitTaskEnd { task, index: 0 }),
            (begin + 80_000, Record::ParallelEnd { parallel, codeptr: REGION }),
        ]);
    }
    events.push((400_000, Record::ImplicitTaskEnd { task: 2, index: 1 }));
    events.push((400_000, Record::ThreadEnd {}));
    events
}

/// What the worker did. It comes 8 us late, waits 12 us for a critical region that it holds for 30 us, and is the last
/// at the barrier.
fn worker() -> Vec<(u64, Record)> {
    let mut events = vec![(5_000, Record::ThreadBegin { kind: 2 })];
    for (call, begin) in region_begins() {
        let (parallel, task, wait) = (10 + call, 21 + 2 * call, 0x7000);
        events.extend([
            (begin + 8_000, Record::ImplicitTaskBegin { parallel, task, team: 2, index: 1, flags: 2 }),
            (begin + 20_000, Record::MutexAcquire { kind: CRITICAL_KIND, wait, codeptr: CRITICAL }),
            (begin + 32_000, Record::MutexAcquired { kind: CRITICAL_KIND, wait }),
            (begin + 62_000, Record::MutexReleased { kind: CRITICAL_KIND, wait }),
            (begin + 80_000, Record::SyncBegin { kind: BARRIER, codeptr: REGION }),
            (begin + 80_000, Record::SyncEnd { kind: BARRIER }),
            (begin + 80_000, Record::ImplicitTaskEnd { task, index: 1 }),
        ]);
    }
    events.push((400_000, Record::ThreadEnd {}));
    events
}

/// Writes the trace of a process into `folder`.
pub fn write(folder: &Path, pid: u32) {
    std::fs::create_dir_all(folder).unwrap();
    let start = Pair { ticks: START, ns: START };
    let meta = Meta {
        format: meta::FORMAT,
        program: "/opt/example/solve".into(),
        argv: vec!["solve".into(), "input.dat".into()],
        pid,
        hostname: "node1".into(),
        start_unix_ns: 1_700_000_000_000_000_000,
        cpus: 2,
        runtime: "an OpenMP runtime".into(),
        omp_version: 202011,
        clock: Clock { source: Source::Monotonic, start, later: start },
        finished: true,
        end_ticks: START + 400_000,
        ..Meta::default()
    };
    let folder = Folder::open(folder).unwrap();
    meta.write(&folder).unwrap();
    Modules::default().write(&folder).unwrap();
    for (number, name, events) in [(0, "solve", initial_thread()), (1, "worker", worker())] {
        let mut writer = Writer::create(&folder, number, name, Ticker::choose(), START).unwrap();
        for (time, record) in events {
            assert!(writer.record(START + time, &record));
        }
        writer.finish();
    }
}

fn ferromp(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let done = common::ferromp(Path::new("/nowhere")).current_dir(folder).args(words).output().unwrap();
    (done.status.code(), common::text(&done.stdout), common::text(&done.stderr))
}

/// A report without this thread's id, which the files have. The columns of threads are as wide as the id wants them.
fn without_tid(text: &str) -> String {
    // SAFETY: a plain call.
    let tid = format!("({})", unsafe { libc::gettid() });
    let line = |line: &str| {
        if line.contains(&tid) || line.starts_with("  thread ") {
            line.replace(&tid, "(1)").split_whitespace().collect::<Vec<&str>>().join(" ") + "\n"
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(line).collect()
}

#[test]
fn the_tables() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let (status, text, notes) = ferromp(folder.path(), &["report", "trace"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    insta::assert_snapshot!(text);
    let (_, text, _) = ferromp(folder.path(), &["report", "trace", "--all"]);
    insta::assert_snapshot!("all_tables", without_tid(&text));
}

#[test]
fn the_json_document() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let (status, text, notes) = ferromp(folder.path(), &["report", "trace", "--format", "json"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    // The second report uses what the first has kept.
    assert!(folder.path().join("trace/summary.cache").is_file());
    assert_eq!(ferromp(folder.path(), &["report", "trace", "--format", "json"]).1, text);
    // The files are this thread's.
    // SAFETY: a plain call.
    let tid = unsafe { libc::gettid() };
    insta::assert_snapshot!(text.replace(&format!("\"tid\": {tid},"), "\"tid\": 1,"));
}

#[test]
fn flags_choose_tables_and_rows() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let titles = |flags: &[&str]| {
        let (status, text, notes) = ferromp(folder.path(), &[&["report", "trace"], flags].concat());
        assert_eq!((status, notes.as_str()), (Some(0), ""), "{flags:?}");
        let known =
            ["Parallel regions", "Waiting for", "Locks and", "Explicit tasks", "Device constructs", "Other tables"];
        known.iter().map(|title| u32::from(text.contains(title))).collect::<Vec<u32>>()
    };
    assert_eq!(titles(&[]), [1, 1, 0, 0, 0, 1]);
    assert_eq!(titles(&["--rows", "1"]), [1, 1, 0, 0, 0, 1]);
    assert_eq!(titles(&["--regions"]), [1, 0, 0, 0, 0, 0]);
    assert_eq!(titles(&["--locks", "--waits"]), [0, 1, 1, 0, 0, 0]);
    assert_eq!(titles(&["--tasks", "--devices"]), [0, 0, 0, 1, 1, 0]);
    assert_eq!(titles(&["--all"]), [1, 1, 1, 1, 0, 0]);
}

#[test]
fn width_and_colour_are_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let run = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut command = common::ferromp(Path::new("/nowhere"));
        command.env_remove("NO_COLOR").envs(variables.iter().copied());
        let done = command.current_dir(folder.path()).args(["report", "trace"]).args(flags).output().unwrap();
        let text = common::text(&done.stdout);
        (text.lines().map(|line| line.chars().count()).max().unwrap_or(0), text.contains("\x1b["))
    };
    let (free, _) = run(&[], &[]);
    assert!((81..=120).contains(&free), "{free}");
    assert!(run(&[], &["--width", "60"]).0 <= 60 && run(&[("COLUMNS", "70")], &[]).0 <= 70);
    assert!(run(&[("COLUMNS", "70")], &["--width", "60"]).0 <= 60);
    for useless in ["", "0", "-5", "wide", "99999999999999999999"] {
        assert_eq!(run(&[("COLUMNS", useless)], &[]).0, free, "{useless}");
    }
    assert!(!run(&[], &[]).1, "stdout is no terminal");
    assert!(run(&[], &["--color", "always"]).1 && run(&[("NO_COLOR", "1")], &["--color", "always"]).1);
    assert!(run(&[("CLICOLOR_FORCE", "1")], &[]).1 && !run(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]).1);
}

#[test]
fn a_terminal_has_its_width_and_its_colours() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let run = |variables: &str| {
        let ferromp = assert_cmd::cargo::cargo_bin("ferromp");
        let line = format!("stty rows 24 cols 64; env {variables} {} report trace", ferromp.display());
        let mut command = common::command("script");
        let done = command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").current_dir(folder.path()).output();
        common::text(&done.unwrap().stdout).replace("\r\n", "\n")
    };
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    let coloured = run("");
    assert!(coloured.contains("\x1b[1msolve input.dat\x1b[0m"), "{coloured:?}");
    for variables in ["NO_COLOR=1", "CLICOLOR=0", "TERM=dumb"] {
        let plain = run(variables);
        assert!(plain.contains("solve input.dat\n") && !plain.contains('\x1b'), "{variables}: {plain:?}");
        assert!(widest(&plain) <= 64, "{variables}: {plain}");
    }
}

#[test]
fn the_page() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    write(&folder.path().join("trace/process-4712"), 4712);
    let words = ["report", "trace", "--html", "out.html"];
    let (status, text, notes) = ferromp(folder.path(), &words);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert_eq!(text, format!("out.html: {} bytes. Open it in a browser.\n", page.len()));
    assert_eq!(page.matches("class=\"trace\"").count(), 2, "both processes are in it");
    let (status, _, notes) = ferromp(folder.path(), &words);
    assert_eq!((status, notes.as_str()), (Some(125), "ferromp: out.html: exists already; --force replaces it\n"));
    let (status, ..) = ferromp(folder.path(), &["report", "trace", "--html", "out.html", "--force"]);
    assert_eq!(status, Some(0));
    let (status, _, notes) = ferromp(folder.path(), &["report", "trace", "--html", "nowhere/out.html"]);
    assert!(status == Some(125) && notes.starts_with("ferromp: cannot write nowhere/out.html"), "{notes}");
}

#[test]
fn a_process_that_cannot_be_read_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    write(&folder.path().join("trace/process-4712"), 4712);
    std::fs::create_dir(folder.path().join("trace/process-4713")).unwrap();
    std::fs::write(folder.path().join("trace/process-4713/meta.json"), "").unwrap();
    let (status, text, notes) = ferromp(folder.path(), &["report", "trace"]);
    assert_eq!(status, Some(125));
    assert!(text.starts_with("2 processes\n"), "{text}");
    assert!(text.contains("process 4711 on") && text.contains("process 4712 on"), "{text}");
    assert!(notes.starts_with("ferromp: trace/process-4713/meta.json: cannot be read as a trace: "), "{notes}");
    assert_eq!(notes.lines().count(), 1, "{notes}");
    for words in [&["report", "trace", "--format", "json"][..], &["export", "trace", "--to", "perfetto"]] {
        let (status, text, told) = ferromp(folder.path(), words);
        assert_eq!((status, told.as_str()), (Some(125), notes.as_str()));
        assert!(!text.is_empty());
    }
    assert!(folder.path().join("trace.perfetto-trace").is_file());
}

#[test]
fn a_cut_off_thread_is_told_and_the_rest_is_used() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let thread = folder.path().join("trace/thread-00001.fmt");
    std::fs::OpenOptions::new().write(true).open(thread).unwrap().set_len(4200).unwrap();
    let (status, text, notes) = ferromp(folder.path(), &["report", "trace"]);
    assert_eq!((status, notes.as_str()), (Some(125), ""));
    assert!(text.contains("damaged: thread-00001.fmt"), "{text}");
    let (status, text, notes) = ferromp(folder.path(), &["export", "trace", "--to", "perfetto"]);
    assert_eq!(status, Some(125));
    assert!(text.starts_with("trace.perfetto-trace: "), "{text}");
    assert!(notes.starts_with("ferromp: trace: damaged: thread-00001.fmt"), "{notes}");
}

fn make_pipe(path: &Path) {
    let path = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: plain system call with a terminated path.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
}

/// Reports and exports a trace that something was done to. Both succeed in part, say so once, and end.
fn in_part(spoil: impl Fn(&Path), line: &str) {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    write(&trace, 4711);
    spoil(&trace);
    let (status, text, notes) = ferromp(folder.path(), &["report", "trace"]);
    assert_eq!((status, notes.as_str()), (Some(125), ""), "{text}");
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("! ")).collect();
    assert!(told.len() == 1 && told[0].starts_with("! damaged: ") && told[0].contains(line), "{line}: {told:?}");
    let (status, _, notes) = ferromp(folder.path(), &["export", "trace", "--to", "perfetto"]);
    assert!(status == Some(125) && notes.lines().count() == 1 && notes.contains(line), "{line}: {notes}");
    let (status, text, _) = ferromp(folder.path(), &["report", "trace", "--format", "json"]);
    assert!(status == Some(125), "{line}");
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(document["traces"][0]["damage"][0].as_str().unwrap().contains(line), "{document:#}");
}

#[test]
fn pipes_and_devices_in_a_trace_are_not_waited_for() {
    let another = "thread-00009.fmt: not a regular file";
    in_part(|trace| make_pipe(&trace.join("thread-00009.fmt")), another);
    in_part(|trace| std::os::unix::fs::symlink("/dev/zero", trace.join("thread-00009.fmt")).unwrap(), another);
    let replace_modules = |trace: &Path| {
        std::fs::remove_file(trace.join("modules.txt")).unwrap();
        make_pipe(&trace.join("modules.txt"));
    };
    in_part(replace_modules, "modules.txt: not a regular file");
    let name_a_pipe = |trace: &Path| {
        make_pipe(&trace.join("pipe"));
        let path = trace.join("pipe").canonicalize().unwrap();
        std::fs::write(trace.join("modules.txt"), format!("400000 500000 0 - {}\n", path.display())).unwrap();
    };
    in_part(name_a_pipe, "pipe: not a regular file");
    let folder = tempfile::tempdir().unwrap();
    make_pipe(&folder.path().join("meta.json"));
    let line = "ferromp: cannot use ./meta.json: not a regular file\n";
    assert_eq!(ferromp(folder.path(), &["report", "."]), (Some(125), String::new(), line.into()));
}

#[test]
fn a_file_larger_than_any_recorder_writes_is_not_read() {
    let enlarge = |trace: &Path| {
        let modules = std::fs::OpenOptions::new().write(true).open(trace.join("modules.txt")).unwrap();
        modules.set_len(1 << 40).unwrap();
    };
    in_part(enlarge, "modules.txt: larger than");
}

#[test]
fn garbage_is_not_taken_for_a_program_without_openmp() {
    for (content, lines) in [(vec![0xa5; 300_000], 2), (vec![0; 300_000], 2), (Vec::new(), 2)] {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("trace"), 4711);
        for name in ["thread-00000.fmt", "thread-00001.fmt"] {
            std::fs::write(folder.path().join("trace").join(name), &content).unwrap();
        }
        let (status, text, notes) = ferromp(folder.path(), &["report", "trace"]);
        assert_eq!((status, notes.as_str()), (Some(125), ""));
        assert_eq!(
            text.lines().filter(|line| line.starts_with("! damaged: trace/thread-0000")).count(),
            lines,
            "{text}"
        );
        assert!(text.ends_with("! no OpenMP events: nothing can be read of what the program did\n"), "{text}");
    }
}

#[test]
fn threads_that_were_missed_are_not_taken_for_a_program_without_openmp() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    write(&trace, 4711);
    for name in ["thread-00000.fmt", "thread-00001.fmt"] {
        std::fs::remove_file(trace.join(name)).unwrap();
    }
    let meta = Meta { missed_threads: 2, ..Meta::read(&trace).unwrap() };
    meta.write(&Folder::open(&trace).unwrap()).unwrap();
    let (status, text, _) = ferromp(folder.path(), &["report", "trace"]);
    assert_eq!(status, Some(0));
    assert!(text.contains("! 2 threads could not be recorded\n"), "{text}");
    assert!(text.ends_with("! no OpenMP events: nothing could be recorded of what the program did\n"), "{text}");
    let (_, text, _) = ferromp(folder.path(), &["report", "trace", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["traces"][0]["missed_threads"], 2);
}

#[test]
fn an_export_is_not_written_through_a_link() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("trace"), 4711);
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    for name in ["trace.perfetto-trace", "trace.perfetto-trace.partial"] {
        std::os::unix::fs::symlink(&victim, folder.path().join(name)).unwrap();
    }
    let (status, _, notes) = ferromp(folder.path(), &["export", "trace", "--to", "perfetto", "--force"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    let made = folder.path().join("trace.perfetto-trace").symlink_metadata().unwrap();
    let umask = 0o666 & !std::os::unix::fs::PermissionsExt::mode(&made.permissions());
    assert!(made.is_file() && umask & 0o400 == 0, "{made:?}");
}

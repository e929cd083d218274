//! Exports in every format: what they have agrees with the report, and nothing is left behind by those that fail.

use crate::{common, report, schema};

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ferromp_trace::store::{Folder, Record, Writer, clock::Ticker};
use serde_json::Value;

/// Regions with a loop, tasks and a critical construct. Each thread is on a CPU for long enough to be sampled.
const PROGRAM: &str = r#"
#include <stdio.h>
static volatile double sink;
__attribute__((noinline)) double spin(long n) {
    double x = 0;
    for (long i = 0; i < n; i++) x += 1.0 / (i + 1.0);
    return sink = x;
}
int main(void) {
    double sum = 0;
    for (int k = 0; k < 4; k++) {
#pragma omp parallel num_threads(3)
        {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 6; i++) spin(2000000);
#pragma omp critical
            sum += 1;
#pragma omp single
            for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : sum)
                spin(500000);
            }
        }
    }
    printf("%g\n", sum);
}
"#;

fn export(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let words = [&["export", "trace"], words].concat();
    let done = common::ferromp(Path::new("/nowhere")).current_dir(folder).args(words).output().unwrap();
    (done.status.code(), common::text(&done.stdout), common::text(&done.stderr))
}

fn text_of(folder: &Path, words: &[&str]) -> String {
    let (status, text, notes) = export(folder, &[words, &["-o", "-"]].concat());
    assert_eq!((status, notes.as_str()), (Some(0), ""), "{words:?}");
    text
}

/// The rows of the CSV file, by the names of the columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.split_terminator("\r\n").map(|line| line.split(',').map(str::to_owned));
    let columns: Vec<String> = lines.next().unwrap().collect();
    lines.map(|fields| columns.iter().cloned().zip(fields).collect()).collect()
}

fn sum(text: &str) -> u64 {
    text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum()
}

#[test]
fn a_run_in_every_format() {
    let (prefix, folder) = (common::prefix(), tempfile::tempdir().unwrap());
    common::compile("gcc", folder.path(), "app", PROGRAM, &[]);
    let ferromp = |words: &[&str]| common::ferromp(&prefix).current_dir(folder.path()).args(words).output().unwrap();
    assert!(ferromp(&["trace", "-q", "-o", "trace", "./app"]).status.success());
    let json = schema::validated(&ferromp(&["report", "trace", "--format", "json"]).stdout)["traces"][0].clone();
    let of_report = |table: &str, field: &str| -> u64 {
        json[table].as_array().unwrap().iter().map(|row| row[field].as_u64().unwrap()).sum()
    };

    let rows = rows(&text_of(folder.path(), &["--to", "csv"]));
    let of_rows = |name: &'static str| rows.iter().filter(move |row| row["name"] == name);
    let ns = |row: &BTreeMap<String, String>| {
        row["end_ns"].parse::<u64>().unwrap() - row["begin_ns"].parse::<u64>().unwrap()
    };
    assert_eq!(of_rows("parallel").count() as u64, of_report("regions", "calls"));
    assert_eq!(of_rows("parallel").map(ns).sum::<u64>(), of_report("regions", "total_ns"));
    assert_eq!(of_rows("task").count() as u64, of_report("tasks", "completed"));
    assert_eq!(of_rows("wait for critical").map(ns).sum::<u64>(), of_report("locks", "wait_ns"));
    let place = of_rows("parallel").next().unwrap();
    assert_eq!(
        (place["place"].as_str(), place["line"].as_str(), place["function"].as_str()),
        ("app.c:12", "12", "main")
    );

    let samples = json["samples"]["count"].as_u64().unwrap();
    assert!(samples > 4, "{samples}");
    let folded = text_of(folder.path(), &["--to", "folded"]);
    assert_eq!(sum(&folded), samples, "{folded}");
    assert!(folded.contains("app;parallel app.c:12;") && folded.contains(";spin "), "{folded}");
    let waits = text_of(folder.path(), &["--to", "folded", "--of", "waits"]);
    assert!(waits.lines().all(|line| line.contains(";wait ") || line.contains(";wait for critical ")), "{waits}");

    let script = text_of(folder.path(), &["--to", "perf-script"]);
    assert_eq!(script.matches(" task-clock:u: \n").count() as u64, samples);
    let heads = script.lines().filter(|line| line.contains("task-clock"));
    assert!(heads.clone().all(|line| line.starts_with("app ")), "{script}");

    let document = |words: &[&str]| -> Value { serde_json::from_str(&text_of(folder.path(), words)).unwrap() };
    let profiles = document(&["--to", "speedscope"]);
    assert_eq!(profiles["profiles"].as_array().unwrap().len(), 3, "one a thread");
    let profiles = document(&["--to", "speedscope", "--of", "samples"]);
    let count = |profile: &Value| profile["samples"].as_array().unwrap().len() as u64;
    assert_eq!(profiles["profiles"].as_array().unwrap().iter().map(count).sum::<u64>(), samples);
    tables(folder.path(), &json, &rows);
    let (status, text, notes) = export(folder.path(), &["--to", "otf2"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    assert!(text.starts_with("trace.otf2: ") && text.contains(", 3 locations, "), "{text}");
    let printed = Command::new("otf2-print").arg(folder.path().join("trace.otf2/traces.otf2")).output().unwrap();
    assert!(printed.status.success() && printed.stderr.is_empty(), "{}", common::text(&printed.stderr));
    let count = |event: &str| common::text(&printed.stdout).lines().filter(|line| line.starts_with(event)).count();
    assert_eq!((count("ENTER "), count("METRIC ") as u64), (rows.len(), samples));
    assert_eq!(count("THREAD_TASK_COMPLETE ") as u64, of_report("tasks", "completed"));
    let (status, _, notes) = export(folder.path(), &["--to", "perfetto"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    let perfetto = std::fs::read(folder.path().join("trace.perfetto-trace")).unwrap();
    let stack = b" > spin";
    assert!(perfetto.windows(stack.len()).any(|bytes| bytes == stack), "the stacks of samples are named");
    let chrome = document(&["--to", "chrome"]);
    let ends = chrome["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "E").count();
    assert_eq!(ends, rows.len());
}

/// The tables have what the report and the CSV file have, whoever reads them.
fn tables(folder: &Path, json: &Value, rows: &[BTreeMap<String, String>]) {
    for kind in ["parquet", "arrow"] {
        let (status, _, notes) = export(folder, &["--to", kind, "-o", &format!("run.{kind}")]);
        assert_eq!((status, notes.as_str()), (Some(0), ""), "{kind}");
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let python = std::env::var_os("FERROMP_TEST_PYTHON").map_or(beside, PathBuf::from);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/tables.py");
    let queries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tables.md");
    let has_java = Command::new("java").arg("-version").output().is_ok_and(|done| done.status.success());
    for engine in ["duckdb", "polars", "pandas", "spark"] {
        if engine == "spark" && !has_java {
            eprintln!("skipped: spark: there is no java");
            continue;
        }
        let mut read = Command::new(&python);
        read.arg(&script).arg(engine).args(["run.parquet", "run.arrow"].map(|name| folder.join(name))).arg(&queries);
        let done = read.output().unwrap_or_else(|error| panic!("{}: {error}; cargo xtask setup", python.display()));
        assert!(done.status.success(), "{engine}: {}", common::text(&done.stderr));
        let sums: Value = serde_json::from_str(common::text(&done.stdout).lines().last().unwrap()).unwrap();
        let sum = |table: &str| [0, 1].map(|index| sums[table][index].as_u64().unwrap());
        let self_ns = rows.iter().map(|row| row["self_ns"].parse::<u64>().unwrap()).sum();
        assert_eq!(sum("intervals"), [rows.len() as u64, self_ns], "{engine}");
        let waits =
            rows.iter().filter(|row| row["category"] == "wait").map(|row| row["self_ns"].parse::<u64>().unwrap());
        assert_eq!(sum("waits"), [waits.clone().count() as u64, waits.sum()], "{engine}");
        let tasks = json["tasks"].as_array().unwrap().iter();
        let of_tasks: [u64; 2] =
            ["completed", "total_ns"].map(|field| tasks.clone().map(|row| row[field].as_u64().unwrap()).sum());
        assert_eq!(sum("tasks"), of_tasks, "{engine}");
        assert_eq!(sum("samples")[0], json["samples"]["count"], "{engine}");
        assert_eq!(sum("processes"), [1, json["wall_ns"].as_u64().unwrap()], "{engine}");
        assert_eq!((sum("threads")[0], sum("dependences")[0] > 0), (3, true), "{engine}");
    }
}

/// Enters a critical construct often.
const CRITICALS: &str = "int main(void) { int n = 0;
#pragma omp parallel for num_threads(2)
 for (int i = 0; i < 40000; i++)
#pragma omp critical
  n++;
 return n != 40000; }
";

#[test]
fn a_size_is_kept_by_merging_short_slices() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    common::compile("gcc", folder, "app", CRITICALS, &[]);
    let mut traced = common::ferromp(&common::prefix());
    traced.current_dir(folder).args(["trace", "--quiet", "-o", "trace", "--", "./app"]).assert().success();
    let size = |name: &str| std::fs::metadata(folder.join(name)).unwrap().len();
    for (to, file) in [("perfetto", "trace.perfetto-trace"), ("speedscope", "trace.speedscope.json")] {
        let (status, text, notes) = export(folder, &["--to", to]);
        assert_eq!((status, notes.as_str(), text.contains("merged")), (Some(0), "", false), "{text}");
        assert!(size(file) > 2 << 20, "{to}: {}", size(file));
        let (status, text, notes) = export(folder, &["--to", to, "--max-size", "1M", "--force"]);
        assert_eq!((status, notes.as_str()), (Some(0), ""), "{text}");
        assert!(size(file) <= 1 << 20, "{to}: {}", size(file));
        let line = text.lines().nth(1).unwrap();
        assert!(
            line.contains(" slices shorter than ") && line.ends_with("; sums of durations are unchanged"),
            "{line}"
        );
    }
    let merged = text_of_noted(folder, &["--to", "speedscope", "--max-size", "1M"]);
    let document: Value = serde_json::from_str(&merged).unwrap();
    assert_eq!(document["exporter"], concat!("ferromp@", env!("CARGO_PKG_VERSION")));
    let (status, _, notes) = export(folder, &["--to", "csv", "--max-size", "1M"]);
    let line = "ferromp: --max-size: only perfetto and speedscope can be made smaller\n";
    assert_eq!((status, notes.as_str()), (Some(125), line));
}

/// What goes to stdout, while a line on stderr says what was merged.
fn text_of_noted(folder: &Path, words: &[&str]) -> String {
    let (status, text, notes) = export(folder, &[words, &["-o", "-"]].concat());
    assert!(status == Some(0) && notes.starts_with("ferromp: ") && notes.contains(" are merged into "), "{notes}");
    text
}

#[test]
fn folders_of_others_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    std::fs::create_dir_all(folder.path().join("trace.parquet/intervals")).unwrap();
    std::fs::write(folder.path().join("trace.parquet/precious"), "").unwrap();
    let to_stdout = "the export is a folder of files: name a folder with -o";
    for (words, line) in [
        (&["--to", "parquet"][..], "trace.parquet: exists already; --force replaces it"),
        (&["--to", "parquet", "--force"], "trace.parquet: exists and is no export of this format; name another folder"),
        (&["--to", "arrow", "-o", "-"], to_stdout),
    ] {
        let (status, _, notes) = export(folder.path(), words);
        assert_eq!((status, notes), (Some(125), format!("ferromp: {line}\n")), "{words:?}");
    }
    assert!(folder.path().join("trace.parquet/precious").exists());
    let again = ["--to", "arrow", "--force"];
    for _ in 0..2 {
        let (status, text, notes) = export(folder.path(), &again);
        assert_eq!((status, notes.as_str()), (Some(0), ""));
        assert!(text.starts_with("trace.arrow: ") && text.contains(" 2 threads, "), "{text}");
    }
    assert!(folder.path().join("trace.arrow/tasks/process=4711/0.arrow").is_file());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn several_processes_are_one_export() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    report::write(&folder.path().join("trace/process-4712"), 4712);
    let processes: BTreeSet<String> =
        rows(&text_of(folder.path(), &["--to", "csv"])).iter().map(|row| row["process"].clone()).collect();
    assert_eq!(processes.into_iter().collect::<Vec<_>>(), ["4711", "4712"]);
    let document =
        |format: &str| -> Value { serde_json::from_str(&text_of(folder.path(), &["--to", format])).unwrap() };
    let pids = |event: &Value| event["pid"].as_u64().unwrap();
    let pids: BTreeSet<u64> = document("chrome")["traceEvents"].as_array().unwrap().iter().map(pids).collect();
    assert_eq!(pids.into_iter().collect::<Vec<_>>(), [4711, 4712]);
    assert_eq!(document("speedscope")["profiles"].as_array().unwrap().len(), 4);
    let waits = text_of(folder.path(), &["--to", "folded", "--of", "waits"]);
    assert_eq!(waits.lines().filter(|line| line.starts_with("solve;parallel 0x401000;")).count(), 4, "{waits}");
    for format in ["parquet", "otf2"] {
        let (status, _, notes) = export(folder.path(), &["--to", format]);
        assert_eq!((status, notes.as_str()), (Some(0), ""), "{format}");
    }
    for (number, pid) in [(0, 4711), (1, 4712)] {
        assert!(folder.path().join(format!("trace.parquet/waits/process={pid}/{number}.parquet")).is_file());
    }
    let definitions = Command::new("otf2-print").arg("-G").arg(folder.path().join("trace.otf2/traces.otf2")).output();
    let definitions = common::text(&definitions.unwrap().stdout);
    let count = |kind: &str| definitions.lines().filter(|line| line.starts_with(kind)).count();
    assert_eq!((count("LOCATION_GROUP "), count("LOCATION "), count("COMM ")), (2, 4, 2), "{definitions}");
}

#[test]
fn without_the_library_of_otf2_there_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    for name in ["libopen-trace-format2.so.10", "libotf2.so.10"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let mut command = common::ferromp(Path::new("/nowhere"));
    command.current_dir(folder.path()).env("LD_LIBRARY_PATH", folder.path());
    let done = command.args(["export", "trace", "--to", "otf2"]).output().unwrap();
    let notes = common::text(&done.stderr);
    let begin = "ferromp: cannot write trace.otf2: OTF2's library cannot be loaded (";
    assert!(done.status.code() == Some(125) && notes.starts_with(begin) && notes.lines().count() == 1, "{notes}");
    assert!(notes.ends_with("Debian's package libopen-trace-format2-10 has it\n"), "{notes}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
}

#[test]
fn files_have_the_endings_of_their_formats() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    for (format, ending) in [("csv", "csv"), ("chrome", "chrome.json"), ("speedscope", "speedscope.json")] {
        let (status, text, notes) = export(folder.path(), &["--to", format]);
        assert_eq!((status, notes.as_str()), (Some(0), ""), "{format}");
        assert!(text.starts_with(&format!("trace.{ending}: ")), "{format}: {text}");
        assert!(folder.path().join(format!("trace.{ending}")).is_file(), "{format}");
    }
    let (status, _, notes) = export(folder.path(), &["--to", "csv"]);
    let line = "ferromp: trace.csv: exists already; --force replaces it\n";
    assert_eq!((status, notes.as_str()), (Some(125), line));
}

#[test]
fn what_a_format_does_not_have_costs_one_line() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    let lacks = "trace: has no samples: it was recorded without them";
    for (words, line) in [
        (&["--to", "folded"][..], lacks),
        (&["--to", "perf-script"], lacks),
        (&["--to", "speedscope", "--of", "samples"], lacks),
        (&["--to", "csv", "--of", "waits"], "--of: only folded and speedscope let you choose"),
        (
            &["--to", "speedscope", "--of", "waits"],
            "--of waits: speedscope shows intervals or samples; --to folded has waits",
        ),
    ] {
        let (status, text, notes) = export(folder.path(), words);
        assert_eq!((status, text.as_str(), notes), (Some(125), "", format!("ferromp: {line}\n")), "{words:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

/// Makes a trace so long that its export can be interrupted.
fn lengthen(trace: &Path) {
    let folder = Folder::open(trace).unwrap();
    let mut writer = Writer::create(&folder, 2, "long", Ticker::choose(), 1 << 62).unwrap();
    for turn in 0..400_000u64 {
        if writer.is_full() {
            writer.grow().unwrap();
        }
        let record = if turn % 2 == 0 { Record::MaskedBegin { codeptr: 0x40_5000 } } else { Record::MaskedEnd {} };
        assert!(writer.record((1 << 62) + turn / 2, &record));
    }
    writer.finish();
}

#[test]
fn an_interrupted_export_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    lengthen(&folder.path().join("trace"));
    let entries = || std::fs::read_dir(folder.path()).unwrap().count();
    for (signal, format) in [(libc::SIGINT, "csv"), (libc::SIGTERM, "speedscope"), (libc::SIGINT, "parquet")] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ferromp"));
        command.args(["export", "trace", "--to", format]).current_dir(folder.path());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let since = Instant::now();
        while entries() == 1 && child.try_wait().unwrap().is_none() {
            assert!(since.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(1));
        }
        // SAFETY: plain system call to a child that has not been waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        let status = child.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(signal), "{format}");
        assert_eq!(entries(), 1, "{format}");
    }
}

//! Recordings that are followed while they are made: `--max-size`, `ferromp profile` and `ferromp top`.

use crate::{common, schema};

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Has as many regions as its first argument says, each with a barrier and a critical region. A second argument is the
/// number of threads; a single one is fast on a busy machine as well. Ends with status 3.
const PROGRAM: &str = r#"
#include <omp.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long count = atol(argv[1]), threads = argc > 2 ? atol(argv[2]) : 2, sum = 0;
    for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(threads)
        {
#pragma omp critical
            sum += omp_get_thread_num();
#pragma omp barrier
        }
    }
    return sum == count * (threads - 1) ? 3 : 4;
}
"#;

struct Ground {
    prefix: PathBuf,
    folder: TempDir,
}

impl Ground {
    fn new() -> Self {
        let ground = Self { prefix: common::prefix(), folder: tempfile::tempdir().unwrap() };
        common::compile("gcc", ground.path(), "app", PROGRAM, &[]);
        ground
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the command, and returns its status, stdout and stderr.
    fn ferromp(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let done = common::ferromp(&self.prefix).current_dir(self.path()).args(words).output().unwrap();
        (done.status.code(), common::text(&done.stdout), common::text(&done.stderr))
    }

    fn spawn(&self, words: &[&str]) -> std::process::Child {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ferromp"));
        command.args(words).current_dir(self.path()).env("FERROMP_PREFIX", &self.prefix);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The first trace of the report of a folder.
    fn json(&self, folder: &str) -> Value {
        let (status, out, err) = self.ferromp(&["report", folder, "--format", "json"]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
        schema::validated(out.as_bytes())["traces"][0].take()
    }

    /// Bytes that a folder takes on disk.
    fn size(&self, folder: &str) -> u64 {
        let files = std::fs::read_dir(self.path().join(folder)).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|data| data.blocks() * 512).sum()
    }
}

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let since = Instant::now();
    while !condition() {
        assert!(since.elapsed() < Duration::from_secs(60), "{what} did not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The process that records into a folder.
fn process(folder: &Path) -> Option<u64> {
    let text = std::fs::read(folder.join("meta.json")).ok()?;
    serde_json::from_slice::<Value>(&text).ok()?["pid"].as_u64()
}

fn signal(pid: u64, signal: i32) {
    // SAFETY: plain system call.
    assert_eq!(unsafe { libc::kill(pid as i32, signal) }, 0);
}

#[test]
fn a_profile_has_the_report_and_no_events() {
    let ground = Ground::new();
    let (status, _, summary) = ground.ferromp(&["profile", "-o", "out", "--", "./app", "500"]);
    assert_eq!(status, Some(3), "{summary}");
    assert!(summary.contains("app.c:7") && summary.contains("The profile is in out."), "{summary}");
    let names: Vec<String> = std::fs::read_dir(ground.path().join("out"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!names.iter().any(|name| name.ends_with(".fmt")), "{names:?}");
    let trace = ground.json("out");
    assert_eq!((&trace["trimmed"]["kept"], &trace["damage"]), (&"none".into(), &Value::Array(Vec::new())));
    assert_eq!((&trace["regions"][0]["calls"], &trace["locks"][0]["count"]), (&500.into(), &1000.into()));
    let (status, _, line) = ground.ferromp(&["export", "out", "--to", "perfetto"]);
    assert_eq!(status, Some(125));
    assert_eq!(line, "ferromp: out: a profile keeps no events, so there is nothing to export\n");
    assert!(!ground.path().join("out.perfetto-trace").exists());
    assert_eq!(ground.ferromp(&["report", "out", "--html", "out.html"]).0, Some(0));
    assert!(ground.path().join("out.html").metadata().unwrap().len() > 1000);
    let (status, _, summary) = ground.ferromp(&["profile", "-q", "--force", "-o", "out", "--", "./app", "10"]);
    assert_eq!((status, summary.as_str()), (Some(3), ""));
    assert_eq!(ground.json("out")["regions"][0]["calls"], 10);
}

/// 100000 regions make over a million events, in more than twice the bound.
#[test]
fn a_bounded_trace_stays_small_and_counts_all() {
    const LIMIT: u64 = 4 << 20;
    let ground = Ground::new();
    let mut child = ground.spawn(&["trace", "-q", "--max-size", "4M", "-o", "out", "--", "./app", "100000", "1"]);
    let mut largest = 0;
    while child.try_wait().unwrap().is_none() {
        largest = largest.max(ground.size("out"));
        std::thread::sleep(Duration::from_millis(3));
    }
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!((LIMIT / 4..2 * LIMIT).contains(&largest), "{largest} bytes");
    assert!(ground.size("out") < 2 * LIMIT);
    let trace = ground.json("out");
    assert_eq!((&trace["trimmed"]["kept"], &trace["lost"]), (&"newest".into(), &0.into()));
    assert_eq!((&trace["regions"][0]["calls"], &trace["locks"][0]["count"]), (&100_000.into(), &100_000.into()));
    let (from, wall) = (trace["trimmed"]["from_ns"].as_u64().unwrap(), trace["wall_ns"].as_u64().unwrap());
    assert!(0 < from && from < wall, "{from} {wall}");
    let (status, _, line) = ground.ferromp(&["export", "out", "--to", "perfetto"]);
    assert_eq!(status, Some(0), "{line}");
    let (_, text, _) = ground.ferromp(&["report", "out"]);
    assert!(text.contains("the summary is of the whole run"), "{text}");
}

#[test]
fn a_bound_that_is_not_reached_changes_nothing() {
    let ground = Ground::new();
    let (status, _, summary) = ground.ferromp(&["trace", "--max-size", "1G", "-o", "out", "--", "./app", "100"]);
    assert_eq!(status, Some(3), "{summary}");
    let trace = ground.json("out");
    assert_eq!((&trace["trimmed"], &trace["regions"][0]["calls"]), (&Value::Null, &100.into()));
    for (size, why) in [("10", "at least 1M"), ("many", "such as 500M or 2G")] {
        let (status, _, line) = ground.ferromp(&["trace", "--max-size", size, "--", "./app", "1"]);
        assert_eq!(status, Some(125));
        assert!(line.contains("--max-size") && line.contains(why), "{line}");
    }
}

#[test]
fn a_program_that_is_killed_leaves_its_profile() {
    let ground = Ground::new();
    let mut child = ground.spawn(&["profile", "-q", "-o", "out", "--", "./app", "1000000000", "1"]);
    let folder = ground.path().join("out");
    wait_for("the program", || process(&folder).is_some() && ground.size("out") > 200_000);
    std::thread::sleep(Duration::from_millis(700));
    signal(process(&folder).unwrap(), libc::SIGKILL);
    assert_eq!(child.wait().unwrap().code(), Some(137));
    let trace = ground.json("out");
    assert_eq!((&trace["finished"], &trace["trimmed"]["kept"]), (&false.into(), &"none".into()));
    assert!(trace["regions"][0]["calls"].as_u64().unwrap() > 1, "{trace:#}");
}

#[test]
fn a_program_outlives_the_command_that_follows_it() {
    let ground = Ground::new();
    let mut child = ground.spawn(&["trace", "-q", "--max-size", "1M", "-o", "out", "--", "./app", "1000000", "1"]);
    let folder = ground.path().join("out");
    // The file is longer than what may wait in it: parts of it have been read and freed.
    let file = folder.join("thread-00000.fmt");
    wait_for("the program", || process(&folder).is_some() && file.metadata().is_ok_and(|data| data.len() > 4 << 20));
    let pid = process(&folder).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // The program gives the command up after some seconds, and goes on to its end.
    wait_for("the program's end", || !Path::new(&format!("/proc/{pid}")).exists());
    let (_, text, _) = ground.ferromp(&["report", "out"]);
    assert!(text.contains("earlier events have been freed, and the summary of the whole run is not stored"), "{text}");
    assert!(text.contains("events were lost"), "{text}");
}

#[test]
fn top_shows_lines_where_there_is_no_terminal() {
    let ground = Ground::new();
    let words = ["top", "-n", "2", "--interval", "0.2", "-o", "out", "--", "./app", "300000", "1"];
    let (status, _, text) = ground.ferromp(&words);
    assert_eq!(status, Some(3), "{text}");
    let views: Vec<&str> = text.lines().filter(|line| line.starts_with("./app 300000 1  process ")).collect();
    assert_eq!(views.len(), 2, "{text}");
    assert!(views.iter().all(|view| view.contains("region main (app.c:7) ") && view.contains(" % in all")), "{text}");
    assert_eq!(ground.json("out")["regions"][0]["calls"], 300_000);
    let (status, _, line) = ground.ferromp(&["top", "--interval", "0", "--", "./app", "1"]);
    assert_eq!(status, Some(125), "{line}");
}

#[test]
fn top_shows_a_process_that_is_recorded() {
    let ground = Ground::new();
    let mut child = ground.spawn(&["trace", "-q", "-o", "out", "--", "./app", "1000000000", "1"]);
    let folder = ground.path().join("out");
    wait_for("the program", || process(&folder).is_some() && ground.size("out") > 200_000);
    let pid = process(&folder).unwrap();
    let (status, _, text) = ground.ferromp(&["top", "--once", "--interval", "0.4", &pid.to_string()]);
    signal(pid, libc::SIGKILL);
    child.wait().unwrap();
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("region main (app.c:7) ") && text.lines().count() == 1, "{text}");
    let own = std::process::id().to_string();
    let (status, _, line) = ground.ferromp(&["top", &own]);
    assert_eq!(status, Some(125));
    assert!(line.starts_with(&format!("ferromp: process {own} is not being recorded by ferromp; start")), "{line}");
    let (_, _, line) = ground.ferromp(&["top", "4194305"]);
    assert_eq!(line, "ferromp: there is no process 4194305\n");
}

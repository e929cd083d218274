//! `ferromp trace --counters`: what the kernel counts for each thread. Counters of the CPU are missing in many virtual
//! machines, so the tests use those of the kernel.

use crate::common;
use crate::schema::validated;

use std::path::Path;

use ferromp_trace::counters::{Counter, probe};
use serde_json::Value;

/// Each thread touches 1000 new pages in a region, after the initial thread has touched 200 outside.
const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void touch(int pages) {
    char *memory = mmap(0, pages * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    madvise(memory, pages * 4096L, MADV_NOHUGEPAGE);
    for (int page = 0; page < pages; page++) memory[page * 4096L] = 1;
}
static void team(void) {
#pragma omp parallel
    touch(1000);
}
int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    team();
    touch(200);
    if (!strcmp(how, "fork")) {
        if (fork() == 0) {
            team();
            exit(0);
        }
        wait(0);
    }
    if (!strcmp(how, "close"))
        for (int file = 3; file < 4096; file++) close(file);
    team();
    puts("done");
}
"#;

/// Whether this machine counts page faults.
fn counts() -> bool {
    let granted = Counter::find("minor-faults").is_some_and(|counter| probe(counter).is_ok());
    if !granted {
        println!("skipped: this machine does not count");
    }
    granted
}

/// Records the program; returns the traces of the document, and what was said.
fn recorded(folder: &Path, counters: &str, how: &str, before: &str) -> (Vec<Value>, String) {
    common::compile("gcc", folder, "app", PROGRAM, &[]);
    let ferromp = assert_cmd::cargo::cargo_bin("ferromp");
    let line = format!("{before} exec {} trace -q -o out --counters {counters} -- ./app {how}", ferromp.display());
    let mut command = common::command("sh");
    command.env("FERROMP_PREFIX", common::prefix()).env("OMP_NUM_THREADS", "2").current_dir(folder);
    let done = command.args(["-c", &line]).output().unwrap();
    assert!(done.status.success() && done.stdout == b"done\n", "{done:?}");
    let mut report = common::ferromp(Path::new("/nowhere"));
    let report = report.current_dir(folder).args(["report", "out", "--format", "json"]).output().unwrap();
    let traces = validated(&report.stdout)["traces"].as_array().unwrap().clone();
    (traces, common::text(&done.stderr))
}

fn faults(counted: &Value) -> u64 {
    counted["counts"]["minor-faults"]["value"].as_u64().unwrap_or_else(|| panic!("{counted:#}"))
}

#[test]
fn page_faults_are_charged_to_their_region() {
    if !counts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (traces, said) = recorded(folder.path(), "minor-faults,task-clock", "", "");
    assert_eq!(said, "");
    let counters = &traces[0]["counters"];
    assert_eq!(counters["names"], serde_json::json!(["minor-faults", "task-clock"]));
    let [region] = counters["regions"].as_array().unwrap().as_slice() else { panic!("one region: {counters:#}") };
    assert!((4000..4400).contains(&faults(&region["counted"])), "{region:#}");
    assert!((200..400).contains(&faults(&counters["serial"])), "{counters:#}");
    let threads = counters["threads"].as_array().unwrap();
    let of_threads: u64 = threads.iter().map(|thread| faults(&thread["counted"])).sum();
    let all = faults(&region["counted"]) + faults(&counters["serial"]) + faults(&counters["idle"]);
    assert_eq!((threads.len(), of_threads), (2, all));
    assert!(region["counted"]["counts"]["task-clock"]["value"].as_u64().unwrap() > 100_000, "{region:#}");
    let words = ["report", "out", "--counters", "--width", "120"];
    let table = common::ferromp(Path::new("/nowhere")).current_dir(folder.path()).args(words).output().unwrap();
    let table = common::text(&table.stdout);
    for text in ["minor-faults", "task-clock", "outside parallel regions", "thread 1"] {
        assert!(table.contains(text), "{text}: {table}");
    }
}

#[test]
fn a_forked_child_counts_for_itself() {
    if !counts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (traces, said) = recorded(folder.path(), "minor-faults", "fork", "");
    assert_eq!((traces.len(), said.as_str()), (2, ""));
    for (trace, expected) in traces.iter().zip([4000, 2000]) {
        let counted = &trace["counters"]["regions"][0]["counted"];
        assert!((expected..expected + 400).contains(&faults(counted)), "{expected}: {counted:#}");
        assert_eq!(trace["counters"]["missed_threads"], 0);
    }
}

#[test]
fn programs_that_close_our_files_run_on() {
    if !counts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (traces, said) = recorded(folder.path(), "minor-faults", "close", "");
    assert_eq!(said, "");
    let counters = &traces[0]["counters"];
    let counted = faults(&counters["regions"][0]["counted"]);
    assert!((2000..2400).contains(&counted) && counters["missed_threads"] == 2, "{counted}: {counters:#}");
}

#[test]
fn threads_beyond_the_limit_of_files_cost_one_line() {
    if !counts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let counters = "minor-faults,major-faults,task-clock,cpu-clock";
    let (traces, said) = recorded(folder.path(), counters, "", "ulimit -n 24; OMP_NUM_THREADS=16");
    let line =
        "ferromp: trace: counters of a thread, and perhaps of further ones, are not recorded: too many open files\n";
    assert_eq!(said, line);
    let counters = &traces[0]["counters"];
    let missed = counters["missed_threads"].as_u64().unwrap();
    assert_eq!(missed, 13, "three threads have four files each, half of all");
    assert_eq!(counters["threads"].as_array().unwrap().len() as u64, 16 - missed);
}

#[test]
fn what_is_not_there_is_refused_before_the_program_starts() {
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", PROGRAM, &[]);
    let many: Vec<String> = (1..18).map(|event| format!("r{event}")).collect();
    for (counters, line) in [
        ("cylces", "--counters: there is no counter 'cylces'; similar names: cycles, cpu-cycles, "),
        ("cycles,", "--counters: there is no counter ''; similar names: "),
        ("r12345678901234567", "--counters: there is no counter 'r12345678901234567'; similar names: "),
        ("cycles,\x1b[2J", "--counters: there is no counter '\\x1b[2J'; similar names: "),
        (&many.join(","), "--counters: 17 are too many; 16 can be recorded at once"),
    ] {
        let mut command = common::ferromp(&common::prefix());
        let words = ["trace", "-o", "out", "--counters", counters, "./app"];
        let done = command.current_dir(folder.path()).args(words).output().unwrap();
        let said = common::text(&done.stderr);
        assert_eq!((done.status.code(), said.lines().count()), (Some(125), 1), "{said}");
        assert!(said.starts_with(&format!("ferromp: {line}")) && done.stdout.is_empty(), "{said}");
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn a_counter_that_the_system_refuses_costs_one_line() {
    // No machine has this event.
    let absent = Counter::find("r0:u").and_then(|counter| probe(counter).err());
    if absent.is_none() || !counts() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (traces, said) = recorded(folder.path(), "r0:u,minor-faults", "", "");
    assert!(said.starts_with("ferromp: counter r0:u is not recorded: ") && said.lines().count() == 1, "{said}");
    assert_eq!(traces[0]["counters"]["names"], serde_json::json!(["minor-faults"]));
}

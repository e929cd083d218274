//! What a trace says of loops, of sections, and of time on the CPU: programs with known amounts of each.

use crate::common;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Does one thing, which its argument names. Threads that spin do so for a time, whatever CPU they get.
const PROGRAM: &str = r#"
#include <omp.h>
#include <string.h>
#include <unistd.h>
static void spin(double seconds) {
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end) {}
}
int main(int argc, char **argv) {
    const char *what = argv[1];
    if (!strcmp(what, "dynamic")) {
#pragma omp parallel for schedule(dynamic, 16)
        for (int i = 0; i < 1000; i++) spin(10e-6); // 63 chunks
    } else if (!strcmp(what, "guided")) {
#pragma omp parallel
        for (int k = 0; k < 3; k++)
#pragma omp for schedule(guided)
            for (int i = 0; i < 1000; i++) spin(2e-6);
    } else if (!strcmp(what, "sections")) {
#pragma omp parallel sections
        {
#pragma omp section
            spin(0.01);
#pragma omp section
            spin(0.05);
#pragma omp section
            spin(0.02);
        }
    } else if (!strcmp(what, "sleep")) {
#pragma omp parallel
        if (omp_get_thread_num() == 1) usleep(200000);
    } else {
#pragma omp parallel
        spin(0.3);
    }
    return 0;
}
"#;

/// Records a run of [`PROGRAM`] with this argument, all of it bound to `cpu` if one is given, and returns its summary.
fn record(folder: &Path, what: &str, threads: u32, cpu: Option<usize>) -> Value {
    let bind = cpu.map(|cpu| format!("taskset -c {cpu} "));
    let line = format!(
        "{}{} trace --quiet --force -o out -- ./app {what}",
        bind.unwrap_or_default(),
        assert_cmd::cargo::cargo_bin("ferromp").display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(folder).env("FERROMP_PREFIX", common::prefix());
    command.env("OMP_NUM_THREADS", threads.to_string()).env_remove("OMP_PROC_BIND").env_remove("OMP_PLACES");
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", common::text(&done.stderr));
    let mut report = common::ferromp(&common::prefix());
    let json = report.current_dir(folder).args(["report", "out", "--format", "json"]).output().unwrap();
    let mut json: Value = serde_json::from_slice(&json.stdout).unwrap();
    json["traces"][0].take()
}

fn number(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("no number {name} in {value}"))
}

/// The only loop or sections construct.
fn only_loop(trace: &Value) -> &Value {
    let [one] = &trace["loops"].as_array().unwrap()[..] else { panic!("one loop: {}", trace["loops"]) };
    one
}

/// The first CPU that the test may use.
fn first_cpu() -> usize {
    // SAFETY: a set of zeros is a valid one, and the call writes only to it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        assert_eq!(libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set), 0);
        (0..libc::CPU_SETSIZE as usize).find(|&cpu| libc::CPU_ISSET(cpu, &set)).unwrap()
    }
}

#[test]
fn loops_have_their_schedules_and_chunks() {
    for compiler in ["clang-19", "gcc"] {
        let folder = tempfile::tempdir().unwrap();
        common::compile(compiler, folder.path(), "app", PROGRAM, &[]);
        let trace = record(folder.path(), "dynamic", 2, None);
        let dynamic = only_loop(&trace);
        assert_eq!(dynamic["kind"], "loop dynamic", "{compiler}");
        let counts = ["executions", "max_threads", "iterations", "chunks", "largest_chunk"];
        assert_eq!(counts.map(|name| number(dynamic, name)), [1, 2, 1000, 63, 16], "{compiler}: {dynamic}");
        assert!(number(dynamic, "chunk_ns") >= 10_000_000 && number(dynamic, "max_chunk_ns") >= 160_000, "{dynamic}");
        let lengths: u64 = dynamic["lengths"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
        assert_eq!(lengths, 63, "{compiler}: {dynamic}");
        assert!(number(dynamic, "thread_ns") <= 2 * number(dynamic, "busiest_ns"), "{compiler}: {dynamic}");

        let trace = record(folder.path(), "guided", 2, None);
        let guided = only_loop(&trace);
        assert_eq!(guided["kind"], "loop guided", "{compiler}");
        assert_eq!((number(guided, "executions"), number(guided, "iterations")), (3, 3000), "{compiler}: {guided}");
        assert!(number(guided, "largest_chunk") >= 100 && number(guided, "chunks") < 300, "{compiler}: {guided}");
    }
}

#[test]
fn sections_have_their_numbers_and_times() {
    for compiler in ["clang-19", "gcc"] {
        let folder = tempfile::tempdir().unwrap();
        common::compile(compiler, folder.path(), "app", PROGRAM, &[]);
        let trace = record(folder.path(), "sections", 3, None);
        let sections = only_loop(&trace)["sections"].as_array().unwrap().clone();
        let numbers: Vec<u64> = sections.iter().map(|section| number(section, "first")).collect();
        assert_eq!(numbers, [1, 2, 3], "{compiler}: {sections:?}");
        for (section, least) in sections.iter().zip([10_000_000, 50_000_000, 20_000_000]) {
            let time = number(section, "total_ns");
            assert!(time >= least - least / 100, "{compiler}: {section}");
        }
    }
    // clang divides the sections in the program: one thread has the first two.
    let folder = tempfile::tempdir().unwrap();
    common::compile("clang-19", folder.path(), "app", PROGRAM, &[]);
    let trace = record(folder.path(), "sections", 2, None);
    let sections = &only_loop(&trace)["sections"];
    let first = &sections[0];
    assert_eq!((number(first, "first"), number(first, "count")), (1, 2), "{sections}");
    assert!(number(first, "total_ns") >= 59_000_000, "{sections}");
    let report = common::ferromp(&common::prefix())
        .current_dir(folder.path())
        .args(["report", "out", "--sections"])
        .output()
        .unwrap();
    let report = common::text(&report.stdout);
    assert!(report.contains("\nSections\n") && report.contains(" 1-2 "), "{report}");
}

#[test]
fn a_sleep_is_blocked_time() {
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", PROGRAM, &[]);
    let trace = record(folder.path(), "sleep", 2, None);
    let region = &trace["regions"][0]["cpu"];
    assert!(number(region, "blocked_ns") >= 150_000_000, "{region}");
    assert!(number(region, "preempted_ns") <= 50_000_000, "{region}");
    assert!(number(region, "voluntary") >= 1, "{region}");
    let sleeper = &trace["thread_rows"][1];
    assert!(number(sleeper, "work_ns") >= 199_000_000, "{sleeper}");
    assert!(number(&sleeper["cpu"], "cpu_ns") <= 100_000_000, "{sleeper}");
}

#[test]
fn a_stranger_on_the_cpu_preempts() {
    let folder = tempfile::tempdir().unwrap();
    let cpu = first_cpu();
    common::compile("gcc", folder.path(), "app", PROGRAM, &[]);
    let mut stranger = Command::new("taskset");
    let busy = "ulimit -t 60; while :; do :; done";
    let mut stranger = stranger.args(["-c", &cpu.to_string(), "sh", "-c", busy]).spawn().unwrap();
    let trace = record(folder.path(), "spin", 1, Some(cpu));
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    let region = &trace["regions"][0]["cpu"];
    assert!(number(region, "preempted_ns") >= number(region, "work_ns") / 5, "{region}");
    assert_eq!((number(region, "blocked_ns"), number(region, "shared_ns")), (0, 0), "{region}");
    assert_eq!((number(&trace, "cpus"), &trace["thread_rows"][0]["cpus"]), (1, &Value::from(vec![cpu])));
}

#[test]
fn threads_share_one_cpu() {
    let folder = tempfile::tempdir().unwrap();
    common::compile("gcc", folder.path(), "app", PROGRAM, &[]);
    let trace = record(folder.path(), "spin", 4, Some(first_cpu()));
    let region = &trace["regions"][0]["cpu"];
    // Of four threads, three wait for the CPU at any time.
    assert!(number(region, "preempted_ns") >= number(region, "work_ns") / 2, "{region}");
    assert!(number(region, "shared_ns") >= number(region, "preempted_ns") / 2, "{region}");
    assert!(number(region, "needless_ns") <= number(region, "shared_ns") / 4, "{region}");
    let times: Vec<u64> = trace["concurrency_ns"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(times.len() == 5 && times[4] >= 100_000_000, "{times:?}");
    assert_eq!(trace["openmp_environment"]["OMP_NUM_THREADS"], "4");
}

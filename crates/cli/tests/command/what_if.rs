//! Replays: the critical path, and what changes would bring.

use crate::{common, report, schema};

use std::path::Path;

use serde_json::Value;

/// What `ferromp report trace` with these words returns.
fn ferromp(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let words = [&["report", "trace"], words].concat();
    let done = common::ferromp(Path::new("/nowhere")).current_dir(folder).args(words).output().unwrap();
    (done.status.code(), common::text(&done.stdout), common::text(&done.stderr))
}

fn written() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    folder
}

#[test]
fn the_critical_path_is_a_table() {
    let folder = written();
    let (status, text, notes) = ferromp(folder.path(), &["--critical-path"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    let table = text.split("\n\n").find(|part| part.starts_with("Critical path")).expect("a table");
    insta::assert_snapshot!(table);
    let (_, brief, _) = ferromp(folder.path(), &[]);
    assert!(!brief.contains("Critical path"), "{brief}");
}

#[test]
fn a_change_is_predicted() {
    let folder = written();
    let (status, text, notes) = ferromp(folder.path(), &["--what-if", "faster=0x401000/2"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    insta::assert_snapshot!(text);
    // Tables that are asked for follow.
    let (_, text, _) = ferromp(folder.path(), &["--what-if", "threads=4", "--what-if", "faster=serial/2", "--regions"]);
    assert!(text.contains("if threads=4 and faster=serial/2\n") && text.contains("\nParallel regions"), "{text}");
}

#[test]
fn the_document_has_path_and_prediction() {
    let folder = written();
    let words = ["--what-if", "faster=0x401000/2", "--critical-path", "--format", "json"];
    let document = schema::validated(ferromp(folder.path(), &words).1.as_bytes());
    let trace = &document["traces"][0];
    assert_eq!(trace["critical_path"]["length_ns"], 400_000);
    let found = &trace["what_if"];
    assert_eq!(found["changes"], Value::from(vec!["faster=0x401000/2"]));
    let ns = |name: &str| found[name].as_i64().unwrap();
    assert_eq!(ns("gain_ns"), ns("replayed_ns") - ns("predicted_ns"));
    assert!(ns("gain_ns") > 0, "{found}");
    let plain = schema::validated(ferromp(folder.path(), &["--format", "json"]).1.as_bytes());
    assert_eq!((&plain["traces"][0]["critical_path"], &plain["traces"][0]["what_if"]), (&Value::Null, &Value::Null));
}

#[test]
fn changes_that_make_no_sense_cost_one_line() {
    let folder = written();
    for (change, why) in [
        ("balance=heat.c:34", "near it: 0x401000, 0x403000"),
        ("contention=0x401000", "near it: 0x402000"),
        ("nowait=0x401000", "the one at the end of a region cannot"),
        ("overlap=0x401000", "no device construct"),
        ("chunk=0x401000:16", "`ferromp trace --chunks` records each"),
    ] {
        let (status, text, notes) = ferromp(folder.path(), &["--what-if", change]);
        assert_eq!((status, text.as_str(), notes.lines().count()), (Some(125), "", 1), "{change}: {notes}");
        assert!(notes.starts_with("ferromp: trace: ") && notes.contains(why), "{change}: {notes}");
    }
    for (change, why) in [
        ("luck=1", "`luck` is no change of a run"),
        ("threads=0", "no number of threads"),
        ("chunk=heat.c:34:1.5", "a whole number of iterations"),
        ("schedule=heat.c:34:dynamic", "`schedule` cannot be replayed"),
        ("grain=heat.c", "no place with a number"),
    ] {
        let (status, text, notes) = ferromp(folder.path(), &["--what-if", change]);
        assert_eq!((status, text.as_str()), (Some(125), ""), "{change}: {notes}");
        assert!(notes.starts_with("ferromp: invalid value") && notes.contains(why), "{change}: {notes}");
    }
}

/// Programs whose threads wait for each other in one way each; few waits, so that the system's delays are small.
const PROGRAMS: [(&str, &str); 4] = [
    ("parts", "#pragma omp parallel\n    spin(omp_get_thread_num() ? 8 : 24);"),
    (
        "phases",
        "#pragma omp parallel\n    {\n        spin(omp_get_thread_num() ? 8 : 16);\n#pragma omp barrier\n        \
         spin(omp_get_thread_num() ? 16 : 8);\n    }",
    ),
    ("turns", "#pragma omp parallel\n    {\n        spin(4);\n#pragma omp critical\n        spin(8);\n    }"),
    (
        "tasks",
        "#pragma omp parallel\n#pragma omp single\n    {\n        for (int i = 0; i < 3; i++) {\n#pragma omp task\n            \
         spin(8);\n        }\n#pragma omp taskwait\n        spin(4);\n    }",
    ),
];

/// Work for some milliseconds of the thread's CPU time, and a program around a region.
fn program(region: &str) -> String {
    format!(
        r#"
#include <omp.h>
#include <time.h>
static double cpu(void) {{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}}
static void spin(double ms) {{
    double end = cpu() + ms;
    while (cpu() < end) {{
    }}
}}
int main(void) {{
    omp_set_num_threads(2);
    for (int i = 0; i < 8; i++) {{
        spin(2);
    {region}
    }}
}}
"#
    )
}

/// How often a program is run until the machine lets it be.
const TRIES: usize = 12;

#[test]
fn a_replay_without_changes_takes_the_measured_time() {
    let (prefix, folder) = (common::prefix(), tempfile::tempdir().unwrap());
    for (name, region) in PROGRAMS {
        let program = common::compile("gcc", folder.path(), name, &program(region), &[]);
        let mut seen = Vec::new();
        for _ in 0..TRIES {
            let trace = folder.path().join("run");
            let mut record = common::ferromp(&prefix);
            record.args(["trace", "--quiet", "--force", "-o"]).arg(&trace).arg("--").arg(&program).assert().success();
            let mut report = common::ferromp(&prefix);
            let done = report.args(["report", "--critical-path", "--format", "json"]).arg(&trace).output().unwrap();
            let document: Value = serde_json::from_slice(&done.stdout).unwrap();
            let path = &document["traces"][0]["critical_path"];
            let ns = |name: &str| path[name].as_f64().unwrap();
            assert_eq!(ns("length_ns"), ns("measured_ns"), "measured delays explain the run");
            seen.push(ns("replayed_ns") / ns("measured_ns"));
            if seen.last().is_some_and(|ratio| (ratio - 1.0).abs() <= 0.03) {
                break;
            }
        }
        assert!(seen.iter().any(|ratio| (ratio - 1.0).abs() <= 0.03), "{name}: replayed / measured: {seen:?}");
    }
}

//! Several runs of one program: how it scales.

use crate::{common, report, schema};

use std::path::Path;

use serde_json::Value;

/// Two regions: one shares its work, in the other one thread does it all. With an argument, the work of both is
/// multiplied by the threads. Threads use the CPU for a time, whatever else runs.
const PROGRAM: &str = r#"
#include <omp.h>
#include <time.h>
static void spin(double seconds) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double end = now.tv_sec + now.tv_nsec * 1e-9 + seconds;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec + now.tv_nsec * 1e-9 < end);
}
int main(int argc, char **argv) {
    int scale = argc > 1 ? omp_get_max_threads() : 1;
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 40 * scale; i++) spin(1e-3);
#pragma omp parallel
    {
#pragma omp single
        spin(argc > 1 ? 1e-3 : 40e-3);
    }
    return 0;
}
"#;

/// Records a run with so many threads into the folder `name`.
pub fn record(folder: &Path, name: &str, threads: u32, arguments: &[&str]) {
    let mut command = common::ferromp(&common::prefix());
    command.current_dir(folder).env("OMP_NUM_THREADS", threads.to_string());
    let done = command.args(["trace", "--quiet", "-o", name, "--", "./app"]).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", common::text(&done.stderr));
}

/// Runs the command: exit status, stdout and stderr.
pub fn ferromp(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let done = common::ferromp(&common::prefix()).current_dir(folder).args(words).output().unwrap();
    (done.status.code(), common::text(&done.stdout), common::text(&done.stderr))
}

fn json(folder: &Path, words: &[&str]) -> Value {
    let (status, text, notes) = ferromp(folder, &[words, &["--format", "json"]].concat());
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    schema::validated(text.as_bytes())
}

#[test]
fn strong_scaling_and_what_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    common::compile("gcc", folder, "app", PROGRAM, &[]);
    for threads in [1, 2, 4] {
        record(folder, &format!("at-{threads}"), threads, &[]);
    }
    let document = json(folder, &["report", "at-4", "at-1", "at-2"]);
    let scaling = &document["scaling"];
    assert_eq!((&scaling["kind"], &scaling["threads_growth"]), (&"strong".into(), &4.0.into()), "{scaling}");
    assert_eq!(document["traces"].as_array().unwrap().len(), 3);
    let points = scaling["points"].as_array().unwrap();
    let threads: Vec<u64> = points.iter().map(|point| point["threads"].as_u64().unwrap()).collect();
    assert_eq!(threads, [1, 2, 4]);
    for point in points {
        let percent = |value: &Value| value.as_f64().unwrap();
        let efficiency = &point["efficiency"];
        let factors = ["amdahl_percent", "load_balance_percent", "serialisation_percent", "transfer_percent"];
        let product: f64 = factors.map(|name| percent(&efficiency[name]) / 100.0).iter().product();
        assert!((100.0 * product - percent(&efficiency["parallel_percent"])).abs() < 1e-6, "{efficiency}");
        // What the threads reach is what the efficiency and the work's own time leave.
        let parts = percent(&efficiency["parallel_percent"]) / percent(&points[0]["efficiency"]["parallel_percent"]);
        let reached = parts * percent(&point["computation_percent"]);
        assert!((reached - percent(&point["scaling_percent"])).abs() < 1.0, "{point}");
    }
    // On any machine, the region in which one thread works gets no shorter.
    let limits = scaling["limits"].as_array().unwrap();
    let single = limits.iter().find(|limit| limit["place"]["line"] == 16).unwrap_or_else(|| panic!("{scaling}"));
    assert!(single["lost_ns"].as_u64().unwrap() >= 5_000_000, "{single}");

    let (status, text, _) = ferromp(folder, &["report", "at-1", "at-2", "at-4", "--width", "120"]);
    assert_eq!(status, Some(0));
    assert!(text.starts_with("Scaling ") && text.contains("\nStrong scaling, the work stays the same: with 4 times"));
    assert!(text.contains("\nWhat stops the scaling: ") && text.contains("main (app.c:16)"), "{text}");
    assert!(!text.contains("Parallel regions"), "{text}");
    let (_, text, _) = ferromp(folder, &["report", "at-1", "at-2", "--regions", "--efficiency"]);
    assert_eq!((text.matches("\nParallel regions").count(), text.matches("  the run ").count()), (2, 2), "{text}");
}

#[test]
fn weak_scaling_is_told_by_iterations() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    common::compile("gcc", folder, "app", PROGRAM, &[]);
    record(folder, "one", 1, &["weak"]);
    record(folder, "three", 3, &["weak"]);
    let scaling = json(folder, &["report", "one", "three"])["scaling"].take();
    assert_eq!((&scaling["kind"], &scaling["measure"]), (&"weak".into(), &"iterations".into()), "{scaling}");
    assert!((scaling["work_growth"].as_f64().unwrap() - 3.0).abs() < 1e-6, "{scaling}");
}

#[test]
fn runs_that_say_nothing_of_scaling_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    report::write(&folder.join("a"), 4711);
    report::write(&folder.join("b"), 4712);
    let wrong = |words: &[&str]| {
        let (status, text, notes) = ferromp(folder, words);
        assert_eq!((status, text.as_str()), (Some(125), ""), "{notes}");
        notes
    };
    assert_eq!(
        wrong(&["report", "a", "b"]),
        "ferromp: all runs had 2 threads: scaling is told from different numbers, and ferromp diff compares runs\n"
    );
    assert_eq!(wrong(&["report", "a", "c"]), "ferromp: c: no such folder\n");
    assert_eq!(wrong(&["report", "a", "b", "--html", "x"]), "ferromp: --html writes the page of one folder\n");
    let about = folder.join("b/meta.json");
    let other = std::fs::read_to_string(&about).unwrap().replace("/solve\"", "/other\\u001b[2J\"");
    std::fs::write(&about, other).unwrap();
    let line = wrong(&["report", "a", "b"]);
    let expected = "ferromp: a has a run of solve, b one of other\\x1b[2J: scaling is told from runs of one program\n";
    assert_eq!(line, expected);
}

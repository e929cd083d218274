//! Runs of two versions of a program: what differs.

use crate::scaling::{ferromp, record};
use crate::{common, report, schema};

use std::path::Path;

use serde_json::Value;

/// Threads wait for the one that has most of the work, unless the program is mended. They use the CPU for a time,
/// whatever else runs.
const PROGRAM: &str = r#"
#include <time.h>
static void spin(double seconds) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double end = now.tv_sec + now.tv_nsec * 1e-9 + seconds;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec + now.tv_nsec * 1e-9 < end);
}
#ifdef MENDED
static void further(void) {
#pragma omp parallel
    spin(8e-3);
}
#endif
int main(void) {
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 2; i++)
#ifdef MENDED
        spin(5e-3);
#else
        spin(i ? 400e-3 : 1e-3);
#endif
#ifdef MENDED
    further();
#endif
    return 0;
}
"#;

fn json(folder: &Path, words: &[&str], status: i32) -> Value {
    let (found, text, notes) = ferromp(folder, &[&["diff", "--format", "json"], words].concat());
    assert_eq!((found, notes.as_str()), (Some(status), ""));
    schema::validated_by("diff", text.as_bytes())
}

/// The row of the construct in this function.
fn row<'a>(rows: &'a Value, function: &str) -> &'a Value {
    let of = |row: &&Value| [&row["place_before"], &row["place_after"]].iter().any(|at| at["function"] == function);
    rows.as_array().unwrap().iter().find(of).unwrap_or_else(|| panic!("no {function} in {rows}"))
}

/// The line about the slow region: its times before and after.
fn slow_line(text: &str) -> Option<(&str, &str)> {
    let line = text.lines().find_map(|line| line.strip_prefix("  main (app.c:18): "))?;
    let (before, rest) = line.split_once(" before, ")?;
    Some((before, rest.split_once(" after, +")?.0))
}

#[test]
fn a_program_and_its_mended_twin() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (names, options) in [(["a1", "a2", "a3"], &[][..]), (["b1", "b2", "b3"], &["-DMENDED"])] {
        common::compile("gcc", folder, "app", PROGRAM, options);
        for name in names {
            record(folder, name, 2, &[]);
            // Keeps the names: the program is about to be built again.
            assert_eq!(ferromp(folder, &["report", name]).0, Some(0));
        }
    }
    let sides = ["--before", "a1", "a2", "a3", "--after", "b1", "b2", "b3"];
    let document = json(folder, &sides, 0);
    assert_eq!((&document["noise"]["known"], &document["check"]), (&true.into(), &Value::Null));
    let main = row(&document["regions"], "main");
    assert_eq!((&main["verdict"], &main["chance"]), (&"faster".into(), &0.05.into()), "{main}");
    assert!(main["change_ns"].as_i64().unwrap() < -50_000_000, "{main}");
    assert_eq!(main["place_before"]["line"], main["place_after"]["line"]);
    assert_eq!(row(&document["regions"], "further")["verdict"], "new");
    let barrier = row(&document["waits"], "main");
    assert_eq!(
        (&barrier["kind"], &barrier["verdict"]),
        (&"barrier at region end".into(), &"faster".into()),
        "{barrier}"
    );
    // On a busy machine, the mended program may have findings as well.
    let mut findings = document["findings"].as_array().unwrap().iter();
    let of_slow =
        |row: &Value| row["place_before"]["function"] == "main" && row["change_ns"].as_i64() < Some(-20_000_000);
    assert!(findings.any(of_slow), "{}", document["findings"]);

    // The other way round, the region is what fails.
    let back = ["--before", "b1", "b2", "b3", "--after", "a1", "a2", "a3", "--fail-above", "10%"];
    let check = json(folder, &back, 1)["check"].take();
    assert_eq!((&check["allowed_percent"], &check["passed"]), (&10.0.into(), &false.into()));
    assert_eq!(row(&check["slower"], "main")["verdict"], "slower");
    let (status, text, _) = ferromp(folder, &[&["diff"], &back[..]].concat());
    assert_eq!(status, Some(1));
    assert!(text.contains("\nSlower by more than 10 %:\n") && slow_line(&text).is_some(), "{text}");
    let back = ["--before", "b1", "b2", "b3", "--after", "a1", "a2", "a3", "--fail-above", "50ms"];
    let check = json(folder, &back, 1)["check"].take();
    assert_eq!((&check["allowed_percent"], &check["allowed_ns"]), (&Value::Null, &50_000_000.into()));
    assert_eq!(row(&check["slower"], "main")["verdict"], "slower");
    let (status, limited, _) = ferromp(folder, &[&["diff"], &back[..]].concat());
    assert!(status == Some(1) && limited.contains("\nSlower by more than 50.0 ms:\n"), "{limited}");
    assert!(text.contains("/app: has changed since it was recorded; names are those of an earlier report"), "{text}");
    assert!(text.contains("removed") && !text.contains("noise cannot be told"), "{text}");
    let (status, text, _) = ferromp(folder, &["diff", "b1", "a1", "--fail-above", "1000000"]);
    assert_eq!(status, Some(0));
    assert!(text.contains("\n! one run a side: noise cannot be told from change"), "{text}");
    assert!(text.ends_with("\nNothing that matters got slower by more than 1000000 %.\n"), "{text}");
}

#[test]
fn equal_runs_do_not_differ() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    report::write(&folder.join("a"), 4711);
    report::write(&folder.join("b"), 4712);
    let (status, text, notes) = ferromp(folder, &["diff", "a", "b", "--fail-above", "0"]);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    insta::assert_snapshot!(text);
    let (_, text, _) = ferromp(folder, &["diff", "a", "b", "--all"]);
    insta::assert_snapshot!("all_rows", text);
    let document = json(folder, &["a", "b"], 0);
    assert_eq!((&document["noise"]["known"], &document["run"]["change_ns"]), (&false.into(), &0.into()));
    assert_eq!(document["run"]["verdict"], "unknown");
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    report::write(&folder.join("a"), 4711);
    let wrong = |words: &[&str]| {
        let (status, text, notes) = ferromp(folder, &[&["diff"], words].concat());
        assert_eq!((status, text.as_str()), (Some(125), ""), "{notes}");
        notes.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(wrong(&["a", "b"]), "ferromp: b: no such folder");
    std::fs::create_dir(folder.join("b")).unwrap();
    assert_eq!(wrong(&["a", "b"]), "ferromp: b: not a ferromp trace (no meta.json in it)");
    assert!(wrong(&["a"]).starts_with("ferromp: 2 values required"));
    assert!(wrong(&["--before", "a"]).starts_with("ferromp: the following required arguments were not provided:"));
    assert!(
        wrong(&["a", "a", "--fail-above", "much"]).contains("not a percentage such as 10%, nor a time such as 50ms")
    );
    // A trace whose events are gone can be read in part, and is no success.
    report::write(&folder.join("c"), 4712);
    let threads = std::fs::read_dir(folder.join("c")).unwrap().map(|entry| entry.unwrap().path());
    let thread =
        threads.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("thread")).max().unwrap();
    std::fs::write(thread, b"damaged").unwrap();
    let (status, text, _) = ferromp(folder, &["diff", "a", "c", "--fail-above", "1"]);
    assert_eq!(status, Some(125), "{text}");
}

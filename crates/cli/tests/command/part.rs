//! Reports and exports of a part of a trace: a window of time, or some regions.

use crate::schema::validated;
use crate::{common, report};

use std::path::Path;

use serde_json::Value;

fn ferromp(folder: &Path, words: &[&str]) -> (Option<i32>, Vec<u8>, String) {
    let done = common::ferromp(Path::new("/nowhere")).current_dir(folder).args(words).output().unwrap();
    (done.status.code(), done.stdout, common::text(&done.stderr))
}

/// The document of the trace of `report.rs`.
fn document(flags: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    let (status, text, notes) = ferromp(folder.path(), &[&["report", "trace", "--format", "json"][..], flags].concat());
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    assert_eq!(folder.path().join("trace/summary.cache").exists(), flags.is_empty(), "kept is only the whole");
    validated(&text)["traces"][0].clone()
}

fn numbers<const N: usize>(of: &Value, names: [&str; N]) -> [u64; N] {
    names.map(|name| of[name].as_u64().unwrap_or_else(|| panic!("{name} of {of:#}")))
}

#[test]
fn what_crosses_an_edge_is_cut() {
    // The first region ends at 90 us, the second begins at 110 us.
    for window in [["--from", "50us", "--to", "0.150ms"], ["--from", "12.5%", "--until", "37.5%"]] {
        let trace = document(&window);
        assert_eq!(trace["part"], serde_json::json!({ "from_ns": 50_000, "to_ns": 150_000, "regions": null }));
        assert_eq!(numbers(&trace, ["wall_ns", "serial_ns"]), [100_000, 20_000]);
        let region = &trace["regions"][0];
        assert_eq!(numbers(region, ["calls", "total_ns", "thread_ns"]), [2, 80_000, 160_000]);
        // The first thread waits from 70 us to 90 us, the worker is late by 8 us and waits for 12 us.
        let names = ["work_ns", "barrier_ns", "sync_ns", "idle_ns", "runtime_ns"];
        assert_eq!(numbers(region, names), [40_000 - 20_000 + 40_000 + 40_000 + 20_000, 20_000, 12_000, 8_000, 0]);
        // It held the critical region at the begin, and holds it at the end.
        let names = ["count", "wait_ns", "hold_ns"];
        assert_eq!(numbers(&trace["locks"][0], names), [1, 12_000, 22_000 + 8_000]);
        assert_eq!(numbers(&trace["tasks"][0], ["created", "completed", "total_ns"]), [1, 1, 5_000]);
        assert_eq!(numbers(&trace["thread_rows"][1], ["begin_ns", "end_ns"]), [50_000, 150_000]);
    }
}

#[test]
fn all_windows_together_are_the_whole() {
    let whole = document(&[]);
    assert_eq!(whole["part"], Value::Null);
    let names = ["total_ns", "thread_ns", "work_ns", "barrier_ns", "sync_ns", "idle_ns", "runtime_ns"];
    let mut sums = [0; 7];
    let edges = ["0ns", "5us", "41us", "97us", "98us", "255us", "100%"];
    for edge in edges.windows(2) {
        let part = document(&["--from", edge[0], "--to", edge[1]]);
        for region in part["regions"].as_array().unwrap() {
            let parts = numbers(region, names);
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
    }
    assert_eq!(sums, numbers(&whole["regions"][0], names));
}

#[test]
fn a_window_between_regions_has_none() {
    let trace = document(&["--from", "92us", "--to", "105us"]);
    assert_eq!(numbers(&trace, ["wall_ns", "serial_ns"]), [13_000, 13_000]);
    for table in ["regions", "waits", "locks", "tasks", "loops"] {
        assert_eq!(trace[table], serde_json::json!([]), "{table}");
    }
}

#[test]
fn only_a_region_counts() {
    let trace = document(&["--region", "0x401000"]);
    let selected = serde_json::json!({ "from_ns": null, "to_ns": null, "regions": ["0x401000"] });
    assert_eq!(trace["part"], selected);
    assert_eq!(numbers(&trace, ["wall_ns", "serial_ns"]), [240_000, 0]);
    let whole = document(&[]);
    for table in ["regions", "waits", "locks", "tasks"] {
        assert_eq!(trace[table], whole[table], "{table}");
    }
    let trace = document(&["--region", "4010", "--to", "50us"]);
    assert_eq!(numbers(&trace, ["wall_ns", "serial_ns"]), [40_000, 0]);
}

#[test]
fn the_header_says_what_the_report_is_about() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    let words = ["report", "trace", "--from", "50us", "--to", "150us", "--region", "0x401000"];
    let (status, text, notes) = ferromp(folder.path(), &words);
    assert_eq!((status, notes.as_str()), (Some(0), ""));
    let text = common::text(&text);
    assert!(text.contains("part     50 us to 150 us from the start of the recording, region 0x401000\n"), "{text}");
    assert!(text.contains("time     80.0 us of the run;"), "{text}");
    let page = ["report", "trace", "--html", "out.html", "--from", "50us"];
    assert_eq!(ferromp(folder.path(), &page).0, Some(0));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("this page is about a part of the trace") && page.contains("50 us to 400 us"));
}

#[test]
fn an_export_has_the_slices_of_the_part() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    let slices = |flags: &[&str]| -> u64 {
        let words = ["export", "trace", "--to", "perfetto", "-o", "out", "--force"];
        let (status, text, notes) = ferromp(folder.path(), &[&words[..], flags].concat());
        assert_eq!((status, notes.as_str()), (Some(0), ""));
        let text = common::text(&text);
        text.split(", ").find_map(|part| part.strip_suffix(" slices")).unwrap().parse().unwrap()
    };
    let whole = slices(&[]);
    assert_eq!(whole % 3, 0, "three instances of a region are all there is");
    assert_eq!(slices(&["--from", "100us", "--until", "200us"]), whole / 3);
    // The worker's part, the end of the task and all after it; the first region's barrier is in the second window.
    assert_eq!(slices(&["--from", "91us", "--until", "109us"]), 0);
    let halves = slices(&["--until", "150us"]) + slices(&["--from", "150us"]);
    assert!(halves > whole && halves <= whole + 6, "{halves}, {whole}");
    assert_eq!(slices(&["--region", "0x401000"]), whole);
}

#[test]
fn parts_that_are_not_there_cost_one_line() {
    let folder = tempfile::tempdir().unwrap();
    report::write(&folder.path().join("trace"), 4711);
    for (flags, line) in [
        (&["--from", "1s"][..], "--from: 1 s is not before the end of the recording, 400 us"),
        (&["--from", "20us", "--to", "20us"], "--from, --to: nothing is from 20 us to 20 us"),
        (&["--from", "60%", "--to", "50%"], "--from, --to: nothing is from 240 us to 200 us"),
        (&["--region", "heat.c:34"], "--region heat.c:34: the trace has no such parallel region; it has 0x401000"),
        (&["--region", "\x1b[2J"], "--region \\x1b[2J: the trace has no such parallel region; it has 0x401000"),
    ] {
        let (status, _, notes) = ferromp(folder.path(), &[&["report", "trace"], flags].concat());
        assert_eq!((status, notes), (Some(125), format!("ferromp: {line}\n")), "{flags:?}");
    }
    for bad in ["", "5", "-1s", "1h", "nan s", "101%", "1e9s"] {
        let (status, _, notes) = ferromp(folder.path(), &["report", "trace", &format!("--from={bad}")]);
        assert!(status == Some(125) && notes.starts_with("ferromp: "), "{bad}: {notes}");
    }
}

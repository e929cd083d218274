//! A recording that is followed amounts to the same as its trace when it is over.

mod common;

use common::{compile, recorded};
use ferromp_trace::analysis::Summary;
use ferromp_trace::live::{Keep, Patience, Stream};
use ferromp_trace::reader::Trace;
use std::time::Duration;

/// Everything in a summary that is no time.
fn counts(summary: &Summary) -> String {
    let regions = summary.regions.iter().map(|it| (it.site(), it.calls, it.serialized, it.nested, it.tasks));
    let tasks = summary.tasks.iter().map(|it| (it.site(), it.created, it.completed, it.stolen, it.region));
    let locks = summary.locks.iter().map(|it| (it.codeptr, it.kind, it.count, it.objects, it.region));
    let waits = summary.waits.iter().map(|it| (it.region, it.site, it.kind, it.members));
    let loops = summary.loops.iter().map(|it| (it.site, it.executions, it.iterations, it.chunks));
    let mut lines: Vec<String> = regions.map(|row| format!("region {row:?}")).collect();
    lines.extend(tasks.map(|row| format!("task {row:?}")));
    lines.extend(locks.map(|row| format!("lock {row:?}")));
    lines.extend(waits.map(|row| format!("wait {row:?}")));
    lines.extend(loops.map(|row| format!("loop {row:?}")));
    // Rows are in the order of their times.
    lines.sort();
    format!("{} threads, {} events, {} samples\n{lines:#?}", summary.threads, summary.events, summary.samples.count)
}

/// The times of a summary, which depend on the length of a tick.
fn times(summary: &Summary) -> Vec<u64> {
    let regions = summary.regions.iter().flat_map(|it| [it.total_ns, it.work_ns, it.barrier_ns, it.max_work_ns]);
    let rows = summary.thread_rows.iter().flat_map(|it| [it.begin_ns, it.end_ns, it.work_ns, it.wait_ns]);
    [summary.wall_ns, summary.serial_ns].into_iter().chain(regions).chain(rows).collect()
}

#[test]
fn a_recording_that_is_followed_has_the_same_summary() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace");
    // Long enough for the follower to settle how long a tick is, and to come to events.
    let mut child = recorded(&compile(dir.path(), "mixture"), &path).arg("20").spawn().unwrap();
    let mut stream = None;
    let (mut views, mut ended) = (0, None);
    while ended.is_none() {
        ended = child.try_wait().unwrap();
        stream = stream.or_else(|| Stream::open(&path, Keep::All).ok());
        if let Some(stream) = &mut stream {
            stream.look(Patience::None);
            let view = stream.view(&mut |site| site);
            assert!(view.summary.wall_ns == view.ns);
            views += u64::from(view.summary.events > 0);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    let mut stream = stream.unwrap();
    stream.complete();
    assert!(views > 0 && stream.late() == 0 && stream.damage().is_empty(), "{views} {}", stream.late());
    let (followed, whole) =
        (stream.view(&mut |site| site).summary, Summary::of(&Trace::open(&path).unwrap(), &mut |_, _| {}));
    assert_eq!(counts(&followed), counts(&whole));
    // Where two threads come and go within a nanosecond, the length of a tick decides who is first.
    let episodes = |summary: &Summary| summary.waits.iter().map(|it| it.episodes).sum::<u64>();
    assert!(episodes(&followed).abs_diff(episodes(&whole)) <= episodes(&whole) / 100);
    for (one, other) in times(&followed).into_iter().zip(times(&whole)) {
        assert!(one.abs_diff(other) <= 1000 + other / 10_000, "{one} {other}");
    }
}

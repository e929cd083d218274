//! Traces made by hand, with a clock that counts nanoseconds from 0.

use ferromp_trace::reader::Trace;
use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, clock, meta};
use std::path::Path;

/// Writes a trace that ends at `end` with these events of each thread, and opens it.
pub fn trace(dir: &Path, end: u64, threads: &[&[(u64, Record)]]) -> Trace {
    trace_of(dir, Meta { program: "/opt/app".into(), ..Meta::default() }, &Modules::default(), end, threads)
}

/// As [`trace`], of a program that is described by `about` and mapped as `modules` say.
pub fn trace_of(dir: &Path, about: Meta, modules: &Modules, end: u64, threads: &[&[(u64, Record)]]) -> Trace {
    let start = clock::Pair { ticks: 0, ns: 0 };
    let clock = clock::Clock { source: clock::Source::Monotonic, start, later: start };
    let meta = Meta {
        format: meta::FORMAT,
        hostname: "node1".into(),
        runtime: "by hand".into(),
        cpus: 4,
        clock,
        pid: 7,
        finished: true,
        end_ticks: end,
        ..about
    };
    let folder = Folder::open(dir).unwrap();
    meta.write(&folder).unwrap();
    modules.write(&folder).unwrap();
    for (number, records) in threads.iter().enumerate() {
        let mut writer = Writer::create(&folder, number as u32, "t", clock::Ticker::choose(), 0).unwrap();
        for (time, record) in *records {
            assert!(writer.record(*time, record));
        }
        writer.finish();
    }
    Trace::open(dir).unwrap()
}

/// A thread starts its part of the region `parallel`, as the task `task`.
pub fn implicit(parallel: u64, task: u64, team: u64, index: u64) -> Record {
    Record::ImplicitTaskBegin { parallel, task, team, index, flags: 2 }
}

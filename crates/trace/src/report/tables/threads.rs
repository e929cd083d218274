//! The program's threads: what they did, and their time on CPUs.

use super::table::listed;
use super::{Source, Table};
use crate::analysis::ThreadRow;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "threads",
    help: "Threads: work, waiting, time on CPUs, switches",
    brief: false,
    rows: |summary| summary.thread_rows.len(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let row = |thread: &ThreadRow| {
        let device = thread.device.map_or(String::new(), |device| format!(" on device {}", device as i32));
        let cpus: Vec<String> = thread.cpus.iter().map(u64::to_string).collect();
        let cells = vec![
            Cell::time(thread.work_ns),
            Cell::time(thread.wait_ns),
            Cell::time(thread.runtime_ns),
            Cell::time(thread.idle_ns),
            Cell::time(thread.cpu.cpu_ns),
            Cell::time(thread.cpu.preempted_ns),
            Cell::time(thread.cpu.blocked_ns),
            Cell::count(thread.cpu.voluntary),
            Cell::count(thread.cpu.involuntary),
            Cell::count(thread.cpu.migrations),
            Cell::count(thread.cpu.minor_faults + thread.cpu.major_faults),
            Cell::text(&cpus.join(" ")),
        ];
        let name = if thread.name.is_empty() { "thread" } else { &thread.name };
        Row { name: Name::Text(format!("{} {name} ({}){device}", thread.number, thread.tid)), cells }
    };
    let (rows, notes) = listed(&source.summary.thread_rows, most, &TABLE, row, |thread| thread.work_ns);
    Sheet {
        title: "Threads".into(),
        header: vec![
            "thread",
            "work",
            "waiting",
            "runtime",
            "idle",
            "on CPU",
            "preempted",
            "blocked",
            "gave up CPU",
            "lost CPU",
            "moved",
            "faults",
            "CPUs",
        ],
        rows,
        notes,
    }
}

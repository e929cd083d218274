//! Worksharing loops: how iterations were handed out, and how long chunks were.

use super::table::listed;
use super::{Source, Table};
use crate::analysis::{Chunk, Loop, work_name};
use crate::report::layout::{Cell, Name, Row, Sheet};
use crate::selection::moment;
use crate::units::duration;

pub const TABLE: Table = Table {
    name: "loops",
    help: "Worksharing loops: iterations, chunks and imbalance",
    brief: false,
    rows: |summary| summary.loops.iter().filter(|one| one.sections.is_empty()).count(),
    sheet,
};

/// Where the longest chunk was.
fn longest(chunk: Chunk) -> String {
    let Chunk { thread, first, iterations, begin_ns, ns } = chunk;
    let last = first.saturating_add(iterations.saturating_sub(1));
    let which = if last > first { format!("{first}-{last}") } else { first.to_string() };
    format!("{which} on thread {thread} at {}: {}", moment(begin_ns), duration(ns))
}

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let loops: Vec<&Loop> = summary.loops.iter().filter(|one| one.sections.is_empty()).collect();
    let row = |one: &&Loop| {
        let kind = work_name(one.kind);
        let kind = kind.strip_prefix("loop ").unwrap_or(&kind);
        let cells = vec![
            Cell::count(one.executions),
            Cell::count(one.max_threads),
            Cell::time(one.thread_ns),
            Cell::count(one.iterations),
            Cell::count(one.chunks),
            Cell::count(one.largest_chunk),
            Cell::time(one.mean_chunk_ns()),
            Cell::time(one.max_chunk_ns),
            Cell::share(one.imbalance()),
            Cell::text(&one.longest.map_or(String::new(), longest)),
        ];
        Row { name: Name::Place(symbols.locate(one.site), format!(" ({kind})")), cells }
    };
    let (rows, notes) = listed(&loops, most, &TABLE, row, |one| one.thread_ns);
    Sheet {
        title: "Worksharing loops, by the threads' time in them".into(),
        header: vec![
            "loop",
            "calls",
            "threads",
            "time",
            "iterations",
            "chunks",
            "largest",
            "mean chunk",
            "max chunk",
            "imbalance",
            "longest chunk",
        ],
        rows,
        notes,
    }
}

//! The data of one trace for the page: a JSON document, and the large arrays in binary.

use super::efficiency;
use super::finding::Finding;
use super::names::{Named, Names};
use super::tables::{self, Table};
use super::timeline::{Finished, Timeline};
use super::usage::ACTIVITIES;
use crate::analysis::{Loop, Summary, work_name};
use crate::escape;
use crate::reader::Trace;
use crate::store::lock::State;
use crate::store::trimmed::Kept;
use crate::symbols::excerpt;
use crate::units::duration;
use serde_json::{Value, json};
use std::io::{Result, Write};

/// The JSON document, which the page's scripts read. Every text in it is escaped for a terminal as well, so that no
/// name turns the direction of writing around.
pub fn json(trace: &Trace, summary: &Summary, findings: &[Finding], timeline: &mut Timeline<'_>) -> Value {
    let meta = &trace.meta;
    let names = &mut timeline.names;
    let mut list: Vec<Table> = tables::of(trace, summary, names);
    list.insert(1, efficiency::table(summary, names));
    list.push(threads(&timeline.rows));
    let tables: Vec<Value> = list.iter().filter_map(Table::data).collect();
    let findings: Vec<Value> = findings.iter().map(|finding| self::finding(finding, names)).collect();
    let chunks: Vec<Value> = summary.loops.iter().filter_map(|one| chunks(one, names)).collect();
    let graph = graph(timeline);
    let named = named(&mut timeline.names);
    let mut next = 0;
    let rows: Vec<Value> = timeline
        .rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let mut slices = vec![0; row.lanes.len()];
            while let Some(slice) = timeline.slices.get(next).filter(|slice| slice.row as usize == index) {
                slices[usize::from(slice.lane)] += 1;
                next += 1;
            }
            let cells: Vec<bool> = row.lanes.iter().map(Option::is_some).collect();
            json!({ "label": row.label, "device": row.device, "slices": slices, "cells": cells })
        })
        .collect();
    json!({
        "program": text(meta.program_name()),
        "command": meta.argv.iter().map(|word| text(word)).collect::<Vec<_>>(),
        "path": text(&meta.program),
        "host": text(&meta.hostname),
        "pid": meta.pid,
        "rank": meta.rank,
        "runtime": text(&meta.runtime),
        "cpus": meta.cpus,
        "start_unix_ms": meta.start_unix_ns / 1_000_000,
        "wall_ns": summary.wall_ns,
        "serial_ns": summary.serial_ns,
        "threads": summary.threads,
        "events": summary.events,
        "warnings": warnings(trace, summary, timeline),
        "findings": findings,
        "tables": tables,
        "names": named,
        "rows": rows,
        "cells": { "count": timeline.grid.cells, "ns": timeline.grid.ns },
        "windows": timeline.windows,
        "usage": {
            "activities": ACTIVITIES,
            "ns": timeline.usage.bucket_ns(),
            "totals": timeline.usage.totals(),
        },
        "chunks": chunks,
        "graph": graph,
    })
}

/// The large arrays, in this order: of all lanes with cells the cells' names (16 bits, little endian), then their
/// shares (8 bits); the use of the threads (32-bit floats); the slices as variable-length numbers: the distance from
/// the end of the lane's last slice, the duration, the name.
pub fn binary(timeline: &Timeline<'_>, to: &mut dyn Write) -> Result<()> {
    let lanes = || timeline.rows.iter().flat_map(|row| &row.lanes).flatten();
    for lane in lanes() {
        let names: Vec<u8> = lane.names.iter().flat_map(|name| name.to_le_bytes()).collect();
        to.write_all(&names)?;
    }
    for lane in lanes() {
        to.write_all(&lane.shares)?;
    }
    let usage: Vec<u8> = timeline.usage.threads().flat_map(f32::to_le_bytes).collect();
    to.write_all(&usage)?;
    let (mut place, mut last, mut bytes) = (None, 0, Vec::new());
    for slice in &timeline.slices {
        if place.replace((slice.row, slice.lane)) != Some((slice.row, slice.lane)) {
            last = 0;
        }
        for number in [slice.begin.saturating_sub(last), slice.end - slice.begin, u64::from(slice.name)] {
            variable(number, &mut bytes);
        }
        last = slice.end;
        if bytes.len() > 1 << 16 {
            to.write_all(&bytes)?;
            bytes.clear();
        }
    }
    to.write_all(&bytes)
}

/// Seven bits a byte, the lowest first; all bytes but the last have the high bit set.
fn variable(mut number: u64, to: &mut Vec<u8>) {
    while number > 0x7f {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fn text(text: &str) -> Value {
    escape::line(text).into()
}

fn named(names: &mut Names<'_>) -> Vec<Value> {
    let list = std::mem::take(&mut names.list);
    let value = |named: &Named| {
        let location = names.symbols().locate(named.site);
        let known = named.site.codeptr != 0 || named.site.function != 0;
        let file = location.file.as_ref().map(|file| text(&file.to_string_lossy()));
        let source = excerpt(&location);
        let source = source.map(|source| json!({ "first": source.first, "line": source.line, "lines": source.lines }));
        json!({
            "kind": named.kind,
            "name": named.name,
            "short": known.then(|| text(&location.short())),
            "place": known.then(|| text(&location.long())),
            "file": file,
            "line": location.line,
            "source": source,
            "count": named.count,
            "total": named.total,
            "longest": [named.longest.0, named.longest.1, named.longest.2],
            "lengths": named.lengths.filled(),
        })
    };
    let values = list.iter().map(value).collect();
    names.list = list;
    values
}

fn finding(finding: &Finding, names: &mut Names<'_>) -> Value {
    let name = finding.site.and_then(|site| names.find(&[], site));
    json!({
        "title": text(&finding.title),
        "place": text(&finding.place),
        "lines": finding.lines.iter().map(|line| text(line)).collect::<Vec<_>>(),
        "gain_ns": finding.gain_ns,
        "name": name,
        "range": finding.range_ns,
    })
}

/// The lengths of a loop's chunks, in buckets of the page's histograms. None if the loop has no chunks.
fn chunks(one: &Loop, names: &mut Names<'_>) -> Option<Value> {
    let filled = one.lengths.iter().enumerate().filter(|(_, count)| **count > 0);
    let lengths: Vec<(usize, u64)> = filled.map(|(octave, count)| (2 * octave, *count)).collect();
    let name = format!("chunks of {}", work_name(one.kind));
    (!lengths.is_empty()).then(|| json!({ "name": name, "place": tables::place(names, one.site), "lengths": lengths }))
}

fn threads(rows: &[Finished]) -> Table {
    let columns: Vec<(&str, &str)> =
        [("thread", "place"), ("recorded", "ns")].into_iter().chain(ACTIVITIES.map(|name| (name, "percent"))).collect();
    let mut table =
        Table::new("Threads", "What each thread did, as shares of the time from its begin to its end.", &columns);
    for row in rows {
        let Some(totals) = row.totals else { continue };
        let sum: u64 = totals.iter().sum();
        let share = |ns: u64| Value::from(100.0 * ns as f64 / sum.max(1) as f64);
        let cells = [row.label.clone().into(), sum.into()].into_iter().chain(totals.map(share)).collect();
        table.row(cells, None);
    }
    table
}

/// The measures of the tasks' graph, and the graph if it is small. Null without tasks.
fn graph(timeline: &mut Timeline<'_>) -> Value {
    let graph = &timeline.live.graph;
    let measures = graph.measures;
    if measures.created == 0 {
        return Value::Null;
    }
    let small = graph.small().map(|(nodes, edges)| {
        let nodes: Vec<Value> = nodes
            .iter()
            .map(|node| {
                json!({
                    "id": node.id,
                    "parent": node.parent,
                    "name": timeline.names.find(&["task"], node.site),
                    "created": node.created,
                    "begin": node.begin.map(|(ns, _)| ns),
                    "row": node.begin.map(|(_, row)| row),
                    "end": node.end,
                    "work": node.work,
                })
            })
            .collect();
        json!({ "nodes": nodes, "edges": edges })
    });
    json!({
        "created": measures.created,
        "completed": measures.completed,
        "dependent": measures.dependent,
        "dependences": measures.dependences,
        "deepest": measures.deepest,
        "most_pending": measures.most_pending,
        "work": measures.work,
        "chain_ns": measures.chain_ns,
        "chain_tasks": measures.chain_tasks,
        "small": small,
    })
}

fn warnings(trace: &Trace, summary: &Summary, timeline: &mut Timeline<'_>) -> Vec<Value> {
    let mut lines = Vec::new();
    if !trace.selection.is_all() {
        let part = trace.selection.describe().join(", ");
        lines.push(format!("this page is about a part of the trace, and times count from its begin: {part}"));
    }
    if !trace.meta.finished {
        let why = if trace.state == State::Runs { "still runs" } else { "did not end in good order" };
        lines.push(format!("the program {why}; the trace goes to its last event"));
    }
    match trace.trimmed.as_ref().map(|trimmed| trimmed.kept) {
        Some(Kept::None) => {
            lines.push("there is no timeline: a profile keeps no events; the tables are of the whole run".to_owned());
        }
        Some(Kept::Newest) => {
            let from = duration(trace.kept_from_ns().unwrap_or(0));
            lines.push(format!(
                "the timeline begins at {from}: earlier events were not kept; the tables are of the whole run"
            ));
        }
        None => {}
    }
    if summary.no_openmp {
        lines.push("the trace has no events of OpenMP constructs".to_owned());
    }
    if summary.lost > 0 {
        lines.push(format!("{} events were lost: the trace files could not grow", summary.lost));
    }
    if trace.meta.missed_threads > 0 {
        lines.push(format!("{} threads could not be recorded", trace.meta.missed_threads));
    }
    lines.extend(trace.all_damage().into_iter().map(|line| format!("damaged: {line}")));
    let symbols = timeline.names.symbols();
    lines.extend(symbols.damage.iter().map(|line| format!("damaged: {line}")));
    lines.extend(symbols.problems.iter().cloned());
    lines.iter().map(|line| text(line)).collect()
}

//! The summary's tables as data for the page: columns with units, rows of numbers. The page sorts and formats them.

use super::names::Names;
use crate::Site;
use crate::analysis::{Summary, sync_name, target_name, work_name};
use crate::escape;
use crate::reader::Trace;
use serde_json::{Value, json};

/// A table.
pub struct Table {
    title: &'static str,
    /// A line below the title; may be empty.
    note: &'static str,
    /// Names and units. A unit is `place`, `text`, `count`, `ns`, `percent`, `bytes` or `rate`.
    columns: Vec<(&'static str, &'static str)>,
    rows: Vec<Row>,
}

/// A row.
struct Row {
    /// A value for each column: text, or a number in the column's unit.
    cells: Vec<Value>,
    /// The number of the name that the timeline shows the row's construct under.
    name: Option<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &'static str, note: &'static str, columns: &[(&'static str, &'static str)]) -> Table {
        Table { title, note, columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. `name` is the number of the name that the timeline shows the row's construct under.
    pub fn row(&mut self, cells: Vec<Value>, name: Option<usize>) {
        self.rows.push(Row { cells, name });
    }

    /// The data for the page; none for a table without rows.
    pub fn data(&self) -> Option<Value> {
        let columns: Vec<Value> =
            self.columns.iter().map(|(title, unit)| json!({ "title": title, "unit": unit })).collect();
        let rows: Vec<Value> = self.rows.iter().map(|row| json!({ "cells": row.cells, "name": row.name })).collect();
        (!rows.is_empty()).then(|| json!({ "title": self.title, "note": self.note, "columns": columns, "rows": rows }))
    }
}

/// The tables of a summary.
pub fn of(trace: &Trace, summary: &Summary, names: &mut Names<'_>) -> Vec<Table> {
    vec![
        regions(summary, names),
        waits(summary, names),
        loops(summary, names),
        locks(summary, names),
        tasks(summary, names),
        targets(summary, names),
        samples(trace, summary, names),
    ]
}

/// A place in words.
pub fn place(names: &mut Names<'_>, site: Site) -> Value {
    escape::line(&names.symbols().locate(site).long()).into()
}

fn regions(summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Parallel regions",
        "Work, barrier, sync, idle and runtime are shares of the team's time.",
        &[
            ("region", "place"),
            ("calls", "count"),
            ("threads", "count"),
            ("time", "ns"),
            ("longest", "ns"),
            ("of wall", "percent"),
            ("work", "percent"),
            ("barrier", "percent"),
            ("sync", "percent"),
            ("idle", "percent"),
            ("runtime", "percent"),
            ("imbalance", "percent"),
        ],
    );
    for region in &summary.regions {
        let wall = 100.0 * region.total_ns as f64 / summary.wall_ns.max(1) as f64;
        let mut cells = vec![
            place(names, region.site()),
            region.calls.into(),
            region.max_threads.into(),
            region.total_ns.into(),
            region.max_ns.into(),
            wall.into(),
        ];
        let parts = [region.work_ns, region.barrier_ns, region.sync_ns, region.idle_ns, region.runtime_ns];
        cells.extend(parts.map(|part| Value::from(region.percent(part))));
        cells.push(region.imbalance().into());
        table.row(cells, names.find(&["region"], region.site()));
    }
    table
}

fn waits(summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Waiting",
        "Where members of a team waited for others, and what these did most of the time.",
        &[
            ("waited at", "place"),
            ("kind", "text"),
            ("region", "place"),
            ("times", "count"),
            ("waited", "ns"),
            ("the others were in", "text"),
            ("at", "place"),
            ("share", "percent"),
        ],
    );
    for wait in &summary.waits {
        let cause = wait.causes.first();
        let at = cause.filter(|(activity, _)| activity.site != Site::default());
        let share = cause.map_or(0.0, |(_, ns)| 100.0 * *ns as f64 / wait.wait_ns.max(1) as f64);
        let cells = vec![
            place(names, wait.site),
            sync_name(wait.kind).into(),
            place(names, wait.region),
            wait.episodes.into(),
            wait.wait_ns.into(),
            cause.map_or("".into(), |(activity, _)| activity.kind.name().into()),
            at.map_or("".into(), |(activity, _)| place(names, activity.site)),
            share.into(),
        ];
        let name = names.find(&["wait"], wait.site).or_else(|| names.find(&["region"], wait.site));
        table.row(cells, name);
    }
    table
}

fn loops(summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Loops and sections",
        "Time is that of all threads.",
        &[
            ("construct", "place"),
            ("kind", "text"),
            ("calls", "count"),
            ("threads", "count"),
            ("time", "ns"),
            ("iterations", "count"),
            ("chunks", "count"),
            ("largest chunk", "count"),
            ("mean", "ns"),
            ("longest", "ns"),
            ("imbalance", "percent"),
        ],
    );
    for one in &summary.loops {
        let cells = vec![
            place(names, one.site),
            work_name(one.kind).into(),
            one.executions.into(),
            one.max_threads.into(),
            one.thread_ns.into(),
            one.iterations.into(),
            one.chunks.into(),
            one.largest_chunk.into(),
            one.mean_chunk_ns().into(),
            one.max_chunk_ns.into(),
            one.imbalance().into(),
        ];
        table.row(cells, names.find(&["work"], one.site));
    }
    table
}

fn locks(summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Locks and critical sections",
        "",
        &[
            ("acquired at", "place"),
            ("kind", "text"),
            ("objects", "count"),
            ("count", "count"),
            ("waited", "ns"),
            ("mean wait", "ns"),
            ("longest wait", "ns"),
            ("held", "ns"),
        ],
    );
    for lock in &summary.locks {
        let cells = vec![
            place(names, lock.codeptr.into()),
            lock.kind_name().into(),
            lock.objects.into(),
            lock.count.into(),
            lock.wait_ns.into(),
            (lock.wait_ns / lock.count.max(1)).into(),
            lock.max_wait_ns.into(),
            lock.hold_ns.into(),
        ];
        table.row(cells, names.find(&["lock"], lock.codeptr.into()));
    }
    table
}

fn tasks(summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Explicit tasks",
        "Times in which tasks ran the program's code.",
        &[
            ("created at", "place"),
            ("created", "count"),
            ("completed", "count"),
            ("total", "ns"),
            ("mean", "ns"),
            ("shortest", "ns"),
            ("longest", "ns"),
            ("elsewhere", "percent"),
        ],
    );
    for site in &summary.tasks {
        let cells = vec![
            place(names, site.site()),
            site.created.into(),
            site.completed.into(),
            site.total_ns.into(),
            site.mean_ns().into(),
            site.min_ns.into(),
            site.max_ns.into(),
            (100.0 * site.stolen as f64 / site.completed.max(1) as f64).into(),
        ];
        table.row(cells, names.find(&["task"], site.site()));
    }
    table
}

fn targets(summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Device constructs",
        "Exposed is copying while the device ran no kernel.",
        &[
            ("construct", "place"),
            ("kind", "text"),
            ("device", "text"),
            ("calls", "count"),
            ("time", "ns"),
            ("kernels", "count"),
            ("in kernels", "ns"),
            ("to", "bytes"),
            ("from", "bytes"),
            ("bandwidth", "rate"),
            ("exposed", "ns"),
        ],
    );
    for site in &summary.targets {
        let devices: Vec<String> = site.devices.iter().map(|device| (*device as i32).to_string()).collect();
        let cells = vec![
            place(names, site.site()),
            target_name(site.kind).into(),
            devices.join(", ").into(),
            site.calls.into(),
            site.host_ns.into(),
            site.kernels.into(),
            site.kernel_ns.into(),
            site.to_bytes.into(),
            site.from_bytes.into(),
            site.bandwidth().into(),
            site.exposed_ns.into(),
        ];
        table.row(cells, names.find(&["target", "device"], site.site()));
    }
    table
}

fn samples(trace: &Trace, summary: &Summary, names: &mut Names<'_>) -> Table {
    let mut table = Table::new(
        "Samples",
        "The lines of the program on which samples found the threads, and what these did.",
        &[
            ("line", "place"),
            ("calling", "text"),
            ("in", "text"),
            ("at", "place"),
            ("samples", "count"),
            ("of all", "percent"),
        ],
    );
    for sampled in &summary.samples.activities {
        let own = sampled.doing.site();
        let site = if own == Site::default() { sampled.region } else { own };
        let at = if site == Site::default() { "".into() } else { place(names, site) };
        let mut row = |line: Value, callee: &str, count: u64| {
            let cells = vec![
                line,
                escape::line(callee).into(),
                sampled.doing.name().into(),
                at.clone(),
                count.into(),
                summary.samples.percent(count).into(),
            ];
            table.row(cells, None);
        };
        if sampled.doing.is_program() {
            for hot in sampled.lines(trace, names.symbols()) {
                row(escape::line(&hot.place.long()).into(), hot.callee.as_deref().unwrap_or_default(), hot.count);
            }
        } else {
            row("".into(), "", sampled.count);
        }
    }
    table
}

//! Locks, critical, ordered and atomic regions, by waiting time.

use super::table::{Source, Table, listed};
use crate::analysis::Lock;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "locks",
    help: "Locks, critical, ordered and atomic regions",
    brief: false,
    rows: |summary| summary.locks.len(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let row = |lock: &Lock| {
        let cells = vec![
            Cell::text(&lock.kind_name()),
            Cell::count(lock.objects),
            Cell::count(lock.count),
            Cell::time(lock.wait_ns),
            Cell::time(lock.wait_ns / lock.count.max(1)),
            Cell::time(lock.max_wait_ns),
            Cell::time(lock.hold_ns),
        ];
        Row { name: Name::Place(symbols.locate(lock.codeptr), String::new()), cells }
    };
    let (rows, notes) = listed(&summary.locks, most, &TABLE, row, |lock| lock.wait_ns);
    Sheet {
        title: "Locks and critical sections, by waiting time".into(),
        header: vec!["acquired at", "kind", "objects", "count", "waited", "mean wait", "max wait", "held"],
        rows,
        notes,
    }
}

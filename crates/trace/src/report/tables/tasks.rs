//! Explicit tasks, by place of creation.

use super::table::{Source, Table, listed};
use crate::analysis::TaskSite;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "tasks",
    help: "Explicit tasks, by the place of their creation",
    brief: false,
    rows: |summary| summary.tasks.len(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let row = |site: &TaskSite| {
        let cells = vec![
            Cell::count(site.created),
            Cell::time(site.total_ns),
            Cell::time(site.mean_ns()),
            Cell::time(site.min_ns),
            Cell::time(site.max_ns),
            Cell::share(100.0 * site.stolen as f64 / site.completed.max(1) as f64),
        ];
        Row { name: Name::Place(symbols.locate(site.site()), String::new()), cells }
    };
    let (rows, notes) = listed(&summary.tasks, most, &TABLE, row, |site| site.total_ns);
    Sheet {
        title: "Explicit tasks, by place of creation".into(),
        header: vec!["created at", "count", "total", "mean", "min", "max", "% elsewhere"],
        rows,
        notes,
    }
}

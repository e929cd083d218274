//! Parallel regions, and the parts of their threads' time.

use super::table::{Source, Table, listed};
use crate::analysis::Region;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "regions",
    help: "Parallel regions: the parts of their threads' time",
    brief: true,
    rows: |summary| summary.regions.len(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let row = |region: &Region| {
        let cells = vec![
            Cell::count(region.calls),
            Cell::count(region.max_threads),
            Cell::time(region.total_ns),
            Cell::share(100.0 * region.total_ns as f64 / summary.wall_ns.max(1) as f64),
            Cell::share(region.percent(region.work_ns)),
            Cell::share(region.percent(region.barrier_ns)),
            Cell::share(region.percent(region.sync_ns)),
            Cell::share(region.percent(region.mpi_ns)),
            Cell::share(region.percent(region.idle_ns)),
            Cell::share(region.percent(region.runtime_ns)),
            Cell::share(region.imbalance()),
        ];
        Row { name: Name::Place(symbols.locate(region.site()), String::new()), cells }
    };
    let (rows, mut notes) = listed(&summary.regions, most, &TABLE, row, |region| region.total_ns);
    if summary.regions.iter().take(most).any(|region| region.nested > 0) {
        notes.push(
            "nested regions: their time is work of the region around them, and adds up over those that run side by side"
                .into(),
        );
    }
    let header = vec![
        "region",
        "calls",
        "threads",
        "time",
        "% wall",
        "work",
        "barrier",
        "sync",
        "(in MPI)",
        "idle",
        "runtime",
        "imbalance",
    ];
    Sheet { title: "Parallel regions (% of the team's time)".into(), header, rows, notes }
}

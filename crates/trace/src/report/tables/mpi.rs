//! Calls of MPI by place: how often, how long, how much, and with whom.

use super::table::{Source, Table, listed};
use crate::analysis::MpiSite;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "mpi",
    help: "MPI calls: their time, bytes and partners",
    brief: false,
    rows: |summary| summary.mpi.len(),
    sheet,
};

/// The partners' ranks: the only one, or the lowest and the highest with their number.
fn partners(site: &MpiSite) -> String {
    match site.partners {
        0 => "-".to_owned(),
        1 => site.lowest.to_string(),
        count => format!("{count}: {}-{}", site.lowest, site.highest),
    }
}

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let row = |site: &MpiSite| {
        let cells = vec![
            Cell::text(&site.name()),
            Cell::count(site.count),
            Cell::time(site.total_ns),
            Cell::share(100.0 * site.total_ns as f64 / summary.mpi_ns.max(1) as f64),
            Cell::time(site.max_ns),
            Cell::time(site.region_ns),
            Cell::bytes(site.bytes),
            Cell::text(&partners(site)),
        ];
        Row { name: Name::Place(symbols.locate(site.site), String::new()), cells }
    };
    let (rows, mut notes) = listed(&summary.mpi, most, &TABLE, row, |site| site.total_ns);
    notes.push(
        "partners: ranks of the call's communicator; of several, their number, the lowest and the highest".into(),
    );
    Sheet {
        title: "MPI calls, by the threads' time in them".into(),
        header: vec!["called at", "function", "calls", "time", "%", "longest", "in regions", "bytes", "partners"],
        rows,
        notes,
    }
}

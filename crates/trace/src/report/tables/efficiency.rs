//! How well the threads are used: parallel efficiency and its factors, of the run and of each region.

use super::table::{Source, Table, listed};
use crate::analysis::{Efficiency, Region, Summary};
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "efficiency",
    help: "Parallel efficiency of the run and each region, and its factors",
    brief: false,
    rows: |summary| if regions(summary).is_empty() { 0 } else { 1 + regions(summary).len() },
    sheet,
};

/// The regions that teams of several threads have executed.
fn regions(summary: &Summary) -> Vec<&Region> {
    summary.regions.iter().filter(|region| region.max_threads > 1 && region.thread_ns > 0).collect()
}

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let run = Efficiency::of_run(summary).map(|efficiency| Row {
        name: Name::Text("the run".into()),
        cells: cells(summary.outermost.threads, summary.run_ns(), Some(efficiency), true),
    });
    let row = |region: &&Region| {
        let efficiency = Efficiency::of_region(region);
        let name = Name::Place(symbols.locate(region.site()), String::new());
        Row { name, cells: cells(region.max_threads, region.total_ns, efficiency, false) }
    };
    let (rows, notes) = listed(&regions(summary), most, &TABLE, row, |region| region.total_ns);
    Sheet {
        title: "Parallel efficiency (%), the product of the factors right of it".into(),
        header: vec!["region", "threads", "time", "efficiency", "Amdahl", "load balance", "serialisation", "transfer"],
        rows: run.into_iter().chain(rows).collect(),
        notes,
    }
}

/// Only the run has time outside of regions, of which Amdahl's factor tells.
fn cells(threads: u64, time_ns: u64, efficiency: Option<Efficiency>, is_run: bool) -> Vec<Cell> {
    let share = |value: Option<f64>| value.map_or(Cell::Number(String::new()), |value| Cell::share(100.0 * value));
    vec![
        Cell::count(threads),
        Cell::time(time_ns),
        share(efficiency.map(|found| found.parallel)),
        share(efficiency.filter(|_| is_run).map(|found| found.amdahl)),
        share(efficiency.map(|found| found.load_balance)),
        share(efficiency.map(|found| found.serialisation)),
        share(efficiency.map(|found| found.transfer)),
    ]
}

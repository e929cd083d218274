//! The functions in which the initial thread spent its CPU time outside of parallel regions.

use super::table::listed;
use super::{Source, Table};
use crate::analysis::HotFunction;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "functions",
    help: "Functions that ran outside of parallel regions",
    brief: false,
    rows: |summary| summary.samples.serial().map_or(0, |serial| serial.calls.leaves().count()),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let samples = &source.summary.samples;
    let (functions, all) = match samples.serial() {
        Some(serial) => (serial.functions(source.symbols), serial.count),
        None => (Vec::new(), 0),
    };
    let share = |count: u64| Cell::share(100.0 * count as f64 / all.max(1) as f64);
    let row = |function: &HotFunction| {
        let cells = vec![share(function.inclusive), share(function.exclusive)];
        Row { name: Name::Place(function.place.clone(), String::new()), cells }
    };
    let ns = |function: &HotFunction| function.exclusive.saturating_mul(1_000_000_000 / u64::from(samples.rate.max(1)));
    let (rows, notes) = listed(&functions, most, &TABLE, row, ns);
    Sheet {
        title: format!("CPU time outside parallel regions, by function (% of its {all} samples)"),
        header: vec!["function", "with callees", "self"],
        rows,
        notes,
    }
}

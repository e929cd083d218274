//! The critical path: what the length of the run consists of.

use super::table::{Source, Table, listed};
use crate::Site;
use crate::analysis::{CriticalPath, PathStep};
use crate::report::layout::{Cell, Name, Row, Sheet};
use crate::symbols::Symbolizer;
use crate::units::duration;

pub const TABLE: Table = Table {
    name: "critical-path",
    help: "The chain of work and delays that nobody waited for",
    brief: false,
    rows: |summary| summary.critical_path.as_ref().map_or(0, |path| path.steps.len()),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let none = CriticalPath::default();
    let path = source.summary.critical_path.as_ref().unwrap_or(&none);
    let title =
        format!("Critical path: replayed {}, measured {}", duration(path.replayed_ns), duration(path.measured_ns));
    let mut sheet = path_sheet(path, title, source.symbols, most);
    sheet.notes.push("replayed is with typical delays: their medians at each place".into());
    sheet
}

/// The steps of a path, the longest first.
pub fn path_sheet(path: &CriticalPath, title: String, symbols: &mut Symbolizer, most: usize) -> Sheet {
    let row = |step: &PathStep| {
        let cells = vec![Cell::text(&step.what.name()), Cell::time(step.ns), Cell::share(path.percent(step))];
        let name = match step.site == Site::default() {
            true => Name::Text("(no construct)".into()),
            false => Name::Place(symbols.locate(step.site), String::new()),
        };
        Row { name, cells }
    };
    let (rows, notes) = listed(&path.steps, most, &TABLE, row, |step| step.ns);
    Sheet { title, header: vec!["on the path", "kind", "time", "% run"], rows, notes }
}

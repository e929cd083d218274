//! Where members of a team waited for others, and what these did meanwhile.

use super::table::{Source, Table, listed};
use crate::Site;
use crate::analysis::{Wait, sync_name};
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "waits",
    help: "Waiting at barriers and for tasks, and what the others did",
    brief: true,
    rows: |summary| summary.waits.len(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let row = |wait: &Wait| {
        let (cause, share) = match wait.causes.first() {
            Some((activity, ns)) => {
                let name = activity.kind.name();
                let known = activity.site != Site::default();
                let at = if known { format!(" {}", symbols.locate(activity.site).short()) } else { String::new() };
                (format!("{name}{at}"), 100.0 * *ns as f64 / wait.wait_ns.max(1) as f64)
            }
            None => (String::new(), 0.0),
        };
        let cells = vec![
            Cell::text(&sync_name(wait.kind)),
            Cell::count(wait.episodes),
            Cell::time(wait.wait_ns),
            Cell::text(&cause),
            Cell::share(share),
        ];
        Row { name: Name::Place(symbols.locate(wait.site), String::new()), cells }
    };
    let (rows, notes) = listed(&summary.waits, most, &TABLE, row, |wait| wait.wait_ns);
    Sheet {
        title: "Waiting for other members of the team, and what these did meanwhile".into(),
        header: vec!["waited at", "kind", "times", "waited", "the others were in", "%"],
        rows,
        notes,
    }
}

//! Device constructs: their kernels, and what they copy.

use super::table::{Source, Table, listed};
use crate::analysis::{TargetSite, target_name};
use crate::report::layout::{Cell, Name, Row, Sheet};
use crate::units::amount;

pub const TABLE: Table = Table {
    name: "devices",
    help: "Device constructs: their kernels and copies",
    brief: false,
    rows: |summary| summary.targets.len(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let row = |site: &TargetSite| {
        let devices: Vec<String> = site.devices.iter().map(|device| (*device as i32).to_string()).collect();
        let cells = vec![
            Cell::text(&devices.join(",")),
            Cell::count(site.calls),
            Cell::time(site.host_ns),
            Cell::count(site.kernels),
            Cell::time(site.kernel_ns),
            Cell::bytes(site.to_bytes),
            Cell::bytes(site.from_bytes),
            Cell::Number(format!("{}/s", amount(site.bandwidth()))),
            Cell::time(site.exposed_ns),
        ];
        Row { name: Name::Place(symbols.locate(site.site()), format!(" ({})", target_name(site.kind))), cells }
    };
    let (rows, mut notes) = listed(&summary.targets, most, &TABLE, row, |site| site.host_ns);
    if summary.targets.iter().any(|site| site.exposed_ns > 0) {
        notes.push("exposed: copying while the device ran no kernel".into());
    }
    if summary.targets.iter().any(|site| site.kernels > 0) && summary.targets.iter().all(|site| site.kernel_ns == 0) {
        notes.push(
            "the runtime's devices do not trace themselves: there are no times of kernels, and those of copies are the \
             host's"
                .into(),
        );
    }
    Sheet {
        title: "Device constructs, by time on the host".into(),
        header: vec![
            "construct",
            "device",
            "calls",
            "time",
            "kernels",
            "in kernels",
            "to",
            "from",
            "bandwidth",
            "exposed",
        ],
        rows,
        notes,
    }
}

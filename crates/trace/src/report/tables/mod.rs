//! The tables of a report, one file each. A further table is a file here and a line of [`TABLES`]; the command has a
//! flag for each.

mod counters;
mod critical_path;
mod devices;
mod efficiency;
mod functions;
mod locks;
mod loops;
mod mpi;
mod regions;
mod samples;
mod sections;
mod table;
mod tasks;
mod threads;
mod waits;

pub use critical_path::path_sheet;
pub use table::{Source, Table};

/// All tables, in the order of the report.
pub static TABLES: &[Table] = &[
    regions::TABLE,
    efficiency::TABLE,
    waits::TABLE,
    loops::TABLE,
    sections::TABLE,
    locks::TABLE,
    tasks::TABLE,
    mpi::TABLE,
    devices::TABLE,
    critical_path::TABLE,
    threads::TABLE,
    counters::TABLE,
    samples::TABLE,
    functions::TABLE,
];

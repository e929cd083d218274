//! Forms of what the command says.

use clap::ValueEnum;

/// Forms of a report.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// Tables for people
    Text,
    /// One JSON document, for scripts
    Json,
}

//! The arguments of `ferromp export`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use crate::part::PartUntil;
use crate::quantity::size;

/// Shown below the options.
const HELP: &str = "\
Examples:
  ferromp export before --to perfetto              writes before.perfetto-trace
  ferromp export before --to perfetto -o - | gzip > before.gz
  ferromp export before --to perfetto --from 1.5s --until 2s
  ferromp export before --to perfetto --max-size 200M
  ferromp export before --to folded -o - | flamegraph.pl > before.svg
  ferromp export before --to folded --of waits -o - | inferno-flamegraph
  ferromp export before --to speedscope            writes before.speedscope.json
  ferromp export before --to parquet               writes before.parquet
  duckdb -c \"SELECT place, sum(waited_ns) FROM 'before.parquet/waits/*/*.parquet'
    GROUP BY place\"

Open Perfetto's file at https://ui.perfetto.dev, and speedscope's at
https://www.speedscope.app. Nothing is uploaded: the pages read files locally.

--max-size merges short slices: what a thread did in many of them, one after the
other, is one slice for each name, with their number and the sum of their
durations. Sums by name stay what they are. A line says what was merged. A
larger export of samples for speedscope ends with a line.

Weights of folded stacks are nanoseconds of waiting or of intervals, or numbers
of samples. What a task does while its thread waits is no waiting. A row of the
CSV file is an interval: a construct, a wait, a task or a device's operation.
Its begin and end are nanoseconds since the start of the recording; self_ns is
its time without the intervals inside. The columns of tables are described in
docs/tables.md of ferromp's sources. OTF2 is written by the system's library
libopen-trace-format2.so.10 (or libotf2.so.10). Chrome's JSON ends at 512 MB, which is
more than its viewers open. Formats of samples need a trace with samples.

All formats need little memory, however long the trace is. The output gets its
name when it is complete; Ctrl-C leaves nothing behind.";

/// Arguments of `ferromp export`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct ExportArgs {
    /// Trace folder
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// The viewer's format
    #[arg(long, value_name = "FORMAT")]
    pub to: Target,
    /// What to export, for folded and speedscope [default: samples for folded, intervals for speedscope]
    #[arg(long, value_name = "WHAT")]
    pub of: Option<Of>,
    /// File or folder to write, or - for stdout [default: DIR with an ending, such as DIR.perfetto-trace]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Merge short slices until the export is no larger, for perfetto and speedscope: 200M, 2G [default: none for
    /// perfetto, 500 MB for speedscope]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_size: Option<u64>,
    /// Replace FILE if it exists, or a folder of the same format
    #[arg(long)]
    pub force: bool,
    /// What it is about
    #[command(flatten)]
    pub part: PartUntil,
}

/// Formats that a trace can be converted to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Perfetto's trace format, for ui.perfetto.dev
    Perfetto,
    /// Folded stacks, for flame graphs
    Folded,
    /// JSON for www.speedscope.app
    Speedscope,
    /// Comma-separated values: a row an interval
    Csv,
    /// Chrome's JSON trace events, for small traces
    Chrome,
    /// Samples as the text that perf script prints
    PerfScript,
    /// Open Trace Format 2, for Vampir, Scalasca and others
    Otf2,
    /// A folder of tables in Apache Parquet's format
    Parquet,
    /// A folder of tables in Apache Arrow's format
    Arrow,
}

/// What an export can be of.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Of {
    /// Samples of the time on CPUs
    Samples,
    /// Waiting at barriers, for tasks and for locks
    Waits,
    /// Constructs, waits and tasks
    Intervals,
}

//! The arguments of `ferromp merge`.

use std::path::PathBuf;

use clap::ValueHint;

/// Shown below the options.
const HELP: &str = "\
Examples:
  ferromp merge -o run node1/run node2/run
  ferromp merge -o run /shared/traces/*      then: ferromp report run

For jobs whose ranks record into a folder of their node, such as one in /tmp:
bring the folders together, with a name each, and merge them. Each DIR is a
folder of ranks (rank-0, rank-1, ...) or the trace of one rank.

Nothing is moved or changed: files are linked if they lie on the same file
system, and copied otherwise. A rank that is in several folders must have the
same trace in all of them, else nothing is made. Ranks that are missing, or
whose trace cannot be read, are named, and the others are merged. DIR appears
when it is complete.

Exit status: 0 if everything was merged, also if ranks are missing; 125 if
something could not be read, or nothing was made.";

/// Arguments of `ferromp merge`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct MergeArgs {
    /// Folder to make
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// Replace the folder if it is a run of ranks
    #[arg(long)]
    pub force: bool,
    /// Folders of ranks, or traces of ranks
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath, required = true)]
    pub folders: Vec<PathBuf>,
}

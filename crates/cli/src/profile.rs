//! `ferromp profile`: as `ferromp trace`, but the events are read while the program runs, and not kept.

use ferromp_trace::live::Keep;

use crate::args::{ProfileArgs, TraceArgs};
use crate::failure::Failure;
use crate::screen::Screen;
use crate::{follow, trace};

/// Profiles a run. The status is the program's own; everything that this command says goes to stderr.
pub fn perform(args: &ProfileArgs) -> Result<u8, Failure> {
    let ProfileArgs { output, force, quiet, no_samples, counters, tool, program } = args;
    let args = TraceArgs {
        output: output.clone(),
        force: *force,
        quiet: *quiet,
        no_samples: *no_samples,
        max_size: None,
        // Chunks are summed up in any case, and no event of them is kept.
        chunks: false,
        counters: counters.clone(),
        tool: tool.clone(),
        program: program.clone(),
    };
    trace::record(&args, "profile", Keep::Nothing, Screen::default(), follow::unwatched)
}

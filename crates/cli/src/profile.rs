//! `ferromp profile`: as `ferromp trace`, but the events are read while the program runs, and not kept.

use ferromp_trace::live::Keep;

use crate::args::ProfileArgs;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::trace::Chunks;
use crate::{follow, trace};

/// Profiles a run. The status is the program's own; everything that this command says goes to stderr.
pub fn perform(args: &ProfileArgs) -> Result<u8, Failure> {
    trace::record(&args.recording, "profile", Chunks::Summed, Keep::Nothing, Screen::default(), follow::unwatched)
}

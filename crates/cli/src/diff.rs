//! `ferromp diff`: what differs between runs of two versions of a program.

mod json;

use std::path::{Path, PathBuf};

use console::Term;
use ferromp_trace::compare::{Diff, Run};
use ferromp_trace::report;

use crate::args::{DiffArgs, Format};
use crate::failure::{FAILED, Failure, SLOWER};
use crate::part::Part;
use crate::report::runs;
use crate::say;

/// Compares the runs. The status says whether something got slower by more than is allowed, and whether all could be
/// read.
pub fn perform(args: &DiffArgs) -> Result<u8, Failure> {
    let (before, after) = sides(args);
    let mut damaged = false;
    let mut read = |folders: &[PathBuf]| -> Result<Vec<Run>, Failure> {
        let one = |folder: &PathBuf| {
            let read = runs::read(Path::new(folder), &Part::default(), |_, _, _| ())?;
            damaged |= read.damaged;
            Ok(read.run)
        };
        folders.iter().map(one).collect()
    };
    let (before, after) = (read(before)?, read(after)?);
    let diff = Diff::of(&before, &after);
    let slower = args.fail_above.map(|allowed| (allowed, diff.slower(allowed)));
    let answer = match args.format {
        Format::Text => {
            let style = args.style(&Term::stdout());
            let verdict = slower.as_ref().map_or(String::new(), |(allowed, rows)| report::slower(*allowed, rows));
            report::diff(&diff, &before, &after, &style) + &verdict
        }
        Format::Json => say::document(&json::document(&diff, &before, &after, slower.as_ref())),
    };
    say::answer(&answer)?;
    Ok(match slower {
        _ if damaged => FAILED,
        Some((_, rows)) if !rows.is_empty() => SLOWER,
        _ => 0,
    })
}

/// The folders before and after.
fn sides(args: &DiffArgs) -> (&[PathBuf], &[PathBuf]) {
    match &args.folders[..] {
        [before, after] => (std::slice::from_ref(before), std::slice::from_ref(after)),
        _ => (&args.before, &args.after),
    }
}

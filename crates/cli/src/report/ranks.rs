//! Reading the traces of many ranks: several at a time, and nothing of a trace is kept but its sums.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use ferromp_trace::analysis::{Process, Summary};
use ferromp_trace::ranks::{Adding, Part as RankPart, Ranks};
use ferromp_trace::reader::Trace;
use ferromp_trace::report;
use ferromp_trace::store::Meta;
use ferromp_trace::symbols::Symbolizer;

use super::damage::damage;
use super::traces;
use crate::failure::Failure;
use crate::part::Part;
use crate::progress::Progress;
use crate::say;

/// Traces that cannot be read are named up to this number.
const MOST_NAMED: usize = 10;

/// What was read of a run of ranks.
pub struct Read<T> {
    /// The run.
    pub run: Ranks,
    /// Each process, and what was made of its trace, in the order of the traces.
    pub what: Vec<(Process, T)>,
    /// The traces of processes without a rank.
    pub others: Vec<PathBuf>,
    /// True if a part of the traces could not be read.
    pub damaged: bool,
}

/// What one trace amounts to.
struct One<T> {
    part: Option<RankPart>,
    what: (Process, T),
    damaged: bool,
}

/// Whether the traces in a folder are those of a job's ranks: there are several ranks, or there should be.
pub fn are_ranks(folder: &Path, traces: &[PathBuf]) -> bool {
    let mut ranks = BTreeSet::new();
    traces.iter().filter_map(|trace| Meta::read(trace).ok()).any(|meta| {
        ranks.extend(meta.rank);
        // The folder of a single rank is no run.
        let job =
            meta.rank.is_some() && meta.ranks.is_some_and(|ranks| ranks > 1) && !traces.contains(&folder.to_owned());
        ranks.len() > 1 || job
    })
}

/// Reads the traces on all CPUs, and calls a function with each summary. A trace that cannot be read is named on
/// stderr; if none can be read, this is a failure. Where no thread can be made, this thread reads.
pub fn read<T: Send>(
    all: &[PathBuf],
    part: &Part,
    what: impl Fn(&Trace, &Summary, &mut Symbolizer) -> T + Sync,
) -> Result<Read<T>, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(all.len());
    let next = AtomicUsize::new(0);
    // A worker waits if the sums of as many traces are not added yet.
    let (send, receive) = mpsc::sync_channel(threads);
    let mut made: Vec<Option<(Process, T)>> = all.iter().map(|_| None).collect();
    let (mut adding, mut failed, mut others, mut damaged) = (Adding::default(), Vec::new(), Vec::new(), false);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next, what) = (send.clone(), &next, &what);
            let work = move || {
                while let Some((index, path)) = take(all, next) {
                    if send.send((index, one(path, part, what))).is_err() {
                        return;
                    }
                }
            };
            // A limit on processes or memory may refuse threads: those that are there read all.
            if std::thread::Builder::new().name("ferromp-rank".into()).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        drop(send);
        // Workers leave nothing over; without them, all is.
        let left = std::iter::from_fn(|| take(all, &next).map(|(index, path)| (index, one(path, part, &what))));
        let mut progress = Progress::of_traces("reading");
        for (done, (index, read)) in receive.iter().chain(left).enumerate() {
            match read {
                Ok(one) => {
                    match one.part {
                        Some(part) => adding.add(part),
                        None => others.push(all[index].clone()),
                    }
                    damaged |= one.damaged;
                    made[index] = Some(one.what);
                }
                Err(failure) => failed.push((index, failure)),
            }
            progress.update(done as u64 + 1, all.len() as u64);
        }
    });
    failed.sort_by_key(|(index, _)| *index);
    if failed.len() == all.len()
        && let Some((_, failure)) = failed.pop()
    {
        return Err(failure);
    }
    damaged |= !failed.is_empty();
    let unnamed = failed.len().saturating_sub(MOST_NAMED);
    failed.into_iter().take(MOST_NAMED).for_each(|(_, failure)| say::note(failure.line));
    if unnamed > 0 {
        say::note(format_args!("{unnamed} more traces cannot be read"));
    }
    others.sort();
    Ok(Read { run: adding.finish(), what: made.into_iter().flatten().collect(), others, damaged })
}

fn take<'a>(all: &'a [PathBuf], next: &AtomicUsize) -> Option<(usize, &'a Path)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, all.get(index)?.as_path()))
}

fn one<T>(path: &Path, part: &Part, what: impl Fn(&Trace, &Summary, &mut Symbolizer) -> T) -> Result<One<T>, Failure> {
    let (trace, summary, mut symbols) = traces::read(path, part, &mut |_, _| {})?;
    let sums = RankPart::of(&trace, &summary, &mut symbols);
    let what = (Process::of(&trace.meta, &summary), what(&trace, &summary, &mut symbols));
    let strange = symbols.damage.iter().map(|line| format!("damaged: {line}"));
    let remarks = report::warnings(&trace, &summary).into_iter().chain(strange).chain(symbols.problems.clone());
    let remarks: Vec<String> = remarks.collect();
    let damaged = !damage(&trace, &symbols).is_empty();
    Ok(One { part: sums.map(|sums| sums.with_remarks(remarks)), what, damaged })
}

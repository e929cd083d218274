//! `ferromp merge`: folders of ranks, which lay on several nodes, as one run.

mod copy;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::FileType;
use std::path::{Path, PathBuf};

use ferromp_trace::escape;
use ferromp_trace::ranks::numbers;
use ferromp_trace::store::folder;

use crate::args::MergeArgs;
use crate::failure::{FAILED, Failure};
use crate::{say, whole_folder};
use copy::{Copied, Trouble};
use source::{Name, Source};

/// Ranks that are missing, and sources that cannot be used, are named up to this number.
const MOST_NAMED: usize = 10;
/// Ranks that are missing are listed up to this number: a damaged description may claim any number of ranks.
const MOST_LISTED: usize = 1 << 20;

/// Makes one folder of several. The status says whether all of them could be read.
pub fn perform(args: &MergeArgs) -> Result<u8, Failure> {
    let (sources, mut problems) = source::find(&args.folders)?;
    if sources.is_empty() {
        return Err(problems.pop().unwrap_or_else(|| Failure::new("there is no trace of a rank in these folders")));
    }
    let chosen = chosen(&sources)?;
    let (copied, troubles) = whole_folder::write(&args.output, args.force, is_run, |made| fill(&chosen, made))?;
    let lost: BTreeSet<u32> = troubles.iter().filter_map(|(name, _)| name.rank()).collect();
    problems.extend(troubles.into_iter().map(|(_, failure)| failure));
    let failed = !problems.is_empty();
    say_all(problems.iter().map(|failure| failure.line.clone()), "further problems");
    let present: BTreeSet<u32> =
        chosen.keys().filter_map(|name| name.rank()).filter(|rank| !lost.contains(rank)).collect();
    let ranks = chosen.values().filter_map(|source| source.ranks).max();
    let count = u64::from(ranks.unwrap_or(0)).max(present.last().map_or(0, |last| u64::from(*last) + 1));
    say_missing(&present, count);
    let shown = args.output.to_string_lossy();
    let shown = escape::line(&shown);
    let mut line = format!("{shown}: {} of {count} ranks", present.len());
    let others = chosen.keys().filter(|name| name.rank().is_none()).count();
    if others > 0 {
        line += &format!(", {others} other processes");
    }
    line += &format!(", {} files linked, {} copied ({} bytes)\n", copied.linked, copied.copied, copied.bytes);
    say::answer(&format!("{line}Next: ferromp report {shown}\n"))?;
    Ok(if failed { FAILED } else { 0 })
}

/// Names the ranks below `count` that are missing.
fn say_missing(present: &BTreeSet<u32>, count: u64) {
    let missing = count - present.len() as u64;
    let absent = (0..=u32::MAX).take_while(|rank| u64::from(*rank) < count).filter(|rank| !present.contains(rank));
    if missing > MOST_NAMED as u64 {
        let listed: Vec<u32> = absent.take(MOST_LISTED).collect();
        let more = if missing > listed.len() as u64 { " and others" } else { "" };
        say::note(format_args!("{missing} of {count} ranks are missing: {}{more}", numbers(&listed)));
    } else {
        absent.for_each(|rank| say::note(format_args!("rank {rank} of {count} is missing")));
    }
}

/// One source for each name. Of sources with the same content, the first.
fn chosen(sources: &[Source]) -> Result<BTreeMap<&Name, &Source>, Failure> {
    let mut chosen: BTreeMap<&Name, &Source> = BTreeMap::new();
    for source in sources {
        let Some(known) = chosen.get(&source.name) else {
            chosen.insert(&source.name, source);
            continue;
        };
        if !copy::are_equal(&known.path, &source.path, source.name.deepest())? {
            return Err(Failure::new(format!(
                "{} is there twice, with different traces: {} and {}; nothing was merged",
                source.name,
                known.path.display(),
                source.path.display()
            )));
        }
    }
    Ok(chosen)
}

/// What was copied, and the sources that could not be read.
type Filled<'a> = (Copied, Vec<(&'a Name, Failure)>);

/// Copies the sources into a folder. A source that cannot be read is left out; what cannot be written ends all.
fn fill<'a>(chosen: &BTreeMap<&'a Name, &Source>, made: &Path) -> Result<Filled<'a>, Failure> {
    let (mut copied, mut troubles) = (Copied::default(), Vec::new());
    for (name, source) in chosen {
        let target = made.join(name.folder());
        match copy::folder(&source.path, name.deepest(), &target, &mut copied) {
            Ok(()) => {}
            Err(Trouble::Source(failure)) => {
                // A half trace would look like a whole one.
                std::fs::remove_dir_all(&target).map_err(|error| Failure::file("remove", &target, &error))?;
                troubles.push((*name, failure));
            }
            Err(Trouble::Target(failure)) => return Err(failure),
        }
    }
    Ok((copied, troubles))
}

/// Whether a folder is a run of ranks and has nothing else in it: replacing it would remove that.
fn is_run(path: &Path) -> bool {
    let is_part = |path: &Path| folder::rank_of(path).is_some() || source::is_trace(path);
    let Ok(ranks) = entries(path) else { return false };
    !ranks.is_empty() && ranks.iter().all(|(rank, kind)| kind.is_dir() && is_part(rank) && has_only_traces(rank, 1))
}

/// Whether a folder has nothing but a trace's own files, and folders of traces down to `deepest` folders. Links are
/// no part of a run: a merge makes none.
fn has_only_traces(path: &Path, deepest: usize) -> bool {
    let (Ok(own), Ok(inside)) = (folder::files_of_trace(path), entries(path)) else { return false };
    inside.iter().all(|(path, kind)| {
        let is_trace = || kind.is_dir() && deepest > 0 && source::is_trace(path);
        kind.is_file() && own.contains(path) || is_trace() && has_only_traces(path, deepest - 1)
    })
}

/// What is in a folder, each with its type; that of a link is a link.
fn entries(path: &Path) -> std::io::Result<Vec<(PathBuf, FileType)>> {
    std::fs::read_dir(path)?.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))).collect()
}

/// Names the first lines, and counts the others.
fn say_all(lines: impl ExactSizeIterator<Item = String>, others: &str) {
    let left = lines.len().saturating_sub(MOST_NAMED);
    lines.take(MOST_NAMED).for_each(say::note);
    if left > 0 {
        say::note(format_args!("and {left} {others}"));
    }
}

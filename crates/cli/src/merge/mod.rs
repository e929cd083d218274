//! `ferromp merge`: folders of ranks, which lay on several nodes, as one run.

mod copy;
mod source;

use std::collections::{BTreeMap, BTreeSet};
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
    let count = ranks.unwrap_or(0).max(present.last().map_or(0, |last| last.saturating_add(1)));
    let missing: Vec<u32> = (0..count).filter(|rank| !present.contains(rank)).collect();
    if missing.len() > MOST_NAMED {
        say::note(format_args!("{} of {count} ranks are missing: {}", missing.len(), numbers(&missing)));
    } else {
        missing.iter().for_each(|rank| say::note(format_args!("rank {rank} of {count} is missing")));
    }
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
    let entries = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let has_only_a_trace = |path: &PathBuf| {
        let own = folder::files_of_trace(path).unwrap_or_default();
        entries(path).iter().all(|inside| own.contains(inside) || source::is_trace(inside))
    };
    let ranks = entries(path);
    let is_part = |path: &PathBuf| path.is_dir() && (folder::rank_of(path).is_some() || source::is_trace(path));
    !ranks.is_empty() && ranks.iter().all(|rank| is_part(rank) && has_only_a_trace(rank))
}

/// Names the first lines, and counts the others.
fn say_all(lines: impl ExactSizeIterator<Item = String>, others: &str) {
    let left = lines.len().saturating_sub(MOST_NAMED);
    lines.take(MOST_NAMED).for_each(say::note);
    if left > 0 {
        say::note(format_args!("and {left} {others}"));
    }
}

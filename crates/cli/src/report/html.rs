//! The report as a page for a browser.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ferromp_trace::analysis::Summary;
use ferromp_trace::escape;
use ferromp_trace::export::html::{self, Page};
use ferromp_trace::ranks::Ranks;
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;

use super::{ranks, traces};
use crate::failure::{FAILED, Failure};
use crate::part::Part;
use crate::progress::Progress;
use crate::{say, whole_file};

/// Ranks whose timelines and tables a page has. Of the others, the map of ranks has a row.
const MOST_WHOLE: usize = 32;

/// What a page is about.
struct Subject {
    traces: Vec<PathBuf>,
    /// The traces that the page has as a whole.
    whole: HashSet<PathBuf>,
    /// The begin of the first recording and the end of the last, of ranks.
    edges: Option<(u64, u64)>,
    /// True if a part of the traces could not be read, which has been said.
    damaged: bool,
}

/// Writes one page about all traces. The status says whether all of them could be read.
pub fn perform(folder: &Path, traces: &[PathBuf], part: &Part, path: &Path, force: bool) -> Result<u8, Failure> {
    let subject = if ranks::are_ranks(folder, traces) {
        of_ranks(traces, part)?
    } else {
        let (traces, whole) = (traces.to_vec(), traces.iter().cloned().collect());
        Subject { traces, whole, edges: None, damaged: false }
    };
    let (bytes, damaged) = whole_file::write(path, force, |out| {
        let failure = |error| match error {
            ferromp_trace::Error::Io { source, .. } => Failure::file("write", path, &source),
            other => traces::failure(other),
        };
        let mut page = Page::begin(out, subject.whole.len()).map_err(failure)?;
        if let Some(edges) = subject.edges {
            page.map_ranks(edges);
        }
        let add = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
            let mut progress = Progress::new("writing");
            let mut update = |done, total| progress.update(done, total);
            if subject.whole.contains(&trace.dir) {
                let found = html::findings(trace, summary, symbols);
                page.add(trace, summary, &found, symbols, &mut update).map_err(failure)
            } else {
                page.add_row(trace, summary, symbols, &mut update).map_err(failure)
            }
        };
        let summaries = traces::each(&subject.traces, part, add)?;
        summaries.what.into_iter().collect::<Result<(), Failure>>()?;
        Ok((page.finish().map_err(failure)?, summaries.damaged || subject.damaged))
    })?;
    let shown = path.to_string_lossy();
    let rows = subject.traces.len() - subject.whole.len();
    let less = if rows > 0 { format!(", {rows} ranks only in the map of ranks") } else { String::new() };
    say::answer(&format!("{}: {bytes} bytes{less}. Open it in a browser.\n", escape::line(&shown)))?;
    Ok(if damaged { FAILED } else { 0 })
}

/// The ranks of a job: of many, the slowest and the quickest are there as a whole.
fn of_ranks(traces: &[PathBuf], part: &Part) -> Result<Subject, Failure> {
    let times = |trace: &Trace, summary: &Summary, _: &mut Symbolizer| {
        let begin = trace.meta.start_unix_ns;
        (trace.dir.clone(), begin, begin.saturating_add(summary.wall_ns))
    };
    let ranks::Read { run, what, damaged, .. } = ranks::read(traces, part, times)?;
    let all = || what.iter().map(|(_, time)| time);
    let begin = all().map(|(_, begin, _)| *begin).min().unwrap_or(0);
    let end = all().map(|(.., end)| *end).max().unwrap_or(0);
    // Traces that cannot be read have been named.
    let traces: Vec<PathBuf> = all().map(|(dir, ..)| dir.clone()).collect();
    let whole = if traces.len() <= MOST_WHOLE { traces.iter().cloned().collect() } else { extremes(&run) };
    Ok(Subject { traces, whole, edges: Some((begin, end)), damaged })
}

/// The first process of each of the slowest ranks, and of the quickest.
fn extremes(run: &Ranks) -> HashSet<PathBuf> {
    let mut sorted: Vec<_> = run.ranks.iter().collect();
    sorted.sort_by_key(|rank| (rank.time_ns(), rank.rank));
    let half = MOST_WHOLE / 2;
    let ends = sorted.iter().take(half).chain(sorted.iter().rev().take(half));
    ends.map(|rank| rank.folder.clone()).collect()
}

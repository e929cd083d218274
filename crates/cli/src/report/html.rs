//! The report as a page for a browser.

use std::path::{Path, PathBuf};

use ferromp_trace::escape;
use ferromp_trace::export::html::{self, Page};

use super::traces;
use crate::failure::{FAILED, Failure};
use crate::part::Part;
use crate::progress::Progress;
use crate::{say, whole_file};

/// Writes one page about all traces. The status says whether all of them could be read.
pub fn perform(traces: &[PathBuf], part: &Part, path: &Path, force: bool) -> Result<u8, Failure> {
    let (bytes, damaged) = whole_file::write(path, force, |out| {
        let failure = |error| match error {
            ferromp_trace::Error::Io { source, .. } => Failure::file("write", path, &source),
            other => traces::failure(other),
        };
        let mut page = Page::begin(out, traces.len()).map_err(failure)?;
        let summaries = traces::each(traces, part, |trace, summary, symbols| {
            let mut progress = Progress::new("writing");
            let found = html::findings(trace, summary, symbols);
            page.add(trace, summary, &found, symbols, &mut |done, total| progress.update(done, total)).map_err(failure)
        })?;
        summaries.what.into_iter().collect::<Result<(), Failure>>()?;
        Ok((page.finish().map_err(failure)?, summaries.damaged))
    })?;
    let shown = path.to_string_lossy();
    say::answer(&format!("{}: {bytes} bytes. Open it in a browser.\n", escape::line(&shown)))?;
    Ok(if damaged { FAILED } else { 0 })
}

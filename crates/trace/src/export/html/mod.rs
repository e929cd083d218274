//! A page for a browser: one file that needs no network, with findings, a timeline, tables, histograms, and the graph
//! of the tasks. Its size does not grow with the trace: a long run is shown as cells of time, with its longest slices
//! and some windows to the nanosecond.
//!
//! No name from a trace is ever markup. The document keeps `<` out of its data, and a content security policy allows
//! the page's own script and style alone, by their hashes.

mod cells;
mod device;
mod document;
mod efficiency;
mod exact;
mod finding;
mod graph;
mod heat;
mod live;
mod names;
mod row;
mod tables;
mod timeline;
mod usage;

use crate::analysis::Summary;
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
pub use finding::{Finding, findings};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use heat::Heat;
use serde_json::Value;
use sha2::Digest as _;
use std::io::{Result, Write};
use timeline::Budget;

/// The page without its data. `{{…}}` marks where a part goes.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// The script, one file a concept. They are joined to one.
const SCRIPT: [&str; 9] = [
    include_str!("format.js"),
    include_str!("data.js"),
    include_str!("view.js"),
    include_str!("paint.js"),
    include_str!("input.js"),
    include_str!("heat.js"),
    include_str!("tables.js"),
    include_str!("charts.js"),
    include_str!("main.js"),
];

/// What all traces of a page may have together. A cell takes 4 bytes of the page if nothing can be compressed, a slice
/// about 8: a page stays below 20 MB. `docs/html.md` has the sizes that were measured.
const BUDGET: Budget = Budget { cells: 3_000_000, slices: 800_000 };

/// What is read of a trace of which the page has a row in the map of ranks alone.
const ROW_ALONE: Budget = Budget { cells: 1, slices: 1 };

/// A page that is being written.
pub struct Page<'a> {
    out: Counting<'a>,
    /// For each trace.
    budget: Budget,
    /// Traces in the page.
    traces: usize,
    /// The map of ranks, of a page about ranks.
    heat: Option<Heat>,
}

impl<'a> Page<'a> {
    /// Begins a page for so many traces.
    ///
    /// # Errors
    /// If `out` cannot be written. This error and those of the other functions have no path, because `out` has none.
    pub fn begin(out: &'a mut dyn Write, traces: usize) -> std::result::Result<Page<'a>, Error> {
        let share = traces.max(1);
        let budget = Budget { cells: BUDGET.cells / share, slices: BUDGET.slices / share };
        let mut page = Page { out: Counting { out, bytes: 0 }, budget, traces: 0, heat: None };
        page.head().map_err(Error::io("(the page)"))?;
        Ok(page)
    }

    /// Gives the page a map of ranks over time, for all traces that are added later. The edges are the begin of the
    /// first recording and the end of the last, in nanoseconds since 1970-01-01 UTC.
    pub fn map_ranks(&mut self, edges: (u64, u64)) {
        self.heat = Some(Heat::new(edges));
    }

    /// Adds a trace's row to the map of ranks, and nothing else. The page grows by some bytes.
    ///
    /// # Errors
    /// As [`Page::add`].
    pub fn add_row(
        &mut self,
        trace: &Trace,
        summary: &Summary,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        let Some(heat) = &mut self.heat else { return Ok(()) };
        let timeline = timeline::read(trace, summary.wall_ns, symbols, ROW_ALONE, progress);
        let timeline = timeline.map_err(Error::io("(the page)"))?;
        heat.add(&trace.meta, &timeline.usage, None);
        Ok(())
    }

    /// Adds a trace. `summary` is the trace's own, by the places of `symbols`. Memory does not grow with the trace.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub fn add(
        &mut self,
        trace: &Trace,
        summary: &Summary,
        findings: &[Finding],
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        self.trace(trace, summary, findings, symbols, progress).map_err(Error::io("(the page)"))
    }

    /// Ends the page. Returns its size in bytes.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub fn finish(mut self) -> std::result::Result<u64, Error> {
        self.tail().map_err(Error::io("(the page)"))?;
        Ok(self.out.bytes)
    }

    fn head(&mut self) -> Result<()> {
        let script = SCRIPT.concat();
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
            hash(&script),
            hash(STYLE)
        );
        let (before, _) = halves(PAGE, "{{data}}");
        let (head, rest) = halves(before, "{{policy}}");
        let (middle, body) = halves(rest, "{{style}}");
        for part in [head, &policy, middle, STYLE, body] {
            self.out.write_all(part.as_bytes())?;
        }
        Ok(())
    }

    fn trace(
        &mut self,
        trace: &Trace,
        summary: &Summary,
        findings: &[Finding],
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> Result<()> {
        let mut timeline = timeline::read(trace, summary.wall_ns, symbols, self.budget, progress)?;
        if let Some(heat) = &mut self.heat {
            heat.add(&trace.meta, &timeline.usage, Some(self.traces));
        }
        self.traces += 1;
        let document = document::json(trace, summary, findings, &mut timeline);
        self.data(("trace", &document), "arrays", |to| document::binary(&timeline, to))
    }

    /// Two elements of data: a document and its class, and the class of the arrays that `binary` writes.
    fn data(
        &mut self,
        (class, document): (&str, &Value),
        arrays: &str,
        binary: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        write!(self.out, "<script type=\"application/json\" class=\"{class}\">")?;
        self.out.write_all(document.to_string().replace('<', "\\u003c").as_bytes())?;
        write!(self.out, "</script>\n<script type=\"text/plain\" class=\"{arrays}\">")?;
        let mut encoder = DeflateEncoder::new(EncoderWriter::new(&mut self.out, &STANDARD), Compression::default());
        binary(&mut encoder)?;
        encoder.finish()?.finish()?;
        writeln!(self.out, "</script>")
    }

    fn tail(&mut self) -> Result<()> {
        if let Some(mut heat) = self.heat.take() {
            let document = heat.json();
            self.data(("ranks", &document), "heat", |to| heat.binary(to))?;
        }
        let (_, after) = halves(PAGE, "{{data}}");
        let (before, end) = halves(after, "{{script}}");
        self.out.write_all(before.as_bytes())?;
        for part in SCRIPT {
            self.out.write_all(part.as_bytes())?;
        }
        self.out.write_all(end.as_bytes())?;
        self.out.flush()
    }
}

/// The text before and after a mark.
fn halves<'t>(text: &'t str, mark: &str) -> (&'t str, &'t str) {
    text.split_once(mark).unwrap_or((text, ""))
}

/// A script's or style's source in a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(sha2::Sha256::digest(text)))
}

/// Counts what is written.
struct Counting<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_marks_and_the_script_cannot_end_early() {
        for mark in ["{{policy}}", "{{style}}", "{{data}}", "{{script}}"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
        assert!(!SCRIPT.concat().contains("</") && !STYLE.contains("</"));
        assert!(!PAGE.contains("http:") && !SCRIPT.concat().contains("innerHTML"));
    }
}

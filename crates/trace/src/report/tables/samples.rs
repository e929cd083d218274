//! The lines on which samples found the threads.

use super::table::listed;
use super::{Source, Table};
use crate::Site;
use crate::analysis::{HotLine, Sampled};
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "samples",
    help: "Lines on which the CPU time was spent",
    brief: false,
    rows: |summary| summary.samples.activities.len(),
    sheet,
};

/// The samples of a line, or of an activity in which the thread does not run the program's code.
struct Line<'a> {
    sampled: &'a Sampled,
    hot: Option<HotLine>,
    count: u64,
}

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (trace, samples, symbols) = (source.trace, &source.summary.samples, &mut *source.symbols);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for sampled in &samples.activities {
        if sampled.doing.is_program() {
            let of = |hot: HotLine| Line { sampled, count: hot.count, hot: Some(hot) };
            lines.extend(sampled.lines(trace, symbols).into_iter().map(of));
        } else {
            lines.push(Line { sampled, hot: None, count: sampled.count });
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.count));
    let row = |line: &Line<'_>| {
        let doing = line.sampled.doing;
        let site = if doing.site() == Site::default() { line.sampled.region } else { doing.site() };
        let mut what = doing.name().into_owned();
        if line.hot.is_some() && site != Site::default() {
            what += &format!(" {}", symbols.locate(site).short());
        }
        let (place, callee) = match &line.hot {
            Some(hot) => (hot.place.clone(), hot.callee.as_deref().unwrap_or_default()),
            None => (symbols.locate(site), ""),
        };
        let cells = vec![Cell::text(callee), Cell::text(&what), Cell::share(samples.percent(line.count))];
        Row { name: Name::Place(place, String::new()), cells }
    };
    // A sample stands for an equal part of a second.
    let ns = |line: &Line<'_>| line.count.saturating_mul(1_000_000_000 / u64::from(samples.rate.max(1)));
    let (rows, mut notes) = listed(&lines, most, &TABLE, row, ns);
    if samples.missed_threads > 0 {
        notes.push(format!("the samples of {} threads are missing, or end early", samples.missed_threads));
    }
    Sheet {
        title: format!("Where the CPU time was spent ({} samples)", samples.count),
        header: vec!["line", "calling", "in", "%"],
        rows,
        notes,
    }
}

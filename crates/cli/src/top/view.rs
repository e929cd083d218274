//! One view of a running program, compared with the view before.

use std::collections::HashMap;

use console::Term;

use ferromp_trace::Site;
use ferromp_trace::analysis::{Region, Summary, sync_name};
use ferromp_trace::escape;
use ferromp_trace::findings::findings;
use ferromp_trace::live::Stream;
use ferromp_trace::reader::Trace;
use ferromp_trace::report::duration;
use ferromp_trace::store::Modules;
use ferromp_trace::symbols::Symbolizer;

use crate::screen;

/// Regions in a view on a terminal.
const MOST_ROWS: usize = 12;
/// Lines of a view that are no regions.
const OTHER_LINES: usize = 9;
/// The width of a view if the terminal does not tell its own.
const WIDTH: usize = 100;

/// The views of one process.
#[derive(Default)]
pub struct Views {
    before: Summary,
    /// The names, and the mappings that they come from.
    symbols: Option<(Modules, Symbolizer)>,
}

/// A region in a view.
struct Row {
    place: String,
    /// The parts of the time, of the interval and of the run, in percent.
    now: f64,
    total: f64,
    /// In percent, over the run.
    imbalance: f64,
    calls: u64,
}

/// What a view says.
struct View {
    head: String,
    /// The part of the threads' time that is work, of the interval and of the run, in percent.
    efficiency: [f64; 2],
    rows: Vec<Row>,
    /// The wait that costs most in the interval: its part of the threads' time in percent, and what it is.
    wait: Option<(f64, String)>,
    finding: Option<String>,
}

impl Views {
    /// Shows what has been seen of a process, one of so many. False if there is nothing to show yet.
    pub fn show(&mut self, stream: &Stream, processes: usize, terminal: bool) -> bool {
        let Ok(trace) = Trace::open(stream.dir()) else { return false };
        let (known, mut symbols) = match self.symbols.take() {
            Some((known, symbols)) if known == trace.modules => (known, symbols),
            _ => (trace.modules.clone(), Symbolizer::new(&trace.modules)),
        };
        let now = stream.view(&mut |site| symbols.place(site)).summary;
        let view = view(&trace, &self.before, &now, processes, &mut symbols);
        (self.before, self.symbols) = (now, Some((known, symbols)));
        if terminal {
            let (height, width) = Term::stderr()
                .size_checked()
                .map_or((24, WIDTH), |(height, width)| (usize::from(height), usize::from(width)));
            let lines = view.lines(MOST_ROWS.min(height.saturating_sub(OTHER_LINES)));
            let cut = |line: &String| line.chars().take(width).collect::<String>() + "\x1b[K\r\n";
            let text: String = lines.iter().take(height.saturating_sub(1)).map(cut).collect();
            screen::draw(&format!("\x1b[H{text}\x1b[J"));
        } else {
            crate::say::beside(&(view.line() + "\n"));
        }
        true
    }
}

fn view(trace: &Trace, before: &Summary, now: &Summary, processes: usize, symbols: &mut Symbolizer) -> View {
    let mut name = |site: Site| escape::line(&symbols.locate(site).within(60)).into_owned();
    let interval = now.wall_ns.saturating_sub(before.wall_ns).max(1);
    let known: HashMap<Site, &Region> = before.regions.iter().map(|region| (region.site(), region)).collect();
    let mut regions: Vec<(u64, u64, &Region)> = Vec::new();
    for region in &now.regions {
        let earlier = known.get(&region.site());
        let time = region.total_ns.saturating_sub(earlier.map_or(0, |earlier| earlier.total_ns));
        let calls = region.calls.saturating_sub(earlier.map_or(0, |earlier| earlier.calls));
        regions.push((time, calls, region));
    }
    regions.sort_by_key(|(time, _, region)| std::cmp::Reverse((*time, region.total_ns)));
    let mut rows = Vec::new();
    for (time, calls, region) in regions.into_iter().take(MOST_ROWS) {
        rows.push(Row {
            place: name(region.site()),
            now: percent(time, interval),
            total: percent(region.total_ns, now.wall_ns),
            imbalance: region.imbalance(),
            calls,
        });
    }
    let threads = now.threads.max(1) as u64;
    let work = |summary: &Summary| {
        summary
            .thread_rows
            .iter()
            .filter(|row| row.device.is_none())
            .map(|row| row.work_ns)
            .fold(0, u64::saturating_add)
    };
    let worked = work(now).saturating_sub(work(before));
    let waited_before = |wait: &ferromp_trace::analysis::Wait| {
        let same = before.waits.iter().find(|it| (it.region, it.kind, it.site) == (wait.region, wait.kind, wait.site));
        same.map_or(0, |same| same.wait_ns)
    };
    let waits = now.waits.iter().map(|wait| (wait.wait_ns.saturating_sub(waited_before(wait)), wait));
    let wait = waits.max_by_key(|(ns, _)| *ns).filter(|(ns, _)| *ns > 0).map(|(ns, wait)| {
        (percent(ns, interval.saturating_mul(threads)), format!("{} {}", sync_name(wait.kind), name(wait.site)))
    });
    let finding = findings(trace, now, symbols).into_iter().next().map(|finding| {
        let gain = percent(finding.gain_ns, now.run_ns());
        let place = finding.location(symbols).within(60);
        escape::line(&format!("{gain:.0} % {}: {place}", finding.cause.name())).into_owned()
    });
    let command: String = escape::line(&trace.meta.command()).chars().take(60).collect();
    let others = if processes > 1 { format!(", the busiest of {processes} processes") } else { String::new() };
    View {
        head: format!(
            "{command}  process {}{others}  {}  {} threads  {} events",
            trace.meta.pid,
            duration(now.run_ns()),
            now.threads,
            now.events
        ),
        efficiency: [
            percent(worked, interval.saturating_mul(threads)),
            percent(work(now), now.wall_ns.saturating_mul(threads)),
        ],
        rows,
        wait,
        finding,
    }
}

impl View {
    /// The view as lines for a terminal.
    fn lines(&self, rows: usize) -> Vec<String> {
        let [now, total] = self.efficiency;
        let mut lines = vec![
            self.head.clone(),
            format!("work {now:.0} % of the threads' time now, {total:.0} % in all"),
            String::new(),
            "    now  total  imbalance      calls  region".to_owned(),
        ];
        lines.extend(self.rows.iter().take(rows).map(|row| {
            let Row { place, now, total, imbalance, calls } = row;
            format!("{now:>5.1} % {total:>4.1} % {imbalance:>8.0} % {calls:>10}  {place}")
        }));
        lines.push(String::new());
        lines.extend(self.wait.iter().map(|(part, wait)| format!("most waiting: {part:.0} % at {wait}")));
        lines.extend(self.finding.iter().map(|finding| format!("first finding: {finding}")));
        lines.push("q ends the view".to_owned());
        lines
    }

    /// The view as one line.
    fn line(&self) -> String {
        let [now, total] = self.efficiency;
        let mut line = format!("{}; work {now:.0} % now, {total:.0} % in all", self.head);
        if let Some(row) = self.rows.first() {
            line += &format!("; region {} {:.0} % now, {:.0} % in all", row.place, row.now, row.total);
        }
        line += &self.wait.iter().map(|(part, wait)| format!("; waits {part:.0} % {wait}")).collect::<String>();
        line += &self.finding.iter().map(|finding| format!("; finding {finding}")).collect::<String>();
        line
    }
}

/// A part in percent; 0 of nothing.
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

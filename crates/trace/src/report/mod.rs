//! A summary as text: aligned tables for a terminal, the same without colour for a file.

mod table;

use crate::Site;
use crate::analysis::{Lock, Region, Summary, TargetSite, TaskSite, Wait, sync_name, target_name};
use crate::escape;
use crate::reader::Trace;
use crate::store::lock::State;
use crate::symbols::{Location, Symbolizer};
use std::fmt::Write as _;
use std::rc::Rc;
pub use table::duration;
use table::{Row, amount, percent, table};

/// How the report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Use terminal colours.
    pub color: bool,
    /// Longest line; place names are shortened to keep to it.
    pub width: usize,
    /// The number of rows of a table. One line sums up the rest.
    pub rows: usize,
}

impl Style {
    /// For a file or a pipe.
    pub fn plain() -> Style {
        Style { color: false, width: 120, rows: 20 }
    }

    /// For a terminal of `width` columns.
    pub fn terminal(width: usize) -> Style {
        Style { color: true, width: width.max(60), rows: 20 }
    }

    fn title(&self, text: &str) -> String {
        let text = escape::line(text);
        if self.color { format!("\x1b[1m{text}\x1b[0m\n") } else { format!("{text}\n") }
    }

    fn warning(&self, text: &str) -> String {
        let text = escape::line(text);
        if self.color { format!("\x1b[33m! {text}\x1b[0m\n") } else { format!("! {text}\n") }
    }
}

/// The whole report, several lines, ending with a line feed.
pub fn text(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, style: &Style) -> String {
    let mut out = head(trace, summary, style);
    out += &warnings(trace, summary, style);
    if summary.no_openmp {
        out += &style.warning(nothing(trace, summary));
        return out;
    }
    if !summary.regions.is_empty() {
        out += &format!("\n{}", style.title("Parallel regions (% of the team's time)"));
        let header =
            ["region", "calls", "threads", "time", "% wall", "work", "barrier", "sync", "idle", "runtime", "imbalance"];
        let row = |region: &Region| region_row(region, summary.wall_ns, symbols.locate(region.site()));
        out += &table(&header, rows(&summary.regions, style, row), style.width);
        out += &rest(&summary.regions, style, "regions", |region| region.total_ns);
        if summary.regions.iter().any(|region| region.nested > 0) {
            out += "  nested regions: their time is work of the region around them, and adds up over those that run side by side\n";
        }
    }
    if !summary.waits.is_empty() {
        out += &format!("\n{}", style.title("Waiting for other members of the team, and what these did meanwhile"));
        let header = ["waited at", "kind", "times", "waited", "the others were in", "%"];
        let row = |wait: &Wait| wait_row(wait, symbols);
        out += &table(&header, rows(&summary.waits, style, row), style.width);
        out += &rest(&summary.waits, style, "places", |wait| wait.wait_ns);
    }
    if !summary.locks.is_empty() {
        out += &format!("\n{}", style.title("Locks and critical sections, by waiting time"));
        let header = ["acquired at", "kind", "objects", "count", "waited", "mean wait", "max wait", "held"];
        let row = |lock: &Lock| lock_row(lock, symbols.locate(lock.codeptr));
        out += &table(&header, rows(&summary.locks, style, row), style.width);
        out += &rest(&summary.locks, style, "places", |lock| lock.wait_ns);
    }
    if !summary.tasks.is_empty() {
        out += &format!("\n{}", style.title("Explicit tasks, by place of creation"));
        let header = ["created at", "count", "total", "mean", "min", "max", "% elsewhere"];
        let row = |site: &TaskSite| task_row(site, symbols.locate(site.site()));
        out += &table(&header, rows(&summary.tasks, style, row), style.width);
        out += &rest(&summary.tasks, style, "places", |site| site.total_ns);
    }
    if !summary.targets.is_empty() {
        out += &format!("\n{}", style.title("Device constructs, by time on the host"));
        let header =
            ["construct", "device", "calls", "time", "kernels", "in kernels", "to", "from", "bandwidth", "exposed"];
        let row = |site: &TargetSite| target_row(site, symbols.locate(site.site()));
        out += &table(&header, rows(&summary.targets, style, row), style.width);
        out += &rest(&summary.targets, style, "constructs", |site| site.host_ns);
        out += "  exposed: copying while the device ran no kernel\n";
        if summary.targets.iter().any(|site| site.kernels > 0) && summary.targets.iter().all(|site| site.kernel_ns == 0)
        {
            out += "  the runtime's devices do not trace themselves: there are no times of kernels, and those of copies are the host's\n";
        }
    }
    for line in &symbols.damage {
        out += &style.warning(&format!("damaged: {line}"));
    }
    for problem in &symbols.problems {
        out += &style.warning(problem);
    }
    out
}

/// Why the trace has no events of constructs. The text claims that the program had none only if that is certain.
fn nothing(trace: &Trace, summary: &Summary) -> &'static str {
    if !trace.all_damage().is_empty() {
        "no OpenMP events: nothing can be read of what the program did"
    } else if summary.lost > 0 || trace.meta.missed_threads > 0 {
        "no OpenMP events: nothing could be recorded of what the program did"
    } else if !trace.meta.finished {
        "no OpenMP events: the program has used no OpenMP construct before the trace's end"
    } else {
        "no OpenMP events: the program started the runtime but used no OpenMP construct"
    }
}

fn head(trace: &Trace, summary: &Summary, style: &Style) -> String {
    let meta = &trace.meta;
    let mut title = format!("{} (process {} on {}", meta.program_name(), meta.pid, meta.hostname);
    if let Some(rank) = meta.rank {
        let _ = write!(title, ", rank {rank}");
    }
    let mut out = style.title(&(title + ")"));
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let _ = writeln!(
        out,
        "{} wall from the first use of OpenMP, {} thread{} on {} CPU{}, {} events",
        duration(summary.wall_ns),
        summary.threads,
        plural(summary.threads as u64),
        meta.cpus,
        plural(u64::from(meta.cpus)),
        summary.events,
    );
    if !summary.no_openmp && summary.wall_ns > 0 {
        let share = 100.0 * summary.serial_ns as f64 / summary.wall_ns as f64;
        let _ = writeln!(out, "{} ({share:.1} %) outside parallel regions", duration(summary.serial_ns));
    }
    let _ = writeln!(out, "runtime: {}", escape::line(&meta.runtime));
    out
}

fn warnings(trace: &Trace, summary: &Summary, style: &Style) -> String {
    let mut out = String::new();
    if !trace.meta.finished {
        let why = match trace.state {
            State::Runs => "the program still runs",
            State::Ended => "the program did not end in good order",
            State::Unknown => "the program did not end in good order (or still runs)",
        };
        out += &style.warning(&format!("{why}; the trace goes to its last event"));
    }
    if summary.lost > 0 {
        out += &style.warning(&format!("{} events were lost: the trace files could not grow", summary.lost));
    }
    if trace.meta.missed_threads > 0 {
        out += &style.warning(&format!("{} threads could not be recorded", trace.meta.missed_threads));
    }
    for line in trace.all_damage() {
        out += &style.warning(&format!("damaged: {line}"));
    }
    out
}

fn rows<T>(items: &[T], style: &Style, row: impl FnMut(&T) -> Row) -> Vec<Row> {
    items.iter().take(style.rows).map(row).collect()
}

/// One line about the rows that the table leaves out.
fn rest<T>(items: &[T], style: &Style, what: &str, time: impl Fn(&T) -> u64) -> String {
    let left = items.get(style.rows..).unwrap_or_default();
    if left.is_empty() {
        return String::new();
    }
    let sum = left.iter().map(time).fold(0, u64::saturating_add);
    format!("  and {} more {what} with {} together\n", left.len(), duration(sum))
}

fn region_row(region: &Region, wall_ns: u64, place: Rc<Location>) -> Row {
    let wall = 100.0 * region.total_ns as f64 / wall_ns.max(1) as f64;
    let cells = vec![
        region.calls.to_string(),
        region.max_threads.to_string(),
        duration(region.total_ns),
        percent(wall),
        percent(region.percent(region.work_ns)),
        percent(region.percent(region.barrier_ns)),
        percent(region.percent(region.sync_ns)),
        percent(region.percent(region.idle_ns)),
        percent(region.percent(region.runtime_ns)),
        percent(region.imbalance()),
    ];
    Row { place, what: String::new(), cells }
}

fn target_row(site: &TargetSite, place: Rc<Location>) -> Row {
    let devices: Vec<String> = site.devices.iter().map(|device| (*device as i32).to_string()).collect();
    let cells = vec![
        devices.join(","),
        site.calls.to_string(),
        duration(site.host_ns),
        site.kernels.to_string(),
        duration(site.kernel_ns),
        amount(site.to_bytes as f64),
        amount(site.from_bytes as f64),
        format!("{}/s", amount(site.bandwidth())),
        duration(site.exposed_ns),
    ];
    Row { place, what: format!(" ({})", target_name(site.kind)), cells }
}

fn wait_row(wait: &Wait, symbols: &mut Symbolizer) -> Row {
    let (cause, share) = match wait.causes.first() {
        Some((activity, ns)) => {
            let name = activity.kind.name();
            let known = activity.site != Site::default();
            let at = if known { format!(" {}", symbols.locate(activity.site).short()) } else { String::new() };
            (format!("{name}{at}"), 100.0 * *ns as f64 / wait.wait_ns.max(1) as f64)
        }
        None => (String::new(), 0.0),
    };
    let cells = vec![
        sync_name(wait.kind).into_owned(),
        wait.episodes.to_string(),
        duration(wait.wait_ns),
        escape::line(&cause).into_owned(),
        percent(share),
    ];
    Row { place: symbols.locate(wait.site), what: String::new(), cells }
}

fn lock_row(lock: &Lock, place: Rc<Location>) -> Row {
    let cells = vec![
        lock.kind_name().into_owned(),
        lock.objects.to_string(),
        lock.count.to_string(),
        duration(lock.wait_ns),
        duration(lock.wait_ns / lock.count.max(1)),
        duration(lock.max_wait_ns),
        duration(lock.hold_ns),
    ];
    Row { place, what: String::new(), cells }
}

fn task_row(site: &TaskSite, place: Rc<Location>) -> Row {
    let cells = vec![
        site.created.to_string(),
        duration(site.total_ns),
        duration(site.mean_ns()),
        duration(site.min_ns),
        duration(site.max_ns),
        percent(100.0 * site.stolen as f64 / site.completed.max(1) as f64),
    ];
    Row { place, what: String::new(), cells }
}

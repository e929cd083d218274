//! One thread's row of the timeline: takes the thread's slices, puts them into lanes, and tells what the thread does.

use super::cells::{Grid, Lane};
use super::exact::{Exact, Slice};
use super::names::{Name, Names};
use super::usage::{ACTIVITIES, Activity, Usage};
use crate::Site;
use crate::export::slices::{Details, Open, Sink, Title};
use std::io::Result;

/// Lanes of a row; what is nested deeper is not shown.
const MOST_LANES: usize = 24;
/// `ompt_sync_taskgroup`: the program's code runs between its begin and its wait.
const TASKGROUP: u64 = 6;

/// What all rows fill.
pub struct Shared<'a> {
    pub names: Names<'a>,
    pub grid: Grid,
    pub exact: Exact,
    pub usage: Usage,
    /// The tasks that have just run, and for how long.
    pub ran: Vec<(u64, u64)>,
}

impl Shared<'_> {
    /// Adds a slice to a lane of a row.
    pub fn show(&mut self, lanes: &mut Vec<Option<Lane>>, slice: Slice) {
        self.names.count(slice.name, slice.row, slice.begin, slice.end);
        let lane = usize::from(slice.lane);
        while lanes.len() <= lane {
            lanes.push(self.grid.lane());
        }
        if let Some(lane) = &mut lanes[lane] {
            lane.add(slice.name, slice.begin, slice.end, &self.grid);
        }
        self.exact.offer(slice);
    }
}

/// An open slice.
struct Entry {
    open: Open,
    site: Site,
    name: Name,
    /// None for a slice that is not shown, because another one says the same.
    lane: Option<u8>,
    begin: u64,
    activity: Activity,
    /// Nanoseconds in which the program's code that the slice stands for did not run: waits, other tasks.
    other: u64,
    task: Option<u64>,
}

/// A row.
pub struct Row {
    number: u32,
    /// What the thread does outside of all slices.
    outside: Activity,
    stack: Vec<Entry>,
    /// Up to here, the thread's time is added to its activities. None before the thread's first event.
    now: Option<u64>,
    ended: bool,
    /// Nanoseconds of each activity.
    pub totals: [u64; ACTIVITIES.len()],
    /// The lanes, the outermost first. None where the budget did not allow cells.
    pub lanes: Vec<Option<Lane>>,
}

impl Row {
    pub fn new(number: u32) -> Row {
        Row {
            number,
            outside: Activity::Idle,
            stack: Vec::new(),
            now: None,
            ended: false,
            totals: [0; ACTIVITIES.len()],
            lanes: Vec::new(),
        }
    }

    /// The thread begins, as an initial or another thread of the program's own, or as a worker.
    pub fn begin(&mut self, worker: bool, ns: u64) {
        self.outside = if worker { Activity::Idle } else { Activity::Serial };
        self.now.get_or_insert(ns);
    }

    /// The thread or the recording ends. Later times are nobody's.
    pub fn end(&mut self, ns: u64, usage: &mut Usage) {
        self.charge(ns, usage);
        self.ended = true;
    }

    /// Adds the time up to `ns` to what the thread has been doing.
    fn charge(&mut self, ns: u64, usage: &mut Usage) {
        if self.ended {
            return;
        }
        let from = self.now.unwrap_or(ns);
        if ns > from {
            let activity = self.stack.last().map_or(self.outside, |entry| entry.activity);
            usage.add(activity, from, ns);
            self.totals[activity as usize] += ns - from;
        }
        self.now = Some(ns.max(from));
    }

    /// The construct of a slice. Workers have no address for the barrier at the region's end, and the encountering
    /// thread has the region's: for both, the region is the construct.
    fn place(&self, open: Open, site: Site) -> Site {
        let region = self.stack.iter().rev().find(|entry| matches!(entry.open, Open::Parallel(_) | Open::Implicit(_)));
        match (open, region) {
            (Open::Sync(_) | Open::Wait(_), Some(region)) if [0, region.site.codeptr].contains(&site.codeptr) => {
                region.site
            }
            _ => site,
        }
    }

    /// Lets a sink for the thread's slices fill this row.
    pub fn sink<'r, 's, 'n>(&'r mut self, shared: &'s mut Shared<'n>) -> Filling<'r, 's, 'n> {
        Filling { row: self, shared }
    }
}

/// A row that takes slices.
pub struct Filling<'r, 's, 'n> {
    row: &'r mut Row,
    shared: &'s mut Shared<'n>,
}

impl Sink for Filling<'_, '_, '_> {
    fn begin(&mut self, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        self.row.charge(ns, &mut self.shared.usage);
        let outer = self.row.stack.last().map(|entry| entry.open);
        let hidden = match (open, outer) {
            (Open::Implicit(part), Some(Open::Parallel(region))) => part == region,
            (Open::Wait(wait), Some(Open::Sync(sync))) => wait == sync && sync != TASKGROUP,
            _ => false,
        };
        let depth = self.row.stack.iter().filter(|entry| entry.lane.is_some()).count();
        let lane = (!hidden && depth < MOST_LANES).then_some(depth as u8);
        let (kind, activity) = appearance(open);
        let name = match open {
            Open::Implicit(_) => "parallel".into(),
            Open::Wait(kind) => crate::analysis::sync_name(kind),
            _ => title.name,
        };
        let site = self.row.place(open, title.site);
        let name = self.shared.names.number(name, kind, site);
        let task = details.flow.filter(|_| matches!(open, Open::Task(_)));
        self.row.stack.push(Entry { open, site, name, lane, begin: ns, activity, other: 0, task });
        Ok(())
    }

    fn end(&mut self, ns: u64) -> Result<()> {
        self.row.charge(ns, &mut self.shared.usage);
        let Some(entry) = self.row.stack.pop() else { return Ok(()) };
        let length = ns.saturating_sub(entry.begin);
        let runs = matches!(entry.activity, Activity::Work) && entry.task.is_none();
        if let Some(outer) = self.row.stack.last_mut() {
            outer.other += if runs { entry.other } else { length };
        }
        if let Some(task) = entry.task {
            self.shared.ran.push((task, length.saturating_sub(entry.other)));
        }
        if let Some(lane) = entry.lane {
            let slice =
                Slice { row: self.row.number, lane, name: entry.name, begin: entry.begin, end: ns.max(entry.begin) };
            self.shared.show(&mut self.row.lanes, slice);
        }
        Ok(())
    }

    /// The page has no instants.
    fn instant(&mut self, _ns: u64, _title: Title, _details: Details) -> Result<()> {
        Ok(())
    }
}

/// The kind by which the page colours and filters, and what a thread does in such a slice.
fn appearance(open: Open) -> (&'static str, Activity) {
    match open {
        Open::Parallel(_) => ("region", Activity::Runtime),
        Open::Implicit(_) => ("region", Activity::Work),
        Open::Task(_) => ("task", Activity::Work),
        Open::Work(_) | Open::Chunk | Open::Masked => ("work", Activity::Work),
        Open::Sync(TASKGROUP) => ("work", Activity::Work),
        Open::Sync(_) => ("wait", Activity::Runtime),
        Open::Wait(_) | Open::Mpi(_) => ("wait", Activity::Wait),
        Open::Reduction => ("work", Activity::Runtime),
        Open::Acquire => ("lock", Activity::Lock),
        Open::Hold(_) => ("held", Activity::Work),
        Open::Target(_) | Open::Operation(_) => ("target", Activity::Device),
    }
}

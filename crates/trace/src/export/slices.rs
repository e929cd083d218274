//! One thread's events as properly nested slices, for every format that shows them. The end of a slice always belongs
//! to the innermost open slice. Scopes that OMPT leaves open or ends out of order are therefore closed here.

use crate::Site;
use crate::analysis::{mutex_name, operation_name, sync_name, target_name, work_name};
use crate::reader::Event;
use crate::store::task_status::{CANCEL, COMPLETE, DETACH, EARLY_FULFILL, LATE_FULFILL};
use crate::store::{Record, mpi};
use std::borrow::Cow;
use std::io::Result;

/// The title of a slice or instant: a name, the code that it belongs to, and its category.
#[derive(Clone)]
pub struct Title {
    /// In words.
    pub name: Cow<'static, str>,
    /// The construct; without addresses for none.
    pub site: Site,
    /// For filters in the UI.
    pub category: &'static str,
}

/// What is said of a slice or instant besides its title.
#[derive(Clone, Copy, Default)]
pub struct Details {
    /// Named numbers.
    pub values: [Option<(&'static str, u64)>; 2],
    /// The number of the task or of the device's operation that the slice belongs to.
    pub flow: Option<u64>,
}

impl Details {
    fn value(name: &'static str, value: u64) -> Details {
        Details { values: [Some((name, value)), None], flow: None }
    }

    fn flow(flow: u64) -> Details {
        Details { flow: Some(flow), ..Details::default() }
    }
}

/// Takes the slices of one thread. Times never run backwards.
pub trait Sink {
    /// A slice begins inside the slices that are open.
    fn begin(&mut self, ns: u64, open: Open, title: Title, details: Details) -> Result<()>;
    /// The innermost open slice ends.
    fn end(&mut self, ns: u64) -> Result<()>;
    /// Something without duration.
    fn instant(&mut self, ns: u64, title: Title, details: Details) -> Result<()>;
}

/// What a thread's slices need to know of the other threads.
pub trait Context {
    /// A region's construct, and the latest time at which a thread may leave its part.
    fn region(&self, parallel: u64) -> Option<(Site, u64)>;
    /// The construct that created a task.
    fn task(&self, task: u64) -> Option<Site>;
}

/// An open slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// A region, as its encountering thread sees it.
    Parallel(u64),
    /// A thread's part in a region.
    Implicit(u64),
    /// An explicit task.
    Task(u64),
    /// A worksharing construct, by `ompt_work_t`.
    Work(u64),
    /// A chunk of a worksharing loop.
    Chunk,
    /// A synchronising construct, by `ompt_sync_region_t`.
    Sync(u64),
    /// Waiting in one, by `ompt_sync_region_t`.
    Wait(u64),
    /// A reduction.
    Reduction,
    /// A masked construct.
    Masked,
    /// Waiting for a lock, critical, ordered or atomic region.
    Acquire,
    /// Inside a critical, ordered or atomic region, by its wait id.
    Hold(u64),
    /// A device construct.
    Target(u64),
    /// An operation of a device, as its host sees it.
    Operation(u64),
    /// A call of MPI, by its number; see [`mpi::name`].
    Mpi(u64),
}

/// The slices of one thread.
#[derive(Default)]
pub struct Track {
    /// The open slices, each with the latest time at which it may end. A worker may report the end of its region late.
    open: Vec<(Open, u64)>,
    /// The worksharing loops among them, by their places there.
    loops: Vec<(usize, Site)>,
}

impl Track {
    /// Takes the thread's next event. `site` is the construct that begins with the event, if one does.
    pub fn event(&mut self, event: Event, site: Site, known: &impl Context, to: &mut impl Sink) -> Result<()> {
        let ns = event.ns;
        match event.record {
            Record::ParallelBegin { parallel, requested, .. } => {
                let with = Details::value("threads asked for", requested);
                let end = known.region(parallel).map_or(u64::MAX, |(_, end)| end);
                let title = Title { name: "parallel".into(), site, category: "parallel" };
                self.begin(ns, Open::Parallel(parallel), end, title, with, to)
            }
            Record::ParallelEnd { parallel, .. } => self.end(ns, |open| open == Open::Parallel(parallel), to),
            Record::ImplicitTaskBegin { parallel, team, index, .. } => {
                // The initial task belongs to no region and would be one slice over everything.
                let Some((site, end)) = known.region(parallel) else { return Ok(()) };
                let with = Details { values: [Some(("thread", index)), Some(("team", team))], flow: None };
                let title = Title { name: "implicit task".into(), site, category: "implicit task" };
                self.begin(ns, Open::Implicit(parallel), end, title, with, to)
            }
            Record::ImplicitTaskEnd { .. } => match self.open.iter().rev().find(|(open, _)| is_frame(*open)) {
                Some((Open::Implicit(_), _)) => self.end(ns, |open| matches!(open, Open::Implicit(_)), to),
                _ => Ok(()),
            },
            Record::TaskCreate { task, .. } => {
                let title = Title { name: "create task".into(), site, category: "task" };
                to.instant(ns.min(self.limit()), title, Details::flow(task))
            }
            Record::TaskSchedule { prior, status, next } => self.schedule(ns, (prior, status, next), known, to),
            Record::SyncBegin { kind, codeptr } => self.plain(
                ns,
                Open::Sync(kind),
                Title { name: sync_name(kind), site: codeptr.into(), category: "sync" },
                to,
            ),
            Record::SyncEnd { kind } => self.end(ns, |open| open == Open::Sync(kind), to),
            Record::WaitBegin { kind, codeptr } => self.plain(
                ns,
                Open::Wait(kind),
                Title { name: "wait".into(), site: codeptr.into(), category: "wait" },
                to,
            ),
            Record::WaitEnd { kind } => self.end(ns, |open| open == Open::Wait(kind), to),
            Record::WorkBegin { kind, count, codeptr } => {
                self.loops.retain(|(depth, _)| *depth < self.open.len());
                self.loops.push((self.open.len(), codeptr.into()));
                let with = Details::value("count", count);
                let title = Title { name: work_name(kind), site: codeptr.into(), category: "work" };
                self.begin(ns, Open::Work(kind), u64::MAX, title, with, to)
            }
            Record::Chunk { first, iterations } => self.chunk(ns, first, iterations, to),
            Record::WorkEnd { kind } => self.end(ns, |open| open == Open::Work(kind), to),
            Record::MaskedBegin { codeptr } => self.plain(
                ns,
                Open::Masked,
                Title { name: "masked".into(), site: codeptr.into(), category: "work" },
                to,
            ),
            Record::MaskedEnd {} => self.end(ns, |open| open == Open::Masked, to),
            Record::Reduction { endpoint: 1, codeptr } => self.plain(
                ns,
                Open::Reduction,
                Title { name: "reduction".into(), site: codeptr.into(), category: "sync" },
                to,
            ),
            Record::Reduction { .. } => self.end(ns, |open| open == Open::Reduction, to),
            // A test for a lock does not wait, and no event says that it failed.
            Record::MutexAcquire { kind: 2 | 4, .. } => Ok(()),
            Record::MutexAcquire { kind, codeptr, .. } => {
                let name = match kind {
                    1 | 3 => "wait for lock",
                    5 => "wait for critical",
                    6 => "wait for atomic",
                    7 => "wait for ordered",
                    _ => "wait for mutex",
                };
                self.plain(ns, Open::Acquire, Title { name: name.into(), site: codeptr.into(), category: "wait" }, to)
            }
            Record::MutexAcquired { kind, wait } => {
                self.end(ns, |open| open == Open::Acquire, to)?;
                // Locks may be held across other slices; only regions are shown as such.
                match kind {
                    5..=7 => {
                        let title = Title { name: mutex_name(kind), site: Site::default(), category: "mutex" };
                        self.plain(ns, Open::Hold(wait), title, to)
                    }
                    _ => Ok(()),
                }
            }
            Record::NestLock { .. } => self.end(ns, |open| open == Open::Acquire, to),
            Record::MutexReleased { wait, .. } => self.end(ns, |open| open == Open::Hold(wait), to),
            Record::Cancel { codeptr, .. } => {
                let title = Title { name: "cancel".into(), site: codeptr.into(), category: "sync" };
                to.instant(ns, title, Details::default())
            }
            Record::ControlTool { codeptr, .. } => {
                let title = Title { name: "omp_control_tool".into(), site: codeptr.into(), category: "tool" };
                to.instant(ns, title, Details::default())
            }
            Record::TargetBegin { target, kind, device, .. } => {
                let with = Details::value("device", device);
                let title = Title { name: target_name(kind), site, category: "target" };
                self.begin(ns, Open::Target(target), u64::MAX, title, with, to)
            }
            Record::TargetEnd { target } => self.end(ns, |open| open == Open::Target(target), to),
            Record::DataOpBegin { op, kind, bytes, codeptr, .. } => {
                let with = Details { flow: Some(op), ..Details::value("bytes", bytes) };
                let title = Title { name: operation_name(kind), site: codeptr.into(), category: "target" };
                self.begin(ns, Open::Operation(op), u64::MAX, title, with, to)
            }
            Record::SubmitBegin { op, .. } => {
                let with = Details::flow(op);
                let title = Title { name: "launch".into(), site: Site::default(), category: "target" };
                self.begin(ns, Open::Operation(op), u64::MAX, title, with, to)
            }
            Record::DataOpEnd { op } | Record::SubmitEnd { op } => self.end(ns, |open| open == Open::Operation(op), to),
            Record::MpiBegin { call, bytes, partner, codeptr } => {
                let rank = partner.checked_sub(1).map(|rank| ("partner", rank));
                let with = Details { values: [Some(("bytes", bytes)), rank], flow: None };
                let title = Title { name: mpi::name(call), site: codeptr.into(), category: "mpi" };
                self.begin(ns, Open::Mpi(call), u64::MAX, title, with, to)
            }
            Record::MpiEnd { call } => self.end(ns, |open| open == Open::Mpi(call), to),
            Record::ThreadBegin { .. }
            | Record::ThreadEnd {}
            | Record::LockInit { .. }
            | Record::LockDestroy { .. }
            | Record::TaskDependence { .. }
            | Record::OnDevice { .. }
            | Record::Function { .. }
            | Record::Caller { .. }
            | Record::Usage { .. }
            | Record::Counter { .. }
            | Record::Chunks { .. }
            | Record::ChunkLengths { .. }
            | Record::Section { .. }
            | Record::Operation { .. } => Ok(()),
        }
    }

    /// Closes what is open at the end of the trace.
    pub fn finish(&mut self, ns: u64, to: &mut impl Sink) -> Result<()> {
        self.close_to(0, ns, to)
    }

    /// The region has ended for the thread that encountered it. What this thread has open in the region ends no later.
    pub fn region_ends(&mut self, parallel: u64, ns: u64) {
        if let Some(index) = self.open.iter().position(|(open, _)| *open == Open::Implicit(parallel)) {
            for (_, limit) in &mut self.open[index..] {
                *limit = ns.min(*limit);
            }
        }
    }

    /// The thread is given a chunk of the innermost loop that it is in. The chunk before ends.
    fn chunk(&mut self, ns: u64, first: u64, iterations: u64, to: &mut impl Sink) -> Result<()> {
        self.end(ns, |open| open == Open::Chunk, to)?;
        let around = self.loops.iter().rev().find(|(depth, _)| *depth < self.open.len());
        let site = around.map_or(Site::default(), |(_, site)| *site);
        let with = Details { values: [Some(("first iteration", first)), Some(("iterations", iterations))], flow: None };
        self.begin(ns, Open::Chunk, u64::MAX, Title { name: "chunk".into(), site, category: "work" }, with, to)
    }

    /// The thread switches from one task to another.
    fn schedule(
        &mut self,
        ns: u64,
        (prior, status, next): (u64, u64, u64),
        known: &impl Context,
        to: &mut impl Sink,
    ) -> Result<()> {
        if matches!(status, EARLY_FULFILL | LATE_FULFILL) {
            return Ok(());
        }
        let position = |track: &Self, id| track.open.iter().rposition(|(open, _)| *open == Open::Task(id));
        if matches!(status, COMPLETE | CANCEL | DETACH)
            && let Some(index) = position(self, prior)
        {
            self.close_to(index, ns, to)?;
        }
        // Back to a task that is open further out?
        if let Some(index) = position(self, next) {
            let inner = self.open[index + 1..].iter().position(|(open, _)| matches!(open, Open::Task(_)));
            return inner.map_or(Ok(()), |offset| self.close_to(index + 1 + offset, ns, to));
        }
        if let Some(site) = known.task(next) {
            let title = Title { name: "task".into(), site, category: "task" };
            return self.begin(ns, Open::Task(next), u64::MAX, title, Details::flow(next), to);
        }
        // To the implicit task, whose slice is the outermost of the frame.
        let frame = self.open.iter().rposition(|(open, _)| is_frame(*open)).map_or(0, |index| index + 1);
        let inner = self.open[frame..].iter().position(|(open, _)| matches!(open, Open::Task(_)));
        inner.map_or(Ok(()), |offset| self.close_to(frame + offset, ns, to))
    }

    /// The latest time at which any open slice may end.
    pub fn limit(&self) -> u64 {
        self.open.last().map_or(u64::MAX, |(_, limit)| *limit)
    }

    fn plain(&mut self, ns: u64, open: Open, title: Title, to: &mut impl Sink) -> Result<()> {
        self.begin(ns, open, u64::MAX, title, Details::default(), to)
    }

    fn begin(
        &mut self,
        ns: u64,
        open: Open,
        limit: u64,
        title: Title,
        with: Details,
        to: &mut impl Sink,
    ) -> Result<()> {
        let ns = ns.min(self.limit());
        self.open.push((open, limit.min(self.limit()).max(ns)));
        to.begin(ns, open, title, with)
    }

    /// Ends the innermost slice that `is` accepts, and all slices inside it. Slices of an outer task or region stay
    /// open, unless a region itself ends.
    fn end(&mut self, ns: u64, is: impl Fn(Open) -> bool, to: &mut impl Sink) -> Result<()> {
        for (index, (open, _)) in self.open.iter().enumerate().rev() {
            if is(*open) {
                return self.close_to(index, ns, to);
            }
            let frame = is_frame(*open) || matches!(open, Open::Task(_));
            if frame && !self.open.iter().any(|(open, _)| is(*open) && is_frame(*open)) {
                break;
            }
        }
        Ok(())
    }

    /// Ends slices until `depth` are open.
    fn close_to(&mut self, depth: usize, ns: u64, to: &mut impl Sink) -> Result<()> {
        while self.open.len() > depth {
            let ns = ns.min(self.limit());
            self.open.pop();
            to.end(ns)?;
        }
        Ok(())
    }
}

/// Whether a slice is a thread's part in a region.
fn is_frame(open: Open) -> bool {
    matches!(open, Open::Parallel(_) | Open::Implicit(_))
}

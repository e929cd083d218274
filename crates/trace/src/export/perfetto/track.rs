//! One thread's events as properly nested slices. In Perfetto, the end of a slice always belongs to the innermost open
//! slice of its track. Scopes that OMPT leaves open or ends out of order are therefore closed here.

use super::known::Known;
use super::packets::{Packets, Title};
use super::schema::{TYPE_INSTANT, TYPE_SLICE_BEGIN, TrackEvent};
use crate::Site;
use crate::analysis::{mutex_name, operation_name, sync_name, target_name, work_name};
use crate::reader::Event;
use crate::site::Functions;
use crate::store::Record;
use std::io::Result;

/// An open slice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Parallel(u64),
    Implicit,
    Task(u64),
    Work(u64),
    Sync(u64),
    Wait(u64),
    Reduction,
    Masked,
    Acquire,
    Hold(u64),
    Target(u64),
    Operation(u64),
}

/// Writes the slices of one thread.
pub struct Track<'a> {
    uuid: u64,
    /// Keeps the flows of different processes apart.
    seed: u64,
    /// The offset that is added to times.
    epoch: u64,
    known: &'a Known,
    functions: Functions,
    /// The open slices, each with the latest time at which it may end. A worker may report the end of its region late.
    open: Vec<(Open, u64)>,
}

impl<'a> Track<'a> {
    pub fn new(uuid: u64, seed: u64, epoch: u64, known: &'a Known) -> Track<'a> {
        Track { uuid, seed, epoch, known, functions: Functions::default(), open: Vec::new() }
    }

    /// Takes the thread's next event.
    pub fn event(&mut self, event: Event, to: &mut Packets<'_>) -> Result<()> {
        let ns = event.ns;
        let site = self.functions.site(&event.record);
        match event.record {
            Record::ParallelBegin { parallel, requested, .. } => {
                let threads = to.annotation("threads asked for", requested);
                let with = TrackEvent { debug_annotations: vec![threads], ..TrackEvent::default() };
                let end = self.known.regions.get(&parallel).map_or(u64::MAX, |region| region.end);
                let title = Title { name: "parallel".into(), site, category: "parallel" };
                self.begin(ns, Open::Parallel(parallel), end, title, with, to)
            }
            Record::ParallelEnd { parallel, .. } => self.end(ns, |open| open == Open::Parallel(parallel), to),
            Record::ImplicitTaskBegin { parallel, team, index, .. } => {
                // The initial task belongs to no region and would be one slice over everything.
                let Some(region) = self.known.regions.get(&parallel) else { return Ok(()) };
                let annotations = vec![to.annotation("thread", index), to.annotation("team", team)];
                let with = TrackEvent { debug_annotations: annotations, ..TrackEvent::default() };
                let title = Title { name: "implicit task".into(), site: region.site, category: "implicit task" };
                self.begin(ns, Open::Implicit, region.end, title, with, to)
            }
            Record::ImplicitTaskEnd { .. } => match self.open.iter().rev().find(|(open, _)| is_frame(*open)) {
                Some((Open::Implicit, _)) => self.end(ns, |open| open == Open::Implicit, to),
                _ => Ok(()),
            },
            Record::TaskCreate { task, .. } => {
                to.counts.flows += 1;
                let with = TrackEvent { flow_ids: vec![self.flow(task)], ..TrackEvent::default() };
                let title = Title { name: "create task".into(), site, category: "task" };
                let ns = self.epoch.saturating_add(ns.min(self.limit()));
                to.titled(ns, TYPE_INSTANT, self.uuid, title, with)
            }
            Record::TaskSchedule { prior, status, next } => self.schedule(ns, prior, status, next, to),
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
                let with =
                    TrackEvent { debug_annotations: vec![to.annotation("count", count)], ..TrackEvent::default() };
                let title = Title { name: work_name(kind), site: codeptr.into(), category: "work" };
                self.begin(ns, Open::Work(kind), u64::MAX, title, with, to)
            }
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
                to.titled(self.epoch.saturating_add(ns), TYPE_INSTANT, self.uuid, title, TrackEvent::default())
            }
            Record::ControlTool { codeptr, .. } => {
                let title = Title { name: "omp_control_tool".into(), site: codeptr.into(), category: "tool" };
                to.titled(self.epoch.saturating_add(ns), TYPE_INSTANT, self.uuid, title, TrackEvent::default())
            }
            Record::TargetBegin { target, kind, device, .. } => {
                let with =
                    TrackEvent { debug_annotations: vec![to.annotation("device", device)], ..TrackEvent::default() };
                let title = Title { name: target_name(kind), site, category: "target" };
                self.begin(ns, Open::Target(target), u64::MAX, title, with, to)
            }
            Record::TargetEnd { target } => self.end(ns, |open| open == Open::Target(target), to),
            Record::DataOpBegin { op, kind, bytes, codeptr, .. } => {
                let annotations = vec![to.annotation("bytes", bytes)];
                to.counts.flows += 1;
                let with = TrackEvent {
                    debug_annotations: annotations,
                    flow_ids: vec![self.flow(op)],
                    ..TrackEvent::default()
                };
                let title = Title { name: operation_name(kind), site: codeptr.into(), category: "target" };
                self.begin(ns, Open::Operation(op), u64::MAX, title, with, to)
            }
            Record::SubmitBegin { op, .. } => {
                to.counts.flows += 1;
                let with = TrackEvent { flow_ids: vec![self.flow(op)], ..TrackEvent::default() };
                let title = Title { name: "launch".into(), site: Site::default(), category: "target" };
                self.begin(ns, Open::Operation(op), u64::MAX, title, with, to)
            }
            Record::DataOpEnd { op } | Record::SubmitEnd { op } => self.end(ns, |open| open == Open::Operation(op), to),
            Record::ThreadBegin { .. }
            | Record::ThreadEnd {}
            | Record::LockInit { .. }
            | Record::LockDestroy { .. }
            | Record::TaskDependence { .. }
            | Record::OnDevice { .. }
            | Record::Function { .. }
            | Record::Operation { .. } => Ok(()),
        }
    }

    /// Closes what is open at the end of the trace.
    pub fn finish(&mut self, ns: u64, to: &mut Packets<'_>) -> Result<()> {
        self.close_to(0, ns, to)
    }

    /// The thread switches from one task to another.
    fn schedule(&mut self, ns: u64, prior: u64, status: u64, next: u64, to: &mut Packets<'_>) -> Result<()> {
        const EARLY_FULFILL: u64 = 5;
        const LATE_FULFILL: u64 = 6;
        const COMPLETE: u64 = 1;
        const CANCEL: u64 = 3;
        const DETACH: u64 = 4;
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
        if let Some(&site) = self.known.tasks.get(&next) {
            let with = TrackEvent { flow_ids: vec![self.flow(next)], ..TrackEvent::default() };
            return self.begin(
                ns,
                Open::Task(next),
                u64::MAX,
                Title { name: "task".into(), site, category: "task" },
                with,
                to,
            );
        }
        // To the implicit task, whose slice is the outermost of the frame.
        let frame = self.open.iter().rposition(|(open, _)| is_frame(*open)).map_or(0, |index| index + 1);
        let inner = self.open[frame..].iter().position(|(open, _)| matches!(open, Open::Task(_)));
        inner.map_or(Ok(()), |offset| self.close_to(frame + offset, ns, to))
    }

    /// The flow of a task or of a device's operation: all have numbers of their own.
    fn flow(&self, task: u64) -> u64 {
        self.seed.wrapping_add(task)
    }

    /// The latest time at which any open slice may end.
    fn limit(&self) -> u64 {
        self.open.last().map_or(u64::MAX, |(_, limit)| *limit)
    }

    fn plain(&mut self, ns: u64, open: Open, title: Title, to: &mut Packets<'_>) -> Result<()> {
        self.begin(ns, open, u64::MAX, title, TrackEvent::default(), to)
    }

    fn begin(
        &mut self,
        ns: u64,
        open: Open,
        limit: u64,
        title: Title,
        with: TrackEvent,
        to: &mut Packets<'_>,
    ) -> Result<()> {
        let ns = ns.min(self.limit());
        self.open.push((open, limit.min(self.limit()).max(ns)));
        to.titled(self.epoch.saturating_add(ns), TYPE_SLICE_BEGIN, self.uuid, title, with)
    }

    /// Ends the innermost slice that `is` accepts, and all slices inside it. Slices of an outer task or region stay
    /// open, unless a region itself ends.
    fn end(&mut self, ns: u64, is: impl Fn(Open) -> bool, to: &mut Packets<'_>) -> Result<()> {
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
    fn close_to(&mut self, depth: usize, ns: u64, to: &mut Packets<'_>) -> Result<()> {
        while self.open.len() > depth {
            let ns = ns.min(self.limit());
            self.open.pop();
            to.end(self.epoch.saturating_add(ns), self.uuid)?;
        }
        Ok(())
    }
}

/// Whether a slice is a thread's part in a region.
fn is_frame(open: Open) -> bool {
    matches!(open, Open::Parallel(_) | Open::Implicit)
}

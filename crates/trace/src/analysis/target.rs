//! Device constructs: joins the host's events with the devices' records of kernels and copies, by the operations'
//! numbers.

use super::TargetSite;
use super::sum::add;
use crate::Site;
use crate::reader::Event;
use crate::store::Record;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// An operation as the host has begun it.
#[derive(Clone, Copy, Default)]
struct Requested {
    /// The place and the kind of the construct that requested the operation.
    site: (Site, u64),
    device: u64,
    kind: u64,
    bytes: u64,
    /// On the host.
    begin: u64,
    end: u64,
}

/// A time in which a device carried out an operation.
#[derive(Clone, Copy)]
struct Done {
    device: u64,
    op: u64,
    kind: u64,
    begin: u64,
    end: u64,
}

/// A construct that a thread has begun.
#[derive(Clone, Copy)]
struct Open {
    target: u64,
    site: (Site, u64),
    device: u64,
}

/// What is collected over all threads and devices.
#[derive(Clone, Default)]
pub(super) struct Targets {
    sites: FxHashMap<(Site, u64), TargetSite>,
    requested: FxHashMap<u64, Requested>,
    /// When each construct began and ended, by number. A `nowait` construct ends on another thread.
    begun: FxHashMap<u64, ((Site, u64), u64)>,
    ended: FxHashMap<u64, u64>,
    done: Vec<Done>,
    /// Whether times of 0 are from before the part that the summary is about.
    cut: bool,
    threads: Vec<PerThread>,
}

/// What is known of a thread, or of a device's file.
#[derive(Clone, Default)]
struct PerThread {
    /// The device whose operations the file has.
    device: u64,
    /// The constructs that the thread is in, innermost last.
    open: Vec<Open>,
}

impl Targets {
    /// A further thread.
    pub fn add_thread(&mut self) {
        self.threads.push(PerThread::default());
    }

    /// Whether a thread is in a device construct, so that it may switch between tasks of such constructs.
    #[inline]
    pub fn is_in_construct(&self, thread: usize) -> bool {
        !self.threads[thread].open.is_empty()
    }

    /// Whether a thread's record is about devices.
    #[inline]
    pub fn concerns(&self, thread: usize, record: &Record) -> bool {
        match record {
            Record::TaskSchedule { .. } => self.is_in_construct(thread),
            _ => is_about_devices(record),
        }
    }

    /// Takes an event of the thread with this index, if it is about devices. `place` is the construct that begins with
    /// the event.
    pub fn note(&mut self, thread: usize, event: Event, place: Site) {
        let now = event.ns;
        let PerThread { device: on_device, open } = &mut self.threads[thread];
        match event.record {
            Record::TargetBegin { target, kind, device, .. } => {
                let site = (place, kind);
                let sum = self.sites.entry(site).or_default();
                sum.calls += 1;
                note_device(sum, device);
                self.begun.insert(target, (site, now));
                open.push(Open { target, site, device });
            }
            Record::TargetEnd { target } => {
                self.ended.insert(target, now);
                if let Some(index) = open.iter().rposition(|open| open.target == target) {
                    open.truncate(index);
                }
            }
            // The target task is left before its construct has ended.
            Record::TaskSchedule { .. } => open.retain(|open| open.site.1 < FIRST_NOWAIT),
            Record::DataOpBegin { op, kind, device, bytes, codeptr } => {
                let site = open.last().map_or((codeptr.into(), ROUTINE), |open| open.site);
                self.requested.insert(op, Requested { site, device, kind, bytes, begin: now, end: now });
            }
            Record::SubmitBegin { op, .. } => {
                let (site, device) = open.last().map_or(((Site::default(), 1), 0), |open| (open.site, open.device));
                self.sites.entry(site).or_default().kernels += 1;
                self.requested.insert(op, Requested { site, device, begin: now, end: now, ..Requested::default() });
            }
            Record::DataOpEnd { op } | Record::SubmitEnd { op } => {
                if let Some(requested) = self.requested.get_mut(&op) {
                    requested.end = now.max(requested.begin);
                }
            }
            Record::OnDevice { device, .. } => *on_device = device,
            Record::Operation { op, kind, late, length, .. } => {
                let end = now.saturating_sub(late);
                self.done.push(Done { device: *on_device, op, kind, begin: end.saturating_sub(length), end });
            }
            _ => {}
        }
    }

    /// What was summed up so far does not count. What is under way does, from here on.
    pub fn forget(&mut self) {
        self.cut = true;
        for site in self.sites.values_mut() {
            let devices = std::mem::take(&mut site.devices);
            *site = TargetSite { devices, ..TargetSite::default() };
        }
    }

    /// Constructs that are under way last to `end`, as far as the summary is about them.
    pub fn end_all(&mut self, end: u64) {
        for target in self.begun.keys() {
            self.ended.entry(*target).or_insert(end);
        }
    }

    /// The places of all constructs.
    pub fn places(&self) -> BTreeSet<Site> {
        self.sites
            .keys()
            .map(|(site, _)| *site)
            .chain(self.requested.values().map(|requested| requested.site.0))
            .collect()
    }

    /// The sum of each construct, with `place` in the place of its site.
    pub fn finish(mut self, place: impl Fn(Site) -> Site) -> Vec<TargetSite> {
        for (target, (site, begin)) in &self.begun {
            if let (Some(end), Some(sum)) = (self.ended.get(target), self.sites.get_mut(site)) {
                add(&mut sum.host_ns, end.saturating_sub(*begin));
            }
        }
        self.find_constructs();
        let recorded: FxHashMap<u64, Done> = self.done.iter().map(|done| (done.op, *done)).collect();
        let mut kernels: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
        for done in self.done.iter().filter(|done| done.kind == KERNEL) {
            kernels.entry(done.device).or_default().push((done.begin, done.end));
        }
        for intervals in kernels.values_mut() {
            unite(intervals);
        }
        for (op, requested) in &self.requested {
            let sum = self.sites.entry(requested.site).or_default();
            let done = recorded.get(op);
            let end = done.map_or(requested.end, |done| done.end);
            if self.cut && end == 0 {
                continue;
            }
            if requested.kind == KERNEL {
                let time = done.map_or(0, |done| done.end - done.begin);
                add(&mut sum.kernel_ns, time);
                sum.max_kernel_ns = sum.max_kernel_ns.max(time);
                continue;
            }
            match requested.kind {
                TO | TO_ASYNC => add(&mut sum.to_bytes, requested.bytes),
                FROM | FROM_ASYNC => add(&mut sum.from_bytes, requested.bytes),
                _ => continue,
            }
            let (begin, end) = done.map_or((requested.begin, requested.end), |done| (done.begin, done.end));
            let hidden = kernels.get(&requested.device).map_or(0, |kernels| common(kernels, begin, end));
            add(&mut sum.copy_ns, end - begin);
            add(&mut sum.exposed_ns, (end - begin).saturating_sub(hidden));
        }
        let mut united: FxHashMap<(Site, u64), TargetSite> = FxHashMap::default();
        let something =
            |site: &TargetSite| [site.calls, site.host_ns, site.kernel_ns, site.copy_ns].iter().any(|n| *n > 0);
        for ((at, kind), site) in self.sites.into_iter().filter(|(_, site)| !self.cut || something(site)) {
            let at = place(at);
            let sum = united.entry((at, kind)).or_default();
            (sum.codeptr, sum.function, sum.kind) = (at.codeptr, at.function, kind);
            sum.calls += site.calls;
            sum.kernels += site.kernels;
            sum.max_kernel_ns = sum.max_kernel_ns.max(site.max_kernel_ns);
            site.devices.iter().for_each(|device| note_device(sum, *device));
            add(&mut sum.host_ns, site.host_ns);
            add(&mut sum.kernel_ns, site.kernel_ns);
            add(&mut sum.to_bytes, site.to_bytes);
            add(&mut sum.from_bytes, site.from_bytes);
            add(&mut sum.copy_ns, site.copy_ns);
            add(&mut sum.exposed_ns, site.exposed_ns);
        }
        let mut sites: Vec<TargetSite> = united.into_values().collect();
        sites.sort_by_key(|site| (std::cmp::Reverse(site.host_ns), site.site(), site.kind));
        sites
    }

    /// An operation outside all constructs belongs to a routine, or to a `nowait` construct with the same address.
    fn find_constructs(&mut self) {
        let constructs: FxHashMap<u64, (Site, u64)> = self.sites.keys().map(|site| (site.0.codeptr, *site)).collect();
        let cut = self.cut;
        let counts = |requested: &&mut Requested| requested.site.1 == ROUTINE && !(cut && requested.end == 0);
        for requested in self.requested.values_mut().filter(counts) {
            if let Some(site) = constructs.get(&requested.site.0.codeptr) {
                requested.site = *site;
                continue;
            }
            let sum = self.sites.entry(requested.site).or_default();
            sum.calls += 1;
            note_device(sum, requested.device);
            add(&mut sum.host_ns, requested.end - requested.begin);
        }
    }
}

/// Not an `ompt_target_t`.
const ROUTINE: u64 = 0;
/// The first of the kinds of `nowait` constructs.
const FIRST_NOWAIT: u64 = 9;
/// Not an `ompt_target_data_op_t`.
const KERNEL: u64 = 0;
/// `ompt_target_data_transfer_to_device` and its asynchronous form.
const TO: u64 = 2;
const TO_ASYNC: u64 = 18;
/// `ompt_target_data_transfer_from_device` and its asynchronous form.
const FROM: u64 = 3;
const FROM_ASYNC: u64 = 19;

/// Whether an event is about a device, or begins or ends a device construct.
#[inline]
pub fn is_about_devices(record: &Record) -> bool {
    matches!(
        record,
        Record::TargetBegin { .. }
            | Record::TargetEnd { .. }
            | Record::DataOpBegin { .. }
            | Record::DataOpEnd { .. }
            | Record::SubmitBegin { .. }
            | Record::SubmitEnd { .. }
            | Record::OnDevice { .. }
            | Record::Operation { .. }
    )
}

fn note_device(site: &mut TargetSite, device: u64) {
    if let Err(index) = site.devices.binary_search(&device) {
        site.devices.insert(index, device);
    }
}

/// Sorts intervals and makes one of those that overlap.
fn unite(intervals: &mut Vec<(u64, u64)>) {
    intervals.sort_unstable();
    let mut united: Vec<(u64, u64)> = Vec::with_capacity(intervals.len());
    for &(begin, end) in intervals.iter() {
        match united.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => united.push((begin, end)),
        }
    }
    *intervals = united;
}

/// How much of the time from `begin` to `end` is in the intervals, which are sorted and apart.
fn common(intervals: &[(u64, u64)], begin: u64, end: u64) -> u64 {
    let first = intervals.partition_point(|interval| interval.1 <= begin);
    let inside = intervals[first..].iter().take_while(|interval| interval.0 < end);
    inside.map(|interval| interval.1.min(end) - interval.0.max(begin)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(events: &[(u64, Record)]) -> Vec<TargetSite> {
        let (mut targets, mut functions) = (Targets::default(), crate::site::Functions::default());
        (0..2).for_each(|_| targets.add_thread());
        let mut thread = 0;
        for (ns, record) in events {
            thread = if matches!(record, Record::OnDevice { .. }) { 1 } else { thread };
            let site = functions.site(record);
            targets.note(thread, Event { ns: *ns, record: *record }, site);
        }
        targets.finish(|site| site)
    }

    #[test]
    fn kernels_hide_copies() {
        let sites = site(&[
            (0, Record::TargetBegin { target: 1, kind: 1, device: 0, codeptr: 16 }),
            (1, Record::DataOpBegin { op: 2, kind: 2, device: 0, bytes: 100, codeptr: 16 }),
            (2, Record::DataOpEnd { op: 2 }),
            (3, Record::SubmitBegin { op: 3, teams: 0 }),
            (4, Record::SubmitEnd { op: 3 }),
            (100, Record::TargetEnd { target: 1 }),
            (0, Record::OnDevice { device: 0, thread: 0 }),
            // From 10 to 40 and from 30 to 90.
            (42, Record::Operation { op: 2, kind: 2, amount: 100, late: 2, length: 30 }),
            (90, Record::Operation { op: 3, kind: 0, amount: 1, late: 0, length: 60 }),
        ]);
        let [site] = sites.as_slice() else { panic!("one construct") };
        assert_eq!((site.calls, site.host_ns, site.kernels, site.kernel_ns), (1, 100, 1, 60));
        assert_eq!((site.to_bytes, site.copy_ns, site.exposed_ns, site.devices.as_slice()), (100, 30, 20, &[0][..]));
    }

    #[test]
    fn without_the_devices_own_records_the_hosts_times_count() {
        let sites = site(&[
            (5, Record::DataOpBegin { op: 2, kind: 3, device: 1, bytes: 8, codeptr: 16 }),
            (25, Record::DataOpEnd { op: 2 }),
        ]);
        let [site] = sites.as_slice() else { panic!("one routine") };
        assert_eq!((site.kind, site.calls, site.host_ns, site.from_bytes), (0, 1, 20, 8));
        assert_eq!((site.copy_ns, site.exposed_ns, site.devices.as_slice()), (20, 20, &[1][..]));
    }

    #[test]
    fn intervals() {
        let mut intervals = vec![(5, 7), (1, 3), (2, 4), (9, 9)];
        unite(&mut intervals);
        assert_eq!(intervals, [(1, 4), (5, 7), (9, 9)]);
        assert_eq!(common(&intervals, 0, 10), 5);
        assert_eq!(common(&intervals, 3, 6), 2);
        assert_eq!(common(&intervals, 4, 5), 0);
    }
}

//! The initial thread's time outside of parallel regions and device constructs, by the regions before and after.

use super::SerialPhase;
use super::sum::add;
use crate::Site;
use crate::store::Record;
use rustc_hash::FxHashMap;

/// The serial phases of the initial thread, while its events are read.
#[derive(Clone, Default)]
pub(super) struct Serial {
    /// Parallel regions that are open.
    depth: u64,
    /// Device constructs that are open.
    targets: u64,
    /// The last region that has ended.
    after: Site,
    /// Since when the thread is outside of all of them, if so.
    since: u64,
    /// The time of this phase, up to `since`.
    passed: u64,
    /// Whether a call of MPI is under way.
    calls: bool,
    /// Since when the thread is in that call and outside of regions, if it is: MPI may call functions of the program,
    /// such as an operation of a reduction, and these may have regions.
    in_mpi: Option<u64>,
    /// The part of this phase in MPI, without the call that is under way.
    mpi: u64,
    /// By the regions before and after.
    phases: FxHashMap<(Site, Site), SerialPhase>,
    /// The region that is open, outermost.
    region: Site,
}

impl Serial {
    /// Takes the thread's next event and the construct that begins with it.
    pub fn event(&mut self, ns: u64, record: &Record, site: Site) {
        let outside = self.depth == 0 && self.targets == 0;
        match record {
            Record::ParallelBegin { .. } => {
                if self.depth == 0 {
                    if outside {
                        self.leave(ns);
                    }
                    self.region = site;
                    self.end_phase(site);
                }
                self.depth += 1;
            }
            Record::ParallelEnd { .. } => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.after = self.region;
                    self.come_back(ns);
                }
            }
            Record::TargetBegin { .. } => {
                if outside {
                    self.leave(ns);
                }
                self.targets += 1;
            }
            Record::TargetEnd { .. } => {
                self.targets = self.targets.saturating_sub(1);
                self.come_back(ns);
            }
            Record::MpiBegin { .. } => (self.calls, self.in_mpi) = (true, outside.then_some(ns)),
            Record::MpiEnd { .. } => {
                self.end_call(ns);
                self.calls = false;
            }
            _ => {}
        }
    }

    /// The thread is not outside any more.
    fn leave(&mut self, ns: u64) {
        add(&mut self.passed, ns.saturating_sub(self.since));
        self.end_call(ns);
    }

    /// The thread is outside again, if it is in no other construct.
    fn come_back(&mut self, ns: u64) {
        self.since = ns;
        self.in_mpi = (self.calls && self.depth == 0 && self.targets == 0).then_some(ns);
    }

    fn end_call(&mut self, ns: u64) {
        if let Some(begin) = self.in_mpi.take() {
            add(&mut self.mpi, ns.saturating_sub(begin));
        }
    }

    /// What was summed up so far does not count.
    pub fn forget(&mut self) {
        (self.passed, self.mpi) = (0, 0);
        self.phases.clear();
    }

    fn end_phase(&mut self, before: Site) {
        let passed = std::mem::take(&mut self.passed);
        let after = self.after;
        let phase = self.phases.entry((after, before)).or_default();
        (phase.after, phase.before) = (after, before);
        phase.times += 1;
        phase.max_ns = phase.max_ns.max(passed);
        add(&mut phase.total_ns, passed);
        add(&mut phase.mpi_ns, std::mem::take(&mut self.mpi));
    }

    /// The phases, the longest first. The first one begins at `begin`, the last one lasts to `end`. `place` gives the
    /// site that stands for all addresses of a construct.
    pub fn finish(mut self, begin: u64, end: u64, place: impl Fn(Site) -> Site) -> Vec<SerialPhase> {
        if self.depth == 0 {
            if self.targets == 0 {
                add(&mut self.passed, end.saturating_sub(self.since));
            }
            self.end_call(end);
            self.end_phase(Site::default());
        }
        for phase in self.phases.values_mut().filter(|phase| phase.after == Site::default()) {
            phase.total_ns = phase.total_ns.saturating_sub(begin);
            phase.max_ns = phase.max_ns.saturating_sub(begin);
        }
        let mut united: FxHashMap<(Site, Site), SerialPhase> = FxHashMap::default();
        for phase in std::mem::take(&mut self.phases).into_values() {
            let (after, before) = (place(phase.after), place(phase.before));
            let sum = united.entry((after, before)).or_default();
            (sum.after, sum.before) = (after, before);
            sum.times += phase.times;
            sum.max_ns = sum.max_ns.max(phase.max_ns);
            add(&mut sum.total_ns, phase.total_ns);
            add(&mut sum.mpi_ns, phase.mpi_ns);
        }
        let mut phases: Vec<SerialPhase> = united.into_values().collect();
        phases.sort_by_key(|phase| (std::cmp::Reverse(phase.total_ns), phase.after, phase.before));
        phases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_inside_of_a_call_is_no_time_in_mpi_outside() {
        let begin = Record::ParallelBegin { parallel: 1, task: 0, requested: 2, flags: 0, codeptr: 0 };
        let end = Record::ParallelEnd { parallel: 1, codeptr: 0 };
        let call = Record::MpiBegin { call: 1, bytes: 0, partner: 0, codeptr: 0 };
        let (none, region) = (Site::default(), Site::from(1));
        let mut serial = Serial::default();
        let events = [(10, call, none), (30, begin, region), (90, end, region), (95, Record::MpiEnd { call: 1 }, none)];
        for (ns, record, site) in events {
            serial.event(ns, &record, site);
        }
        let phases = serial.finish(0, 100, |site| site);
        let found: Vec<_> = phases.iter().map(|one| (one.before, one.total_ns, one.mpi_ns)).collect();
        assert_eq!(found, [(region, 30, 20), (none, 10, 5)]);
    }

    #[test]
    fn phases_are_summed_by_their_neighbours() {
        let (first, second) = (Site::from(1), Site::from(2));
        let begin = Record::ParallelBegin { parallel: 1, task: 0, requested: 2, flags: 0, codeptr: 0 };
        let end = Record::ParallelEnd { parallel: 1, codeptr: 0 };
        let mut serial = Serial::default();
        // An inner region does not end the outer one.
        for (ns, record, site) in [(10, begin, first), (15, begin, second), (18, end, second), (20, end, first)] {
            serial.event(ns, &record, site);
        }
        for (ns, record, site) in [(50, begin, second), (60, end, second), (65, begin, first), (70, end, first)] {
            serial.event(ns, &record, site);
        }
        for (ns, record, site) in [(110, begin, second), (120, end, second)] {
            serial.event(ns, &record, site);
        }
        let phases = serial.finish(0, 125, |site| site);
        let found: Vec<_> =
            phases.iter().map(|one| (one.after, one.before, one.times, one.total_ns, one.max_ns)).collect();
        let none = Site::default();
        let expected = [(first, second, 2, 70, 40), (none, first, 1, 10, 10), (second, none, 1, 5, 5)];
        assert_eq!(found[..3], expected);
        assert_eq!(found[3..], [(second, first, 1, 5, 5)]);
    }
}

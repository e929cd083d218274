//! One run of a program as it is compared with others: the traces of all its processes, summed up by construct.

use super::place::Place;
use crate::analysis::{Shares, Summary, mutex_name, sync_name, work_name};
use crate::findings::findings;
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use std::collections::{BTreeMap, BTreeSet};

/// One run. Times are in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What the run is called: its folder.
    pub name: String,
    /// The file names of the programs, in ascending order.
    pub programs: BTreeSet<String>,
    /// Whether a process did not end in good order, or still runs.
    pub unfinished: bool,
    /// What could not be used to name constructs, one line each.
    pub problems: BTreeSet<String>,
    /// CPUs that the processes may use, at most.
    pub cpus: u64,
    /// Thread times of all processes.
    pub shares: Shares,
    /// Time on the CPU in which threads ran the program's code in regions; their work if that is not known.
    pub cpu_ns: u64,
    /// Time of the initial threads outside of regions, from the start of the process.
    pub serial_ns: u64,
    /// Parallel regions.
    pub regions: BTreeMap<Place, Measured>,
    /// Waiting at barriers, for tasks and for locks, of all threads.
    pub waits: BTreeMap<Place, Measured>,
    /// Worksharing loops with their iterations.
    pub loops: BTreeMap<Place, Measured>,
    /// Gains of the findings, by cause and place.
    pub findings: BTreeMap<Place, Measured>,
    /// Begin and end of each process that used OpenMP, and the threads of its largest team.
    pub(super) processes: Vec<(u64, u64, u64)>,
}

/// What a run has measured of a construct.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// The time: of regions that of the encountering threads, of loops and waiting that of all threads, of findings the
    /// gain.
    pub ns: u64,
    /// Iterations of a loop.
    pub iterations: u64,
    /// Thread times of a region.
    pub shares: Shares,
    /// Whether the region was executed inside others.
    pub nested: bool,
}

impl Run {
    /// A run without processes.
    pub fn new(name: String) -> Run {
        Run { name, ..Run::default() }
    }

    /// Adds the trace of a process. `summary` is the trace's own, by the places of `symbols`.
    pub fn add(&mut self, trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) {
        let meta = &trace.meta;
        self.programs.insert(meta.program_name().to_owned());
        // Forked children usually end by `_exit` or `exec`, and nothing is missing in their traces.
        self.unfinished |= !meta.finished && (meta.forked_from.is_none() || summary.unended > 0);
        self.cpus = self.cpus.max(meta.cpus.into());
        let begin = meta.start_unix_ns.saturating_sub(meta.before_ns);
        let threads = if summary.no_openmp { 0 } else { summary.outermost.threads.max(1) };
        self.processes.push((begin, begin.saturating_add(summary.run_ns()), threads));
        self.shares = self.shares.plus(Shares::of_run(summary));
        let serial = summary.serial_ns.saturating_add(summary.before_ns);
        self.serial_ns = self.serial_ns.saturating_add(serial);
        let on_cpu = summary.regions.iter().map(|region| region.cpu.work_ns.saturating_sub(region.cpu.off_cpu_ns()));
        let cpu = on_cpu.fold(0, u64::saturating_add);
        self.cpu_ns = self.cpu_ns.saturating_add(if cpu == 0 { summary.outermost.work_ns } else { cpu });
        for region in &summary.regions {
            let measured = Measured {
                ns: region.total_ns,
                shares: Shares::of_region(region),
                nested: region.nested > 0,
                ..Measured::default()
            };
            unite(&mut self.regions, Place::of("region", region.site(), symbols), measured);
        }
        for wait in &summary.waits {
            unite(&mut self.waits, Place::of(&sync_name(wait.kind), wait.site, symbols), time(wait.wait_ns));
        }
        for lock in &summary.locks {
            unite(&mut self.waits, Place::of(&mutex_name(lock.kind), lock.codeptr.into(), symbols), time(lock.wait_ns));
        }
        for one in summary.loops.iter().filter(|one| one.sections.is_empty()) {
            let measured = Measured { iterations: one.iterations, ..time(one.thread_ns) };
            unite(&mut self.loops, Place::of(&work_name(one.kind), one.site, symbols), measured);
        }
        for finding in findings(trace, summary, symbols) {
            let location = finding.location(symbols);
            let place = Place::at(finding.cause.name(), &location, finding.site, symbols);
            unite(&mut self.findings, place, time(finding.gain_ns));
        }
        self.problems.extend(symbols.problems.iter().cloned());
    }

    /// From the start of the first process to the end of the last.
    pub fn time_ns(&self) -> u64 {
        let begin = self.processes.iter().map(|(begin, ..)| *begin).min().unwrap_or(0);
        let end = self.processes.iter().map(|(_, end, _)| *end).max().unwrap_or(0);
        end.saturating_sub(begin)
    }

    /// The largest teams of processes that ran at the same time, together.
    pub fn threads(&self) -> u64 {
        let at = |moment: u64| {
            let alive = self.processes.iter().filter(|(begin, end, _)| (*begin..=*end).contains(&moment));
            alive.map(|(.., threads)| *threads).fold(0, u64::saturating_add)
        };
        self.processes.iter().map(|(begin, ..)| at(*begin)).max().unwrap_or(0)
    }

    /// The programs, for a message.
    pub fn programs(&self) -> String {
        self.programs.iter().map(String::as_str).collect::<Vec<&str>>().join(", ")
    }

    /// A run that is made up for a test: one process of so many nanoseconds and threads.
    #[cfg(test)]
    pub(crate) fn made_up(name: &str, time_ns: u64, threads: u64) -> Run {
        let programs = BTreeSet::from(["heat".to_owned()]);
        Run { programs, processes: vec![(5, 5 + time_ns, threads)], ..Run::new(name.into()) }
    }
}

fn time(ns: u64) -> Measured {
    Measured { ns, ..Measured::default() }
}

/// Adds what was measured of a construct: several constructs may stand on one line.
fn unite(sums: &mut BTreeMap<Place, Measured>, place: Place, measured: Measured) {
    let sum = sums.entry(place).or_default();
    sum.ns = sum.ns.saturating_add(measured.ns);
    sum.iterations = sum.iterations.saturating_add(measured.iterations);
    sum.shares = sum.shares.plus(measured.shares);
    sum.nested |= measured.nested;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_side_by_side_add_their_threads() {
        let mut run = Run::made_up("ranks", 100, 4);
        run.processes.push((50, 300, 8));
        assert_eq!((run.threads(), run.time_ns()), (12, 295));
        let mut run = Run::made_up("one after the other", 100, 4);
        run.processes.push((200, 300, 8));
        assert_eq!((run.threads(), run.time_ns()), (8, 295));
        assert_eq!((Run::default().threads(), Run::default().time_ns()), (0, 0));
    }
}

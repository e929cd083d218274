//! What is kept of one trace of a rank.

use super::found::Found;
use super::rank::Rank;
use super::region::{RankRegion, RegionTime};
use crate::analysis::{Process, Shares, Summary};
use crate::compare::Place;
use crate::findings::{findings, outside_ns_of_waiting_calls};
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use std::collections::BTreeMap;

/// One trace of a rank, summed up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The numbers of the process.
    pub(super) rank: Rank,
    /// The ranks of the job, if the launcher has said how many these are.
    pub(super) of: Option<u32>,
    /// The variables that decide on threads and schedules, as a shell writes them.
    pub(super) environment: Vec<String>,
    pub(super) regions: Vec<RankRegion>,
    /// Findings by cause and place, with their gains.
    pub(super) findings: Vec<(Place, u64, Found)>,
    /// What readers have to know about the trace.
    pub(super) remarks: Vec<String>,
}

impl Part {
    /// Sums up the trace of a rank; none if the process has no rank. `summary` is the trace's own, by the places of
    /// `symbols`.
    pub fn of(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Option<Part> {
        let meta = &trace.meta;
        let region = |region: &crate::analysis::Region, symbols: &mut Symbolizer| {
            let time = RegionTime { ns: region.total_ns, calls: region.calls };
            RankRegion {
                place: Place::of("region", region.site(), symbols),
                location: (*symbols.locate(region.site())).clone(),
                times: BTreeMap::from([(meta.rank.unwrap_or(0), time)]),
                max_threads: region.max_threads,
                shares: Shares::of_region(region),
                nested: region.nested > 0,
            }
        };
        let regions = summary.regions.iter().map(|one| region(one, symbols)).collect();
        let found = findings(trace, summary, symbols);
        let found = found.iter().map(|finding| {
            let location = finding.location(symbols);
            let place = Place::at(finding.cause.name(), &location, finding.site, symbols);
            (place, finding.gain_ns, Found::of(finding, summary, symbols))
        });
        let findings = found.collect();
        let environment = meta.openmp_environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Some(Part { rank: rank(trace, summary)?, of: meta.ranks, environment, regions, findings, remarks: Vec::new() })
    }

    /// Adds what readers have to know about the trace, one line each.
    pub fn with_remarks(mut self, remarks: impl IntoIterator<Item = String>) -> Part {
        self.remarks.extend(remarks);
        self
    }
}

fn rank(trace: &Trace, summary: &Summary) -> Option<Rank> {
    let meta = &trace.meta;
    let begin_ns = meta.start_unix_ns.saturating_sub(meta.before_ns);
    let threads = || summary.thread_rows.iter().filter(|row| row.device.is_none());
    let mut cpus: Vec<u64> = threads().flat_map(|row| row.cpus.iter().copied()).collect();
    cpus.sort_unstable();
    cpus.dedup();
    Some(Rank {
        rank: meta.rank?,
        folder: trace.dir.clone(),
        host: meta.hostname.clone(),
        pid: meta.pid,
        command: meta.command(),
        processes: 1,
        begin_ns,
        end_ns: begin_ns.saturating_add(summary.run_ns()),
        threads: summary.outermost.threads.max(1),
        shares: Shares::of_run(summary),
        serial_ns: summary.serial_ns.saturating_add(summary.before_ns),
        mpi_serial_ns: summary.mpi_serial_ns,
        mpi_region_ns: summary.mpi_region_ns,
        mpi_wait_ns: outside_ns_of_waiting_calls(summary),
        wait_ns: Process::of(meta, summary).wait_ns,
        cpus,
        cpus_online: meta.cpus_online,
        work_ns: threads().map(|row| row.cpu.work_ns).fold(0, u64::saturating_add),
        preempted_ns: threads().map(|row| row.cpu.preempted_ns).fold(0, u64::saturating_add),
    })
}

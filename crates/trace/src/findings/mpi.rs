//! Waiting in MPI.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, times, total};
use crate::analysis::{MpiSite, Summary};
use crate::units::{amount, duration};

/// Finds calls of MPI in which threads spend much of the run.
pub fn find(run: &Run<'_>, found: &mut Vec<Finding>) {
    let threads = run.threads().max(1);
    for site in &run.summary.mpi {
        let Some(advice) = advice(site.call) else { continue };
        // In a region, the other members may go on meanwhile.
        let outside = outside_ns(site);
        let gain_ns = outside.saturating_add(site.region_ns / threads).min(run.summary.run_ns());
        let mut evidence = vec![
            format!("{}, {}", times(site.count), duration(site.total_ns)),
            format!("{} % of the run", percent(gain_ns, run.summary.run_ns())),
        ];
        if site.bytes > 0 {
            evidence.push(format!("{} a call", amount(site.bytes as f64 / site.count.max(1) as f64)));
        }
        found.push(Finding {
            cause: Cause::MpiWaiting,
            site: site.site,
            region: site.region,
            sentence: sentence(site),
            evidence,
            advice,
            gain_ns,
            confidence: Confidence::Possible,
            line: None,
            change: None,
        });
    }
}

/// The time outside of parallel regions in the calls that the findings here are about: a rank that is late makes the
/// others spend such time.
pub fn outside_ns_of_waiting_calls(summary: &Summary) -> u64 {
    total(summary.mpi.iter().filter(|site| advice(site.call).is_some()).map(outside_ns))
}

fn outside_ns(site: &MpiSite) -> u64 {
    site.total_ns.saturating_sub(site.region_ns)
}

fn sentence(site: &MpiSite) -> String {
    format!("the process spends its time in {}", site.name())
}

/// What to try, by what the function does. Nothing for those that a program calls once, or that do not wait.
fn advice(call: u64) -> Option<&'static str> {
    match call {
        10..=19 => Some("balance the ranks' work, or begin with MPI_Isend and MPI_Irecv early and wait late"),
        27..=30 => Some("balance the ranks' work, or do more between the begin of the messages and this wait"),
        40 => Some("leave the barrier out where messages order the ranks anyway, or balance the ranks' work"),
        41..=58 => Some("balance the ranks' work before the call, or use its non-blocking form and work meanwhile"),
        105 | 107 | 109..=117 => Some("synchronise less often, or with the ranks concerned only"),
        142..=154 => Some("read and write more at once, and collectively (the functions with _all)"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::mpi;

    #[test]
    fn advice_is_about_functions_that_wait() {
        let named = |name: &str| mpi::CALLS.iter().find(|(_, known)| *known == name).unwrap().0;
        for name in ["MPI_Recv", "MPI_Waitall", "MPI_Barrier", "MPI_Allreduce", "MPI_Win_fence", "MPI_File_write_all"] {
            assert!(advice(named(name)).is_some(), "{name}");
        }
        for name in
            ["MPI_Init", "MPI_Finalize", "MPI_Isend", "MPI_Ibcast", "MPI_Comm_split", "MPI_Put", "MPI_Win_start"]
        {
            assert!(advice(named(name)).is_none(), "{name}");
        }
    }
}

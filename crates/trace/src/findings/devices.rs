//! Device constructs: data that is copied again and again, and kernels that are too short.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent};
use crate::units::duration;

/// A kernel that is shorter takes less time than its launch.
const SHORT_KERNEL_NS: u64 = 20_000;

/// Finds what is wrong with the device constructs.
pub fn find(run: &Run<'_>, found: &mut Vec<Finding>) {
    let (mut work, mut all) = (0, 0);
    for region in run.summary.regions.iter().filter(|region| region.nested > 0) {
        work = u64::saturating_add(work, region.work_ns);
        all = u64::saturating_add(all, region.thread_ns);
    }
    let inside = if all == 0 { 1.0 } else { work as f64 / all as f64 };
    for site in &run.summary.targets {
        let evidence = vec![
            format!("{} executions, {} in kernels of {}", site.calls, duration(site.kernel_ns), duration(site.host_ns)),
            format!("{} of copying while no kernel ran", duration(site.exposed_ns)),
        ];
        // In so short a kernel, the begin and the end of its teams take time as well.
        let useful = (site.kernel_ns as f64 * inside) as u64;
        let launching = site.host_ns.saturating_sub(useful).saturating_sub(site.exposed_ns);
        if site.calls > 1 && percent(site.exposed_ns, site.host_ns) >= 20 {
            found.push(Finding {
                cause: Cause::TransfersRepeat,
                site: site.site(),
                region: site.site(),
                sentence: "data is copied to the device and back for each execution".to_owned(),
                evidence,
                advice: "keep the data on the device: target data or target enter data around all executions",
                gain_ns: site.exposed_ns,
                confidence: Confidence::Likely,
                line: None,
                change: None,
            });
        } else if site.kernels > 100 && site.kernel_ns / site.kernels < SHORT_KERNEL_NS {
            found.push(Finding {
                cause: Cause::KernelsTooSmall,
                site: site.site(),
                region: site.site(),
                sentence: "the kernels are so short that their launch takes most of the time".to_owned(),
                evidence,
                advice: "one kernel for the outer loop, or nowait so that launches overlap",
                gain_ns: launching,
                confidence: Confidence::Likely,
                line: None,
                change: None,
            });
        }
    }
}

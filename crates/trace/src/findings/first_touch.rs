//! Memory that lies on the node of the thread that has touched it first, far from other threads that use it. Linux puts
//! a page on the node of the first thread that accesses the page.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, total};
use crate::analysis::ThreadRow;
use rustc_hash::FxHashMap;

const PAGE: u64 = 4096;
/// Less memory fits into the caches, wherever it lies.
const LEAST_BYTES: u64 = 64 << 20;
/// A node whose threads have so many percent of the page faults has the program's memory.
const LEAST_FAULTS_PERCENT: u64 = 80;
/// Threads on other nodes work so many percent longer at least.
const LEAST_LONGER_PERCENT: u64 = 10;

/// The threads of one memory node.
#[derive(Default)]
struct Node {
    threads: u64,
    faults: u64,
    /// Work in regions.
    work_ns: u64,
}

/// Finds threads that work longer than others because the memory lies on another node.
pub fn find(run: &Run<'_>, found: &mut Vec<Finding>) {
    let nodes = &run.trace.meta.nodes;
    let Some(region) = run.longest() else { return };
    let node_of = |row: &&ThreadRow| {
        let mut of_cpus = row.cpus.iter().map(|cpu| nodes.get(usize::try_from(*cpu).ok()?));
        let first = of_cpus.next()??;
        of_cpus.all(|node| node == Some(first)).then_some(*first)
    };
    let mut sums: FxHashMap<u32, Node> = FxHashMap::default();
    for row in run.summary.thread_rows.iter().filter(|row| row.device.is_none() && row.work_ns > row.serial_ns) {
        // Of a thread that has changed its node, nothing is known.
        let Some(node) = node_of(&row) else { return };
        let sum = sums.entry(node).or_default();
        sum.threads += 1;
        sum.faults = sum.faults.saturating_add(row.cpu.minor_faults);
        sum.work_ns = sum.work_ns.saturating_add(row.work_ns - row.serial_ns);
    }
    let faults = total(sums.values().map(|node| node.faults));
    let Some((home, near)) = sums.iter().max_by_key(|(number, node)| (node.faults, **number)) else { return };
    let far = || sums.iter().filter(|(number, _)| *number != home).map(|(_, node)| node);
    let threads = total(far().map(|node| node.threads));
    if threads == 0 || faults.saturating_mul(PAGE) < LEAST_BYTES || percent(near.faults, faults) < LEAST_FAULTS_PERCENT
    {
        return;
    }
    let (near_ns, far_ns) = (near.work_ns / near.threads, total(far().map(|node| node.work_ns)) / threads);
    if far_ns.saturating_sub(near_ns) < near_ns / 100 * LEAST_LONGER_PERCENT {
        return;
    }
    found.push(Finding {
        cause: Cause::FirstTouch,
        site: region.site(),
        region: region.site(),
        sentence: "the memory lies on one memory node, and threads on other nodes work longer".to_owned(),
        evidence: vec![
            format!("{} % of {faults} page faults on node {home}", percent(near.faults, faults)),
            format!("threads on other nodes work {:.2} times as long", far_ns as f64 / near_ns.max(1) as f64),
        ],
        advice: "initialise the data in a parallel loop with the same static schedule; bind the threads",
        gain_ns: far_ns.saturating_sub(near_ns),
        confidence: Confidence::Possible,
        line: None,
        change: None,
    });
}

//! Worksharing loops whose chunks are too short.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run};
use crate::analysis::{DISPATCH_NS, Region};
use crate::units::duration;

/// Chunks that are longer are worth their cost.
const SHORT_NS: u64 = 1_000;
/// `ompt_work_t`.
const DYNAMIC: u64 = 11;

/// Finds dynamic loops with very many very short chunks.
pub fn find(run: &Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    for one in run.summary.loops.iter().filter(|one| one.region == region.site() && one.kind == DYNAMIC) {
        let mean = one.mean_chunk_ns();
        if mean >= SHORT_NS || one.chunks / one.executions.max(1) / one.max_threads.max(1) < 50 {
            continue;
        }
        // What is left of a chunk is at least a tenth of it.
        let lost = one.chunks.saturating_mul(DISPATCH_NS).min(one.chunk_ns / 10 * 9);
        found.push(Finding {
            cause: Cause::ChunkTooSmall,
            site: if run.summary.loops.iter().filter(|other| other.region == one.region).count() == 1 {
                one.region
            } else {
                one.site
            },
            region: region.site(),
            sentence: "the chunks of the dynamic loop are so short that getting them takes much of the time".to_owned(),
            evidence: vec![format!(
                "{} chunks of {} each, with {} iterations at most",
                one.chunks,
                duration(mean),
                one.largest_chunk
            )],
            advice: "a larger chunk size, or a static schedule",
            gain_ns: lost / one.max_threads.max(1),
            confidence: Confidence::Likely,
            line: None,
            change: None,
        });
    }
}

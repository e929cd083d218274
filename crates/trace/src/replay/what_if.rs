//! What a change of a run would bring.

use super::asked::{Asked, assumptions, resolve};
use super::change::{Change, Changes};
use super::run::{changed, critical_path, lengths};
use crate::analysis::{CriticalPath, Gain, GainKind, Summary};
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Progress, Site};
use rustc_hash::FxHashSet;

/// The run as it was, and as it would be.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// The changes, as they were asked for.
    pub changes: Vec<String>,
    /// What the prediction takes for granted, one sentence each.
    pub assumptions: Vec<String>,
    /// The critical path of the run as it was.
    pub before: CriticalPath,
    /// The critical path of the changed run. Its first step limits that run.
    pub after: CriticalPath,
}

impl WhatIf {
    /// By how much the changed run is shorter than the replayed one, in nanoseconds; negative if it is longer.
    pub fn gain_ns(&self) -> i64 {
        let signed = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
        signed(self.before.replayed_ns).saturating_sub(signed(self.after.length_ns))
    }

    /// The gain in percent of the replayed run.
    pub fn gain_percent(&self) -> f64 {
        100.0 * self.gain_ns() as f64 / self.before.replayed_ns.max(1) as f64
    }
}

/// The critical path of a run, by the lines of the source.
pub fn path_of(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, progress: Progress<'_>) -> CriticalPath {
    know_places(summary, symbols);
    critical_path(trace, &mut |site| symbols.place(site), progress).0
}

/// Replays a run with changes.
///
/// # Errors
/// One line if a change names no place of the run, or several, or one where nothing can be changed.
pub fn what_if(
    trace: &Trace,
    summary: &Summary,
    asked: &[Asked],
    symbols: &mut Symbolizer,
    progress: Progress<'_>,
) -> Result<WhatIf, String> {
    know_places(summary, symbols);
    let changes: Changes = resolve(asked, summary, symbols)?;
    let mut place = |site| symbols.place(site);
    let (before, typical) = critical_path(trace, &mut place, progress);
    let (after, dropped) = changed(trace, &changes, &typical, &mut place, progress);
    if dropped == 0 && changes.has_nowait() {
        return Err(
            "nowait: no barrier is there that can be left out; the one at the end of a region cannot".to_owned()
        );
    }
    Ok(WhatIf {
        changes: asked.iter().map(Asked::to_string).collect(),
        assumptions: assumptions(asked, summary, trace.meta.cpus.into()),
        before,
        after,
    })
}

/// What changes would bring, each alone, at constructs of the summary.
pub fn gains(
    trace: &Trace,
    summary: &Summary,
    wanted: &[(GainKind, Site)],
    symbols: &mut Symbolizer,
    progress: Progress<'_>,
) -> Vec<Gain> {
    if wanted.is_empty() {
        return Vec::new();
    }
    know_places(summary, symbols);
    let change = |&(kind, site): &(GainKind, Site)| {
        let sites = FxHashSet::from_iter([symbols.place(site)]);
        Changes(vec![match kind {
            GainKind::Balance => Change::Balance(sites),
            GainKind::Contention => Change::Contention(sites),
            GainKind::NoWait => Change::NoWait(sites),
        }])
    };
    let changes: Vec<Changes> = wanted.iter().map(change).collect();
    let (before, after) = lengths(trace, &changes, &mut |site| symbols.place(site), progress);
    let gain = |(&(kind, site), after): (&(GainKind, Site), u64)| Gain { kind, site, ns: before.saturating_sub(after) };
    wanted.iter().zip(after).map(gain).collect()
}

/// Makes the sites of a summary, which may have been kept, stand for their places.
fn know_places(summary: &Summary, symbols: &mut Symbolizer) {
    let loops = summary.loops.iter().map(|one| one.site);
    let locks = summary.locks.iter().map(|lock| lock.codeptr.into());
    let waits = summary.waits.iter().map(|wait| wait.site);
    for site in summary.sites().chain(loops).chain(locks).chain(waits) {
        symbols.place(site);
    }
}

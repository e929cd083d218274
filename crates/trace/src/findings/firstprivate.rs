//! Large objects that are copied for each task or thread by `firstprivate` or `copyin`, as samples show: the compiler's
//! copying is code on the line of the directive. A copy that the program makes itself is code on a line of its own.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent};
use super::waits;
use crate::Site;
use crate::analysis::{ActivityKind, Doing, HotLine, Region};
use crate::units::duration;
use std::path::PathBuf;

/// Fewer samples say too little.
const LEAST_SAMPLES: u64 = 5;
/// From this part of a region's samples on, in percent, the copying is why the creation of tasks is slow.
const MOST_PERCENT: u64 = 30;
/// `ompt_work_t` of the thread that executes a single region.
const SINGLE: u64 = 3;

/// Finds the construct of a region for which most is copied.
pub fn find(run: &mut Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    let mut constructs: Vec<(Site, &[&str])> = vec![(region.site(), &["parallel"])];
    let tasks = run.summary.tasks.iter().filter(|task| task.region == region.site());
    constructs.extend(tasks.map(|task| (task.site(), &["task", "taskloop"][..])));
    let mut of_constructs = Vec::new();
    for (site, words) in constructs {
        let place = run.symbols.locate_directive(site, words);
        of_constructs.extend(place.file.clone().zip(place.line).map(|line| Copied { site, line, ..Copied::default() }));
    }
    let Some(per_second) = Some(run.summary.samples.rate).filter(|rate| *rate > 0) else { return };
    let mut all = 0;
    for sampled in run.summary.samples.activities.iter().filter(|sampled| sampled.region == region.site()) {
        if !sampled.doing.is_program() {
            continue;
        }
        all += sampled.count;
        let alone = matches!(sampled.doing, Doing::Active(activity)
            if matches!(activity.kind, ActivityKind::Work(SINGLE) | ActivityKind::Masked));
        for line in sampled.lines(run.trace, run.symbols).iter().filter(|line| copies(line)) {
            let at = line.place.file.clone().zip(line.place.line);
            if let Some(copied) = of_constructs.iter_mut().find(|copied| Some(&copied.line) == at.as_ref()) {
                *(if alone { &mut copied.alone } else { &mut copied.together }) += line.count;
            }
        }
    }
    let ns = |samples: u64| samples.saturating_mul(1_000_000_000 / u64::from(per_second));
    let most = of_constructs.into_iter().max_by_key(|copied| copied.samples());
    let Some(copied) = most.filter(|copied| copied.samples() >= LEAST_SAMPLES) else { return };
    let mut gain_ns = ns(copied.alone) + ns(copied.together) / region.max_threads;
    if percent(copied.samples(), all) >= MOST_PERCENT {
        let same = |finding: &mut Finding| finding.cause == Cause::OneProducer && finding.site == copied.site;
        let gain = found.extract_if(.., same).map(|finding| finding.gain_ns).max();
        gain_ns = gain_ns.max(gain.unwrap_or(0));
    }
    let is_copyin = copied.site == region.site() && begins_with_barrier(run, region, &copied.line);
    let cause = if is_copyin { Cause::CopyinLarge } else { Cause::FirstprivateLarge };
    let (sentence, advice) = if is_copyin {
        // The primary thread does not copy, so that it waits for the others.
        let is_most = percent(copied.samples(), all) >= MOST_PERCENT;
        let same = |finding: &mut Finding| match finding.cause {
            Cause::CopyinLarge => finding.site == copied.site,
            Cause::Imbalance => finding.site == copied.site && is_most,
            _ => false,
        };
        let gain = found.extract_if(.., same).map(|finding| finding.gain_ns).max();
        gain_ns = gain_ns.max(gain.unwrap_or(0));
        let (sentence, advice, _) = waits::explain(cause);
        (sentence, advice)
    } else {
        (
            "large objects are copied at each execution of the construct (firstprivate)",
            "share what is only read (shared), or pass a pointer or an index in place of the object",
        )
    };
    found.push(Finding {
        cause,
        site: copied.site,
        region: region.site(),
        sentence: sentence.to_owned(),
        evidence: vec![format!(
            "{} of CPU time in the copying, {} % of the region's {all} samples of the program",
            duration(ns(copied.samples())),
            percent(copied.samples(), all)
        )],
        advice,
        gain_ns,
        confidence: Confidence::Likely,
        line: None,
        change: None,
    });
}

/// Whether the directive has a barrier on its own line at which the team meets first: compilers make one after the
/// copying of `copyin`, and none after that of `firstprivate`.
fn begins_with_barrier(run: &mut Run<'_>, region: &Region, line: &(PathBuf, u32)) -> bool {
    let barriers: Vec<Site> =
        run.waits(region.site()).filter(|wait| waits::is_opening(wait)).map(|it| it.site).collect();
    barriers.into_iter().any(|site| {
        let place = run.symbols.locate(site);
        place.file.clone().zip(place.line).is_some_and(|at| at == *line)
    })
}

/// The samples of the copying for one construct.
#[derive(Default)]
struct Copied {
    site: Site,
    /// The directive's.
    line: (PathBuf, u32),
    /// Of a thread that is alone in a single or masked construct, and of others.
    alone: u64,
    together: u64,
}

impl Copied {
    fn samples(&self) -> u64 {
        self.alone + self.together
    }
}

/// Whether the code of a line copies memory: by a routine of the C library, or in the function that gcc makes for the
/// copying.
fn copies(line: &HotLine) -> bool {
    let routine = |name: &String| name.contains("memcpy") || name.contains("memmove");
    line.callee.as_ref().is_some_and(routine) || line.place.symbol.as_ref().is_some_and(|it| it.contains("._omp_cpyfn"))
}

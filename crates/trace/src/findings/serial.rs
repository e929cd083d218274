//! Time in which one thread works outside of parallel regions. Its time in MPI is no work.

use super::call_path::from_main;
use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, times};
use crate::Site;
use crate::analysis::SerialPhase;
use crate::symbols::{Frame, Location};
use crate::units::duration;
use std::rc::Rc;

/// The system takes several milliseconds to load a program with its libraries. Nobody can share that out.
const LEAST_STARTUP_NS: u64 = 20_000_000;

/// Finds serial phases before, between and after regions.
pub fn find(run: &mut Run<'_>, found: &mut Vec<Finding>) {
    let threads = run.threads().min(run.cpus);
    if threads < 2 {
        return;
    }
    let gain = |ns: u64| (ns as f64 * (1.0 - 1.0 / threads as f64)) as u64;
    let hot = hottest(run);
    let share = |ns: u64| format!("{} % of the run", percent(ns, run.summary.run_ns()));
    let first = run.summary.serial.iter().find(|phase| phase.after == Site::default());
    let startup = run.summary.before_ns.saturating_add(first.map_or(0, SerialPhase::work_ns));
    if startup >= LEAST_STARTUP_NS {
        found.push(Finding {
            cause: Cause::Startup,
            site: first.map_or(Site::default(), |phase| phase.before),
            region: Site::default(),
            sentence: "one thread works before the program's first parallel region".to_owned(),
            evidence: vec![duration(startup), share(startup)],
            advice: "set data up and read it in parallel",
            gain_ns: gain(startup),
            confidence: Confidence::Likely,
            line: None,
            change: None,
        });
    }
    for phase in run.summary.serial.iter().filter(|phase| phase.after != Site::default()) {
        found.push(Finding {
            cause: Cause::SerialPhase,
            site: phase.after,
            region: phase.before,
            sentence: "one thread works between parallel regions".to_owned(),
            evidence: vec![
                hot.as_ref().map_or(String::new(), |(_, text)| text.clone()),
                episodes(phase.times, phase.work_ns()),
                share(phase.work_ns()),
            ],
            advice: "make the phase parallel",
            gain_ns: gain(phase.work_ns()),
            confidence: Confidence::Likely,
            line: hot.as_ref().map(|(place, _)| place.clone()),
            change: None,
        });
    }
}

/// How often a phase occurs, and how long it takes.
fn episodes(count: u64, total_ns: u64) -> String {
    let each = duration(total_ns / count.max(1));
    if count == 1 { format!("{}, {each}", times(count)) } else { format!("{}, {each} each", times(count)) }
}

/// The calls by which the initial thread comes to most of its work outside of regions, from `main` on: the place of the
/// innermost, and a text about all.
fn hottest(run: &mut Run<'_>) -> Option<(Rc<Location>, String)> {
    let samples = run.summary.samples.serial()?;
    let mut stacks: Vec<(Vec<Frame>, u64)> = Vec::new();
    for leaf in samples.calls.leaves() {
        let nodes = samples.calls.path(leaf).map(|node| samples.calls.address(node));
        let mut frames: Vec<Frame> = nodes.flat_map(|address| run.symbols.frames(address)).collect();
        frames.retain(|frame| frame.line.is_some_and(|line| line > 0));
        from_main(&mut frames);
        stacks.push((frames, samples.calls.count(leaf)));
    }
    let mut chain: Vec<Frame> = Vec::new();
    let mut part = samples.count;
    // A frame belongs to the chain while most of the samples come by it.
    while let Some((frame, count)) = heaviest(&stacks, &chain).filter(|(_, count)| *count >= samples.count / 2) {
        chain.push(frame);
        part = count;
    }
    // Code of the compiler's headers is not what the user changes.
    while chain.last().is_some_and(|frame| frame.file.as_ref().is_some_and(|file| file.starts_with("/usr"))) {
        chain.pop();
    }
    let last = chain.last()?;
    let location = Location {
        function: last.function.clone(),
        file: last.file.clone(),
        line: last.line,
        module: Some(run.trace.meta.program.clone()),
        ..Location::default()
    };
    let names =
        chain.iter().map(|frame| format!("{}:{}", frame.function.as_deref().unwrap_or("?"), frame.line.unwrap_or(0)));
    let names: Vec<String> = names.collect();
    let text = format!("{} % of this time by {}", percent(part, samples.count), names.join(" > "));
    Some((Rc::new(location), text))
}

/// The frame that most of the stacks which begin with `chain` have next, and the number of its samples.
fn heaviest(stacks: &[(Vec<Frame>, u64)], chain: &[Frame]) -> Option<(Frame, u64)> {
    let mut counts: Vec<(&Frame, u64)> = Vec::new();
    for (frames, count) in stacks.iter().filter(|(frames, _)| frames.starts_with(chain)) {
        let Some(next) = frames.get(chain.len()) else { continue };
        match counts.iter_mut().find(|(known, _)| *known == next) {
            Some((_, sum)) => *sum = sum.saturating_add(*count),
            None => counts.push((next, *count)),
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(frame, count)| (frame.clone(), count))
}

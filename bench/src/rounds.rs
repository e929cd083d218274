//! Samples in rounds, which make runtimes comparable on a machine that changes.

use crate::options::Options;
use crate::sample::{Bench, Program, Series};

/// Takes every sample: round by round, and within a round each construct on each runtime in turn, so that a disturbance
/// of the machine falls on all of them alike.
pub fn measure(bench: &Bench, options: &Options, constructs: &[&'static str]) -> Result<Vec<Series>, String> {
    let mut all: Vec<Series> = Vec::new();
    for &threads in &options.threads {
        let mut group: Vec<Series> = constructs.iter().map(|name| Series::new(name, threads)).collect();
        alternate(&mut group, options.rounds, |at, program, _| {
            bench.sample(program, constructs[at], threads, options.milliseconds).map(Some)
        })?;
        all.append(&mut group);
    }
    Ok(all)
}

/// Fills `group` with samples. `sample` takes one, of the construct at an index, on a program, in a round; it returns
/// nothing where there is nothing to take.
pub fn alternate(
    group: &mut [Series],
    rounds: usize,
    mut sample: impl FnMut(usize, Program, usize) -> Result<Option<f64>, String>,
) -> Result<(), String> {
    for round in 0..rounds {
        for (at, series) in group.iter_mut().enumerate() {
            eprint!("\rround {} of {rounds}, {:>3} threads, {:<24}", round + 1, series.threads, series.construct);
            // The order rotates from round to round, so that another runtime comes first after the change of construct.
            for turn in 0..Program::ALL.len() {
                let program = Program::ALL[(turn + round) % Program::ALL.len()];
                series.samples[program as usize].extend(sample(at, program, round)?);
            }
        }
    }
    eprintln!();
    Ok(())
}

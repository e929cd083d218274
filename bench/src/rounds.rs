//! Samples in rounds, which make runtimes comparable on a machine that changes.

use crate::options::Options;
use crate::sample::{Bench, Program, Series};

/// Takes every sample: round by round, and within a round each construct on each runtime in turn, so that a disturbance
/// of the machine falls on all of them alike.
pub fn measure(bench: &Bench, options: &Options, constructs: &[&'static str]) -> Result<Vec<Series>, String> {
    let mut all: Vec<Series> = Vec::new();
    for &threads in &options.threads {
        let mut group: Vec<Series> = constructs.iter().map(|name| Series::new(name, threads)).collect();
        for round in 0..options.rounds {
            for series in &mut group {
                eprint!("\r{threads} threads, round {} of {}, {:<12}", round + 1, options.rounds, series.construct);
                // The order rotates from round to round, so that another runtime comes first after the change of
                // construct.
                for turn in 0..Program::ALL.len() {
                    let program = Program::ALL[(turn + round) % Program::ALL.len()];
                    let value = bench.sample(program, series.construct, threads, options.milliseconds)?;
                    series.samples[program as usize].push(value);
                }
            }
        }
        eprintln!();
        all.append(&mut group);
    }
    Ok(all)
}

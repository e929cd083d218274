//! The tables: for each machine the time of each scenario by the number of threads, and what the largest team waits
//! for.

use crate::options::Options;
use ferromp_simulator::{Machine, Outcome};

/// Plays everything that the options ask for, and prints the tables.
pub fn print(options: &Options) {
    println!("| scenario | a round |\n| --- | --- |");
    for scenario in &options.scenarios {
        println!("| {} | {} |", scenario.name, scenario.what);
    }
    println!();
    for machine in &options.machines {
        let threads = options.threads(machine);
        if threads.is_empty() {
            continue;
        }
        println!("### {}: {}\n", machine.name, machine.what);
        let outcomes: Vec<Vec<Outcome>> = options
            .scenarios
            .iter()
            .map(|scenario| threads.iter().map(|&nthreads| (scenario.play)(machine, nthreads)).collect())
            .collect();
        let names: Vec<&str> = options.scenarios.iter().map(|scenario| scenario.name).collect();
        times(&names, &threads, &outcomes);
        lines(machine, &names, threads[threads.len() - 1], &outcomes);
    }
}

/// Microseconds a round.
fn times(names: &[&str], threads: &[u32], outcomes: &[Vec<Outcome>]) {
    let heads: Vec<String> = threads.iter().map(u32::to_string).collect();
    println!("| µs a round, by threads | {} |", heads.join(" | "));
    println!("| --- |{}", " ---: |".repeat(threads.len()));
    for (name, outcomes) in names.iter().zip(outcomes) {
        let cells: Vec<String> = outcomes.iter().map(|outcome| short(outcome.ns_a_round() / 1000.0)).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
}

/// What moves in the largest team.
fn lines(machine: &Machine, names: &[&str], nthreads: u32, outcomes: &[Vec<Outcome>]) {
    println!(
        "| {}, {nthreads} threads | transfers a round | longest chain | hottest line | of all waiting |",
        machine.name
    );
    println!("| --- | ---: | ---: | --- | ---: |");
    for (name, outcomes) in names.iter().zip(outcomes) {
        let outcome = &outcomes[outcomes.len() - 1];
        let (line, percent) = outcome.hottest.as_ref().map_or(("none", 0), |hot| (hot.name.as_str(), hot.percent));
        let (transfers, chain) = (outcome.transfers_a_round(), outcome.chain_a_round());
        println!("| {name} | {} | {} | {line} | {percent} % |", short(transfers), short(chain));
    }
    println!();
}

/// A number with three digits or so.
fn short(number: f64) -> String {
    match number {
        number if number < 1.0 => format!("{number:.3}"),
        number if number < 10.0 => format!("{number:.2}"),
        number if number < 100.0 => format!("{number:.1}"),
        number => format!("{number:.0}"),
    }
}

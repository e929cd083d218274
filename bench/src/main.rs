//! The same constructs on ferromp, gcc's libgomp and Intel's libiomp5, alternating in one run: `cargo xtask bench`;
//! what OMPT costs: `cargo xtask bench ompt`; device constructs beside stock libomptarget: `cargo xtask bench target`.
//! A full run leaves a table, a plot and the raw samples under `results/`, and the table in the project's README.

mod files;
mod ompt;
mod options;
mod plot;
mod recorder;
mod sample;
mod stats;
mod table;
mod target;

use files::write;
use options::Options;
use sample::{Bench, Program, Series};
use stats::Row;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Constructs, by the names that `programs/construct.c` knows.
const CONSTRUCTS: [&str; 11] = [
    "parallel",
    "reduction",
    "for-static",
    "for-dynamic",
    "for-guided",
    "barrier",
    "single",
    "critical",
    "lock",
    "task",
    "task-tree",
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut words = std::env::args().skip(1).peekable();
    let subject = words.next_if(|word| word == "ompt" || word == "target");
    let (about_ompt, about_devices) = (subject.as_deref() == Some("ompt"), subject.as_deref() == Some("target"));
    let Some(options) = Options::parse(words, subject.is_some())? else { return Ok(()) };
    let bench = Bench::new(&root(), &folder())?;
    let results = if options.is_full() { folder().join("results") } else { bench.scratch.clone() };
    if about_ompt {
        bench.build_tools(&root(), &folder())?;
        return ompt::run(&bench, &options, &results);
    }
    if about_devices {
        return target::run(&bench, &options, &root(), &folder(), &results);
    }
    let constructs: Vec<&str> = CONSTRUCTS
        .into_iter()
        .filter(|name| options.filter.as_ref().is_none_or(|f| name.contains(f.as_str())))
        .collect();
    if constructs.is_empty() {
        return Err(format!("no construct matches the filter; there are {}", CONSTRUCTS.join(", ")));
    }

    let series = measure(&bench, &options, &constructs)?;
    let rows: Vec<Row> = series.iter().map(Row::new).collect();
    let events = recorder::measure(&bench, &options)?;
    let floor = bench.floor()?;
    let text = table::markdown(&rows, &events, floor, &bench.machine(&options));
    println!("{text}");

    write(&results.join("constructs.md"), &text)?;
    write(&results.join("constructs.csv"), &raw(&series))?;
    write(&results.join("constructs.svg"), &plot::svg(&rows, floor))?;
    if options.is_full() {
        table::into_readme(&root().join("README.md"), &text)?;
    }
    eprintln!("written to {}", results.display());
    Ok(())
}

/// Takes every sample: round by round, and within a round each construct on each runtime in turn, so that a disturbance
/// of the machine falls on all of them alike.
fn measure(bench: &Bench, options: &Options, constructs: &[&'static str]) -> Result<Vec<Series>, String> {
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

/// Every sample, for readers who want to analyse them.
fn raw(series: &[Series]) -> String {
    let mut text = String::from("construct,threads,round,program,nanoseconds\n");
    for one in series {
        for program in Program::ALL {
            for (round, value) in one.samples[program as usize].iter().enumerate() {
                _ = writeln!(text, "{},{},{},{},{value:.3}", one.construct, one.threads, round + 1, program.name());
            }
        }
    }
    text
}

/// This package's folder. Cargo gives it at run time, because checkouts that share a target folder also share this
/// program.
fn folder() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()).into()
}

/// The project's folder.
fn root() -> PathBuf {
    folder().parent().expect("bench lies in the project").to_path_buf()
}

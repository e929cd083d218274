//! The same constructs on ferromp, gcc's libgomp and Intel's libiomp5, alternating in one run: `cargo xtask bench`;
//! what OMPT costs: `cargo xtask bench ompt`; device constructs beside stock libomptarget: `cargo xtask bench target`.
//! A full run leaves a table, a plot and the raw samples under `results/`, and the table in the project's README.

mod check;
mod constructs;
mod files;
mod instructions;
mod ompt;
mod options;
mod plot;
mod recorder;
mod rounds;
mod sample;
mod stats;
mod table;
mod target;

use files::write;
use options::Options;
use rounds::measure;
use sample::{Bench, Program, Series};
use stats::Row;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

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
    let subject = words.next_if(|word| ["ompt", "target", "instructions"].contains(&word.as_str()));
    let (about_ompt, about_devices) = (subject.as_deref() == Some("ompt"), subject.as_deref() == Some("target"));
    let Some(options) = Options::parse(words, about_ompt || about_devices)? else { return Ok(()) };
    let bench = Bench::new(&root(), &folder())?;
    let results = if options.is_full() { folder().join("results") } else { bench.scratch.clone() };
    if about_ompt {
        bench.build_tools(&root(), &folder())?;
        return ompt::run(&bench, &options, &results);
    }
    if about_devices {
        return target::run(&bench, &options, &root(), &folder(), &results);
    }
    if subject.as_deref() == Some("instructions") {
        return instructions::run(&bench, &options, &results);
    }
    let constructs: Vec<&str> = constructs::COMMON
        .into_iter()
        .filter(|name| options.filter.as_ref().is_none_or(|f| name.contains(f.as_str())))
        .collect();
    if constructs.is_empty() {
        return Err(format!("no construct matches the filter; there are {}", constructs::COMMON.join(", ")));
    }

    if options.check {
        instructions::check(&bench, &options, &folder().join("results"))?;
        return check::run(&bench, &options, &constructs);
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

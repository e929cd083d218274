//! The same constructs on ferromp, gcc's libgomp and Intel's libiomp5, alternating in one run: `cargo xtask bench`;
//! what OMPT costs: `cargo xtask bench ompt`; device constructs beside stock libomptarget: `cargo xtask bench target`;
//! whole situations that users have: `cargo xtask bench situations`.
//! A full run leaves a table, a plot and the raw samples under `results/`, and the table in the project's README.

mod check;
mod constructs;
mod files;
mod instructions;
mod ompt;
mod options;
mod plot;
mod prose;
mod recorder;
mod rounds;
mod sample;
mod situations;
mod stats;
mod table;
mod target;

use files::write;
use options::{Options, Subject};
use rounds::measure;
use sample::Bench;
use stats::Row;
use std::path::{Path, PathBuf};
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
    let subject = words.peek().and_then(|word| Subject::named(word));
    if subject.is_some() {
        words.next();
    }
    let subject = subject.unwrap_or(Subject::Constructs);
    let Some(options) = Options::parse(words, subject)? else { return Ok(()) };
    let bench = Bench::new(&root(), &folder())?;
    let results = if options.is_full() { folder().join("results") } else { bench.scratch.clone() };
    match subject {
        Subject::Ompt => {
            bench.build_tools(&root(), &folder())?;
            ompt::run(&bench, &options, &results)
        }
        Subject::Target => target::run(&bench, &options, &root(), &folder(), &results),
        Subject::Instructions => instructions::run(&bench, &options, &results),
        Subject::Situations => situations::run(&bench, &options, &folder(), &results),
        Subject::Constructs => common_constructs(&bench, &options, &results),
    }
}

/// The table of constructs.
fn common_constructs(bench: &Bench, options: &Options, results: &Path) -> Result<(), String> {
    let names: Vec<&str> = constructs::COMMON
        .into_iter()
        .filter(|name| options.filter.as_ref().is_none_or(|f| name.contains(f.as_str())))
        .collect();
    if names.is_empty() {
        return Err(format!("no construct matches the filter; there are {}", constructs::COMMON.join(", ")));
    }

    if options.check {
        instructions::check(bench, options, &folder().join("results"))?;
        return check::run(bench, options, &names);
    }
    let series = measure(bench, options, &names)?;
    let rows: Vec<Row> = series.iter().map(Row::new).collect();
    let events = recorder::measure(bench, options)?;
    let floor = bench.floor()?;
    let text = table::markdown(&rows, &events, floor, &bench.machine(options));
    println!("{text}");

    write(&results.join("constructs.md"), &text)?;
    write(&results.join("constructs.csv"), &table::raw(&series))?;
    write(&results.join("constructs.svg"), &plot::svg(&rows, floor))?;
    if options.is_full() {
        table::into_readme(&root().join("README.md"), &text)?;
    }
    eprintln!("written to {}", results.display());
    Ok(())
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

//! `cargo xtask scale`: plays the runtime's protocols on simulated machines, and prints what they would cost there.
//!
//! The scenarios drive the code of `crates/ground` as it ships, compiled with the simulator's atomics
//! (`--cfg simulated`). `docs/scale-model.md` has the model, the results and what they mean.

#[cfg(simulated)]
mod lines;
mod options;
mod scenario;
mod scenarios;
mod tables;
mod task;
mod tasks;
mod team;
mod waiting;

#[cfg(all(test, simulated))]
mod tests;

use options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    if !cfg!(simulated) {
        eprintln!("ferromp-scale: built with the processor's atomics, which cost nothing here; use cargo xtask scale");
        return ExitCode::FAILURE;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Options::of(&words) {
        Ok(options) => {
            tables::print(&options);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("scale: {message}");
            ExitCode::FAILURE
        }
    }
}

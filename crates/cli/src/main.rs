//! `ferromp`, the command: traces, reports, exports and runs OpenMP programs that are already compiled.
//! Each subcommand has its own file; this one parses the command line and turns the outcome into an exit status.

mod args;
mod check;
mod counters;
mod debug;
mod diff;
mod doctor;
mod elf;
mod env;
mod export;
mod failure;
mod follow;
mod launch;
mod manual;
mod merge;
mod mpi;
mod output;
mod part;
mod prefix;
mod profile;
mod program;
mod progress;
mod quantity;
mod report;
mod run;
mod say;
mod screen;
mod signals;
mod system;
mod top;
mod trace;
mod unfinished;
mod whole_file;
mod whole_folder;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use ferromp_trace::escape;

use crate::args::{Args, Command};
use crate::failure::{FAILED, Failure};

fn main() -> ExitCode {
    signals::restore_sigpipe();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(answer) => {
            // Help and version are answers too; they go to stdout and succeed.
            if !answer.use_stderr() {
                let _ = answer.print();
                return ExitCode::SUCCESS;
            }
            let text = answer.render().to_string();
            match text.strip_prefix("error: ") {
                Some(lines) => say::beside(&format!("ferromp: {}\n", escape::lines(lines.trim_end()))),
                None => say::beside(&text),
            }
            return ExitCode::from(FAILED);
        }
    };
    match perform(args.command) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            say::note(failure.line);
            ExitCode::from(failure.status)
        }
    }
}

/// Performs one subcommand and gives the exit status.
fn perform(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Trace(args) => trace::perform(&args),
        Command::Profile(args) => profile::perform(&args),
        Command::Top(args) => top::perform(&args),
        Command::Report(args) => report::perform(&args),
        Command::Diff(args) => diff::perform(&args),
        Command::Merge(args) => merge::perform(&args),
        Command::Export(args) => export::perform(&args),
        Command::Check(args) => check::perform(&args),
        Command::Run(args) => run::perform(&args),
        Command::Debug(args) => debug::perform(&args),
        Command::Doctor(args) => doctor::perform(&args),
        Command::System(args) => system::perform(&args),
        Command::Manual { folder } => manual::write(&folder, Args::command()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "ferromp", &mut script);
            say::answer(&String::from_utf8_lossy(&script)).map(|()| 0)
        }
    }
}

//! Starting the program: in place of this command, or as a child process that this command waits for.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

use crate::env::Changes;
use crate::failure::{Failure, NOT_EXECUTABLE, NOT_FOUND, reason};
use crate::program::Program;
use crate::signals::Guard;

/// Replaces this process with the program. Returns only on failure.
pub fn replace(program: &Program, words: &[OsString], changes: Changes) -> Failure {
    not_started(program, &command(program, words, changes).exec())
}

/// Runs the program as a child with this process's stdin, stdout and stderr, and waits for its end.
pub fn wait(program: &Program, words: &[OsString], changes: Changes) -> Result<ExitStatus, Failure> {
    wait_with(program, words, changes, &|_| {})
}

/// As [`wait`], with streams that `redirect` sets.
pub fn wait_with(
    program: &Program,
    words: &[OsString],
    changes: Changes,
    redirect: &dyn Fn(&mut Command),
) -> Result<ExitStatus, Failure> {
    let guard = Guard::new();
    let spawn = |mut command: Command| {
        redirect(&mut command);
        command.spawn()
    };
    let mut child = match spawn(command(program, words, changes.clone())) {
        // The shell runs a text without a `#!` line, as `execvp` does.
        Err(error) if error.raw_os_error() == Some(libc::ENOEXEC) => {
            let mut shell = Command::new("/bin/sh");
            shell.arg(&program.path).args(&words[1..]).envs(changes);
            spawn(shell)
        }
        started => started,
    }
    .map_err(|error| not_started(program, &error))?;
    let pid = child.id() as i32;
    guard.child_started(pid);
    let ended = guard.wait_for_end(pid).and_then(|()| child.wait());
    ended.map_err(|error| Failure::new(format!("cannot wait for {}: {}", program.path.display(), reason(&error))))
}

/// The exit status that stands for a program's end: its own, or 128+n for signal n.
pub fn status_of(end: ExitStatus) -> u8 {
    let status = end.code().unwrap_or_else(|| 128 + end.signal().unwrap_or(0));
    // An exit status has 8 bits, so the conversion never loses any.
    status as u8
}

fn command(program: &Program, words: &[OsString], changes: Changes) -> Command {
    let mut command = Command::new(&program.path);
    command.arg0(&words[0]).args(&words[1..]).envs(changes);
    command
}

fn not_started(program: &Program, error: &io::Error) -> Failure {
    let shown = program.path.display();
    match error.raw_os_error() {
        Some(libc::ENOENT) => Failure::with_status(NOT_FOUND, format!("{shown}: {}", reason(error))),
        _ => Failure::with_status(NOT_EXECUTABLE, format!("{shown}: {}", reason(error))),
    }
}

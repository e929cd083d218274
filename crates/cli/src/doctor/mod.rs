//! `ferromp doctor`: which OpenMP runtime something uses, whether ferromp's preload reaches it, and what is missing.

mod closure;
mod devices;
mod file;
mod findings;
mod install;
mod package;
mod process;
mod sanitizer;
mod search;

use std::ffi::OsStr;
use std::path::Path;

use crate::args::DoctorArgs;
use crate::elf::Elf;
use crate::failure::{Failure, reason};
use crate::prefix::Prefix;
use crate::program::Program;
use findings::Findings;

/// Looks at what was named, or at this installation.
pub fn perform(args: &DoctorArgs) -> Result<u8, Failure> {
    let mut findings = Findings::default();
    let Some(subject) = &args.subject else {
        install::examine(&mut findings);
        return findings.conclude();
    };
    let path = Path::new(subject);
    if path.is_dir() {
        let ferromp = ferromp_itself()?;
        package::examine_folder(path, &ferromp, &mut findings)?;
    } else if let Some(pid) = process_id(subject) {
        let ferromp = ferromp_itself()?;
        process::examine(pid, &ferromp, &mut findings)?;
    } else if path.is_file() && is_library(path) {
        let ferromp = ferromp_itself()?;
        file::examine(path, &ferromp, &mut findings)?;
    } else {
        let ferromp = ferromp_itself()?;
        match Program::find(subject) {
            Ok(program) => examine_program(&program, &ferromp, &mut findings)?,
            // What may not be executed, or is not in PATH, may still be looked at.
            Err(_) if path.extension() == Some(OsStr::new("py")) && path.is_file() => {
                findings.line("script", format_args!("{}, for python3", path.display()));
                examine_program(&Program::find(OsStr::new("python3"))?, &ferromp, &mut findings)?;
            }
            Err(_) if path.is_file() => file::examine(path, &ferromp, &mut findings)?,
            Err(refusal) => return Err(refusal),
        }
    }
    findings.conclude()
}

/// A program: through its interpreters to the ELF file, and to the packages if the last one is Python.
fn examine_program(program: &Program, ferromp: &Elf, findings: &mut Findings) -> Result<(), Failure> {
    for pair in program.chain.windows(2) {
        findings.line("script", format_args!("{}, run by {}", pair[0].display(), pair[1].display()));
    }
    // pyenv and conda put a shell script in Python's place, so the script's own name counts too.
    let python = [program.loaded(), &program.path].into_iter().find(|path| package::is_python(path));
    match python {
        Some(python) => package::examine_interpreter(python, ferromp, findings),
        None => file::examine(program.loaded(), ferromp, findings),
    }
}

/// A number that is no file's name.
fn process_id(subject: &OsStr) -> Option<i32> {
    if Path::new(subject).exists() { None } else { subject.to_str()?.parse().ok() }
}

/// True for an ELF file that is no program; it need not be executable.
fn is_library(path: &Path) -> bool {
    Elf::read(path).is_ok_and(|elf| !elf.program)
}

/// ferromp's own runtime, which everything is compared with.
fn ferromp_itself() -> Result<Elf, Failure> {
    let runtime = Prefix::find()?.runtime();
    Elf::read(&runtime).map_err(|why| unreadable(&runtime, &why))
}

/// The line for a file that cannot be looked at.
fn unreadable(path: &Path, why: &crate::elf::Unreadable) -> Failure {
    use crate::elf::Unreadable;
    let shown = path.display();
    Failure::new(match why {
        Unreadable::NotElf => format!("{shown}: neither a program nor a shared library (no ELF file)"),
        Unreadable::OtherMachine(machine) => format!("{shown}: made for {machine}; ferromp runs on x86-64"),
        Unreadable::Damaged(what) => format!("{shown}: damaged ELF file: {what}"),
        Unreadable::Io(error) => format!("cannot read {shown}: {}", reason(error)),
    })
}

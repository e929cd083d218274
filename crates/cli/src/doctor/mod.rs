//! `ferromp doctor`: which OpenMP runtime something uses, whether ferromp's preload reaches it, and what is missing.

mod closure;
mod devices;
mod file;
mod findings;
mod install;
mod offload;
mod package;
mod process;
mod sanitizer;
mod script;
mod search;
mod shell;
mod unreadable;

use std::ffi::OsStr;
use std::path::Path;

use crate::args::DoctorArgs;
use crate::elf::Elf;
use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::program::Program;
use findings::Findings;
pub use search::Search;
use unreadable::unreadable;

/// Examines the named subject, or this installation.
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
            Ok(program) => examine_program(&program, &ferromp, &mut findings, 0)?,
            // A file that may not be executed, or is not in PATH, can still be examined.
            Err(_) if path.extension() == Some(OsStr::new("py")) && path.is_file() => {
                findings.line("script", format_args!("{}, for python3", path.display()));
                script::imports(path, &mut findings);
                examine_program(&Program::find(OsStr::new("python3"))?, &ferromp, &mut findings, 0)?;
            }
            Err(_) if path.is_file() => file::examine(path, &ferromp, &mut findings)?,
            Err(refusal) => return Err(refusal),
        }
    }
    findings.conclude()
}

/// How many wrappers may stand before a program.
const WRAPPERS: usize = 5;

/// A program: followed through interpreters and wrappers to the ELF file, and to the packages if the last interpreter
/// is Python. `wrappers` counts the wrappers so far.
fn examine_program(program: &Program, ferromp: &Elf, findings: &mut Findings, wrappers: usize) -> Result<(), Failure> {
    for pair in program.chain.windows(2) {
        findings.line("script", format_args!("{}, run by {}", pair[0].display(), pair[1].display()));
    }
    // pyenv and conda put a shell script in Python's place, so every file's own name counts.
    let python = program.chain.iter().position(|path| package::is_python(path));
    let is_script = program.chain.len() > 1;
    match python {
        Some(at) => {
            if at > 0 {
                script::imports(&program.chain[at - 1], findings);
            }
            package::examine_interpreter(&program.chain[at], ferromp, findings)
        }
        None if is_script && script::is_shell(program.loaded()) && wrappers < WRAPPERS => {
            examine_wrapper(program, ferromp, findings, wrappers)
        }
        None => file::examine(program.loaded(), ferromp, findings),
    }
}

/// A shell script: the program that it starts in its place, and what its text leaves open.
fn examine_wrapper(program: &Program, ferromp: &Elf, findings: &mut Findings, wrappers: usize) -> Result<(), Failure> {
    // A script may have scripts as interpreters; the shell reads the last.
    let text = program.chain.iter().rev().nth(1).unwrap_or(&program.path);
    let wrapper = script::read_wrapper(text);
    if let Some(how) = &wrapper.keeps_out {
        findings.trouble("in the way", format_args!("{how}: what it starts is not reached"));
    }
    if wrapper.starts.is_empty() {
        file::examine(program.loaded(), ferromp, findings)?;
    }
    for (number, start) in wrapper.starts.iter().enumerate() {
        if number > 0 {
            findings.gap();
        }
        let shown = start.program.path.display();
        match (&start.script, &start.module) {
            (_, Some(module)) => findings.line("starts", format_args!("{shown}, with the module {module}")),
            (Some(script), _) => findings.line("starts", format_args!("{shown}, with the script {script}")),
            _ => findings.line("starts", shown),
        }
        if let Some(script) = start.script.as_ref().filter(|_| script::is_python(&start.program)) {
            script::imports(Path::new(script), findings);
        }
        if start.program.path == program.path {
            continue;
        }
        examine_program(&start.program, ferromp, findings, wrappers + 1)?;
    }
    for name in &wrapper.unknown {
        findings.line("not known", format_args!("{name}, which the script starts: only the run tells what that is"));
    }
    let all =
        if wrapper.starts.is_empty() && wrapper.unknown.is_empty() { "what it starts" } else { "what else it starts" };
    findings.line(
        "",
        format_args!("({all} is known only when it runs; ferromp goes along into each program that can be reached)"),
    );
    Ok(())
}

/// A number that is not the name of a file.
fn process_id(subject: &OsStr) -> Option<i32> {
    if Path::new(subject).exists() { None } else { subject.to_str()?.parse().ok() }
}

/// True for an ELF file that is not a program. The file need not be executable.
fn is_library(path: &Path) -> bool {
    Elf::read(path).is_ok_and(|elf| !elf.program)
}

/// ferromp's own runtime, which everything is compared with.
fn ferromp_itself() -> Result<Elf, Failure> {
    let runtime = Prefix::find()?.runtime();
    Elf::read(&runtime).map_err(|why| unreadable(&runtime, &why))
}

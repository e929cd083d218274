//! `ferromp debug`: gdb with the plug-in for OpenMP, on a program that gdb starts with ferromp's runtime, on a running
//! process, or on a core file.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::Path;

use object::elf;

use crate::args::DebugArgs;
use crate::env::Changes;
use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::program::Program;
use crate::run::refuse_unreachable;
use crate::{env, launch};

/// Replaces this command with gdb. Returns only on failure.
pub fn perform(args: &DebugArgs) -> Result<u8, Failure> {
    let prefix = Prefix::find()?;
    let plugin = prefix.gdb_plugin()?;
    let gdb = Program::find(OsStr::new("gdb"))
        .map_err(|_| Failure::new("there is no gdb in PATH: the package gdb has it".to_owned()))?;
    let mut words: Vec<OsString> = vec!["gdb".into(), "-q".into()];
    // gdb would load the same plug-in by itself. Allowing the folder avoids gdb's line that it has declined the
    // plug-in.
    words.extend(["-iex".into(), joined("add-auto-load-safe-path ", prefix.lib().as_os_str())]);
    let mut execute = |command: OsString| words.extend(["-ex".into(), command]);
    if args.pid.is_none() && args.core.is_none() {
        for command in environment(env::runtime(&prefix)?) {
            execute(command);
        }
    }
    execute(joined("source ", plugin.as_os_str()));
    if let Some(pid) = args.pid {
        if !Path::new(&format!("/proc/{pid}")).exists() {
            return Err(Failure::new(format!("there is no process {pid}")));
        }
        words.extend(["-p".into(), pid.to_string().into()]);
    }
    if let Some(core) = &args.core {
        if args.program.is_empty() {
            // gdb finds a core file's libraries by the program's file.
            let core = core.display();
            return Err(Failure::new(format!(
                "the program that left {core} is missing: ferromp debug --core {core} -- PROGRAM"
            )));
        }
        refuse_other_files(core)?;
        words.extend(["-c".into(), core.into()]);
    }
    if let Some(name) = args.program.first() {
        let program = debuggable(name)?;
        words.extend(["--args".into(), program.path.into()]);
        words.extend(args.program[1..].iter().cloned());
    }
    Err(launch::replace(&gdb, &words, Changes::new()))
}

/// The first bytes of the formats that many systems compress core files with.
const PACKED: [&[u8]; 4] = [b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\xfd7zXZ", b"\x1f\x8b"];

/// Fails for a file that is not a core file, because gdb would continue without one.
fn refuse_other_files(core: &Path) -> Result<(), Failure> {
    /// The ELF header up to the file's type.
    const HEAD: usize = 18;
    let mut head = Vec::new();
    let read = std::fs::File::open(core).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head));
    read.map_err(|error| Failure::file("read", core, &error))?;
    let core = core.display();
    if PACKED.iter().any(|start| head.starts_with(start)) {
        return Err(Failure::new(format!("{core} is compressed: unpack it first")));
    }
    let is_core = head.len() == HEAD && head.starts_with(&elf::ELFMAG) && head[16..] == elf::ET_CORE.0.to_le_bytes();
    if is_core { Ok(()) } else { Err(Failure::new(format!("{core} is no core file"))) }
}

/// The program that gdb loads. For a script this is the interpreter, which gdb would start.
fn debuggable(name: &OsStr) -> Result<Program, Failure> {
    let program = Program::find(name)?;
    if program.chain.len() > 1 {
        // An interpreter may be a script itself.
        let words: Vec<String> = program.chain.iter().rev().map(|file| file.display().to_string()).collect();
        let line = format!("{} is a script: ferromp debug -- {}", program.path.display(), words.join(" "));
        return Err(Failure::new(line));
    }
    refuse_unreachable("debug", &program)?;
    Ok(program)
}

/// gdb's commands that set variables for the program only, not for gdb.
fn environment(changes: Changes) -> impl Iterator<Item = OsString> {
    let debug = std::env::var_os("OMP_DEBUG").is_none().then(|| ("OMP_DEBUG", OsString::from("enabled")));
    changes.into_iter().chain(debug).map(|(name, value)| joined(&format!("set environment {name} "), &value))
}

/// A command of gdb's with its argument, which need not be text.
fn joined(command: &str, argument: &OsStr) -> OsString {
    let mut joined = OsString::from(command);
    joined.push(argument);
    joined
}

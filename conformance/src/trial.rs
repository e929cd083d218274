//! One run of one compiled program of the corpus, and the verdict: exit code, last line, the runtime's output, and the
//! findings of the checking tool.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compile::{Compiler, Job};
use crate::program::{self, Program};
use crate::root;
use crate::run::{self, Ending};
use crate::runtime::Runtime;
use crate::sanitize::{self, Sanitizer};

/// Exit code by which the checking tool reports violations.
const VIOLATIONS: i32 = 87;

/// What a run is given besides what the program asks for.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// `OMP_NUM_THREADS`; `None` leaves it to the program's own directives.
    pub threads: Option<usize>,
    /// How many host devices there are; `None` for programs without device code.
    pub devices: Option<usize>,
    /// The checking tool, to run it under.
    pub checker: Option<PathBuf>,
    /// Further variables; those of the program's directives stand above them.
    pub env: Vec<(String, String)>,
    /// The only CPU that the run may use.
    pub cpu: Option<usize>,
    /// Time until it counts as hung; `None` for the program's own.
    pub limit: Option<Duration>,
    /// The sanitizer that program and runtime were built with.
    pub sanitizer: Option<Sanitizer>,
}

/// A compiled program.
pub struct Built<'a> {
    program: &'a Program,
    compiler: Compiler,
    pub executable: PathBuf,
    shared: Option<PathBuf>,
}

impl<'a> Built<'a> {
    /// Compiles it, with a sanitizer if there is to be one, or finds it compiled, in `cache`. The error holds what the
    /// compiler said.
    pub fn new(
        program: &'a Program,
        compiler: Compiler,
        sanitizer: Option<Sanitizer>,
        cache: &Path,
    ) -> Result<Self, String> {
        let directives = &program.directives;
        let extra: Vec<String> = sanitizer.into_iter().flat_map(Sanitizer::flags).collect();
        let mut flags = [directives.flags.as_slice(), &extra].concat();
        let mut libs = directives.libs.clone();
        if compiler == Compiler::Flang || compiler == Compiler::Clang && directives.devices.is_some() {
            // Without device code, clang does not link the library with the functions that device constructs and
            // routines call.
            flags.push("-Wl,--as-needed".to_owned());
            libs.extend(["omp", "omptarget"].map(str::to_owned));
        }
        let (include, cache) = (program::programs_folder(), cache.join(&program.topic));
        let job = |source: &Path, shared, flags, libs| {
            Job { compiler, source, shared, flags, libs, include: &include, cache: &cache }.build()
        };
        let shared = match &directives.shared {
            Some(name) => Some(job(&program.source.with_file_name("shared").join(name), true, &extra, &[])?),
            None => None,
        };
        Ok(Built { program, compiler, executable: job(&program.source, false, &flags, &libs)?, shared })
    }

    /// The command of a run; the checking tool writes to `report`.
    fn command(&self, runtime: &Runtime, circumstances: &Circumstances, report: &Path) -> Result<Command, String> {
        let directives = &self.program.directives;
        let mut command = Command::new(&self.executable);
        runtime.prepare_for(self.compiler, &mut command);
        if let Some(devices) = circumstances.devices {
            command.env("FERROMP_HOST_DEVICES", devices.to_string());
        }
        let pairs = circumstances.env.iter().chain(&directives.env);
        command.args(&directives.args).envs(pairs.map(|(name, value)| (name, value)));
        if let Some(threads) = circumstances.threads {
            command.env("OMP_NUM_THREADS", threads.to_string());
        }
        if let Some(shared) = &self.shared {
            command.env("CORPUS_SHARED", shared);
        }
        if let Some(checker) = &circumstances.checker {
            command.env("OMP_TOOL_LIBRARIES", checker).env("FERROMP_CHECKER_OUT", report);
        }
        let mut command = root::chosen()?.wrap(command);
        if let Some(sanitizer) = circumstances.sanitizer {
            sanitizer.prepare(&mut command);
        }
        if let Some(cpu) = circumstances.cpu {
            // SAFETY: the child only makes a system call, with a mask of its own.
            unsafe { command.pre_exec(move || confine(cpu)) };
        }
        Ok(command)
    }

    /// Runs it once and judges the outcome; the error says everything about the run. `scratch` is a folder for output.
    pub fn run(&self, runtime: &Runtime, circumstances: &Circumstances, scratch: &Path) -> Result<(), String> {
        let directives = &self.program.directives;
        let limit = circumstances.limit.unwrap_or(directives.timeout);
        let report = scratch.join(format!("checker-{}-{:?}.txt", std::process::id(), std::thread::current().id()));
        let mut command = self.command(runtime, circumstances, &report)?;
        let outcome = run::run(&mut command, limit, scratch)?;
        let written = std::fs::read_to_string(&report);
        if written.is_ok() {
            std::fs::remove_file(&report).map_err(|why| format!("{}: {why}", report.display()))?;
        }

        let checked = circumstances.checker.is_some();
        let mut faults = Vec::new();
        match root::chosen()?.ending(outcome.ending) {
            Ending::Exited(code) if code == directives.exit => {}
            Ending::Exited(VIOLATIONS) if checked => faults.push("the checking tool found violations".to_owned()),
            Ending::Exited(sanitize::FINDINGS) if circumstances.sanitizer.is_some() => {
                faults.push("the sanitizer found something".to_owned());
            }
            ref ending => faults.push(format!("the program {}", ending.describe(limit))),
        }
        if outcome.stdout.lines().last() != Some("ok") {
            faults.push("its last line of output is not `ok`".to_owned());
        }
        if matches!(runtime, Runtime::Ferromp { .. }) {
            faults.extend(self.judge_stderr(&outcome.stderr));
        }
        if checked && written.is_err() {
            faults.push("the checking tool wrote no report: it was not activated or not finalized".to_owned());
        }
        if faults.is_empty() {
            return Ok(());
        }
        let place = match circumstances.threads {
            Some(count) => format!("OMP_NUM_THREADS={count}"),
            None => "the program's own OMP_NUM_THREADS".to_owned(),
        };
        let tool = if checked { ", under the checking tool" } else { "" };
        let devices = circumstances.devices.map(|count| format!(", {count} host devices")).unwrap_or_default();
        let confined = circumstances.cpu.map(|cpu| format!(", on CPU {cpu} alone")).unwrap_or_default();
        Err(format!(
            "with {place}{devices}{tool}{confined}: {}\nto run it alone: {command:?}\n--- stdout\n{}--- stderr\n{}--- checking tool\n{}",
            faults.join("; "),
            excerpt(&outcome.stdout),
            excerpt(&outcome.stderr),
            excerpt(&written.unwrap_or_default()),
        ))
    }

    /// What is wrong with the runtime's output: each expected line must be there once, and nothing else.
    fn judge_stderr(&self, stderr: &str) -> Vec<String> {
        let directives = &self.program.directives;
        let matches = |line: &str, words: &[String]| words.iter().all(|word| line.contains(word.as_str()));
        let mut faults = Vec::new();
        for words in &directives.expect_stderr {
            let count = stderr.lines().filter(|line| matches(line, words)).count();
            if count != 1 {
                faults.push(format!("{count} lines on stderr name `{}`, not one", words.join(" ")));
            }
        }
        let unexpected = stderr.lines().find(|line| !directives.expect_stderr.iter().any(|words| matches(line, words)));
        if let (Some(line), false) = (unexpected, directives.stderr_may_hold_more) {
            faults.push(format!("unexpected line on stderr: {line}"));
        }
        faults
    }
}

/// Confines the calling process to one CPU.
fn confine(cpu: usize) -> std::io::Result<()> {
    // SAFETY: an all-zero set is valid; the call only reads it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        match libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    }
}

/// The beginning of a long text.
fn excerpt(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(40).collect();
    if text.lines().count() > lines.len() {
        lines.push("…");
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

//! The conformance corpus: compiles every program under `programs/` with each compiler of its language and runs it at several
//! thread counts, plainly for its results and again under the checking tool for the OMPT events. `README.md` says how to use it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::program::{self, Program};
use ferromp_conformance::run::{self, Ending};
use ferromp_conformance::runtime::Runtime;
use libtest_mimic::{Arguments, Failed, Trial};

/// Thread counts of the runs under the checking tool.
const CHECKED_THREADS: [usize; 3] = [1, 2, 8];

/// Exit code by which the checking tool reports violations.
const VIOLATIONS: i32 = 87;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let programs = match program::all() {
        Ok(programs) => programs,
        Err(why) => {
            eprintln!("corpus: {why}");
            return ExitCode::FAILURE;
        }
    };
    let stock = matches!(Runtime::chosen(), Ok(Runtime::Stock));
    let mut trials = Vec::new();
    for program in programs.into_iter().map(Arc::new) {
        for compiler in program.compilers() {
            let known = stock && program.directives.stock_fails.iter().any(|(which, _)| *which == compiler);
            let program = Arc::clone(&program);
            let ignored = known || program.directives.beyond(compiler);
            trials.push(Trial::test(program.test_name(compiler), move || test(&program, compiler)).with_ignored_flag(ignored));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One program with one compiler: at each thread count for its results, then at some under the checking tool.
fn test(program: &Program, compiler: Compiler) -> Result<(), Failed> {
    let runtime = Runtime::chosen()?;
    runtime_in_use(compiler, &runtime)?;
    let built = Built::new(program, compiler)?;
    for threads in program.directives.thread_counts() {
        built.run(&runtime, threads, None)?;
    }
    let Runtime::Ferromp { checker, .. } = &runtime else { return Ok(()) };
    if program.directives.checker {
        for threads in program.directives.thread_counts() {
            if threads.is_none_or(|count| CHECKED_THREADS.contains(&count)) {
                built.run(&runtime, threads, Some(checker))?;
            }
        }
    }
    Ok(())
}

/// A compiled program.
struct Built<'a> {
    program: &'a Program,
    executable: PathBuf,
    shared: Option<PathBuf>,
}

impl<'a> Built<'a> {
    fn new(program: &'a Program, compiler: Compiler) -> Result<Self, String> {
        let directives = &program.directives;
        let (include, cache) = (program::programs_folder(), cache().join(&program.topic));
        let job = |source: &Path, shared, flags, libs| {
            Job { compiler, source, shared, flags, libs, include: &include, cache: &cache }.build()
        };
        let shared = match &directives.shared {
            Some(name) => Some(job(&program.source.with_file_name("shared").join(name), true, &[], &[])?),
            None => None,
        };
        Ok(Built { program, executable: job(&program.source, false, &directives.flags, &directives.libs)?, shared })
    }

    /// Runs it once and judges the outcome.
    fn run(&self, runtime: &Runtime, threads: Option<usize>, checker: Option<&Path>) -> Result<(), String> {
        let directives = &self.program.directives;
        let mut command = Command::new(&self.executable);
        runtime.prepare(&mut command);
        command.args(&directives.args).envs(directives.env.iter().map(|(name, value)| (name, value)));
        if let Some(threads) = threads {
            command.env("OMP_NUM_THREADS", threads.to_string());
        }
        if let Some(shared) = &self.shared {
            command.env("CORPUS_SHARED", shared);
        }
        let report = cache().join(format!("checker-{}-{:?}.txt", std::process::id(), std::thread::current().id()));
        if let Some(checker) = checker {
            command.env("OMP_TOOL_LIBRARIES", checker).env("FERROMP_CHECKER_OUT", &report);
        }
        let outcome = run::run(&mut command, directives.timeout, &cache())?;
        let written = std::fs::read_to_string(&report);
        if written.is_ok() {
            std::fs::remove_file(&report).map_err(|why| format!("{}: {why}", report.display()))?;
        }

        let mut faults = Vec::new();
        match outcome.ending {
            Ending::Exited(code) if code == directives.exit => {}
            Ending::Exited(VIOLATIONS) if checker.is_some() => faults.push("the checking tool found violations".to_owned()),
            ref ending => faults.push(format!("the program {}", ending.describe(directives.timeout))),
        }
        if outcome.stdout.lines().last() != Some("ok") {
            faults.push("its last line of output is not `ok`".to_owned());
        }
        if matches!(runtime, Runtime::Ferromp { .. }) {
            faults.extend(self.judge_stderr(&outcome.stderr));
        }
        if checker.is_some() && written.is_err() {
            faults.push("the checking tool wrote no report: it was not activated or not finalized".to_owned());
        }
        if faults.is_empty() {
            return Ok(());
        }
        let place = match threads {
            Some(count) => format!("OMP_NUM_THREADS={count}"),
            None => "the program's own OMP_NUM_THREADS".to_owned(),
        };
        let tool = if checker.is_some() { ", under the checking tool" } else { "" };
        Err(format!(
            "with {place}{tool}: {}\nto run it alone: {command:?}\n--- stdout\n{}--- stderr\n{}--- checking tool\n{}",
            faults.join("; "),
            excerpt(&outcome.stdout),
            excerpt(&outcome.stderr),
            excerpt(&written.unwrap_or_default()),
        ))
    }

    /// What is wrong with what the runtime printed: each expected line must be there once, and nothing else.
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

/// Makes sure, once a process and compiler, that a program of that compiler really runs on the chosen runtime.
fn runtime_in_use(compiler: Compiler, runtime: &Runtime) -> Result<(), String> {
    static CLANG: OnceLock<Result<(), String>> = OnceLock::new();
    static GCC: OnceLock<Result<(), String>> = OnceLock::new();
    // gfortran links the same library as gcc, and flang the same as clang.
    let (once, compiler) = match compiler {
        Compiler::Clang | Compiler::Flang => (&CLANG, Compiler::Clang),
        Compiler::Gcc | Compiler::Gfortran => (&GCC, Compiler::Gcc),
    };
    once.get_or_init(|| probe(compiler, runtime)).clone()
}

fn probe(compiler: Compiler, runtime: &Runtime) -> Result<(), String> {
    let include = program::programs_folder();
    let (source, cache) = (include.join("probe.c"), cache());
    let executable =
        Job { compiler, source: &source, shared: false, flags: &[], libs: &[], include: &include, cache: &cache }.build()?;
    let mut command = Command::new(&executable);
    runtime.prepare(&mut command);
    let limit = std::time::Duration::from_secs(40);
    let outcome = run::run(&mut command, limit, &cache)?;
    if !matches!(outcome.ending, Ending::Exited(0)) {
        return Err(format!("the probe {}\n{}", outcome.ending.describe(limit), outcome.stderr));
    }
    let loaded: Vec<&str> = outcome.stdout.lines().collect();
    let right = match runtime {
        Runtime::Ferromp { lib, .. } => loaded.iter().all(|path| Path::new(path).starts_with(lib)) && loaded.len() == 1,
        Runtime::Stock => loaded.len() == 1 && !loaded[0].contains("ferromp"),
    };
    if right { Ok(()) } else { Err(format!("a program of {} runs on {loaded:?} instead of {runtime:?}", compiler.name())) }
}

/// Folder for what is compiled and for the output of runs.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus")
}

/// The beginning of a long text.
fn excerpt(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(40).collect();
    if text.lines().count() > lines.len() {
        lines.push("…");
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

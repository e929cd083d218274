//! The conformance corpus: compiles every program under `programs/` with each compiler of its language and runs it at
//! several thread counts, those with device code at several numbers of devices too: plainly for its results and again
//! under the checking tool for the OMPT events. `README.md` says how to use it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::directives::{DEFAULT_THREADS, Directives};
use ferromp_conformance::program::{self, Program};
use ferromp_conformance::root;
use ferromp_conformance::run::{self, Ending};
use ferromp_conformance::runtime::Runtime;
use ferromp_conformance::trial::{Built, Circumstances};
use libtest_mimic::{Arguments, Failed, Trial};

/// Thread counts of the runs under the checking tool.
const CHECKED_THREADS: [usize; 4] = [1, 2, 8, 33];

/// Name of the variable with the thread counts of programs that do not say theirs.
const THREADS: &str = "FERROMP_CORPUS_THREADS";

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
            let reason = program.directives.too_old(compiler).unwrap_or_default();
            let trial = Trial::test(program.test_name(compiler), move || test(&program, compiler));
            trials.push(trial.with_ignored_flag(ignored).with_kind(reason));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One program with one compiler: at each thread count for its results, then at some under the checking tool.
fn test(program: &Program, compiler: Compiler) -> Result<(), Failed> {
    let runtime = Runtime::chosen()?;
    runtime_in_use(compiler, &runtime)?;
    let built = Built::new(program, compiler, None, &cache())?;
    // The compilers' own runtime has as many host devices as it likes.
    let devices = program.directives.device_counts(compiler);
    let devices = if matches!(runtime, Runtime::Stock) { vec![None] } else { devices };
    let threads = thread_counts(&program.directives)?.into_iter();
    let runs: Vec<_> = threads.flat_map(|threads| devices.iter().map(move |&devices| (threads, devices))).collect();
    for &(threads, devices) in &runs {
        built.run(&runtime, &Circumstances { threads, devices, ..Circumstances::default() }, &cache())?;
    }
    let Runtime::Ferromp { checker, .. } = &runtime else { return Ok(()) };
    if program.directives.checker {
        for (threads, devices) in runs {
            if threads.is_none_or(|count| CHECKED_THREADS.contains(&count)) {
                let env = vec![("FERROMP_CHECKER_COVERAGE".to_owned(), counts(program, compiler)?)];
                let circumstances =
                    Circumstances { threads, devices, checker: Some(checker.clone()), env, ..Circumstances::default() };
                built.run(&runtime, &circumstances, &cache())?;
            }
        }
    }
    Ok(())
}

/// The thread counts that a program asks for, or, if it leaves them to the runner, those of the environment: fewer take
/// less time.
fn thread_counts(directives: &Directives) -> Result<Vec<Option<usize>>, String> {
    let counts = directives.thread_counts();
    match std::env::var(THREADS) {
        Ok(fewer) if counts == DEFAULT_THREADS.map(Some) => {
            let parse =
                |word: &str| word.parse().map(Some).map_err(|_| format!("{THREADS}: `{word}` is no thread count"));
            fewer.split_whitespace().map(parse).collect()
        }
        _ => Ok(counts),
    }
}

/// The file to which runs under the checking tool add what events came: `cargo xtask coverage` reads it.
fn counts(program: &Program, compiler: Compiler) -> Result<String, String> {
    let folder = cache().join("coverage");
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    Ok(folder.join(format!("{}.{}", program.topic, compiler.name())).display().to_string())
}

/// Makes sure, once a process and compiler, that a program of that compiler really runs on the chosen runtime.
fn runtime_in_use(compiler: Compiler, runtime: &Runtime) -> Result<(), String> {
    static CLANG: OnceLock<Result<(), String>> = OnceLock::new();
    static GCC: OnceLock<Result<(), String>> = OnceLock::new();
    // gfortran links the same library as gcc, and flang the same as clang.
    let (once, compilers) = match compiler {
        Compiler::Clang | Compiler::Offload | Compiler::Flang => (&CLANG, [Compiler::Clang, Compiler::Offload]),
        Compiler::Gcc | Compiler::Gfortran => (&GCC, [Compiler::Gcc, Compiler::Gcc]),
    };
    // Where Fortran's compiler was chosen alone, there is none to build the probe with.
    let Some(compiler) = compilers.into_iter().find(|compiler| compiler.present()) else { return Ok(()) };
    once.get_or_init(|| probe(compiler, runtime)).clone()
}

fn probe(compiler: Compiler, runtime: &Runtime) -> Result<(), String> {
    let include = program::programs_folder();
    let (source, cache) = (include.join("probe.c"), cache());
    let executable =
        Job { compiler, source: &source, shared: false, flags: &[], libs: &[], include: &include, cache: &cache }
            .build()?;
    let mut command = Command::new(&executable);
    runtime.prepare_for(compiler, &mut command);
    let mut command = root::chosen()?.wrap(command);
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
    if right {
        Ok(())
    } else {
        Err(format!("a program of {} runs on {loaded:?} instead of {runtime:?}", compiler.name()))
    }
}

/// Folder for what is compiled and for the output of runs; one for each root.
fn cache() -> PathBuf {
    let label = root::chosen().ok().and_then(root::Choice::label);
    let name = label.map_or("corpus".to_owned(), |label| format!("corpus-{label}"));
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

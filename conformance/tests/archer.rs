//! Archer, which tells LLVM's thread sanitizer of OpenMP's synchronisation through OMPT, on ferromp: it has to be
//! silent on programs without a race, and to find the race of their twins. `archer/README.md` says how the programs are
//! written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use ferromp_conformance::compile::{Compiler, Job, Language};
use ferromp_conformance::directives::Directives;
use ferromp_conformance::run::{self, Ending, Outcome};
use ferromp_conformance::runtime::Runtime;
use ferromp_conformance::sanitize::{FINDINGS, Sanitizer};
use libtest_mimic::{Arguments, Failed, Trial};

/// Thread counts that each program runs at.
const THREADS: [usize; 3] = [2, 4, 8];
/// Time that one run may take before it counts as hung.
const LIMIT: Duration = Duration::from_secs(60);

/// A program in its two forms.
struct Pair {
    name: String,
    source: PathBuf,
    directives: Directives,
}

/// Which form of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With its synchronisation.
    Safe,
    /// With one synchronisation less.
    Racy,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let pairs = match pairs() {
        Ok(pairs) => pairs,
        Err(why) => {
            eprintln!("archer: {why}");
            return ExitCode::FAILURE;
        }
    };
    let stock = matches!(Runtime::chosen(), Ok(Runtime::Stock));
    let mut trials = Vec::new();
    for pair in pairs.into_iter().map(Arc::new) {
        // What Archer cannot know it reports on every runtime.
        let forms: &[Form] = if pair.directives.checker { &[Form::Safe, Form::Racy] } else { &[Form::Racy] };
        for compiler in [Compiler::Clang, Compiler::Gcc] {
            let lacks = |list: &[(Compiler, String)]| list.iter().any(|(which, _)| *which == compiler);
            // libgomp has no OMPT.
            let peer = stock && compiler == Compiler::Gcc;
            for &form in forms {
                let known = stock && form == Form::Safe && lacks(&pair.directives.stock_fails);
                let pair = Arc::clone(&pair);
                let ignored = peer || known || lacks(&pair.directives.cannot);
                let kind = if form == Form::Safe { "safe" } else { "racy" };
                let name = format!("{}::{}::{kind}", pair.name, compiler.name());
                trials.push(Trial::test(name, move || test(&pair, compiler, form)).with_ignored_flag(ignored));
            }
        }
    }
    for case in UNNAMED {
        trials.push(Trial::test(format!("unnamed::{}", case.name), move || unnamed(case)).with_ignored_flag(stock));
    }
    trials.push(Trial::test("command::trace", beside_the_recorder).with_ignored_flag(ferromp().is_none()));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Every program of the folder, by name.
fn pairs() -> Result<Vec<Pair>, String> {
    let explain = |why| format!("{}: {why}", folder().display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder()).map_err(explain)? {
        sources.push(entry.map_err(explain)?.path());
    }
    sources.retain(|path| Language::of(path).is_some());
    sources.sort();
    let pair = |source: PathBuf| {
        let explain = |why: &dyn std::fmt::Display| format!("{}: {why}", source.display());
        let text = fs::read_to_string(&source).map_err(|why| explain(&why))?;
        let directives = Directives::parse(&text).map_err(|why| explain(&why))?;
        let name = source.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Pair { name, directives, source })
    };
    sources.into_iter().map(pair).collect()
}

/// The command `ferromp` of the chosen runtime, if that is a whole prefix.
fn ferromp() -> Option<PathBuf> {
    let Ok(Runtime::Ferromp { lib, .. }) = Runtime::chosen() else { return None };
    Some(lib.with_file_name("bin").join("ferromp")).filter(|command| command.is_file())
}

/// A run in which Archer is not named as a tool.
struct Unnamed {
    name: &'static str,
    /// What else is set; `{folder}` is Archer's.
    variables: &'static [(&'static str, &'static str)],
    /// Whether the program's run path is Archer's folder.
    run_path: bool,
    compiler: Compiler,
    /// What the narration of the search has.
    narrated: &'static [&'static str],
    /// Whether Archer is at work: no race is reported in the program without one, and the twin's race is.
    works: bool,
}

/// The narration of a search that has reached Archer.
const FOUND: &[&str] = &["Using archer tool.", "Tool was started and is using the OMPT interface."];
/// A path that the loader searches, behind the runtime's.
const LOADER: (&str, &str) = ("LD_LIBRARY_PATH", "{lib}:{folder}");

const UNNAMED: &[Unnamed] = &[
    Unnamed {
        name: "loader",
        variables: &[LOADER],
        run_path: false,
        compiler: Compiler::Clang,
        narrated: FOUND,
        works: true,
    },
    Unnamed {
        name: "loader_gcc",
        variables: &[LOADER],
        run_path: false,
        compiler: Compiler::Gcc,
        narrated: FOUND,
        works: true,
    },
    Unnamed {
        name: "run_path",
        variables: &[],
        run_path: true,
        compiler: Compiler::Clang,
        narrated: FOUND,
        works: true,
    },
    Unnamed {
        name: "beside",
        variables: &[("LD_PRELOAD", "{beside}/libomp.so.5")],
        run_path: false,
        compiler: Compiler::Clang,
        narrated: FOUND,
        works: true,
    },
    Unnamed {
        name: "disabled",
        variables: &[LOADER, ("OMP_TOOL", "disabled")],
        run_path: false,
        compiler: Compiler::Clang,
        narrated: &["OMP tool disabled."],
        works: false,
    },
    Unnamed {
        name: "declines",
        variables: &[LOADER, ("ARCHER_OPTIONS", "enable=0")],
        run_path: false,
        compiler: Compiler::Clang,
        narrated: &["Using archer tool.", "Found but not using the OMPT interface."],
        works: false,
    },
    Unnamed {
        name: "another_tool_is_named",
        variables: &[LOADER, ("FERROMP_TOOLS", "/nowhere/libtool.so")],
        run_path: false,
        compiler: Compiler::Clang,
        narrated: &["/nowhere/libtool.so"],
        works: false,
    },
];

/// A program with a sanitizer and no named tool: as on libomp, the runtime loads Archer by itself where it finds it.
/// Without a sanitizer it looks for nothing.
fn unnamed(case: &Unnamed) -> Result<(), Failed> {
    let runtime = Runtime::chosen()?;
    let Runtime::Ferromp { lib, .. } = &runtime else { return Err("this is about ferromp alone".into()) };
    let pairs = pairs()?;
    let pair = pairs.iter().find(|pair| pair.name == "critical").ok_or("critical.c is missing")?;
    let archer = library()?;
    let folder = Path::new(&archer).parent().ok_or("libarcher.so has no folder")?;
    let beside = beside(lib, &archer, case.name)?;
    let expand = |text: &str| {
        let text = text.replace("{lib}", &lib.display().to_string()).replace("{folder}", &folder.display().to_string());
        text.replace("{beside}", &beside.display().to_string())
    };
    let options =
        if case.run_path { vec![format!("-Wl,--enable-new-dtags,-rpath,{}", folder.display())] } else { Vec::new() };
    for form in [Form::Safe, Form::Racy] {
        let executable = build_with(pair, case.compiler, form, &options)?;
        let mut command = command(&executable, &runtime, form)?;
        command.env_remove("OMP_TOOL_LIBRARIES").env("OMP_NUM_THREADS", "4").env("OMP_TOOL_VERBOSE_INIT", "stderr");
        command.envs(case.variables.iter().map(|(name, value)| (name, expand(value))));
        let mut outcome = run::run(&mut command, LIMIT, &cache())?;
        let narration: Vec<&str> = outcome.stderr.lines().take_while(|line| !line.contains("END LOGGING")).collect();
        let narration = narration.join("\n");
        let missing = case.narrated.iter().find(|words| !narration.contains(**words));
        let needless = !case.narrated.contains(&"Using archer tool.") && narration.contains("archer");
        let said = format!("{command:?}\n{}{}", outcome.stdout, outcome.stderr);
        if let Some(words) = missing {
            return Err(format!("the narration lacks `{words}`: {said}").into());
        }
        if needless {
            return Err(format!("Archer was looked for: {said}").into());
        }
        // What is left is what the sanitizer says.
        outcome.stderr = outcome.stderr.lines().skip_while(|line| !line.contains("END LOGGING")).skip(1).collect();
        if let Some(fault) = fault(form, &outcome).filter(|_| case.works) {
            return Err(format!("{fault}: {said}").into());
        }
        if form == Form::Safe && !case.works && fault(form, &outcome).is_none() {
            return Err(format!("Archer is at work all the same: {said}").into());
        }
    }
    let plain = without_sanitizer(pair, case.compiler, &options)?;
    let mut command = Command::new(plain);
    runtime.prepare(&mut command);
    command
        .env("OMP_TOOL_VERBOSE_INIT", "stderr")
        .envs(case.variables.iter().map(|(name, value)| (name, expand(value))));
    let outcome = run::run(&mut command, LIMIT, &cache())?;
    if outcome.stderr.contains("archer") || outcome.stdout != "ok\n" {
        return Err(format!("Archer in a program without a sanitizer: {}{}", outcome.stdout, outcome.stderr).into());
    }
    // Nobody needs the links any more.
    drop(fs::remove_dir_all(&beside));
    Ok(())
}

/// A folder in which the runtime, under libomp's name, and Archer lie side by side.
fn beside(lib: &Path, archer: &str, name: &str) -> Result<PathBuf, String> {
    let folder = cache().join(format!("beside-{}-{name}", std::process::id()));
    let explain = |why| format!("{}: {why}", folder.display());
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).map_err(explain)?;
    std::os::unix::fs::symlink(lib.join("libferromp.so"), folder.join("libomp.so.5")).map_err(explain)?;
    std::os::unix::fs::symlink(archer, folder.join("libarcher.so")).map_err(explain)?;
    Ok(folder)
}

/// `ferromp trace --tool libarcher.so`: the recorder and Archer in one run, each with all that it would have alone.
fn beside_the_recorder() -> Result<(), Failed> {
    let runtime = Runtime::chosen()?;
    let ferromp = ferromp().ok_or("the command ferromp is missing")?;
    let pairs = pairs()?;
    let pair = pairs.iter().find(|pair| pair.name == "task_reduction").ok_or("task_reduction.c is missing")?;
    for form in [Form::Safe, Form::Racy] {
        let executable = build(pair, Compiler::Clang, form)?;
        let trace = cache().join(format!("trace-{}-{}", std::process::id(), form as u8));
        let mut command = command(&ferromp, &runtime, form)?;
        command.env_remove("OMP_TOOL_LIBRARIES").env("OMP_NUM_THREADS", "4");
        command.args(["trace", "-q", "--tool", &library()?, "-o"]).arg(&trace).arg("--").arg(&executable);
        let outcome = run::run(&mut command, LIMIT, &cache())?;
        let recorded = trace.is_dir();
        // A run that never began leaves none.
        drop(fs::remove_dir_all(&trace));
        let fault = if recorded { fault(form, &outcome) } else { Some("there is no trace") };
        if let Some(fault) = fault {
            return Err(Failed::from(format!("{fault}: {command:?}\n{}{}", outcome.stdout, outcome.stderr)));
        }
    }
    Ok(())
}

/// Compiles one form of a program.
fn build(pair: &Pair, compiler: Compiler, form: Form) -> Result<PathBuf, String> {
    build_with(pair, compiler, form, &[])
}

/// As [`build`], with further options.
fn build_with(pair: &Pair, compiler: Compiler, form: Form, options: &[String]) -> Result<PathBuf, String> {
    let mut flags: Vec<String> = Sanitizer::Thread.flags().to_vec();
    flags.extend(options.iter().cloned());
    if form == Form::Racy {
        flags.push("-DRACY".to_owned());
    }
    compile(pair, compiler, flags)
}

/// The program as others build it.
fn without_sanitizer(pair: &Pair, compiler: Compiler, options: &[String]) -> Result<PathBuf, String> {
    compile(pair, compiler, options.to_vec())
}

fn compile(pair: &Pair, compiler: Compiler, mut flags: Vec<String>) -> Result<PathBuf, String> {
    flags.extend(pair.directives.flags.iter().cloned());
    let (include, cache) = (folder(), cache());
    let job = Job {
        compiler,
        source: &pair.source,
        shared: false,
        flags: &flags,
        libs: &[],
        include: &include,
        cache: &cache,
    };
    job.build()
}

/// One form of a program with one compiler at each thread count.
fn test(pair: &Pair, compiler: Compiler, form: Form) -> Result<(), Failed> {
    let runtime = Runtime::chosen()?;
    let (executable, cache) = (build(pair, compiler, form)?, cache());
    for threads in THREADS {
        let mut command = command(&executable, &runtime, form)?;
        command.env("OMP_NUM_THREADS", threads.to_string());
        command.envs(pair.directives.env.iter().map(|(name, value)| (name, value)));
        let mut outcome = run::run(&mut command, LIMIT, &cache)?;
        // Of two accesses in the very same moment the sanitizer may see neither beside the other: a race has three runs
        // to show.
        for _ in 1..3 {
            if form == Form::Racy && fault(form, &outcome).is_some() {
                outcome = run::run(&mut command, LIMIT, &cache)?;
            }
        }
        if let Some(fault) = fault(form, &outcome) {
            return Err(Failed::from(format!(
                "with OMP_NUM_THREADS={threads}: {fault}; the program {}\nto run it alone: {command:?}\n--- stdout\n{}--- stderr\n{}",
                outcome.ending.describe(LIMIT),
                outcome.stdout,
                outcome.stderr
            )));
        }
    }
    Ok(())
}

/// A run under Archer. Code that is not instrumented, the runtime and Archer, is not watched.
fn command(executable: &Path, runtime: &Runtime, form: Form) -> Result<Command, String> {
    let mut command = Command::new(executable);
    runtime.prepare(&mut command);
    Sanitizer::Thread.prepare(&mut command);
    // Of a race that has to be there the first report will do, without names of functions, which take a second.
    let brief = if form == Form::Racy { ":halt_on_error=1:symbolize=0" } else { "" };
    command.env("TSAN_OPTIONS", format!("exitcode={FINDINGS}:ignore_noninstrumented_modules=1{brief}"));
    command.env("OMP_TOOL_LIBRARIES", library()?);
    Ok(command)
}

/// What is wrong with a run.
fn fault(form: Form, outcome: &Outcome) -> Option<&'static str> {
    let reported = outcome.stderr.contains("ThreadSanitizer: data race");
    match (form, &outcome.ending) {
        (Form::Safe, Ending::Exited(0)) if outcome.stdout.lines().last() != Some("ok") => Some("its result is wrong"),
        // Of an event that it cannot rely on Archer says so, in the midst of the program's own output.
        (Form::Safe, Ending::Exited(0)) if outcome.stdout != "ok\n" => Some("Archer had something to say"),
        (Form::Safe, Ending::Exited(0)) if outcome.stderr.is_empty() => None,
        (Form::Safe, _) if reported => Some("a race is reported where there is none"),
        (Form::Racy, Ending::Exited(FINDINGS)) if reported => None,
        (Form::Racy, Ending::Exited(_)) => Some("the race is not reported"),
        _ => Some("it did not end well"),
    }
}

/// Where clang 19 has `libarcher.so`.
fn library() -> Result<String, String> {
    let output = Command::new("clang-19").arg("-print-file-name=libarcher.so").output();
    let output = output.map_err(|why| format!("clang-19: {why}"))?;
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if Path::new(&path).is_file() {
        Ok(path)
    } else {
        Err("clang 19 has no libarcher.so: it comes with its OpenMP".to_owned())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("archer")
}

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("archer")
}

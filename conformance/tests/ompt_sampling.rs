//! The corpus under tools that interrupt every thread ten thousand times a second (OpenMP 5.1, sections 4.4.4.28 and
//! 4.6.1): in its signal handler `tools/sampler.c` asks for everything that may be asked for there and looks whether it
//! can be true, and `tools/frames.c` splits the stack. No program may crash, hang or compute anything else than without
//! them.
//!
//! A few programs of each topic are run, with both compilers and eight threads. `SAMPLING_PROGRAMS=all` runs them all,
//! which takes three minutes and more; another number than 2 that many of each topic.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::program::{self, Program};
use ferromp_conformance::runtime::Runtime;
use ferromp_conformance::tools::Workshop;
use ferromp_conformance::trial::{Built, Circumstances};
use libtest_mimic::{Arguments, Failed, Trial};

/// Threads of each run.
const THREADS: usize = 8;

/// A tool that samples.
#[derive(Clone, Copy)]
struct Sampler {
    name: &'static str,
    /// How often it interrupts each thread.
    hertz: &'static str,
    /// Programs that it cannot be used on, as `topic/name`.
    unfit: &'static [(&'static str, &'static str)],
}

const SAMPLERS: [Sampler; 2] = [
    Sampler { name: "sampler", hertz: "10000", unfit: &[] },
    Sampler {
        name: "frames",
        hertz: "2000",
        unfit: &[("process/stack_tiny", "its stacks have no room to unwind them in")],
    },
];

/// Programs that no tool may interrupt.
const NEVER: [(&str, &str); 1] = [("icv/wtime", "measures its sleep, which a signal ends")];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let programs = match program::all() {
        Ok(programs) => programs,
        Err(why) => {
            eprintln!("ompt_sampling: {why}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    for program in chosen(programs).into_iter().map(Arc::new) {
        for sampler in SAMPLERS.into_iter().filter(|sampler| sampler.fits(&program)) {
            for compiler in program.compilers().into_iter().filter(|&compiler| !program.directives.beyond(compiler)) {
                let name = format!("{}::{}", sampler.name, program.test_name(compiler));
                let program = Arc::clone(&program);
                trials.push(Trial::test(name, move || test(sampler, &program, compiler)));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// As many programs of each topic as are wanted, spread evenly.
fn chosen(programs: Vec<Program>) -> Vec<Program> {
    let wanted = match std::env::var("SAMPLING_PROGRAMS") {
        Ok(text) if text == "all" => usize::MAX,
        Ok(text) => text.parse().unwrap_or(2),
        Err(_) => 2,
    };
    let mut topics: BTreeMap<String, Vec<Program>> = BTreeMap::new();
    for program in programs.into_iter().filter(|program| program.directives.checker) {
        topics.entry(program.topic.clone()).or_default().push(program);
    }
    let spread = |programs: Vec<Program>| {
        let step = programs.len().div_ceil(wanted).max(1);
        programs.into_iter().step_by(step)
    };
    topics.into_values().flat_map(spread).collect()
}

impl Sampler {
    fn fits(&self, program: &Program) -> bool {
        let name = format!("{}/{}", program.topic, program.name);
        self.unfit.iter().chain(&NEVER).all(|(unfit, _)| *unfit != name)
    }
}

/// One run of one program under a tool that samples.
fn test(sampler: Sampler, program: &Program, compiler: Compiler) -> Result<(), Failed> {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool(sampler.name, &[]);
    let built = Built::new(program, compiler, None, &cache())?;
    let out =
        cache().join(format!("sampled-{}-{}.txt", std::process::id(), program.test_name(compiler).replace(':', "-")));
    let out = out.with_extension(sampler.name);
    let own = program.directives.thread_counts();
    let threads = if own.contains(&Some(THREADS)) { Some(THREADS) } else { own.last().copied().flatten() };
    let devices = program.directives.device_counts(compiler).first().copied().flatten();
    let env = [
        ("OMP_TOOL_LIBRARIES", tool.display().to_string()),
        ("SAMPLING_OUT", out.display().to_string()),
        ("SAMPLING_HZ", sampler.hertz.to_owned()),
        ("FRAMES_HELPERS", "1".to_owned()),
    ];
    let env = env.map(|(name, value)| (name.to_owned(), value)).to_vec();
    built.run(&Runtime::chosen()?, &Circumstances { threads, devices, env, ..Circumstances::default() }, &cache())?;
    // A program whose target regions clang has made a part of its own code may never call the runtime.
    if program.topic == "target" && compiler == Compiler::Clang && !out.exists() {
        return Ok(());
    }
    let report =
        std::fs::read_to_string(&out).map_err(|why| format!("{}: the tool was not finalised: {why}", out.display()))?;
    std::fs::remove_file(&out)?;
    if report.lines().any(|line| line.starts_with("fault")) {
        return Err(report.into());
    }
    Ok(())
}

/// Where programs are built and run: shared with the corpus.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus")
}

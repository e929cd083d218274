//! Slow programs with one planted cause each, their mended twins, and healthy programs (`conformance/slow`): the first
//! finding of `ferromp trace` names cause and line, its gain is about what the twin brings, and healthy programs have
//! no findings. Times of one run say little on a busy machine, so what fails is tried again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use ferromp_conformance::run::{self, Ending};
use ferromp_conformance::runtime::workspace;
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(120);
/// Runs of a program, until one is as it should be.
const TRIES: usize = 3;
/// CPUs that differ by less are equally fast.
const EQUAL_PERCENT: f64 = 2.0;
/// Two CPUs that get less than this done together do not bring what a mended program wins on two.
const WHOLE_CPUS: f64 = 1.85;
/// After this time, gains are not tried again, nor is a machine waited for whose CPUs are unequally fast.
const PATIENCE: Duration = Duration::from_secs(150);
/// Compilers give the calls of the runtime lines of neighbouring statements.
const NEIGHBOURS: u64 = 3;

/// A program of the corpus, as its directives describe it.
struct Program {
    source: PathBuf,
    cause: String,
    /// Causes that say the same of this program.
    also: Vec<String>,
    compiler: String,
    threads: Vec<String>,
    env: Vec<(String, String)>,
    mended_env: Vec<(String, String)>,
    flags: Vec<String>,
    /// Lines that a finding may name.
    lines: Vec<u64>,
}

/// What a trace says.
struct Report {
    run_ns: f64,
    findings: Vec<Value>,
}

impl Program {
    /// Reads the directives. The programs of a folder take their compilers in turn.
    fn of(source: PathBuf, turn: usize) -> Program {
        let text = fs::read_to_string(&source).unwrap();
        let mut program = Program {
            cause: source.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned(),
            source,
            also: Vec::new(),
            compiler: String::new(),
            threads: vec!["2".to_owned()],
            env: Vec::new(),
            mended_env: Vec::new(),
            flags: Vec::new(),
            lines: Vec::new(),
        };
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        let settings = |text: &str| {
            let pairs = text.split_whitespace().map(|pair| pair.split_once('=').expect("NAME=VALUE"));
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()
        };
        for (number, line) in (1..).zip(text.lines()) {
            let Some((_, directive)) = line.split_once("slow: ") else { continue };
            match directive.split_once(": ") {
                Some(("compilers", names)) => {
                    let names = words(names);
                    program.compiler = names[turn % names.len()].clone();
                }
                Some(("threads", counts)) => program.threads = words(counts),
                Some(("also", causes)) => program.also = words(causes),
                Some(("env", pairs)) => program.env = settings(pairs),
                Some(("mended-env", pairs)) => program.mended_env = settings(pairs),
                Some(("flags", flags)) => program.flags = words(flags),
                Some(_) => {}
                None if directive.ends_with("here") => program.lines.push(number),
                None if directive.ends_with("next line") => program.lines.push(number + 1),
                None => {}
            }
        }
        program
    }

    fn name(&self) -> String {
        format!("{}/{} ({})", self.cause, self.source.file_name().unwrap().to_string_lossy(), self.compiler)
    }

    fn build(&self, folder: &Path, mended: bool) -> PathBuf {
        let kind = self.source.extension().unwrap().to_str().unwrap();
        let compiler = match (self.compiler.as_str(), kind) {
            ("gcc", "c") => "gcc",
            ("gcc", "cc") => "g++",
            ("gcc", "F90") => "gfortran",
            ("clang", "c") => "clang-19",
            ("clang", "cc") => "clang++-19",
            other => panic!("{}: no compiler for {other:?}", self.name()),
        };
        let stem = self.source.file_stem().unwrap().to_string_lossy();
        let out = folder.join(format!("{}.{stem}.{}", self.cause, if mended { "mended" } else { "slow" }));
        let mut command = Command::new(compiler);
        command.args(["-O2", "-g", "-fopenmp"]).arg(&self.source).arg("-o").arg(&out).args(&self.flags);
        if mended {
            command.arg("-DMENDED");
        }
        if kind != "F90" {
            command.arg("-lm");
        }
        let done = command.current_dir(self.source.parent().unwrap().parent().unwrap()).output().unwrap();
        assert!(done.status.success(), "{}: {}", self.name(), String::from_utf8_lossy(&done.stderr));
        out
    }

    /// Traces a built form, and reads the report.
    fn report(&self, binary: &Path, threads: &str, mended: bool, folder: &Path) -> Report {
        let trace = binary.with_extension(format!("{threads}.trace"));
        let mut command = ferromp();
        command.args(["trace", "--quiet", "--force", "-o"]).arg(&trace).arg("--").arg(binary);
        command.env("OMP_NUM_THREADS", threads).envs(self.env.iter().cloned());
        if mended {
            command.envs(self.mended_env.iter().cloned());
        }
        let outcome = run::run(&mut command, LIMIT, folder).unwrap_or_else(|why| panic!("{why}"));
        let good = matches!(outcome.ending, Ending::Exited(0)) && outcome.stdout.contains("ok ");
        assert!(good, "{}: {} {}{}", self.name(), outcome.ending.describe(LIMIT), outcome.stdout, outcome.stderr);
        let done = ferromp().args(["report", "--format", "json"]).arg(&trace).output().unwrap();
        let document: Value = serde_json::from_slice(&done.stdout).expect("a document");
        let _ = fs::remove_dir_all(&trace);
        let trace = &document["traces"][0];
        let run_ns = trace["wall_ns"].as_f64().unwrap() + trace["before_ns"].as_f64().unwrap();
        Report { run_ns, findings: trace["findings"].as_array().expect("findings").clone() }
    }

    /// Whether a finding names the cause and a line of it.
    fn is_named(&self, finding: &Value) -> bool {
        let cause = finding["cause"].as_str().unwrap();
        let near = |line: u64| self.lines.iter().any(|wanted| line.abs_diff(*wanted) <= NEIGHBOURS);
        // Of code that no construct has, the calls that lead there are named.
        let evidence = finding["evidence"].as_array().unwrap().iter().filter_map(Value::as_str);
        let called: Vec<u64> =
            evidence.flat_map(|text| text.split([':', ' ', ';'])).filter_map(|word| word.parse().ok()).collect();
        let is_cause = cause == self.cause || self.also.iter().any(|also| also == cause);
        is_cause && (finding["line"].as_u64().is_some_and(near) || called.into_iter().any(near))
    }
}

impl Report {
    fn first(&self) -> String {
        match self.findings.first() {
            Some(first) => format!(
                "{} at {} ({} %)",
                first["cause"].as_str().unwrap(),
                first["place"]["name"].as_str().unwrap_or("?"),
                (100.0 * self.gain()).round()
            ),
            None => "nothing".to_owned(),
        }
    }

    /// The gain that the findings of the first one's cause promise, as a part of the run.
    fn gain(&self) -> f64 {
        let cause = self.findings.first().map(|first| &first["cause"]);
        let same = self.findings.iter().filter(|finding| Some(&finding["cause"]) == cause);
        same.map(|finding| finding["gain_ns"].as_f64().unwrap()).sum::<f64>() / self.run_ns
    }
}

fn ferromp() -> Command {
    let command = workspace().join("dist/bin/ferromp");
    assert!(command.exists(), "{} is missing: run `cargo xtask build` first", command.display());
    let mut command = Command::new(command);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if ["OMP_", "KMP_", "GOMP_", "LD_", "FERROMP_"].iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
    command
}

/// The programs of the corpus, healthy or not, in the order of their names.
fn programs(healthy: bool) -> Vec<Program> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for folder in fs::read_dir(workspace().join("conformance/slow")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() && (folder.ends_with("healthy") == healthy) {
            sources.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    sources.sort();
    sources.into_iter().enumerate().map(|(turn, source)| Program::of(source, turn)).collect()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slow").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether the machine can tell what two threads on two CPUs win.
fn has_cpus() -> bool {
    let has = std::thread::available_parallelism().is_ok_and(|count| count.get() >= 2);
    if !has {
        eprintln!("skipped: this machine has one CPU, and the programs need two");
    }
    has
}

#[test]
fn the_first_finding_names_cause_and_line() {
    if !has_cpus() {
        return;
    }
    let folder = scratch("slow");
    let started = Instant::now();
    let (mut all, mut named, mut close, mut unknown, mut lines) = (0, 0, 0, 0, Vec::new());
    for program in programs(false) {
        let (slow, mended) = (program.build(&folder, false), program.build(&folder, true));
        for threads in &program.threads {
            all += 1;
            let (mut is_named, mut is_close, mut said) = (false, false, String::new());
            let mut most_cpus = 0.0f64;
            for _ in 0..TRIES {
                let cpus = cpus();
                let before = program.report(&slow, threads, false, &folder);
                is_named |= before.findings.first().is_some_and(|first| program.is_named(first));
                let after = program.report(&mended, threads, true, &folder);
                let real = 1.0 - after.run_ns / before.run_ns;
                is_close |= (before.gain() - real).abs() <= 0.2 * real;
                most_cpus = most_cpus.max(cpus.min(self::cpus()));
                said = format!("{}; the twin brings {} %", before.first(), (100.0 * real).round());
                if is_named && (is_close || started.elapsed() > PATIENCE) {
                    break;
                }
            }
            named += u32::from(is_named);
            close += u32::from(is_close);
            // The threads of a mended program win less than any report can know where the machine has no second CPU.
            let is_unknown = !is_close && most_cpus < WHOLE_CPUS;
            unknown += u32::from(is_unknown);
            let mark = |good: bool| if good { "yes" } else { "NO" };
            let gain = if is_unknown {
                format!("skipped, as the two CPUs do the work of {most_cpus:.2}")
            } else {
                mark(is_close).to_owned()
            };
            lines.push(format!("{} {threads}: named {} gain {gain}: {said}", program.name(), mark(is_named)));
        }
    }
    let table = lines.join("\n");
    println!("{table}\nnamed {named} of {all}, gain {close} of {all}, {unknown} skipped");
    assert!(named * 20 >= all * 19, "only {named} of {all} are named\n{table}");
    // 30 of all, or as large a part of those that the machine could tell.
    let is_enough = close * all >= 30 * (all - unknown);
    assert!(is_enough, "the gain of only {close} of {all} is within 20 %, {unknown} skipped\n{table}");
}

/// Seconds of a work that always is the same, and keeps a core's multipliers busy: two threads of one core share them.
fn work() -> f64 {
    let begun = Instant::now();
    let mut chains = [1u64; 8];
    for _ in 0..1_000_000 {
        for chain in &mut chains {
            *chain = std::hint::black_box(chain.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
    begun.elapsed().as_secs_f64()
}

/// The same work on two threads at once.
fn work_of_two() -> [f64; 2] {
    let start = Barrier::new(2);
    let one = || {
        start.wait();
        work()
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(one), scope.spawn(one)];
        threads.map(|thread| thread.join().expect("it only counts"))
    })
}

/// By how much the slower of two CPUs is slower, where both have the same work: the mean of several rounds. Other
/// guests of the same host take CPUs away from a virtual machine, and nothing inside tells.
fn inequality() -> f64 {
    const ROUNDS: u32 = 12;
    let round = || {
        let [one, other] = work_of_two();
        1.0 - one.min(other) / one.max(other)
    };
    (0..ROUNDS).map(|_| round()).sum::<f64>() / f64::from(ROUNDS)
}

/// How many times as much two threads get done as one alone: two at best, less where both share a core or where the
/// host lends less than two CPUs.
fn cpus() -> f64 {
    const ROUNDS: u32 = 4;
    let alone = (0..ROUNDS).map(|_| work()).fold(f64::INFINITY, f64::min);
    let together = (0..ROUNDS).map(|_| work_of_two().into_iter().fold(0.0, f64::max)).sum::<f64>() / f64::from(ROUNDS);
    2.0 * alone / together
}

#[test]
fn healthy_programs_have_no_findings() {
    if !has_cpus() {
        return;
    }
    let folder = scratch("healthy");
    let (mut wrong, started) = (Vec::new(), Instant::now());
    for program in programs(true) {
        let binary = program.build(&folder, false);
        let mut said = Vec::new();
        // Equal work on unequal CPUs is imbalance, as the report says rightly: such a try does not count.
        loop {
            let before = inequality();
            let report = program.report(&binary, &program.threads[0], false, &folder);
            if report.findings.is_empty() {
                said.clear();
                break;
            }
            let unequal = 100.0 * inequality().max(before);
            println!("{}: {}; CPUs differ by {unequal:.1} %", program.name(), report.first());
            if unequal < EQUAL_PERCENT {
                said.push(report.first());
            } else if started.elapsed() > PATIENCE {
                println!(
                    "skipped: {}: a CPU of this machine is {unequal:.0} % slower than another one",
                    program.name()
                );
                said.clear();
                break;
            } else {
                std::thread::sleep(Duration::from_secs(1));
            }
            if said.len() == TRIES {
                break;
            }
        }
        if !said.is_empty() {
            wrong.push(format!("{}: {}", program.name(), said.join("; then ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

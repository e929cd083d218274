//! Runs the corpus in random order, with random thread counts and settings, for a time; see `soak.rs` in the library.
//! `soak [--minutes N] [--seed S] [--only NUMBER] [--filter WORDS] [--keep FOLDER]`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ferromp_conformance::runtime::Runtime;
use ferromp_conformance::soak::{self, Candidate};
use ferromp_conformance::trial::Built;

struct Options {
    minutes: f64,
    seed: u64,
    only: Option<u64>,
    filter: Option<String>,
    /// Where reports of failed runs go.
    keep: PathBuf,
}

/// What all threads of the soak share.
struct Soak {
    options: Options,
    runtime: Runtime,
    candidates: Vec<Candidate>,
    cpus: Vec<usize>,
    cache: PathBuf,
    deadline: Instant,
    next: AtomicU64,
    failures: Mutex<Vec<String>>,
}

fn main() -> ExitCode {
    match begin() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("soak: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the soak; whether everything went well.
fn begin() -> Result<bool, String> {
    let options = options()?;
    let runtime = Runtime::chosen()?;
    let candidates = soak::candidates(options.filter.as_deref())?;
    if candidates.is_empty() {
        return Err("no program has a name like that".to_owned());
    }
    let executable = std::env::current_exe().map_err(|why| why.to_string())?;
    // The corpus test uses the same folder for its programs, so that neither compiles a program that the other has
    // built.
    let target = executable.ancestors().nth(2).ok_or("the program lies in no target folder")?;
    let cache = target.join("tmp/corpus");
    let begun = Instant::now();
    let deadline = begun + Duration::from_secs_f64(options.minutes * 60.0);
    let (minutes, seed, only) = (options.minutes, options.seed, options.only);
    eprintln!("soak: {} programs, {minutes} minutes, --seed {seed}", candidates.len());
    let next = AtomicU64::new(only.unwrap_or(0));
    let failures = Mutex::new(Vec::new());
    let soak = Soak { options, runtime, candidates, cpus: cpus(), cache, deadline, next, failures };
    std::thread::scope(|scope| {
        let workers = if only.is_some() { 1 } else { soak.cpus.len().max(1) };
        for _ in 0..workers {
            scope.spawn(|| soak.work());
        }
    });
    let runs = if only.is_some() { 1 } else { soak.next.load(Ordering::Relaxed) };
    let failures = soak.failures.into_inner().map_err(|why| why.to_string())?;
    for failure in &failures {
        println!("failed: {failure}");
    }
    println!(
        "soak: seed {seed}: {runs} runs of {} programs in {:.1} minutes, {} failed",
        soak.candidates.len(),
        begun.elapsed().as_secs_f64() / 60.0,
        failures.len()
    );
    Ok(failures.is_empty())
}

impl Soak {
    /// Takes one run after the other until the time is up.
    fn work(&self) {
        loop {
            if self.options.only.is_none() && Instant::now() >= self.deadline {
                return;
            }
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if let Err(why) = self.one(number) {
                self.report(number, &why);
            }
            if self.options.only.is_some() {
                return;
            }
        }
    }

    fn candidate(&self, number: u64) -> &Candidate {
        &self.candidates[soak::pick(self.options.seed, number, self.candidates.len())]
    }

    fn one(&self, number: u64) -> Result<(), String> {
        let candidate = self.candidate(number);
        let checker = match &self.runtime {
            Runtime::Ferromp { checker, .. } => Some(checker),
            Runtime::Stock => None,
        };
        let circumstances = candidate.circumstances(self.options.seed, number, checker, &self.cpus);
        let built = Built::new(&candidate.program, candidate.compiler, None, &self.cache)?;
        built.run(&self.runtime, &circumstances, &self.cache).map_err(|why| format!("{circumstances:?}\n{why}"))
    }

    /// Keeps the details of a failed run, and prints a line about it.
    fn report(&self, number: u64, why: &str) {
        let candidate = self.candidate(number);
        let name = candidate.program.test_name(candidate.compiler);
        let seed = self.options.seed;
        let file = self.options.keep.join(format!("{seed}-{number}.txt"));
        let text = format!("{name}\nto repeat: cargo xtask soak --seed {seed} --only {number}\n{why}");
        let kept = std::fs::create_dir_all(&self.options.keep).and_then(|()| std::fs::write(&file, text));
        let place = match kept {
            Ok(()) => file.display().to_string(),
            Err(why) => format!("not kept: {}: {why}", file.display()),
        };
        let gist = why
            .lines()
            .find(|line| line.starts_with("with "))
            .unwrap_or_else(|| why.lines().next().unwrap_or_default());
        let line = format!("{name} (--seed {seed} --only {number}): {gist} [{place}]");
        eprintln!("soak: {line}");
        if let Ok(mut failures) = self.failures.lock() {
            failures.push(line);
        }
    }
}

fn options() -> Result<Options, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs());
    let mut options =
        Options { minutes: 20.0, seed: now % 1_000_000, only: None, filter: None, keep: "target/soak".into() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let bad = || format!("{word}: {value} is no number");
        match word.as_str() {
            "--minutes" => {
                options.minutes = value.parse().ok().filter(|minutes| (0.0..1e6).contains(minutes)).ok_or_else(bad)?
            }
            "--seed" => options.seed = value.parse().map_err(|_| bad())?,
            "--only" => options.only = Some(value.parse().map_err(|_| bad())?),
            "--filter" => options.filter = Some(value),
            "--keep" => options.keep = Path::new(&value).to_path_buf(),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

/// The CPUs that this process may use.
fn cpus() -> Vec<usize> {
    // SAFETY: an all-zero set is valid; the call writes it, and the macro reads it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return vec![0];
        }
        (0..libc::CPU_SETSIZE as usize).filter(|&cpu| libc::CPU_ISSET(cpu, &set)).collect()
    }
}

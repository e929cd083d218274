//! Runs the corpus on a runtime that was built with a sanitizer: `sanitize thread|address [WORDS]`, where WORDS is a
//! part of the programs' names. Prints what failed, and at the end how many programs ran and how many could not, by
//! reason.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ferromp_conformance::program::Program;
use ferromp_conformance::runtime::Runtime;
use ferromp_conformance::sanitize::Sanitizer;
use ferromp_conformance::soak;
use ferromp_conformance::trial::{Built, Circumstances};

/// The smallest team, and one that has more threads than a small machine has CPUs.
const THREADS: [usize; 2] = [2, 5];
/// How much slower programs are.
const SLOWER: u32 = 6;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("sanitize: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything; whether nothing was found.
fn run() -> Result<bool, String> {
    let mut words = std::env::args().skip(1);
    let sanitizer = Sanitizer::named(&words.next().unwrap_or_default())?;
    let filter = words.next();
    let runtime = Runtime::chosen()?;
    let executable = std::env::current_exe().map_err(|why| why.to_string())?;
    let target = executable.ancestors().nth(2).ok_or("the program lies in no target folder")?;
    let cache = target.join("tmp").join(format!("sanitize-{}", sanitizer.name()));

    let mut left_out: BTreeMap<&str, u32> = BTreeMap::new();
    let mut todo = Vec::new();
    for candidate in soak::candidates(filter.as_deref())? {
        match sanitizer.cannot(&candidate.program, candidate.compiler, &candidate.text) {
            Some(why) => *left_out.entry(why).or_default() += 1,
            None => todo.push(candidate),
        }
    }
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(candidate) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = candidate.program.test_name(candidate.compiler);
                    let result =
                        Built::new(&candidate.program, candidate.compiler, Some(sanitizer), &cache).and_then(|built| {
                            circumstances(&candidate.program, sanitizer)
                                .iter()
                                .try_for_each(|these| built.run(&runtime, these, &cache))
                        });
                    if let Err(why) = result {
                        println!("{name}: {why}");
                        failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    for (why, count) in &left_out {
        println!("left out: {count} because {why}");
    }
    for name in &failed {
        println!("failed: {name}");
    }
    println!("{} sanitizer: {} programs ran, {} failed", sanitizer.name(), todo.len(), failed.len());
    Ok(failed.is_empty())
}

/// The runs of a program: at those of its own thread counts that are close to [`THREADS`].
fn circumstances(program: &Program, sanitizer: Sanitizer) -> Vec<Circumstances> {
    let own = program.directives.thread_counts();
    let limit = Some(program.directives.timeout * SLOWER);
    let run = |threads| Circumstances { threads, limit, sanitizer: Some(sanitizer), ..Circumstances::default() };
    if own == [None] {
        return vec![run(None)];
    }
    let default = program.directives.threads == ferromp_conformance::directives::DEFAULT_THREADS;
    let mut counts: Vec<usize> = if default {
        THREADS.to_vec()
    } else {
        THREADS
            .iter()
            .filter_map(|wanted| own.iter().flatten().copied().filter(|count| count <= wanted).max())
            .collect()
    };
    if counts.is_empty() {
        counts.extend(own.iter().flatten().min());
    }
    counts.dedup();
    counts.into_iter().map(|count| run(Some(count))).collect()
}

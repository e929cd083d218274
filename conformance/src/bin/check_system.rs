//! Runs the corpus' C and C++ programs, compiled by clang, on clang's own libomp under the checking tool, and prints
//! what that runtime breaks as a page: `check_system [WORDS]`, where WORDS is a part of the programs' names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use ferromp_conformance::compile::{Compiler, Language};
use ferromp_conformance::program::{self, Program};
use ferromp_conformance::runtime::{Runtime, find_checker};
use ferromp_conformance::trial::{Built, Circumstances};
use serde_json::Value;

/// One thread, and a team.
const THREADS: [usize; 2] = [1, 3];
/// After so long a program counts as hung.
const LIMIT: Duration = Duration::from_secs(10);

/// A rule that was broken.
struct Broken {
    section: String,
    blame: String,
    programs: BTreeSet<String>,
    /// The first program, by name and threads, what was wrong, and the event.
    example: Option<(String, usize, String, String)>,
}

/// All that was seen.
#[derive(Default)]
struct Seen {
    runtime: String,
    programs: usize,
    clean: usize,
    /// Programs that did not come to their end.
    unfinished: BTreeSet<String>,
    rules: BTreeMap<String, Broken>,
}

fn main() -> ExitCode {
    match run() {
        Ok(page) => {
            print!("{page}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("check_system: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, String> {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let checker = find_checker()?;
    let cache = checker
        .parent()
        .and_then(Path::parent)
        .ok_or("the checking tool lies in no target folder")?
        .join("tmp/check-system");
    std::fs::create_dir_all(&cache).map_err(|why| format!("{}: {why}", cache.display()))?;
    let programs: Vec<Program> = program::all()?
        .into_iter()
        .filter(|program| program.language != Language::Fortran && program.compilers().contains(&Compiler::Clang))
        // Programs on which libomp is known to crash or hang say nothing about its events.
        .filter(|program| !program.directives.stock_fails.iter().any(|(compiler, _)| *compiler == Compiler::Clang))
        // Neither do programs that call a runtime's entry points by hand.
        .filter(|program| program.topic != "abi")
        .filter(|program| program.directives.checker && program.test_name(Compiler::Clang).contains(&filter))
        .collect();
    let (seen, next) = (Mutex::new(Seen::default()), AtomicUsize::new(0));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Relaxed)) {
                    check(program, &checker, &cache, &seen);
                }
            });
        }
    });
    let seen = seen.into_inner().map_err(|_| "a worker has failed")?;
    Ok(page(&seen))
}

/// Runs one program at each thread count and adds what was found.
fn check(program: &Program, checker: &Path, cache: &Path, seen: &Mutex<Seen>) {
    let Ok(built) = Built::new(program, Compiler::Clang, None, cache) else { return };
    let name = format!("{}/{}", program.topic, program.name);
    let mut found = Vec::new();
    let mut finished = true;
    for threads in THREADS {
        let report = cache.join(format!("{}-{threads}.json", name.replace('/', "-")));
        // The file exists only after an interrupted run.
        let _ = std::fs::remove_file(&report);
        let set = |name: &str, value: &Path| (name.to_owned(), value.display().to_string());
        let env = vec![
            set("OMP_TOOL_LIBRARIES", checker),
            set("FERROMP_CHECKER_OUT", &report),
            ("FERROMP_CHECKER_FORMAT".to_owned(), "json".to_owned()),
            // Waiting threads would keep the CPUs from the threads of other programs.
            ("KMP_BLOCKTIME".to_owned(), "0".to_owned()),
        ];
        let circumstances =
            Circumstances { threads: Some(threads), env, limit: Some(LIMIT), ..Circumstances::default() };
        finished &= built.run(&Runtime::Stock, &circumstances, cache).is_ok();
        let text = std::fs::read_to_string(&report).unwrap_or_default();
        found.extend(text.lines().filter_map(|line| Some((threads, serde_json::from_str::<Value>(line).ok()?))));
        // The next run makes it anew.
        let _ = std::fs::remove_file(&report);
    }
    if let Ok(mut seen) = seen.lock() {
        seen.add(&name, finished, &found);
    }
}

impl Seen {
    fn add(&mut self, name: &str, finished: bool, found: &[(usize, Value)]) {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        self.programs += 1;
        if !finished {
            self.unfinished.insert(name.to_owned());
        }
        let mut clean = true;
        for (threads, value) in found {
            match value["type"].as_str() {
                Some("start") if self.runtime.is_empty() => self.runtime = text(value, "runtime"),
                Some("finding") => {}
                _ => continue,
            }
            let blame = text(value, "blame");
            if !matches!(blame.as_str(), "runtime" | "strict") {
                continue;
            }
            clean &= blame != "runtime";
            let (section, rule) = (text(value, "section"), text(value, "rule"));
            let broken = self.rules.entry(rule).or_insert_with(|| Broken {
                section,
                blame,
                programs: BTreeSet::new(),
                example: None,
            });
            broken.programs.insert(name.to_owned());
            if broken.example.as_ref().is_none_or(|(other, ..)| name < other) {
                let example = (name.to_owned(), *threads, text(value, "text"), text(value, "event"));
                broken.example = Some(example);
            }
        }
        self.clean += usize::from(clean);
    }
}

/// Addresses differ from run to run.
fn without_addresses(text: &str) -> String {
    let mut rest = text;
    let mut result = String::new();
    while let Some((before, after)) = rest.split_once("0x") {
        let digits = after.chars().take_while(char::is_ascii_hexdigit).count();
        result += before;
        result += if digits > 4 { "0x…" } else { &rest[before.len()..before.len() + 2 + digits] };
        rest = &after[digits..];
    }
    result + rest
}

fn page(seen: &Seen) -> String {
    let mut page = String::from(
        "# What LLVM's libomp 19 breaks\n\n\
         Written by `cargo xtask check-system`. clang 19 compiles the C and C++ programs of the corpus, which run on libomp under\n\
         the checking tool, as with `ferromp check --runtime system`. Sections are those of OpenMP 5.1.\n\
         [check-rules.md](check-rules.md) has all rules.\n\n",
    );
    let _ = writeln!(
        page,
        "Runtime: {}. {} programs at {THREADS:?} threads; {} of them showed no violation.\n\
         {} failed or did not end; for them, what was seen until then counts.\n",
        seen.runtime,
        seen.programs,
        seen.clean,
        seen.unfinished.len()
    );
    let parts = [
        ("runtime", "Violations", "Each violation contradicts the named section."),
        (
            "strict",
            "Left open by the specification",
            "No violations: ferromp promises more than the specification here, because tools rely on it.",
        ),
    ];
    for (blame, heading, about) in parts {
        let _ = writeln!(page, "## {heading}\n\n{about}\n\n| rule | section | programs |\n| --- | --- | ---: |");
        let mut rules: Vec<(&String, &Broken)> =
            seen.rules.iter().filter(|(_, broken)| broken.blame == blame).collect();
        rules.sort_by_key(|(_, broken)| std::cmp::Reverse(broken.programs.len()));
        for (rule, broken) in &rules {
            let _ = writeln!(page, "| `{rule}` | {} | {} |", broken.section, broken.programs.len());
        }
        page.push('\n');
        for (rule, broken) in &rules {
            let Some((name, threads, text, event)) = &broken.example else { continue };
            let (text, event) = (without_addresses(text), without_addresses(event));
            let _ = writeln!(page, "`{rule}`: {name} at {threads} threads, {text}\n\n    {event}\n");
        }
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

//! The runs of a soak: the programs of the corpus in random order, each with a random thread count and random settings
//! that it can stand. The seed and the number of a run determine everything, so that any run can be repeated alone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::compile::Compiler;
use crate::directives::DEFAULT_THREADS;
use crate::program::Program;
use crate::trial::Circumstances;

/// A program with one of its compilers, and the text that shows which settings it can stand.
pub struct Candidate {
    pub program: Program,
    pub compiler: Compiler,
    /// The program's text, and that of what it includes.
    pub text: String,
}

/// Variables of which a run gets at most one, with the percentage of runs. A program with one of the words in its text
/// does not get the variable, because the program examines what the variable changes.
struct Knob {
    percent: u64,
    settings: &'static [(&'static str, &'static str)],
    unless: &'static [&'static str],
}

const KNOBS: [Knob; 7] = [
    Knob {
        percent: 60,
        settings: &[
            ("OMP_WAIT_POLICY", "active"),
            ("OMP_WAIT_POLICY", "passive"),
            ("KMP_BLOCKTIME", "0"),
            ("KMP_BLOCKTIME", "1"),
            ("KMP_BLOCKTIME", "infinite"),
            ("GOMP_SPINCOUNT", "0"),
            ("GOMP_SPINCOUNT", "5000"),
        ],
        unless: &["WAIT_POLICY", "BLOCKTIME", "blocktime", "SPINCOUNT", "kmp_", "display"],
    },
    Knob {
        percent: 25,
        settings: &[
            ("OMP_PROC_BIND", "true"),
            ("OMP_PROC_BIND", "close"),
            ("OMP_PROC_BIND", "spread"),
            ("OMP_PROC_BIND", "primary"),
            ("OMP_PLACES", "threads"),
            ("OMP_PLACES", "sockets"),
        ],
        unless: &["place", "PLACE", "proc_bind", "PROC_BIND", "affinity", "AFFINITY", "display"],
    },
    Knob {
        percent: 30,
        settings: &[
            ("OMP_SCHEDULE", "static"),
            ("OMP_SCHEDULE", "static,1"),
            ("OMP_SCHEDULE", "dynamic,3"),
            ("OMP_SCHEDULE", "guided"),
            ("OMP_SCHEDULE", "monotonic:dynamic"),
            ("OMP_SCHEDULE", "nonmonotonic:dynamic,2"),
        ],
        unless: &["get_schedule", "SCHEDULE", "display"],
    },
    Knob {
        percent: 20,
        settings: &[("OMP_DYNAMIC", "true")],
        unless: &[
            "num_threads",
            "max_threads",
            "NUM_THREADS",
            "thread_limit",
            "dynamic(",
            "num_procs",
            "DYNAMIC",
            "get_team_size",
        ],
    },
    Knob {
        percent: 20,
        settings: &[("OMP_MAX_ACTIVE_LEVELS", "1"), ("OMP_MAX_ACTIVE_LEVELS", "2"), ("OMP_MAX_ACTIVE_LEVELS", "7")],
        unless: &[
            "active_level",
            "nested",
            "num_threads",
            "get_level",
            "ancestor",
            "team_size",
            "LEVELS",
            "display",
            "teams",
        ],
    },
    Knob { percent: 15, settings: &[("OMP_CANCELLATION", "true")], unless: &["cancel", "CANCEL", "display"] },
    Knob { percent: 15, settings: &[("OMP_MAX_TASK_PRIORITY", "9")], unless: &["priority", "PRIORITY", "display"] },
];

/// Topics whose programs are about settings: they get thread counts only.
const ABOUT_SETTINGS: [&str; 5] = ["env", "icv", "icvs", "places", "affinity"];
/// Words of programs that look at which CPUs there are.
const ABOUT_CPUS: [&str; 7] = ["procs", "affinity", "AFFINITY", "place", "PLACE", "proc_bind", "cpu_set"];
/// The most threads of a run. Programs are not written for more.
const MOST_THREADS: u64 = 33;
/// The most threads under the checking tool.
const MOST_CHECKED: u64 = 8;
/// Time until a run counts as hung: runs share the machine with others, and may be confined to one CPU.
const LIMIT: Duration = Duration::from_secs(150);

/// The programs of a soak.
///
/// # Errors
/// If the corpus cannot be read.
pub fn candidates(filter: Option<&str>) -> Result<Vec<Candidate>, String> {
    let mut candidates = Vec::new();
    for program in crate::program::all()? {
        let text = text(&program.source)?;
        for compiler in program.compilers().into_iter().filter(|&compiler| !program.directives.beyond(compiler)) {
            if filter.is_none_or(|words| program.test_name(compiler).contains(words)) {
                candidates.push(Candidate { program: program.clone(), compiler, text: text.clone() });
            }
        }
    }
    Ok(candidates)
}

/// The text of a program and of the files that it includes, except files that every program includes.
fn text(source: &Path) -> Result<String, String> {
    let mut text = std::fs::read_to_string(source).map_err(|why| format!("{}: {why}", source.display()))?;
    let included: Vec<String> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("#include \"")?.split('"').next().map(str::to_owned))
        .filter(|name| name != "check.h")
        .collect();
    for name in included {
        let beside = source.with_file_name(&name);
        let path = if beside.exists() { beside } else { crate::program::programs_folder().join(&name) };
        text += &std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    Ok(text)
}

/// Which of `count` candidates run `number` is: all of them in random order, then all again in another.
pub fn pick(seed: u64, number: u64, count: usize) -> usize {
    let (round, place) = (number / count as u64, (number % count as u64) as usize);
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = Random::new(seed, u64::MAX - round);
    for end in (1..count).rev() {
        order.swap(end, random.below(end as u64 + 1) as usize);
    }
    order[place]
}

impl Candidate {
    /// The circumstances of run `number`.
    pub fn circumstances(&self, seed: u64, number: u64, checker: Option<&PathBuf>, cpus: &[usize]) -> Circumstances {
        let mut random = Random::new(seed, number);
        let directives = &self.program.directives;
        let plain = ABOUT_SETTINGS.contains(&self.program.topic.as_str());
        let checker = checker.filter(|_| directives.checker && random.percent(25)).cloned();
        let threads = match directives.thread_counts()[..] {
            [None] => None,
            _ if directives.threads == DEFAULT_THREADS => {
                Some(1 + random.below(if checker.is_some() { MOST_CHECKED } else { MOST_THREADS }) as usize)
            }
            ref counts => counts[random.below(counts.len() as u64) as usize],
        };
        let counts = directives.device_counts(self.compiler);
        let devices = counts.get(random.below(counts.len().max(1) as u64) as usize).copied().flatten();
        let mut env = Vec::new();
        for knob in &KNOBS {
            let wanted = random.percent(knob.percent);
            let (name, value) = knob.settings[random.below(knob.settings.len() as u64) as usize];
            if wanted && !plain && !knob.unless.iter().any(|word| self.text.contains(word)) {
                env.push((name.to_owned(), value.to_owned()));
            }
        }
        let confined = random.percent(20) && !plain && !ABOUT_CPUS.iter().any(|word| self.text.contains(word));
        let cpu = cpus.get(random.below(cpus.len().max(1) as u64) as usize).copied().filter(|_| confined);
        Circumstances { threads, devices, checker, env, cpu, limit: Some(LIMIT), sanitizer: None }
    }
}

/// Random numbers: the splitmix64 generator.
struct Random(u64);

impl Random {
    fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_every_program_once_and_rounds_differ() {
        let round = |number: u64| (0..50).map(|place| pick(7, number * 50 + place, 50)).collect::<Vec<_>>();
        let (first, second) = (round(0), round(1));
        assert_ne!(first, second);
        for mut order in [first, second] {
            order.sort_unstable();
            assert_eq!(order, (0..50).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_run_repeats() {
        let candidates = candidates(Some("parallel::basic")).unwrap();
        let circumstances = |number| format!("{:?}", candidates[0].circumstances(3, number, None, &[0, 1]));
        assert_eq!(circumstances(11), circumstances(11));
        assert!((0..20).any(|number| circumstances(number) != circumstances(11)));
    }

    #[test]
    fn programs_about_settings_get_none() {
        let about_settings =
            |candidate: &Candidate| candidate.program.test_name(candidate.compiler).starts_with("env::");
        for candidate in candidates(Some("env::")).unwrap().into_iter().filter(about_settings) {
            for number in 0..30 {
                assert!(candidate.circumstances(1, number, None, &[0]).env.is_empty());
            }
        }
    }
}

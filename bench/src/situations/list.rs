//! The situations, with the words for `programs/situation.c`.

/// What a situation's numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// Seconds of CPU time in a second.
    Cpu,
    /// Bytes of memory.
    Memory,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    /// The name in the table.
    pub name: &'static str,
    /// The name that the program knows.
    pub what: &'static str,
    /// The numbers that follow the milliseconds on its command line.
    pub numbers: &'static [&'static str],
    pub threads: usize,
    pub cpus: usize,
    /// `OMP_WAIT_POLICY`.
    pub policy: Option<&'static str>,
    /// Other processes that keep a CPU busy.
    pub strangers: usize,
    /// Whether the mean counts, where batches differ too much for a median.
    pub is_mean: bool,
    /// Whether most of the time is in code of the compiler's own, so that builds of two compilers tell nothing.
    pub is_compilers: bool,
    /// The length of a sample where it is not the usual one.
    pub milliseconds: Option<u32>,
    pub unit: Unit,
    /// At most so many rounds, for samples that are long and always alike.
    pub rounds: usize,
}

impl Situation {
    const fn new(name: &'static str, what: &'static str, threads: usize) -> Situation {
        Situation {
            name,
            what,
            numbers: &[],
            threads,
            cpus: 2,
            policy: None,
            strangers: 0,
            is_mean: false,
            is_compilers: false,
            milliseconds: None,
            unit: Unit::Time,
            rounds: usize::MAX,
        }
    }

    /// A region after serial work of so many microseconds, give or take so many percent.
    const fn gap(
        name: &'static str,
        threads: usize,
        numbers: &'static [&'static str; 2],
        milliseconds: u32,
    ) -> Situation {
        let it = Situation::new(name, "gap", threads).long(milliseconds);
        Situation { numbers, ..it }
    }

    const fn crowd(threads: usize) -> Situation {
        Situation { is_mean: true, ..Situation::new("crowd", "crowd", threads).long(80) }
    }

    /// A construct while other processes have the CPUs too.
    const fn beside(name: &'static str, strangers: usize, what: &'static str, threads: usize) -> Situation {
        Situation { strangers, is_mean: true, ..Situation::new(name, what, threads).long(150) }
    }

    const fn waits(
        name: &'static str,
        policy: &'static str,
        cpus: usize,
        what: &'static str,
        threads: usize,
    ) -> Situation {
        Situation { policy: Some(policy), cpus, ..Situation::new(name, what, threads) }
    }

    const fn with_work(name: &'static str, what: &'static str, nanoseconds: &'static [&'static str; 1]) -> Situation {
        Situation { numbers: nanoseconds, ..Situation::new(name, what, 2).long(80) }
    }

    const fn long(self, milliseconds: u32) -> Situation {
        Situation { milliseconds: Some(milliseconds), ..self }
    }

    const fn unit(self, unit: Unit) -> Situation {
        Situation { unit, ..self }
    }
}

/// All of them, in the order of the table.
pub const ALL: [Situation; 75] = [
    Situation::gap("gap-10us", 2, &["10", "0"], 40),
    Situation::gap("gap-10us-uneven", 2, &["10", "8"], 40),
    Situation::gap("gap-1ms", 2, &["1000", "0"], 60),
    Situation::gap("gap-1ms-uneven", 2, &["1000", "8"], 60),
    Situation::gap("gap-15ms", 2, &["15000", "0"], 240),
    Situation::gap("gap-15ms-uneven", 2, &["15000", "8"], 240),
    Situation::gap("gap-30ms", 2, &["30000", "0"], 330),
    Situation::gap("gap-30ms-uneven", 2, &["30000", "8"], 330),
    Situation::gap("gap-30ms", 4, &["30000", "0"], 330),
    Situation::gap("gap-30ms-uneven", 4, &["30000", "8"], 330),
    Situation::gap("gap-100ms", 2, &["100000", "0"], 600),
    Situation::gap("gap-100ms-uneven", 2, &["100000", "8"], 600),
    Situation { rounds: 3, ..Situation::new("idle", "idle", 2).long(1000).unit(Unit::Cpu) },
    Situation::crowd(3),
    Situation::crowd(4),
    Situation::crowd(8),
    Situation::crowd(16),
    Situation::beside("parallel-1-stranger", 1, "parallel", 2),
    Situation::beside("parallel-1-stranger", 1, "parallel", 4),
    Situation::beside("barrier-1-stranger", 1, "barrier", 2),
    Situation::beside("barrier-1-stranger", 1, "barrier", 4),
    Situation::beside("parallel-2-strangers", 2, "parallel", 2),
    Situation::beside("parallel-2-strangers", 2, "parallel", 4),
    Situation::beside("barrier-2-strangers", 2, "barrier", 2),
    Situation::beside("barrier-2-strangers", 2, "barrier", 4),
    Situation::waits("parallel-1-cpu-passive", "passive", 1, "parallel", 2),
    Situation::waits("parallel-1-cpu-passive", "passive", 1, "parallel", 4),
    Situation::waits("barrier-1-cpu-passive", "passive", 1, "barrier", 2),
    Situation::waits("barrier-1-cpu-passive", "passive", 1, "barrier", 4),
    Situation::waits("parallel-1-cpu-active", "active", 1, "parallel", 2),
    Situation::waits("parallel-1-cpu-active", "active", 1, "parallel", 4),
    Situation::waits("barrier-1-cpu-active", "active", 1, "barrier", 2),
    Situation::waits("barrier-1-cpu-active", "active", 1, "barrier", 4),
    Situation::waits("parallel-passive", "passive", 2, "parallel", 2),
    Situation::waits("parallel-passive", "passive", 2, "parallel", 4),
    Situation::waits("barrier-passive", "passive", 2, "barrier", 2),
    Situation::waits("barrier-passive", "passive", 2, "barrier", 4),
    Situation::new("nested-2x2", "nested", 4),
    Situation::new("foreign-threads", "foreign", 2),
    Situation::new("teams-1", "teams", 1),
    Situation::new("teams-2", "teams", 2),
    Situation::new("teams-2x2", "teams-for", 4),
    Situation::new("ordered", "ordered", 2),
    Situation::new("ordered", "ordered", 8),
    Situation::new("doacross", "doacross", 2),
    Situation::new("doacross", "doacross", 8),
    Situation::new("taskloop", "taskloop", 2),
    Situation::new("taskloop", "taskloop", 8),
    Situation::new("depend-chain", "depend", 2),
    Situation::new("depend-chain", "depend", 8),
    Situation::new("depend-stencil", "stencil", 2),
    Situation::new("depend-stencil", "stencil", 8),
    Situation::new("task-tree-if", "tree-if", 2),
    Situation::new("task-tree-final", "tree-final", 2),
    Situation::new("task-tree-unbalanced", "unbalanced", 2),
    Situation::new("task-tree-unbalanced", "unbalanced", 4),
    Situation { is_compilers: true, ..Situation::new("array-reduction-1", "sum-1", 2) },
    Situation { is_compilers: true, ..Situation::new("array-reduction-729", "sum-729", 2) },
    Situation { is_compilers: true, ..Situation::new("array-reduction-59049", "sum-59049", 2) },
    Situation::new("firstprivate-1", "copied-1", 2),
    Situation::new("firstprivate-729", "copied-729", 2),
    Situation::new("firstprivate-59049", "copied-59049", 2),
    Situation::new("private-1", "own-1", 2),
    Situation::new("private-729", "own-729", 2),
    Situation::new("private-59049", "own-59049", 2),
    Situation::with_work("barrier-after-0.1us", "work-barrier", &["100"]),
    Situation::with_work("barrier-after-5us", "work-barrier", &["5000"]),
    Situation::with_work("for-after-0.1us", "work-for", &["100"]),
    Situation::with_work("for-after-5us", "work-for", &["5000"]),
    Situation::with_work("reduction-after-0.1us", "work-reduction", &["100"]),
    Situation::with_work("reduction-after-5us", "work-reduction", &["5000"]),
    Situation::new("start", "start", 2).long(100),
    Situation::new("start", "start", 8).long(100),
    Situation { rounds: 3, ..Situation::new("memory", "memory", 2).unit(Unit::Memory) },
    Situation { rounds: 3, ..Situation::new("memory", "memory", 512).unit(Unit::Memory) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_differ_in_name_or_threads() {
        let names: std::collections::BTreeSet<_> = ALL.iter().map(|it| (it.name, it.threads)).collect();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn a_full_run_takes_less_than_ten_minutes() {
        let milliseconds = |it: &Situation| u64::from(it.milliseconds.unwrap_or(30));
        // Four programs and five rounds. A sample takes half as long again, for its start and the batches that grow.
        let all: u64 = ALL.iter().map(|it| 4 * it.rounds.min(5) as u64 * milliseconds(it) * 3 / 2).sum();
        assert!(all < 600_000, "{all} ms");
    }
}

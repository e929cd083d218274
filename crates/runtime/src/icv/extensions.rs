//! The variables that are not OpenMP's but that users of other runtimes set: `KMP_*` (LLVM's and Intel's) and `GOMP_*`
//! (gcc's). Those that mean something here have a field; of each of the others that is set, one line says that it has
//! no effect.

use super::{SUPPORTED_ACTIVE_LEVELS, parse};
use crate::environment::Reader;
use std::fmt;

/// `KMP_BLOCKTIME`: how long a thread spins before it sleeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocktime {
    Infinite,
    /// Microseconds.
    Micros(u64),
}

impl fmt::Display for Blocktime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Blocktime::Infinite => f.write_str("INFINITE"),
            Blocktime::Micros(micros) => write!(f, "{micros}us"),
        }
    }
}

/// `KMP_LIBRARY`; the numbers are those of `kmp_set_library`.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// Parallel regions have one thread.
    Serial = 1,
    /// Waiting threads keep their CPUs.
    Turnaround = 2,
    /// Waiting threads leave their CPUs to others.
    Throughput = 3,
}

/// How reductions are combined that the program leaves to the runtime to arrange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// The runtime chooses by the number of threads.
    Any,
    /// `KMP_FORCE_REDUCTION=critical`.
    Critical,
    /// `KMP_FORCE_REDUCTION=atomic`.
    Atomic,
    /// `KMP_FORCE_REDUCTION=tree`, `KMP_DETERMINISTIC_REDUCTION=true`: in pairs, always the same ones.
    Ordered,
}

with_defaults! {
    /// What the environment asks for with variables of other runtimes.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Extensions {
        /// `KMP_DEVICE_THREAD_LIMIT`, else `KMP_ALL_THREADS`, else `KMP_MAX_THREADS`: threads of the process;
        /// `i32::MAX` for any.
        pub process_threads: i32 = i32::MAX,
        /// `KMP_TEAMS_THREAD_LIMIT`: threads of all teams of a league together.
        pub league_threads: Option<i32> = None,
        pub blocktime: Option<Blocktime> = None,
        /// `GOMP_SPINCOUNT`; `u64::MAX` means without end.
        pub spin_count: Option<u64> = None,
        pub library: Option<Library> = None,
        /// `KMP_HOT_TEAMS_MAX_LEVEL`: teams of regions that are nested deeper are given up at their end.
        pub kept_levels: i32 = SUPPORTED_ACTIVE_LEVELS,
        /// `KMP_HOT_TEAMS_MODE`: whether threads that a smaller region does not need stay with the team.
        pub keeps_reserve: bool = true,
        pub reduction: Reduction = Reduction::Any,
        /// `KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE`.
        pub monotonic_dynamic: bool = false,
        /// `KMP_ENABLE_TASK_THROTTLING`: whether a thread that has queued many tasks executes further ones where it
        /// generates them.
        pub task_throttling: bool = true,
        /// `KMP_SETTINGS`: whether the settings are printed when the runtime comes up.
        pub show_settings: bool = false,
        /// `KMP_VERSION`: whether the version is printed when the runtime comes up.
        pub show_version: bool = false,
        /// `KMP_WARNINGS`: whether lines about what the runtime does not like are printed; `None` for those on input
        /// that cannot be used alone.
        pub warnings: Option<bool> = None,
    }
}

/// Constructs of a team that can be under way at once, for `KMP_DISP_NUM_BUFFERS`.
const CONSTRUCTS_AT_ONCE: i32 = crate::protocol::ring::LENGTH as i32;

/// What launchers and engines of Intel's and their users (vLLM, the extension for PyTorch) set for libiomp5's barriers.
const DISTRIBUTED: &[&str] = &["dist,dist"];

/// Variables without effect, with the values that are accepted in silence. These are the value that describes what the
/// runtime does anyway, if there is one, and those that libraries set in each process for libiomp5's sake, whoever runs
/// the program: scikit-learn sets `KMP_INIT_AT_FORK` and `KMP_DUPLICATE_LIB_OK`, others the patterns of barriers and
/// `KMP_TPAUSE`. What they guard against does not exist here, and a line would tell users of something that they have
/// not written.
pub(super) const WITHOUT_EFFECT: [(&str, &[&str]); 63] = [
    ("KMP_ABORT_DELAY", &["0"]),
    ("KMP_ADAPTIVE_LOCK_PROPS", &[]),
    ("KMP_ALIGN_ALLOC", &[]),
    ("KMP_ALL_THREADPRIVATE", &[]),
    ("KMP_ATOMIC_MODE", &[]),
    ("KMP_A_DEBUG", &["0"]),
    ("KMP_B_DEBUG", &["0"]),
    ("KMP_CONSISTENCY_CHECK", &["none"]),
    ("KMP_CPUINFO_FILE", &[]),
    ("KMP_C_DEBUG", &["0"]),
    ("KMP_DEBUG", &["0"]),
    ("KMP_DEBUG_BUF", &["false"]),
    ("KMP_DEBUG_BUF_ATOMIC", &["false"]),
    ("KMP_DEBUG_BUF_CHARS", &[]),
    ("KMP_DEBUG_BUF_LINES", &[]),
    ("KMP_DIAG", &["0"]),
    ("KMP_DUMP_CATALOG", &["false"]),
    ("KMP_DUPLICATE_LIB_OK", &["true", "false"]),
    ("KMP_DYNAMIC_MODE", &["thread_limit"]),
    ("KMP_D_DEBUG", &["0"]),
    ("KMP_E_DEBUG", &["0"]),
    ("KMP_FOREIGN_THREADS_THREADPRIVATE", &["true"]),
    ("KMP_FORKJOIN_BARRIER", &[]),
    ("KMP_FORKJOIN_BARRIER_PATTERN", DISTRIBUTED),
    ("KMP_FORKJOIN_FRAMES", &[]),
    ("KMP_FORKJOIN_FRAMES_MODE", &[]),
    ("KMP_FOR_TCHECK", &[]),
    ("KMP_FOR_TPROFILE", &[]),
    ("KMP_F_DEBUG", &["0"]),
    ("KMP_GTID_MODE", &["3"]),
    ("KMP_HANDLE_SIGNALS", &["false"]),
    ("KMP_HIDDEN_HELPER_AFFINITY", &[]),
    ("KMP_IGNORE_MPPBEG", &[]),
    ("KMP_IGNORE_MPPEND", &[]),
    ("KMP_INHERIT_FP_CONTROL", &["false"]),
    ("KMP_INITIAL_THREAD_BIND", &["false"]),
    ("KMP_INIT_AT_FORK", &["true", "false"]),
    ("KMP_ITT_PREPARE_DELAY", &[]),
    ("KMP_LOAD_BALANCE_INTERVAL", &[]),
    ("KMP_LOCK_KIND", &[]),
    ("KMP_MALLOC_POOL_INCR", &[]),
    ("KMP_MONITOR_STACKSIZE", &[]),
    ("KMP_MWAIT_HINTS", &["0"]),
    ("KMP_NESTING_MODE", &["0"]),
    ("KMP_NUM_LOCKS_IN_BLOCK", &[]),
    ("KMP_PAR_RANGE", &[]),
    ("KMP_PLAIN_BARRIER", &[]),
    ("KMP_PLAIN_BARRIER_PATTERN", DISTRIBUTED),
    ("KMP_REDUCTION_BARRIER", &[]),
    ("KMP_REDUCTION_BARRIER_PATTERN", DISTRIBUTED),
    ("KMP_SCHEDULE", &["static,balanced;guided,iterative"]),
    ("KMP_SPIN_BACKOFF_PARAMS", &[]),
    ("KMP_STACKOFFSET", &[]),
    ("KMP_STACKPAD", &["0"]),
    ("KMP_STORAGE_MAP", &["false"]),
    ("KMP_TASKING", &["2"]),
    ("KMP_TASKLOOP_MIN_TASKS", &["0"]),
    ("KMP_TASK_STEALING_CONSTRAINT", &["1"]),
    ("KMP_TPAUSE", &["0"]),
    ("KMP_USER_LEVEL_MWAIT", &["false"]),
    ("KMP_USE_YIELD", &["1"]),
    ("LIBOMP_NUM_HIDDEN_HELPER_THREADS", &["0"]),
    ("LIBOMP_USE_HIDDEN_HELPER_TASK", &["false"]),
];

/// `KMP_DEVICE_THREAD_LIMIT`, and the variables that it stands above, on a machine with `cpus` CPUs.
pub(super) fn process_threads(env: &mut Reader, cpus: &dyn Fn() -> u32) -> i32 {
    let limit = |text: &str| match text.trim().eq_ignore_ascii_case("all") {
        true => Some(i32::try_from(cpus()).unwrap_or(i32::MAX).max(1)),
        false => parse::limit(text),
    };
    env.overridden("KMP_ALL_THREADS", "KMP_DEVICE_THREAD_LIMIT");
    env.overridden("KMP_MAX_THREADS", "KMP_DEVICE_THREAD_LIMIT");
    let names = ["KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS", "KMP_MAX_THREADS"];
    names
        .map(|name| env.get(name, "a positive integer or 'all'", "no limit", limit))
        .into_iter()
        .flatten()
        .next()
        .unwrap_or(i32::MAX)
}

/// `KMP_FORCE_REDUCTION`, else `KMP_DETERMINISTIC_REDUCTION`.
pub(super) fn reduction(env: &mut Reader) -> Reduction {
    let forced = env.get("KMP_FORCE_REDUCTION", "critical, atomic or tree", "the default", parse::word);
    let ordered = env.flag("KMP_DETERMINISTIC_REDUCTION").unwrap_or(false);
    env.overridden("KMP_DETERMINISTIC_REDUCTION", "KMP_FORCE_REDUCTION");
    forced.unwrap_or(if ordered { Reduction::Ordered } else { Reduction::Any })
}

/// One line for each variable that means nothing here.
pub(super) fn refuse_those_without_effect(env: &mut Reader) {
    for (name, silent) in WITHOUT_EFFECT {
        let Some(text) = env.text(name) else { continue };
        let text: String = text.split_whitespace().collect();
        let means = |value: &&str| {
            let flags = (parse::word(&text), value.parse::<bool>().ok());
            text.eq_ignore_ascii_case(value) || (flags.0.is_some() && flags.0 == flags.1)
        };
        if !silent.iter().any(means) {
            env.complain(name, "has no effect in this runtime; ignored");
        }
    }
}

/// More buffers than asked for do what fewer do.
pub(super) fn check_buffers(env: &mut Reader, name: &str) {
    let wanted = env.get(name, "a positive integer", &CONSTRUCTS_AT_ONCE.to_string(), parse::positive);
    if wanted.is_some_and(|wanted| wanted > CONSTRUCTS_AT_ONCE) {
        env.complain(name, &format!("there are {CONSTRUCTS_AT_ONCE} buffers; using these"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::from_variables;
    use super::*;

    #[test]
    fn what_has_no_effect_says_so() {
        for (name, silent) in WITHOUT_EFFECT {
            let (_, complaints) = from_variables(&[(name, "17")]);
            assert_eq!(complaints, [format!("ferromp: {name}='17': has no effect in this runtime; ignored\n")]);
            for value in silent {
                assert_eq!(from_variables(&[(name, value)]).1, [""; 0], "{name}={value}");
            }
        }
        assert_eq!(from_variables(&[("KMP_DUPLICATE_LIB_OK", "1")]).1, [""; 0]);
        assert_eq!(from_variables(&[("KMP_HANDLE_SIGNALS", "off")]).1, [""; 0]);
        assert_eq!(from_variables(&[("KMP_HANDLE_SIGNALS", "on")]).1.len(), 1);
    }

    #[test]
    fn what_libraries_set_by_themselves_costs_no_line() {
        for (name, value) in [
            // scikit-learn, each time when it is imported.
            ("KMP_INIT_AT_FORK", "FALSE"),
            ("KMP_DUPLICATE_LIB_OK", "True"),
            // vLLM, SGLang and Intel's extension for PyTorch.
            ("KMP_BLOCKTIME", "1"),
            ("KMP_TPAUSE", "0"),
            ("KMP_FORKJOIN_BARRIER_PATTERN", "dist,dist"),
            ("KMP_PLAIN_BARRIER_PATTERN", "dist,dist"),
            ("KMP_REDUCTION_BARRIER_PATTERN", "dist, dist"),
            // PyTorch's launcher, likwid-pin, OpenVINO's server.
            ("KMP_AFFINITY", "granularity=fine,compact,1,0"),
            ("KMP_AFFINITY", "disabled"),
            ("KMP_SETTINGS", "0"),
            // Sandboxes and containers.
            ("KMP_USE_SHM", "0"),
            ("KMP_WARNINGS", "0"),
        ] {
            assert_eq!(from_variables(&[(name, value)]).1, [""; 0], "{name}={value}");
        }
    }

    #[test]
    fn names_stand_in_order() {
        assert!(WITHOUT_EFFECT.is_sorted_by_key(|(name, _)| name.replace('_', "\u{7f}")));
    }

    #[test]
    fn limits_of_the_process_have_an_order() {
        let limit = |variables: &[(&str, &str)]| from_variables(variables).0.extensions.process_threads;
        assert_eq!(limit(&[]), i32::MAX);
        assert_eq!(limit(&[("KMP_ALL_THREADS", "6"), ("KMP_DEVICE_THREAD_LIMIT", "7")]), 7);
        assert_eq!(limit(&[("KMP_ALL_THREADS", "6"), ("KMP_MAX_THREADS", "5")]), 6);
        assert_eq!(limit(&[("KMP_MAX_THREADS", "99999999999")]), i32::MAX);
        assert!(limit(&[("KMP_ALL_THREADS", "ALL")]) < i32::MAX);
    }

    #[test]
    fn reductions() {
        let reduction = |variables: &[(&str, &str)]| from_variables(variables).0.extensions.reduction;
        assert_eq!(reduction(&[]), Reduction::Any);
        assert_eq!(reduction(&[("KMP_DETERMINISTIC_REDUCTION", "1")]), Reduction::Ordered);
        assert_eq!(
            reduction(&[("KMP_DETERMINISTIC_REDUCTION", "1"), ("KMP_FORCE_REDUCTION", "atomic")]),
            Reduction::Atomic
        );
    }

    #[test]
    fn buffers() {
        assert_eq!(from_variables(&[("KMP_DISP_NUM_BUFFERS", "7")]).1, [""; 0]);
        assert!(from_variables(&[("KMP_DISP_NUM_BUFFERS", "99")]).1[0].contains("there are 8 buffers"));
    }
}

//! The variables of LLVM's and Intel's runtimes that have no effect here (`KMP_*`, `LIBOMP_*`). If such a variable is
//! set, one line says so.

use super::parse;
use crate::environment::Reader;

/// Values that are accepted in silence, and the names of the variables without effect that accept them. One kind of
/// such value describes what the runtime does anyway. The other kind is set by libraries in each process for libiomp5:
/// scikit-learn sets `KMP_INIT_AT_FORK` and `KMP_DUPLICATE_LIB_OK`, others set the patterns of barriers and
/// `KMP_TPAUSE`. These values guard against problems that do not exist here, and a line would name a variable that the
/// user has not set.
pub(super) const WITHOUT_EFFECT: [(&[&str], &str); 12] = [
    (
        &["0"],
        "KMP_ABORT_DELAY KMP_A_DEBUG KMP_B_DEBUG KMP_C_DEBUG KMP_DEBUG KMP_DIAG KMP_D_DEBUG KMP_E_DEBUG KMP_F_DEBUG \
         KMP_MWAIT_HINTS KMP_NESTING_MODE KMP_STACKPAD KMP_TASKLOOP_MIN_TASKS KMP_TPAUSE \
         LIBOMP_NUM_HIDDEN_HELPER_THREADS",
    ),
    (
        &[],
        "KMP_ADAPTIVE_LOCK_PROPS KMP_ALIGN_ALLOC KMP_ALL_THREADPRIVATE KMP_ATOMIC_MODE KMP_CPUINFO_FILE \
         KMP_DEBUG_BUF_CHARS KMP_DEBUG_BUF_LINES KMP_FORKJOIN_BARRIER KMP_FORKJOIN_FRAMES KMP_FORKJOIN_FRAMES_MODE \
         KMP_FOR_TCHECK KMP_FOR_TPROFILE KMP_HIDDEN_HELPER_AFFINITY KMP_IGNORE_MPPBEG KMP_IGNORE_MPPEND \
         KMP_ITT_PREPARE_DELAY KMP_LOAD_BALANCE_INTERVAL KMP_LOCK_KIND KMP_MALLOC_POOL_INCR KMP_MONITOR_STACKSIZE \
         KMP_NUM_LOCKS_IN_BLOCK KMP_PAR_RANGE KMP_PLAIN_BARRIER KMP_REDUCTION_BARRIER KMP_SPIN_BACKOFF_PARAMS \
         KMP_STACKOFFSET",
    ),
    (&["none"], "KMP_CONSISTENCY_CHECK"),
    (
        &["false"],
        "KMP_DEBUG_BUF KMP_DEBUG_BUF_ATOMIC KMP_DUMP_CATALOG KMP_HANDLE_SIGNALS KMP_INHERIT_FP_CONTROL \
         KMP_INITIAL_THREAD_BIND KMP_STORAGE_MAP KMP_USER_LEVEL_MWAIT LIBOMP_USE_HIDDEN_HELPER_TASK",
    ),
    (&["true", "false"], "KMP_DUPLICATE_LIB_OK KMP_INIT_AT_FORK"),
    (&["thread_limit"], "KMP_DYNAMIC_MODE"),
    (&["true"], "KMP_FOREIGN_THREADS_THREADPRIVATE"),
    // Launchers (vLLM, Intel's extension for PyTorch) set this value for libiomp5's barriers.
    (&["dist,dist"], "KMP_FORKJOIN_BARRIER_PATTERN KMP_PLAIN_BARRIER_PATTERN KMP_REDUCTION_BARRIER_PATTERN"),
    (&["3"], "KMP_GTID_MODE"),
    (&["static,balanced;guided,iterative"], "KMP_SCHEDULE"),
    (&["2"], "KMP_TASKING"),
    (&["1"], "KMP_TASK_STEALING_CONSTRAINT KMP_USE_YIELD"),
];

/// The names of the variables without effect, and the values of each that are accepted in silence.
pub(super) fn without_effect() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    WITHOUT_EFFECT.iter().flat_map(|(silent, names)| names.split_whitespace().map(|name| (name, *silent)))
}

/// Complains of each variable that has no effect, in the order of the names.
pub(super) fn refuse_those_without_effect(env: &mut Reader) {
    let is_accepted = |text: &str, value: &str| {
        let flags = (parse::word(text), value.parse::<bool>().ok());
        text.eq_ignore_ascii_case(value) || (flags.0.is_some() && flags.0 == flags.1)
    };
    let mut names: Vec<_> = without_effect().filter(|(name, _)| env.text(name).is_some()).collect();
    names.sort_unstable();
    for (name, silent) in names {
        let text: String = env.text(name).unwrap_or_default().split_whitespace().collect();
        if !silent.iter().any(|value| is_accepted(&text, value)) {
            env.complain(name, "has no effect in this runtime; ignored");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::from_variables;
    use super::*;

    #[test]
    fn what_has_no_effect_says_so() {
        for (name, silent) in without_effect() {
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
        for (_, names) in WITHOUT_EFFECT {
            assert!(names.split_whitespace().is_sorted(), "{names}");
        }
    }
}

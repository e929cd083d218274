//! The variables of LLVM's and Intel's runtimes that have no effect here (`KMP_*`, `LIBOMP_*`). If such a variable is
//! set, one line says so.

use super::parse;
use crate::environment::Reader;

/// The value that launchers (vLLM, Intel's extension for PyTorch) set for libiomp5's barriers.
const DISTRIBUTED: &[&str] = &["dist,dist"];

/// Variables without effect, and the values that are accepted in silence. One kind of such value describes what the
/// runtime does anyway. The other kind is set by libraries in each process for libiomp5: scikit-learn sets
/// `KMP_INIT_AT_FORK` and `KMP_DUPLICATE_LIB_OK`, others set the patterns of barriers and `KMP_TPAUSE`. These values
/// guard against problems that do not exist here, and a line would name a variable that the user has not set.
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

/// Complains of each variable that has no effect.
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

#[cfg(test)]
mod tests {
    use super::super::testing::from_variables;
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
}

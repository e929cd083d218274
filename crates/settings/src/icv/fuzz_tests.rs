//! Random environments: whatever the variables hold, reading them neither panics nor gives values that the runtime
//! could not use, and what is wrong with them takes one line each.

use super::display;
use super::settings::Settings;
use super::values::TargetOffload;
use super::variables::read;
use crate::device_numbers;
use crate::environment::Environment;
use crate::place::{Bind, Partition};
use proptest::prelude::*;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// Variables that the runtime reads.
const NAMES: [&str; 62] = [
    "GOMP_CPU_AFFINITY",
    "GOMP_SPINCOUNT",
    "GOMP_STACKSIZE",
    "KMP_AFFINITY",
    "KMP_ALL_THREADS",
    "KMP_BLOCKTIME",
    "KMP_DETERMINISTIC_REDUCTION",
    "KMP_DEVICE_THREAD_LIMIT",
    "KMP_DISP_NUM_BUFFERS",
    "KMP_DUPLICATE_LIB_OK",
    "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE",
    "KMP_FORCE_REDUCTION",
    "KMP_HOT_TEAMS_MAX_LEVEL",
    "KMP_HOT_TEAMS_MODE",
    "KMP_HW_SUBSET",
    "KMP_INITIAL_THREAD_BIND",
    "KMP_LIBRARY",
    "KMP_LOCK_KIND",
    "KMP_MAX_THREADS",
    "KMP_PLACE_THREADS",
    "KMP_SETTINGS",
    "KMP_STACKSIZE",
    "KMP_TASKLOOP_MIN_TASKS",
    "KMP_TEAMS_PROC_BIND",
    "KMP_TEAMS_THREAD_LIMIT",
    "KMP_TOPOLOGY_METHOD",
    "KMP_VERSION",
    "KMP_WARNINGS",
    "LIBOMP_NUM_HIDDEN_HELPER_THREADS",
    "OMP_AFFINITY_FORMAT",
    "OMP_ALLOCATOR",
    "OMP_AVAILABLE_DEVICES",
    "OMP_CANCELLATION",
    "OMP_DEBUG",
    "OMP_DEFAULT_DEVICE",
    "OMP_DISPLAY_AFFINITY",
    "OMP_DISPLAY_ENV",
    "OMP_DYNAMIC",
    "OMP_MAX_ACTIVE_LEVELS",
    "OMP_MAX_TASK_PRIORITY",
    "OMP_NESTED",
    "OMP_NUM_TEAMS",
    "OMP_NUM_THREADS",
    "OMP_NUM_THREADS_DEV",
    "OMP_PLACES",
    "OMP_PLACES_ALL",
    "OMP_PROC_BIND",
    "OMP_PROC_BIND_ALL",
    "OMP_SCHEDULE",
    "OMP_SCHEDULE_DEV_0",
    "OMP_SCHEDULE_DEV_99999999999999999999",
    "OMP_STACKSIZE",
    "OMP_TARGET_OFFLOAD",
    "OMP_TEAMS_THREAD_LIMIT",
    "OMP_THREADS_RESERVE",
    "OMP_THREAD_LIMIT",
    "OMP_TOOL",
    "OMP_TOOL_LIBRARIES",
    "OMP_TOOL_VERBOSE_INIT",
    "OMP_WAIT_POLICY",
    "FERROMP_HOST_DEVICES",
    "FERROMP_TOOLS",
];

/// Pieces of which values are made, so that many of them nearly follow some grammar.
const PIECES: &[&str] = &[
    "true",
    "false",
    "TRUE",
    "1",
    "0",
    "2",
    "4",
    "17",
    "-1",
    "+3",
    "64",
    "1024",
    "9223372036854775807",
    "18446744073709551616",
    "99999999999999999999999",
    "k",
    "M",
    "g",
    "T",
    "b",
    "us",
    "ms",
    "s",
    "infinite",
    "static",
    "dynamic",
    "guided",
    "auto",
    "monotonic",
    "nonmonotonic",
    "runtime",
    "trapezoidal",
    "n_cores",
    "kind(gpu)",
    "uid(",
    "&&",
    "||",
    "initial",
    "static_steal",
    "active",
    "passive",
    "close",
    "spread",
    "primary",
    "master",
    "threads",
    "cores",
    "sockets",
    "ll_caches",
    "numa_domains",
    "compact",
    "scatter",
    "balanced",
    "explicit",
    "granularity=",
    "fine",
    "proclist=[",
    "verbose",
    "norespect",
    "disabled",
    "enabled",
    "mandatory",
    "default",
    "serial",
    "turnaround",
    "throughput",
    "critical",
    "atomic",
    "tree",
    "omp_default_mem_alloc",
    "omp_high_bw_mem_space",
    "alignment=",
    "pool_size=",
    "fallback=",
    "null_fb",
    ":",
    ",",
    ";",
    "=",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "!",
    "-",
    "|",
    " ",
    "\t",
    "\n",
    "'",
    "%",
    "%{thread_num}",
    "%0.8",
    "%n",
    "%%",
    "c",
    "t",
    "2c,2t",
    "1s",
    "@1",
    "é",
    "\u{1b}[2J",
    "\u{0}",
];

fn value() -> impl Strategy<Value = OsString> {
    let made =
        prop::collection::vec(prop::sample::select(PIECES), 0..12).prop_map(|pieces| OsString::from(pieces.concat()));
    let text = any::<String>().prop_map(OsString::from);
    let bytes = prop::collection::vec(any::<u8>(), 0..40).prop_map(OsString::from_vec);
    prop_oneof![6 => made, 1 => text, 1 => bytes]
}

fn environment() -> impl Strategy<Value = Environment> {
    let name = prop_oneof![8 => prop::sample::select(&NAMES[..]).prop_map(str::to_string), 1 => "(OMP|KMP|GOMP)_[A-Z_0-9]{0,20}"];
    prop::collection::vec((name, value()), 1..8).prop_map(Environment::of)
}

fn usable(settings: &Settings) -> Result<(), TestCaseError> {
    prop_assert!(settings.num_threads.iter().all(|&n| n > 0));
    prop_assert!(!settings.affinity.bind.is_empty());
    prop_assert!(settings.thread_limit > 0 && settings.process_threads > 0);
    prop_assert!(settings.max_active_levels >= 0 && settings.max_task_priority >= 0);
    let no_device =
        settings.target_offload == TargetOffload::Mandatory && settings.default_device == device_numbers::INVALID;
    prop_assert!(settings.default_device >= 0 || settings.default_device == device_numbers::LISTED || no_device);
    prop_assert!(settings.num_teams >= 0 && settings.teams_thread_limit >= 0);
    prop_assert!(settings.schedule.chunk >= 0);
    prop_assert!(settings.stack_size.is_none_or(|bytes| bytes > 0));
    let initial = settings.initial(4, Partition { first: 0, count: 0 });
    prop_assert!(initial.nthreads >= 1 && initial.nthreads <= settings.process_threads);
    let nested = initial.nested(&settings.num_threads, &settings.affinity.bind);
    prop_assert!(nested.nthreads >= 1 && nested.bind as u8 <= Bind::Spread as u8);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(1000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_environment_can_be_read(environment in environment(), secure in any::<bool>()) {
        let (settings, notes) = read(&environment, secure);
        usable(&settings)?;
        for line in notes.complaints.into_iter().chain(notes.remarks) {
            prop_assert!(line.starts_with("ferromp: ") && line.ends_with('\n') && line.matches('\n').count() == 1, "{line:?}");
            prop_assert!(!line.contains('\u{1b}'), "{line:?}");
        }
        let shown = display::all(&settings, &environment);
        prop_assert!(shown.contains("OPENMP DISPLAY ENVIRONMENT END") && !shown.contains('\u{1b}'), "{shown:?}");
    }

    #[test]
    fn any_text_can_hold_settings(text in any::<String>(),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..20)) {
        for text in [text, pieces.concat(), format!("OMP_NUM_THREADS={}|KMP_BLOCKTIME={}", pieces.concat(), pieces.len())] {
            let (settings, _) = read(&Environment::of_text(&text), false);
            usable(&settings)?;
        }
    }
}

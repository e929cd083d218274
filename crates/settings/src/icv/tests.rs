//! Whole environments, from their variables to settings and ICVs.

use super::testing::{from_variables, settings_of};
use super::values::*;
use super::variables::read;
use crate::environment::Environment;
use crate::icv::Icvs;
use crate::place::{Bind, Partition};
use std::ffi::OsString;
use std::path::PathBuf;

#[test]
fn defaults() {
    let (settings, complaints) = from_variables(&[]);
    assert!(complaints.is_empty());
    assert!(settings.num_threads.is_empty());
    assert_eq!(settings.affinity.bind, [Bind::False]);
    assert_eq!((settings.max_active_levels, settings.thread_limit), (1, i32::MAX));
    assert_eq!(settings.schedule.kind, ScheduleKind::Static);
    assert_eq!(settings.tool, ToolSetting::Enabled);
    assert_eq!(settings.tool_verbose_init, None);
}

#[test]
fn a_bad_value_gives_one_line_and_the_default() {
    for (name, value) in [
        ("OMP_NUM_THREADS", "four"),
        ("OMP_DYNAMIC", "2"),
        ("OMP_NESTED", "deep"),
        ("OMP_MAX_ACTIVE_LEVELS", "-1"),
        ("OMP_THREAD_LIMIT", "0"),
        ("OMP_SCHEDULE", "dynamic,-1"),
        ("OMP_STACKSIZE", "16MB"),
        ("KMP_STACKSIZE", "x"),
        ("GOMP_STACKSIZE", "x"),
        ("OMP_WAIT_POLICY", "lazy"),
        ("OMP_CANCELLATION", "x"),
        ("OMP_PROC_BIND", "close,true"),
        ("GOMP_CPU_AFFINITY", "a"),
        ("OMP_DISPLAY_ENV", "please"),
        ("OMP_MAX_TASK_PRIORITY", "-3"),
        ("OMP_TOOL", "true"),
        ("OMP_DEBUG", "1"),
        ("OMP_ALLOCATOR", "omp_default_mem_space:alignment=3"),
        ("OMP_DEFAULT_DEVICE", "gpu"),
        ("KMP_BLOCKTIME", "1h"),
        ("GOMP_SPINCOUNT", "lots"),
        ("KMP_ALL_THREADS", "x"),
        ("KMP_DEVICE_THREAD_LIMIT", "x"),
        ("KMP_TEAMS_THREAD_LIMIT", "0"),
        ("KMP_LIBRARY", "fast"),
        ("KMP_HOT_TEAMS_MAX_LEVEL", "-1"),
        ("KMP_HOT_TEAMS_MODE", "2"),
        ("KMP_FORCE_REDUCTION", "best"),
        ("KMP_DETERMINISTIC_REDUCTION", "x"),
        ("KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE", "x"),
        ("KMP_SETTINGS", "x"),
        ("KMP_VERSION", "x"),
        ("KMP_WARNINGS", "x"),
        ("KMP_DISP_NUM_BUFFERS", "0"),
        ("OMP_NUM_TEAMS", "0"),
        ("OMP_TEAMS_THREAD_LIMIT", "-4"),
        ("OMP_TARGET_OFFLOAD", "always"),
        ("FERROMP_HOST_DEVICES", "65"),
    ] {
        let (settings, complaints) = from_variables(&[(name, value)]);
        assert_eq!(complaints.len(), 1, "{name}: {complaints:?}");
        let line = &complaints[0];
        assert!(line.starts_with(&format!("ferromp: {name}='{value}': not ")), "{line}");
        assert!(line.contains("; using ") && line.ends_with('\n') && line.matches('\n').count() == 1, "{line}");
        assert_eq!(settings, from_variables(&[]).0, "{name}");
    }
}

#[test]
fn a_bad_value_cannot_break_the_line() {
    let (_, complaints) = from_variables(&[("OMP_NUM_THREADS", "1\n2\u{1b}[31m")]);
    assert_eq!(complaints[0].matches('\n').count(), 1);
    assert!(!complaints[0].contains('\u{1b}'));
}

#[test]
fn a_blank_value_is_an_unset_one() {
    let (settings, complaints) = from_variables(&[("OMP_NUM_THREADS", " "), ("OMP_PLACES", "")]);
    assert!(complaints.is_empty() && settings.num_threads.is_empty() && settings.affinity.bind == [Bind::False]);
}

#[test]
fn devices_have_values_of_their_own() {
    let (settings, complaints) = from_variables(&[
        ("OMP_NUM_THREADS_ALL", "3"),
        ("OMP_THREAD_LIMIT_DEV", "7"),
        ("OMP_SCHEDULE_DEV_2", "guided"),
        ("OMP_DYNAMIC_ALL", "true"),
        ("OMP_DYNAMIC", "false"),
    ]);
    assert_eq!(complaints, [""; 0]);
    assert_eq!(
        (settings.num_threads.as_slice(), settings.thread_limit, settings.dynamic),
        ([3].as_slice(), i32::MAX, false)
    );
    assert_eq!(settings.device_values.len(), 4);
}

#[test]
fn tools() {
    let (settings, _) = from_variables(&[
        ("OMP_TOOL", "disabled"),
        ("OMP_TOOL_LIBRARIES", "/a b/c.so::d.so:"),
        ("OMP_TOOL_VERBOSE_INIT", "/logs/Tool"),
    ]);
    assert_eq!(settings.tool, ToolSetting::Disabled);
    assert_eq!(settings.tool_libraries, [PathBuf::from("/a b/c.so"), PathBuf::from("d.so")]);
    assert_eq!(settings.tool_verbose_init, Some(VerboseInit::File(PathBuf::from("/logs/Tool"))));
    let verbose = |value| from_variables(&[("OMP_TOOL_VERBOSE_INIT", value)]).0.tool_verbose_init;
    assert_eq!(verbose("STDERR"), Some(VerboseInit::Stderr));
    assert_eq!(verbose("disabled"), None);
    let further = |value| from_variables(&[("FERROMP_TOOLS", value)]).0.further_tools;
    assert_eq!(further(":a.so::/b c.so"), [PathBuf::from("a.so"), PathBuf::from("/b c.so")]);
    assert!(further("").is_empty());
}

#[test]
fn a_privileged_process_takes_no_file_names() {
    let variables = [
        ("OMP_TOOL_LIBRARIES", "/evil.so"),
        ("FERROMP_TOOLS", "/evil.so"),
        ("OMP_TOOL_VERBOSE_INIT", "/etc/passwd"),
        ("OMP_NUM_THREADS", "3"),
    ];
    let environment = Environment::of(variables.map(|(name, value)| (name.to_string(), OsString::from(value))));
    let (settings, notes) = read(&environment, true);
    assert!(
        settings.tool_libraries.is_empty() && settings.further_tools.is_empty() && settings.tool_verbose_init.is_none()
    );
    assert!(notes.complaints.is_empty());
    assert_eq!(settings.num_threads, [3]);
}

fn partition() -> Partition {
    Partition { first: 0, count: 0 }
}

#[test]
fn nested_regions_take_the_next_elements() {
    let settings = settings_of(&[("OMP_NUM_THREADS", "4,3,2"), ("OMP_PROC_BIND", "spread,close")]);
    let zero = settings.initial(8, partition());
    let one = zero.nested(&settings.num_threads, &settings.affinity.bind);
    let two = one.nested(&settings.num_threads, &settings.affinity.bind);
    let three = two.nested(&settings.num_threads, &settings.affinity.bind);
    assert_eq!([zero, one, two, three].map(|i| i.nthreads), [4, 3, 2, 2]);
    assert_eq!([zero, one, two, three].map(|i| i.bind), [Bind::Spread, Bind::Close, Bind::Close, Bind::Close]);
}

#[test]
fn a_set_value_holds_until_the_list_goes_on() {
    let settings = settings_of(&[("OMP_NUM_THREADS", "4,3")]);
    let mut zero = settings.initial(8, partition());
    zero.nthreads = 7;
    let mut one = zero.nested(&settings.num_threads, &settings.affinity.bind);
    assert_eq!(one.nthreads, 3);
    one.nthreads = 5;
    assert_eq!(one.nested(&settings.num_threads, &settings.affinity.bind).nthreads, 5);
}

#[test]
fn only_what_a_region_would_get_is_taken_for_it() {
    for list in ["4", "4,3", "4,4,4"] {
        let settings = settings_of(&[("OMP_NUM_THREADS", list)]);
        let lists = (&settings.num_threads, &settings.affinity.bind);
        let zero = settings.initial(8, partition());
        let one = zero.nested(lists.0, lists.1);
        let all = [zero, one, one.nested(lists.0, lists.1), Icvs { dynamic: true, ..one }, Icvs { nthreads: 9, ..one }];
        for outer in all {
            for region in all {
                let exactly = outer.give_exactly(&region, lists.0, lists.1);
                assert!(!exactly || region == outer.nested(lists.0, lists.1), "{outer:?} {region:?}");
            }
        }
        assert_eq!(zero.give_exactly(&one, lists.0, lists.1), list == "4");
    }
    let deepest = Icvs { nthreads_level: 255, ..Icvs::default() };
    assert!(!deepest.give_exactly(&deepest, &[], &[]));
}

#[test]
fn depth_beyond_the_counter_is_harmless() {
    let settings = settings_of(&[("OMP_NUM_THREADS", "4,3")]);
    let mut icvs = settings.initial(8, partition());
    for _ in 0..600 {
        icvs = icvs.nested(&settings.num_threads, &settings.affinity.bind);
    }
    assert_eq!((icvs.nthreads, icvs.nthreads_level), (3, 255));
}

#[test]
fn without_a_list_the_cpus_count() {
    assert_eq!(settings_of(&[]).initial(6, partition()).nthreads, 6);
    assert_eq!(settings_of(&[("OMP_THREAD_LIMIT", "2")]).initial(6, partition()).nthreads, 2);
    assert_eq!(settings_of(&[("OMP_THREAD_LIMIT", "2"), ("OMP_NUM_THREADS", "5")]).initial(6, partition()).nthreads, 5);
    assert_eq!(settings_of(&[("KMP_ALL_THREADS", "2"), ("OMP_NUM_THREADS", "5")]).initial(6, partition()).nthreads, 2);
}

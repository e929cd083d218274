//! `OMP_DISPLAY_ENV`, `omp_display_env` and `KMP_SETTINGS`: the settings as lines on standard error, in the layouts
//! that other runtimes use (OpenMP 5.1 §3.15, §6.12).

use crate::allocators;
use crate::device_numbers;
use crate::stderr;
use std::fmt::{Display, Write};
use std::path::PathBuf;

use super::{
    Blocktime, DisplayEnv, Icvs, Library, Monotonicity, OPENMP_DATE, Reduction, Schedule, ScheduleKind, Settings,
    TargetOffload, ToolSetting, VerboseInit, WaitPolicy,
};
use crate::environment::{DeviceValue, Environment, Scope};
pub(crate) use crate::place::bind::Bind;
use crate::place::{self, Place};
use crate::warnings::without_controls;

/// Prints the initial values of the ICVs; `verbose` adds the variables that are not OpenMP's.
pub fn display(verbose: bool) {
    let settings = super::settings();
    let items = items(settings, &super::initial(), place::places(), verbose);
    stderr::write_stderr(&environment(&items, &settings.device_values));
}

/// Prints what the user has set, and what is in force.
pub(super) fn settings(user: &Environment) {
    let items = items(super::settings(), &super::initial(), place::places(), true);
    stderr::write_stderr(&settings_text(user, &items));
}

/// All that can be printed.
#[cfg(test)]
pub(super) fn all(settings: &Settings, user: &Environment) -> String {
    let items = items(settings, &settings.initial(4, place::Partition { first: 0, count: 0 }), &[], true);
    environment(&items, &settings.device_values) + &settings_text(user, &items)
}

/// Prints what this runtime is.
pub(super) fn version() {
    stderr::write_stderr(&format!(
        "ferromp release: {}\nferromp OpenMP version: 5.1 ({OPENMP_DATE})\nferromp interfaces: libomp, libgomp\n",
        env!("CARGO_PKG_VERSION")
    ));
}

/// A variable and its value.
type Item = (&'static str, String);

fn environment(items: &[Item], devices: &[DeviceValue]) -> String {
    let mut text = format!("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '{OPENMP_DATE}'\n");
    for (name, value) in items {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  [host] {name} = '{value}'");
        for (scope, value) in of_devices(name, devices) {
            let _ = writeln!(text, "  [{scope}] {name} = '{value}'");
        }
    }
    text.push_str("OPENMP DISPLAY ENVIRONMENT END\n");
    text
}

/// What devices other than the host get: those without a value of their own, then those with one.
fn of_devices<'a>(name: &str, devices: &'a [DeviceValue]) -> Vec<(String, &'a str)> {
    let mut values: Vec<&DeviceValue> = devices.iter().filter(|value| value.name == name).collect();
    values.sort_by_key(|value| value.scope);
    let has_general = values.iter().any(|value| value.scope == Scope::Devices);
    values.retain(|value| !(has_general && value.scope == Scope::All));
    let scope = |value: &&DeviceValue| match value.scope {
        Scope::All | Scope::Devices => String::from("device"),
        Scope::Device(number) => number.to_string(),
    };
    values.iter().map(|value| (scope(value), value.text.as_str())).collect()
}

fn settings_text(user: &Environment, items: &[Item]) -> String {
    let mut text = String::from("\nUser settings:\n\n");
    for (name, value) in user.shown() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "   {name}={value}");
    }
    text.push_str("\nEffective settings:\n\n");
    let mut items: Vec<&Item> = items.iter().collect();
    items.sort();
    for (name, value) in items {
        let _ = writeln!(text, "   {name}='{value}'");
    }
    text.push('\n');
    text
}

fn items(settings: &Settings, initial: &Icvs, places: &[Place], verbose: bool) -> Vec<Item> {
    let mut list = Vec::new();
    let mut add = |name, value: &dyn Display| list.push((name, without_controls(&value.to_string())));
    add("OMP_AFFINITY_FORMAT", &settings.affinity.format_text());
    add("OMP_ALLOCATOR", &allocators::describe(initial.def_allocator));
    if let Some(list) = &settings.available_devices {
        add("OMP_AVAILABLE_DEVICES", &list.text);
    }
    add("OMP_CANCELLATION", &upper(settings.cancellation));
    add("OMP_DEBUG", &ability(settings.debug));
    match &settings.default_devices {
        Some(list) if initial.default_device == device_numbers::LISTED => add("OMP_DEFAULT_DEVICE", &list.text),
        _ => add("OMP_DEFAULT_DEVICE", &initial.default_device),
    }
    add("OMP_DISPLAY_AFFINITY", &upper(settings.affinity.display));
    add("OMP_DISPLAY_ENV", &display_env(settings.display_env));
    add("OMP_DYNAMIC", &upper(initial.dynamic));
    add("OMP_MAX_ACTIVE_LEVELS", &initial.max_active_levels);
    add("OMP_MAX_TASK_PRIORITY", &settings.max_task_priority);
    add("OMP_NESTED", &upper(initial.max_active_levels > 1));
    add("OMP_NUM_TEAMS", &settings.num_teams);
    if settings.num_threads.is_empty() {
        add("OMP_NUM_THREADS", &initial.nthreads);
    } else {
        add("OMP_NUM_THREADS", &joined(&settings.num_threads, |n| n.to_string()));
    }
    match settings.affinity.asks_for_cores() {
        // By their name, as on libomp: also where a value that cannot be read has been replaced by it.
        true => add("OMP_PLACES", &"cores"),
        false => {
            add("OMP_PLACES", &joined(places, |place| format!("{{{}}}", joined(place.cpus(), |cpu| cpu.to_string()))))
        }
    }
    add("OMP_PROC_BIND", &joined(&settings.bind, |bind| bind_name(*bind).to_string()));
    add("OMP_SCHEDULE", &schedule(initial.run_sched));
    add("OMP_STACKSIZE", &settings.stack_size.map_or(String::from("0"), |bytes| format!("{bytes}B")));
    add(
        "OMP_TARGET_OFFLOAD",
        &match settings.target_offload {
            TargetOffload::Disabled => "DISABLED",
            TargetOffload::Default => "DEFAULT",
            TargetOffload::Mandatory => "MANDATORY",
        },
    );
    add("OMP_TEAMS_THREAD_LIMIT", &settings.teams_thread_limit);
    add("OMP_THREADS_RESERVE", &settings.reserve);
    add("OMP_THREAD_LIMIT", &initial.thread_limit);
    add("OMP_TOOL", &ability(settings.tool == ToolSetting::Enabled));
    add("OMP_TOOL_LIBRARIES", &names(&settings.tool_libraries));
    add(
        "OMP_TOOL_VERBOSE_INIT",
        &match &settings.tool_verbose_init {
            None => String::from("DISABLED"),
            Some(VerboseInit::Stdout) => String::from("STDOUT"),
            Some(VerboseInit::Stderr) => String::from("STDERR"),
            Some(VerboseInit::File(path)) => path.to_string_lossy().into_owned(),
        },
    );
    add(
        "OMP_WAIT_POLICY",
        &match settings.wait_policy {
            Some(WaitPolicy::Active) => "ACTIVE",
            Some(WaitPolicy::Passive) | None => "PASSIVE",
        },
    );
    if verbose {
        list.extend(extension_items(settings).into_iter().map(|(name, value)| (name, without_controls(&value))));
    }
    list
}

/// Variables whose values debuggers read where they are kept, as they change or are known later.
const ELSEWHERE: [&str; 6] = [
    "OMP_AFFINITY_FORMAT",
    "OMP_NUM_TEAMS",
    "OMP_NUM_THREADS",
    "OMP_PLACES",
    "OMP_STACKSIZE",
    "OMP_TEAMS_THREAD_LIMIT",
];

/// The other variables, as lines `NAME=value`.
pub fn for_debuggers(settings: &Settings) -> String {
    let initial = settings.initial(1, place::Partition { first: 0, count: 0 });
    let mut text = String::new();
    for (name, value) in items(settings, &initial, &[], true) {
        if !ELSEWHERE.contains(&name) {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{name}={value}");
        }
    }
    text
}

fn display_env(setting: DisplayEnv) -> &'static str {
    match setting {
        DisplayEnv::No => "FALSE",
        DisplayEnv::Yes => "TRUE",
        DisplayEnv::Verbose => "VERBOSE",
    }
}

/// The variables that are not OpenMP's: ours and those of other runtimes.
fn extension_items(settings: &Settings) -> Vec<Item> {
    let its = &settings.extensions;
    let spins = match its.spin_count {
        None => String::new(),
        Some(u64::MAX) => String::from("INFINITE"),
        Some(count) => count.to_string(),
    };
    let blocktime = match its.blocktime {
        None => String::new(),
        Some(Blocktime::Infinite) => String::from("INFINITE"),
        Some(Blocktime::Micros(micros)) => format!("{micros}us"),
    };
    let library = match its.library {
        Some(Library::Serial) => "SERIAL",
        Some(Library::Turnaround) => "TURNAROUND",
        Some(Library::Throughput) => "THROUGHPUT",
        None => "",
    };
    let reduction = match its.reduction {
        Reduction::Any => "",
        Reduction::Critical => "CRITICAL",
        Reduction::Atomic => "ATOMIC",
        Reduction::Ordered => "TREE",
    };
    vec![
        ("FERROMP_HOST_DEVICES", settings.host_devices.to_string()),
        ("FERROMP_TOOLS", names(&settings.further_tools)),
        ("GOMP_SPINCOUNT", spins),
        ("KMP_AFFINITY", settings.affinity.kmp.describe()),
        ("KMP_BLOCKTIME", blocktime),
        ("KMP_DETERMINISTIC_REDUCTION", upper(its.reduction == Reduction::Ordered).to_string()),
        ("KMP_DEVICE_THREAD_LIMIT", its.process_threads.to_string()),
        ("KMP_ENABLE_TASK_THROTTLING", upper(its.task_throttling).to_string()),
        ("KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE", upper(its.monotonic_dynamic).to_string()),
        ("KMP_FORCE_REDUCTION", reduction.to_string()),
        ("KMP_HOT_TEAMS_MAX_LEVEL", its.kept_levels.to_string()),
        ("KMP_HOT_TEAMS_MODE", u8::from(its.keeps_reserve).to_string()),
        ("KMP_HW_SUBSET", settings.affinity.subset_text().to_string()),
        ("KMP_LIBRARY", library.to_string()),
        ("KMP_SETTINGS", upper(its.show_settings).to_string()),
        ("KMP_TEAMS_THREAD_LIMIT", its.league_threads.map_or(String::new(), |limit| limit.to_string())),
        ("KMP_TOPOLOGY_METHOD", settings.affinity.method().to_string()),
        ("KMP_VERSION", upper(its.show_version).to_string()),
        ("KMP_WARNINGS", upper(its.warnings != Some(false)).to_string()),
    ]
}

fn names(libraries: &[PathBuf]) -> String {
    let names: Vec<_> = libraries.iter().map(|path| path.to_string_lossy()).collect();
    names.join(":")
}

fn ability(value: bool) -> &'static str {
    if value { "ENABLED" } else { "DISABLED" }
}

fn upper(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

fn bind_name(bind: Bind) -> &'static str {
    match bind {
        Bind::False => "FALSE",
        Bind::True => "TRUE",
        Bind::Primary => "PRIMARY",
        Bind::Close => "CLOSE",
        Bind::Spread => "SPREAD",
    }
}

fn schedule(schedule: Schedule) -> String {
    let modifier = match schedule.monotonic {
        Monotonicity::Unspecified => "",
        Monotonicity::Monotonic => "MONOTONIC:",
        Monotonicity::Nonmonotonic => "NONMONOTONIC:",
    };
    let kind = match schedule.kind {
        ScheduleKind::Static => "STATIC",
        ScheduleKind::Dynamic => "DYNAMIC",
        ScheduleKind::Guided => "GUIDED",
        ScheduleKind::Auto => "AUTO",
        ScheduleKind::Trapezoidal => "TRAPEZOIDAL",
        ScheduleKind::StaticSteal => "STATIC_STEAL",
    };
    match schedule.chunk {
        0 => format!("{modifier}{kind}"),
        chunk => format!("{modifier}{kind},{chunk}"),
    }
}

fn joined<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icv::settings::from_variables;
    use crate::place::Partition;

    fn shown(variables: &[(&str, &str)], verbose: bool) -> String {
        let settings = from_variables(variables).0;
        let initial = settings.initial(8, Partition { first: 0, count: 2 });
        let places = [Place::new(vec![0, 1]), Place::new(vec![2, 3])];
        environment(&items(&settings, &initial, &places, verbose), &settings.device_values)
    }

    #[test]
    fn layout() {
        let variables = [
            ("OMP_NUM_THREADS", "4,2"),
            ("OMP_SCHEDULE", "nonmonotonic:dynamic,3"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_STACKSIZE", "2M"),
            ("KMP_BLOCKTIME", "infinite"),
            ("OMP_TARGET_OFFLOAD", "mandatory"),
        ];
        let text = shown(&variables, false);
        assert!(text.starts_with("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n"), "{text}");
        assert!(text.ends_with("\nOPENMP DISPLAY ENVIRONMENT END\n"), "{text}");
        for line in [
            "  [host] OMP_ALLOCATOR = 'omp_default_mem_alloc'\n",
            "  [host] OMP_NUM_THREADS = '4,2'\n",
            "  [host] OMP_SCHEDULE = 'NONMONOTONIC:DYNAMIC,3'\n",
            "  [host] OMP_PROC_BIND = 'SPREAD,CLOSE'\n",
            "  [host] OMP_STACKSIZE = '2097152B'\n",
            "  [host] OMP_PLACES = '{0,1},{2,3}'\n",
            "  [host] OMP_TARGET_OFFLOAD = 'MANDATORY'\n",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("KMP_BLOCKTIME"));
        assert!(shown(&variables, true).contains("  [host] KMP_BLOCKTIME = 'INFINITE'\n"));
    }

    #[test]
    fn places_that_cannot_be_read_are_shown_as_the_cores_that_take_their_place() {
        for value in ["{0", "nonsense", "cores", " Cores "] {
            let text = shown(&[("OMP_PLACES", value)], false);
            assert!(text.contains("  [host] OMP_PLACES = 'cores'\n"), "{value}: {text}");
        }
        let text = shown(&[("OMP_PLACES", "{0:2},{2:2}")], false);
        assert!(text.contains("  [host] OMP_PLACES = '{0,1},{2,3}'\n"), "{text}");
    }

    #[test]
    fn devices_have_lines_of_their_own() {
        let variables = [
            ("OMP_NUM_TEAMS_ALL", "2"),
            ("OMP_NUM_TEAMS_DEV", "3"),
            ("OMP_NUM_TEAMS_DEV_1", "4"),
            ("OMP_DYNAMIC_ALL", "true"),
        ];
        let text = shown(&variables, false);
        let lines = "  [host] OMP_NUM_TEAMS = '2'\n  [device] OMP_NUM_TEAMS = '3'\n  [1] OMP_NUM_TEAMS = '4'\n";
        assert!(text.contains(lines), "{text}");
        assert!(text.contains("  [host] OMP_DYNAMIC = 'TRUE'\n  [device] OMP_DYNAMIC = 'true'\n"), "{text}");
    }

    #[test]
    fn settings_in_both_forms() {
        let user = Environment::of_text("OMP_NUM_THREADS=4|KMP_SETTINGS=1");
        let text = settings_text(&user, &[("OMP_B", "2".into()), ("KMP_A", "1".into())]);
        assert_eq!(
            text,
            "\nUser settings:\n\n   KMP_SETTINGS=1\n   OMP_NUM_THREADS=4\n\nEffective settings:\n\n   KMP_A='1'\n   OMP_B='2'\n\n"
        );
    }
}

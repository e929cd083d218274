//! The table of variables. A row has a variable's name, the reader of its value, the text that `OMP_DISPLAY_ENV` shows,
//! and the ICVs that follow the variable. A new variable is a new row here and a field of [`Settings`].
//!
//! The rows are read in their order. Lines about bad values come in this order, and some values depend on values of
//! rows above.

use super::counts::Counts;
use super::parse::{self, name, word};
use super::select::{self, Item};
use super::settings::Settings;
use super::task::Icvs;
use super::values::{Library, Reduction, TargetOffload, VerboseInit, WaitPolicy};
use super::{extensions, lists, precedence, reserve};
use crate::allocators;
use crate::device_numbers;
use crate::environment::{Environment, Notes, Reader};
use crate::place::{self, Place};
use std::path::PathBuf;

/// A variable of the environment.
pub struct Variable {
    pub name: &'static str,
    /// The ICV is of global scope, so that the variable has no device-specific forms (OpenMP 5.1 §2.4.1, Table 2.3).
    pub global: bool,
    /// A value that is set after the runtime has come up has no effect.
    pub early: bool,
    /// Reads the value. Another row reads the value of a row without a reader.
    pub read: Option<fn(&mut Value, &mut Settings)>,
    /// The text that `OMP_DISPLAY_ENV` shows. A row without a text has no line.
    pub show: Option<fn(&Now) -> String>,
    /// A row with an empty text has no line.
    pub if_set: bool,
    /// Debuggers read the value elsewhere in [`shown`](crate::shown), as the value changes or is known later.
    pub elsewhere: bool,
    /// Gives a task the value that a fresh initial task has.
    pub renew: Option<fn(&mut Icvs, &Icvs)>,
    /// Gives the initial task of a device the value in a valid text.
    pub on_device: Option<fn(&mut Icvs, &str, Counts)>,
}

/// The values that are shown.
pub struct Now<'a> {
    pub settings: &'a Settings,
    /// The ICVs of an initial task.
    pub initial: &'a Icvs,
    pub places: &'a [Place],
}

/// A variable that is being read. Each method leaves the field as it is where the variable is not set, or where its
/// value cannot be used.
pub struct Value<'r, 'e> {
    env: &'r mut Reader<'e>,
    name: &'static str,
}

impl Value<'_, '_> {
    /// As [`Reader::get`].
    fn take<T, F: From<T>>(&mut self, field: &mut F, what: &str, instead: &str, parse: fn(&str) -> Option<T>) {
        if let Some(value) = self.env.get(self.name, what, instead, parse) {
            *field = value.into();
        }
    }

    /// As [`Reader::get_for_host`].
    fn take_for_host<T, F: From<T>>(
        &mut self,
        field: &mut F,
        what: &str,
        instead: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        if let Some(value) = self.env.get_for_host(self.name, what, instead, parse) {
            *field = value.into();
        }
    }

    /// `true` or `false`.
    fn flag(&mut self, field: &mut impl From<bool>) {
        if let Some(value) = self.env.flag(self.name) {
            *field = value.into();
        }
    }
}

/// Reads every variable. `secure`: names of libraries and files are ignored, as the environment is not trusted.
pub fn read(environment: &Environment, secure: bool) -> (Settings, Notes) {
    let mut env = Reader::new(environment);
    env.refuse_device_forms(&names(|variable| variable.global));
    extensions::refuse_those_without_effect(&mut env);
    let mut settings = Settings { privileged: secure, ..Settings::default() };
    for variable in VARIABLES {
        if let Some(read) = variable.read {
            read(&mut Value { env: &mut env, name: variable.name }, &mut settings);
        }
    }
    settings.device_values = env.device_values;
    (settings, env.notes)
}

/// The names of the variables that `wanted` selects, sorted.
pub fn names(wanted: impl Fn(&Variable) -> bool) -> Vec<&'static str> {
    let mut names: Vec<_> = VARIABLES.iter().filter(|variable| wanted(variable)).map(|its| its.name).collect();
    names.sort_unstable();
    names
}

/// Makes the table. A row begins with the name. The flags of [`Variable`] that are true follow in brackets, then the
/// functions `read`, `show`, `renew` and `on_device`, as far as the variable has them. `= field` stands for `read` and
/// `show` of a field of [`Settings`] that is true or false.
macro_rules! variables {
    ($($name:literal $([$($mark:ident)*])? $(= $flag:ident)? $($column:ident $value:expr),*;)*) => {
        /// Every variable that has an effect. `extensions.rs` lists the variables that have none.
        pub const VARIABLES: &[Variable] = &[$(Variable {
            name: $name,
            $($($mark: true,)*)?
            $(read: Some(|v, s| v.flag(&mut s.$flag)), show: Some(|now| name(now.settings.$flag)),)?
            $($column: Some($value),)*
            ..NOTHING
        }),*];
    };
}

/// The values of the columns that a row leaves out.
const NOTHING: Variable = Variable {
    name: "",
    global: false,
    early: false,
    if_set: false,
    elsewhere: false,
    read: None,
    show: None,
    renew: None,
    on_device: None,
};

/// The form of `OMP_THREAD_LIMIT` and `OMP_TEAMS_THREAD_LIMIT`, for complaints.
const COUNT: &str = "a positive integer, or a name such as n_cores";

variables! {
    // Variables of other runtimes.
    "KMP_DISP_NUM_BUFFERS" [early] read |v, _| precedence::check_buffers(v.env, v.name);
    "KMP_DEVICE_THREAD_LIMIT"
        read |v, s| s.process_threads = precedence::process_threads(v.env, &place::cpus_of_process),
        show |now| now.settings.process_threads.to_string();
    "KMP_TEAMS_THREAD_LIMIT"
        read |v, s| v.take(&mut s.league_threads, "a positive integer", "no limit", parse::limit),
        show |now| now.settings.league_threads.map_or(String::new(), |limit| limit.to_string());
    "KMP_BLOCKTIME"
        read |v, s| v.take(&mut s.blocktime, "a time such as '200ms' or 'infinite'", "the default", parse::blocktime),
        show |now| or_infinite(now.settings.blocktime, "us");
    "GOMP_SPINCOUNT"
        read |v, s| v.take(&mut s.spin_count, "a count such as '30k' or 'infinite'", "the default", parse::spin_count),
        show |now| or_infinite(now.settings.spin_count, "");
    "KMP_LIBRARY"
        read |v, s| v.take(&mut s.library, "serial, turnaround or throughput", "the default", word::<Library>),
        show |now| now.settings.library.map_or(String::new(), name);
    "KMP_HOT_TEAMS_MAX_LEVEL"
        read |v, s| v.take(&mut s.kept_levels, "a non-negative integer", "every level", parse::non_negative),
        show |now| now.settings.kept_levels.to_string();
    "KMP_HOT_TEAMS_MODE"
        read |v, s| v.take(&mut s.keeps_reserve, "0 or 1", "1", parse::zero_or_one),
        show |now| u8::from(now.settings.keeps_reserve).to_string();
    "KMP_FORCE_REDUCTION"
        read |v, s| s.reduction = precedence::reduction(v.env),
        show |now| name(now.settings.reduction);
    "KMP_DETERMINISTIC_REDUCTION" show |now| name(now.settings.reduction == Reduction::Ordered);
    "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE" = monotonic_dynamic;
    "KMP_ENABLE_TASK_THROTTLING" = task_throttling;
    "KMP_SETTINGS" = show_settings;
    "KMP_VERSION" [early] = show_version;
    "KMP_WARNINGS"
        read |v, s| v.flag(&mut s.warnings),
        show |now| name(now.settings.warnings != Some(false));

    // Affinity: `place` reads these variables together, as their precedence depends on their values.
    "KMP_AFFINITY" [early]
        read |v, s| s.affinity = place::read(v.env, s.privileged),
        show |now| now.settings.affinity.kmp.describe();
    "KMP_HW_SUBSET" [early] show |now| now.settings.affinity.subset_text().to_string();
    "KMP_PLACE_THREADS" [early];
    "KMP_TOPOLOGY_METHOD" [early] show |now| String::from(if now.settings.affinity.flat { "flat" } else { "all" });
    "OMP_DISPLAY_AFFINITY" [global] show |now| name(now.settings.affinity.display);
    "OMP_AFFINITY_FORMAT" [elsewhere] show |now| String::from_utf8_lossy(&now.settings.affinity.format).into_owned();
    "OMP_PLACES" [early elsewhere] show |now| match now.settings.affinity.asks_for_cores() {
        // The name, as with libomp. Cores also take the place of a value that cannot be read.
        true => String::from("cores"),
        false => joined(now.places, |place| format!("{{{}}}", joined(&place.cpus, u32::to_string))),
    };
    "GOMP_CPU_AFFINITY" [early];
    "OMP_PROC_BIND" [early] show |now| joined(&now.settings.affinity.bind, |bind| name(*bind));

    // OpenMP's variables.
    "OMP_NUM_THREADS" [elsewhere]
        read |v, s| {
            let (what, counts) = ("a list of positive integers and names such as n_cores", Counts(&s.affinity));
            v.take_for_host(&mut s.num_threads, what, "the number of CPUs", |text| counts.list(text))
        },
        show |now| match now.settings.num_threads.as_slice() {
            [] => now.initial.nthreads.to_string(),
            list => joined(list, i32::to_string),
        },
        renew |icvs, fresh| icvs.nthreads = fresh.nthreads,
        on_device |icvs, text, counts| {
            if let Some((&first, left)) = counts.list(text).as_deref().and_then(<[i32]>::split_first) {
                (icvs.nthreads, icvs.nthreads_list) = (first, lists::number_of(left));
            }
        };
    "OMP_THREAD_LIMIT" [early]
        read |v, s| v.take_for_host(&mut s.thread_limit, COUNT, "no limit", |text| Counts(&s.affinity).limit(text)),
        show |now| now.initial.thread_limit.to_string(),
        on_device |icvs, text, counts| icvs.thread_limit = counts.limit(text).unwrap_or(icvs.thread_limit);
    "OMP_TEAMS_THREAD_LIMIT" [elsewhere]
        read |v, s| v.take_for_host(&mut s.teams_thread_limit, COUNT, "no limit", |text| Counts(&s.affinity).count(text)),
        show |now| now.settings.teams_thread_limit.to_string();
    "OMP_TOOL" [global early]
        read |v, s| v.take(&mut s.tool, "enabled or disabled", "enabled", word),
        show |now| name(now.settings.tool);
    "OMP_TARGET_OFFLOAD" [global]
        read |v, s| v.take(&mut s.target_offload, "mandatory, disabled or default", "default", word),
        show |now| name(now.settings.target_offload);
    "OMP_DEFAULT_DEVICE"
        read |v, s| {
            let what = "a non-negative integer, or a list of such and of traits";
            v.take_for_host(&mut s.default_devices, what, "0", select::parse_default);
            s.default_device = match s.default_devices.as_ref().map(|list| &*list.items) {
                Some(&[Item::Number(number)]) => number,
                Some(_) => device_numbers::LISTED,
                None if s.target_offload == TargetOffload::Mandatory => device_numbers::INVALID,
                None => 0,
            }
        },
        show |now| match &now.settings.default_devices {
            Some(list) if now.initial.default_device == device_numbers::LISTED => list.text.clone(),
            _ => now.initial.default_device.to_string(),
        },
        renew |icvs, fresh| icvs.default_device = fresh.default_device,
        on_device |icvs, text, _| icvs.default_device = parse::non_negative(text).unwrap_or(icvs.default_device);
    "OMP_MAX_ACTIVE_LEVELS"
        read |v, s| s.max_active_levels = precedence::max_active_levels(v.env, s),
        show |now| now.initial.max_active_levels.to_string(),
        renew |icvs, fresh| icvs.max_active_levels = fresh.max_active_levels,
        on_device |icvs, text, _| icvs.max_active_levels = parse::non_negative(text).unwrap_or(icvs.max_active_levels);
    "OMP_NESTED" [global]
        show |now| name(now.initial.max_active_levels > 1),
        renew |icvs, fresh| icvs.max_active_levels = fresh.max_active_levels;
    "OMP_DYNAMIC"
        read |v, s| v.take_for_host(&mut s.dynamic, "true or false", "false", word),
        show |now| name(now.initial.dynamic),
        renew |icvs, fresh| icvs.dynamic = fresh.dynamic,
        on_device |icvs, text, _| icvs.dynamic = word(text).unwrap_or(icvs.dynamic);
    "OMP_THREADS_RESERVE"
        read |v, s| s.reserve = reserve::read(v.env, s.thread_limit),
        show |now| now.settings.reserve.to_string();
    "OMP_NUM_TEAMS" [elsewhere]
        read |v, s| v.take_for_host(&mut s.num_teams, "a positive integer", "the runtime's choice", parse::positive),
        show |now| now.settings.num_teams.to_string();
    "OMP_SCHEDULE"
        read |v, s| v.take_for_host(&mut s.schedule, "a schedule such as 'dynamic,4'", "'static'", parse::schedule),
        show |now| now.initial.run_sched.to_string(),
        renew |icvs, fresh| icvs.run_sched = fresh.run_sched,
        on_device |icvs, text, _| icvs.run_sched = parse::schedule(text).unwrap_or(icvs.run_sched);
    "OMP_STACKSIZE" [elsewhere]
        read |v, s| s.stack_size = precedence::stack_size(v.env),
        show |now| now.settings.stack_size.map_or(String::from("0"), |bytes| format!("{bytes}B"));
    "OMP_WAIT_POLICY"
        read |v, s| s.wait_policy = precedence::wait_policy(v.env, s.library),
        show |now| name(now.settings.wait_policy.unwrap_or(WaitPolicy::Passive));
    "OMP_CANCELLATION" [global early] = cancellation;
    "OMP_MAX_TASK_PRIORITY" [global]
        read |v, s| v.take(&mut s.max_task_priority, "a non-negative integer", "0", parse::non_negative),
        show |now| now.settings.max_task_priority.to_string();
    "OMP_ALLOCATOR"
        read |v, s| {
            let what = "an allocator, or a memory space and traits";
            v.take_for_host(&mut s.def_allocator, what, "omp_default_mem_alloc", allocators::from_text)
        },
        show |now| allocators::describe(now.initial.def_allocator),
        renew |icvs, fresh| icvs.def_allocator = fresh.def_allocator;
    "OMP_DISPLAY_ENV" [global]
        read |v, s| v.take(&mut s.display_env, "true, false or verbose", "false", word),
        show |now| name(now.settings.display_env);
    "OMP_AVAILABLE_DEVICES" [global early if_set]
        read |v, s| v.take(&mut s.available_devices, "a list of traits of devices", "all", select::parse_available),
        show |now| now.settings.available_devices.as_ref().map_or(String::new(), |list| list.text.clone());
    "FERROMP_HOST_DEVICES" [early]
        read |v, s| v.take(&mut s.host_devices, "a number up to 64", "1", parse::host_devices),
        show |now| now.settings.host_devices.to_string();
    "OMP_TOOL_LIBRARIES" [global early]
        read |v, s| s.tool_libraries = precedence::libraries(v.env, v.name, s.privileged),
        show |now| paths(&now.settings.tool_libraries);
    "FERROMP_TOOLS" [early]
        read |v, s| s.further_tools = precedence::libraries(v.env, v.name, s.privileged),
        show |now| paths(&now.settings.further_tools);
    "OMP_TOOL_VERBOSE_INIT" [global early]
        read |v, s| s.tool_verbose_init = precedence::verbose_init(v.env, v.name, s.privileged),
        show |now| match &now.settings.tool_verbose_init {
            None => String::from("DISABLED"),
            Some(VerboseInit::Stdout) => String::from("STDOUT"),
            Some(VerboseInit::Stderr) => String::from("STDERR"),
            Some(VerboseInit::File(path)) => path.to_string_lossy().into_owned(),
        };
    "OMP_DEBUG" [global early]
        read |v, s| v.take(&mut s.debug, "enabled or disabled", "disabled", word),
        show |now| name(now.settings.debug);
}

/// A list as the variable has it.
fn joined<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(",")
}

/// A number with its unit, or the word for `u64::MAX`; empty where the variable is not set.
fn or_infinite(number: Option<u64>, unit: &str) -> String {
    match number {
        None => String::new(),
        Some(u64::MAX) => String::from("INFINITE"),
        Some(number) => format!("{number}{unit}"),
    }
}

/// Names of files as the variable has them.
fn paths(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variable_has_one_row() {
        let names = names(|_| true);
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn what_has_a_value_has_an_effect() {
        for variable in VARIABLES {
            assert!(!extensions::without_effect().any(|(name, _)| name == variable.name), "{}", variable.name);
        }
    }
}

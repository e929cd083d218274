//! The settings: what the environment asks for, read once by the table in `variables.rs`. A value that does not parse
//! is named on standard error, and the default stands (OpenMP 5.1 §6).

use crate::allocators;
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::upcalls;
use std::ffi::OsString;
use std::path::PathBuf;

use super::extensions::{self, Extensions, Library};
use super::reserve::Reserve;
use super::select::List;
use super::{Bind, Monotonicity, SUPPORTED_ACTIVE_LEVELS, Schedule, ScheduleKind, parse, variables};
use crate::environment::{DeviceValue, Environment, Notes, Reader};
use crate::park::mutex::Mutex;
use crate::place;
use crate::warnings;

/// `OMP_WAIT_POLICY`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    Active,
    Passive,
}

/// `OMP_TARGET_OFFLOAD`; the numbers are those by which clang's code knows them.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetOffload {
    /// Target regions run on the host.
    Disabled = 0,
    Default = 1,
    /// A target region that cannot run on its device ends the program.
    Mandatory = 2,
}

/// `OMP_DISPLAY_ENV`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DisplayEnv {
    No,
    Yes,
    /// Also the variables that are not OpenMP's.
    Verbose,
}

/// `OMP_TOOL`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolSetting {
    Enabled,
    Disabled,
}

/// `OMP_TOOL_VERBOSE_INIT`, where it is set and not `disabled`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VerboseInit {
    Stdout,
    Stderr,
    File(PathBuf),
}

with_defaults! {
    /// The environment's requests, with defaults where it has none.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Settings {
        /// `OMP_NUM_THREADS`, an element a nesting level; empty where it is not set.
        pub num_threads: Vec<i32> = Vec::new(),
        /// `OMP_PROC_BIND`, an element a nesting level; never empty.
        pub bind: Vec<Bind> = vec![Bind::False],
        /// `OMP_DYNAMIC`.
        pub dynamic: bool = false,
        /// `OMP_MAX_ACTIVE_LEVELS`, or what `OMP_NESTED` or a list in another variable implies.
        pub max_active_levels: i32 = 1,
        /// `OMP_THREAD_LIMIT`; `i32::MAX` where there is none.
        pub thread_limit: i32 = i32::MAX,
        /// `OMP_THREADS_RESERVE`.
        pub reserve: Reserve = Reserve::default(),
        /// `OMP_NUM_TEAMS`: nteams-var; 0 where the runtime chooses.
        pub num_teams: i32 = 0,
        /// `OMP_TEAMS_THREAD_LIMIT`: teams-thread-limit-var; 0 where there is none.
        pub teams_thread_limit: i32 = 0,
        /// `OMP_SCHEDULE`.
        pub schedule: Schedule =
            Schedule { kind: ScheduleKind::Static, monotonic: Monotonicity::Unspecified, chunk: 0 },
        /// Stack of each worker in bytes: `KMP_STACKSIZE`, `OMP_STACKSIZE` or `GOMP_STACKSIZE`, in this order.
        pub stack_size: Option<usize> = None,
        /// `KMP_LIBRARY`, else `OMP_WAIT_POLICY`: the latter's values are two of the former's.
        pub wait_policy: Option<WaitPolicy> = None,
        /// `OMP_CANCELLATION`.
        pub cancellation: bool = false,
        /// `OMP_MAX_TASK_PRIORITY`.
        pub max_task_priority: i32 = 0,
        /// Places, and the machine that they are made of.
        pub affinity: place::Request = place::Request::default(),
        /// `OMP_ALLOCATOR`: the allocator that it names, or the one that has been made as it says.
        pub def_allocator: allocators::Handle = allocators::DEFAULT,
        pub display_env: DisplayEnv = DisplayEnv::No,
        /// `OMP_DEFAULT_DEVICE`: a number, or one of `device`'s for what is none.
        pub default_device: i32 = 0,
        /// The list in `OMP_DEFAULT_DEVICE`, where `default_device` refers to it.
        pub default_devices: Option<List> = None,
        /// `OMP_AVAILABLE_DEVICES`.
        pub available_devices: Option<List> = None,
        pub target_offload: TargetOffload = TargetOffload::Default,
        /// `FERROMP_HOST_DEVICES`: how many host devices there are for a program that has code for them.
        pub host_devices: i32 = 1,
        pub tool: ToolSetting = ToolSetting::Enabled,
        /// `OMP_TOOL_LIBRARIES`; always empty in a setuid process.
        pub tool_libraries: Vec<PathBuf> = Vec::new(),
        /// `FERROMP_TOOLS`: further tools, all of which are to be active; always empty in a setuid process.
        pub further_tools: Vec<PathBuf> = Vec::new(),
        /// Whether the environment is not trusted, as in a setuid process.
        pub privileged: bool = false,
        /// `None` where nothing is to be narrated.
        pub tool_verbose_init: Option<VerboseInit> = None,
        /// `OMP_DEBUG`: whether a debugger may ask for OMPD.
        pub debug: bool = false,
        /// The variables of other runtimes.
        pub extensions: Extensions = Extensions::default(),
        /// Values for single devices.
        pub device_values: Vec<DeviceValue> = Vec::new(),
    }
}

/// The settings in force; null before the first call of [`settings`].
static SETTINGS: AtomicPtr<Settings> = AtomicPtr::new(std::ptr::null_mut());
/// What the program has put above the environment. Held while settings are made.
static ABOVE: Mutex<Environment> = Mutex::new(Environment::empty());

/// The process's settings. The first call reads the environment and reports bad values; it must not come from a signal
/// handler.
#[inline(always)]
pub fn settings() -> &'static Settings {
    // Acquire: pairs with the release in `publish`, so the settings are seen whole.
    let settings = SETTINGS.load(Ordering::Acquire);
    if settings.is_null() {
        return first();
    }
    // SAFETY: settings that were published are never freed.
    unsafe { &*settings }
}

#[cold]
fn first() -> &'static Settings {
    ABOVE.with(|_| {
        let present = SETTINGS.load(Ordering::Acquire);
        if !present.is_null() {
            // SAFETY: as in `settings`.
            return unsafe { &*present };
        }
        let (settings, notes) = read(&Environment::of_process(), privileged());
        publish(settings, &notes)
    })
}

/// Puts `more` above the environment and what was put there before. Settings that are replaced stay where they are, as
/// others may be reading them.
pub fn change(more: &Environment) {
    let before = settings();
    ABOVE.with(|above| {
        *above = std::mem::replace(above, Environment::empty()).with(more);
        let (new, mut notes) = read(&Environment::of_process().with(above), privileged());
        let is_new = |line: &String| more.shown().any(|(name, _)| line.starts_with(&format!("ferromp: {name}=")));
        notes.complaints.retain(is_new);
        notes.remarks.retain(is_new);
        if new == *before {
            say(&notes);
        } else {
            publish(new, &notes);
        }
    });
}

/// [`ferromp_up_read_settings`](crate::upcalls::ferromp_up_read_settings).
#[unsafe(no_mangle)]
fn ferromp_up_read_settings() {
    settings();
}

/// In a forked child: whoever held the lock does not exist.
pub fn after_fork() {
    ABOVE.force_open();
    super::lists::after_fork();
}

fn publish(settings: Settings, notes: &Notes) -> &'static Settings {
    let settings: &'static Settings = Box::leak(Box::new(settings));
    warnings::set_up(settings.extensions.warnings);
    say(notes);
    place::in_force::put_in_force(&settings.affinity, &settings.bind);
    SETTINGS.store(std::ptr::from_ref(settings).cast_mut(), Ordering::Release);
    settings
}

fn say(notes: &Notes) {
    notes.complaints.iter().for_each(|line| warnings::warn(line));
    notes.remarks.iter().for_each(|line| warnings::remark(line));
}

/// Whether the process runs with more rights than its caller has (setuid, setgid, file capabilities).
fn privileged() -> bool {
    // SAFETY: getauxval only reads the process's auxiliary vector.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// The number that the host will have as a device.
fn host_number(environment: &Environment) -> u32 {
    let offload = environment.text("OMP_TARGET_OFFLOAD").and_then(|text| parse::word(&text));
    let host_devices = environment.text("FERROMP_HOST_DEVICES").and_then(|text| parse::host_devices(&text));
    let available = environment.text("OMP_AVAILABLE_DEVICES");
    if offload == Some(TargetOffload::Disabled) {
        0
    } else {
        upcalls::ferromp_up_expected_devices(host_devices.unwrap_or(1), available.as_deref())
    }
}

/// Reads every variable. `secure`: names of libraries and files are ignored, as the environment is not trusted.
pub(super) fn read(environment: &Environment, secure: bool) -> (Settings, Notes) {
    let mut env = Reader::new(environment, host_number(environment));
    env.refuse_device_forms(&variables::names(|variable| variable.global));
    extensions::refuse_those_without_effect(&mut env);
    let mut settings = Settings { privileged: secure, ..Settings::default() };
    variables::read(&mut env, &mut settings);
    settings.device_values = std::mem::take(&mut env.device_values);
    (settings, env.notes)
}

/// `OMP_MAX_ACTIVE_LEVELS`, else `OMP_NESTED`, else every level where a list has an element for more than one (OpenMP
/// 5.1 §6.8, §6.9).
pub(super) fn max_active_levels(env: &mut Reader, settings: &Settings) -> i32 {
    let has_list = settings.num_threads.len() > 1 || settings.bind.len() > 1;
    let levels =
        env.get_for_host("OMP_MAX_ACTIVE_LEVELS", "a non-negative integer", "the default", parse::non_negative);
    let nested = env.flag("OMP_NESTED");
    if nested.is_some() {
        env.remark("OMP_NESTED", "deprecated; OMP_MAX_ACTIVE_LEVELS does the same");
    }
    env.overridden("OMP_NESTED", "OMP_MAX_ACTIVE_LEVELS");
    match (levels, nested) {
        (Some(levels), _) => levels,
        (None, Some(false)) => 1,
        (None, Some(true)) => SUPPORTED_ACTIVE_LEVELS,
        (None, None) if has_list => SUPPORTED_ACTIVE_LEVELS,
        (None, None) => 1,
    }
}

/// What `KMP_LIBRARY` says, else `OMP_WAIT_POLICY`.
pub(super) fn wait_policy(env: &mut Reader, library: Option<Library>) -> Option<WaitPolicy> {
    let policy = env.get_for_host("OMP_WAIT_POLICY", "active or passive", "the default", parse::word);
    if matches!(library, Some(Library::Turnaround | Library::Throughput)) {
        env.overridden("OMP_WAIT_POLICY", "KMP_LIBRARY");
    }
    match library {
        Some(Library::Turnaround) => Some(WaitPolicy::Active),
        Some(Library::Throughput) => Some(WaitPolicy::Passive),
        Some(Library::Serial) | None => policy,
    }
}

/// `KMP_STACKSIZE`, else `OMP_STACKSIZE`, else `GOMP_STACKSIZE`. Where no unit stands, the first counts bytes and the
/// others count KiB, as in the runtimes that they come from.
pub(super) fn stack_size(env: &mut Reader) -> Option<usize> {
    let (what, default) = ("a size such as '16M'", "the default");
    let kmp = env.get("KMP_STACKSIZE", what, default, |text| parse::size(text, 1));
    let omp = env.get_for_host("OMP_STACKSIZE", what, default, |text| parse::size(text, 1 << 10));
    let gomp = env.get("GOMP_STACKSIZE", what, default, |text| parse::size(text, 1 << 10));
    env.overridden("OMP_STACKSIZE", "KMP_STACKSIZE");
    env.overridden("GOMP_STACKSIZE", if kmp.is_some() { "KMP_STACKSIZE" } else { "OMP_STACKSIZE" });
    kmp.or(omp).or(gomp)
}

/// Names divided by colons, taken as they are: file names may hold white space and need not be UTF-8. `secure`: none.
pub(super) fn libraries(env: &Reader, variable: &str, secure: bool) -> Vec<PathBuf> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let Some(value) = env.raw(variable).filter(|_| !secure) else { return Vec::new() };
    value
        .as_bytes()
        .split(|&byte| byte == b':')
        .filter(|name| !name.is_empty())
        .map(|name| PathBuf::from(OsString::from_vec(name.to_vec())))
        .collect()
}

/// `OMP_TOOL_VERBOSE_INIT`: where to the search for a tool is narrated. `secure`: to no file.
pub(super) fn verbose_init(env: &Reader, variable: &str, secure: bool) -> Option<VerboseInit> {
    let text = env.text(variable)?;
    match text.trim().to_ascii_lowercase().as_str() {
        "disabled" => None,
        "stdout" => Some(VerboseInit::Stdout),
        "stderr" => Some(VerboseInit::Stderr),
        _ if secure => None,
        _ => env.raw(variable).map(|name| VerboseInit::File(PathBuf::from(name))),
    }
}

/// Settings from a made-up environment, for other modules' tests.
#[cfg(test)]
pub fn settings_of(variables: &[(&str, &str)]) -> Settings {
    from_variables(variables).0
}

/// Settings and complaints from a made-up environment.
#[cfg(test)]
pub(super) fn from_variables(variables: &[(&str, &str)]) -> (Settings, Vec<String>) {
    let (settings, notes) = with_notes(variables);
    (settings, notes.complaints)
}

/// Settings from a made-up environment, and all there is to say about it.
#[cfg(test)]
pub(super) fn with_notes(variables: &[(&str, &str)]) -> (Settings, Notes) {
    read(&Environment::of(variables.iter().map(|(name, value)| (name.to_string(), OsString::from(value)))), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults() {
        let (settings, complaints) = from_variables(&[]);
        assert!(complaints.is_empty());
        assert!(settings.num_threads.is_empty());
        assert_eq!(settings.bind, [Bind::False]);
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
        assert!(complaints.is_empty() && settings.num_threads.is_empty() && settings.bind == [Bind::False]);
    }

    #[test]
    fn nesting() {
        let levels = |variables: &[(&str, &str)]| from_variables(variables).0.max_active_levels;
        assert_eq!(levels(&[("OMP_NESTED", "true")]), SUPPORTED_ACTIVE_LEVELS);
        assert_eq!(levels(&[("OMP_NESTED", "true"), ("OMP_MAX_ACTIVE_LEVELS", "2")]), 2);
        assert_eq!(levels(&[("OMP_NUM_THREADS", "2,2")]), SUPPORTED_ACTIVE_LEVELS);
        assert_eq!(levels(&[("OMP_NUM_THREADS", "2,2"), ("OMP_NESTED", "false")]), 1);
        assert_eq!(levels(&[("OMP_PROC_BIND", "close,close")]), SUPPORTED_ACTIVE_LEVELS);
        assert_eq!(levels(&[("OMP_MAX_ACTIVE_LEVELS", "0")]), 0);
    }

    #[test]
    fn limits_and_stacks_have_an_order() {
        let variables = [("OMP_THREAD_LIMIT", "8"), ("KMP_ALL_THREADS", "6")];
        assert_eq!(from_variables(&variables).0.thread_limit, 8);
        let stack = |variables: &[(&str, &str)]| from_variables(variables).0.stack_size;
        assert_eq!(stack(&[("OMP_STACKSIZE", "2M"), ("GOMP_STACKSIZE", "1024")]), Some(2 << 20));
        assert_eq!(stack(&[("OMP_STACKSIZE", "2M"), ("KMP_STACKSIZE", "65536")]), Some(65536));
        assert_eq!(stack(&[("GOMP_STACKSIZE", "1024")]), Some(1 << 20));
    }

    #[test]
    fn what_is_overridden_is_remarked() {
        let remarks = |variables: &[(&str, &str)]| with_notes(variables).1.remarks;
        assert_eq!(remarks(&[("OMP_STACKSIZE", "1M"), ("OMP_WAIT_POLICY", "active")]), [""; 0]);
        assert_eq!(
            remarks(&[("OMP_STACKSIZE", "1M"), ("GOMP_STACKSIZE", "7")]),
            ["ferromp: GOMP_STACKSIZE='7': overridden by OMP_STACKSIZE\n"]
        );
        assert_eq!(remarks(&[("OMP_STACKSIZE", "1M"), ("GOMP_STACKSIZE", "7"), ("KMP_STACKSIZE", "2M")]).len(), 2);
        assert_eq!(remarks(&[("OMP_WAIT_POLICY", "active"), ("KMP_LIBRARY", "throughput")]).len(), 1);
        assert_eq!(remarks(&[("OMP_NESTED", "true")]).len(), 1);
    }

    #[test]
    fn a_library_is_a_wait_policy() {
        let policy = |variables: &[(&str, &str)]| from_variables(variables).0.wait_policy;
        assert_eq!(policy(&[("OMP_WAIT_POLICY", "active"), ("KMP_LIBRARY", "throughput")]), Some(WaitPolicy::Passive));
        assert_eq!(policy(&[("OMP_WAIT_POLICY", "passive"), ("KMP_LIBRARY", "dedicated")]), Some(WaitPolicy::Active));
        assert_eq!(policy(&[("OMP_WAIT_POLICY", "passive"), ("KMP_LIBRARY", "serial")]), Some(WaitPolicy::Passive));
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
            settings.tool_libraries.is_empty()
                && settings.further_tools.is_empty()
                && settings.tool_verbose_init.is_none()
        );
        assert!(notes.complaints.is_empty());
        assert_eq!(settings.num_threads, [3]);
    }
}

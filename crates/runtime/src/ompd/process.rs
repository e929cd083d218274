//! What the whole process has, for debuggers: the ICVs of global and device scope, and what the ICVs of tasks refer to,
//! as plain numbers and pointers. Copies, written on the cold paths where the runtime's own values change (OpenMP 5.1
//! §2.4, §5.5.9).
//!
//! Whoever reads it reads it from outside, at any moment: a pointer is written when what it points to is complete, and
//! what it pointed to before is freed afterwards, if at all. Strings end with a null byte.

use crate::model::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;

use ompd_layout::{Entry, Field};

use crate::device;
use crate::icv::{self, Settings, ToolSetting, VerboseInit, WaitPolicy};
use crate::layout::Shown;
use crate::layout::place;
use crate::mem;
use crate::place::{Place, display};

/// The copies. Written by the functions of this file, read by debuggers.
#[repr(C)]
pub struct Process {
    /// omp_get_num_procs; 0 until it is counted.
    num_procs: AtomicI32,
    /// Devices besides the host that have been counted so far.
    devices: AtomicI32,
    /// nteams-var of the host, then of each device by its number; 0 where the runtime chooses.
    num_teams: [AtomicI32; device::MOST + 1],
    /// teams-thread-limit-var, likewise; 0 where there is no limit.
    teams_thread_limit: [AtomicI32; device::MOST + 1],
    /// max-task-priority-var.
    max_task_priority: AtomicI32,
    /// target-offload-var: [`TargetOffload`](icv::TargetOffload).
    target_offload: AtomicI32,
    /// wait-policy-var: 1 for active.
    wait_policy: AtomicU8,
    /// cancel-var.
    cancellation: AtomicU8,
    /// display-affinity-var.
    display_affinity: AtomicU8,
    /// tool-var: 1 for enabled.
    tool: AtomicU8,
    /// debug-var: 1 for enabled.
    debug: AtomicU8,
    /// stacksize-var: bytes.
    stack_size: AtomicUsize,
    /// affinity-format-var.
    affinity_format: AtomicPtr<c_char>,
    /// tool-libraries-var: names divided by colons.
    tool_libraries: AtomicPtr<c_char>,
    /// tool-verbose-init-var.
    tool_verbose_init: AtomicPtr<c_char>,
    /// The variables that are not among the others here: lines `NAME=value`.
    variables: AtomicPtr<c_char>,
    /// nthreads-var's list as the environment has it: what [`Icvs::nthreads_level`](icv::Icvs::nthreads_level) counts.
    num_threads: AtomicPtr<i32>,
    num_threads_count: AtomicU32,
    bind_count: AtomicU32,
    /// bind-var's list, elements of [`Bind`](icv::Bind).
    bind: AtomicPtr<icv::Bind>,
    /// The newest of the lists that clauses have put in its place ([`icv::lists`]).
    clause_lists: AtomicPtr<icv::lists::List>,
    /// Where the CPUs of each place end in [`place_cpus`](Self::place_cpus).
    places: AtomicPtr<u32>,
    place_cpus: AtomicPtr<u32>,
    place_count: AtomicU32,
    /// The handle of the first entry of [`allocators`](Self::allocators).
    allocator_first: AtomicU32,
    /// How many entries it has.
    allocator_count: AtomicU32,
    /// The table of the allocators that programs have made: pointers, null where there is none.
    allocators: AtomicPtr<AtomicPtr<mem::Allocator>>,
}

impl Process {
    const fn new() -> Process {
        Process {
            num_procs: AtomicI32::new(0),
            devices: AtomicI32::new(0),
            num_teams: [const { AtomicI32::new(0) }; device::MOST + 1],
            teams_thread_limit: [const { AtomicI32::new(0) }; device::MOST + 1],
            max_task_priority: AtomicI32::new(0),
            target_offload: AtomicI32::new(0),
            wait_policy: AtomicU8::new(0),
            cancellation: AtomicU8::new(0),
            display_affinity: AtomicU8::new(0),
            tool: AtomicU8::new(0),
            debug: AtomicU8::new(0),
            stack_size: AtomicUsize::new(0),
            affinity_format: AtomicPtr::new(ptr::null_mut()),
            tool_libraries: AtomicPtr::new(ptr::null_mut()),
            tool_verbose_init: AtomicPtr::new(ptr::null_mut()),
            variables: AtomicPtr::new(ptr::null_mut()),
            num_threads: AtomicPtr::new(ptr::null_mut()),
            num_threads_count: AtomicU32::new(0),
            bind_count: AtomicU32::new(0),
            bind: AtomicPtr::new(ptr::null_mut()),
            clause_lists: AtomicPtr::new(ptr::null_mut()),
            places: AtomicPtr::new(ptr::null_mut()),
            place_cpus: AtomicPtr::new(ptr::null_mut()),
            place_count: AtomicU32::new(0),
            allocator_first: AtomicU32::new(0),
            allocator_count: AtomicU32::new(0),
            allocators: AtomicPtr::new(ptr::null_mut()),
        }
    }

    fn take_settings(&self, settings: &'static Settings) {
        let number = |to: &AtomicI32, value: i32| to.store(value, Ordering::Relaxed);
        let flag = |to: &AtomicU8, value: bool| to.store(value.into(), Ordering::Relaxed);
        number(&self.max_task_priority, settings.max_task_priority);
        number(&self.target_offload, settings.target_offload as i32);
        flag(&self.wait_policy, settings.wait_policy == Some(WaitPolicy::Active));
        flag(&self.cancellation, settings.cancellation);
        flag(&self.display_affinity, settings.affinity.display);
        flag(&self.tool, settings.tool == ToolSetting::Enabled);
        flag(&self.debug, settings.debug);
        show_string(&self.tool_libraries, &names(&settings.tool_libraries));
        show_string(&self.tool_verbose_init, verbose_init(settings.tool_verbose_init.as_ref()));
        show_string(&self.variables, icv::for_debuggers(settings).as_bytes());
        show_array(&self.num_threads, &self.num_threads_count, &settings.num_threads);
        show_array(&self.bind, &self.bind_count, &settings.bind);
        let (table, first, count) = mem::made_allocators();
        self.allocator_first.store(first, Ordering::Relaxed);
        self.allocator_count.store(count, Ordering::Relaxed);
        self.allocators.store(table.as_ptr().cast_mut(), Ordering::Release);
    }

    fn take_places(&self, places: &[Place]) {
        let cpus: Vec<u32> = places.iter().flat_map(|place| place.cpus()).copied().collect();
        let ends: Vec<u32> = places
            .iter()
            .scan(0, |end, place| {
                *end += place.cpus().len() as u32;
                Some(*end)
            })
            .collect();
        self.place_cpus.store(cpus.leak().as_mut_ptr(), Ordering::Relaxed);
        show_array(&self.places, &self.place_count, ends.leak());
    }

    /// Where each field lies.
    pub(crate) const SHOWN: Shown = &[
        (Field::ProcessNumProcs, place!(Process, num_procs)),
        (Field::ProcessDevices, place!(Process, devices)),
        (Field::ProcessNumTeams, first(place!(Process, num_teams))),
        (Field::ProcessTeamsThreadLimit, first(place!(Process, teams_thread_limit))),
        (Field::ProcessMaxTaskPriority, place!(Process, max_task_priority)),
        (Field::ProcessTargetOffload, place!(Process, target_offload)),
        (Field::ProcessWaitPolicy, place!(Process, wait_policy)),
        (Field::ProcessCancellation, place!(Process, cancellation)),
        (Field::ProcessDisplayAffinity, place!(Process, display_affinity)),
        (Field::ProcessTool, place!(Process, tool)),
        (Field::ProcessDebug, place!(Process, debug)),
        (Field::ProcessStackSize, place!(Process, stack_size)),
        (Field::ProcessAffinityFormat, place!(Process, affinity_format)),
        (Field::ProcessToolLibraries, place!(Process, tool_libraries)),
        (Field::ProcessToolVerboseInit, place!(Process, tool_verbose_init)),
        (Field::ProcessVariables, place!(Process, variables)),
        (Field::ProcessNumThreads, place!(Process, num_threads)),
        (Field::ProcessNumThreadsCount, place!(Process, num_threads_count)),
        (Field::ProcessBind, place!(Process, bind)),
        (Field::ProcessBindCount, place!(Process, bind_count)),
        (Field::ProcessClauseLists, place!(Process, clause_lists)),
        (Field::ProcessPlaces, place!(Process, places)),
        (Field::ProcessPlaceCpus, place!(Process, place_cpus)),
        (Field::ProcessPlaceCount, place!(Process, place_count)),
        (Field::ProcessAllocators, place!(Process, allocators)),
        (Field::ProcessAllocatorFirst, place!(Process, allocator_first)),
        (Field::ProcessAllocatorCount, place!(Process, allocator_count)),
    ];
}

/// The first number of an array, in the place of all of it.
const fn first(array: Entry) -> Entry {
    Entry { size: size_of::<i32>() as u32, ..array }
}

/// The block.
pub static PROCESS: Process = Process::new();

/// Shows settings that have just come into force. Of those that were shown before, the strings stay where they are, as
/// the settings do.
#[cold]
pub fn show_settings(settings: &'static Settings) {
    PROCESS.take_settings(settings);
    show_teams();
    super::show_process(&PROCESS);
    display::show_format_to_debuggers();
}

/// Shows nteams-var and teams-thread-limit-var of the host and of all devices.
#[cold]
pub fn show_teams() {
    let words = PROCESS.num_teams.iter().zip(&PROCESS.teams_thread_limit);
    for (device, (num_teams, thread_limit)) in (-1..device::known()).zip(words) {
        num_teams.store(icv::num_teams(device), Ordering::Relaxed);
        thread_limit.store(icv::teams_thread_limit(device), Ordering::Relaxed);
    }
}

/// Shows stacksize-var.
#[cold]
pub fn show_stack_size(bytes: usize) {
    PROCESS.stack_size.store(bytes, Ordering::Relaxed);
}

/// Shows how many processors there are.
#[cold]
pub fn show_num_procs(count: usize) {
    PROCESS.num_procs.store(i32::try_from(count).unwrap_or(i32::MAX), Ordering::Relaxed);
}

/// Shows how many devices there are besides the host.
#[cold]
pub fn show_devices(count: i32) {
    show_teams();
    PROCESS.devices.store(count, Ordering::Relaxed);
}

/// Shows the newest list of a clause.
#[cold]
pub fn show_clause_list(newest: &'static icv::lists::List) {
    PROCESS.clause_lists.store(ptr::from_ref(newest).cast_mut(), Ordering::Release);
}

/// Shows the place list, which is made once.
#[cold]
pub fn show_places(places: &[Place]) {
    PROCESS.take_places(places);
}

/// Shows affinity-format-var. The caller keeps the string until it shows another.
#[cold]
pub fn show_affinity_format(format: &std::ffi::CStr) {
    PROCESS.affinity_format.store(format.as_ptr().cast_mut(), Ordering::Release);
}

/// Text up to its first null byte, as a string that stays.
fn show_string(to: &AtomicPtr<c_char>, text: &[u8]) {
    to.store(c_string(text).into_raw(), Ordering::Release);
}

/// Text as a string of C: up to its first null byte.
pub fn c_string(text: &[u8]) -> CString {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// The count is 0 while the pointer changes.
fn show_array<T>(to: &AtomicPtr<T>, count: &AtomicU32, array: &'static [T]) {
    count.store(0, Ordering::Release);
    to.store(array.as_ptr().cast_mut(), Ordering::Release);
    count.store(array.len() as u32, Ordering::Release);
}

fn names(libraries: &[PathBuf]) -> Vec<u8> {
    let names: Vec<&[u8]> = libraries.iter().map(|path| path.as_os_str().as_bytes()).collect();
    names.join(&b':')
}

fn verbose_init(setting: Option<&VerboseInit>) -> &[u8] {
    match setting {
        None => b"disabled",
        Some(VerboseInit::Stdout) => b"stdout",
        Some(VerboseInit::Stderr) => b"stderr",
        Some(VerboseInit::File(path)) => path.as_os_str().as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn every_field_of_the_group_has_an_entry() {
        let named: Vec<Field> =
            Field::ALL.iter().copied().filter(|field| field.name().starts_with("Process")).collect();
        assert_eq!(Process::SHOWN.len(), named.len());
        for field in named {
            assert!(Process::SHOWN.iter().any(|(its, _)| *its == field), "{}", field.name());
        }
    }

    #[test]
    fn settings_are_shown() {
        let settings: &'static Settings = Box::leak(Box::new(icv::settings_of(&[
            ("OMP_NUM_THREADS", "4,3,2"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_TOOL_LIBRARIES", "/a/b.so:c d.so"),
            ("OMP_CANCELLATION", "true"),
            ("OMP_DEBUG", "enabled"),
            ("KMP_BLOCKTIME", "infinite"),
        ])));
        let process = Process::new();
        process.take_settings(settings);
        // SAFETY: arrays of settings that stay, and strings that were made just now or stay as well.
        unsafe {
            let list = process.num_threads.load(Ordering::Acquire);
            assert_eq!(
                std::slice::from_raw_parts(list, process.num_threads_count.load(Ordering::Acquire) as usize),
                [4, 3, 2]
            );
            let list = process.bind.load(Ordering::Acquire);
            assert_eq!(process.bind_count.load(Ordering::Acquire), 2);
            assert_eq!(*list, icv::Bind::Spread);
            let text = |pointer: &AtomicPtr<c_char>| {
                CStr::from_ptr(pointer.load(Ordering::Acquire)).to_str().unwrap().to_owned()
            };
            assert_eq!(text(&process.tool_libraries), "/a/b.so:c d.so");
            assert_eq!(text(&process.tool_verbose_init), "disabled");
            let variables = text(&process.variables);
            assert!(variables.contains("\nKMP_BLOCKTIME=INFINITE\n"), "{variables}");
        }
        assert_eq!(process.cancellation.load(Ordering::Relaxed), 1);
        assert_eq!(process.debug.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn places_are_shown_as_runs_of_cpus() {
        let process = Process::new();
        process.take_places(&[Place::new(vec![0, 1]), Place::new(vec![4])]);
        assert_eq!(process.place_count.load(Ordering::Acquire), 2);
        // SAFETY: arrays that were leaked.
        unsafe {
            assert_eq!(std::slice::from_raw_parts(process.places.load(Ordering::Acquire), 2), [2, 3]);
            assert_eq!(std::slice::from_raw_parts(process.place_cpus.load(Ordering::Acquire), 3), [0, 1, 4]);
        }
    }
}

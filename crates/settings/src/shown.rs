//! What the whole process has, for debuggers: the ICVs of global and device scope, and what the ICVs of tasks refer to,
//! as plain numbers and pointers. Copies, written on the cold paths where the runtime's own values change (OpenMP 5.1
//! §2.4, §5.5.9).
//!
//! Debuggers read the memory from outside, at any moment. A pointer is therefore written when its target is complete,
//! and the former target is freed only afterwards, if at all. Strings end with a null byte.

use crate::device_numbers;
use crate::model::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::ffi::{CString, c_char, c_void};
use std::ptr;

use ompd_layout::{Entry, Field};

use crate::layout::Shown;
use crate::layout::place;

/// The copies. The functions of this file and of `icv/shown.rs` and `icv/teams.rs` write them, and debuggers read them.
#[repr(C)]
pub struct Process {
    /// omp_get_num_procs; 0 until the processors are counted.
    pub num_procs: AtomicI32,
    /// Devices besides the host that have been counted so far.
    pub devices: AtomicI32,
    /// nteams-var of the host, then of each device by its number; 0 where the runtime chooses.
    pub num_teams: [AtomicI32; device_numbers::MOST + 1],
    /// teams-thread-limit-var, likewise; 0 where there is no limit.
    pub teams_thread_limit: [AtomicI32; device_numbers::MOST + 1],
    /// max-task-priority-var.
    pub max_task_priority: AtomicI32,
    /// target-offload-var: `TargetOffload`.
    pub target_offload: AtomicI32,
    /// wait-policy-var: 1 for active.
    pub wait_policy: AtomicU8,
    /// cancel-var.
    pub cancellation: AtomicU8,
    /// display-affinity-var.
    pub display_affinity: AtomicU8,
    /// tool-var: 1 for enabled.
    pub tool: AtomicU8,
    /// debug-var: 1 for enabled.
    pub debug: AtomicU8,
    /// stacksize-var: bytes.
    pub stack_size: AtomicUsize,
    /// affinity-format-var.
    pub affinity_format: AtomicPtr<c_char>,
    /// tool-libraries-var: names divided by colons.
    pub tool_libraries: AtomicPtr<c_char>,
    /// tool-verbose-init-var.
    pub tool_verbose_init: AtomicPtr<c_char>,
    /// The variables that have no field here: lines `NAME=value`.
    pub variables: AtomicPtr<c_char>,
    /// nthreads-var's list in the environment, which `Icvs::nthreads_level` indexes.
    pub num_threads: AtomicPtr<i32>,
    pub num_threads_count: AtomicU32,
    pub bind_count: AtomicU32,
    /// bind-var's list, elements of `Bind`.
    pub bind: AtomicPtr<u8>,
    /// The newest of the lists of clauses, which replace nthreads-var's list in the environment (`icv/lists.rs`).
    pub clause_lists: AtomicPtr<c_void>,
    /// The end of each place's CPUs in [`place_cpus`](Self::place_cpus).
    pub places: AtomicPtr<u32>,
    pub place_cpus: AtomicPtr<u32>,
    pub place_count: AtomicU32,
    /// The handle of the first entry of [`allocators`](Self::allocators).
    pub allocator_first: AtomicU32,
    /// The number of entries of [`allocators`](Self::allocators).
    pub allocator_count: AtomicU32,
    /// The table of the allocators that programs have made: pointers, null where there is none.
    pub allocators: AtomicPtr<c_void>,
}

impl Process {
    pub const fn empty() -> Process {
        // SAFETY: all fields are atomic integers and pointers, for which zeroes are a valid value.
        unsafe { std::mem::zeroed() }
    }

    pub fn take_places(&self, cpus: Vec<u32>, ends: Vec<u32>) {
        self.place_cpus.store(cpus.leak().as_mut_ptr(), Ordering::Relaxed);
        show_array(&self.places, &self.place_count, ends.leak());
    }

    /// The place of each field.
    pub const SHOWN: Shown = &[
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

/// The entry of an array's first number.
const fn first(array: Entry) -> Entry {
    Entry { size: size_of::<i32>() as u32, ..array }
}

/// The copies of this process.
pub static PROCESS: Process = Process::empty();

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
    PROCESS.devices.store(count, Ordering::Relaxed);
}

/// Shows the newest list of a clause.
#[cold]
pub fn show_clause_list<T>(newest: &'static T) {
    PROCESS.clause_lists.store(ptr::from_ref(newest).cast_mut().cast(), Ordering::Release);
}

/// Shows the place list, which is made once: the CPUs of all places, and the end of each place's CPUs.
#[cold]
pub fn show_places(cpus: Vec<u32>, ends: Vec<u32>) {
    PROCESS.take_places(cpus, ends);
}

/// Shows affinity-format-var. The caller keeps the string until it shows another.
#[cold]
pub fn show_affinity_format(format: &std::ffi::CStr) {
    PROCESS.affinity_format.store(format.as_ptr().cast_mut(), Ordering::Release);
}

/// Shows the text up to its first null byte, as a string that is never freed.
pub fn show_string(to: &AtomicPtr<c_char>, text: &[u8]) {
    to.store(c_string(text).into_raw(), Ordering::Release);
}

/// Text as a string of C: up to its first null byte.
pub fn c_string(text: &[u8]) -> CString {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Shows an array whose elements debuggers read as `T`s. The count is 0 while the pointer changes.
pub fn show_array<T, U>(to: &AtomicPtr<T>, count: &AtomicU32, array: &'static [U]) {
    count.store(0, Ordering::Release);
    to.store(array.as_ptr().cast_mut().cast(), Ordering::Release);
    count.store(array.len() as u32, Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn places_are_shown_as_runs_of_cpus() {
        let process = Process::empty();
        process.take_places(vec![0, 1, 4], vec![2, 3]);
        assert_eq!(process.place_count.load(Ordering::Acquire), 2);
        // SAFETY: `take_places` has leaked the arrays.
        unsafe {
            assert_eq!(std::slice::from_raw_parts(process.places.load(Ordering::Acquire), 2), [2, 3]);
            assert_eq!(std::slice::from_raw_parts(process.place_cpus.load(Ordering::Acquire), 3), [0, 1, 4]);
        }
    }
}

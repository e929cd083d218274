//! What the whole process has, for debuggers: the ICVs of global and device scope, and what the ICVs of tasks refer to,
//! as plain numbers and pointers. Copies, written on the cold paths where the runtime's own values change (OpenMP 5.1
//! §2.4, §5.5.9).
//!
//! Debuggers read the memory from outside, at any moment. A pointer is therefore written when its target is complete,
//! and the former target is freed only afterwards, if at all. Strings end with a null byte.

use crate::device_numbers;
use crate::model::atomic::{AtomicI32, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::ffi::{CString, c_char, c_void};

use ompd_layout::{Entry, Field};

use crate::layout::Shown;
use crate::layout::place;

/// The copies of a process. A row has a field, and the entry for the field; of an array, the entry is the first
/// element's.
macro_rules! process {
    ($($(#[$doc:meta])* $field:ident: $type:ty => $shown:ident $(/ $elements:expr)?,)*) => {
        /// The copies. The functions of this file and of `icv/shown.rs` and `icv/teams.rs` write them, and debuggers
        /// read them.
        #[repr(C)]
        pub struct Process { $($(#[$doc])* pub $field: $type,)* }

        impl Process {
            /// The place of each field.
            pub const SHOWN: Shown = &[$((Field::$shown, {
                let place = place!(Process, $field);
                Entry { size: place.size $(/ $elements as u32)?, ..place }
            }),)*];
        }
    };
}

/// The host and the devices.
const DEVICES: usize = device_numbers::MOST + 1;

process! {
    /// omp_get_num_procs; 0 until the processors are counted.
    num_procs: AtomicI32 => ProcessNumProcs,
    /// Devices besides the host that have been counted so far.
    devices: AtomicI32 => ProcessDevices,
    /// nteams-var of the host, then of each device by its number; 0 where the runtime chooses.
    num_teams: [AtomicI32; DEVICES] => ProcessNumTeams / DEVICES,
    /// teams-thread-limit-var, likewise; 0 where there is no limit.
    teams_thread_limit: [AtomicI32; DEVICES] => ProcessTeamsThreadLimit / DEVICES,
    /// max-task-priority-var.
    max_task_priority: AtomicI32 => ProcessMaxTaskPriority,
    /// target-offload-var: `TargetOffload`.
    target_offload: AtomicI32 => ProcessTargetOffload,
    /// wait-policy-var: 1 for active.
    wait_policy: AtomicU8 => ProcessWaitPolicy,
    /// cancel-var.
    cancellation: AtomicU8 => ProcessCancellation,
    /// display-affinity-var.
    display_affinity: AtomicU8 => ProcessDisplayAffinity,
    /// tool-var: 1 for enabled.
    tool: AtomicU8 => ProcessTool,
    /// debug-var: 1 for enabled.
    debug: AtomicU8 => ProcessDebug,
    /// stacksize-var: bytes.
    stack_size: AtomicUsize => ProcessStackSize,
    /// affinity-format-var.
    affinity_format: AtomicPtr<c_char> => ProcessAffinityFormat,
    /// tool-libraries-var: names divided by colons.
    tool_libraries: AtomicPtr<c_char> => ProcessToolLibraries,
    /// tool-verbose-init-var.
    tool_verbose_init: AtomicPtr<c_char> => ProcessToolVerboseInit,
    /// The variables that have no field here: lines `NAME=value`.
    variables: AtomicPtr<c_char> => ProcessVariables,
    /// nthreads-var's list in the environment, which `Icvs::nthreads_level` indexes.
    num_threads: AtomicPtr<i32> => ProcessNumThreads,
    num_threads_count: AtomicU32 => ProcessNumThreadsCount,
    bind_count: AtomicU32 => ProcessBindCount,
    /// bind-var's list, elements of `Bind`.
    bind: AtomicPtr<u8> => ProcessBind,
    /// The newest of the lists of clauses, which replace nthreads-var's list in the environment (`icv/lists.rs`).
    clause_lists: AtomicPtr<c_void> => ProcessClauseLists,
    /// The end of each place's CPUs in [`place_cpus`](Self::place_cpus).
    places: AtomicPtr<u32> => ProcessPlaces,
    place_cpus: AtomicPtr<u32> => ProcessPlaceCpus,
    place_count: AtomicU32 => ProcessPlaceCount,
    /// The handle of the first entry of [`allocators`](Self::allocators).
    allocator_first: AtomicU32 => ProcessAllocatorFirst,
    /// The number of entries of [`allocators`](Self::allocators).
    allocator_count: AtomicU32 => ProcessAllocatorCount,
    /// The table of the allocators that programs have made: pointers, null where there is none.
    allocators: AtomicPtr<c_void> => ProcessAllocators,
}

impl Process {
    pub const fn empty() -> Process {
        // SAFETY: all fields are atomic integers and pointers, for which zeroes are a valid value.
        unsafe { std::mem::zeroed() }
    }

    /// Shows the place list, which is made once: the CPUs of all places, and the end of each place's CPUs.
    pub fn show_places(&self, cpus: Vec<u32>, ends: Vec<u32>) {
        self.place_cpus.store(cpus.leak().as_mut_ptr(), Ordering::Relaxed);
        show_array(&self.places, &self.place_count, ends.leak());
    }
}

/// The copies of this process.
pub static PROCESS: Process = Process::empty();

/// Shows how many processors there are.
#[cold]
pub fn show_num_procs(count: usize) {
    PROCESS.num_procs.store(i32::try_from(count).unwrap_or(i32::MAX), Ordering::Relaxed);
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
        process.show_places(vec![0, 1, 4], vec![2, 3]);
        assert_eq!(process.place_count.load(Ordering::Acquire), 2);
        // SAFETY: `show_places` has leaked the arrays.
        unsafe {
            assert_eq!(std::slice::from_raw_parts(process.places.load(Ordering::Acquire), 2), [2, 3]);
            assert_eq!(std::slice::from_raw_parts(process.place_cpus.load(Ordering::Acquire), 3), [0, 1, 4]);
        }
    }
}

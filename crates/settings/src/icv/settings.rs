//! The settings: the environment's requests, and a default for each variable that is not set.

use super::lists;
use super::reserve::Reserve;
use super::select::List;
use super::task::Icvs;
use super::values::*;
use crate::allocators;
use crate::environment::{DeviceValue, with_defaults};
use crate::place::{self, Bind, Partition};
use std::path::PathBuf;

with_defaults! {
    /// The environment's requests, with defaults where it has none.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Settings {
        /// `OMP_NUM_THREADS`, an element a nesting level; empty where it is not set.
        pub num_threads: Vec<i32> = Vec::new(),
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
        /// Places, binding, and the machine that places are made of.
        pub affinity: place::Request = place::Request::default(),
        /// `OMP_ALLOCATOR`: the allocator that it names, or the one that has been made as it says.
        pub def_allocator: allocators::Handle = allocators::DEFAULT,
        /// `OMP_DISPLAY_ENV`.
        pub display_env: DisplayEnv = DisplayEnv::No,
        /// `OMP_DEFAULT_DEVICE`: a number, or one of `device_numbers`' for what is none.
        pub default_device: i32 = 0,
        /// The list in `OMP_DEFAULT_DEVICE`, where `default_device` refers to it.
        pub default_devices: Option<List> = None,
        /// `OMP_AVAILABLE_DEVICES`.
        pub available_devices: Option<List> = None,
        /// `OMP_TARGET_OFFLOAD`.
        pub target_offload: TargetOffload = TargetOffload::Default,
        /// `FERROMP_HOST_DEVICES`: how many host devices there are for a program that has code for them.
        pub host_devices: i32 = 1,
        /// `OMP_TOOL`.
        pub tool: ToolSetting = ToolSetting::Enabled,
        /// `OMP_TOOL_LIBRARIES`; always empty in a setuid process.
        pub tool_libraries: Vec<PathBuf> = Vec::new(),
        /// `FERROMP_TOOLS`: further tools, all of which are to be active; always empty in a setuid process.
        pub further_tools: Vec<PathBuf> = Vec::new(),
        /// Whether the environment is not trusted, as in a setuid process.
        pub privileged: bool = false,
        /// `OMP_TOOL_VERBOSE_INIT`; `None` where the search for a tool is not reported.
        pub tool_verbose_init: Option<VerboseInit> = None,
        /// `OMP_DEBUG`: whether a debugger may ask for OMPD.
        pub debug: ToolSetting = ToolSetting::Disabled,
        /// Values for single devices.
        pub device_values: Vec<DeviceValue> = Vec::new(),
        /// `KMP_DEVICE_THREAD_LIMIT`, else `KMP_ALL_THREADS`, else `KMP_MAX_THREADS`: threads of the process;
        /// `i32::MAX` for any.
        pub process_threads: i32 = i32::MAX,
        /// `KMP_TEAMS_THREAD_LIMIT`: threads of all teams of a league together.
        pub league_threads: Option<i32> = None,
        /// `KMP_BLOCKTIME`: how many microseconds a thread spins before it sleeps; `u64::MAX` means without end.
        pub blocktime: Option<u64> = None,
        /// `GOMP_SPINCOUNT`; `u64::MAX` means without end.
        pub spin_count: Option<u64> = None,
        /// `KMP_LIBRARY`.
        pub library: Option<Library> = None,
        /// `KMP_HOT_TEAMS_MAX_LEVEL`: teams of regions that are nested deeper are given up at their end.
        pub kept_levels: i32 = SUPPORTED_ACTIVE_LEVELS,
        /// `KMP_HOT_TEAMS_MODE`: whether threads that a smaller region does not need stay with the team.
        pub keeps_reserve: bool = true,
        /// `KMP_FORCE_REDUCTION`, else `KMP_DETERMINISTIC_REDUCTION`.
        pub reduction: Reduction = Reduction::Any,
        /// `KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE`.
        pub monotonic_dynamic: bool = false,
        /// `KMP_ENABLE_TASK_THROTTLING`: whether a thread that has queued many tasks executes further ones where it
        /// generates them.
        pub task_throttling: bool = true,
        /// `KMP_SETTINGS`: whether the settings are printed when the runtime comes up.
        pub show_settings: bool = false,
        /// `KMP_VERSION`: whether the version is printed when the runtime comes up.
        pub show_version: bool = false,
        /// `KMP_WARNINGS`: whether lines about unusable, deprecated or overridden input are printed; `None` for those
        /// about unusable input alone.
        pub warnings: Option<bool> = None,
    }
}

impl Settings {
    /// The initial task's ICVs on a machine with `cpus` CPUs (OpenMP 5.1 §2.4.2).
    pub(super) fn initial(&self, cpus: u32, partition: Partition) -> Icvs {
        let cpus = i32::try_from(cpus).unwrap_or(i32::MAX).max(1);
        let nthreads = self.num_threads.first().copied().unwrap_or(cpus.min(self.thread_limit));
        Icvs {
            nthreads: nthreads.min(self.process_threads),
            thread_limit: self.thread_limit,
            max_active_levels: self.max_active_levels,
            default_device: self.default_device,
            run_sched: self.schedule,
            def_allocator: self.def_allocator,
            partition,
            dynamic: self.dynamic,
            bind: self.affinity.bind.first().copied().unwrap_or(Bind::False),
            nthreads_level: 0,
            nthreads_list: lists::ENVIRONMENT,
        }
    }
}

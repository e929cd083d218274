//! Internal control variables: where they come from (the environment), which of them each task carries, and how a
//! parallel region's implicit tasks inherit them. OpenMP 5.1 §2.4 and §6.

/// A structure whose fields say what they are where nothing else is asked for.
macro_rules! with_defaults {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty = $value:expr,)* }) => {
        $(#[$about])*
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $value,)* }
            }
        }
    };
}

mod counts;
mod devices;
mod display;
mod extensions;
#[cfg(test)]
mod fuzz;
pub mod lists;
pub(crate) mod parse;
mod reserve;
pub mod select;
mod settings;
mod shown;
mod teams;
mod variables;

use crate::allocators;
use crate::environment::Environment;
pub(crate) use crate::place::bind::Bind;
pub use devices::initial_on;
pub use display::{display, for_debuggers};
pub use shown::show as show_to_debuggers;

pub use extensions::{Blocktime, Extensions, Library, Reduction};
#[cfg(test)]
pub use settings::settings_of;
pub use settings::{
    DisplayEnv, Settings, TargetOffload, ToolSetting, VerboseInit, WaitPolicy, after_fork, change, settings,
};
pub use teams::{num_teams, set_num_teams, set_teams_thread_limit, show_teams, teams_thread_limit};

use crate::layout::Shown;
use crate::layout::place as at;
use crate::place::{self, Partition};
use ompd_layout::Field;
use variables::VARIABLES;

/// The date of the specification that the runtime follows, as `_OPENMP` gives it: OpenMP 5.1.
pub const OPENMP_DATE: i32 = 202011;

/// How many nested active parallel regions are supported (`omp_get_supported_active_levels`): memory is the only limit.
pub const SUPPORTED_ACTIVE_LEVELS: i32 = i32::MAX;

/// The numbers by which `omp_sched_t` and the core name a loop schedule (OpenMP 5.1 §3.2.11).
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduleKind {
    Static = 1,
    Dynamic = 2,
    Guided = 3,
    Auto = 4,
    /// Chunks that shrink evenly; libomp's, under its number.
    Trapezoidal = 101,
    /// Dynamic, with ranges of chunks that idle threads steal from; libomp's, under its number.
    StaticSteal = 102,
}

/// The ordering modifier of a schedule. Unspecified leaves the choice to the construct (OpenMP 5.1 §2.11.4).
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Monotonicity {
    Unspecified,
    Monotonic,
    Nonmonotonic,
}

/// A value of run-sched-var: what `schedule(runtime)` means.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub kind: ScheduleKind,
    pub monotonic: Monotonicity,
    /// Iterations a chunk; 0 where unspecified.
    pub chunk: i64,
}

/// Data-environment ICVs: each task has its own copy, written only by the thread that executes the task
/// (OpenMP 5.1 §2.4.1, Tables 2.1 and 2.4).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Icvs {
    /// nthreads-var: the first element of what is left of the list.
    pub nthreads: i32,
    /// thread-limit-var: threads of one contention group.
    pub thread_limit: i32,
    /// max-active-levels-var.
    pub max_active_levels: i32,
    /// default-device-var.
    pub default_device: i32,
    /// run-sched-var.
    pub run_sched: Schedule,
    /// def-allocator-var: belongs to implicit tasks; an explicit task has what it hands down.
    pub def_allocator: allocators::Handle,
    /// place-partition-var: the places on which threads of regions forked from this task may be put.
    pub partition: Partition,
    /// dyn-var.
    pub dynamic: bool,
    /// bind-var: the first element of what is left of the list.
    pub bind: Bind,
    /// How many elements of the lists in [`Settings`] lie behind this task: its nesting depth, counted to 255.
    pub nthreads_level: u8,
    /// The number of the list (see [`lists`]) that a `num_threads` clause has put in place of the environment's.
    pub nthreads_list: u16,
}

/// The ICVs of the initial task.
pub fn initial() -> Icvs {
    settings().initial(place::available_cpus(), Partition::all())
}

impl Settings {
    /// The initial task's ICVs on a machine with `cpus` CPUs (OpenMP 5.1 §2.4.2).
    fn initial(&self, cpus: u32, partition: Partition) -> Icvs {
        let cpus = i32::try_from(cpus).unwrap_or(i32::MAX).max(1);
        Icvs {
            nthreads: self.first_num_threads(cpus),
            thread_limit: self.thread_limit,
            max_active_levels: self.max_active_levels,
            default_device: self.default_device,
            run_sched: self.schedule,
            def_allocator: self.def_allocator,
            partition,
            dynamic: self.dynamic,
            bind: self.bind.first().copied().unwrap_or(Bind::False),
            nthreads_level: 0,
            nthreads_list: lists::ENVIRONMENT,
        }
    }
}

impl Settings {
    /// The first element of nthreads-var on a machine with `cpus` CPUs.
    fn first_num_threads(&self, cpus: i32) -> i32 {
        self.num_threads.first().copied().unwrap_or(cpus.min(self.thread_limit)).min(self.extensions.process_threads)
    }
}

impl Icvs {
    /// What debuggers read of them.
    pub(crate) const SHOWN: Shown = &[
        (Field::IcvNthreads, at!(Icvs, nthreads)),
        (Field::IcvThreadLimit, at!(Icvs, thread_limit)),
        (Field::IcvMaxActiveLevels, at!(Icvs, max_active_levels)),
        (Field::IcvDefaultDevice, at!(Icvs, default_device)),
        (Field::IcvScheduleKind, at!(Icvs, run_sched.kind)),
        (Field::IcvScheduleMonotonic, at!(Icvs, run_sched.monotonic)),
        (Field::IcvScheduleChunk, at!(Icvs, run_sched.chunk)),
        (Field::IcvDefAllocator, at!(Icvs, def_allocator)),
        (Field::IcvPartitionFirst, at!(Icvs, partition.first)),
        (Field::IcvPartitionCount, at!(Icvs, partition.count)),
        (Field::IcvDynamic, at!(Icvs, dynamic)),
        (Field::IcvBind, at!(Icvs, bind)),
        (Field::IcvNthreadsLevel, at!(Icvs, nthreads_level)),
        (Field::IcvNthreadsList, at!(Icvs, nthreads_list)),
    ];

    /// ICVs of the implicit tasks of a parallel region that this task encounters. They are this task's, but the lists
    /// of nthreads-var and bind-var lose their first element where another follows (OpenMP 5.1 §2.4.3). The
    /// partition stays; the caller replaces it where the team is spread ([`place::Fork::place_of`]).
    pub fn for_nested(&self) -> Icvs {
        self.nested_in(settings())
    }

    #[inline]
    fn nested_in(&self, settings: &Settings) -> Icvs {
        let mut icvs = *self;
        icvs.nthreads_level = self.nthreads_level.saturating_add(1);
        if icvs.nthreads_level == self.nthreads_level {
            return icvs;
        }
        let level = usize::from(icvs.nthreads_level);
        if icvs.nthreads_list != lists::ENVIRONMENT {
            if let Some((nthreads, left)) = lists::take_first(icvs.nthreads_list) {
                icvs.nthreads = nthreads;
                icvs.nthreads_list = left;
            }
        } else if let Some(&nthreads) = settings.num_threads.get(level) {
            icvs.nthreads = nthreads;
        }
        if let Some(&bind) = settings.bind.get(level) {
            icvs.bind = bind;
        }
        icvs
    }
}

/// Reads the environment and prints what `KMP_VERSION`, `KMP_SETTINGS` and `OMP_DISPLAY_ENV` ask for. The runtime calls
/// this once when it comes up.
pub fn startup() {
    shown::show();
    if settings().extensions.show_version {
        display::version();
    }
    show(&Environment::of_process());
}

/// Prints what `KMP_SETTINGS` and `OMP_DISPLAY_ENV` ask for, where `user` is what the user has set.
pub fn show(user: &Environment) {
    if settings().extensions.show_settings {
        display::settings(user);
    }
    match settings().display_env {
        DisplayEnv::No => {}
        DisplayEnv::Yes => display(false),
        DisplayEnv::Verbose => display(true),
    }
}

/// Gives a task's ICVs their initial values again, as far as `named` names variables that set them: after [`change`].
pub fn follow(named: &Environment, icvs: &mut Icvs) {
    let fresh = initial();
    for variable in VARIABLES.iter().filter(|variable| named.has(&[variable.name])) {
        if let Some(renew) = variable.renew {
            renew(icvs, &fresh);
        }
    }
}

/// Variables that are used up when the runtime has come up.
pub fn too_late() -> Vec<&'static str> {
    variables::names(|variable| variable.early)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Settings {
        settings::from_variables(variables).0
    }

    fn partition() -> Partition {
        Partition { first: 0, count: 0 }
    }

    #[test]
    fn nested_regions_take_the_next_elements() {
        let settings = with(&[("OMP_NUM_THREADS", "4,3,2"), ("OMP_PROC_BIND", "spread,close")]);
        let zero = settings.initial(8, partition());
        let one = zero.nested_in(&settings);
        let two = one.nested_in(&settings);
        let three = two.nested_in(&settings);
        assert_eq!([zero, one, two, three].map(|i| i.nthreads), [4, 3, 2, 2]);
        assert_eq!([zero, one, two, three].map(|i| i.bind), [Bind::Spread, Bind::Close, Bind::Close, Bind::Close]);
    }

    #[test]
    fn a_set_value_holds_until_the_list_goes_on() {
        let settings = with(&[("OMP_NUM_THREADS", "4,3")]);
        let mut zero = settings.initial(8, partition());
        zero.nthreads = 7;
        let mut one = zero.nested_in(&settings);
        assert_eq!(one.nthreads, 3);
        one.nthreads = 5;
        assert_eq!(one.nested_in(&settings).nthreads, 5);
    }

    #[test]
    fn depth_beyond_the_counter_is_harmless() {
        let settings = with(&[("OMP_NUM_THREADS", "4,3")]);
        let mut icvs = settings.initial(8, partition());
        for _ in 0..600 {
            icvs = icvs.nested_in(&settings);
        }
        assert_eq!((icvs.nthreads, icvs.nthreads_level), (3, 255));
    }

    #[test]
    fn without_a_list_the_cpus_count() {
        assert_eq!(with(&[]).initial(6, partition()).nthreads, 6);
        assert_eq!(with(&[("OMP_THREAD_LIMIT", "2")]).initial(6, partition()).nthreads, 2);
        assert_eq!(with(&[("OMP_THREAD_LIMIT", "2"), ("OMP_NUM_THREADS", "5")]).initial(6, partition()).nthreads, 5);
        assert_eq!(with(&[("KMP_ALL_THREADS", "2"), ("OMP_NUM_THREADS", "5")]).initial(6, partition()).nthreads, 2);
    }
}

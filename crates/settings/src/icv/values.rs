//! The types of settings and ICVs, and the words for their values in variables.

use crate::environment::{name, words};
use std::fmt;
use std::path::PathBuf;

/// The date of the specification that the runtime follows, as `_OPENMP` gives it: OpenMP 5.1.
pub const OPENMP_DATE: i32 = 202011;

/// How many nested active parallel regions are supported (`omp_get_supported_active_levels`): memory is the only limit.
pub const SUPPORTED_ACTIVE_LEVELS: i32 = i32::MAX;

/// The kind of a loop schedule, by the numbers of `omp_sched_t` (OpenMP 5.1 §3.2.11).
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduleKind {
    Static = 1,
    Dynamic = 2,
    Guided = 3,
    Auto = 4,
    /// Chunks that shrink evenly. The kind and its number are libomp's.
    Trapezoidal = 101,
    /// Dynamic, with ranges of chunks from which idle threads steal. The kind and its number are libomp's.
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

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.monotonic != Monotonicity::Unspecified {
            write!(f, "{}:", name(self.monotonic))?;
        }
        f.write_str(&name(self.kind))?;
        match self.chunk {
            0 => Ok(()),
            chunk => write!(f, ",{chunk}"),
        }
    }
}

/// `OMP_WAIT_POLICY`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    Active,
    Passive,
}

/// `OMP_TARGET_OFFLOAD`, by the numbers that clang's code has for the values.
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

/// `OMP_TOOL_VERBOSE_INIT`, where the variable is set and not `disabled`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VerboseInit {
    Stdout,
    Stderr,
    File(PathBuf),
}

/// `KMP_LIBRARY`, by the numbers of `kmp_set_library`.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// Parallel regions have one thread.
    Serial = 1,
    /// Waiting threads keep their CPUs.
    Turnaround = 2,
    /// Waiting threads leave their CPUs to others.
    Throughput = 3,
}

/// How a reduction is combined where the program leaves the method to the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// The runtime chooses by the number of threads.
    Any,
    /// `KMP_FORCE_REDUCTION=critical`.
    Critical,
    /// `KMP_FORCE_REDUCTION=atomic`.
    Atomic,
    /// `KMP_FORCE_REDUCTION=tree` or `KMP_DETERMINISTIC_REDUCTION=true`: in pairs, always the same ones.
    Ordered,
}

words! {
    // `OMP_TOOL`, `OMP_DEBUG`.
    ToolSetting: "enabled" => ToolSetting::Enabled, "disabled" => ToolSetting::Disabled;
    // `OMP_WAIT_POLICY` (OpenMP 5.1 §6.7).
    WaitPolicy: "active" => WaitPolicy::Active, "passive" => WaitPolicy::Passive;
    // `OMP_TARGET_OFFLOAD` (OpenMP 5.1 §6.17).
    TargetOffload: "mandatory" => TargetOffload::Mandatory, "disabled" => TargetOffload::Disabled,
        "default" => TargetOffload::Default;
    // `OMP_DISPLAY_ENV`.
    DisplayEnv: "verbose" => DisplayEnv::Verbose, "true" | "1" | "yes" | "on" | "t" | "y" => DisplayEnv::Yes,
        "false" | "0" | "no" | "off" | "f" | "n" => DisplayEnv::No;
    // `KMP_LIBRARY`, with the older names of two.
    Library: "serial" => Library::Serial, "turnaround" | "dedicated" => Library::Turnaround,
        "throughput" | "multiuser" => Library::Throughput;
    // `KMP_FORCE_REDUCTION`.
    Reduction: "critical" => Reduction::Critical, "atomic" => Reduction::Atomic, "tree" => Reduction::Ordered;
    // `OMP_SCHEDULE` (OpenMP 5.1 §6.1), with libomp's further kinds.
    ScheduleKind: "static" => ScheduleKind::Static, "dynamic" => ScheduleKind::Dynamic,
        "guided" => ScheduleKind::Guided, "auto" => ScheduleKind::Auto,
        "trapezoidal" => ScheduleKind::Trapezoidal, "static_steal" => ScheduleKind::StaticSteal;
    Monotonicity: "monotonic" => Monotonicity::Monotonic, "nonmonotonic" => Monotonicity::Nonmonotonic;
}

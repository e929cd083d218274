//! Devices, the constructs that are open, and the operations that the constructs ask for.

use ferromp_tool::ompt::DeviceTime;
use ferromp_tool::{DataOp, Event, Id, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is known of devices and constructs.
#[derive(Default)]
pub struct Devices {
    pub known: BTreeMap<i32, Device>,
    /// Open constructs, by the value of their data words.
    pub targets: FxHashMap<u64, Construct>,
    /// Operations, by number.
    pub operations: FxHashMap<u64, Operation>,
    /// Numbers of constructs and operations that the runtime has given itself.
    pub numbers: FxHashSet<Id>,
    /// Whether events with data words came, and whether such without.
    pub with_data: bool,
    pub plain: bool,
}

/// A device that was initialised.
#[derive(Default)]
pub struct Device {
    pub finalized: bool,
    pub modules: FxHashSet<u64>,
    /// Whether it traces itself for the checker.
    pub traced: bool,
    /// Open scopes of its threads, innermost last, by the device's numbers of threads.
    pub threads: FxHashMap<Id, Traced>,
}

/// A thread of a device, as its records tell.
#[derive(Default)]
pub struct Traced {
    pub last: DeviceTime,
    pub open: Vec<(Event, i32)>,
}

/// A device construct.
pub struct Construct {
    pub kind: Target,
    pub device: i32,
    pub thread: usize,
    pub code: usize,
    /// The task that encountered the construct, and whether it is the program's first task.
    pub task: Option<u64>,
    pub initial: bool,
    /// Whether the construct's task went on behind the construct.
    pub passed: bool,
}

/// An operation that the host has requested of a device.
pub struct Operation {
    /// `None` for a kernel.
    pub what: Option<DataOp>,
    pub device: i32,
    pub target: Option<u64>,
    pub ended: bool,
    /// Whether the device's trace has a record of the operation.
    pub recorded: bool,
    pub thread: usize,
}

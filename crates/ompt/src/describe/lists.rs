//! Everything that the crate describes, list by list.

use super::form::{Alias, Enumeration, Function, Structure};
use crate::*;

/// The enumerations and flags of OMPT. [`ControlTool`] and [`ControlToolResult`] belong to `omp.h`.
pub const ENUMERATIONS: &[Enumeration] = &[
    SetResult::DESCRIPTION,
    ScopeEndpoint::DESCRIPTION,
    Thread::DESCRIPTION,
    Dispatch::DESCRIPTION,
    SyncRegion::DESCRIPTION,
    TargetDataOp::DESCRIPTION,
    Work::DESCRIPTION,
    Mutex::DESCRIPTION,
    TaskStatus::DESCRIPTION,
    Target::DESCRIPTION,
    DependenceType::DESCRIPTION,
    Severity::DESCRIPTION,
    Record::DESCRIPTION,
    RecordNative::DESCRIPTION,
    ParallelFlag::DESCRIPTION,
    TaskFlag::DESCRIPTION,
    TargetMapFlag::DESCRIPTION,
    CancelFlag::DESCRIPTION,
    FrameFlag::DESCRIPTION,
    NativeMonFlag::DESCRIPTION,
    State::DESCRIPTION,
];

/// The names for integers and opaque types.
pub const ALIASES: &[Alias] = crate::data::ALIASES;

/// The small structures that callbacks and entry points exchange.
pub const STRUCTURES: &[Structure] =
    &[Frame::DESCRIPTION, Dependence::DESCRIPTION, DispatchChunk::DESCRIPTION, Subvolume::DESCRIPTION];

/// The callbacks of the events, in the order of the events.
pub const CALLBACKS: &[Function] = crate::callback::CALLBACKS;

/// The records that go with the callbacks.
pub const RECORDS: &[Structure] = crate::record::RECORDS;

/// The types of functions that a tool gives, but for the callbacks of events, and of the lookup that it is given.
pub const TOOL_FUNCTION_TYPES: &[Function] = crate::entry::TOOL_FUNCTION_TYPES;

/// What the lookup of the host answers.
pub const HOST_FUNCTIONS: &[Function] = crate::entry::HOST_FUNCTIONS;

/// What the lookup of a device answers.
pub const DEVICE_FUNCTIONS: &[Function] = crate::entry::DEVICE_FUNCTIONS;

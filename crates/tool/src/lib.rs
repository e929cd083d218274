//! A safe framework for OMPT tools: implement [`Tool`] under [`#[tool]`](macro@tool), build a `cdylib`, and
//! any OpenMP runtime with OMPT 5.1 loads it through `OMP_TOOL_LIBRARIES`. OpenMP 5.1, chapter 4.
//!
//! ```
//! use ferromp_tool::*;
//! use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
//!
//! /// Counts threads.
//! struct Threads {
//!     begun: AtomicU64,
//! }
//!
//! #[tool]
//! impl Tool for Threads {
//!     const NAME: &'static str = "threads";
//!
//!     fn initialize(_init: &Init<Self>) -> Result<Self, String> {
//!         Ok(Threads { begun: AtomicU64::new(0) })
//!     }
//!
//!     fn thread_begin(&self, _kind: Thread, thread_data: Option<Slot<'_>>) {
//!         let number = self.begun.fetch_add(1, Relaxed);
//!         if let Some(slot) = thread_data {
//!             slot.set(number);
//!         }
//!     }
//!
//!     fn finalize(&self) {
//!         eprintln!("{} threads", self.begun.load(Relaxed));
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! Only the events whose methods are implemented are registered: the attribute reads them off the implementation. An
//! event costs the runtime's indirect call and the method, and nothing else. The tool sits in a static, arguments
//! become Rust's without work, and the framework allocates nothing and takes no lock after the start.
//!
//! A tool keeps what it likes with each thread, parallel region and task: a number, or a box. The implementation names
//! the types, and methods then get slots of that type: see [`Slot`] and [`Pool`]. [`Runtime`] has the runtime's entry
//! points.

mod args;
mod device;
mod dispatch;
mod entry_points;
mod event_set;
mod heap;
mod hosted;
mod implemented;
mod init;
mod records;
mod runtime;
mod slot;
#[doc(hidden)]
pub mod start;
mod tool;
mod trace;

/// The README's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use args::{CodePtr, DataOp, Instance, Loaded, Mapped, Mappings, SyncHint};
pub use device::Device;
pub use entry_points::Runtime;
pub use event_set::EventSet;
pub use ferromp_tool_macros::tool;
pub use heap::Heap;
pub use init::Init;
pub use ompt;
pub use ompt::{
    CancelFlag, ControlTool, ControlToolResult, Data, Dependence, DependenceType, DeviceTime, Dispatch, DispatchChunk,
    Event, Frame, FrameFlag, Id, Mutex, NativeMonFlag, ParallelFlag, RecordAbstract, RecordOmpt, RecordTargetDataOp,
    RecordTargetKernel, ScopeEndpoint, SetResult, Severity, State, SyncRegion, Target, TargetDataOp, TargetMapFlag,
    TaskFlag, TaskStatus, Thread, WaitId, Work,
};
pub use records::{NativeRecord, Operation, Performed, Record, Records};
pub use runtime::{ParallelInfo, TargetInfo, TaskInfo, Unavailable};
pub use slot::{Pool, Slot, Word};
pub use tool::{Occurrence, Tool};

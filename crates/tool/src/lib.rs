//! A safe framework for OMPT tools: implement [`Tool`], name it in [`tool!`], build a `cdylib`, and
//! any OpenMP runtime with OMPT 5.1 loads it through `OMP_TOOL_LIBRARIES`. OpenMP 5.1, chapter 4.
//!
//! ```
//! use ferromp_tool::{Event, EventSet, Init, Slot, Thread, Tool};
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! /// Counts threads.
//! struct Threads {
//!     begun: AtomicU64,
//! }
//!
//! impl Tool for Threads {
//!     const NAME: &'static str = "threads";
//!     const EVENTS: EventSet = EventSet::of(&[Event::ThreadBegin]);
//!
//!     fn initialize(_init: &Init) -> Result<Self, String> {
//!         Ok(Threads { begun: AtomicU64::new(0) })
//!     }
//!
//!     fn thread_begin(&self, _kind: Thread, thread_data: Option<Slot<'_>>) {
//!         let number = self.begun.fetch_add(1, Ordering::Relaxed);
//!         if let Some(slot) = thread_data {
//!             slot.set(number);
//!         }
//!     }
//!
//!     fn finalize(&self) {
//!         eprintln!("{} threads", self.begun.load(Ordering::Relaxed));
//!     }
//! }
//!
//! ferromp_tool::tool!(Threads);
//! # fn main() {}
//! ```
//!
//! An event costs the runtime's indirect call and the method, nothing else: the tool sits in a
//! static, and methods that are not named in [`Tool::EVENTS`] are not registered. The framework
//! allocates nothing and takes no lock after the start.

mod args;
mod dispatch;
mod event_set;
mod runtime;
#[doc(hidden)]
pub mod start;
mod tool;

pub use args::{CodePtr, Slot};
pub use event_set::EventSet;
pub use ompt;
pub use ompt::{
    CancelFlag, Data, Dependence, DependenceType, Dispatch, DispatchChunk, Event, Frame, FrameFlag, Mutex, ParallelFlag,
    ScopeEndpoint, SetResult, Severity, State, SyncRegion, TaskFlag, TaskStatus, Thread, WaitId, Work,
};
pub use runtime::{ParallelInfo, Runtime, TaskInfo, Unavailable};
pub use start::Init;
pub use tool::Tool;

//! Records of what an NVIDIA device has done. A traced operation has an event before it and one behind it; their times
//! are read when the operation is complete (OpenMP 5.1 §4.5.2.27–28, §4.6.2).

use super::clock::Anchor;
use super::device::Gpu;
use crate::device::driver::{Address, Note};
use crate::ompt::trace;
use cuda_driver::{Event, Fault, Function, Queue};
use std::sync::Arc;

/// The event before an operation.
pub struct Started {
    anchor: Arc<Anchor>,
    start: Event,
}

/// An operation that has been queued between two events.
pub struct Traced {
    started: Started,
    end: Event,
    note: Note,
    what: What,
}

/// What the record says of the operation.
pub enum What {
    Transfer { from: Address, to: Address, bytes: usize },
    Kernel { teams: trace::Teams, code: Function },
}

impl Started {
    /// Queues the event before an operation. `None` if that fails: then the operation has no record. The caller has
    /// entered the device's context, as for all functions here.
    #[cold]
    pub fn new(gpu: &Gpu, queue: Queue) -> Option<Self> {
        let anchor = gpu.clock.anchor(gpu.api).ok()?;
        Some(Started { anchor, start: recorded(gpu, queue).ok()? })
    }

    /// Queues the event behind the operation.
    pub fn ends(self, gpu: &Gpu, queue: Queue, note: Note, what: What) -> Option<Traced> {
        let end = recorded(gpu, queue).ok()?;
        Some(Traced { started: self, end, note, what })
    }
}

impl Traced {
    /// Writes the record of an operation that is complete. The error says why the operation cannot be measured.
    pub fn write(self, gpu: &Gpu) -> Result<(), Fault> {
        let Traced { started: Started { anchor, start: first }, end: last, note, what } = self;
        let time_of = |event| gpu.clock.time_of(gpu.api, &anchor, event);
        let span = trace::Span { start: time_of(first)?, end: time_of(last)? };
        match what {
            What::Transfer { from, to, bytes } => trace::transferred(gpu.number(), &note, (from, to), bytes, span),
            What::Kernel { teams, code } => trace::kernel_ran(gpu.number(), &note, span, teams, code),
        }
        gpu.clock.give_back(first);
        gpu.clock.give_back(last);
        Ok(())
    }
}

/// A new event in this stream, for which a waiting thread sleeps.
pub fn recorded(gpu: &Gpu, queue: Queue) -> Result<Event, Fault> {
    let event = gpu.clock.event(gpu.api)?;
    // SAFETY: no other thread has the event.
    unsafe { gpu.api.event_record(event, queue) }.inspect_err(|_| gpu.clock.give_back(event))?;
    Ok(event)
}

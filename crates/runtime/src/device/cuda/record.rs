//! Records of what an NVIDIA device has done: an event before each operation that is traced and one behind it, whose
//! times are read when the operation is complete (OpenMP 5.1 §4.5.2.27–28, §4.6.2).

use super::NvidiaDevice;
use super::api::{Address, Api, Event, Fault, Function, Queue};
use super::clock::Anchor;
use crate::device::driver::Note;
use crate::ompt::trace;
use std::sync::Arc;

/// An operation that has been queued, and is to be recorded.
pub struct Traced {
    anchor: Arc<Anchor>,
    start: Event,
    end: Event,
    note: Note,
    what: What,
}

enum What {
    Transfer { from: Address, to: Address, bytes: usize },
    Kernel { teams: trace::Teams, code: Function },
}

/// The event before an operation.
pub struct Started {
    anchor: Arc<Anchor>,
    start: Event,
}

impl Traced {
    /// A transfer is about to be queued: if there is to be a record of it, an event is first.
    #[inline]
    pub fn transfer_begins(device: &NvidiaDevice, api: &Api, queue: Queue, note: &Note) -> Option<Started> {
        trace::wants_transfer(device.number(), note).then(|| Started::new(device, api, queue)).flatten()
    }

    /// The same for a kernel.
    #[inline]
    pub fn kernel_begins(device: &NvidiaDevice, api: &Api, queue: Queue, note: &Note) -> Option<Started> {
        trace::wants_kernel(device.number(), note).then(|| Started::new(device, api, queue)).flatten()
    }

    /// Writes the records of operations that are complete. What cannot be measured has none.
    pub fn write_all(all: &mut Vec<Traced>, device: &NvidiaDevice, api: &Api) {
        for traced in all.drain(..) {
            let _ = traced.write(device, api);
        }
    }

    fn write(self, device: &NvidiaDevice, api: &Api) -> Result<(), Fault> {
        let clock = &device.clock;
        let time_of = |event| clock.time_of(api, &self.anchor, event);
        let (start, end) = (time_of(self.start)?, time_of(self.end)?);
        let span = trace::Span { start, end };
        match self.what {
            What::Transfer { from, to, bytes } => {
                trace::transferred(device.number(), &self.note, (from, to), bytes, span)
            }
            What::Kernel { teams, code } => trace::kernel_ran(device.number(), &self.note, span, teams, code),
        }
        clock.give_back(self.start);
        clock.give_back(self.end);
        Ok(())
    }
}

impl Started {
    #[cold]
    fn new(device: &NvidiaDevice, api: &Api, queue: Queue) -> Option<Self> {
        let record = || {
            let anchor = device.clock.anchor(api)?;
            Ok::<_, Fault>(Started { anchor, start: recorded(device, api, queue)? })
        };
        record().ok()
    }

    /// The transfer has been queued.
    pub fn transfer_ends(
        self,
        device: &NvidiaDevice,
        api: &Api,
        queue: Queue,
        note: Note,
        (from, to): (Address, Address),
        bytes: usize,
    ) -> Option<Traced> {
        self.ends(device, api, queue, note, What::Transfer { from, to, bytes })
    }

    /// The kernel has been queued.
    pub fn kernel_ends(
        self,
        device: &NvidiaDevice,
        api: &Api,
        queue: Queue,
        note: Note,
        teams: trace::Teams,
        code: Function,
    ) -> Option<Traced> {
        self.ends(device, api, queue, note, What::Kernel { teams, code })
    }

    fn ends(self, device: &NvidiaDevice, api: &Api, queue: Queue, note: Note, what: What) -> Option<Traced> {
        let end = recorded(device, api, queue).ok()?;
        Some(Traced { anchor: self.anchor, start: self.start, end, note, what })
    }
}

/// An event in that stream.
fn recorded(device: &NvidiaDevice, api: &Api, queue: Queue) -> Result<Event, Fault> {
    let event = device.clock.event(api)?;
    // SAFETY: nobody else has the event.
    match unsafe { api.event_record(event, queue) } {
        Ok(()) => Ok(event),
        Err(fault) => {
            device.clock.give_back(event);
            Err(fault)
        }
    }
}

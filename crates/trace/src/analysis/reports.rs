//! What the recording of an event costs, as the trace itself tells.
//!
//! Between the begin of a synchronising construct and the begin of its waiting the runtime has nothing to do but to
//! report both. So the time between these two events is that of one report and its record.

use crate::reader::Event;
use crate::store::Record;

/// A longer time has an interruption in it.
const LONGEST_NS: u64 = 1_000;
/// `ompt_sync_region_t`.
const TASKGROUP: u64 = 6;

/// The reports that were timed, and the records that were counted.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    threads: Vec<Reporter>,
    timed: u64,
    timed_ns: u64,
    /// Records of threads of the host, in the part of the run that is selected.
    records: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reporter {
    /// A device reports what it did later, by the time of its own clock.
    on_device: bool,
    /// When the last event was, if that was the begin of a synchronising construct.
    begun: Option<u64>,
}

impl Reports {
    pub fn add_thread(&mut self, on_device: bool) {
        self.threads.push(Reporter { on_device, begun: None });
    }

    /// Takes the next event of a thread, in the recording's own time.
    #[inline]
    pub fn event(&mut self, thread: usize, event: &Event) {
        let thread = &mut self.threads[thread];
        let begun = thread.begun.take();
        match (event.record, begun) {
            // A taskgroup begins long before it waits.
            (Record::SyncBegin { kind, .. }, _) if kind != TASKGROUP && !thread.on_device => {
                thread.begun = Some(event.ns);
            }
            (Record::WaitBegin { .. }, Some(begun)) => {
                let ns = event.ns.saturating_sub(begun);
                if ns <= LONGEST_NS {
                    self.timed += 1;
                    self.timed_ns += ns;
                }
            }
            _ => {}
        }
    }

    /// Takes an event that neither begins a synchronising construct nor waits in one: its time does not matter.
    #[inline]
    pub fn other(&mut self, thread: usize) {
        self.threads[thread].begun = None;
    }

    /// Counts records of the part that is selected.
    #[inline]
    pub fn count(&mut self, thread: usize, records: u64) {
        self.records += if self.threads[thread].on_device { 0 } else { records };
    }

    /// The part begins: what was counted so far does not count.
    pub fn forget(&mut self) {
        self.records = 0;
    }

    /// The mean time of a record, in nanoseconds; 0 if none was timed.
    pub fn mean_ns(&self) -> u64 {
        self.timed_ns / self.timed.max(1)
    }

    /// What the records took of all threads' time together, in nanoseconds.
    pub fn all_ns(&self) -> u64 {
        self.records.saturating_mul(self.mean_ns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_neighbours_are_timed() {
        let mut reports = Reports::default();
        for on_device in [false, false, false, true] {
            reports.add_thread(on_device);
        }
        let mut event = |thread, ns, record| reports.event(thread, &Event { ns, record });
        event(1, 100, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(0, 110, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(1, 140, Record::WaitBegin { kind: 1, codeptr: 0 });
        // The thread goes on waiting after a task.
        event(1, 150, Record::WaitBegin { kind: 1, codeptr: 0 });
        event(2, 200, Record::SyncBegin { kind: 6, codeptr: 0 });
        event(2, 900, Record::WaitBegin { kind: 6, codeptr: 0 });
        event(2, 910, Record::SyncBegin { kind: 5, codeptr: 0 });
        event(2, 920, Record::ThreadEnd {});
        event(2, 930, Record::WaitBegin { kind: 5, codeptr: 0 });
        event(0, 5_000, Record::WaitBegin { kind: 1, codeptr: 0 });
        event(0, 6_000, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(0, 6_060, Record::WaitBegin { kind: 1, codeptr: 0 });
        event(3, 7_000, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(3, 7_001, Record::WaitBegin { kind: 1, codeptr: 0 });
        assert_eq!(reports.mean_ns(), 50);
        (0..4).for_each(|thread| reports.count(thread, 1));
        assert_eq!(reports.all_ns(), 150);
    }
}

//! What the recording of an event costs, as the trace itself tells.
//!
//! Between the begin of a synchronising construct and the begin of its waiting the runtime has nothing to do but to
//! report both. So the time between these two events is that of one report and its record.

use crate::reader::Event;
use crate::store::Record;

/// A longer time has an interruption in it.
const LONGEST_NS: u64 = 1_000;

/// The reports that were timed.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    /// By thread: when its last event was, if that was the begin of a synchronising construct.
    begun: Vec<Option<u64>>,
    count: u64,
    ns: u64,
}

impl Reports {
    /// Takes the next event of a thread.
    #[inline]
    pub fn event(&mut self, thread: usize, event: &Event) {
        match event.record {
            Record::SyncBegin { .. } => {
                if self.begun.len() <= thread {
                    self.begun.resize(thread + 1, None);
                }
                self.begun[thread] = Some(event.ns);
            }
            Record::WaitBegin { .. } => {
                let begun = self.begun.get_mut(thread).and_then(Option::take);
                let ns = begun.map(|begun| event.ns.saturating_sub(begun)).filter(|ns| *ns <= LONGEST_NS);
                self.count += u64::from(ns.is_some());
                self.ns += ns.unwrap_or(0);
            }
            _ => {}
        }
    }

    /// The mean time of an event, in nanoseconds; 0 if none was timed.
    pub fn mean_ns(&self) -> u64 {
        self.ns / self.count.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_neighbours_are_timed() {
        let mut reports = Reports::default();
        let mut event = |thread, ns, record| reports.event(thread, &Event { ns, record });
        event(1, 100, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(0, 110, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(1, 140, Record::WaitBegin { kind: 1, codeptr: 0 });
        // The thread goes on waiting after a task.
        event(1, 150, Record::WaitBegin { kind: 1, codeptr: 0 });
        event(0, 5_000, Record::WaitBegin { kind: 1, codeptr: 0 });
        event(0, 6_000, Record::SyncBegin { kind: 1, codeptr: 0 });
        event(0, 6_060, Record::WaitBegin { kind: 1, codeptr: 0 });
        assert_eq!(reports.mean_ns(), 50);
    }
}

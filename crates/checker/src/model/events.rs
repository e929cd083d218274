//! What holds for events of every kind: how a finding is noted, what a data word says, what the entry points answer.

use super::state::{TASK, THREAD};
use super::{Model, Region, Seen, SeenTask};
use crate::happening::{Happening, object};
use crate::report::Finding;
use crate::rules::Rule;
use ferromp_tool::{Slot, Unavailable};

impl Model {
    /// Whether a value with this name is impossible for the runtime. This tool has no names for values of a later
    /// OpenMP.
    pub fn is_unknown(&self, name: Option<&str>) -> bool {
        name.is_none() && !self.later
    }

    /// The next event of a thread.
    pub fn happens(&mut self, thread: usize, happening: Happening) {
        self.events += 1;
        self.coverage.count(&happening);
        self.threads[thread].ring.push(happening);
    }

    /// Notes a rule that thread number `thread` broke by its latest event.
    pub fn violation(&mut self, rule: Rule, thread: usize, text: impl AsRef<str>) {
        self.finding(rule, thread, text, &[], false);
    }

    /// As [`violation`](Self::violation), with places in the program. An urgent finding is written at once.
    pub fn finding(
        &mut self,
        rule: Rule,
        thread: impl Into<Option<usize>>,
        text: impl AsRef<str>,
        places: &[(String, usize)],
        urgent: bool,
    ) {
        let thread = thread.into();
        self.hangs |= urgent;
        let (event, before) = thread.map(|thread| self.threads[thread].ring.written()).unwrap_or_default();
        self.report.add(&Finding { rule, thread, text: text.as_ref(), places, event, before, urgent });
    }

    /// Puts a fresh value into a new object's data word, which must be zero, and returns the value.
    pub(super) fn mark(&mut self, kind: u64, thread: usize, slot: Option<Slot<'_>>) -> Option<(u64, usize)> {
        let Some(slot) = slot else {
            self.violation(Rule::NullData, thread, "no data word for what begins");
            return None;
        };
        let found = slot.get();
        if found != 0 {
            let text = format!("the data word of what begins is {}, not 0", object(found));
            self.violation(Rule::DataNotZero, thread, text);
        }
        self.last_value += 1;
        let value = kind | self.last_value;
        slot.set(value);
        Some((value, slot.addr()))
    }

    pub fn mark_thread(&mut self, thread: usize, slot: Option<Slot<'_>>) -> Option<u64> {
        self.mark(THREAD, thread, slot).map(|(value, _)| value)
    }

    /// The task of a data word; a violation if there is no such task.
    pub(super) fn task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<u64> {
        let Some(slot) = slot else {
            self.violation(Rule::NullData, thread, format!("{what}: no task data"));
            return None;
        };
        let value = slot.get();
        match self.tasks.get(&value) {
            Some(task) if task.addr == slot.addr() => Some(value),
            Some(_) => {
                let text = format!("{what}: the data word of {} has moved", object(value));
                self.violation(Rule::DataMoved, thread, text);
                Some(value)
            }
            None if value & (0xff << 56) == TASK => {
                self.violation(Rule::TaskAfterEnd, thread, format!("{what}: {} has ended", object(value)));
                None
            }
            None => {
                self.violation(Rule::DataLost, thread, format!("{what}: task data is {}", object(value)));
                None
            }
        }
    }

    /// As [`task`](Self::task); the task must be the one that the thread executes.
    pub(super) fn current_task(&mut self, thread: usize, slot: Option<Slot<'_>>, what: &str) -> Option<u64> {
        let value = self.task(thread, slot, what)?;
        let current = self.threads[thread].current;
        if current != Some(value) {
            let text = format!("{what}: {}, but the thread runs {}", object(value), object(current.unwrap_or(0)));
            self.violation(Rule::NotCurrentTask, thread, text);
        }
        Some(value)
    }

    /// Checks the region that an event names against that of its task. `may_be_null` for the ends that come when the
    /// region may be gone.
    pub(super) fn region_of_task(&mut self, thread: usize, slot: Option<Slot<'_>>, task: u64, may_be_null: bool) {
        let Some(expected) = self.tasks.get(&task).map(|task| task.region) else { return };
        match (slot.map(Slot::get), expected) {
            (None, Some(_)) if !may_be_null => {
                self.violation(Rule::NullData, thread, "no parallel data");
            }
            (Some(found), _) if found != expected.unwrap_or(0) => {
                let text = format!("parallel data is {} instead of {}", object(found), object(expected.unwrap_or(0)));
                self.violation(Rule::WrongRegion, thread, text);
            }
            _ => {}
        }
    }

    /// The region of the task that a thread runs.
    pub(super) fn region_of_thread(&mut self, thread: usize) -> Option<&mut Region> {
        let region = self.tasks.get(&self.threads[thread].current?)?.region?;
        self.regions.get_mut(&region)
    }

    /// Whether the runtime's entry points have stopped answering, because another thread has ended the program inside
    /// of a region.
    pub fn shuts_down(&self, seen: &Seen) -> bool {
        seen.gone && self.is_inside_region()
    }

    /// Whether a region has not ended. A program that ends inside of a region owes no end events.
    pub fn is_inside_region(&self) -> bool {
        self.regions.values().any(|region| !region.ended)
    }

    /// Compares the answers of the entry points with the events so far.
    pub fn compare(&mut self, thread: usize, seen: &Seen) {
        let Some(current) = self.threads[thread].current else { return };
        let Some(task) = self.tasks.get(&current) else { return };
        if self.shuts_down(seen) {
            return;
        }
        let (addr, region) = (task.addr, task.region);
        match seen.task {
            Ok(SeenTask { data: Some((seen_addr, value)), region: seen_region }) => {
                if (seen_addr, value) != (addr, current) {
                    let text = format!("ompt_get_task_info gives {}, not {}", object(value), object(current));
                    self.violation(Rule::TaskInfo, thread, text);
                } else if seen_region.unwrap_or(0) != region.unwrap_or(0) {
                    let (found, region) = (seen_region.unwrap_or(0), region.unwrap_or(0));
                    let text = format!("ompt_get_task_info gives {}, not {}", object(found), object(region));
                    self.violation(Rule::TaskInfo, thread, text);
                }
            }
            Ok(SeenTask { data: None, .. }) | Err(Unavailable::None) => {
                self.violation(Rule::TaskInfo, thread, "ompt_get_task_info knows no current task");
            }
            Err(Unavailable::NotNow) => {}
        }
        if let (Ok((found, _)), Some(region)) = (seen.region, region)
            && found != Some(region)
        {
            let text = format!("ompt_get_parallel_info gives {}, not {}", object(found.unwrap_or(0)), object(region));
            self.violation(Rule::ParallelInfo, thread, text);
        }
    }
}

//! The rules of barriers: no thread leaves before all have come, the region's tasks are complete then, and all threads
//! of the team come to the same barriers. OpenMP 5.1, sections 2.19.2 and 2.19.3.

use super::Model;
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::{SyncRegion, TaskFlag};

/// Whether every thread of the team comes to barriers of this kind in the same order, by the specification.
fn is_counted(kind: i32) -> bool {
    matches!(
        SyncRegion(kind),
        SyncRegion::BARRIER
            | SyncRegion::BARRIER_IMPLICIT
            | SyncRegion::BARRIER_EXPLICIT
            | SyncRegion::BARRIER_IMPLICIT_WORKSHARE
            | SyncRegion::BARRIER_IMPLICIT_PARALLEL
    )
}

fn ends_region(kind: i32) -> bool {
    kind == SyncRegion::BARRIER_IMPLICIT_PARALLEL.0
}

impl Model {
    /// A task comes to a barrier.
    pub(super) fn arrive(&mut self, thread: usize, task: u64, kind: i32, code: usize) {
        let Some((number, index, region)) = self.next_barrier(task, kind) else { return };
        let Some(found) = self.regions.get_mut(&region) else { return };
        let Some(barrier) = found.barriers.at(number) else { return };
        barrier.arrived += 1;
        let (first_kind, first_code, first_index) = *barrier.first.get_or_insert((kind, code, index));
        if ends_region(kind) == ends_region(first_kind) || found.cancelled {
            return;
        }
        // What follows in this region is in disorder.
        found.cancelled = true;
        let region_code = found.code;
        let (inside, outside) = if ends_region(kind) { (first_index, index) } else { (index, first_index) };
        let at = if ends_region(kind) { first_code } else { code };
        let text = format!(
            "thread {inside} of a team waits in a barrier that thread {outside} has passed by: it is at the region's end"
        );
        let places = [(format!("thread {inside} waits"), at), ("the region begins".into(), region_code)];
        self.finding(Rule::BarrierMissed, thread, text, &places, true);
    }

    /// Counts one more barrier of an implicit task: its number, the task's number, and the region.
    fn next_barrier(&mut self, task: u64, kind: i32) -> Option<(u64, u32, u64)> {
        let task =
            self.tasks.get_mut(&task).filter(|task| is_counted(kind) && task.flags.contains(TaskFlag::IMPLICIT))?;
        task.barriers += 1;
        Some((task.barriers - 1, task.index, task.region?))
    }

    /// A task leaves the barrier that it came to last.
    pub(super) fn leave_barrier(&mut self, thread: usize, task: u64, kind: i32) {
        let Some(found) = self.tasks.get(&task) else { return };
        if !is_counted(kind) || !found.flags.contains(TaskFlag::IMPLICIT) || found.barriers == 0 {
            return;
        }
        let Some(region) = found.region else { return };
        let number = found.barriers - 1;
        let Some(found) = self.regions.get_mut(&region) else { return };
        let size = found.parallelism.unwrap_or(0);
        let Some(barrier) = found.barriers.at(number) else { return };
        barrier.left += 1;
        let (arrived, first_out) = (barrier.arrived, barrier.left == 1);
        found.barriers.retire(|barrier| barrier.left >= size);
        if found.cancelled {
            return;
        }
        let explicit = found.explicit;
        if arrived < size {
            let text =
                format!("left barrier {number} of {}, to which {arrived} of {size} threads have come", object(region));
            self.violation(Rule::BarrierLeft, thread, text);
        } else if first_out && explicit > 0 {
            let text = format!(
                "{explicit} explicit tasks of {} are not complete at the end of its barrier {number}",
                object(region)
            );
            self.violation(Rule::BarrierTasks, thread, text);
        }
    }
}

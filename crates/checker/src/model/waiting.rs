//! A program that does not go on: what each thread waits for, and whether any thread is left that could end the wait.

use super::{Family, Model, Progress};
use crate::rules::Rule;
use ferromp_tool::{SyncRegion, TaskFlag};

impl Model {
    /// No event has come for a while. Reports this if every thread waits, and otherwise remembers what each thread
    /// waits for.
    pub fn quiet(&mut self) {
        let busy: Vec<usize> = (0..self.threads.len()).filter(|thread| self.is_inside_program(*thread)).collect();
        let waits: Vec<(usize, (String, usize))> =
            busy.iter().filter_map(|thread| Some((*thread, self.waits_for(*thread)?))).collect();
        let mut places: Vec<(String, usize)> =
            waits.iter().map(|(thread, (what, code))| (format!("thread {thread} waits for {what}"), *code)).collect();
        let detached: Vec<usize> =
            self.tasks.values().filter(|task| task.progress == Progress::Detached).map(|task| task.code).collect();
        places.extend(
            detached.iter().map(|code| ("a detached task that is not fulfilled was created".to_owned(), *code)),
        );
        let all_wait = !busy.is_empty() && waits.len() == busy.len();
        // A thread unknown to OpenMP may fulfil a detached task.
        if !all_wait || !detached.is_empty() || self.hangs {
            return self.report.waiting(&places);
        }
        let thread = busy[0];
        let missed = self.missed_barrier(&busy);
        let (rule, text) = match missed {
            Some(text) => (Rule::BarrierMissed, text),
            None => (Rule::Stuck, "every thread waits, and nothing is left that could wake one".to_owned()),
        };
        self.finding(rule, thread, text, &places, true);
    }

    /// Whether the thread is in OpenMP's hands or the program's, rather than idle or gone.
    fn is_inside_program(&self, thread: usize) -> bool {
        let this = &self.threads[thread];
        this.begun && !this.ended && this.current.is_some()
    }

    /// What the thread waits for and where, if it waits.
    fn waits_for(&self, thread: usize) -> Option<(String, usize)> {
        if let Some(mutex) = self.waits_for_mutex(thread) {
            return Some(mutex);
        }
        let task = self.tasks.get(&self.threads[thread].current?)?;
        let scope = task.scopes.last().filter(|scope| scope.family == Family::SyncRegionWait)?;
        let what = match SyncRegion(scope.kind) {
            SyncRegion::TASKWAIT => "the children of a task (taskwait)",
            SyncRegion::TASKGROUP => "the tasks of a taskgroup",
            SyncRegion::BARRIER_IMPLICIT_PARALLEL => "the others at the end of a parallel region",
            SyncRegion::BARRIER_TEAMS => "the others at the end of a teams region",
            SyncRegion::BARRIER_IMPLICIT | SyncRegion::BARRIER_IMPLICIT_WORKSHARE => {
                "the others at the end of a worksharing region"
            }
            _ => "the others in a barrier",
        };
        Some((what.to_owned(), scope.code))
    }

    /// In words, if threads of one team wait in different barriers, or in a barrier while others of the team wait
    /// elsewhere.
    fn missed_barrier(&self, busy: &[usize]) -> Option<String> {
        let implicit = busy.iter().filter_map(|thread| {
            let task = self.tasks.get(&self.threads[*thread].current?)?;
            task.flags.contains(TaskFlag::IMPLICIT).then_some((task.region?, task.barriers, task.index))
        });
        let mut teams: Vec<(u64, u64, u32)> = implicit.collect();
        teams.sort_unstable();
        let differs = teams.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)?;
        let (behind, ahead) = (differs[0].2, differs[1].2);
        Some(format!(
            "the threads of a team do not come to the same barriers: thread {ahead} of the team waits in its barrier number {}, \
             thread {behind} has come to {} only; they wait for ever",
            differs[1].1, differs[0].1
        ))
    }
}

//! Random traces of programs that could have run: regions of a team, with loops, critical regions, tasks and barriers,
//! and samples of the threads.

use super::synthetic;
use ferromp_trace::reader::Trace;
use ferromp_trace::store::sample::Stack;
use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, clock, folder};
use proptest::prelude::*;
use std::path::Path;

/// `ompt_task_status_t`.
const COMPLETE: u64 = 1;
const SWITCH: u64 = 7;
/// `ompt_sync_region_t`.
const REGION_END: u64 = 9;
const TASKWAIT: u64 = 5;
/// `ompt_mutex_t`.
const CRITICAL: u64 = 5;
/// The constructs of the regions; those of what is inside follow.
pub const REGIONS: u64 = 0x40_0000;

/// What a thread does in a region.
#[derive(Clone, Debug)]
pub enum Action {
    /// The region's code, for so long.
    Work(u64),
    /// A loop.
    Loop(u64),
    /// A critical region: waiting and holding.
    Critical(u64, u64),
    /// Creates a task and executes it, with a wait in it.
    Task(u64, u64),
}

/// A program: for each region, what each thread does, and the time before the region.
#[derive(Clone, Debug)]
pub struct Program {
    regions: Vec<(u64, Vec<Vec<Action>>)>,
    /// The times at which threads are sampled, with the depths of their stacks.
    samples: Vec<(u64, u64, usize)>,
}

pub fn programs() -> impl Strategy<Value = Program> {
    let action = prop_oneof![
        (0u64..50).prop_map(Action::Work),
        (0u64..50).prop_map(Action::Loop),
        (0u64..20, 0u64..20).prop_map(|(wait, hold)| Action::Critical(wait, hold)),
        (0u64..50, 0u64..20).prop_map(|(run, wait)| Action::Task(run, wait)),
    ];
    let thread = prop::collection::vec(action, 0..5);
    let region = (0u64..100, prop::collection::vec(thread, 3));
    let regions = prop::collection::vec(region, 1..6);
    let samples = prop::collection::vec((0u64..3, 0u64..700, 0usize..5), 1..12);
    (regions, samples).prop_map(|(regions, samples)| Program { regions, samples })
}

/// One thread's events, the time, and the next task.
struct Thread {
    events: Vec<(u64, Record)>,
    now: u64,
    next: u64,
}

impl Thread {
    fn after(&mut self, ns: u64, record: Record) {
        self.now += ns;
        self.events.push((self.now, record));
    }

    fn act(&mut self, action: &Action, implicit: u64, codeptr: u64) {
        match *action {
            Action::Work(ns) => self.now += ns,
            Action::Loop(ns) => {
                self.after(0, Record::WorkBegin { kind: 1, count: ns, codeptr: codeptr + 1 });
                self.after(ns, Record::WorkEnd { kind: 1 });
            }
            Action::Critical(wait, hold) => {
                let mutex = 0x7000;
                self.after(1, Record::MutexAcquire { kind: CRITICAL, wait: mutex, codeptr: codeptr + 2 });
                self.after(wait, Record::MutexAcquired { kind: CRITICAL, wait: mutex });
                self.after(hold, Record::MutexReleased { kind: CRITICAL, wait: mutex });
            }
            Action::Task(run, wait) => {
                self.next += 1;
                let (task, codeptr) = (self.next, codeptr + 3);
                self.after(1, Record::TaskCreate { parent: implicit, task, flags: 4, dependences: 0, codeptr });
                self.after(1, Record::TaskSchedule { prior: implicit, status: SWITCH, next: task });
                self.after(run, Record::SyncBegin { kind: TASKWAIT, codeptr });
                self.after(0, Record::WaitBegin { kind: TASKWAIT, codeptr });
                self.after(wait, Record::WaitEnd { kind: TASKWAIT });
                self.after(0, Record::SyncEnd { kind: TASKWAIT });
                self.after(1, Record::TaskSchedule { prior: task, status: COMPLETE, next: implicit });
            }
        }
    }
}

/// Writes the trace of a program and opens it. `about` describes the program.
pub fn write(dir: &Path, about: Meta, program: &Program) -> Trace {
    let team = 3;
    let mut threads: Vec<Thread> =
        (0..team).map(|index| Thread { events: Vec::new(), now: 0, next: 1_000_000 * (index + 1) }).collect();
    let mut now = 0;
    for (number, (before, does)) in program.regions.iter().enumerate() {
        let (parallel, codeptr) = (10 + number as u64, REGIONS + 16 * (number as u64 % 3));
        now += before;
        let begin = Record::ParallelBegin { parallel, task: 9, requested: team, flags: 0, codeptr };
        threads[0].now = now;
        threads[0].after(0, begin);
        for (index, (thread, does)) in threads.iter_mut().zip(does).enumerate() {
            let implicit = 1000 + 10 * number as u64 + index as u64;
            thread.now = now;
            thread.after(index as u64, synthetic::implicit(parallel, implicit, team, index as u64));
            does.iter().for_each(|action| thread.act(action, implicit, codeptr));
            thread.after(0, Record::SyncBegin { kind: REGION_END, codeptr });
            thread.after(0, Record::WaitBegin { kind: REGION_END, codeptr });
        }
        now = threads.iter().map(|thread| thread.now).max().unwrap_or(0);
        for (index, thread) in threads.iter_mut().enumerate() {
            let implicit = 1000 + 10 * number as u64 + index as u64;
            // Workers report the end late, and the region's end is theirs.
            thread.now = now;
            let late = if index == 0 { 0 } else { 3 };
            thread.after(late, Record::WaitEnd { kind: REGION_END });
            thread.after(0, Record::SyncEnd { kind: REGION_END });
            thread.after(0, Record::ImplicitTaskEnd { task: implicit, index: index as u64 });
        }
        threads[0].after(1, Record::ParallelEnd { parallel, codeptr });
        now = threads[0].now + 5;
    }
    let events: Vec<&[(u64, Record)]> = threads.iter().map(|thread| &thread.events[..]).collect();
    synthetic::trace_of(dir, Meta { sample_rate: 199, ..about }, &Modules::default(), now + 10, &events);
    for thread in 0..team {
        samples(dir, thread as u32, program.samples.iter().filter(|(of, ..)| *of == thread));
    }
    Trace::open(dir).unwrap()
}

fn samples<'a>(dir: &Path, thread: u32, of: impl Iterator<Item = &'a (u64, u64, usize)>) {
    let mut of: Vec<_> = of.collect();
    of.sort();
    let (folder, mut stack) = (Folder::open(dir).unwrap(), Stack::default());
    let name = folder::samples_file(thread);
    let mut writer = Writer::prepare(&folder, &name, thread, "t", clock::Ticker::choose(), 0).unwrap();
    for (_, time, depth) in of {
        let callers: Vec<u64> = (0..*depth as u64).map(|depth| 0x50_0000 + depth).collect();
        if !writer.has_room(stack.changes(&callers)) {
            writer.grow().unwrap();
            stack.clear();
        }
        stack.change(&callers, 0x60_0000 + time % 7, |entry| assert!(writer.record(*time, &entry)));
    }
    writer.finish();
}

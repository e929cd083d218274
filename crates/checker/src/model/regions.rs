//! The rules of parallel regions, leagues, and their implicit and initial tasks: the thread, the order and the numbers
//! of each begin and end. OpenMP 5.1, sections 2.6, 2.7, 4.5.2.3, 4.5.2.4 and 4.5.2.11.

use super::slots::Slots;
use super::state;
use super::{Model, Progress, Region, Seen, Task};
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::{CodePtr, ParallelFlag, ScopeEndpoint, Slot, TaskFlag};

/// What `implicit_task` says beside the endpoint and the data words.
pub struct Implicit {
    pub parallelism: u32,
    pub index: u32,
    pub flags: TaskFlag,
}

fn one_of(flags: ParallelFlag, one: ParallelFlag, other: ParallelFlag) -> bool {
    flags.contains(one) != flags.contains(other)
}

impl Region {
    /// A parallel region, not a league.
    pub(super) fn is_team(&self) -> bool {
        !ParallelFlag(self.flags).contains(ParallelFlag::LEAGUE)
    }
}

impl Model {
    pub fn parallel_begin(
        &mut self,
        thread: usize,
        slot: Option<Slot<'_>>,
        encountering: Option<Slot<'_>>,
        requested: u32,
        flags: ParallelFlag,
        code: CodePtr,
    ) {
        let task = self.current_task(thread, encountering, "encountering task");
        self.passed_constructs(thread);
        let invoker = one_of(flags, ParallelFlag::INVOKER_PROGRAM, ParallelFlag::INVOKER_RUNTIME);
        if !invoker || !one_of(flags, ParallelFlag::LEAGUE, ParallelFlag::TEAM) {
            self.violation(Rule::ParallelFlags, thread, format!("flags are {flags:?}"));
        }
        let Some((value, addr)) = self.mark(state::REGION, thread, slot) else { return };
        self.threads[thread].regions.push(value);
        let region = Region {
            addr,
            thread,
            task,
            flags: flags.0,
            requested,
            code: code.0,
            indices: Vec::new(),
            begun: 0,
            parallelism: None,
            open_tasks: 0,
            ended: false,
            cancelled: self.blind_to_cancel,
            nested: false,
            explicit: 0,
            barriers: Slots::default(),
            works: Slots::default(),
        };
        self.regions.insert(value, region);
    }

    pub fn parallel_end(
        &mut self,
        thread: usize,
        slot: Option<Slot<'_>>,
        encountering: Option<Slot<'_>>,
        flags: ParallelFlag,
    ) {
        let task = self.current_task(thread, encountering, "encountering task");
        let Some(slot) = slot else {
            self.violation(Rule::NullData, thread, "no parallel data");
            self.threads[thread].regions.pop();
            return;
        };
        let value = slot.get();
        let innermost = self.threads[thread].regions.pop();
        let Some(region) = self.regions.get_mut(&value) else {
            self.violation(Rule::DataLost, thread, format!("parallel data is {}", object(value)));
            return;
        };
        let moved = region.addr != slot.addr();
        let other_thread = (region.thread != thread).then_some(region.thread);
        let other_task = region.task != task && task.is_some();
        let other_flags = (region.flags != flags.0).then_some(ParallelFlag(region.flags));
        let counted = region.parallelism.map(|size| (region.begun, size));
        region.ended = true;
        if region.open_tasks == 0 {
            self.regions.remove(&value);
        }
        let name = object(value);
        if moved {
            self.violation(Rule::DataMoved, thread, format!("the data word of {name} has moved"));
        }
        if let Some(begun_by) = other_thread {
            self.violation(Rule::ParallelPair, thread, format!("end of {name}, which thread {begun_by} began"));
        } else if innermost != Some(value) {
            let text = format!("end of {name}, but {} is innermost", object(innermost.unwrap_or(0)));
            self.violation(Rule::ParallelPair, thread, text);
        }
        if other_task {
            self.violation(Rule::ParallelPair, thread, format!("end of {name} with another encountering task"));
        }
        if let Some(begun) = other_flags {
            self.violation(
                Rule::ParallelFlags,
                thread,
                format!("flags are {flags:?}, were {begun:?} at the begin of {name}"),
            );
        }
        match counted {
            None => self.violation(Rule::ImplicitTaskCount, thread, format!("no implicit task began in {name}")),
            Some((begun, size)) if begun != size => {
                let text = format!("{begun} of {size} implicit tasks of {name} have begun at its end");
                self.violation(Rule::ImplicitTaskCount, thread, text);
            }
            Some(_) => {}
        }
    }

    pub fn implicit_task(
        &mut self,
        thread: usize,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        says: &Implicit,
        seen: &Seen,
    ) {
        if says.flags.contains(TaskFlag::INITIAL) == says.flags.contains(TaskFlag::IMPLICIT) {
            self.violation(Rule::TaskFlags, thread, format!("flags are {:?}: initial or implicit?", says.flags));
        }
        if endpoint == ScopeEndpoint::BEGIN {
            self.implicit_begin(thread, parallel, task, says, seen);
        } else if endpoint == ScopeEndpoint::END {
            self.implicit_end(thread, parallel, task, says);
        } else {
            self.violation(Rule::Endpoint, thread, format!("implicit_task with {endpoint:?}"));
        }
    }

    fn implicit_begin(
        &mut self,
        thread: usize,
        parallel: Option<Slot<'_>>,
        slot: Option<Slot<'_>>,
        says: &Implicit,
        seen: &Seen,
    ) {
        let &Implicit { parallelism, index, flags } = says;
        let found = parallel.map_or(0, Slot::get);
        let region = self.regions.contains_key(&found).then_some(found);
        let initial = flags.contains(TaskFlag::INITIAL);
        if region.is_none() && (!initial || found != 0) {
            self.violation(Rule::WrongRegion, thread, format!("parallel data is {}", object(found)));
        }
        if initial && region.is_none() {
            if parallelism != 1 {
                let text = format!("the initial task has actual_parallelism {parallelism}, not 1");
                self.violation(Rule::ActualParallelism, thread, text);
            }
            if index != 1 {
                self.violation(Rule::TaskIndex, thread, format!("the initial task has index {index}, not 1"));
            }
        } else if index >= parallelism {
            self.violation(Rule::TaskIndex, thread, format!("index {index} of {parallelism}"));
        }
        let mut parent = None;
        if let Some(value) = region {
            parent = self.regions[&value].task;
            self.join_region(thread, value, parallelism, index);
            if let Ok((_, team_size)) = seen.region
                && !initial
                && i64::from(team_size) != i64::from(parallelism)
            {
                let text = format!("a team of {parallelism}, ompt_get_parallel_info says {team_size}");
                self.violation(Rule::ParallelInfo, thread, text);
            }
        }
        let Some((value, addr)) = self.mark(state::TASK, thread, slot) else { return };
        let mut task = Task::new(addr, flags, region, thread);
        task.progress = Progress::Running;
        task.index = index;
        task.parent = parent;
        self.adopt(parent);
        self.tasks.insert(value, task);
        let this = &mut self.threads[thread];
        let before = this.current.replace(value);
        this.implicit.push((value, before));
        if !initial && let Some(region) = region {
            self.thread_enters(thread, region);
        }
    }

    /// One more implicit task of a region begins.
    fn join_region(&mut self, thread: usize, value: u64, parallelism: u32, index: u32) {
        let Some(region) = self.regions.get_mut(&value) else { return };
        region.open_tasks += 1;
        region.begun += 1;
        let size = *region.parallelism.get_or_insert(parallelism);
        let requested = region.requested;
        let late = region.ended;
        let place = index as usize;
        let twice = index < size && {
            if region.indices.len() <= place {
                region.indices.resize(size as usize, false);
            }
            std::mem::replace(&mut region.indices[place], true)
        };
        let name = object(value);
        if size != parallelism {
            let text = format!("actual_parallelism is {parallelism}, was {size} for other tasks of {name}");
            self.violation(Rule::ActualParallelism, thread, text);
        }
        if requested != 0 && parallelism > requested {
            let text = format!("{name} has {parallelism} tasks; {requested} were requested");
            self.violation(Rule::RequestedParallelism, thread, text);
        }
        if twice {
            self.violation(Rule::TaskIndex, thread, format!("index {index} of {name} began twice"));
        }
        if late {
            self.violation(Rule::ImplicitTaskCount, thread, format!("an implicit task of {name} begins after its end"));
        }
    }

    fn implicit_end(&mut self, thread: usize, parallel: Option<Slot<'_>>, slot: Option<Slot<'_>>, says: &Implicit) {
        let Some(value) = self.task(thread, slot, "implicit task") else { return };
        let name = object(value);
        if parallel.is_some() {
            self.violation(Rule::DataNotNull, thread, "the end of an implicit task has parallel data");
        }
        if says.parallelism != 0 {
            let text = format!("actual_parallelism is {} at the end, not 0", says.parallelism);
            self.violation(Rule::ActualParallelism, thread, text);
        }
        let (index, initial) =
            self.tasks.get(&value).map_or((0, false), |task| (task.index, task.flags.contains(TaskFlag::INITIAL)));
        if index != says.index {
            let text = format!("index is {} at the end of {name}, was {index} at its begin", says.index);
            self.violation(Rule::TaskIndex, thread, text);
        }
        match self.threads[thread].implicit.last().copied() {
            Some((open, before)) if open == value => {
                let current = self.threads[thread].current;
                self.threads[thread].implicit.pop();
                self.threads[thread].current = before;
                if current != Some(value) {
                    let text = format!("end of {name} while {} runs", object(current.unwrap_or(0)));
                    self.violation(Rule::NotCurrentTask, thread, text);
                }
            }
            open => {
                let open = object(open.map_or(0, |(open, _)| open));
                self.violation(Rule::ImplicitTaskPair, thread, format!("end of {name}, but {open} is innermost"));
                for other in &mut self.threads {
                    other.implicit.retain(|(task, _)| *task != value);
                }
            }
        }
        let region = self.tasks.get(&value).and_then(|task| task.region);
        if !initial && region.is_some() {
            self.thread_leaves(thread);
        }
        self.complete(thread, value);
        if let Some(region) = region
            && let Some(found) = self.regions.get_mut(&region)
        {
            found.open_tasks = found.open_tasks.saturating_sub(1);
            if found.ended && found.open_tasks == 0 {
                self.regions.remove(&region);
            }
        }
    }
}

//! Tasks that have not completed, and what they wait for.

use super::moment::Moment;
use rustc_hash::FxHashMap;

/// A task that was created and has not completed; an implicit task until it ends.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// The spot of its code; none for an implicit task.
    pub spot: Option<u32>,
    /// When it could run: its creation, or the completion of the tasks that it depends on, or its suspension.
    pub ready: Moment,
    pub parent: u64,
    /// Its children's last completion.
    pub children: Option<Moment>,
    /// The taskgroups that it is in, as its construct's encountering task; the innermost last.
    pub groups: Vec<u64>,
    /// The taskgroup that it was created in; 0 if there is none.
    pub group: u64,
    /// Tasks that depend on it.
    sinks: Vec<u64>,
    /// The longest chain of tasks that ends here, since the last barrier.
    pub span: u64,
    /// The longest chain that ends with one of its children.
    children_span: u64,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Tasks {
    tasks: FxHashMap<u64, Task>,
    /// The last completion in each taskgroup, by its number.
    groups: FxHashMap<u64, Option<Moment>>,
    last_group: u64,
}

impl Tasks {
    pub fn begin(&mut self, id: u64, task: Task) {
        self.tasks.insert(id, task);
    }

    /// A task creates another one.
    pub fn create(&mut self, id: u64, parent: u64, spot: u32, now: Moment) {
        let (group, span) = self
            .tasks
            .get(&parent)
            .map_or((0, 0), |parent| (parent.groups.last().copied().unwrap_or(parent.group), parent.span));
        self.tasks.insert(id, Task { spot: Some(spot), ready: now, parent, group, span, ..Task::default() });
    }

    pub fn get(&self, id: u64) -> Option<&Task> {
        self.tasks.get(&id)
    }

    pub fn get_mut(&mut self, id: u64) -> Option<&mut Task> {
        self.tasks.get_mut(&id)
    }

    /// An implicit task ends.
    pub fn end(&mut self, id: u64) {
        for group in self.tasks.remove(&id).into_iter().flat_map(|task| task.groups) {
            self.groups.remove(&group);
        }
    }

    /// A task waits for another one.
    pub fn depend(&mut self, source: u64, sink: u64) {
        if self.tasks.contains_key(&sink)
            && let Some(source) = self.tasks.get_mut(&source)
        {
            source.sinks.push(sink);
        }
    }

    /// A task has completed. Returns the length of the longest chain that ends with it.
    pub fn complete(&mut self, id: u64, now: &Moment) -> u64 {
        let Some(task) = self.tasks.remove(&id) else { return 0 };
        if let Some(parent) = self.tasks.get_mut(&task.parent) {
            unite(&mut parent.children, now);
            parent.children_span = parent.children_span.max(task.span);
        }
        if let Some(group) = self.groups.get_mut(&task.group) {
            unite(group, now);
        }
        for sink in task.sinks {
            if let Some(sink) = self.tasks.get_mut(&sink) {
                sink.ready.unite(now);
                sink.span = sink.span.max(task.span);
            }
        }
        for group in task.groups {
            self.groups.remove(&group);
        }
        task.span
    }

    /// A task has waited for its children.
    pub fn join(&mut self, id: u64) {
        if let Some(task) = self.tasks.get_mut(&id) {
            task.span = task.span.max(task.children_span);
        }
    }

    /// A task begins a taskgroup.
    pub fn begin_group(&mut self, id: u64) {
        if let Some(task) = self.tasks.get_mut(&id) {
            self.last_group += 1;
            task.groups.push(self.last_group);
            self.groups.insert(self.last_group, None);
        }
    }

    /// A task ends its innermost taskgroup.
    pub fn end_group(&mut self, id: u64) {
        if let Some(group) = self.tasks.get_mut(&id).and_then(|task| task.groups.pop()) {
            self.groups.remove(&group);
        }
    }

    /// The last completion of those that a task waits for at the end of its innermost taskgroup.
    pub fn group_done(&self, id: u64) -> Option<&Moment> {
        let group = self.tasks.get(&id)?.groups.last()?;
        self.groups.get(group)?.as_ref()
    }

    /// The last completion of those that a task waits for in a taskwait.
    pub fn children_done(&self, id: u64) -> Option<&Moment> {
        self.tasks.get(&id)?.children.as_ref()
    }
}

fn unite(to: &mut Option<Moment>, now: &Moment) {
    match to {
        Some(to) => to.unite(now),
        None => *to = Some(now.clone()),
    }
}

//! The rules of locks, critical sections, atomic and ordered regions: acquire, acquired, released, one owner at a time;
//! and what programs do wrong with them, above all waiting for themselves or for each other. OpenMP 5.1, sections
//! 2.19.1, 3.9, 4.5.2.14 to 4.5.2.16.
//!
//! A runtime reports a release after it has released, so the next owner may report first. Until the former owner has
//! reported, it is among those that leave, and its thread's next event must be that release.

use super::nesting::Inner;
use super::state::mutexes::{Acquiring, Holder, family, is_lock, is_owned, is_test};
use super::{Model, Progress, Task};
use crate::happening::object;
use crate::rules::Rule;
use crate::stack;
use ferromp_tool::{CodePtr, Event, Mutex, ScopeEndpoint, TaskFlag};
use std::time::{Duration, Instant};

/// How long a mutex may be held while others wait for it.
const LONG: Duration = Duration::from_millis(500);

/// What a user calls it, with the article.
fn one(kind: i32) -> String {
    let noun = noun(kind);
    format!("{} {noun}", if noun.starts_with(['a', 'o']) { "an" } else { "a" })
}

/// What a user calls it.
fn noun(kind: i32) -> &'static str {
    match Mutex(family(kind)) {
        Mutex::LOCK => "lock",
        Mutex::NEST_LOCK => "nestable lock",
        Mutex::CRITICAL => "critical region",
        Mutex::ATOMIC => "atomic region",
        Mutex::ORDERED => "ordered region",
        _ => "mutex",
    }
}

impl Model {
    /// The task that a thread's locks belong to; a thread without any stands for itself.
    fn owner(&self, thread: usize) -> u64 {
        self.threads[thread].current.unwrap_or(thread as u64)
    }

    /// Before any other event: a thread that was overtaken while it released a mutex must report that now.
    pub fn expect_release(&mut self, thread: usize, event: Event, id: u64) {
        if let Some((expected, other)) = self.threads[thread].must_release.take()
            && (event, id) != (Event::MutexReleased, expected)
        {
            let text = format!("thread {other} acquired mutex {expected:#x} while this thread held it");
            self.violation(Rule::MutexExclusion, thread, text);
        }
    }

    pub fn lock_init(&mut self, thread: usize, kind: Mutex, id: u64) {
        self.check_mutex_kind(thread, kind, is_lock(kind.0) && !is_test(kind.0));
        self.mutexes.locks.insert(id, family(kind.0));
        // A lock on the stack may lie where an earlier lock lay that was never destroyed.
        self.disown_mutex(id);
    }

    /// The mutex has no owner any more.
    fn disown_mutex(&mut self, id: u64) {
        let Some(holder) = self.mutexes.held.remove(&id) else { return };
        self.held_long(id, &holder);
        if is_lock(holder.kind)
            && let Some(task) = self.tasks.get_mut(&holder.task)
        {
            task.owns = task.owns.saturating_sub(1);
        }
    }

    fn check_mutex_kind(&mut self, thread: usize, kind: Mutex, fits: bool) {
        if self.is_unknown(kind.name()) || (!fits && kind.name().is_some()) {
            self.violation(Rule::MutexKind, thread, format!("the kind is {kind:?}"));
        }
    }

    pub fn lock_destroy(&mut self, thread: usize, kind: Mutex, id: u64, code: CodePtr) {
        self.check_mutex_kind(thread, kind, is_lock(kind.0) && !is_test(kind.0));
        let here = ("the lock is destroyed".to_owned(), code.0);
        match self.mutexes.locks.remove(&id) {
            Some(of_init) if of_init == family(kind.0) => {}
            Some(of_init) => {
                let text = format!("a {} is destroyed that was initialised as a {}", noun(kind.0), noun(of_init));
                self.finding(Rule::LockUninitialized, thread, text, std::slice::from_ref(&here), false);
            }
            None if self.always.contains(&Event::LockInit) => {
                let text = "a lock is destroyed that was not initialised";
                self.finding(Rule::LockUninitialized, thread, text, std::slice::from_ref(&here), false);
            }
            None => {}
        }
        if let Some(holder) = self.mutexes.held.get(&id) {
            let set = (format!("thread {} set it", holder.thread), holder.code);
            self.finding(Rule::LockDestroyed, thread, "a lock is destroyed while it is set", &[here, set], false);
            self.disown_mutex(id);
        }
    }

    pub fn mutex_acquire(&mut self, thread: usize, kind: Mutex, id: u64, code: CodePtr) {
        self.check_mutex_kind(thread, kind, true);
        if is_lock(kind.0) && self.always.contains(&Event::LockInit) {
            let of_init = self.mutexes.locks.get(&id).copied();
            let here = [("the lock is used".to_owned(), code.0)];
            if of_init.is_none() {
                let text = "a lock is used that was not initialised, or was destroyed";
                self.finding(Rule::LockUninitialized, thread, text, &here, false);
                // One report a lock: from here on the lock counts as initialised.
                self.mutexes.locks.insert(id, family(kind.0));
            } else if of_init != Some(family(kind.0)) {
                let text = format!("a {} is used that was initialised as another kind of lock", noun(kind.0));
                self.finding(Rule::LockUninitialized, thread, text, &here, false);
            }
        }
        let acquiring = Acquiring { kind: kind.0, id, code: code.0 };
        if !is_test(kind.0) && is_owned(kind.0) {
            self.find_deadlock(thread, acquiring);
        }
        if kind == Mutex::ORDERED
            && let Some(task) = self.threads[thread].current
        {
            self.check_nesting(thread, task, Inner::Ordered, code.0);
        }
        let pending = self.threads[thread].acquiring.replace(acquiring);
        if let Some(pending) = pending
            && !is_test(pending.kind)
        {
            let text = format!("acquire of {id:#x} while {:#x} is being acquired", pending.id);
            self.violation(Rule::MutexOrder, thread, text);
        }
    }

    /// Whether the thread would wait for ever for this mutex: for itself, or for a thread that waits for it.
    fn find_deadlock(&mut self, thread: usize, wanted: Acquiring) {
        let owner = self.owner(thread);
        let Some(holder) = self.mutexes.held.get(&wanted.id) else { return };
        let (what, nested) = (noun(wanted.kind), family(wanted.kind) == Mutex::NEST_LOCK.0);
        let set_by = if is_lock(wanted.kind) { "set" } else { "entered" };
        if holder.task == owner {
            if !nested {
                let mut places = vec![("it waits".to_owned(), wanted.code)];
                let path = stack::callers(wanted.code, &self.library);
                places.extend(path.into_iter().map(|code| ("called from".to_owned(), code)));
                places.push((format!("it {set_by} it"), holder.code));
                let text = format!("thread {thread} waits for a {what} that it holds itself: it waits for ever");
                self.finding(Rule::SelfDeadlock, thread, text, &places, true);
            }
            return;
        }
        // A tied task below the current one on the same thread goes on only when the current one has ended.
        let below = |task: &Task| task.progress == Progress::Suspended && task.is_tied();
        if holder.thread == thread && self.tasks.get(&holder.task).is_some_and(below) {
            let places =
                [("the task waits".to_owned(), wanted.code), (format!("the suspended task {set_by} it"), holder.code)];
            let text = format!(
                "a task waits for a {what} that the task below it on thread {thread} holds, which was suspended \
                 at a task scheduling point meanwhile: it waits for ever"
            );
            return self.finding(Rule::LockAcrossTask, thread, text, &places, true);
        }
        let mut circle = vec![(thread, wanted)];
        let mut next = holder.thread;
        while next != thread && circle.len() <= self.threads.len() {
            let waits = self.threads[next].acquiring.filter(|waits| !is_test(waits.kind) && is_owned(waits.kind));
            let Some(waits) = waits else { return };
            let Some(holder) = self.mutexes.held.get(&waits.id) else { return };
            circle.push((next, waits));
            next = holder.thread;
        }
        if next != thread || self.threads[thread].must_release.is_some() {
            return;
        }
        let mut places = Vec::new();
        for (thread, waits) in &circle {
            let holder = &self.mutexes.held[&waits.id];
            places.push((format!("thread {thread} waits for a {}", noun(waits.kind)), waits.code));
            places.push((format!("which thread {} holds since", holder.thread), holder.code));
        }
        let text = format!("{} threads wait for each other in a circle: they wait for ever", circle.len());
        self.finding(Rule::Deadlock, thread, text, &places, true);
    }

    /// The acquisition that was pending must be this one; gives where it began.
    fn acquired(&mut self, thread: usize, kind: Option<Mutex>, id: u64, code: CodePtr) -> usize {
        match self.threads[thread].acquiring.take() {
            Some(pending) if pending.id == id => {
                if let Some(kind) = kind.filter(|kind| kind.0 != pending.kind) {
                    let text =
                        format!("{id:#x} acquired as {kind:?}, the acquire event said {:?}", Mutex(pending.kind));
                    self.violation(Rule::MutexKind, thread, text);
                }
                pending.code
            }
            _ => {
                self.violation(Rule::MutexOrder, thread, format!("{id:#x} is acquired without mutex_acquire"));
                code.0
            }
        }
    }

    pub fn mutex_acquired(&mut self, thread: usize, kind: Mutex, id: u64, code: CodePtr) {
        let code = self.acquired(thread, Some(kind), id, code);
        let (task, kind) = (self.owner(thread), family(kind.0));
        if is_lock(kind)
            && let Some(task) = self.tasks.get_mut(&task)
        {
            task.owns += 1;
        }
        if kind == Mutex::ORDERED.0 {
            self.ordered_begins(thread);
        }
        let holder = Holder { kind, task, thread, depth: 1, code, since: Instant::now() };
        let Some(former) = self.mutexes.held.insert(id, holder) else { return };
        self.held_long(id, &former);
        if former.thread == thread {
            self.violation(
                Rule::MutexExclusion,
                thread,
                format!("mutex {id:#x} is acquired a second time on this thread"),
            );
            return;
        }
        self.mutexes.leaving.insert((id, former.thread), former.task);
        let untied = self.tasks.get(&former.task).is_some_and(|task| !task.is_tied());
        if !untied {
            self.threads[former.thread].must_release = Some((id, thread));
        }
    }

    pub fn mutex_released(&mut self, thread: usize, kind: Mutex, id: u64, code: CodePtr) {
        self.check_mutex_kind(thread, kind, !is_test(kind.0));
        let owner = self.owner(thread);
        if let Some(former) = self.mutexes.leaving.remove(&(id, thread)) {
            if is_lock(kind.0)
                && let Some(task) = self.tasks.get_mut(&former)
            {
                task.owns = task.owns.saturating_sub(1);
            }
            return;
        }
        let here = ("the lock is unset".to_owned(), code.0);
        let Some(holder) = self.mutexes.held.get(&id) else {
            let text = format!("{} is released that nobody holds", one(kind.0));
            return match is_lock(kind.0) {
                true => self.finding(Rule::LockNotOwned, thread, text, &[here], false),
                false => self.violation(Rule::MutexOrder, thread, text),
            };
        };
        let (of, task, depth) = (holder.kind, holder.task, holder.depth);
        let (on, set) = (holder.thread, holder.code);
        if of != kind.0 {
            let text = format!("{id:#x} is released as {kind:?} and was acquired as {:?}", Mutex(of));
            self.violation(Rule::MutexKind, thread, text);
        }
        if task != owner {
            if is_lock(of) {
                let text =
                    format!("a {} is unset by thread {thread}; the task that owns it runs on thread {on}", noun(of));
                let set = (format!("thread {on} set it"), set);
                self.finding(Rule::LockNotOwned, thread, text, &[here, set], false);
            } else {
                let text = format!("{} releases mutex {id:#x}, which {} holds", object(owner), object(task));
                self.violation(Rule::MutexOrder, thread, text);
            }
        } else if depth != 1 {
            self.violation(Rule::NestLock, thread, format!("{id:#x} is released, and is set {depth} times"));
        }
        self.disown_mutex(id);
    }

    /// A mutex is given up: was it held for long while others waited?
    fn held_long(&mut self, id: u64, holder: &Holder) {
        let long = holder.since.elapsed();
        if long < LONG
            || !is_owned(holder.kind)
            || !self.threads.iter().any(|thread| thread.acquiring.is_some_and(|a| a.id == id))
        {
            return;
        }
        let text = format!(
            "a {} was held for {:.1} s while other threads waited for it",
            noun(holder.kind),
            long.as_secs_f64()
        );
        let place = ("it was entered or set".to_owned(), holder.code);
        self.finding(Rule::HeldLong, holder.thread, text, &[place], false);
    }

    pub fn nest_lock(&mut self, thread: usize, endpoint: ScopeEndpoint, id: u64, code: CodePtr) {
        if endpoint == ScopeEndpoint::BEGIN {
            self.acquired(thread, None, id, code);
        }
        let owner = self.owner(thread);
        let held = self.mutexes.held.get_mut(&id).filter(|holder| holder.task == owner);
        match (held, endpoint) {
            (Some(holder), ScopeEndpoint::BEGIN) => holder.depth += 1,
            (Some(holder), ScopeEndpoint::END) if holder.depth > 1 => holder.depth -= 1,
            _ => {
                let text = format!("nest_lock {endpoint:?} of {id:#x}, which the task does not own so often");
                self.violation(Rule::NestLock, thread, text);
            }
        }
    }

    /// A task has ended that still owns locks.
    pub(super) fn kept_locks(&mut self, thread: usize, value: u64, task: &Task) {
        let kept: Vec<(i32, usize)> = self
            .mutexes
            .held
            .values()
            .filter(|holder| holder.task == value && is_lock(holder.kind))
            .map(|holder| (holder.kind, holder.code))
            .collect();
        let what = match task.flags {
            flags if flags.contains(TaskFlag::INITIAL) => "the program ended",
            flags if flags.contains(TaskFlag::IMPLICIT) => "a parallel region ended",
            _ => "an explicit task ended",
        };
        for (kind, code) in kept {
            let text = format!("{what} while its thread still owned a {}", noun(kind));
            self.finding(Rule::LockKept, thread, text, &[("it was set".into(), code)], false);
        }
    }

    /// What the thread waits for, if it waits for a mutex.
    pub(super) fn waits_for_mutex(&self, thread: usize) -> Option<(String, usize)> {
        let wanted = self.threads[thread].acquiring.filter(|wanted| !is_test(wanted.kind))?;
        let holder = self.mutexes.held.get(&wanted.id);
        let by = holder.map(|holder| format!(", which thread {} holds", holder.thread)).unwrap_or_default();
        Some((format!("{}{by}", one(wanted.kind)), wanted.code))
    }

    /// What is being acquired: kind and wait identifier.
    pub(super) fn pending_mutex(&self, thread: usize) -> Option<(i32, u64)> {
        self.threads[thread].acquiring.map(|wanted| (family(wanted.kind), wanted.id))
    }
}

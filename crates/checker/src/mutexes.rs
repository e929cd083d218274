//! The rules of locks, critical sections, atomic and ordered regions: acquire, acquired, released,
//! for each thread and wait identifier; locks are initialised before they are used or destroyed.

use crate::model::Model;
use ferromp_tool::{Event, Mutex, ScopeEndpoint};

/// The kind that a mutex is released as, whatever it was acquired by.
fn family(kind: Mutex) -> i32 {
    match kind {
        Mutex::TEST_LOCK => Mutex::LOCK.0,
        Mutex::TEST_NEST_LOCK => Mutex::NEST_LOCK.0,
        kind => kind.0,
    }
}

fn is_test(kind: i32) -> bool {
    kind == Mutex::TEST_LOCK.0 || kind == Mutex::TEST_NEST_LOCK.0
}

impl Model {
    pub fn lock_init(&mut self, kind: Mutex, wait_id: u64) {
        self.locks.insert(wait_id, family(kind));
    }

    pub fn lock_destroy(&mut self, thread: usize, kind: Mutex, wait_id: u64) {
        match self.locks.remove(&wait_id) {
            Some(of_init) if of_init == family(kind) => {}
            Some(_) => {
                let text = format!("lock_destroy of {wait_id:#x} as {kind:?}, initialised as another kind");
                self.violation("mutex-kind", thread, text);
            }
            None => {
                let text = format!("lock_destroy of {wait_id:#x}, which was not initialised");
                self.violation("lock-init", thread, text);
            }
        }
    }

    pub fn mutex_acquire(&mut self, thread: usize, kind: Mutex, wait_id: u64) {
        let is_lock = family(kind) == Mutex::LOCK.0 || family(kind) == Mutex::NEST_LOCK.0;
        if is_lock && self.always.contains(&Event::LockInit) {
            match self.locks.get(&wait_id) {
                Some(of_init) if *of_init == family(kind) => {}
                Some(_) => {
                    let text = format!("mutex_acquire of {wait_id:#x} as {kind:?}, initialised as another kind");
                    self.violation("mutex-kind", thread, text);
                }
                None => {
                    let text = format!("mutex_acquire of lock {wait_id:#x}, which was not initialised");
                    self.violation("lock-init", thread, text);
                }
            }
        }
        let pending = self.threads[thread].acquiring.replace((kind.0, wait_id));
        if let Some((kind, pending)) = pending
            && !is_test(kind)
        {
            let text = format!("mutex_acquire of {wait_id:#x} while {pending:#x} is being acquired");
            self.violation("mutex-order", thread, text);
        }
    }

    /// The acquisition that was pending must be this one.
    fn acquired(&mut self, thread: usize, kind: Option<Mutex>, wait_id: u64, what: &str) {
        match self.threads[thread].acquiring.take() {
            Some((pending_kind, pending)) if pending == wait_id => {
                if kind.is_some_and(|kind| kind.0 != pending_kind) {
                    let text = format!("{what} of {wait_id:#x} as {kind:?}, acquired as {:?}", Mutex(pending_kind));
                    self.violation("mutex-kind", thread, text);
                }
            }
            _ => {
                let text = format!("{what} of {wait_id:#x} without mutex_acquire");
                self.violation("mutex-order", thread, text);
            }
        }
    }

    pub fn mutex_acquired(&mut self, thread: usize, kind: Mutex, wait_id: u64) {
        self.acquired(thread, Some(kind), wait_id, "mutex_acquired");
        self.threads[thread].held.push((family(kind), wait_id, 1));
    }

    pub fn mutex_released(&mut self, thread: usize, kind: Mutex, wait_id: u64) {
        let held = &mut self.threads[thread].held;
        let found = held.iter().rposition(|(of, id, _)| *of == kind.0 && *id == wait_id);
        match found.map(|index| held.remove(index)) {
            Some((_, _, 1)) => {}
            Some((_, _, depth)) => {
                let text = format!("mutex_released of {wait_id:#x}, which is set {depth} times");
                self.violation("nest-lock", thread, text);
            }
            None => self.released_elsewhere(thread, kind, wait_id),
        }
    }

    /// A lock may be released on another thread, if its task is untied.
    fn released_elsewhere(&mut self, thread: usize, kind: Mutex, wait_id: u64) {
        let untied = self.threads[thread]
            .current
            .and_then(|task| self.tasks.get(&task))
            .is_some_and(|task| task.flags.contains(ferromp_tool::TaskFlag::UNTIED));
        if untied {
            for other in &mut self.threads {
                let held = &mut other.held;
                if let Some(index) = held.iter().rposition(|(of, id, _)| *of == kind.0 && *id == wait_id) {
                    held.remove(index);
                    return;
                }
            }
        }
        let text = format!("mutex_released of {wait_id:#x} as {kind:?}, which the thread does not hold");
        self.violation("mutex-order", thread, text);
    }

    pub fn nest_lock(&mut self, thread: usize, endpoint: ScopeEndpoint, wait_id: u64) {
        if endpoint == ScopeEndpoint::BEGIN {
            self.acquired(thread, None, wait_id, "nest_lock");
        }
        let held = self.threads[thread].held.iter_mut().rfind(|(_, id, _)| *id == wait_id);
        match (held, endpoint) {
            (Some((_, _, depth)), ScopeEndpoint::BEGIN) => *depth += 1,
            (Some((_, _, depth)), ScopeEndpoint::END) if *depth > 1 => *depth -= 1,
            _ => {
                let text = format!("nest_lock {endpoint:?} of {wait_id:#x}, which the thread does not hold so often");
                self.violation("nest-lock", thread, text);
            }
        }
    }
}

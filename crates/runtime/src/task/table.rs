//! What is known of the dependences among a task's children (OpenMP 5.1 §2.19.11): for each storage location the tasks
//! that named it last. Only the thread that executes the task touches its table.
//!
//! Transparent tasks (OpenMP 6.0, section 17.9.6) hand tables on, for dependences between tasks of several generations:
//!
//! - The children of an importing task depend on tasks that came before the importing task. The task begins with what
//!   its generating task's table knew when the task was generated.
//! - The successors of an exporting task also wait for the children of that task that have dependences. The
//!   specification asks for this only where both name the same storage locations.
//! - The children of an undeferred exporting task count with its siblings.

use crate::objects::dependence::{Dependence, DependenceKind};
use crate::objects::structures::{Location, Table, Task};
use crate::objects::task::flag;
use std::collections::hash_map::Entry;

impl Location {
    /// Whether all tasks that are known here are complete, so that later tasks wait for none of them.
    pub(super) fn is_over(&self) -> bool {
        self.last.iter().all(|node| node.is_complete())
    }

    /// Adds what another table knows of the location. Its tasks have not waited for those here, so later tasks wait for
    /// both.
    fn add(&mut self, other: Location) {
        if self.kind != other.kind || self.kind != DependenceKind::In {
            self.kind = DependenceKind::InOut;
            self.mutex = None;
        }
        self.last.extend(other.last);
        self.before.extend(other.before);
    }
}

impl Table {
    fn is_over(&self) -> bool {
        self.all.iter().all(|node| node.is_complete()) && self.locations.values().all(Location::is_over)
    }
}

/// Brings the dependences of a task into the order of their locations, each location once. A location that is named in
/// several ways becomes `inout`. A dependence on all memory contains the others.
pub(super) fn merge(dependences: &mut Vec<Dependence>) {
    if let Some(&all) = dependences.iter().find(|dependence| dependence.kind == DependenceKind::AllMemory) {
        dependences.clear();
        dependences.push(all);
        return;
    }
    for dependence in dependences.iter_mut() {
        if dependence.kind == DependenceKind::Out {
            dependence.kind = DependenceKind::InOut;
        }
    }
    dependences.sort_unstable_by_key(|dependence| dependence.address);
    dependences.dedup_by(|later, first| {
        let same = later.address == first.address;
        if same && later.kind != first.kind {
            first.kind = DependenceKind::InOut;
        }
        same
    });
}

/// The table of `parent`, if it has one. Executing thread only.
#[allow(clippy::mut_from_ref, reason = "the table belongs to the executing thread alone")]
pub(super) fn table(parent: &Task) -> Option<&mut Table> {
    // SAFETY: null, or a box that `table_or_new` or `hand_on` made. Only the thread that executes the parent uses the
    // table, and that thread does not keep the reference.
    unsafe { parent.children.get().as_mut() }
}

/// As [`table`]; the table is made if there is none.
#[allow(clippy::mut_from_ref, reason = "as for `table`")]
pub(super) fn table_or_new(parent: &Task) -> &mut Table {
    if parent.children.get().is_null() {
        parent.children.set(Box::into_raw(Box::default()));
    }
    // SAFETY: as in `table`, and not null.
    unsafe { &mut *parent.children.get() }
}

/// Gives the importing `task`, which the current task `parent` generates, what is known of its preceding siblings.
/// Before the task is entered among them.
pub(super) fn hand_on(parent: &Task, task: &Task) {
    let Some(table) = table(parent) else { return };
    if !task.has(flag::IMPORTING) || table.is_over() {
        return;
    }
    let mut known = Table { all: table.all.clone(), has_others: true, ..Table::default() };
    let open = table.locations.iter().filter(|(_, location)| !location.is_over());
    known.locations.extend(open.map(|(&address, location)| (address, location.clone())));
    task.children.set(Box::into_raw(Box::new(known)));
}

/// Forgets the dependences among the children of `task`, which is complete. Those that an undeferred exporting task
/// leaves to its siblings go to its generating task `parent`.
#[cold]
pub(super) fn leave_children(parent: &Task, task: &Task) {
    const EXPORTED: u32 = flag::EXPORTING | flag::UNDEFERRED;
    if task.flags.get() & (EXPORTED | flag::COUNTED) == EXPORTED
        && let Some(from) = table(task).filter(|table| !table.is_over())
    {
        let into = table_or_new(parent);
        into.has_others = true;
        for (address, location) in from.locations.drain() {
            match into.locations.entry(address) {
                Entry::Vacant(entry) => drop(entry.insert(location)),
                Entry::Occupied(mut entry) => entry.get_mut().add(location),
            }
        }
        into.all.append(&mut from.all);
    }
    forget(task);
}

/// Forgets the dependences among the children of the current task `task`, which are all complete, unless incomplete
/// tasks of other generations are known. Returns whether nothing is left that later children could have to wait for.
#[cold]
pub(super) fn forget_children(task: &Task) -> bool {
    if let Some(table) = table(task).filter(|table| table.has_others && !table.is_over()) {
        table.locations.retain(|_, location| !location.is_over());
        table.all.retain(|node| !node.is_complete());
        return false;
    }
    forget(task);
    true
}

/// Forgets the dependences among the children of `task`, which is complete, or whose region is over. There is a table.
#[cold]
pub(super) fn forget(task: &Task) {
    // SAFETY: as in `table`; the pointer is given up with the box.
    drop(unsafe { Box::from_raw(task.children.replace(std::ptr::null_mut())) });
}

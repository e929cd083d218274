//! Transparent tasks (OpenMP 6.0, section 17.9.6): dependences between tasks of several generations.
//!
//! An importing task's children depend on tasks that came before it, by what was known of its generating task's
//! children when it was generated. Who depends on an exporting task goes on when the children of that task with
//! dependences are complete as well: the specification asks for this only where they name the same storage locations.
//! Where the exporting task is an undeferred one, its children count with its siblings.

use super::depend;
use crate::objects::structures::Task;
use crate::objects::structures::{Location, Table};
use crate::objects::task::flag;
use std::collections::hash_map::Entry;

impl Location {
    /// The tasks of the location, for who may wait for them.
    fn known(&self) -> Option<Location> {
        (!self.is_over()).then(|| self.clone())
    }
}

impl Table {
    fn is_over(&self) -> bool {
        self.all.iter().all(|node| node.is_complete()) && self.locations.values().all(Location::is_over)
    }
}

/// Gives the importing `task`, which the current task `parent` generates, what is known of its preceding siblings.
/// Before the task is entered among them.
#[cold]
pub(super) fn import(parent: &Task, task: &Task) {
    let Some(table) = depend::table(parent) else { return };
    if !task.has(flag::IMPORTING) || !task.children.get().is_null() || table.is_over() {
        return;
    }
    let mut known = Table::default();
    known
        .locations
        .extend(table.locations.iter().filter_map(|(&address, location)| Some((address, location.known()?))));
    known.all.clone_from(&table.all);
    known.has_others = true;
    task.children.set(Box::into_raw(Box::new(known)));
}

/// The task is complete, and its table is there: forgets the dependences among its children, but for those that an
/// undeferred exporting task leaves to its siblings.
#[cold]
pub(super) fn leave_children(parent: &Task, task: &Task) {
    const EXPORTED: u32 = flag::EXPORTING | flag::UNDEFERRED;
    if task.flags.get() & EXPORTED == EXPORTED && !task.has(flag::COUNTED) {
        export(parent, task);
    }
    depend::forget(task);
}

/// The children of `task`, which its generating task `parent` has executed in place, count as children of `parent`.
fn export(parent: &Task, task: &Task) {
    let Some(from) = depend::table(task).filter(|table| !table.is_over()) else { return };
    if parent.children.get().is_null() {
        parent.children.set(Box::into_raw(Box::default()));
    }
    let Some(into) = depend::table(parent) else { return };
    into.has_others = true;
    for (address, location) in from.locations.drain() {
        match into.locations.entry(address) {
            Entry::Vacant(entry) => drop(entry.insert(location)),
            Entry::Occupied(mut entry) => entry.get_mut().add(location),
        }
    }
    into.all.append(&mut from.all);
}

/// All children of the current task `task` are complete: forgets the dependences among them, unless tasks of other
/// generations are there that are not. Returns whether nothing is left that later children could have to wait for.
#[cold]
pub(super) fn forget_children(task: &Task) -> bool {
    if let Some(table) = depend::table(task).filter(|table| table.has_others && !table.is_over()) {
        table.locations.retain(|_, location| !location.is_over());
        table.all.retain(|node| !node.is_complete());
        return false;
    }
    depend::forget(task);
    true
}

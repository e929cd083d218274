//! The end of a construct that maps variables: references are released, values are copied back, and what nothing refers
//! to any more is freed (OpenMP 5.1 §2.21.7.1).

use super::context::Context;
use super::info;
use super::items::{Work, task};
use super::mapper::Phase;
use super::stage;
use super::table::Inner;
use super::types::{Lists, MapType};
use super::work::Done;
use crate::device::driver::Direction;
use crate::ompt;

impl Work {
    /// What a target region has mapped with [`begin`](Work::begin) ends: copies are queued. [`finish`](Self::finish)
    /// follows when they are complete.
    ///
    /// # Safety
    /// The variables are there until then.
    pub unsafe fn end_region(&mut self, context: &Context) {
        self.holes.clear();
        context.device.maps.with(|table| self.leave(table));
        // SAFETY: the caller's.
        unsafe { self.copy_back(context) };
    }

    /// Copies back what is to be, and lets others go on who have found that in the meantime.
    ///
    /// # Safety
    /// As for [`copy`](Self::copy).
    unsafe fn copy_back(&mut self, context: &Context) {
        // SAFETY: the caller's.
        unsafe { self.copy(context, Direction::FromDevice) };
        if context.queues && self.items.iter().any(|item| item.has(task::COPY)) {
            self.leave_marks(context);
        }
        for entry in self.items.iter().filter(|item| item.has(task::LEAVING)).filter_map(|item| item.entry) {
            entry.stage.set(stage::READY);
        }
    }

    /// The end of a `target data` region, or a `target exit data` construct: as [`end_region`](Self::end_region), for
    /// variables that another construct has mapped.
    ///
    /// # Safety
    /// The lists and the variables are as said, the latter until [`finish`](Self::finish).
    pub unsafe fn end(&mut self, context: &Context, lists: &Lists) -> Done {
        // SAFETY: the caller's.
        unsafe { self.expand(lists, Phase::End)? };
        let ready = context.device.maps.with(|table| {
            self.find_mapped(table, Phase::End)?;
            let ready =
                self.items.iter().filter_map(|item| item.entry).all(|entry| entry.stage.has_come_to(stage::READY));
            if ready {
                self.leave(table);
            }
            Ok(ready)
        })?;
        self.order(context);
        if !ready {
            self.await_ready(context);
            context.device.maps.with(|table| self.leave(table));
        }
        if ompt::wants_mappings(context.tool) {
            self.tell_tool(context, false);
        }
        // SAFETY: the caller's.
        unsafe { self.copy_back(context) };
        Ok(())
    }

    /// What was queued is complete.
    pub fn finish(&mut self, context: &Context) {
        if info::is_on() {
            info::ended(context.device, &self.items);
        }
        self.release(context);
        self.free_privates(context);
    }

    /// Releases the references, and then finds what has to be copied back: first one and then the other, so that the
    /// members of a structure are copied when its last reference goes, in whatever order they are listed. On the
    /// table's lock.
    fn leave(&mut self, table: &mut Inner) {
        for item in &self.items {
            let kind = item.variable.kind;
            if let Some(entry) = item.entry
                && (item.has(task::COUNTED) || kind.has(MapType::DELETE))
            {
                table.state_mut(entry).release(kind.has(MapType::HOLD), kind.has(MapType::DELETE));
            }
        }
        self.pinned = false;
        for item in &mut self.items {
            item.tasks &= !task::COPY;
            item.holes = (0, 0);
            let Some(entry) = item.entry else {
                self.pinned |= item.has(task::POINTER_PINNED);
                continue;
            };
            let (kind, last) = (item.variable.kind, table.state(entry).references() == 0);
            let mapped = !kind.is_unmapped() && !item.has(task::LATE);
            if mapped && kind.has(MapType::FROM) && item.variable.bytes != 0 && (last || kind.has(MapType::ALWAYS)) {
                item.tasks |= task::COPY;
                Self::find_holes(table, item, &mut self.holes);
                if last {
                    entry.stage.go_back();
                    item.tasks |= task::LEAVING;
                }
            }
            if !last && !item.has(task::COPY) && item.has(task::PINNED) {
                item.tasks &= !task::PINNED;
                table.state_mut(entry).pins -= 1;
            }
            self.pinned |= item.has(task::PINNED | task::POINTER_PINNED);
        }
    }
}

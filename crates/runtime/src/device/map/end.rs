//! The end of a construct that maps variables: references are released, values copied back, and counterparts without
//! references freed (OpenMP 5.1 §2.21.7.1).

use super::context::Context;
use super::failure::Done;
use super::info;
use super::items::{Work, flag};
use super::mapper::Phase;
use super::stage;
use super::table::Inner;
use super::types::{Lists, MapType};
use crate::ompt;

impl Work {
    /// Ends what a target region has mapped with [`begin`](Work::begin): copies are queued. [`finish`](Self::finish)
    /// follows when they are complete.
    ///
    /// # Safety
    /// The variables exist until then.
    pub unsafe fn end_region(&mut self, context: &Context) {
        self.holes.clear();
        context.device.maps.with(|table| self.leave(table));
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.copy_back(context) };
    }

    /// Copies back what is to be copied, and lets constructs go on that have found these entries meanwhile.
    ///
    /// # Safety
    /// As for [`copy`](Self::copy).
    unsafe fn copy_back(&mut self, context: &Context) {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.copy(context, MapType::FROM) };
        self.leave_marks(context);
        for entry in self.items.iter().filter(|item| item.has(flag::LEAVING)).filter_map(|item| item.entry) {
            entry.stage.set(stage::READY);
        }
    }

    /// The end of a `target data` region, or a `target exit data` construct: as [`end_region`](Self::end_region), for
    /// variables that another construct has mapped.
    ///
    /// # Safety
    /// The lists are as the compiler makes them, and the variables exist until [`finish`](Self::finish).
    pub unsafe fn end(&mut self, context: &Context, lists: &Lists) -> Done {
        // SAFETY: the caller keeps to the `# Safety` section.
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
            self.report_mappings(context, false);
        }
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.copy_back(context) };
        Ok(())
    }

    /// Releases the construct's pins and private variables, once all that was queued is complete.
    pub fn finish(&mut self, context: &Context) {
        if info::is_on() {
            info::ended(context.device, &self.items);
        }
        self.release(context);
        self.free_privates(context);
    }

    /// Releases all references, then decides what is copied back, under the table's lock. In this order the members of
    /// a structure are copied when its last reference goes, however they are listed.
    fn leave(&mut self, table: &mut Inner) {
        for item in &self.items {
            let kind = item.variable.kind;
            if let Some(entry) = item.entry
                && (item.has(flag::COUNTED) || kind.has(MapType::DELETE))
            {
                table.state_mut(entry).release(kind.has(MapType::HOLD), kind.has(MapType::DELETE));
            }
        }
        self.pinned = false;
        for item in &mut self.items {
            item.flags &= !flag::COPY;
            item.holes = (0, 0);
            let Some(entry) = item.entry else {
                self.pinned |= item.has(flag::POINTER_PINNED);
                continue;
            };
            let (kind, last) = (item.variable.kind, table.state(entry).references() == 0);
            let mapped = !kind.is_unmapped() && !item.has(flag::LATE);
            if mapped && kind.has(MapType::FROM) && item.variable.bytes != 0 && (last || kind.has(MapType::ALWAYS)) {
                item.flags |= flag::COPY;
                Self::find_holes(table, item, &mut self.holes);
                if last {
                    entry.stage.go_back();
                    item.flags |= flag::LEAVING;
                }
            }
            if !last && !item.has(flag::COPY) && item.has(flag::PINNED) {
                item.flags &= !flag::PINNED;
                table.state_mut(entry).pins -= 1;
            }
            self.pinned |= item.has(flag::PINNED | flag::POINTER_PINNED);
        }
    }
}

//! The steps that the phases of a construct share. `README.md` has the phases and the reason for their order.

use super::context::Context;
use super::failure::Failure;
use super::items::{Item, Work, task};
use super::table::Inner;
use super::types::{MapType, POINTER};
use crate::ompt::{self, Mappings};
use ::ompt::TargetMapFlag;

/// The result of a phase.
pub type Done = Result<(), Failure>;

impl Work {
    /// Pins the entry of an item.
    #[inline(always)]
    pub fn pin(table: &mut Inner, item: &mut Item) {
        if let Some(entry) = item.entry {
            table.state_mut(entry).pins += 1;
            item.tasks |= task::PINNED;
        }
    }

    /// Notes the attached pointers in the range of an item that is copied: neither side's pointers are the other's.
    pub fn find_holes(table: &Inner, item: &mut Item, holes: &mut Vec<usize>) {
        let Some(entry) = item.entry else { return };
        let state = table.state(entry);
        if state.attached.is_empty() {
            return;
        }
        let start = holes.len();
        holes.extend(state.attached_within(item.variable.begin, item.variable.end()));
        item.holes = (start as u32, holes.len() as u32);
    }

    /// The runs of bytes of an item that are copied, between attached pointers: where they begin, and their lengths.
    pub fn runs(&self, item: &Item) -> impl Iterator<Item = (usize, usize)> {
        let holes = &self.holes[item.holes.0 as usize..item.holes.1 as usize];
        let begins = std::iter::once(item.variable.begin).chain(holes.iter().map(|hole| hole + POINTER));
        let ends = holes.iter().copied().chain(std::iter::once(item.variable.end()));
        begins.zip(ends).filter(|(begin, end)| begin < end).map(|(begin, end)| (begin, end - begin))
    }

    /// Pins are released, and what nobody refers to any more goes. On the table's lock; [`free`](Self::free) follows
    /// without it.
    fn unpin(&mut self, table: &mut Inner) {
        for item in &mut self.items {
            for (bit, entry) in [(task::PINNED, item.entry), (task::POINTER_PINNED, item.pointer_entry)] {
                if item.tasks & bit != 0
                    && let Some(entry) = entry
                {
                    item.tasks &= !bit;
                    let state = table.state_mut(entry);
                    state.pins -= 1;
                    if state.pins == 0 && state.references() == 0 {
                        self.gone.extend(table.remove(entry));
                    }
                }
            }
        }
        self.pinned = false;
    }

    /// What the construct has pinned may go.
    pub fn release(&mut self, context: &Context) {
        if self.pinned {
            context.device.maps.with(|table| self.unpin(table));
        }
        for gone in self.gone.drain(..) {
            context.free_counterpart(&gone);
        }
    }

    /// Waits until the items' counterparts have addresses, of those that other constructs are about to make.
    #[inline(always)]
    pub fn await_allocated(&self) {
        for entry in self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten() {
            if !entry.is_allocated() {
                entry.await_allocated();
            }
        }
    }

    /// Waits until the items' counterparts have their content, of those that other constructs are about to copy.
    #[inline(always)]
    pub fn await_ready(&mut self, context: &Context) {
        let mut waited = std::mem::take(&mut self.early);
        for entry in self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten() {
            if !entry.is_ready() {
                entry.await_ready();
                waited = true;
            }
        }
        if waited {
            self.order_again(context);
        }
    }

    /// The stream goes on after what other constructs had not queued yet when the items were looked up.
    #[cold]
    fn order_again(&mut self, context: &Context) {
        context.device.maps.with(|table| {
            for entry in self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten() {
                self.marks.extend(table.state(entry).mark);
            }
        });
        self.order(context);
    }

    /// The stream goes on after what other constructs have queued for the items' counterparts.
    #[inline(always)]
    pub fn order(&mut self, context: &Context) {
        for mark in self.marks.drain(..) {
            context.stream.after(mark);
        }
    }

    /// What has been queued so far is what others have to wait for who find the counterparts of items that are copied.
    #[cold]
    pub fn leave_marks(&mut self, context: &Context) {
        let mark = context.stream.mark();
        context.device.maps.with(|table| {
            for entry in self.items.iter().filter(|item| item.has(task::COPY)).filter_map(|item| item.entry) {
                table.state_mut(entry).mark = Some(mark);
            }
        });
    }

    /// The items that are to be copied and whose map type has `way`.
    fn copied(&self, way: u64) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.has(task::COPY) && item.variable.kind.has(way))
    }

    /// Copies those items that are to be copied to the device.
    ///
    /// # Safety
    /// The variables are there until what is queued is complete.
    pub unsafe fn copy_to_device(&self, context: &Context) {
        for item in self.copied(MapType::TO) {
            for (begin, bytes) in self.runs(item) {
                let device = item.device_begin() + (begin - item.variable.begin);
                // SAFETY: the counterpart has as many bytes.
                unsafe { context.send(begin, begin, device, bytes) };
            }
        }
    }

    /// Copies those items that are to be copied from the device.
    ///
    /// # Safety
    /// The variables are there until what is queued is complete.
    pub unsafe fn copy_from_device(&self, context: &Context) {
        for item in self.copied(MapType::FROM) {
            for (begin, bytes) in self.runs(item) {
                let device = item.device_begin() + (begin - item.variable.begin);
                // SAFETY: the counterpart has as many bytes.
                unsafe { context.fetch(device, begin, bytes) };
            }
        }
    }

    /// Tells a tool of the mappings that are in effect now, or about to end.
    #[cold]
    pub fn tell_tool(&mut self, context: &Context, begin: bool) {
        self.mappings = Mappings::default();
        let is_told = |item: &&Item| item.entry.is_some() && !item.has(task::LATE) && !item.variable.kind.is_unmapped();
        for item in self.items.iter().filter(is_told) {
            let (variable, kind) = (item.variable, item.variable.kind);
            let copied = [(MapType::TO, TargetMapFlag::TO), (MapType::FROM, TargetMapFlag::FROM)];
            let mut flags = copied.iter().filter(|(bit, _)| kind.has(*bit)).fold(0, |flags, (_, flag)| flags | flag.0);
            if flags == 0 {
                flags = match (begin, kind.has(MapType::DELETE)) {
                    (_, true) => TargetMapFlag::DELETE.0,
                    (true, false) => TargetMapFlag::ALLOC.0,
                    (false, false) => TargetMapFlag::RELEASE.0,
                };
            }
            flags |= modifiers(kind);
            if item.device_begin() == variable.begin {
                flags |= TargetMapFlag::SHARED.0;
            }
            self.mappings.push(variable.begin, item.device_begin(), variable.bytes, flags as u32);
        }
        ompt::target_map(context.tool, &mut self.mappings);
    }

    /// Frees the device's memory for private variables.
    pub fn free_privates(&mut self, context: &Context) {
        let (address, bytes) = std::mem::take(&mut self.privates);
        if address != 0 {
            context.free(address, bytes, 0);
        }
    }
}

/// What a mapping's modifiers are to tools; all but the first are those of OpenMP 5.2.
fn modifiers(kind: MapType) -> i32 {
    let all = [
        (MapType::IMPLICIT, TargetMapFlag::IMPLICIT),
        (MapType::ALWAYS, TargetMapFlag::ALWAYS),
        (MapType::PRESENT, TargetMapFlag::PRESENT),
        (MapType::CLOSE, TargetMapFlag::CLOSE),
    ];
    all.iter().filter(|(bit, _)| kind.has(*bit)).fold(0, |flags, (_, flag)| flags | flag.0)
}

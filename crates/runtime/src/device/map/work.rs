//! The steps that the phases of a construct share. `README.md` has the phases and the reason for their order.

use super::context::Context;
use super::failure::{Done, Failure};
use super::items::{Item, Work, flag};
use super::mapper::Phase;
use super::stage;
use super::table::{Entry, Found, Inner};
use super::types::{MapType, POINTER};
use crate::ompt::{self, Mappings};
use ::ompt::TargetMapFlag;

impl Work {
    /// Pins the entry of an item: the counterpart stays until the pin is released.
    #[inline(always)]
    pub fn pin(table: &mut Inner, item: &mut Item) {
        if let Some(entry) = item.entry {
            table.state_mut(entry).pins += 1;
            item.flags |= flag::PINNED;
        }
    }

    /// Finds the entries of variables that are mapped, for the end of a construct or for an update, and ignores other
    /// variables.
    pub fn find_mapped(&mut self, table: &mut Inner, phase: Phase) -> Done {
        let update = phase == Phase::Update;
        for item in &mut self.items {
            let (variable, kind) = (item.variable, item.variable.kind);
            if kind.is_unmapped() || item.has(flag::LATE) {
                continue;
            }
            let entry = match table.find(variable.begin, variable.bytes) {
                Found::Inside(entry) => entry,
                Found::Partly(entry) if kind.has(MapType::IMPLICIT) && !update => entry,
                Found::Partly(entry) if kind.has(MapType::PRESENT) && update => {
                    return Err(table.overlap(&variable, entry));
                }
                _ if kind.has(MapType::PRESENT) => return Err(Failure::Absent { variable }),
                _ => continue,
            };
            item.set_entry(table, entry);
            self.marks.extend(table.state(entry).mark);
            self.early |= !entry.stage.has_come_to(stage::READY);
            Self::pin(table, item);
            if !update {
                item.flags |= if item.is_counted() { flag::COUNTED } else { 0 };
                continue;
            }
            self.pinned = true;
            if variable.bytes != 0 {
                item.flags |= flag::COPY;
                Self::find_holes(table, item, &mut self.holes);
            }
        }
        Ok(())
    }

    /// Notes the attached pointers in an item that is copied. Copies leave them out, because the pointers of host and
    /// device differ.
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

    /// The runs of bytes of an item between attached pointers: addresses and lengths.
    fn runs(&self, item: &Item) -> impl Iterator<Item = (usize, usize)> {
        let holes = &self.holes[item.holes.0 as usize..item.holes.1 as usize];
        let begins = std::iter::once(item.variable.begin).chain(holes.iter().map(|hole| hole + POINTER));
        let ends = holes.iter().copied().chain(std::iter::once(item.variable.end()));
        begins.zip(ends).filter(|(begin, end)| begin < end).map(|(begin, end)| (begin, end - begin))
    }

    /// Releases pins, and forgets entries without pins and references. Under the table's lock; the memory is freed
    /// later, without the lock.
    fn unpin(&mut self, table: &mut Inner) {
        for item in &mut self.items {
            for (bit, entry) in [(flag::PINNED, item.entry), (flag::POINTER_PINNED, item.pointer_entry)] {
                if item.flags & bit != 0
                    && let Some(entry) = entry
                {
                    item.flags &= !bit;
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

    /// Releases the construct's pins, and frees counterparts that are no longer referred to.
    pub fn release(&mut self, context: &Context) {
        if self.pinned {
            context.device.maps.with(|table| self.unpin(table));
        }
        for gone in self.gone.drain(..) {
            context.free_counterpart(&gone);
        }
    }

    /// The entries of all items and of their pointers.
    #[inline(always)]
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry> {
        self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten()
    }

    /// Waits until the items' counterparts have their content, which other constructs may be about to copy.
    #[inline(always)]
    pub fn await_ready(&mut self, context: &Context) {
        let early = std::mem::take(&mut self.early);
        if self.entries().fold(early, |waited, entry| entry.stage.reach(stage::READY) || waited) {
            self.order_again(context);
        }
    }

    /// Orders the stream after what other constructs queued only after this one had looked up its items.
    #[cold]
    fn order_again(&mut self, context: &Context) {
        let marks =
            context.device.maps.with(|table| self.entries().filter_map(|entry| table.state(entry).mark).collect());
        self.marks = marks;
        self.order(context);
    }

    /// Orders the stream after what other constructs have queued for the items' counterparts.
    #[inline(always)]
    pub fn order(&mut self, context: &Context) {
        for mark in self.marks.drain(..) {
            context.stream.after(mark);
        }
    }

    /// Marks the entries of items that are copied, if that may still be under way: other constructs wait for all that
    /// has been queued so far.
    pub fn leave_marks(&mut self, context: &Context) {
        if !context.queues || !self.items.iter().any(|item| item.has(flag::COPY)) {
            return;
        }
        let mark = context.stream.mark();
        context.device.maps.with(|table| {
            for entry in self.items.iter().filter(|item| item.has(flag::COPY)).filter_map(|item| item.entry) {
                table.state_mut(entry).mark = Some(mark);
            }
        });
    }

    /// Copies the items that are to be copied this way: [`TO`](MapType::TO) the device or [`FROM`](MapType::FROM) it.
    ///
    /// # Safety
    /// The variables exist until what is queued is complete.
    pub unsafe fn copy(&self, context: &Context, way: u64) {
        for item in self.items.iter().filter(|item| item.has(flag::COPY) && item.variable.kind.has(way)) {
            for (begin, bytes) in self.runs(item) {
                let device = item.device_begin() + (begin - item.variable.begin);
                // SAFETY: the caller's; the counterpart is not smaller than the variable.
                unsafe {
                    if way == MapType::TO {
                        context.send(begin, begin, device, bytes);
                    } else {
                        context.fetch(device, begin, bytes);
                    }
                }
            }
        }
    }

    /// Reports to tools the mappings that begin or end.
    #[cold]
    pub fn report_mappings(&mut self, context: &Context, begin: bool) {
        self.mappings = Mappings::default();
        let is_reported =
            |item: &&Item| item.entry.is_some() && !item.has(flag::LATE) && !item.variable.kind.is_unmapped();
        for item in self.items.iter().filter(is_reported) {
            let (variable, kind) = (item.variable, item.variable.kind);
            let mut flags = reported_flags(kind);
            if !kind.has(MapType::TO | MapType::FROM) {
                flags |= match (begin, kind.has(MapType::DELETE)) {
                    (_, true) => TargetMapFlag::DELETE.0,
                    (true, false) => TargetMapFlag::ALLOC.0,
                    (false, false) => TargetMapFlag::RELEASE.0,
                };
            }
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

/// Which way a mapping copies, and its modifiers, for tools; all modifiers but the first are those of OpenMP 5.2.
fn reported_flags(kind: MapType) -> i32 {
    let all = [
        (MapType::TO, TargetMapFlag::TO),
        (MapType::FROM, TargetMapFlag::FROM),
        (MapType::IMPLICIT, TargetMapFlag::IMPLICIT),
        (MapType::ALWAYS, TargetMapFlag::ALWAYS),
        (MapType::PRESENT, TargetMapFlag::PRESENT),
        (MapType::CLOSE, TargetMapFlag::CLOSE),
    ];
    all.iter().filter(|(bit, _)| kind.has(*bit)).fold(0, |flags, (_, flag)| flags | flag.0)
}

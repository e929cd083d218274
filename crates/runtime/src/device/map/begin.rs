//! The begin of a construct that maps variables: entries are found or made, memory is allocated, values are copied,
//! pointers are attached (OpenMP 5.1 §2.21.7.1).

use super::context::Context;
use super::failure::Failure;
use super::info;
use super::items::{COMPONENT, Item, Work, task};
use super::mapper::Phase;
use super::stage;
use super::table::{Entry, Found, Inner};
use super::types::{Lists, MapType, POINTER};
use super::work::Done;
use crate::device::driver::Direction;
use crate::device::images;
use crate::ompt;

/// Counterparts that are to be aligned as the variables are, are so up to this: a line of the processor's cache.
const MOST_ALIGNED: usize = 64;
/// From so many bytes on it matters to a copy that both sides are aligned alike.
const COPIED_LONG: usize = 16 << 10;

impl Work {
    /// Maps the variables of a construct. With `keep`, their entries stay pinned until [`end_region`](Work::end_region)
    /// or [`release`](Work::release).
    ///
    /// # Safety
    /// The lists and the variables are as said.
    pub unsafe fn begin(&mut self, context: &Context, lists: &Lists, keep: bool) -> Done {
        // SAFETY: the caller's.
        unsafe { self.expand(lists, if keep { Phase::Region } else { Phase::Begin })? };
        let abilities = context.device.abilities();
        let shared = images::unified_shared_memory() && abilities.shares_memory;
        self.aligned_alike = abilities.copied_by_processor;
        context.device.maps.with(|table| self.enter(table, shared, keep))?;
        self.order(context);
        self.allocate(context)?;
        self.entries().for_each(|entry| _ = entry.stage.reach(stage::ALLOCATED));
        // SAFETY: the caller's.
        unsafe { self.copy(context, Direction::ToDevice) };
        if context.queues && self.items.iter().any(|item| item.has(task::COPY)) {
            self.leave_marks(context);
        }
        if self.items.iter().any(|item| item.has(task::ATTACH)) {
            // SAFETY: the caller's.
            unsafe { self.attach(context) };
        }
        self.made().for_each(|entry| entry.stage.set(stage::READY));
        self.await_ready(context);
        // SAFETY: the caller's.
        unsafe { self.tell_program(lists) };
        if ompt::wants_mappings(context.tool) {
            self.tell_tool(context, true);
        }
        if info::is_on() {
            info::begun(context.device, &self.items);
        }
        Ok(())
    }

    /// Finds or makes the entries, on the table's lock.
    fn enter(&mut self, table: &mut Inner, shared: bool, keep: bool) -> Done {
        self.serial = table.next_serial();
        let serial = self.serial;
        for index in 0..self.items.len() {
            let item = &mut self.items[index];
            let kind = item.variable.kind;
            if item.has(task::LATE) || kind.is_unmapped() {
                continue;
            }
            if kind.has(MapType::PTR_AND_OBJ) {
                Self::find_pointer(table, item);
            }
            Self::find_or_make(table, item, serial, shared, self.aligned_alike)?;
            let Some(entry) = item.entry else { continue };
            self.marks.extend(table.state(entry).mark);
            self.early |= !item.has(task::MADE) && !entry.stage.has_come_to(stage::READY);
            let new = item.has(task::MADE) || table.state(entry).maker == serial;
            if item.variable.bytes != 0 && kind.has(MapType::TO) && (new || kind.has(MapType::ALWAYS)) {
                item.tasks |= task::COPY;
                if !new && entry.stage.has_come_to(stage::ALLOCATED) {
                    Self::find_holes(table, item, &mut self.holes);
                }
            }
            if item.pointer_entry.is_some() && Self::is_to_be_attached(table, item) {
                item.tasks |= task::ATTACH;
            }
            if keep || item.has(task::MADE | task::COPY | task::ATTACH) {
                Self::pin(table, item);
                self.pinned = true;
            }
            if item.has(task::ATTACH)
                && let Some(pointer) = item.pointer_entry
            {
                table.state_mut(pointer).pins += 1;
                item.tasks |= task::POINTER_PINNED;
                self.spare_copy_of_pointer(index);
            }
        }
        if self.late {
            self.find_late(table);
        }
        if self.attaches {
            self.find_attachments(table);
        }
        Ok(())
    }

    /// Pointers that become attached, now that all of the construct's variables have entries: those whose pointer or
    /// what that points to is new, and those that are always attached (OpenMP 6.0, section 7.9.6). Both must be mapped.
    #[cold]
    fn find_attachments(&mut self, table: &mut Inner) {
        let serial = self.serial;
        for item in self.items.iter_mut().filter(|item| item.variable.kind.has(MapType::ATTACH)) {
            let Found::Inside(entry) = table.find(item.pointer_value, 0) else { continue };
            let offset = item.pointer_value.wrapping_sub(table.state(entry).host);
            if item.variable.kind.is_private_attachment() {
                (item.pointer_entry, item.pointer_offset) = (Some(entry), offset);
            } else {
                let Found::Inside(pointer) = table.find(item.pointer, item.variable.bytes.max(POINTER)) else {
                    continue;
                };
                let new = [entry, pointer].iter().any(|entry| table.state(entry).maker == serial);
                if !new && !item.variable.kind.has(MapType::ALWAYS) {
                    continue;
                }
                (item.entry, item.offset) = (Some(entry), offset);
                (item.pointer_entry, item.pointer_offset) = (Some(pointer), item.pointer - table.state(pointer).host);
                // SAFETY: the base is the address of a pointer of the program's.
                item.variable.base = unsafe { (item.pointer as *const usize).read_unaligned() };
                item.tasks |= task::ATTACH;
                Self::pin(table, item);
                self.marks.extend(table.state(pointer).mark);
            }
            self.marks.extend(table.state(entry).mark);
            for entry in [Some(entry), item.pointer_entry].into_iter().flatten() {
                self.early |= table.state(entry).maker != serial && !entry.stage.has_come_to(stage::READY);
            }
            if let Some(pointer) = item.pointer_entry {
                table.state_mut(pointer).pins += 1;
                item.tasks |= task::POINTER_PINNED;
            }
            self.pinned = true;
        }
    }

    /// The pointer to a variable, and what it points to.
    fn find_pointer(table: &Inner, item: &mut Item) {
        let pointer = item.variable.base;
        item.pointer = pointer;
        // SAFETY: the base is the address of a pointer of the program's.
        item.variable.base = unsafe { (pointer as *const usize).read_unaligned() };
        if let Found::Inside(entry) = table.find(pointer, POINTER) {
            item.pointer_entry = Some(entry);
            item.pointer_offset = pointer - table.state(entry).host;
        }
    }

    /// The pointer that has the item before this one is going to be attached: its value on the host need not be copied
    /// there.
    fn spare_copy_of_pointer(&mut self, index: usize) {
        if let Some(before) = index.checked_sub(1).map(|before| &mut self.items[before])
            && before.has(task::POINTER)
        {
            before.tasks &= !task::COPY;
        }
    }

    fn find_or_make(table: &mut Inner, item: &mut Item, serial: u64, shared: bool, aligned_alike: bool) -> Done {
        let (variable, kind) = (item.variable, item.variable.kind);
        let hold = kind.has(MapType::HOLD);
        let counted = item.is_counted();
        let entry = match table.find(variable.begin, variable.bytes) {
            Found::Inside(entry) => entry,
            // A variable that the program did not ask to be mapped has what there is of it.
            Found::Partly(entry) if kind.has(MapType::IMPLICIT) => entry,
            Found::Partly(entry) => return Err(table.overlap(&variable, entry)),
            Found::Nothing if shared && !kind.has(MapType::CLOSE) => {
                item.tasks |= task::SHARED;
                return Ok(());
            }
            Found::Nothing if kind.has(MapType::PRESENT) => return Err(Failure::Absent { variable }),
            Found::Nothing if variable.bytes == 0 => return Ok(()),
            Found::Nothing => {
                let entry = table.make(&variable, padding(item, aligned_alike), hold, serial);
                item.entry = Some(entry);
                item.tasks |= task::MADE | if counted { task::COUNTED } else { 0 };
                return Ok(());
            }
        };
        item.set_entry(table, entry);
        if counted {
            table.state_mut(entry).refer(hold);
            item.tasks |= task::COUNTED;
        }
        Ok(())
    }

    /// Whether a pointer is not attached to its variable as it should be, as far as that is known yet.
    fn is_to_be_attached(table: &mut Inner, item: &Item) -> bool {
        let (Some(pointer), Some(entry)) = (item.pointer_entry, item.entry) else { return false };
        !(entry.stage.has_come_to(stage::ALLOCATED)
            && table.is_attached(pointer, item.pointer_offset, item.device_base()))
    }

    /// Arguments and captures that others of the list have mapped. A mapper may have mapped a part of its variable
    /// only.
    #[cold]
    fn find_late(&mut self, table: &mut Inner) {
        for item in self.items.iter_mut().filter(|item| item.has(task::LATE)) {
            if let Found::Inside(entry) | Found::Partly(entry) = table.find(item.variable.begin, item.variable.bytes) {
                item.set_entry(table, entry);
                if item.variable.kind.has(MapType::PTR_AND_OBJ) && !item.variable.kind.is_capture() {
                    // SAFETY: the base is the address of a pointer of the program's.
                    item.variable.base = unsafe { (item.variable.base as *const usize).read_unaligned() };
                }
                Self::pin(table, item);
                self.pinned = true;
            }
        }
    }

    /// Allocates memory for the entries that this construct has made.
    fn allocate(&mut self, context: &Context) -> Done {
        for item in self.items.iter().filter(|item| item.has(task::MADE)) {
            if let Some(entry) = item.entry {
                let variable = item.variable;
                let device = context.allocate(variable.begin, variable.bytes, padding(item, self.aligned_alike));
                entry.set_allocated(device.ok_or(Failure::NoMemory { variable })?);
            }
        }
        Ok(())
    }

    /// The entries that this construct has made.
    fn made(&self) -> impl Iterator<Item = &Entry> {
        self.items.iter().filter(|item| item.has(task::MADE)).filter_map(|item| item.entry)
    }

    /// Lets pointers on the device point to counterparts, after all that is copied to where they are.
    ///
    /// # Safety
    /// The variables are there.
    #[cold]
    unsafe fn attach(&mut self, context: &Context) {
        self.made().for_each(|entry| entry.stage.set(stage::COPIED));
        for item in self.items.iter().filter(|item| item.has(task::ATTACH)) {
            item.pointer_entry.into_iter().for_each(|entry| _ = entry.stage.reach(stage::COPIED));
        }
        let mut marks = std::mem::take(&mut self.marks);
        self.each_attached(context, |table, pointer, item| {
            marks.extend(table.state(pointer).mark);
            item.pointer_value = item.device_base();
            if !table.attach(pointer, item.pointer_offset, item.pointer_value) {
                item.tasks &= !task::ATTACH;
            }
        });
        self.marks = marks;
        self.order(context);
        for item in self.items.iter().filter(|item| item.has(task::ATTACH)) {
            if let Some(pointer) = item.pointer_entry {
                let (value, device) = ((&raw const item.pointer_value).addr(), pointer.device() + item.pointer_offset);
                // SAFETY: a pointer in the counterpart; its value stays where it is until the construct's end. What
                // follows a pointer in its descriptor is the host's.
                unsafe {
                    context.send(item.pointer, value, device, POINTER);
                    if item.variable.kind.is_attachment() && item.variable.bytes > POINTER {
                        let rest = item.pointer + POINTER;
                        context.send(rest, rest, device + POINTER, item.variable.bytes - POINTER);
                    }
                }
            }
        }
        let mark = context.queues.then(|| context.stream.mark());
        self.each_attached(context, |table, pointer, item| {
            table.written(pointer, item.pointer_offset, item.pointer_value);
            if mark.is_some() {
                table.state_mut(pointer).mark = mark;
            }
        });
    }

    /// For each pointer that is to be attached, on the table's lock.
    fn each_attached(&mut self, context: &Context, mut with: impl FnMut(&mut Inner, &Entry, &mut Item)) {
        context.device.maps.with(|table| {
            for item in self.items.iter_mut().filter(|item| item.has(task::ATTACH)) {
                if let Some(pointer) = item.pointer_entry {
                    with(table, pointer, item);
                }
            }
        });
    }

    /// The device addresses that the program has asked for. A variable that is not mapped has its own: it is the
    /// device's already (§2.14.2). Where the program wants none then, it has null (OpenMP 6.1, `fb_nullify`).
    ///
    /// # Safety
    /// The lists are as said.
    #[inline(always)]
    unsafe fn tell_program(&self, lists: &Lists) {
        for item in self.items.iter().filter(|item| item.variable.kind.has(MapType::RETURN_PARAM)) {
            let address = match item.entry {
                Some(_) => item.device_base(),
                None if item.variable.kind.has(MapType::FB_NULLIFY) && !item.has(task::SHARED) => 0,
                None => continue,
            };
            if item.index < COMPONENT {
                // SAFETY: the caller's.
                unsafe { *lists.bases.add(item.index as usize) = address };
            }
        }
    }
}

/// Bytes before a counterpart: of a structure of which only some members are mapped, so that these are aligned as on
/// the host; of a variable that takes long to copy, so that it is copied faster.
fn padding(item: &Item, aligned_alike: bool) -> usize {
    if aligned_alike && item.variable.bytes >= COPIED_LONG {
        return item.variable.begin % MOST_ALIGNED;
    }
    if !item.has(task::WHOLE) || item.variable.base == 0 {
        return 0;
    }
    let alignment = 1 << item.variable.base.trailing_zeros().min(MOST_ALIGNED.trailing_zeros());
    item.variable.begin % alignment
}

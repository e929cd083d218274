//! The begin of a construct that maps variables: entries are found or made, memory is allocated, values are copied,
//! pointers are attached (OpenMP 5.1 §2.21.7.1).

use super::context::Context;
use super::failure::{Done, Failure};
use super::info;
use super::items::{COMPONENT, Item, Work, flag};
use super::mapper::Phase;
use super::stage;
use super::table::{Entry, Found, Inner};
use super::types::{Lists, MapType, POINTER};
use crate::device::images;
use crate::ompt;

/// The largest alignment that counterparts share with their variables: a line of the processor's cache.
const MOST_ALIGNED: usize = 64;
/// From this size on, copies between equally aligned addresses are measurably faster.
const COPIED_LONG: usize = 16 << 10;

impl Work {
    /// Maps the variables of a construct. With `keep`, the entries stay pinned until [`end_region`](Work::end_region)
    /// or [`release`](Work::release).
    ///
    /// # Safety
    /// The lists are as the compiler makes them, and the variables exist until what is queued is complete.
    pub unsafe fn begin(&mut self, context: &Context, lists: &Lists, keep: bool) -> Done {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.expand(lists, if keep { Phase::Region } else { Phase::Begin })? };
        let abilities = context.device.abilities;
        let shared = images::unified_shared_memory() && abilities.shares_memory;
        self.aligned_alike = abilities.copied_by_processor;
        context.device.maps.with(|table| self.enter(table, shared, keep))?;
        self.order(context);
        self.allocate(context)?;
        self.entries().for_each(|entry| _ = entry.stage.reach(stage::ALLOCATED));
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.copy(context, MapType::TO) };
        self.leave_marks(context);
        if self.items.iter().any(|item| item.has(flag::ATTACH)) {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { self.attach(context) };
        }
        self.made().for_each(|entry| entry.stage.set(stage::READY));
        self.await_ready(context);
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.return_addresses(lists) };
        if ompt::wants_mappings(context.tool) {
            self.report_mappings(context, true);
        }
        if info::is_on() {
            info::begun(context.device, &self.items);
        }
        Ok(())
    }

    /// Finds or makes the entries, under the table's lock.
    fn enter(&mut self, table: &mut Inner, shared: bool, keep: bool) -> Done {
        self.serial = table.next_serial();
        let serial = self.serial;
        for index in 0..self.items.len() {
            let item = &mut self.items[index];
            let kind = item.variable.kind;
            if item.has(flag::LATE) || kind.is_unmapped() {
                continue;
            }
            if kind.has(MapType::PTR_AND_OBJ) {
                Self::find_pointer(table, item);
            }
            Self::find_or_make(table, item, serial, shared, self.aligned_alike)?;
            let Some(entry) = item.entry else { continue };
            self.marks.extend(table.state(entry).mark);
            self.early |= !item.has(flag::MADE) && !entry.stage.has_come_to(stage::READY);
            let new = item.has(flag::MADE) || table.state(entry).maker == serial;
            if item.variable.bytes != 0 && kind.has(MapType::TO) && (new || kind.has(MapType::ALWAYS)) {
                item.flags |= flag::COPY;
                if !new && entry.stage.has_come_to(stage::ALLOCATED) {
                    Self::find_holes(table, item, &mut self.holes);
                }
            }
            if item.pointer_entry.is_some() && Self::is_to_be_attached(table, item) {
                item.flags |= flag::ATTACH;
            }
            if keep || item.has(flag::MADE | flag::COPY | flag::ATTACH) {
                Self::pin(table, item);
                self.pinned = true;
            }
            if item.has(flag::ATTACH)
                && let Some(pointer) = item.pointer_entry
            {
                table.state_mut(pointer).pins += 1;
                item.flags |= flag::POINTER_PINNED;
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

    /// Finds the pointers that become attached, once all of the construct's variables have entries (OpenMP 6.0, section
    /// 7.9.6). Pointer and pointee must be mapped, and one of them new, unless the map type says `always`.
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
                // SAFETY: the compiler lists the address of a pointer.
                item.variable.base = unsafe { (item.pointer as *const usize).read_unaligned() };
                item.flags |= flag::ATTACH;
                Self::pin(table, item);
                self.marks.extend(table.state(pointer).mark);
            }
            self.marks.extend(table.state(entry).mark);
            for entry in [Some(entry), item.pointer_entry].into_iter().flatten() {
                self.early |= table.state(entry).maker != serial && !entry.stage.has_come_to(stage::READY);
            }
            if let Some(pointer) = item.pointer_entry {
                table.state_mut(pointer).pins += 1;
                item.flags |= flag::POINTER_PINNED;
            }
            self.pinned = true;
        }
    }

    /// Finds the pointer to a variable, and the variable's own base.
    fn find_pointer(table: &Inner, item: &mut Item) {
        let pointer = item.variable.base;
        item.pointer = pointer;
        // SAFETY: the compiler lists the address of a pointer.
        item.variable.base = unsafe { (pointer as *const usize).read_unaligned() };
        if let Found::Inside(entry) = table.find(pointer, POINTER) {
            item.pointer_entry = Some(entry);
            item.pointer_offset = pointer - table.state(entry).host;
        }
    }

    /// Drops the copy of the previous item, if that is the pointer to this one: the pointer is about to be attached.
    fn spare_copy_of_pointer(&mut self, index: usize) {
        if let Some(before) = index.checked_sub(1).map(|before| &mut self.items[before])
            && before.has(flag::POINTER)
        {
            before.flags &= !flag::COPY;
        }
    }

    fn find_or_make(table: &mut Inner, item: &mut Item, serial: u64, shared: bool, aligned_alike: bool) -> Done {
        let (variable, kind) = (item.variable, item.variable.kind);
        let hold = kind.has(MapType::HOLD);
        let counted = item.is_counted();
        let entry = match table.find(variable.begin, variable.bytes) {
            Found::Inside(entry) => entry,
            // For an implicitly mapped variable, the part that is mapped is enough.
            Found::Partly(entry) if kind.has(MapType::IMPLICIT) => entry,
            Found::Partly(entry) => return Err(table.overlap(&variable, entry)),
            Found::Nothing if shared && !kind.has(MapType::CLOSE) => {
                item.flags |= flag::SHARED;
                return Ok(());
            }
            Found::Nothing if kind.has(MapType::PRESENT) => return Err(Failure::Absent { variable }),
            Found::Nothing if variable.bytes == 0 => return Ok(()),
            Found::Nothing => {
                let entry = table.make(&variable, padding(item, aligned_alike), hold, serial);
                item.entry = Some(entry);
                item.flags |= flag::MADE | if counted { flag::COUNTED } else { 0 };
                return Ok(());
            }
        };
        item.set_entry(table, entry);
        if counted {
            table.state_mut(entry).refer(hold);
            item.flags |= flag::COUNTED;
        }
        Ok(())
    }

    /// Whether the item's pointer is to be attached: it is not known to be attached to the item already.
    fn is_to_be_attached(table: &mut Inner, item: &Item) -> bool {
        let (Some(pointer), Some(entry)) = (item.pointer_entry, item.entry) else { return false };
        !(entry.stage.has_come_to(stage::ALLOCATED)
            && table.is_attached(pointer, item.pointer_offset, item.device_base()))
    }

    /// Finds arguments and captures that other items map. A mapper may map only a part of its variable.
    #[cold]
    fn find_late(&mut self, table: &mut Inner) {
        for item in self.items.iter_mut().filter(|item| item.has(flag::LATE)) {
            if let Found::Inside(entry) | Found::Partly(entry) = table.find(item.variable.begin, item.variable.bytes) {
                item.set_entry(table, entry);
                if item.variable.kind.has(MapType::PTR_AND_OBJ) && !item.variable.kind.is_capture() {
                    // SAFETY: the compiler lists the address of a pointer.
                    item.variable.base = unsafe { (item.variable.base as *const usize).read_unaligned() };
                }
                Self::pin(table, item);
                self.pinned = true;
            }
        }
    }

    /// Allocates the counterparts of the entries that this construct has made.
    fn allocate(&mut self, context: &Context) -> Done {
        for item in self.items.iter().filter(|item| item.has(flag::MADE)) {
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
        self.items.iter().filter(|item| item.has(flag::MADE)).filter_map(|item| item.entry)
    }

    /// Attaches pointers on the device, after all copies to the memory that they lie in.
    ///
    /// # Safety
    /// The variables are there.
    #[cold]
    unsafe fn attach(&mut self, context: &Context) {
        self.made().for_each(|entry| entry.stage.set(stage::COPIED));
        for item in self.items.iter().filter(|item| item.has(flag::ATTACH)) {
            item.pointer_entry.into_iter().for_each(|entry| _ = entry.stage.reach(stage::COPIED));
        }
        let mut marks = std::mem::take(&mut self.marks);
        self.each_attached(context, |table, pointer, item| {
            marks.extend(table.state(pointer).mark);
            item.pointer_value = item.device_base();
            if !table.attach(pointer, item.pointer_offset, item.pointer_value) {
                item.flags &= !flag::ATTACH;
            }
        });
        self.marks = marks;
        self.order(context);
        for item in self.items.iter().filter(|item| item.has(flag::ATTACH)) {
            if let Some(pointer) = item.pointer_entry {
                let (value, device) = ((&raw const item.pointer_value).addr(), pointer.device() + item.pointer_offset);
                // SAFETY: the pointer lies in its entry's counterpart; `pointer_value` stays until the construct's end.
                // The rest of a descriptor, behind its pointer, is a copy of the host's.
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

    /// Calls `with` for each pointer that is to be attached, under the table's lock.
    fn each_attached(&mut self, context: &Context, mut with: impl FnMut(&mut Inner, &Entry, &mut Item)) {
        context.device.maps.with(|table| {
            for item in self.items.iter_mut().filter(|item| item.has(flag::ATTACH)) {
                if let Some(pointer) = item.pointer_entry {
                    with(table, pointer, item);
                }
            }
        });
    }

    /// Returns the device addresses that the program has asked for. The address of a variable that is not mapped stays:
    /// it is taken for a device address (§2.14.2). With `fb_nullify`, it becomes null (OpenMP 6.1).
    ///
    /// # Safety
    /// The lists are as the compiler makes them.
    #[inline(always)]
    unsafe fn return_addresses(&self, lists: &Lists) {
        for item in self.items.iter().filter(|item| item.variable.kind.has(MapType::RETURN_PARAM)) {
            let address = match item.entry {
                Some(_) => item.device_base(),
                None if item.variable.kind.has(MapType::FB_NULLIFY) && !item.has(flag::SHARED) => 0,
                None => continue,
            };
            if item.index < COMPONENT {
                // SAFETY: the caller keeps to the `# Safety` section.
                unsafe { *lists.bases.add(item.index as usize) = address };
            }
        }
    }
}

/// Unused bytes before a counterpart, which align it as the variable on the host: for a large variable, so that copies
/// are faster; for a structure of which only some members are mapped, so that these members are aligned.
fn padding(item: &Item, aligned_alike: bool) -> usize {
    if aligned_alike && item.variable.bytes >= COPIED_LONG {
        return item.variable.begin % MOST_ALIGNED;
    }
    if !item.has(flag::WHOLE) || item.variable.base == 0 {
        return 0;
    }
    let alignment = 1 << item.variable.base.trailing_zeros().min(MOST_ALIGNED.trailing_zeros());
    item.variable.begin % alignment
}

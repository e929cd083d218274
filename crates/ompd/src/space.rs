//! An address space: its memory, and the places of the fields of the runtime's structures. The library reads these
//! places from the object that the runtime exports, never from its own build (`ompd_layout` has the contract).

use crate::memory::Memory;
use crate::{AddressSpaceContext, Callbacks, Rc};
use ompd_layout::{Entry, Field, Header, MAGIC, VERSION};
use std::ffi::CStr;

/// [`ompd_layout::SYMBOL`], for the debugger.
const SYMBOL: &CStr = c"ferromp_ompd";

const _: () = {
    let (name, symbol) = (ompd_layout::SYMBOL.as_bytes(), SYMBOL.to_bytes());
    assert!(name.len() == symbol.len());
    let mut byte = 0;
    while byte < name.len() {
        assert!(name[byte] == symbol[byte]);
        byte += 1;
    }
};

/// Stands for the host in place of a device's number.
pub const HOST: i64 = -1;

/// An address space: the process, or a host device in it.
#[derive(Clone)]
pub struct Space {
    /// The memory.
    pub memory: Memory,
    /// The owner of its threads: a device's number, or [`HOST`] for the process.
    pub device: i64,
    /// Where the runtime's object lies.
    object: u64,
    entries: [Entry; Field::COUNT],
}

impl Space {
    /// Finds the runtime in the process that the debugger calls `context`. `ompd_rc_incompatible`, and a line for the
    /// user, if there is no runtime or one of another contract version.
    pub fn of_process(callbacks: &Callbacks, context: *mut AddressSpaceContext) -> Result<Space, Rc> {
        let memory = Memory::new(callbacks, context)?;
        let Some(object) = memory.symbol(SYMBOL)? else {
            memory.print(c"ferromp: OMPD: the program has no ferromp runtime, or none that shows itself to debuggers");
            return Err(Rc::INCOMPATIBLE);
        };
        let mut header = [0; size_of::<Header>()];
        memory.read(object, &mut header)?;
        let at = |from: usize| memory.number(header.get(from..from.saturating_add(4)).unwrap_or_default());
        if header.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            memory.print(c"ferromp: OMPD: the program's ferromp_ompd is not what a ferromp runtime shows to debuggers");
            return Err(Rc::INCOMPATIBLE);
        }
        if (at(8)?, at(12)?) != (u64::from(VERSION), Field::COUNT as u64) {
            memory
                .print(c"ferromp: OMPD: the program's runtime is of another version than this libompd.so; use the one beside it");
            return Err(Rc::INCOMPATIBLE);
        }
        let mut bytes = [0; Field::COUNT * size_of::<Entry>()];
        memory.read(object.checked_add(size_of::<Header>() as u64).ok_or(Rc::ERROR)?, &mut bytes)?;
        let mut entries = [Entry::ABSENT; Field::COUNT];
        for (entry, bytes) in entries.iter_mut().zip(bytes.chunks_exact(size_of::<Entry>())) {
            let (offset, size) = bytes.split_at_checked(4).ok_or(Rc::ERROR)?;
            *entry = Entry { offset: memory.number(offset)? as u32, size: memory.number(size)? as u32 };
        }
        Ok(Space { memory, device: HOST, object, entries })
    }

    /// The host device `number` of this process, which the debugger calls `context`.
    pub fn device(&self, number: i64, context: *mut AddressSpaceContext) -> Space {
        Space { memory: self.memory.through(context), device: number, ..self.clone() }
    }

    /// Whether both are the same address space, perhaps by different handles.
    pub fn is_as(&self, other: &Space) -> bool {
        self.memory.context() == other.memory.context() && self.device == other.device && self.object == other.object
    }

    /// Whether the runtime keeps states, frames and places of constructs.
    pub fn keeps_states(&self) -> Result<bool, Rc> {
        Ok(self.root(Field::RootKept)? != 0)
    }

    /// Whether the process has the device `number`: it has counted so many.
    pub fn has_device(&self, number: i64) -> Result<bool, Rc> {
        match self.root(Field::RootProcess)? {
            0 => Ok(false),
            process => Ok((0..self.signed(process, Field::ProcessDevices)?).contains(&number)),
        }
    }

    /// Where a field lies in its structure; `ompd_rc_unsupported` for one that the runtime does not have.
    pub fn entry(&self, field: Field) -> Result<Entry, Rc> {
        match self.entries.get(field as usize) {
            Some(entry) if entry.size != 0 => Ok(*entry),
            _ => Err(Rc::UNSUPPORTED),
        }
    }

    /// A constant of the runtime's.
    pub fn constant(&self, field: Field) -> Result<u64, Rc> {
        self.entry(field).map(|entry| u64::from(entry.offset))
    }

    /// The address of the part `field` of the structure at `base`.
    pub fn part(&self, base: u64, field: Field) -> Result<u64, Rc> {
        if base == 0 {
            return Err(Rc::ERROR);
        }
        base.checked_add(u64::from(self.entry(field)?.offset)).ok_or(Rc::ERROR)
    }

    /// The number or pointer `field` of the structure at `base`.
    pub fn unsigned(&self, base: u64, field: Field) -> Result<u64, Rc> {
        self.memory.unsigned(self.part(base, field)?, self.entry(field)?.size as usize)
    }

    /// As [`unsigned`](Self::unsigned), for a number with a sign.
    pub fn signed(&self, base: u64, field: Field) -> Result<i64, Rc> {
        let size = self.entry(field)?.size as usize;
        Ok(extend(self.unsigned(base, field)?, size))
    }

    /// A field of the runtime's object.
    pub fn root(&self, field: Field) -> Result<u64, Rc> {
        self.unsigned(self.object, field)
    }

    /// The number or pointer `field` of a structure that `bytes` is a copy of.
    pub fn unsigned_in(&self, bytes: &[u8], field: Field) -> Result<u64, Rc> {
        let Entry { offset, size } = self.entry(field)?;
        let from = offset as usize;
        self.memory.number(bytes.get(from..from.saturating_add(size as usize)).ok_or(Rc::INCOMPATIBLE)?)
    }

    /// As [`unsigned_in`](Self::unsigned_in), for a number with a sign.
    pub fn signed_in(&self, bytes: &[u8], field: Field) -> Result<i64, Rc> {
        Ok(extend(self.unsigned_in(bytes, field)?, self.entry(field)?.size as usize))
    }
}

/// A number of `size` bytes with its sign.
fn extend(number: u64, size: usize) -> i64 {
    match size {
        1 => i64::from(number as i8),
        2 => i64::from(number as i16),
        4 => i64::from(number as i32),
        _ => number as i64,
    }
}

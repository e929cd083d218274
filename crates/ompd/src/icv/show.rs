//! Values as text, in the form that the environment variables have that set them (OpenMP 5.1, section 6).

use std::ffi::c_char;
use std::fmt::{self, Write};

use ompd_layout::Field;

use super::read::{self, Array, Value};
use crate::Rc;
use crate::heap::{self, List};
use crate::space::Space;

/// Bytes that a string of the program's may have.
const LONGEST: usize = 1 << 16;
/// Places, and CPUs of all places together.
const MOST: u64 = 1 << 20;

/// A value as a string of the debugger's.
pub fn string(space: &Space, value: &Value) -> Result<*const c_char, Rc> {
    let mut text = Text::new(space);
    text.value(space, value)?;
    text.finish(space)
}

/// Text that grows, in the debugger's memory.
pub struct Text {
    bytes: List<u8>,
    /// Why it could not grow.
    failed: Rc,
}

impl Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.bytes.extend(part.as_bytes()).map_err(|why| {
            self.failed = why;
            fmt::Error
        })
    }
}

impl Text {
    pub fn new(space: &Space) -> Text {
        Text { bytes: List::new(space.memory.heap()), failed: Rc::ERROR }
    }

    /// Adds what [`format_args!`] makes.
    pub fn add(&mut self, parts: fmt::Arguments) -> Result<(), Rc> {
        self.write_fmt(parts).map_err(|_| self.failed)
    }

    /// Adds bytes.
    pub fn add_bytes(&mut self, bytes: &[u8]) -> Result<(), Rc> {
        self.bytes.extend(bytes)
    }

    /// What it is so far.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The text as a string of the debugger's.
    pub fn finish(self, space: &Space) -> Result<*const c_char, Rc> {
        heap::string(space.memory.heap(), self.bytes.as_slice())
    }

    /// Adds a value.
    pub fn value(&mut self, space: &Space, value: &Value) -> Result<(), Rc> {
        match value {
            Value::Number(number) => self.add(format_args!("{number}")),
            Value::Flag(yes) => self.add(format_args!("{yes}")),
            Value::Ability(yes) => self.add(format_args!("{}", if *yes { "enabled" } else { "disabled" })),
            Value::Word(_, word) => self.add(format_args!("{word}")),
            Value::Bytes(bytes) => self.add(format_args!("{bytes}B")),
            Value::Numbers(first, rest) => {
                self.add(format_args!("{first}"))?;
                each::<4>(space, *rest, |number| self.add(format_args!(",{}", number as u32 as i32)))
            }
            Value::Policies(first, rest) => {
                self.add(format_args!("{}", policy(*first)?))?;
                each::<1>(space, *rest, |number| self.add(format_args!(",{}", policy(number)?)))
            }
            Value::Schedule { kind, ordering, chunk } => self.schedule(*kind, *ordering, *chunk),
            Value::Allocator(handle) => self.allocator(space, *handle),
            Value::Places { first, count } => self.places(space, *first, *count),
            Value::Text(address) => self.text(space, *address),
        }
    }

    fn schedule(&mut self, kind: u64, ordering: u64, chunk: i64) -> Result<(), Rc> {
        let ordering = match ordering {
            0 => "",
            1 => "monotonic:",
            2 => "nonmonotonic:",
            _ => return Err(Rc::ERROR),
        };
        let kind = match kind {
            1 => "static",
            2 => "dynamic",
            3 => "guided",
            4 => "auto",
            101 => "trapezoidal",
            102 => "static_steal",
            _ => return Err(Rc::ERROR),
        };
        self.add(format_args!("{ordering}{kind}"))?;
        if chunk == 0 { Ok(()) } else { self.add(format_args!(",{chunk}")) }
    }

    fn allocator(&mut self, space: &Space, handle: u64) -> Result<(), Rc> {
        if let Some((_, name)) = ALLOCATORS.iter().find(|(its, _)| *its == handle) {
            return self.add(format_args!("{name}"));
        }
        match read::allocator_text(space, handle)? {
            Some(text) => self.text(space, text),
            None => self.add(format_args!("{handle:#x}")),
        }
    }

    /// Adds a run of places, `{0:4},{4:4}`; nothing where there are none.
    pub fn places(&mut self, space: &Space, first: u64, count: u64) -> Result<(), Rc> {
        if count == 0 {
            return Ok(());
        }
        let process = space.root(Field::RootProcess)?;
        let of_process = |field| space.unsigned(process, field);
        let behind = first.checked_add(count).ok_or(Rc::ERROR)?;
        if behind > of_process(Field::ProcessPlaceCount)? || count > MOST {
            return Err(Rc::ERROR);
        }
        let (ends, cpus) = (of_process(Field::ProcessPlaces)?, of_process(Field::ProcessPlaceCpus)?);
        let number = |array: u64, index: u64| {
            let offset = index.checked_mul(size_of::<u32>() as u64).ok_or(Rc::ERROR)?;
            space.memory.unsigned(array.checked_add(offset).ok_or(Rc::ERROR)?, size_of::<u32>())
        };
        let mut begin = if first == 0 { 0 } else { number(ends, first - 1)? };
        let mut total = 0;
        for place in first..behind {
            let end = number(ends, place)?;
            let size = end.checked_sub(begin).filter(|&size| size > 0).ok_or(Rc::ERROR)?;
            total += size;
            if total > MOST {
                return Err(Rc::ERROR);
            }
            let offset = begin.checked_mul(size_of::<u32>() as u64).ok_or(Rc::ERROR)?;
            let its = Array { start: cpus.checked_add(offset).ok_or(Rc::ERROR)?, count: size };
            self.add(format_args!("{}{{", if place == first { "" } else { "," }))?;
            self.cpus(space, its)?;
            self.add(format_args!("}}"))?;
            begin = end;
        }
        Ok(())
    }

    /// Adds CPUs: a run of them as its first and how many they are.
    fn cpus(&mut self, space: &Space, cpus: Array) -> Result<(), Rc> {
        let mut run: Option<(u64, u64)> = None;
        let mut separator = "";
        let mut put = |(first, count): (u64, u64)| {
            let before = std::mem::replace(&mut separator, ",");
            match count {
                1 => self.add(format_args!("{before}{first}")),
                2 => self.add(format_args!("{before}{first},{}", first.saturating_add(1))),
                _ => self.add(format_args!("{before}{first}:{count}")),
            }
        };
        each::<4>(space, cpus, |cpu| {
            match &mut run {
                Some((first, count)) if first.checked_add(*count) == Some(cpu) => *count += 1,
                other => {
                    if let Some(ended) = other.replace((cpu, 1)) {
                        put(ended)?;
                    }
                }
            }
            Ok(())
        })?;
        run.map_or(Ok(()), put)
    }

    /// Adds a string of the program's.
    pub fn text(&mut self, space: &Space, address: u64) -> Result<(), Rc> {
        let mut at = address;
        while (at - address) < LONGEST as u64 {
            let mut buffer = [0; 256];
            let part = space.memory.string(at, &mut buffer)?;
            self.add_bytes(part)?;
            if part.len() < 256 {
                return Ok(());
            }
            at = at.checked_add(256).ok_or(Rc::ERROR)?;
        }
        Err(Rc::ERROR)
    }
}

/// Calls `body` for each element of `SIZE` bytes.
fn each<const SIZE: usize>(space: &Space, array: Array, mut body: impl FnMut(u64) -> Result<(), Rc>) -> Result<(), Rc> {
    let mut left = array.count;
    let mut at = array.start;
    while left > 0 {
        let mut buffer = [0; 256];
        let bytes = usize::try_from(left).unwrap_or(usize::MAX).saturating_mul(SIZE).min(buffer.len());
        let part = buffer.get_mut(..bytes).ok_or(Rc::ERROR)?;
        space.memory.read(at, part)?;
        for element in part.chunks_exact(SIZE) {
            body(space.memory.number(element)?)?;
        }
        at = at.checked_add(bytes as u64).ok_or(Rc::ERROR)?;
        left = left.saturating_sub((bytes / SIZE) as u64);
    }
    Ok(())
}

/// An element of bind-var, by the numbers of `omp_proc_bind_t`.
fn policy(number: u64) -> Result<&'static str, Rc> {
    let names = ["false", "true", "primary", "close", "spread"];
    usize::try_from(number).ok().and_then(|index| names.get(index)).copied().ok_or(Rc::ERROR)
}

/// The allocators that are there without being made, by the numbers that programs know them by.
const ALLOCATORS: [(u64, &str); 14] = [
    (0, "omp_null_allocator"),
    (1, "omp_default_mem_alloc"),
    (2, "omp_large_cap_mem_alloc"),
    (3, "omp_const_mem_alloc"),
    (4, "omp_high_bw_mem_alloc"),
    (5, "omp_low_lat_mem_alloc"),
    (6, "omp_cgroup_mem_alloc"),
    (7, "omp_pteam_mem_alloc"),
    (8, "omp_thread_mem_alloc"),
    (100, "llvm_omp_target_host_mem_alloc"),
    (101, "llvm_omp_target_shared_mem_alloc"),
    (102, "llvm_omp_target_device_mem_alloc"),
    (200, "ompx_gnu_pinned_mem_alloc"),
    (201, "ompx_gnu_managed_mem_alloc"),
];

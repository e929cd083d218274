//! Which memory sampled code accesses, as its instructions and registers show.

use super::{Symbolizer, files};
use crate::arch;
use crate::store::sample::Registers;
use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, OpAccess, Register, UsedMemory};
use rustc_hash::FxHashSet;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Functions are looked at for this many bytes.
const LONGEST: u64 = 1 << 20;

/// Memory that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its address.
    pub address: u64,
    /// Whether the instruction's function writes there, or to what is addressed in the same way.
    pub writes: bool,
}

/// The accesses near a sampled instruction, before the registers are known.
pub struct Near(Vec<(UsedMemory, bool)>);

impl Near {
    /// The memory that was accessed by a thread with these registers.
    pub fn accesses(&self, registers: &Registers) -> impl Iterator<Item = Access> {
        let value = |register: Register, _, _| match register {
            Register::CS | Register::DS | Register::ES | Register::SS => Some(0),
            // Bases of thread-local storage are not known, and the memory there is no other thread's.
            _ if register.is_gpr64() => registers.get(register.number()).copied(),
            _ => None,
        };
        self.0.iter().filter_map(move |(memory, writes)| {
            Some(Access { address: memory.virtual_address(0, value)?, writes: *writes })
        })
    }
}

impl Symbolizer {
    /// What the instruction at `address` and the one before it access: a thread is interrupted at the instruction that
    /// takes long, or after it. None where the code is not known, and for other processors than x86-64.
    pub fn accesses_near(&mut self, address: u64) -> Option<Near> {
        if !arch::HAS_LOCK_PREFIX {
            return None;
        }
        let path = self.modules.find(address)?.path.clone();
        let (file, sampled) = self.find(address)?;
        let (start, size) = file.extent(sampled)?;
        let (offset, _, base) = *file.segments.iter().find(|(_, size, base)| start >= *base && start - base < *size)?;
        let mut code = vec![0; size.min(LONGEST) as usize];
        let read = files::open(Path::new(&path)).ok()?.read_at(&mut code, offset + (start - base)).ok()?;
        Some(Near(near(&code[..read], address.wrapping_sub(sampled - start), address)))
    }
}

/// The accesses of the instruction at `sampled` and of the one before it, in a function that begins at `start`.
fn near(code: &[u8], start: u64, sampled: u64) -> Vec<(UsedMemory, bool)> {
    let mut factory = InstructionInfoFactory::new();
    let (mut written, mut found) = (FxHashSet::default(), Vec::new());
    let mut before: Option<Instruction> = None;
    for instruction in Decoder::with_ip(64, code, start, DecoderOptions::NONE) {
        let info = factory.info(&instruction);
        written.extend(info.used_memory().iter().filter(|memory| writes(memory)).map(place));
        if instruction.ip() == sampled {
            found.extend(info.used_memory().iter().filter(|memory| is_data(&instruction, memory)).copied());
            if let Some(before) = before {
                let info = factory.info(&before);
                // Its registers have changed if it has written to them.
                let changed: Vec<Register> = (info.used_registers().iter())
                    .filter(|used| !matches!(used.access(), OpAccess::Read | OpAccess::CondRead))
                    .map(|used| used.register().full_register())
                    .collect();
                let is_known =
                    |memory: &&UsedMemory| ![memory.base(), memory.index()].iter().any(|it| changed.contains(it));
                let data = info.used_memory().iter().filter(|memory| is_data(&before, memory));
                found.extend(data.filter(is_known).copied());
            }
        }
        before = Some(instruction);
    }
    found.into_iter().map(|memory| (memory, written.contains(&place(&memory)))).collect()
}

/// Whether an access is one of the program's data, and not the stack operation of a call or a push.
fn is_data(instruction: &Instruction, memory: &UsedMemory) -> bool {
    !instruction.is_stack_instruction() && memory.access() != OpAccess::NoMemAccess
}

fn writes(memory: &UsedMemory) -> bool {
    use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
    matches!(memory.access(), Write | CondWrite | ReadWrite | ReadCondWrite)
}

/// How an access finds its memory.
fn place(memory: &UsedMemory) -> (Register, Register, u32, u64) {
    (memory.base(), memory.index(), memory.scale(), memory.displacement())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `mov rax, [rdi+8]; inc rax; mov [rdi+8], rax; mov rdx, [rdx]; ret`
    const CODE: [u8; 15] = [0x48, 0x8b, 0x47, 0x08, 0x48, 0xff, 0xc0, 0x48, 0x89, 0x47, 0x08, 0x48, 0x8b, 0x12, 0xc3];

    fn accesses(sampled: u64) -> Vec<Access> {
        let mut registers = [0; 16];
        (registers[7], registers[2]) = (0x1000, 0x2000);
        Near(near(&CODE, 0x40_0000, sampled)).accesses(&registers).collect()
    }

    #[test]
    fn a_load_counts_as_written_where_its_function_stores_to_the_same_place() {
        let own = Access { address: 0x1008, writes: true };
        // At the load, and after it.
        assert_eq!(accesses(0x40_0000), [own]);
        assert_eq!(accesses(0x40_0004), [own]);
        // At the load from rdx, after the store.
        assert_eq!(accesses(0x40_000b), [Access { address: 0x2000, writes: false }, own]);
        // The load has overwritten the register by which it found its memory. The return reads the stack.
        assert_eq!(accesses(0x40_000e), []);
    }
}

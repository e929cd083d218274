//! Whether code updates memory atomically, as its instructions show.

use super::{Symbolizer, files};
use crate::arch;
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Functions are looked at for this many bytes.
const LONGEST: u64 = 1 << 20;
/// The longest instruction.
const INSTRUCTION: u64 = 15;

impl Symbolizer {
    /// Whether the sampled instruction, or the one before it, updates memory atomically. A thread is interrupted after
    /// the instruction that took long. `address` is the address one past the first byte of the sampled instruction.
    /// False where the code is not known, and for other processors than x86-64.
    pub fn is_atomic(&mut self, address: u64) -> bool {
        arch::HAS_LOCK_PREFIX && self.atomic_at(address.wrapping_sub(1)).unwrap_or(false)
    }

    fn atomic_at(&mut self, address: u64) -> Option<bool> {
        let path = self.modules.find(address)?.path.clone();
        let (file, sampled) = self.find(address)?;
        let (start, _) = file.symbol(sampled)?;
        let (offset, _, base) = *file.segments.iter().find(|(_, size, base)| start >= *base && start - base < *size)?;
        let length = (sampled + INSTRUCTION).checked_sub(start).filter(|length| *length <= LONGEST)?;
        let mut code = vec![0; length as usize];
        let read = files::open(Path::new(&path)).ok()?.read_at(&mut code, offset + (start - base)).ok()?;
        let mut before = false;
        for instruction in Decoder::with_ip(64, &code[..read], start, DecoderOptions::NONE) {
            let atomic = is_atomic(&instruction);
            if instruction.ip() >= sampled {
                return Some(before || (atomic && instruction.ip() == sampled));
            }
            before = atomic;
        }
        None
    }
}

fn is_atomic(instruction: &Instruction) -> bool {
    let in_memory = instruction.op_count() > 0 && instruction.op0_kind() == OpKind::Memory;
    // An exchange with memory is atomic without the prefix.
    instruction.has_lock_prefix() || (in_memory && instruction.mnemonic() == iced_x86::Mnemonic::Xchg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_instructions_and_exchanges_are_atomic() {
        let atomic = |code: &[u8]| is_atomic(&Decoder::new(64, code, DecoderOptions::NONE).decode());
        // lock addl $1, (%rax); lock cmpxchg %rcx, (%rdx); xchg %eax, (%rdx).
        assert!(atomic(&[0xf0, 0x83, 0x00, 0x01]) && atomic(&[0xf0, 0x48, 0x0f, 0xb1, 0x0a]) && atomic(&[0x87, 0x02]));
        // addl $1, (%rax); xchg %eax, %edx.
        assert!(!atomic(&[0x83, 0x00, 0x01]) && !atomic(&[0x87, 0xd0]));
    }
}

//! The entries of a file of samples. A sample is an instruction pointer on top of a stack of return addresses.
//! Successive samples share most of their stack, so a file has only the changes.

use super::codec::{Coded, Decoder, Encoder};

/// The deepest stack that is recorded, in return addresses. Of a deeper stack, the innermost ones are recorded.
pub const DEEPEST: usize = 64;

/// The general registers of a sampled thread, in the order of the architecture's own numbers.
pub type Registers = [u64; 16];

/// The registers take so many entries.
pub const REGISTER_ENTRIES: usize = 4;

/// One entry of a file of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// No sample: at this depth of the stack, counted from 0 for the outermost, the stack of further samples has this
    /// return address. What was deeper is gone.
    Caller {
        /// The depth.
        depth: u64,
        /// The return address.
        address: u64,
    },
    /// The thread was here, on a stack of so many return addresses: the outermost of the stack before.
    Sample {
        /// How many.
        depth: u64,
        /// The instruction pointer.
        address: u64,
    },
    /// A part of the registers of the sample that follows.
    Registers {
        /// The part, from 0: it begins with the register of four times this number.
        part: u64,
        /// Their values, less the last ones in this chunk.
        differences: [u64; 4],
    },
}

const CALLER: u8 = 1;
const SAMPLE: u8 = 2;
const REGISTERS: u8 = 3;

impl Coded for Entry {
    fn encode(&self, time: u64, to: &mut Encoder<'_>) {
        let (tag, depth, address) = match *self {
            Entry::Caller { depth, address } => (CALLER, depth, address),
            Entry::Sample { depth, address } => (SAMPLE, depth, address),
            Entry::Registers { part, differences } => {
                to.tag(REGISTERS);
                to.time(time);
                to.number(part);
                differences.into_iter().for_each(|difference| to.difference(difference));
                return;
            }
        };
        to.tag(tag);
        to.time(time);
        to.number(depth);
        to.address(address);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<(u64, Entry)> {
        let tag = from.tag()?;
        let time = from.time()?;
        let entry = match tag {
            CALLER => Entry::Caller { depth: from.number()?, address: from.address()? },
            SAMPLE => Entry::Sample { depth: from.number()?, address: from.address()? },
            REGISTERS => {
                let mut entry = (from.number()?, [0; 4]);
                for difference in &mut entry.1 {
                    *difference = from.difference()?;
                }
                Entry::Registers { part: entry.0, differences: entry.1 }
            }
            _ => return None,
        };
        Some((time, entry))
    }
}

/// A stack of return addresses, the outermost first, and registers, as the writer and the reader of a file both know
/// them.
#[derive(Clone, Debug)]
pub struct Stack {
    frames: [u64; DEEPEST],
    depth: usize,
    registers: Registers,
    /// The parts of the registers that were read since the last sample, a bit each.
    parts: u8,
    /// Whether the registers are those of the last sample.
    complete: bool,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack { frames: [0; DEEPEST], depth: 0, registers: [0; 16], parts: 0, complete: false }
    }
}

impl Stack {
    /// The return addresses, the outermost first.
    pub fn frames(&self) -> &[u64] {
        &self.frames[..self.depth]
    }

    /// The registers of the last sample, if the file has them.
    pub fn registers(&self) -> Option<&Registers> {
        Some(&self.registers).filter(|_| self.complete)
    }

    /// Forgets all frames and registers. A chunk begins with an empty stack.
    pub fn clear(&mut self) {
        *self = Stack::default();
    }

    /// Passes the entries to `emit` that give the next sample these registers.
    pub fn change_registers(&mut self, registers: &Registers, mut emit: impl FnMut(Entry)) {
        for (part, (last, now)) in self.registers.chunks_mut(4).zip(registers.chunks(4)).enumerate() {
            let mut differences = [0; 4];
            for ((difference, last), now) in differences.iter_mut().zip(last).zip(now) {
                *difference = now.wrapping_sub(std::mem::replace(last, *now));
            }
            emit(Entry::Registers { part: part as u64, differences });
        }
    }

    /// Passes the entries to `emit` that turn this stack into `frames`, the outermost first, and adds the sample at
    /// `address`. This stack is the new one then. At most [`DEEPEST`] frames count.
    pub fn change(&mut self, frames: &[u64], address: u64, mut emit: impl FnMut(Entry)) {
        let frames = &frames[..frames.len().min(DEEPEST)];
        let same = self.same(frames);
        for (depth, frame) in frames.iter().enumerate().skip(same) {
            self.frames[depth] = *frame;
            emit(Entry::Caller { depth: depth as u64, address: *frame });
        }
        self.depth = frames.len();
        emit(Entry::Sample { depth: frames.len() as u64, address });
    }

    /// How many entries [`Stack::change`] would pass on.
    pub fn changes(&self, frames: &[u64]) -> usize {
        frames.len() - self.same(frames) + 1
    }

    /// How many of the outermost frames are the same.
    fn same(&self, frames: &[u64]) -> usize {
        self.frames().iter().zip(frames).take_while(|(one, other)| one == other).count()
    }

    /// Takes the next entry of a file. Returns the instruction pointer of a sample; the frames are its stack. `None`
    /// for other entries, and for entries that make no sense.
    pub fn take(&mut self, entry: Entry) -> Option<u64> {
        match entry {
            Entry::Caller { depth, address } => {
                let depth = self.known(depth)?;
                *self.frames.get_mut(depth)? = address;
                self.depth = depth + 1;
                None
            }
            Entry::Sample { depth, address } => {
                self.depth = self.known(depth)?;
                self.complete = std::mem::take(&mut self.parts) == (1 << REGISTER_ENTRIES) - 1;
                Some(address)
            }
            Entry::Registers { part, differences } => {
                let part = usize::try_from(part).ok().filter(|part| *part < REGISTER_ENTRIES)?;
                for (register, difference) in self.registers[4 * part..].iter_mut().zip(differences) {
                    *register = register.wrapping_add(difference);
                }
                self.parts |= 1 << part;
                None
            }
        }
    }

    /// A depth that the stack has.
    fn known(&self, depth: u64) -> Option<usize> {
        usize::try_from(depth).ok().filter(|depth| *depth <= self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::codec::{Last, RECORD_RESERVE};
    use proptest::prelude::*;

    fn coded(entry: Entry) -> Option<(u64, Entry)> {
        let mut buffer = [0; RECORD_RESERVE];
        // SAFETY: the buffer has the reserve, and one record is written.
        unsafe {
            let mut last = Last::default();
            entry.encode(7, &mut Encoder::new(buffer.as_mut_ptr(), &mut last));
        }
        Entry::decode(&mut Decoder::new(&buffer, 0))
    }

    proptest! {
        #[test]
        fn stacks_come_back(samples in proptest::collection::vec(
            (proptest::collection::vec(0..4u64, 0..6), any::<u64>()), 0..30)) {
            let (mut writer, mut reader) = (Stack::default(), Stack::default());
            for (frames, address) in samples {
                let mut found = None;
                let expected = writer.changes(&frames);
                let mut entries = 0;
                writer.change(&frames, address, |entry| {
                    assert_eq!(coded(entry), Some((7, entry)));
                    entries += 1;
                    assert!(found.is_none());
                    found = reader.take(entry);
                });
                prop_assert_eq!(entries, expected);
                prop_assert_eq!(found, Some(address));
                prop_assert_eq!(reader.frames(), &frames[..]);
            }
        }
    }

    #[test]
    fn senseless_entries_change_nothing() {
        let mut stack = Stack::default();
        assert_eq!(stack.take(Entry::Caller { depth: 1, address: 5 }), None);
        assert_eq!(stack.take(Entry::Sample { depth: 1, address: 5 }), None);
        for depth in 0..DEEPEST as u64 {
            stack.take(Entry::Caller { depth, address: depth });
        }
        assert_eq!(stack.take(Entry::Caller { depth: DEEPEST as u64, address: 5 }), None);
        assert_eq!((stack.frames().len(), stack.take(Entry::Sample { depth: 64, address: 5 })), (64, Some(5)));
        assert_eq!(Entry::decode(&mut Decoder::new(&[4; 40], 0)), None);
        assert_eq!(stack.take(Entry::Registers { part: 4, differences: [1; 4] }), None);
    }

    #[test]
    fn registers_come_back_with_the_sample_that_they_are_of() {
        let (mut writer, mut reader) = (Stack::default(), Stack::default());
        let mut first: Registers = std::array::from_fn(|index| 1000 * index as u64);
        let mut pass = |registers: Option<&Registers>, reader: &mut Stack| {
            let mut entries = Vec::new();
            if let Some(registers) = registers {
                writer.change_registers(registers, |entry| entries.push(entry));
                assert_eq!(entries.len(), REGISTER_ENTRIES);
            }
            writer.change(&[], 5, |entry| entries.push(entry));
            let taken = entries.into_iter().map(|entry| {
                assert_eq!(coded(entry), Some((7, entry)));
                reader.take(entry)
            });
            assert_eq!(taken.last(), Some(Some(5)));
            reader.registers().copied()
        };
        assert_eq!(pass(Some(&first), &mut reader), Some(first));
        assert_eq!(pass(None, &mut reader), None);
        first[15] = u64::MAX;
        first[0] = 1 << 63;
        assert_eq!(pass(Some(&first), &mut reader), Some(first));
        // A part is missing.
        reader.take(Entry::Registers { part: 1, differences: [1; 4] });
        assert_eq!(pass(None, &mut reader), None);
    }
}

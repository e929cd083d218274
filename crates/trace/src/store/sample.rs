//! The entries of a file of samples. A sample is an instruction pointer on top of a stack of return addresses.
//! Successive samples share most of their stack, so a file has only the changes.

use super::codec::{Coded, Decoder, Encoder};

/// The deepest stack that is recorded, in return addresses. Of a deeper stack, the innermost ones are recorded.
pub const DEEPEST: usize = 64;

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
}

const CALLER: u8 = 1;
const SAMPLE: u8 = 2;

impl Coded for Entry {
    fn encode(&self, time: u64, to: &mut Encoder<'_>) {
        let (tag, depth, address) = match *self {
            Entry::Caller { depth, address } => (CALLER, depth, address),
            Entry::Sample { depth, address } => (SAMPLE, depth, address),
        };
        to.tag(tag);
        to.time(time);
        to.number(depth);
        to.address(address);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<(u64, Entry)> {
        let tag = from.tag().filter(|tag| matches!(*tag, CALLER | SAMPLE))?;
        let (time, depth, address) = (from.time()?, from.number()?, from.address()?);
        Some((time, if tag == CALLER { Entry::Caller { depth, address } } else { Entry::Sample { depth, address } }))
    }
}

/// A stack of return addresses, the outermost first, as the writer and the reader of a file both know it.
#[derive(Clone, Debug)]
pub struct Stack {
    frames: [u64; DEEPEST],
    depth: usize,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack { frames: [0; DEEPEST], depth: 0 }
    }
}

impl Stack {
    /// The return addresses, the outermost first.
    pub fn frames(&self) -> &[u64] {
        &self.frames[..self.depth]
    }

    /// Forgets all frames. A chunk begins with an empty stack.
    pub fn clear(&mut self) {
        self.depth = 0;
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
        let (Entry::Caller { depth, .. } | Entry::Sample { depth, .. }) = entry;
        let depth = usize::try_from(depth).ok().filter(|depth| *depth <= self.depth)?;
        match entry {
            Entry::Caller { address, .. } => {
                *self.frames.get_mut(depth)? = address;
                self.depth = depth + 1;
                None
            }
            Entry::Sample { address, .. } => {
                self.depth = depth;
                Some(address)
            }
        }
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
        assert_eq!(Entry::decode(&mut Decoder::new(&[3; 40], 0)), None);
    }
}

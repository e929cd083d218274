//! How numbers are written: a prefix varint of one to nine bytes, ids and addresses as signed deltas.
//! Encoding is one unaligned 8-byte store without a loop; the decoder never reads outside its slice.

use std::num::NonZero;

/// An encoder may write this many bytes for one record: a tag and seven numbers of nine bytes, with some slack.
pub const RECORD_RESERVE: usize = 72;

/// The previous values, which deltas are taken against. In each chunk they start as zeros, with the time of the chunk's
/// header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Last {
    /// Time of the last record, in ticks.
    pub time: u64,
    /// Last code address.
    pub address: u64,
    /// Last parallel or task id.
    pub id: u64,
    /// Last wait id.
    pub wait: u64,
    /// The last records of tasks.
    pub tasks: Tasks,
}

/// What the last records of tasks in a chunk said, for the short forms of later ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tasks {
    /// Of the last task that was created without dependences: the task that created it.
    pub(super) parent: u64,
    /// Its id.
    pub(super) task: u64,
    /// Its flags.
    pub(super) flags: u64,
    /// Its construct.
    pub(super) codeptr: u64,
    /// The task that the thread has switched from last.
    pub(super) prior: u64,
    /// The task that the thread has switched to.
    pub(super) next: u64,
}

impl Last {
    /// The state at the start of a chunk whose header says `time`.
    pub fn at(time: u64) -> Last {
        Last { time, ..Last::default() }
    }
}

const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

const fn unzigzag(value: u64) -> i64 {
    ((value >> 1) as i64) ^ -((value & 1) as i64)
}

/// What the chunks of a file hold: records, each with its time in ticks.
pub trait Coded: Sized {
    /// Appends tag, time and fields: at most six numbers beside the tag.
    fn encode(&self, time: u64, to: &mut Encoder<'_>);

    /// Reads a record and its time in ticks. `None` at the end of the chunk or where the bytes make no sense.
    fn decode(from: &mut Decoder<'_>) -> Option<(u64, Self)>;
}

/// Writes one record at a raw position.
pub struct Encoder<'a> {
    at: *mut u8,
    last: &'a mut Last,
}

impl<'a> Encoder<'a> {
    /// An encoder for one record.
    ///
    /// # Safety
    /// [`RECORD_RESERVE`] bytes from `at` must be writable by this thread alone while the encoder lives, and at most
    /// one tag and seven numbers may be written.
    #[inline(always)]
    pub unsafe fn new(at: *mut u8, last: &'a mut Last) -> Encoder<'a> {
        Encoder { at, last }
    }

    /// One past the last byte written.
    #[inline(always)]
    pub fn end(&self) -> *mut u8 {
        self.at
    }

    /// The previous values.
    #[inline(always)]
    pub(super) fn last(&mut self) -> &mut Last {
        self.last
    }

    #[inline(always)]
    pub(super) fn tag(&mut self, tag: u8) {
        // SAFETY: within the reserve that `new` was promised.
        unsafe {
            self.at.write(tag);
            self.at = self.at.add(1);
        }
    }

    #[inline(always)]
    pub(super) fn time(&mut self, time: u64) {
        // A clock that goes backwards between two CPUs gives no negative step.
        let step = time.saturating_sub(self.last.time);
        self.last.time += step;
        self.any(step);
    }

    /// A number that is mostly small, such as a kind: the guess is cheaper than the length.
    #[inline(always)]
    pub(super) fn number(&mut self, value: u64) {
        if value < 1 << 7 {
            self.tag((value << 1 | 1) as u8);
        } else {
            self.any(value);
        }
    }

    /// A number of any size.
    #[inline(always)]
    fn any(&mut self, value: u64) {
        let highest = (value | 1).leading_zeros() ^ 63;
        // SAFETY: at most nine bytes are advanced and nine written, within the reserve that `new` was promised.
        unsafe {
            if highest < 56 {
                // The highest bit divided by seven: exact in this range, without a division.
                let zeros = (9 * (highest + 1)) >> 6;
                let word = (value << 1 | 1) << zeros;
                self.at.cast::<u64>().write_unaligned(word.to_le());
                self.at = self.at.add(zeros as usize + 1);
            } else {
                self.at.write(0);
                self.at.add(1).cast::<u64>().write_unaligned(value.to_le());
                self.at = self.at.add(9);
            }
        }
    }

    /// A difference of two numbers, whichever is larger.
    #[inline(always)]
    pub(super) fn difference(&mut self, difference: u64) {
        self.any(zigzag(difference as i64));
    }

    #[inline(always)]
    pub(super) fn id(&mut self, id: u64) {
        self.any(zigzag(id.wrapping_sub(self.last.id) as i64));
        self.last.id = id;
    }

    #[inline(always)]
    pub(super) fn address(&mut self, address: u64) {
        self.any(zigzag(address.wrapping_sub(self.last.address) as i64));
        self.last.address = address;
    }

    #[inline(always)]
    pub(super) fn wait(&mut self, wait: u64) {
        self.any(zigzag(wait.wrapping_sub(self.last.wait) as i64));
        self.last.wait = wait;
    }
}

/// The bits of a number, by its length in bytes.
const BITS: [u64; 9] = {
    let mut bits = [0; 9];
    let mut length = 1;
    while length < bits.len() {
        bits[length] = (1 << (7 * length)) - 1;
        length += 1;
    }
    bits
};

/// Reads the records of one chunk.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    last: Last,
}

impl<'a> Decoder<'a> {
    /// A decoder of the records in `bytes`, which follow a chunk header with the time `time`.
    pub fn new(bytes: &'a [u8], time: u64) -> Decoder<'a> {
        Decoder { bytes, last: Last::at(time) }
    }

    /// A decoder that goes on where another one had this state.
    pub fn resume(bytes: &'a [u8], last: Last) -> Decoder<'a> {
        Decoder { bytes, last }
    }

    /// The state after what is read.
    pub fn last(&self) -> Last {
        self.last
    }

    /// What the last records of tasks said.
    #[inline(always)]
    pub(super) fn tasks(&mut self) -> &mut Tasks {
        &mut self.last.tasks
    }

    /// Bytes not yet read.
    pub fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// What is not yet read.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next byte, if it starts a record (it does not at the end of the records).
    #[inline(always)]
    pub(super) fn tag(&mut self) -> Option<u8> {
        let (&tag, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(tag)
    }

    #[inline(always)]
    pub(super) fn time(&mut self) -> Option<u64> {
        self.last.time = self.last.time.checked_add(self.number()?)?;
        Some(self.last.time)
    }

    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<u64> {
        let Some(word) = self.bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)) else {
            return self.number_near_end();
        };
        let Some(first) = NonZero::new(word as u8) else { return self.number_near_end() };
        let length = first.trailing_zeros() as usize + 1;
        self.bytes = &self.bytes[length..];
        Some(word >> length & BITS[length])
    }

    /// As written by [`Encoder::difference`].
    #[inline(always)]
    pub(super) fn difference(&mut self) -> Option<u64> {
        Some(unzigzag(self.number()?) as u64)
    }

    /// A number of nine bytes, or one in the last bytes of the chunk.
    #[cold]
    #[inline(never)]
    fn number_near_end(&mut self) -> Option<u64> {
        let length = self.bytes.first()?.trailing_zeros() as usize + 1;
        let (value, rest) = if length <= 8 {
            let mut word = [0; 8];
            word[..length].copy_from_slice(self.bytes.get(..length)?);
            (u64::from_le_bytes(word) >> length, &self.bytes[length..])
        } else {
            let word = self.bytes.get(1..9)?;
            (u64::from_le_bytes(word.try_into().ok()?), &self.bytes[9..])
        };
        self.bytes = rest;
        Some(value)
    }

    #[inline(always)]
    pub(super) fn id(&mut self) -> Option<u64> {
        self.last.id = self.last.id.wrapping_add(unzigzag(self.number()?) as u64);
        Some(self.last.id)
    }

    #[inline(always)]
    pub(super) fn address(&mut self) -> Option<u64> {
        self.last.address = self.last.address.wrapping_add(unzigzag(self.number()?) as u64);
        Some(self.last.address)
    }

    #[inline(always)]
    pub(super) fn wait(&mut self) -> Option<u64> {
        self.last.wait = self.last.wait.wrapping_add(unzigzag(self.number()?) as u64);
        Some(self.last.wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(values in proptest::collection::vec(any::<u64>(), 6),
            shifts in proptest::collection::vec(0u32..64, 6)) {
            let values: Vec<u64> = values.iter().zip(&shifts).map(|(value, shift)| value >> shift).collect();
            let mut buffer = [0u8; RECORD_RESERVE];
            let mut last = Last::default();
            // SAFETY: the buffer has the reserve, and six numbers are written.
            let mut encoder = unsafe { Encoder::new(buffer.as_mut_ptr(), &mut last) };
            for value in &values {
                encoder.number(*value);
            }
            let used = encoder.end() as usize - buffer.as_ptr() as usize;
            let mut decoder = Decoder::new(&buffer[..used], 0);
            for value in &values {
                prop_assert_eq!(decoder.number(), Some(*value));
            }
            prop_assert_eq!(decoder.remaining(), 0);
        }

        #[test]
        fn zigzag_is_its_own_inverse(value in any::<i64>()) {
            prop_assert_eq!(unzigzag(zigzag(value)), value);
        }
    }

    #[test]
    fn length_follows_from_the_highest_bit() {
        assert!((0..56).all(|highest: u32| (9 * (highest + 1)) >> 6 == highest / 7));
    }

    #[test]
    fn small_numbers_take_one_byte() {
        for (value, length) in [(0, 1), (127, 1), (128, 2), ((1 << 56) - 1, 8), (1 << 56, 9), (u64::MAX, 9)] {
            let mut buffer = [0u8; RECORD_RESERVE];
            let mut last = Last::default();
            // SAFETY: the buffer has the reserve, and one number is written.
            let mut encoder = unsafe { Encoder::new(buffer.as_mut_ptr(), &mut last) };
            encoder.number(value);
            assert_eq!(encoder.end() as usize - buffer.as_ptr() as usize, length, "{value}");
        }
    }
}

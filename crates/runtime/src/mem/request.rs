//! A request for memory from an allocator.

use crate::objects::call::Call;

/// A request for memory.
#[derive(Clone, Copy)]
pub struct Request {
    /// Bytes. A request for 0 bytes never reaches an allocator.
    pub size: usize,
    /// The alignment that the program asks for beside the allocator's trait: a power of two.
    pub alignment: usize,
    /// Whether all bytes are to be 0.
    pub zeroed: bool,
    /// The name of the routine, for messages.
    pub routine: &'static str,
    /// The place of the call in the program, for tools.
    pub call: Call,
}

impl Request {
    /// A request for `count` items of `size` bytes each, all zero. A product that overflows becomes a size that no
    /// allocator can serve.
    pub fn of_zeroes(count: usize, size: usize, alignment: usize, routine: &'static str, call: Call) -> Request {
        Request { size: count.saturating_mul(size), alignment, zeroed: true, routine, call }
    }
}

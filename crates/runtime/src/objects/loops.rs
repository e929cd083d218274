//! What a member keeps of the loop, the sections or the doacross nest that it is in.

use crate::model::atomic::AtomicU64;
use crate::objects::schedule::Clause;
use crate::objects::space::Space;
use crate::protocol::posts::Posts;
use crate::protocol::ring::Shared;

use std::cell::Cell;

/// A member's state in the ordered regions of its loop. Only the member uses it.
#[derive(Default)]
pub struct Turns {
    pub(crate) clause: Cell<Clause>,
    /// Whether the member has a chunk, shares the loop with others, and has not passed its turn on yet.
    pub(crate) holds: Cell<bool>,
    pub(crate) first: Cell<u64>,
    pub(crate) count: Cell<u64>,
    /// The number of the chunk's iterations that are over, if the program says so.
    pub(crate) over: Cell<u64>,
    /// The wait identifier of the loop's ordered regions, the same for all members; 0 outside such a loop.
    pub(crate) wait_id: Cell<u64>,
}

/// Where a member gets its next chunk of the loop under way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Source {
    /// Nothing is left, or there is no loop.
    #[default]
    Nothing,
    /// The whole loop, at once: the thread is alone.
    Whole,
    /// This thread's block, at once.
    Block,
    /// Every `n`th chunk, with `n` threads.
    Chunks,
    /// The next chunk of the team.
    Dynamic,
    /// The next chunk of a range that this thread has taken or stolen.
    Stealing,
    /// A share of the iterations that are left.
    Guided,
    /// As `Guided`, in multiples of the chunk size.
    GuidedAligned,
    /// The next chunk of the team, which is smaller than the one before.
    Trapezoidal,
}

/// The loop or sections construct that a member is in. Only the member uses it.
#[derive(Default)]
pub struct Loop {
    pub(crate) source: Cell<Source>,
    pub(crate) space: Cell<Space>,
    pub(crate) chunk: Cell<u64>,
    /// The number of chunks of the loop (stealing).
    pub(crate) chunks: Cell<u64>,
    /// The thread's next chunk (static schedules) or section (alone), or how many sections are known to be taken.
    pub(crate) position: Cell<u64>,
    /// The number of threads.
    pub(crate) nthreads: Cell<u32>,
    /// Whether the thread has taken the loop's last chunk, and keeps it until there is no other (stealing).
    pub(crate) has_last: Cell<bool>,
    /// The construct's number, if the construct has a slot.
    pub(crate) number: Cell<Option<u32>>,
    /// The member's turns in ordered regions.
    pub turns: Turns,
}

/// The number of a team's first single region that has no executor yet.
#[derive(Default)]
pub struct Counter(pub(crate) AtomicU64);

/// The loops of a nest; the first is the outermost.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Shape(pub(crate) Box<[Dimension]>);

/// What the members of a team share about a nest.
#[repr(C)]
pub(crate) struct Nest {
    /// First, so that a pointer to it is one to the nest.
    pub(crate) shared: Shared,
    pub(crate) shape: Shape,
    /// `None` if one thread executes all iterations in order.
    pub(crate) posts: Option<Posts>,
}

/// The nest that a member is in, with the number of its slot. Only the member uses it.
#[derive(Default)]
pub struct Current(pub(crate) Cell<Option<(u32, *const Nest)>>);

/// One loop of a nest, as the program numbers its iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The program's value of the first iteration.
    pub first: u64,
    /// The difference between the values of two successive iterations.
    pub step: i64,
    /// The number of places: each iteration's place is lower.
    pub count: u64,
    /// The number of iterations, at most `count`. Other places are not waited for.
    pub exists: u64,
}

impl Dimension {
    /// A loop whose iterations are numbered from 0.
    pub fn counted(count: u64) -> Self {
        Dimension { first: 0, step: 1, count, exists: count }
    }

    /// The place of the iteration with this value. If no iteration has the value, the place is beyond all others. It
    /// must not be a neighbour's place: the neighbour may be the one that waits, and would wait for itself.
    pub(crate) fn place(&self, value: u64) -> u64 {
        if self.step == 1 {
            return value.wrapping_sub(self.first);
        }
        let distance = if self.step > 0 { value.wrapping_sub(self.first) } else { self.first.wrapping_sub(value) };
        // A step of 0 is not conforming; the loop counts as one iteration.
        match self.step.unsigned_abs() {
            0 => u64::from(distance != 0),
            step if distance.is_multiple_of(step) => distance / step,
            _ => u64::MAX,
        }
    }
}

/// Numbers of single regions are counted modulo 2^48.
pub(crate) const BITS: u32 = 48;

/// The bits of such a number.
pub const MASK: u64 = (1 << BITS) - 1;

//! What a member keeps of the loop, the sections or the doacross nest that it is in.

use crate::model::atomic::AtomicU64;
use crate::objects::schedule::Clause;
use crate::objects::space::Space;
use crate::protocol::posts::Posts;
use crate::protocol::ring::Shared;

use std::cell::Cell;

/// A member's part in the ordered regions of its loop. Only the member touches it.
#[derive(Default)]
pub struct Turns {
    pub(crate) clause: Cell<Clause>,
    /// Whether the member has a chunk whose turn it has not passed on yet.
    pub(crate) holds: Cell<bool>,
    pub(crate) first: Cell<u64>,
    pub(crate) count: Cell<u64>,
    /// Iterations of the chunk that are over, where the program tells.
    pub(crate) over: Cell<u64>,
    /// What identifies the ordered regions of the loop to tools, the same for all members; 0 outside of such a loop.
    pub(crate) wait_id: Cell<u64>,
}

/// How the loop under way is handed out to this member.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Source {
    /// Nothing is left, or there is no loop.
    #[default]
    Nothing,
    /// All at once: the thread is alone.
    Whole,
    /// This thread's block, at once.
    Block,
    /// Every n-th chunk.
    Chunks,
    /// The next chunk of the team.
    Dynamic,
    /// The next chunk of a range that this thread has taken, or stolen.
    Stealing,
    /// A share of what the team has left.
    Guided,
    /// As guided, in multiples of the chunk size.
    GuidedAligned,
    /// The next chunk of the team, which is smaller than the one before.
    Trapezoidal,
}

/// The loop or sections construct that a member is in. Only the member touches it.
#[derive(Default)]
pub struct Loop {
    pub(crate) source: Cell<Source>,
    pub(crate) space: Cell<Space>,
    pub(crate) chunk: Cell<u64>,
    /// How many chunks the loop has (for stealing).
    pub(crate) chunks: Cell<u64>,
    /// The thread's next chunk (static schedules) or section (alone).
    pub(crate) position: Cell<u64>,
    /// Threads of the team.
    pub(crate) nthreads: Cell<u32>,
    /// Whether the thread has had the last chunk (stealing).
    pub(crate) had_last: Cell<bool>,
    /// The construct's number, if it has a slot.
    pub(crate) number: Cell<Option<u32>>,
    /// Whose turn it is in ordered regions.
    pub turns: Turns,
}

/// The number of the first single region of a team that has no executor yet.
#[derive(Default)]
pub struct Counter(pub(crate) AtomicU64);

/// The dimensions of a nest; the first is the outermost.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Shape(pub(crate) Box<[Dimension]>);

/// What the members of a team share about a nest.
#[repr(C)]
pub(crate) struct Nest {
    /// First, so that a pointer to it is one to the nest.
    pub(crate) shared: Shared,
    pub(crate) shape: Shape,
    /// `None` where one thread executes the iterations, in their order.
    pub(crate) posts: Option<Posts>,
}

/// The nest that a member is in. Only the member touches it.
#[derive(Default)]
pub struct Current(pub(crate) Cell<Option<(u32, *const Nest)>>);

/// One loop of a nest, as the program numbers its iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The number that the program gives the first iteration.
    pub first: u64,
    /// What the program adds from one iteration to the next.
    pub step: i64,
    /// Places to keep: no iteration has a higher one.
    pub count: u64,
    /// Iterations that there are, at most `count`; waiting for others has no effect.
    pub exists: u64,
}

impl Dimension {
    /// A loop whose iterations are numbered from 0.
    pub fn counted(count: u64) -> Self {
        Dimension { first: 0, step: 1, count, exists: count }
    }

    /// The place of the iteration that the program calls `value`; a place beyond all where no iteration has this value.
    /// A value between two iterations, or before the first one, must not get the place of a neighbour: the neighbour
    /// may be the one that asks, and would wait for itself.
    pub(crate) fn place(&self, value: u64) -> u64 {
        if self.step == 1 {
            return value.wrapping_sub(self.first);
        }
        let distance = if self.step > 0 { value.wrapping_sub(self.first) } else { self.first.wrapping_sub(value) };
        // A step of 0 breaks the specification's rules; the loop counts as one iteration.
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

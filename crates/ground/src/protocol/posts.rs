//! Which iterations of a doacross loop nest have posted: a bit each, and the events where threads sleep that wait for
//! an iteration. The protocol is in `work/README.md`; `tests/loom_posts.rs` checks this very code.
//!
//! An example: thread 2 waits for iteration 7, which thread 1 executes.
//!
//! 1. Thread 2 finds bit 7 clear, and registers as a sleeper of the event for iteration 7.
//! 2. Meanwhile thread 1 sets bit 7, and then looks for sleepers of that event.
//! 3. Thread 2 looks at the bit once more, and sleeps if the bit is clear.
//!
//! All four accesses are sequentially consistent. So thread 1 finds the sleeper, or thread 2 finds the bit. The bit is
//! also a release: whatever iteration 7 wrote before the post is seen behind the wait.

use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::mutation;
use crate::park::event::Event;

/// Number of events. Iterations that are waited for at the same time seldom share an event, so a post wakes few threads
/// for nothing.
#[cfg(not(loom))]
const EVENTS: usize = 16;
#[cfg(loom)]
const EVENTS: usize = 2;
const BITS: u64 = 64;
/// In a nest of one loop, so many successive iterations have their bits in different cache lines.
const LINES: u64 = 16;
/// Words of a cache line.
const LINE_WORDS: u64 = 8;
/// Successive iterations are so many lines apart: processors fetch a line's neighbour as well. Odd, so that all lines
/// are used.
const STRIDE: u64 = 5;

/// The posts of one loop nest.
pub struct Posts {
    /// A bit for each iteration: it has posted. Set by the iteration's thread.
    words: Box<[AtomicU64]>,
    layout: Layout,
    /// Where threads wait for iteration *n*: the one with number *n* mod their count.
    events: [Event; EVENTS],
}

/// Where the bits of iterations lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// Side by side: a thread that comes later finds many posts with one cache line. For nests of several loops, where
    /// threads follow each other through rows.
    Dense,
    /// Successive iterations in different cache lines: of 16 threads in a chain of iterations, each looks at the line
    /// of the one before it, instead of all at the same. For nests of one loop, and more than a few threads: two
    /// threads take half as long again, as no look finds several posts.
    Spread,
}

impl Layout {
    /// How many words hold so many iterations.
    fn words(self, iterations: u64) -> u64 {
        match self {
            Layout::Dense => iterations.div_ceil(BITS),
            Layout::Spread => iterations.div_ceil(LINES * LINE_WORDS * BITS) * LINES * LINE_WORDS,
        }
    }

    /// The word of an iteration, and its bit there.
    #[inline]
    fn place(self, number: u64) -> (usize, u64) {
        match self {
            Layout::Dense => ((number / BITS) as usize, 1 << (number % BITS)),
            Layout::Spread => {
                let (line, in_line) = (number.wrapping_mul(STRIDE) % LINES, number / LINES);
                let (word, piece) = (in_line / BITS % LINE_WORDS, in_line / (BITS * LINE_WORDS));
                (((piece * LINES + line) * LINE_WORDS + word) as usize, 1 << (in_line % BITS))
            }
        }
    }
}

impl Posts {
    /// For iterations numbered from 0 to `iterations - 1`; `None` where there is no memory for them.
    pub fn new(iterations: u64, layout: Layout) -> Option<Self> {
        let words = zeroed(usize::try_from(layout.words(iterations)).ok()?)?;
        Some(Posts { words, layout, events: std::array::from_fn(|_| Event::new()) })
    }

    /// Iteration `number` has done what others wait for.
    #[inline]
    pub fn post(&self, number: u64) {
        // SeqCst: a thread that finds the bit set sees what was done before; any other is found by the notification.
        let order = mutation::or_relaxed("posts: posted relaxed", Ordering::SeqCst);
        let (word, bit) = self.layout.place(number);
        self.words[word].fetch_or(bit, order);
        self.event(number).notify_all_after_rmw();
    }

    /// Whether iteration `number` has posted.
    #[inline]
    pub fn posted(&self, number: u64) -> bool {
        // Acquire: pairs with the release in `post`.
        let (word, bit) = self.layout.place(number);
        self.words[word].load(Ordering::Acquire) & bit != 0
    }

    /// What is notified when iteration `number` posts, and sometimes when another does.
    #[inline]
    pub fn event(&self, number: u64) -> &Event {
        &self.events[(number % EVENTS as u64) as usize]
    }
}

/// Words of 0. The system hands out large pieces zeroed, and takes memory only for what is touched.
#[cfg(not(loom))]
fn zeroed(words: usize) -> Option<Box<[AtomicU64]>> {
    use std::alloc::{GlobalAlloc, System};
    if words == 0 {
        return Some(Box::default());
    }
    let layout = std::alloc::Layout::array::<AtomicU64>(words).ok()?;
    // SAFETY: the layout is not of size 0. A block that is not null holds so many words, all 0, which is a value of the
    // type. The box frees the block with the same layout: the global allocator is the system's, except that it ends the
    // process where there is no memory. Here the caller reports that.
    unsafe {
        let block = System.alloc_zeroed(layout).cast::<AtomicU64>();
        (!block.is_null()).then(|| Box::from_raw(std::ptr::slice_from_raw_parts_mut(block, words)))
    }
}

#[cfg(loom)]
fn zeroed(words: usize) -> Option<Box<[AtomicU64]>> {
    Some((0..words).map(|_| AtomicU64::new(0)).collect())
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn each_iteration_has_its_own_bit() {
        for (iterations, layout) in [1, 63, 64, 65, 1000, 20_000]
            .into_iter()
            .flat_map(|iterations| [Layout::Dense, Layout::Spread].map(|layout| (iterations, layout)))
        {
            let posts = Posts::new(iterations, layout).unwrap();
            for number in 0..iterations {
                assert!(!posts.posted(number));
                posts.post(number);
                posts.post(number);
                assert!(posts.posted(number) && (number + 1 == iterations || !posts.posted(number + 1)));
            }
        }
        assert!(Posts::new(0, Layout::Spread).is_some());
    }

    #[test]
    fn spread_iterations_that_follow_each_other_share_no_cache_line() {
        let line = |number| Layout::Spread.place(number).0 / LINE_WORDS as usize;
        for number in 0..20_000 {
            assert!((1..LINES).all(|next| line(number) != line(number + next)));
            assert!(line(number).abs_diff(line(number + 1)) > 1);
        }
    }
}

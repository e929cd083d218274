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

/// The posts of one loop nest.
pub struct Posts {
    /// Bit *n* mod 64 of word *n* / 64: iteration *n* has posted. Set by the iteration's thread.
    words: Box<[AtomicU64]>,
    /// Where threads wait for iteration *n*: the one with number *n* mod their count.
    events: [Event; EVENTS],
}

impl Posts {
    /// For iterations numbered from 0 to `iterations - 1`; `None` where there is no memory for them.
    pub fn new(iterations: u64) -> Option<Self> {
        let words = zeroed(usize::try_from(iterations.div_ceil(BITS)).ok()?)?;
        Some(Posts { words, events: std::array::from_fn(|_| Event::new()) })
    }

    /// Iteration `number` has done what others wait for.
    #[inline]
    pub fn post(&self, number: u64) {
        // SeqCst: a thread that finds the bit set sees what was done before; any other is found by the notification.
        let order = mutation::or_relaxed("posts: posted relaxed", Ordering::SeqCst);
        self.words[(number / BITS) as usize].fetch_or(1 << (number % BITS), order);
        self.event(number).notify_all_after_rmw();
    }

    /// Whether iteration `number` has posted.
    #[inline]
    pub fn posted(&self, number: u64) -> bool {
        // Acquire: pairs with the release in `post`.
        self.words[(number / BITS) as usize].load(Ordering::Acquire) & 1 << (number % BITS) != 0
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
    use std::alloc::{GlobalAlloc, Layout, System};
    if words == 0 {
        return Some(Box::default());
    }
    let layout = Layout::array::<AtomicU64>(words).ok()?;
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
        for iterations in [1, 63, 64, 65, 1000] {
            let posts = Posts::new(iterations).unwrap();
            for number in 0..iterations {
                assert!(!posts.posted(number));
                posts.post(number);
                posts.post(number);
                assert!(posts.posted(number) && (number + 1 == iterations || !posts.posted(number + 1)));
            }
        }
        assert!(Posts::new(0).is_some());
    }
}

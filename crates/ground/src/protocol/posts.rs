//! Which iterations of a doacross loop nest have posted: a bit each, and where those sleep who wait
//! for one. The protocol is in `work/README.md`; `tests/loom_posts.rs` checks it.

use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::mutation;
use crate::park::event::Event;

/// Places to sleep: iterations that are waited for at the same time are seldom on the same one, so
/// that a post wakes few for nothing.
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
        // SeqCst: who finds the bit set finds all that was done before, and who does not is found by the notification.
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
    // SAFETY: the layout is not of size 0; where the result is not null it holds so many words, all
    // 0, which is a value of the type; and the box frees it with the same layout, by the allocator that is the system's
    // but for its end where there is no memory. Here the caller has the better words.
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

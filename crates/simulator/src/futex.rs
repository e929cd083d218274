//! The simulated futex: what the kernel's costs, and which thread it wakes first.

use crate::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::world;

/// Sleeps while `*word == expected`. Returns on a wake; callers look again.
pub fn wait(word: &AtomicU32, expected: u32) {
    world::sleep(address(word), || word.load(Ordering::SeqCst) == expected);
}

/// Wakes up to `count` threads that sleep on `word`.
pub fn wake(word: &AtomicU32, count: i32) {
    world::wake(address(word), usize::try_from(count).unwrap_or(0));
}

/// As [`wait`], on the lower half of a word of 64 bits.
pub fn wait_on_lower_half(word: &AtomicU64, expected: u32) {
    world::sleep(address(word), || word.load(Ordering::SeqCst) as u32 == expected);
}

/// Wakes one thread that sleeps on the lower half of `word`.
pub fn wake_on_lower_half(word: &AtomicU64) {
    world::wake(address(word), 1);
}

fn address<T>(word: &T) -> usize {
    std::ptr::from_ref(word).addr()
}

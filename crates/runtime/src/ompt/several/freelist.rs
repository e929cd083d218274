//! A lock-free stack of numbers: the word arrays that no object uses. A signal handler may take and give numbers too.
//! `README.md` has the protocol, and `tests/loom_freelist.rs` checks it.

use crate::model::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::model::mutation;

/// The stack. Each number has a link, which names the number below it. The user of the stack keeps the links.
#[derive(Default)]
pub struct FreeList {
    /// Low half: the top number plus one, 0 if there is none. High half: how often the stack has been changed. Without
    /// the count, a taker that was interrupted would not notice a change after which the same number is on top again.
    top: AtomicU64,
}

/// One change, in the high half of the word.
const CHANGE: u64 = 1 << 32;

impl FreeList {
    /// An empty stack.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        FreeList { top: AtomicU64::new(0) }
    }

    /// Takes the top number, if there is one. `link` finds a number's link.
    pub fn take<'a>(&self, link: impl Fn(u32) -> &'a AtomicU32) -> Option<u32> {
        let below_top = |top| {
            let number = (top as u32).checked_sub(1)?;
            // Another thread may have taken the number meanwhile and be writing its link. Then the exchange fails.
            Some(changed(top) | u64::from(link(number).load(Ordering::Relaxed)))
        };
        // Acquire: the link is seen as its giver wrote it.
        self.top.fetch_update(Ordering::Acquire, Ordering::Acquire, below_top).ok().map(|top| top as u32 - 1)
    }

    /// Puts `number` on top, which must not be in the stack. `link` is its link.
    pub fn give(&self, number: u32, link: &AtomicU32) {
        let above_top = |top| {
            link.store(top as u32, Ordering::Relaxed);
            Some(changed(top) | u64::from(number + 1))
        };
        // Release: the thread that takes the number sees the link.
        let order = mutation::or_relaxed("freelist: given relaxed", Ordering::Release);
        let _ = self.top.fetch_update(order, Ordering::Relaxed, above_top);
    }
}

/// The high half of the word after one more change.
fn changed(top: u64) -> u64 {
    if mutation::is("freelist: changes are not counted") {
        return top & !(CHANGE - 1);
    }
    (top & !(CHANGE - 1)).wrapping_add(CHANGE)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn last_given_is_first_taken() {
        let links: Vec<AtomicU32> = (0..3).map(|_| AtomicU32::new(0)).collect();
        let list = FreeList::new();
        let link = |number: u32| &links[number as usize];
        assert_eq!(list.take(link), None);
        for number in 0..3 {
            list.give(number, link(number));
        }
        assert_eq!([list.take(link), list.take(link)], [Some(2), Some(1)]);
        list.give(2, link(2));
        assert_eq!([list.take(link), list.take(link), list.take(link)], [Some(2), Some(0), None]);
    }

    #[test]
    fn count_of_changes_wraps() {
        assert_eq!(changed(u64::MAX), 0);
        assert_eq!(changed(5), CHANGE);
    }
}

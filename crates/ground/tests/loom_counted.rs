//! Model test of counted shares (`task/README.md`): the thread that gives up the last share uses the object behind all
//! others, and exactly one thread has the last share.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::counted::Count;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

struct Object {
    shares: Count,
    data: UnsafeCell<u32>,
    /// How many threads had the last share. Relaxed: the count of the shares has to order the data.
    last: AtomicU32,
}

// SAFETY: cells are checked by loom.
unsafe impl Sync for Object {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl Send for Object {}

impl Object {
    /// Looks at the object, and gives a share up. The last one uses the object for something else.
    fn leave(&self) {
        // SAFETY: loom reports a race.
        self.data.with(|data| assert_eq!(unsafe { *data }, 7));
        if self.shares.less() {
            // SAFETY: as above.
            self.data.with_mut(|data| unsafe { *data = 8 });
            self.last.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn shared_by_three() {
    let object = Arc::new(Object { shares: Count::one(), data: UnsafeCell::new(7), last: AtomicU32::new(0) });
    let others: Vec<_> = (0..2)
        .map(|_| {
            object.shares.more();
            let object = object.clone();
            thread::spawn(move || object.leave())
        })
        .collect();
    object.leave();
    others.into_iter().for_each(|other| other.join().unwrap());
    assert_eq!(object.last.load(Ordering::Relaxed), 1);
}

#[test]
fn the_last_share_comes_behind_all_others() {
    loom::model(shared_by_three);
}

#[test]
fn faults_are_caught() {
    assert_caught("counted: given up relaxed", "the_last_share_comes_behind_all_others");
}

//! Model of the bits that show which queues have items (`task/README.md`): no queue with two items stays hidden.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::deque::Deque;
use ferromp_ground::protocol::lifeline::Lifeline;
use ferromp_ground::protocol::theft::{Attempt, Groups, Search, Thief};
use loom::sync::Arc;
use loom::sync::atomic::Ordering;
use loom::thread;

const MEMBERS: u32 = 3;

struct Team {
    groups: Groups,
    deques: [Deque<u8>; MEMBERS as usize],
}

// SAFETY: the groups' cell is written before the threads begin; the rest is atomic.
unsafe impl Sync for Team {}
// SAFETY: as above.
unsafe impl Send for Team {}

fn item(number: usize) -> *const u8 {
    std::ptr::without_provenance(number)
}

impl Team {
    fn new() -> Arc<Self> {
        let groups = Groups::default();
        groups.reserve(MEMBERS);
        let team = Team { groups, deques: std::array::from_fn(|_| Deque::default()) };
        team.groups.restart(0, MEMBERS, &team.deques[0]);
        Arc::new(team)
    }

    /// As `publish` of `task/life.rs`.
    fn push(&self, number: usize) {
        let deque = &self.deques[0];
        let length = deque.push(item(number), false) + 1;
        if length > 1 && length == deque.told_from.load(Ordering::Relaxed) {
            self.groups.tell(0, deque);
        }
    }

    /// Member 1, of the owner's group, looks at what its group shows.
    fn steal(&self, thief: &Thief) -> bool {
        let attempt = Attempt {
            thief,
            groups: &self.groups,
            tid: 1,
            nthreads: MEMBERS,
            deque: |tid| &self.deques[tid as usize],
            allowed: |_| true,
            mine: None,
            lifeline: &Lifeline::default(),
            may_wait: false,
        };
        attempt.find(Search::Likely).is_some()
    }
}

/// A thief claims the bit, while the owner pushes the items that need the bit again.
#[test]
fn two_items_are_shown() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let team = Team::new();
        team.push(1);
        team.push(2);
        let other = team.clone();
        let thief = thread::spawn(move || other.steal(&Thief::default()));
        // The owner takes one, as `look` of `task/schedule.rs`, so that the next push is that of a second item.
        if team.deques[0].pop(false).is_some() {
            team.groups.restart(0, MEMBERS, &team.deques[0]);
        }
        team.push(3);
        team.push(4);
        team.push(5);
        thief.join().unwrap();
        let (left, from) = (team.deques[0].length(), team.deques[0].told_from.load(Ordering::Relaxed));
        assert!(left < from || team.steal(&Thief::default()), "{left} items are hidden");
    });
}

#[test]
fn hidden_items_are_caught() {
    assert_caught("theft: claimed for good", "two_items_are_shown");
}

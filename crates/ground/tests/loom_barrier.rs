//! Model test of the barrier (`team/README.md`): nobody passes early, everybody passes, and what was
//! written before is seen after, with members that sleep.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::park::waiter::Waiter;
use ferromp_ground::protocol::barrier::{Arrival, Barrier, Form};
use ferromp_ground::protocol::meeting::{Helper, meet};
use ferromp_ground::protocol::theft::Search;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

struct Team {
    barrier: Barrier,
    arrivals: Vec<Arrival>,
    /// One plain word a member: a race on it is an error that loom finds.
    words: Vec<UnsafeCell<u32>>,
    inside: AtomicU32,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Team {}
// SAFETY: as above.
unsafe impl Send for Team {}

/// A member as it waits: it sleeps at once, and there are no tasks.
struct Waiting;

impl Waiter for Waiting {
    type Pace = ();
    fn begin(&self) {}
    fn pause(&self, (): &mut ()) -> bool {
        false
    }
    fn sleep(&self, event: &Event, ticket: Ticket) {
        event.sleep(ticket);
    }
}

impl Helper for Waiting {
    fn has_tasks(&self) -> bool {
        false
    }
    fn help(&self, _search: Search) -> bool {
        false
    }
    fn help_when_called(&self) -> bool {
        false
    }
    fn leave(&self) {}
    fn is_deserted(&self) -> bool {
        false
    }
}

impl Team {
    fn new(members: usize) -> Self {
        let barrier = Barrier::default();
        barrier.reserve(members as u32);
        Team {
            barrier,
            arrivals: (0..members).map(|member| Arrival::new(member as u32)).collect(),
            words: (0..members).map(|_| UnsafeCell::new(0)).collect(),
            inside: AtomicU32::new(0),
        }
    }

    fn pass(&self, form: Form, member: usize, epoch: u64) {
        self.barrier.arrive(form, &self.arrivals[member], epoch, self.arrivals.len() as u32);
        let mine = &self.arrivals[member];
        let members = self.arrivals.len() as u32;
        meet(&Waiting, &self.barrier.event, || {
            self.barrier.all_arrived(form, mine, epoch, members, self.arrivals.iter())
        });
    }

    fn member(&self, form: Form, member: usize, epochs: u64) {
        for epoch in 1..=epochs {
            // Before an odd epoch each writes its own word; before an even one each reads all.
            if epoch % 2 == 1 {
                self.words[member].with_mut(|word| {
                    // SAFETY: loom checks that nobody else touches the word now.
                    unsafe { *word = epoch as u32 }
                });
            } else {
                for word in &self.words {
                    // SAFETY: loom checks that nobody writes the word now.
                    assert_eq!(word.with(|word| unsafe { *word }), epoch as u32 - 1);
                }
            }
            self.pass(form, member, epoch);
        }
        self.inside.fetch_add(1, Ordering::Relaxed);
    }
}

fn check(form: Form, members: usize, epochs: u64, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let team = Arc::new(Team::new(members));
        let others: Vec<_> = (1..members)
            .map(|member| {
                let team = team.clone();
                thread::spawn(move || team.member(form, member, epochs))
            })
            .collect();
        team.member(form, 0, epochs);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(team.inside.load(Ordering::Relaxed), members as u32);
    });
}

#[test]
fn flat_two_members() {
    check(Form::Flat, 2, 3, 3);
}

#[test]
fn central_two_members() {
    check(Form::Central, 2, 3, 3);
}

#[test]
fn flat_three_members() {
    check(Form::Flat, 3, 2, 2);
}

#[test]
fn central_three_members() {
    check(Form::Central, 3, 2, 2);
}

#[test]
fn grouped_two_members() {
    check(Form::Grouped, 2, 3, 3);
}

#[test]
fn grouped_three_members() {
    check(Form::Grouped, 3, 2, 2);
}

#[test]
fn cancellable_two_members() {
    check(Form::Cancellable, 2, 2, 2);
}

/// A member waits at a barrier of the region, another cancels it and goes to the end; whoever joins first, the primary
/// sees both arrive there, and what they wrote.
#[test]
fn cancelled_region_is_left_by_all() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let team = Arc::new(Team::new(2));
        let other = {
            let team = team.clone();
            thread::spawn(move || {
                team.words[1].with_mut(|word| {
                    // SAFETY: loom checks that nobody else touches the word now.
                    unsafe { *word = 7 }
                });
                team.pass(Form::Cancellable, 1, 1);
                team.barrier.arrive_at_join(Form::Cancellable, &team.arrivals[1], 2, 2);
            })
        };
        team.barrier.cancel();
        team.barrier.arrive_at_join(Form::Cancellable, &team.arrivals[0], 1, 2);
        let joined = || team.barrier.all_joined(Form::Cancellable, &team.arrivals[0], 1, 1, 2, team.arrivals.iter());
        meet(&Waiting, &team.barrier.event, joined);
        // SAFETY: loom checks that nobody writes the word now.
        assert_eq!(team.words[1].with(|word| unsafe { *word }), 7);
        assert!(team.barrier.region_over());
        assert!(!team.barrier.is_cancelled());
        other.join().unwrap();
    });
}

#[test]
fn weakened_orderings_are_caught() {
    assert_caught("barrier: arrival stored relaxed", "flat_two_members");
    assert_caught("barrier: arrivals counted relaxed", "central_two_members");
    assert_caught("barrier: gate opened relaxed", "central_two_members");
    assert_caught("barrier: group counted relaxed", "grouped_three_members");
    assert_caught("barrier: gate of a group opened relaxed", "grouped_three_members");
    assert_caught("barrier: join counted relaxed", "cancelled_region_is_left_by_all");
}

#[test]
fn members_that_hang_are_caught() {
    assert_caught("barrier: no second look", "flat_two_members");
    assert_caught("barrier: no second look", "central_two_members");
    assert_caught("barrier: cancelled in silence", "cancelled_region_is_left_by_all");
    assert_caught("barrier: gate opened before the count is reset", "central_two_members");
    assert_caught("barrier: a group's count is not reset", "grouped_three_members");
}

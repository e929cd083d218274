//! Models of task termination (`task/README.md`): a barrier never ends before the last task, whoever
//! creates and executes tasks. Built only under `--cfg loom`:
//! `RUSTFLAGS="--cfg loom" cargo test -p ferromp-runtime --release --test loom_quiescence`
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use ferromp_ground::protocol::deque::{Deque, Stolen};
use ferromp_ground::protocol::quiescence::{Account, Sums};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

/// A member as far as termination goes. Task number `n` creates the tasks below it down to 1.
#[derive(Default)]
struct Member {
    account: Account,
    deque: Deque<u8>,
}

/// A team whose sums are those of one group, or of several.
struct Team<const MEMBERS: usize> {
    sums: Sums,
    members: [Member; MEMBERS],
    /// What the tasks have done: relaxed, so that only the sums order it.
    effects: AtomicUsize,
}

// SAFETY: each account has one thread at a time, and the sums' cell is written before the threads begin.
unsafe impl<const MEMBERS: usize> Sync for Team<MEMBERS> {}
// SAFETY: as above.
unsafe impl<const MEMBERS: usize> Send for Team<MEMBERS> {}

fn task(number: usize) -> *const u8 {
    std::ptr::without_provenance(number)
}

impl<const MEMBERS: usize> Team<MEMBERS> {
    const COUNT: u32 = MEMBERS as u32;

    fn new() -> Arc<Self> {
        let sums = Sums::default();
        sums.reserve(Self::COUNT);
        let members = std::array::from_fn(|_| Member::default());
        Arc::new(Team { sums, members, effects: AtomicUsize::new(0) })
    }

    fn create(&self, me: usize, number: usize) {
        let member = &self.members[me];
        self.sums.begin(&member.account, me as u32, Self::COUNT);
        member.account.create();
        member.deque.push(task(number), false);
    }

    fn execute(&self, me: usize, number: usize) {
        self.sums.begin(&self.members[me].account, me as u32, Self::COUNT);
        if number > 1 {
            self.create(me, number - 1);
        }
        self.effects.fetch_add(1, Ordering::Relaxed);
        self.members[me].account.complete();
    }

    /// Executes one task, the member's own or another's.
    fn help(&self, me: usize) -> bool {
        let own = self.members[me].deque.pop(false);
        let found = own.or_else(|| {
            (1..MEMBERS).find_map(|step| match self.members[(me + step) % MEMBERS].deque.steal(|_| true) {
                Stolen::Taken(task) => Some(task),
                _ => None,
            })
        });
        found.inspect(|task| self.execute(me, task.addr())).is_some()
    }

    /// The member has found no task. Returns whether none is left.
    fn settle(&self, me: usize) -> bool {
        let account = &self.members[me].account;
        self.sums.settle(account, me as u32, Self::COUNT);
        self.sums.is_quiescent(account, me as u32, Self::COUNT)
    }
}

fn model(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(body);
}

/// All members have arrived; member 0 has left two tasks behind, of which one creates one more. The other members are
/// the last of the team, so that a larger team has a second group.
fn ends_when_it_is_there<const MEMBERS: usize>(preemptions: usize) {
    model(preemptions, || {
        let team = Team::<MEMBERS>::new();
        team.create(0, 2);
        team.create(0, 1);
        let other = team.clone();
        let helper = thread::spawn(move || {
            other.help(MEMBERS - 1);
            if other.settle(MEMBERS - 1) {
                assert_eq!(other.effects.load(Ordering::Relaxed), 3);
            }
        });
        team.help(0);
        if team.settle(0) {
            assert_eq!(team.effects.load(Ordering::Relaxed), 3);
        }
        helper.join().unwrap();
        while team.help(0) {}
        assert!(team.settle(0));
        assert_eq!(team.effects.load(Ordering::Relaxed), 3);
    });
}

#[test]
fn the_end_is_seen_only_when_it_is_there() {
    ends_when_it_is_there::<2>(3);
}

#[test]
fn the_end_is_seen_only_when_it_is_there_for_several_groups() {
    ends_when_it_is_there::<3>(3);
}

/// Member 2 becomes busy. Member 3, of the same group, may find the group busy. It executes a task that creates two.
/// Member 1 executes one of the two and looks, while the other one is left.
#[test]
fn a_member_of_a_busy_group_is_not_overlooked() {
    model(4, || {
        let team = Team::<4>::new();
        team.create(0, 1);
        team.settle(0);
        let other = team.clone();
        let other = thread::spawn(move || other.sums.begin(&other.members[2].account, 2, 4));
        // What members 3 and 1 do comes one after the other.
        assert!(matches!(team.members[0].deque.steal(|_| true), Stolen::Taken(_)));
        team.create(3, 1);
        team.create(3, 1);
        team.members[3].account.complete();
        assert!(matches!(team.members[3].deque.steal(|_| true), Stolen::Taken(_)));
        team.execute(1, 1);
        assert!(!team.settle(1));
        other.join().unwrap();
    });
}

/// Member 1 adds up the groups' sums, while both groups execute tasks and settle. One of the tasks is left.
#[test]
fn sums_of_different_moments_do_not_count() {
    model(3, || {
        let team = Team::<3>::new();
        team.create(0, 1);
        team.create(0, 2);
        team.settle(0);
        let other = team.clone();
        // What members 2 and 0 do comes one after the other.
        let other = thread::spawn(move || {
            let take = |from: usize| assert!(matches!(other.members[from].deque.steal(|_| true), Stolen::Taken(_)));
            take(0);
            other.execute(2, 1);
            other.settle(2);
            take(0);
            other.execute(0, 2);
            other.create(0, 1);
            other.settle(0);
            take(0);
            other.execute(2, 1);
            other.settle(2);
        });
        assert!(!team.sums.is_quiescent(&team.members[1].account, 1, 3));
        other.join().unwrap();
    });
}

/// Member 0 has created a task and settles, while member 2 looks.
#[test]
fn a_task_of_a_group_that_settles_is_seen() {
    model(3, || {
        let team = Team::<3>::new();
        team.create(0, 1);
        let other = team.clone();
        let other = thread::spawn(move || assert!(!other.sums.is_quiescent(&other.members[2].account, 2, 3)));
        assert!(!team.settle(0));
        other.join().unwrap();
    });
}

/// The last member to settle finds the end, so that somebody wakes the others.
#[test]
fn the_last_to_settle_finds_the_end() {
    model(3, || {
        let team = Team::<3>::new();
        team.create(0, 1);
        let other = team.clone();
        let helper = thread::spawn(move || {
            other.help(2);
            other.settle(2)
        });
        team.help(0);
        let found = team.settle(0);
        assert!(helper.join().unwrap() || found);
    });
}

/// Member 0 has seen the end of barrier 1 and creates a task for the next one. Member 1 is still at barrier 1.
#[test]
fn tasks_of_the_next_phase_do_not_count() {
    model(3, || {
        let team = Team::<2>::new();
        team.create(0, 1);
        team.help(0);
        assert!(team.settle(0));
        let ahead = team.clone();
        assert!(team.sums.end(1));
        let ahead = thread::spawn(move || ahead.create(0, 1));
        assert!(team.sums.has_ended(1));
        ahead.join().unwrap();
        assert!(!team.sums.has_ended(2));
        assert!(!team.settle(1));
    });
}

/// A push wakes only if it found the queue empty, as `task/create.rs` does.
#[test]
fn a_sleeper_is_woken_by_the_push_that_matters() {
    model(3, || {
        let members = Arc::new([Deque::default(), Deque::default()]);
        let event = Arc::new(Event::new());
        let (others, their_event) = (members.clone(), event.clone());
        let creator = thread::spawn(move || {
            for number in 1..=2 {
                if others[0].push(task(number), false) <= 0 {
                    their_event.notify_all();
                }
            }
        });
        let steal = || matches!(members[0].steal(|_| true), Stolen::Taken(_));
        for _ in 0..2 {
            while !steal() {
                let ticket = event.prepare();
                if steal() {
                    event.cancel(ticket);
                    break;
                }
                event.sleep(ticket);
            }
        }
        creator.join().unwrap();
    });
}

/// What a task has written. One thread writes, and another reads after the counts have said that no task is left.
struct Effect(UnsafeCell<u32>);

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Effect {}
// SAFETY: as above.
unsafe impl Send for Effect {}

/// One thread has created a task, and another executes it.
fn effects_are_there<const MEMBERS: usize>() {
    model(3, || {
        let team = Team::<MEMBERS>::new();
        let effect = Arc::new(Effect(UnsafeCell::new(0)));
        team.sums.begin(&team.members[0].account, 0, MEMBERS as u32);
        team.members[0].account.create();
        let (other, their_effect) = (team.clone(), effect.clone());
        let thief = thread::spawn(move || {
            let (me, account) = (MEMBERS as u32 - 1, &other.members[MEMBERS - 1].account);
            other.sums.begin(account, me, MEMBERS as u32);
            // SAFETY: loom checks that nobody reads the cell now.
            their_effect.0.with_mut(|effect| unsafe { *effect = 7 });
            account.complete();
            if other.settle(MEMBERS - 1) {
                other.sums.end(1);
            }
        });
        if team.settle(0) || team.sums.has_ended(1) {
            // SAFETY: loom checks that nobody writes the cell now.
            effect.0.with(|effect| assert_eq!(unsafe { *effect }, 7));
        }
        thief.join().unwrap();
    });
}

#[test]
fn the_effects_are_there_when_no_task_is_left() {
    effects_are_there::<2>();
}

#[test]
fn the_effects_are_there_when_no_task_is_left_in_several_groups() {
    effects_are_there::<3>();
}

/// Two members of a group settle one after the other. What the first one wrote is there when the second one's group is
/// not busy any more.
#[test]
fn the_effects_of_a_whole_group_are_there() {
    model(3, || {
        let team = Team::<3>::new();
        let effect = Arc::new(Effect(UnsafeCell::new(0)));
        let busy = |me: usize| team.sums.begin(&team.members[me].account, me as u32, 3);
        busy(0);
        busy(1);
        let threads = [0, 1].map(|me: usize| {
            let (team, effect) = (team.clone(), effect.clone());
            thread::spawn(move || {
                if me == 0 {
                    // SAFETY: loom checks that nobody reads the cell now.
                    effect.0.with_mut(|effect| unsafe { *effect = 7 });
                }
                team.settle(me);
            })
        });
        if team.settle(2) {
            // SAFETY: loom checks that nobody writes the cell now.
            effect.0.with(|effect| assert_eq!(unsafe { *effect }, 7));
        }
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn ends_that_are_seen_too_early_are_caught() {
    assert_caught("quiescence: no second look", "sums_of_different_moments_do_not_count");
    assert_caught("quiescence: settled relaxed", "the_effects_are_there_when_no_task_is_left");
    assert_caught("quiescence: settled relaxed", "the_effects_of_a_whole_group_are_there");
    assert_caught("quiescence: settled without an order", "the_last_to_settle_finds_the_end");
    assert_caught("quiescence: ended relaxed", "the_effects_are_there_when_no_task_is_left");
}

//! Models of task termination (`task/README.md`): a barrier never ends before the last task, whoever
//! creates and executes tasks. Built only under `--cfg loom`:
//! `RUSTFLAGS="--cfg loom" cargo test -p ferromp-runtime --release --test loom_quiescence`
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::Event;
use ferromp_ground::protocol::deque::{Deque, Stolen};
use ferromp_ground::protocol::quiescence::{Counts, quiescent};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

/// A member as far as termination goes. Task number `n` creates the tasks below it down to 1.
#[derive(Default)]
struct Member {
    counts: Counts,
    deque: Deque<u8>,
}

fn task(number: usize) -> *const u8 {
    std::ptr::without_provenance(number)
}

fn create(member: &Member, number: usize, parity: usize) {
    member.counts.create(parity);
    member.deque.push(task(number), false);
}

fn execute(member: &Member, number: usize, parity: usize, effects: &AtomicUsize) {
    if number > 1 {
        create(member, number - 1, parity);
    }
    // The task's effect: relaxed, so that only the counts order it.
    effects.fetch_add(1, Ordering::Relaxed);
    member.counts.complete(parity);
}

/// Executes one task, the member's own or another's.
fn help(members: &[Member; 2], me: usize, parity: usize, effects: &AtomicUsize) -> bool {
    let found = members[me].deque.pop(false).or_else(|| match members[1 - me].deque.steal(|_| true) {
        Stolen::Taken(task) => Some(task),
        _ => None,
    });
    found.inspect(|task| execute(&members[me], task.addr(), parity, effects)).is_some()
}

fn model(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(body);
}

#[test]
fn the_end_is_seen_only_when_it_is_there() {
    model(3, || {
        let members = Arc::new([Member::default(), Member::default()]);
        let effects = Arc::new(AtomicUsize::new(0));
        // Both members have arrived; member 0 has left two tasks behind, of which one creates one more.
        create(&members[0], 2, 1);
        create(&members[0], 1, 1);
        let (others, their_effects) = (members.clone(), effects.clone());
        let helper = thread::spawn(move || {
            help(&others, 1, 1, &their_effects);
            if quiescent(others.iter().map(|member| &member.counts), 1) {
                assert_eq!(their_effects.load(Ordering::Relaxed), 3);
            }
        });
        help(&members, 0, 1, &effects);
        if quiescent(members.iter().map(|member| &member.counts), 1) {
            assert_eq!(effects.load(Ordering::Relaxed), 3);
        }
        helper.join().unwrap();
        while help(&members, 0, 1, &effects) {}
        assert!(quiescent(members.iter().map(|member| &member.counts), 1));
        assert_eq!(effects.load(Ordering::Relaxed), 3);
    });
}

#[test]
fn tasks_of_the_next_phase_do_not_count() {
    model(3, || {
        let members = Arc::new([Member::default(), Member::default()]);
        let effects = Arc::new(AtomicUsize::new(0));
        create(&members[0], 1, 1);
        execute(&members[0], 1, 1, &effects);
        let others = members.clone();
        // Member 1 has passed the barrier and creates for the next one.
        let ahead = thread::spawn(move || create(&others[1], 1, 0));
        assert!(quiescent(members.iter().map(|member| &member.counts), 1));
        ahead.join().unwrap();
        assert!(!quiescent(members.iter().map(|member| &member.counts), 0));
    });
}

/// A push wakes only if it found the queue empty, as `task/create.rs` does.
#[test]
fn a_sleeper_is_woken_by_the_push_that_matters() {
    model(3, || {
        let members = Arc::new([Member::default(), Member::default()]);
        let event = Arc::new(Event::new());
        let (others, their_event) = (members.clone(), event.clone());
        let creator = thread::spawn(move || {
            for number in 1..=2 {
                others[0].counts.create(1);
                if others[0].deque.push(task(number), false) {
                    their_event.notify_all();
                }
            }
        });
        let steal = || matches!(members[0].deque.steal(|_| true), Stolen::Taken(_));
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

#[test]
fn the_effects_are_there_when_no_task_is_left() {
    model(3, || {
        let members = Arc::new([Member::default(), Member::default()]);
        let effect = Arc::new(Effect(UnsafeCell::new(0)));
        members[0].counts.create(0);
        let (others, their_effect) = (members.clone(), effect.clone());
        let thief = thread::spawn(move || {
            // SAFETY: loom checks that nobody reads the cell now.
            their_effect.0.with_mut(|effect| unsafe { *effect = 7 });
            others[1].counts.complete(0);
        });
        // loom forgets that one thread has read a word once another one reads the word too. The thief reads its count
        // before it writes it, so loom would not try to let the thief go first.
        thread::yield_now();
        if quiescent(members.iter().map(|member| &member.counts), 0) {
            // SAFETY: loom checks that nobody writes the cell now.
            effect.0.with(|effect| assert_eq!(unsafe { *effect }, 7));
        }
        thief.join().unwrap();
    });
}

#[test]
fn ends_that_are_seen_too_early_are_caught() {
    assert_caught("quiescence: creations first", "the_end_is_seen_only_when_it_is_there");
    assert_caught("quiescence: completed relaxed", "the_effects_are_there_when_no_task_is_left");
}

//! Model test of what members of a region know about functions (`work/README.md`): they all know the same, though other
//! threads find properties meanwhile, and nobody finds room where another member finds none.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::learnt::Learnt;
use loom::sync::Arc;
use loom::thread;

const FUNCTION: usize = 0x40;

/// What a member of a region that began at `since` goes by.
fn goes_by(learnt: &Learnt<2>, since: u32) -> Option<bool> {
    learnt.entry(FUNCTION).map(|entry| entry.holds(0, since))
}

/// A region with two members begins while two other threads find properties of two functions.
fn members_agree() {
    loom::model(|| {
        let learnt = Arc::new(Learnt::<2>::new());
        let find = |function| {
            let learnt = learnt.clone();
            move || learnt.entry(function).into_iter().for_each(|entry| learnt.found(entry, 0))
        };
        let finder = thread::spawn(find(FUNCTION));
        let region = {
            let learnt = learnt.clone();
            thread::spawn(move || {
                let since = learnt.now();
                (since, goes_by(&learnt, since))
            })
        };
        find(0x50)();
        finder.join().unwrap();
        let (since, first) = region.join().unwrap();
        // The other member, later.
        assert_eq!(goes_by(&learnt, since), first);
    });
}

#[test]
fn all_members_know_the_same() {
    members_agree();
}

/// Two members look for a function's entry while other functions take the last room.
#[test]
fn there_is_room_for_all_members_or_for_none() {
    loom::model(|| {
        let learnt = Arc::new(Learnt::<2>::new());
        learnt.entry(0x50).unwrap();
        let look = |function| {
            let learnt = learnt.clone();
            thread::spawn(move || learnt.entry(function).is_some())
        };
        let (one, other) = (look(FUNCTION), look(0x60));
        let here = learnt.entry(FUNCTION).is_some();
        assert_eq!(one.join().unwrap(), here);
        assert_ne!(other.join().unwrap(), here);
    });
}

#[test]
fn a_number_before_its_property_is_caught() {
    assert_caught("learnt: counted before it is written", "all_members_know_the_same");
}

#[test]
fn relaxed_numbers_are_caught() {
    assert_caught("learnt: counted relaxed", "all_members_know_the_same");
    assert_caught("learnt: read relaxed", "all_members_know_the_same");
}

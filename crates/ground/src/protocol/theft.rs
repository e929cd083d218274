//! How a thread without tasks finds a queue to steal from.
//!
//! A small team's thief looks at the queues of all others, one after the other. In a large team that would take
//! longer than many a task, and each look takes a cache line from a thread that works. So members in groups of
//! [`GROUP`] have a word with a bit each, which says that the member's queue has items for thieves. `task/README.md`
//! has the protocol; `tests/loom_theft.rs` checks this very code.
//!
//! - A member *shows* its bit when a push brings its queue to a number of items, and the bit is not set.
//! - A thief *claims* a bit before it goes to the queue: it takes the bit away, so that thieves come one at a time. It
//!   then looks at the queue again, and shows the bit if enough items are left. Either that look sees a new item, or
//!   the push of that item comes later and finds the bit away.
//! - A thief looks at its own group first. One member of a group at a time looks at other groups, near ones first,
//!   and comes back with several tasks, which the others of the group then find near.
//! - A queue with one item shows nothing, because its owner mostly takes the item itself. A thief that looks at other
//!   groups now and then looks at one queue, another one each time, whether its bit is set or not.
//!
//! A thief that has found nothing opens its [`Lifeline`], into which another member may put an item.
//!
//! Whoever is about to sleep looks at all queues ([`Search::Everywhere`]). So the bits need not be exact for sleepers.

use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::{self, Padded, mutation};
use crate::protocol::deque::{Deque, NEVER, Stolen};
use crate::protocol::lifeline::Lifeline;
use crate::protocol::quiescence::GROUP;
use std::cell::Cell;

/// The longest pause after a vain search or a lost race, about a microsecond.
const MOST_PAUSES: u32 = 24;
/// Searches in other groups of which one looks at a queue that shows nothing.
const A_PROBE: u32 = 8;
/// From so many items on thieves are told of a queue whose owner takes items out of it.
pub const FEWEST: isize = 2;
/// The same of a queue whose items thieves take as fast as the owner puts them in. Few thefts of many items disturb the
/// owner less than many of few.
const MOST_WAITING: isize = 32;
/// After so many searches in which another member of the group looked at the other groups, a member looks there too.
/// The other one may not be running.
const MOST_TURNS: u32 = 256;

/// What the members of a group share.
#[derive(Default)]
struct Group {
    /// A bit for each member whose queue may have items for thieves.
    shown: Padded<AtomicU32>,
    /// The number of the member that looks at other groups, counted from 1, or 0. Only a hint: the member may have
    /// found other work since.
    away: Padded<AtomicU32>,
}

/// The groups of a team. A small team has none.
#[derive(Default)]
pub struct Groups {
    /// Replaced by the primary thread between regions.
    groups: Cell<&'static [Group]>,
}

/// Where a member looked last. Owner only.
#[derive(Default)]
pub struct Thief {
    /// The member to steal from first: where the last theft succeeded, in a small team. The next queue to look at, in a
    /// large one.
    victim: Cell<u32>,
    /// The number of searches in a row that found no item.
    misses: Cell<u32>,
    /// The number of searches in a row in which another member of the group looked at the other groups.
    turns: Cell<u32>,
    /// The number of vain searches in other groups since the last theft there.
    searches: Cell<u32>,
    /// Whether the member has opened its lifeline.
    waits: Cell<bool>,
}

impl Thief {
    /// Whether the last search found nothing.
    #[inline(always)]
    pub fn has_missed(&self) -> bool {
        self.misses.get() > 0
    }

    /// The member has found an item elsewhere.
    #[inline(always)]
    pub fn restart(&self) {
        self.misses.set(0);
    }

    /// Whether the member has opened its lifeline, and has not closed it since.
    #[inline(always)]
    pub fn waits(&self) -> bool {
        self.waits.get()
    }

    /// Closes the member's lifeline, if it is open. Returns the item that another member has put into it.
    pub fn close<T>(&self, lifeline: &Lifeline<T>) -> Option<*const T> {
        if self.waits.replace(false) { lifeline.close() } else { None }
    }
}

/// How far a thief looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Where it is likely that there are items.
    Likely,
    /// At all queues: the thief is about to sleep.
    Everywhere,
}

/// A member that looks for an item to steal, and its team.
pub struct Attempt<'a, T, D, A> {
    pub thief: &'a Thief,
    pub groups: &'a Groups,
    pub tid: u32,
    pub nthreads: u32,
    /// The queue of a member.
    pub deque: D,
    /// Whether the thief may take an item.
    pub allowed: A,
    /// The thief's own queue, if the thief may take several items.
    pub mine: Option<&'a Deque<T>>,
    /// The thief's lifeline.
    pub lifeline: &'a Lifeline<T>,
    /// Whether the thief may open its lifeline.
    pub may_wait: bool,
}

/// An item, and whether the thief's own queue was empty and has items now. In that case the thief must wake a thread,
/// as after a push.
pub type Found<T> = Option<(*const T, bool)>;

impl Groups {
    /// Makes words for a team of up to `members`, as `Sums::reserve` does.
    pub fn reserve(&self, members: u32) {
        if members > GROUP {
            self.groups.set(Vec::leak((0..members.div_ceil(GROUP)).map(|_| Group::default()).collect()));
        }
    }

    /// The words of all groups, which the simulator names.
    #[cfg(simulated)]
    pub fn words(&self) -> impl Iterator<Item = (&AtomicU32, &AtomicU32)> {
        self.groups.get().iter().map(|group| (&*group.shown, &*group.away))
    }

    fn group(&self, tid: u32) -> (&Group, u32) {
        (&self.groups.get()[(tid / GROUP) as usize], 1 << (tid % GROUP))
    }

    /// Member `tid`, the caller, begins to push into its `deque`, or takes items out of it again.
    #[cold]
    pub fn restart<T>(&self, tid: u32, nthreads: u32, deque: &Deque<T>) {
        if nthreads <= GROUP {
            deque.told_from.store(NEVER, Ordering::Relaxed);
            return;
        }
        if deque.told_from.load(Ordering::Relaxed) != FEWEST {
            // Thieves look at the line, so a store that changes nothing would cost a transfer.
            deque.told_from.store(FEWEST, Ordering::SeqCst);
        }
        if deque.length() >= FEWEST {
            self.show(tid);
        }
    }

    /// Member `tid`, the caller, has pushed so many items that thieves are to be told.
    #[cold]
    pub fn tell<T>(&self, tid: u32, deque: &Deque<T>) {
        if self.show(tid) {
            // Thieves have been here since the last time.
            let from = deque.told_from.load(Ordering::Relaxed);
            deque.told_from.store((2 * from).min(MOST_WAITING), Ordering::Relaxed);
        }
    }

    /// Shows the bit of member `tid`. Returns whether it was hidden.
    fn show(&self, tid: u32) -> bool {
        let (group, bit) = self.group(tid);
        // Sequentially consistent, as the push was: see `claim`.
        group.shown.load(Ordering::SeqCst) & bit == 0 && group.shown.fetch_or(bit, Ordering::SeqCst) & bit == 0
    }

    /// Hides the bit of member `tid`. Returns whether the bit was shown. Then the caller steals from the member, and
    /// shows the bit again if the queue still has two items.
    fn claim(&self, tid: u32) -> bool {
        let (group, bit) = self.group(tid);
        group.shown.fetch_and(!bit, Ordering::SeqCst) & bit != 0
    }
}

impl<'a, T: 'a, D: Fn(u32) -> &'a Deque<T>, A: Fn(*const T) -> bool> Attempt<'a, T, D, A> {
    /// Looks for an item in the thief's lifeline, and then for one to steal. After a vain search the call pauses, the
    /// longer the more searches were in vain: each look takes a cache line away from the thread that is working.
    ///
    /// The thief's lifeline may be open afterwards. The caller closes it before the thief does anything but look again.
    pub fn find(&self, search: Search) -> Found<T> {
        if let given @ Some(_) = self.given() {
            return given;
        }
        let found = if self.nthreads > GROUP && search == Search::Likely { self.likely() } else { self.anywhere() };
        if let Some((_, several)) = found {
            self.thief.misses.set(0);
            if several && let Some(mine) = self.mine {
                // What the thief has brought is for its neighbours, too.
                self.groups.restart(self.tid, self.nthreads, mine);
            }
            return found;
        }
        let misses = self.thief.misses.get();
        self.thief.misses.set((misses + 1).min(MOST_PAUSES));
        if search == Search::Everywhere || !self.may_wait {
            // The thief is about to sleep, or may have lost its CPU to another thread.
            pause(misses);
            return self.close();
        }
        if !self.thief.waits.replace(true) {
            self.lifeline.open();
        }
        for _ in 0..misses {
            if let given @ Some(_) = self.given() {
                return given;
            }
            model::short_pause();
        }
        None
    }

    /// The item that another member has put into the thief's lifeline.
    #[inline]
    fn given(&self) -> Found<T> {
        if self.thief.waits.get() && self.lifeline.has_item() { self.close() } else { None }
    }

    /// Closes the thief's lifeline. Returns the item that it had.
    #[inline]
    fn close(&self) -> Found<T> {
        let item = self.thief.close(self.lifeline)?;
        self.thief.misses.set(0);
        Some((item, false))
    }

    /// Looks at all queues.
    fn anywhere(&self) -> Found<T> {
        let nthreads = self.nthreads;
        // The team may have shrunk since.
        let first = self.thief.victim.get() % nthreads;
        for step in 0..nthreads {
            let tid = if first + step < nthreads { first + step } else { first + step - nthreads };
            if tid != self.tid
                && let found @ Some(_) = self.steal(tid)
            {
                self.thief.victim.set(tid);
                return found;
            }
        }
        // The next search begins with another member.
        self.thief.victim.set((first + 1) % nthreads);
        None
    }

    /// Looks at the queues that show items, near ones first, and at one other.
    fn likely(&self) -> Found<T> {
        let groups = &self.groups.groups.get()[..self.nthreads.div_ceil(GROUP) as usize];
        let mine = self.tid / GROUP;
        let own = &groups[mine as usize];
        if let found @ Some(_) = self.in_group(mine, own) {
            if own.away.load(Ordering::Relaxed) == self.tid + 1 {
                own.away.store(0, Ordering::Relaxed);
            }
            return found;
        }
        if !self.may_go(&own.away) {
            return None;
        }
        let found = self.far(groups, mine);
        if found.is_some() {
            own.away.store(0, Ordering::Relaxed);
        }
        found
    }

    /// Whether the thief is the one of its group that looks at other groups, or becomes that one.
    fn may_go(&self, away: &AtomicU32) -> bool {
        let me = self.tid + 1;
        let now = away.load(Ordering::Relaxed);
        if now == me {
            return true;
        }
        let turns = self.thief.turns.get();
        self.thief.turns.set(turns + 1);
        if now != 0 && turns < MOST_TURNS {
            return false;
        }
        self.thief.turns.set(0);
        away.compare_exchange(now, me, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Looks at two other groups, farther ones each time, and now and then at one queue that shows nothing.
    fn far(&self, groups: &[Group], mine: u32) -> Found<T> {
        let count = groups.len() as u32;
        let search = self.thief.searches.get();
        self.thief.searches.set(search.wrapping_add(1));
        // Members with neighbouring numbers are often near each other.
        let distance = 1 + search % (count / 2).max(1);
        for group in [(mine + distance) % count, (mine + count - distance) % count] {
            if let found @ Some(_) = self.in_group(group, &groups[group as usize]) {
                self.thief.searches.set(0);
                return found;
            }
        }
        if search % A_PROBE != A_PROBE - 1 {
            return None;
        }
        // Counted from the thief, so that thieves do not come to one queue together.
        let step = self.thief.victim.get();
        self.thief.victim.set((step + 1) % self.nthreads);
        let victim = (self.tid + step) % self.nthreads;
        if victim == self.tid || (self.deque)(victim).is_empty() { None } else { self.steal(victim) }
    }

    /// Looks at the queues of one group that show items.
    fn in_group(&self, group: u32, words: &Group) -> Found<T> {
        let mut shown = words.shown.load(Ordering::Relaxed);
        // Members of a group begin at different places.
        let turn = self.tid % GROUP;
        shown = (shown >> turn | shown << (GROUP - turn)) & ((1 << GROUP) - 1);
        while shown != 0 {
            let tid = group * GROUP + (shown.trailing_zeros() + turn) % GROUP;
            shown &= shown - 1;
            if tid == self.tid || tid >= self.nthreads {
                continue;
            }
            let deque = (self.deque)(tid);
            if !self.groups.claim(tid) {
                continue;
            }
            let found = self.steal(tid);
            if !mutation::is("theft: claimed for good") && deque.length() >= deque.told_from.load(Ordering::Relaxed) {
                self.groups.show(tid);
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Steals from member `tid`. The thread looks until there is nothing for it. Only then may it sleep, because a task
    /// that joins others wakes no thread. Each loss is an item that another thread took, so the team gets on, and soon
    /// a look wins or finds nothing.
    fn steal(&self, tid: u32) -> Found<T> {
        let deque = (self.deque)(tid);
        let mut losses = 0;
        loop {
            let (stolen, first) = match self.mine {
                Some(mine) => deque.steal_several(mine, &self.allowed),
                None => (deque.steal(&self.allowed), false),
            };
            match stolen {
                Stolen::Taken(item) => return Some((item, first)),
                Stolen::Lost => {
                    losses = (losses + 1).min(MOST_PAUSES);
                    pause(losses);
                }
                _ => return None,
            }
        }
    }
}

fn pause(times: u32) {
    (0..times).for_each(|_| model::short_pause());
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;
    use crate::protocol::lifeline::offer;

    const MEMBERS: u32 = 12;

    /// A team without items, in which member 3 searches.
    struct Team {
        groups: Groups,
        deques: Vec<Deque<u64>>,
        lifelines: Vec<Lifeline<u64>>,
        thief: Thief,
    }

    impl Team {
        fn new() -> Team {
            let groups = Groups::default();
            groups.reserve(MEMBERS);
            Team {
                groups,
                deques: (0..MEMBERS).map(|_| Deque::default()).collect(),
                lifelines: (0..MEMBERS).map(|_| Lifeline::default()).collect(),
                thief: Thief::default(),
            }
        }

        fn search(&self, search: Search) -> Option<u64> {
            let attempt = Attempt {
                thief: &self.thief,
                groups: &self.groups,
                tid: 3,
                nthreads: MEMBERS,
                deque: |tid| &self.deques[tid as usize],
                allowed: |_| true,
                mine: Some(&self.deques[3]),
                lifeline: &self.lifelines[3],
                may_wait: true,
            };
            // SAFETY: the tests give pointers to numbers that outlive the team.
            attempt.find(search).map(|(item, _)| unsafe { *item })
        }

        fn offer(&self, from: u32, item: &u64) -> bool {
            offer(from, MEMBERS, item, |tid| &self.lifelines[tid as usize])
        }
    }

    #[test]
    fn a_vain_search_opens_the_lifeline_to_partners() {
        let team = Team::new();
        assert!(!team.offer(2, &20));
        assert_eq!(team.search(Search::Likely), None);
        assert!(team.thief.waits());
        assert!(!team.offer(4, &40), "the numbers differ in three bits");
        assert!(team.offer(11, &110));
        assert!(!team.offer(2, &20), "there is an item already");
        assert_eq!(team.search(Search::Likely), Some(110));
        assert!(!team.thief.waits());
        assert!(!team.offer(2, &20));
    }

    #[test]
    fn a_member_that_is_about_to_sleep_takes_the_last_item() {
        let team = Team::new();
        assert_eq!(team.search(Search::Likely), None);
        assert!(team.offer(1, &10));
        assert_eq!(team.search(Search::Everywhere), Some(10));
        assert_eq!(team.search(Search::Likely), None);
        assert_eq!(team.search(Search::Everywhere), None);
        assert!(!team.thief.waits() && !team.offer(1, &10));
    }

    #[test]
    fn an_item_that_comes_late_is_found_when_the_lifeline_is_closed() {
        let team = Team::new();
        assert_eq!(team.search(Search::Likely), None);
        assert!(team.offer(1, &10));
        let late = team.thief.close(&team.lifelines[3]).expect("member 1 has given an item");
        // SAFETY: it points to the number above.
        assert_eq!(unsafe { *late }, 10);
        assert_eq!(team.thief.close(&team.lifelines[3]), None);
    }
}

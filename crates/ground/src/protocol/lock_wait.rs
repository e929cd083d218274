//! How threads wait for a contended lock, simple or nestable: one polls the lock's word, others sit, and some sleep.
//!
//! The protocol stands in `sync/README.md`; `tests/loom_lock.rs` checks this very code.

use crate::model;
use crate::model::atomic::Ordering;
use crate::model::mutation;
use crate::protocol::lock_seats::{Call, Seat, Seats};

/// The word of a free lock.
pub(super) const FREE: u64 = 0;
/// Threads may sleep on the word, which is taken.
pub(super) const SLEEPERS: u64 = 1;
/// A thread polls the word, which is taken. Others that come sit down.
pub(super) const POLLED: u64 = 4;
/// Threads may sit and wait for the lock, which is taken: who releases the lock calls one of them.
pub(super) const SITTING: u64 = 8;
/// A thread that sits alone looks at the lock's word after so many looks at its seat: at once, a lock of a few threads
/// would go from core to core more often.
const LOOKS_ALONE: u32 = if cfg!(loom) { 0 } else { 64 };
/// Any other thread that sits does so after as many looks for each thread of the group that sits, 40 to 160
/// microseconds: the thread that should call it may not run. Together the threads of a group so look as often as one
/// would, because each look takes the word's line from the threads that take turns. The model has no such look, and the
/// thread blocks: a call that gets lost is found as a deadlock.
const LOOKS: u32 = if cfg!(loom) { u32::MAX } else { 4096 };

/// A lock's word. All accesses are relaxed, where they do not say else.
pub(super) trait Word {
    /// The bits in which the owner counts.
    const COUNT: u64;

    /// The lock's address.
    fn id(&self) -> u64;

    /// The word.
    fn look(&self) -> u64;

    /// Replaces the word `now` by `next`, with this order. Returns the word if it is another one.
    fn exchange(&self, now: u64, next: u64, order: Ordering) -> Result<(), u64>;

    /// Adds [`SITTING`].
    fn set_sitting(&self);

    /// Sleeps while the word is `now`.
    fn sleep(&self, now: u64);

    /// Wakes a thread that sleeps.
    fn wake(&self);
}

/// Takes the lock for the thread with this [`mark`], which waits awake; `now` is what [`try_acquire`] has found.
/// Returns false once `pause` has: then the lock is not taken. `pause` lets a moment pass between two looks, and
/// hears whether the thread polls the word.
///
/// One thread at a time polls the word. Others sit in `seats`, each in a `seat` of its own; a thread that has none,
/// or whose seat is taken, polls as well.
pub(super) fn acquire_awake<W: Word>(
    word: &W,
    mut now: u64,
    taken: u64,
    seats: &Seats,
    seat: Option<Seat>,
    mut pause: impl FnMut(bool) -> bool,
) -> bool {
    // What may change while one thread has the lock.
    let passing = SLEEPERS | SITTING | W::COUNT;
    let lock = word.id();
    let mut me = Waiting { taken, seats, seat, others_sit: false };
    // The word as it is while this thread is the one that polls, without what passes.
    let mut polled = FREE;
    // Whether others that sit may rely on this thread. Then it does not sit down again, except where another thread
    // polls.
    let mut is_relied_upon = false;
    let mut goes_first = false;
    let mut has_lost = false;
    loop {
        let is_polled = now & POLLED != 0;
        let may_poll = is_relied_upon || !has_lost && (now & SITTING != 0 || !me.others_sit_near(lock));
        let may_go_on = goes_first || now & !passing == polled;
        // What an exchange has found is not looked up again: the line may have gone on to the next core.
        if now == FREE {
            // The exchange below takes it.
        } else if !is_polled && may_poll {
            match word.exchange(now, now | POLLED, Ordering::Relaxed) {
                Ok(_) => {
                    polled = (now | POLLED) & !passing;
                    is_relied_upon = true;
                    me.others_sit |= seats.has_sitting(lock, seat);
                }
                Err(found) => {
                    has_lost = true;
                    now = found;
                    continue;
                }
            }
        } else if is_polled && may_go_on {
            if !pause(true) {
                return false;
            }
        } else if let Some((seat, others)) = seat.and_then(|seat| Some((seat, seats.sit(seat, lock)?))) {
            let Some(call) = stay_seated(word, seats, seat, others, &mut pause) else {
                return false;
            };
            (is_relied_upon, goes_first, me.others_sit) = (true, call.goes_first(), call.others_sit());
        } else if !pause(true) {
            return false;
        }
        // By an exchange at once: a load would bring the line without the right to write.
        match take(word, me) {
            Ok(()) => return true,
            Err(found) => now = found,
        }
    }
}

/// Sits until the thread is called, or until nobody might call it. Returns none once `pause` has returned false.
fn stay_seated(
    word: &impl Word,
    seats: &Seats,
    seat: Seat,
    others: u32,
    mut pause: impl FnMut(bool) -> bool,
) -> Option<Call> {
    let lock = word.id();
    let rare = LOOKS.saturating_mul(others + 1);
    let mut looks = if others > 0 { rare } else { LOOKS_ALONE };
    loop {
        for _ in 0..looks {
            if let Some(call) = seats.call_of(seat, lock) {
                return Some(call);
            }
            if !pause(false) {
                seats.get_up(seat, lock);
                return None;
            }
            #[cfg(loom)]
            seats.block_until_called(seat, lock);
        }
        if word.look() & (POLLED | SITTING) == 0 && !mutation::is("lock seats: no second look at the word") {
            seats.get_up(seat, lock);
            return Some(Call::NONE);
        }
        looks = rare;
    }
}

/// Takes a free lock for a thread that has waited. If threads sit, the release is to call one of them.
fn take(word: &impl Word, me: Waiting) -> Result<(), u64> {
    let taken = me.taken | if me.others_sit { SITTING } else { 0 };
    // Acquire as in `try_acquire`, and sequentially consistent for `has_sitting`.
    let order = mutation::or_relaxed("lock: taken relaxed after a wait", Ordering::SeqCst);
    word.exchange(FREE, taken, order)?;
    if order == Ordering::SeqCst {
        model::order_of_seq_cst();
    }
    if !me.others_sit
        && me.seats.has_sitting(word.id(), me.seat)
        && !mutation::is("lock seats: nobody looks at the seats")
    {
        word.set_sitting();
    }
    Ok(())
}

/// Takes the lock for a thread that sleeps until the lock is free, and makes its word `taken`.
pub(super) fn acquire_asleep(word: &impl Word, taken: u64, seats: &Seats) {
    // The thread marks the word with `SLEEPERS` even where the thread takes the lock without having slept: others may
    // sleep, and the thread cannot know. Without the mark the next release would wake none of them. At worst one
    // release makes a system call for nothing.
    let forgets = mutation::is("lock: a woken thread forgets the other sleepers");
    let taken = if forgets { taken } else { taken | SLEEPERS };
    loop {
        let now = word.look();
        if now == FREE {
            if take(word, Waiting { taken, seats, seat: None, others_sit: false }).is_ok() {
                return;
            }
            continue;
        }
        let next = now | SLEEPERS;
        if now == next || word.exchange(now, next, Ordering::Relaxed).is_ok() {
            word.sleep(next);
        }
    }
}

/// Wakes a sleeper if there may be one, and calls a thread of those that sit. The caller has freed the lock, whose word
/// was `before`.
#[cold]
pub(super) fn let_another_come(word: &impl Word, before: u64, seats: &Seats) {
    if before & SITTING != 0 {
        seats.call(word.id(), before & POLLED != 0);
    }
    if before & SLEEPERS != 0 {
        word.wake();
    }
}

/// A thread that waits for a lock.
#[derive(Clone, Copy)]
struct Waiting<'a> {
    /// What the thread makes of a free word.
    taken: u64,
    seats: &'a Seats,
    seat: Option<Seat>,
    /// Others are known to sit.
    others_sit: bool,
}

impl Waiting<'_> {
    /// Whether threads of this one's group sit.
    fn others_sit_near(&self, lock: u64) -> bool {
        self.seat.is_some_and(|seat| self.seats.has_sitting_near(seat, lock))
    }
}

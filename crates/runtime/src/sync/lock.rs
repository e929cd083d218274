//! Simple locks: one 32-bit word in place, which serves gcc's 4-byte `omp_lock_t` and clang's 8-byte one (OpenMP 5.1
//! §3.9). Critical and atomic regions use the same word.
//!
//! `protocol/lock_word.rs` has the word and its protocol. This file has what is around the word: which thread takes a
//! lock, how long a thread spins before it sleeps, and what tools hear. Any thread may take a free lock, whether others
//! have waited for longer or not: a lock that is handed on in order stands still while the next thread has no CPU.

use crate::arch;
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::presence::WaitFor;
use crate::objects::switch;
use crate::ompt::{self, Entered, InState};
use crate::protocol::lock_seats::Seats;
use crate::protocol::lock_word::{LockWord, REPORTED};
use crate::thread::wait;
use ::ompt::{Mutex, State};

/// How often a thread looks at a taken word, with a pause before each look, if every thread has a CPU: for some ten
/// microseconds.
const SPINS: u32 = 300;
/// The pauses before each of these looks at the word. A look takes the word from the thread that has the lock: with one
/// pause, two threads that do nothing but take and free a lock need 1.2 times as long.
const PAUSES: u32 = 3;
/// For how long the thread then looks before it sleeps, if it may spin so long: 16 threads that each held a lock for 40
/// microseconds took twice the time by sleeping after 100.
const SLOW_NS: u64 = 1_000_000;
/// The pauses before each of these looks. Looking less often leaves the word's cache line to the threads that take
/// turns on it.
const SLOW_PAUSES: u32 = 10;
/// After so many of these looks, some 10 microseconds, the thread reads the clock. It does not yield: where other
/// processes want the CPU, that costs a time slice.
const SLOW_LOOKS: u32 = 32;
/// Where threads sit that wait for locks.
pub(super) static SEATS: Seats = Seats::new();

/// How often a thread lets others run before it sleeps, if there are more threads than CPUs.
const YIELDS: u32 = 8;

/// Makes a lock, free.
///
/// # Safety
/// `lock` points to a lock variable, as for all functions here: to a word that nothing else changes.
pub unsafe fn init(lock: *mut u32, hint: u32, call: impl Caller) {
    // SAFETY: `lock` points to a lock variable.
    let word = unsafe { LockWord::at(lock) };
    report_init(Mutex::LOCK, hint, word.id(), call, || word.clear());
}

/// Makes a lock by `clear`, and reports it as mutual exclusion of a kind.
pub(super) fn report_init(kind: Mutex, hint: u32, id: u64, call: impl Caller, clear: impl FnOnce()) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    clear();
    ompt::lock_init(thread, kind, hint, id, call);
}

/// Ends a lock's use.
///
/// # Safety
/// As for [`init`].
pub unsafe fn destroy(lock: *mut u32, call: impl Caller) {
    // SAFETY: `lock` points to a lock variable.
    let word = unsafe { LockWord::at(lock) };
    report_destroy(Mutex::LOCK, word.id(), call, || word.clear());
}

/// Reports the end of a lock's use, and ends it by `clear`.
pub(super) fn report_destroy(kind: Mutex, id: u64, call: impl Caller, clear: impl FnOnce()) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    ompt::lock_destroy(thread, kind, id, call);
    clear();
}

/// Waits until the lock is the caller's.
///
/// # Safety
/// [`init`] has made `lock`.
#[inline]
pub unsafe fn set(lock: *mut u32, call: impl Caller) {
    // SAFETY: `lock` points to a lock variable.
    enter(unsafe { LockWord::at(lock) }, Mutex::LOCK, State::WAIT_LOCK, 0, call);
}

/// Releases the lock, which is the caller's.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn unset(lock: *mut u32, call: impl Caller) {
    // SAFETY: `lock` points to a lock variable.
    leave(unsafe { LockWord::at(lock) }, Mutex::LOCK, call);
}

/// As [`set`], for an entry point that has `found` the lock so: see [`enter_slowly`].
///
/// # Safety
/// As for [`set`].
pub unsafe fn set_slowly(lock: *mut u32, found: u32, call: Call) {
    // SAFETY: `lock` points to a lock variable.
    enter_slowly(unsafe { LockWord::at(lock) }, found, Mutex::LOCK, State::WAIT_LOCK, call);
}

/// As [`unset`], for an entry point that has freed the lock, whose word was `before`.
///
/// # Safety
/// As for [`set`].
pub unsafe fn unset_slowly(lock: *mut u32, before: u32, call: Call) {
    // SAFETY: `lock` points to a lock variable.
    leave_slowly(unsafe { LockWord::at(lock) }, before, Mutex::LOCK, call);
}

/// Takes the lock if it is free. Returns whether it was.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn test(lock: *mut u32, call: impl Caller) -> bool {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: `lock` points to a lock variable.
    let word = unsafe { LockWord::at(lock) };
    ompt::mutex_acquire(thread, Mutex::TEST_LOCK, 0, word.id(), call);
    let reported = if call.for_active_tool().is_some() { REPORTED } else { 0 };
    let taken = word.try_acquire(arch::tls_mark() | reported).is_ok();
    if taken {
        ompt::mutex_acquired(thread, Mutex::TEST_LOCK, word.id(), call);
    }
    taken
}

/// Whether no tool hears of mutual exclusion: the runtime is up, and no tool is active. Keeps the short way short.
#[inline(always)]
pub(super) fn is_unreported<C: Caller>(call: C) -> bool {
    !C::MAY_HAVE_TOOL || current::try_current().is_some() && call.for_active_tool().is_none()
}

/// Takes the word, waiting in `state` if need be, and reports it as mutual exclusion of a kind.
#[inline(always)]
pub(super) fn enter(word: &LockWord, kind: Mutex, state: State, hint: u32, call: impl Caller) {
    if is_unreported(call) {
        acquire(word, state);
    } else {
        enter_for_tools(word, kind, state, hint, call);
    }
}

#[inline]
fn enter_for_tools(word: &LockWord, kind: Mutex, state: State, hint: u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    let mark = arch::tls_mark() | REPORTED;
    let contended = || {
        if let Err(found) = word.try_acquire(mark) {
            acquire_contended(word, found, state, mark);
        }
    };
    ompt::mutex(thread, kind, hint, word.id(), call, || word.try_acquire(mark).is_ok(), contended);
}

/// As [`enter`], for an entry point that has not taken the word at once, and has `found` it so. `found` is 0 if the
/// thread was not known to be without a tool.
pub(super) fn enter_slowly(word: &LockWord, found: u32, kind: Mutex, state: State, call: Call) {
    if switch::may_have_tool() {
        return enter(word, kind, state, 0, call);
    }
    current::note_no_tool();
    if found == 0 {
        acquire(word, state);
    } else {
        acquire_contended(word, found, state, arch::tls_mark());
    }
}

/// Frees the word, and reports it.
#[inline(always)]
pub(super) fn leave<C: Caller>(word: &LockWord, kind: Mutex, call: C) {
    if word.release(&SEATS) && C::MAY_HAVE_TOOL {
        report_released(word, kind, call);
    }
}

/// As [`leave`], for an entry point that has freed the word, which was `before`.
pub(super) fn leave_slowly(word: &LockWord, before: u32, kind: Mutex, call: Call) {
    if word.released(before, &SEATS) {
        report_released(word, kind, call);
    }
}

/// Reports that the word is free again. The tool that has heard of the word may have ended.
#[inline]
fn report_released(word: &LockWord, kind: Mutex, call: impl Caller) {
    if !is_unreported(call) {
        let thread = current::current();
        let _in = Entered::new(thread, call);
        ompt::mutex_released(thread, kind, word.id(), call);
    }
}

/// Takes the word, waiting in `state` if need be.
#[inline(always)]
pub(super) fn acquire(word: &LockWord, state: State) {
    let mark = arch::tls_mark();
    if let Err(found) = word.try_acquire(mark) {
        acquire_contended(word, found, state, mark);
    }
}

/// Frees the word.
#[inline(always)]
pub(super) fn release(word: &LockWord) {
    word.release(&SEATS);
}

/// Takes the word, which was found taken, with this mark.
#[cold]
fn acquire_contended(word: &LockWord, found: u32, state: State, mark: u32) {
    let thread = current::current();
    let _state = InState::waiting(thread, state, word.id(), WaitFor::Lock);
    let taken = if wait::oversubscribed() {
        yield_until(|| word.try_acquire_if_free(mark))
    } else {
        let mut pace = Pace::default();
        word.acquire_awake(found, mark, &SEATS, thread.lock_seat.seat(), |polls| pace.pause(polls))
    };
    if !taken {
        word.acquire_asleep(mark, &SEATS);
    }
}

/// Empties the seats in a forked child, where the threads that sat there do not exist.
pub fn after_fork() {
    SEATS.after_fork();
}

/// The looks of a thread that waits awake for a lock.
#[derive(Default)]
pub(super) struct Pace {
    looks: u32,
    /// When the thread goes to sleep, once it has read the clock.
    until: Option<u64>,
}

impl Pace {
    /// Lets a moment pass before the next look: at a lock's word that the thread polls, or at the thread's own seat.
    /// Returns false when the thread should sleep.
    pub(super) fn pause(&mut self, polls: bool) -> bool {
        self.looks += 1;
        let is_slow = self.looks > SPINS;
        let pauses = match (polls, is_slow) {
            (false, _) => 1,
            (true, false) => PAUSES,
            (true, true) => SLOW_PAUSES,
        };
        (0..pauses).for_each(|_| std::hint::spin_loop());
        if !is_slow || !self.looks.is_multiple_of(SLOW_LOOKS) {
            return true;
        }
        let most = wait::spin_ns().min(SLOW_NS);
        if most == 0 {
            return false;
        }
        let now = wait::now_ns();
        now < *self.until.get_or_insert(now + most)
    }
}

/// Waits a little for `ready` where there are more threads than CPUs, without sleeping. Returns whether it came true.
pub(super) fn yield_until(mut ready: impl FnMut() -> bool) -> bool {
    (0..YIELDS).any(|_| {
        // SAFETY: takes no arguments and only gives up the CPU.
        unsafe { libc::sched_yield() };
        ready()
    })
}

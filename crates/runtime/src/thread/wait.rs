//! How threads wait: spin while the CPUs suffice, then yield, then sleep.
//!
//! `OMP_WAIT_POLICY`, `KMP_BLOCKTIME` and `GOMP_SPINCOUNT` set how long a thread spins. Two things
//! are told apart that both mean "not enough CPUs". More threads of ours than CPUs: then spinning
//! keeps our own threads from working, and a waiter yields for a moment and sleeps. CPUs taken by
//! other processes: then a thread that sleeps queues behind them at every wake, so a waiter spins
//! on, counts only the time that it was really running, and yields now and then, in case the thread
//! that it waits for is in the queue of this CPU; `place/apart.rs` moves it if that is so.

use crate::icv::{self, Blocktime, WaitPolicy};
use crate::model::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::objects::current;
use crate::park::event::{Event, Ticket};
use crate::park::waiter;
use crate::park::waiter::Waiter;
use crate::place::{self, apart};
use ::ompt::State;

/// Threads that take part in teams, idle members of kept teams included.
static ATTACHED: AtomicU32 = AtomicU32::new(0);
/// CPUs that the process may use; filled in by [`set_up`].
static CPUS: AtomicU32 = AtomicU32::new(1);
/// How long to spin when the CPUs suffice, in nanoseconds.
static SPIN_NS: AtomicU64 = AtomicU64::new(DEFAULT_SPIN_NS);

/// Default time to spin before sleeping: longer than a time slice of the kernel, so that threads of a
/// team that are interrupted at different times still meet. On 2 CPUs with one other busy process,
/// 300 regions of 5 microseconds took 50 ms with 20 ms of spinning and 400 ms with 2 ms (medians).
const DEFAULT_SPIN_NS: u64 = 10_000_000;
/// Pauses between two looks at the clock.
const PAUSES_A_ROUND: u32 = 64;
/// Rounds between two yields while the CPUs suffice.
const ROUNDS_A_YIELD: u32 = 4;
/// The most that one round counts as: what is beyond it, the thread was not running.
const ROUND_NS: u64 = 10_000;
/// Pauses before the first yield when there are more threads than CPUs.
const CROWDED_PAUSES: u32 = 16;
/// How long to yield, when there are more threads than CPUs, before sleeping. Teams that meet often
/// meet within this time by yielding alone, which costs less than a sleep and a wake each; where
/// other processes take the CPUs, a thread that yields for long would only lose its turn to them.
const CROWDED_NS: u64 = 200_000;

/// Reads the wait policy and the number of CPUs. Called when the runtime comes up.
pub fn set_up() {
    let settings = icv::settings();
    CPUS.store(place::available_cpus(), Ordering::Relaxed);
    let spin = match (settings.wait_policy, settings.blocktime, settings.spin_count) {
        (_, Some(Blocktime::Infinite), _) => u64::MAX,
        (_, Some(Blocktime::Micros(us)), _) => us.saturating_mul(1000),
        // One pause takes about ten nanoseconds on the machines that libgomp's counts were made for.
        (_, None, Some(count)) => count.saturating_mul(10),
        (Some(WaitPolicy::Active), None, None) => u64::MAX,
        (Some(WaitPolicy::Passive), None, None) => 0,
        (None, None, None) => DEFAULT_SPIN_NS,
    };
    SPIN_NS.store(spin, Ordering::Relaxed);
}

/// Sets how long threads spin before they sleep, in milliseconds; `i32::MAX` for ever (`kmp_set_blocktime`).
pub fn set_blocktime(ms: i32) {
    let spin = if ms == i32::MAX { u64::MAX } else { u64::from(ms.max(0).unsigned_abs()) * 1_000_000 };
    SPIN_NS.store(spin, Ordering::Relaxed);
}

/// How long threads spin before they sleep, in milliseconds; `i32::MAX` for ever (`kmp_get_blocktime`).
pub fn blocktime() -> i32 {
    match SPIN_NS.load(Ordering::Relaxed) {
        u64::MAX => i32::MAX,
        ns => i32::try_from(ns / 1_000_000).unwrap_or(i32::MAX),
    }
}

/// Threads that spin for ever do so for the default time from now on: with the library for throughput
/// (`kmp_set_library_throughput`).
pub fn spin_no_longer_for_ever() {
    // A failed exchange means that threads do not spin for ever.
    let _ = SPIN_NS.compare_exchange(u64::MAX, DEFAULT_SPIN_NS, Ordering::Relaxed, Ordering::Relaxed);
}

/// Counts `n` more (or fewer) threads as attached to teams.
pub fn attach(n: i32) {
    ATTACHED.fetch_add(n as u32, Ordering::Relaxed);
}

/// Starts the count afresh: after `fork` only the calling thread is left, if it is `attached`.
pub fn attached_after_fork(attached: bool) {
    ATTACHED.store(u32::from(attached), Ordering::Relaxed);
}

/// Whether more threads are attached to teams than there are CPUs.
#[inline]
pub fn oversubscribed() -> bool {
    ATTACHED.load(Ordering::Relaxed) > CPUS.load(Ordering::Relaxed)
}

fn now_ns() -> u64 {
    // SAFETY: an all-zero timespec is valid, and the call only writes it.
    unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
}

/// When a thread of an oversubscribed team last came back late from giving way.
static LATE: AtomicU64 = AtomicU64::new(0);
/// Giving way for longer than this means that whoever got the CPU had work of its own, perhaps for
/// another process. Who yields goes to the end of that queue; who sleeps is served soon after its
/// wake.
///
/// Well above what a team's own threads take when they have just been woken (50 microseconds for 8 on
/// 2 CPUs), well below the kernel's time slice.
const LATE_NS: u64 = 500_000;
/// For how long after that the threads of oversubscribed teams sleep without yielding first, in
/// nanoseconds. Doubles while giving way keeps being answered late. With 3 threads on 2 CPUs beside
/// two busy processes, 200 regions took 600 ms by yielding and 60 ms by sleeping.
static PENALTY: AtomicU64 = AtomicU64::new(MIN_PENALTY_NS);
const MIN_PENALTY_NS: u64 = 5_000_000;
const MAX_PENALTY_NS: u64 = 64_000_000;
/// Threads that come back within this time of each other were kept waiting by the same stranger.
const SAME_NS: u64 = 500_000;

/// Notes that a thread came back late at `now`.
#[cold]
fn came_back_late(now: u64) {
    let since = now.saturating_sub(LATE.load(Ordering::Relaxed));
    if since < SAME_NS {
        return;
    }
    let penalty = PENALTY.load(Ordering::Relaxed);
    let again = since < 4 * penalty;
    PENALTY.store(if again { (2 * penalty).min(MAX_PENALTY_NS) } else { MIN_PENALTY_NS }, Ordering::Relaxed);
    LATE.store(now, Ordering::Relaxed);
}

/// Lets another thread of this CPU's queue run, if there is one.
fn give_way() {
    // SAFETY: takes no arguments and only gives up the CPU.
    unsafe { libc::sched_yield() };
}

/// One wait's spinning: paces the pauses and says when it is time to sleep.
pub struct Spinner {
    pauses: u32,
    rounds: u32,
    oversubscribed: bool,
    /// Nanoseconds spent running.
    spent: u64,
    last: u64,
}

impl Default for Spinner {
    #[inline(always)]
    fn default() -> Self {
        Spinner { pauses: 0, rounds: 0, oversubscribed: oversubscribed(), spent: 0, last: 0 }
    }
}

impl Spinner {
    /// A wait begins.
    #[inline(always)]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`new`](Self::new); where there are more threads than CPUs, it gives way at once, because others have to run
    /// before what it waits for can come.
    #[inline(always)]
    pub fn giving_way() -> Self {
        Spinner { pauses: if oversubscribed() { CROWDED_PAUSES } else { 0 }, ..Self::default() }
    }

    /// Lets a moment pass. Returns false when the caller should sleep instead of calling again.
    #[inline(always)]
    pub fn pause(&mut self) -> bool {
        self.pauses += 1;
        let limit = if self.oversubscribed { CROWDED_PAUSES } else { PAUSES_A_ROUND };
        if self.pauses < limit {
            std::hint::spin_loop();
            return true;
        }
        self.round()
    }

    /// The end of a round of pauses: looks at the clock, and yields, often when oversubscribed.
    #[cold]
    fn round(&mut self) -> bool {
        let limit = SPIN_NS.load(Ordering::Relaxed);
        if limit == 0 {
            return false;
        }
        let now = now_ns();
        let passed = if self.last == 0 { 0 } else { now - self.last };
        self.last = now;
        self.rounds = self.rounds.wrapping_add(1);
        if self.oversubscribed {
            self.spent += passed;
            if limit == u64::MAX {
                give_way();
                return true;
            }
            if passed > LATE_NS {
                came_back_late(now);
            }
            if self.spent > CROWDED_NS.min(limit)
                || now.saturating_sub(LATE.load(Ordering::Relaxed)) < PENALTY.load(Ordering::Relaxed)
            {
                return false;
            }
            give_way();
            return true;
        }
        self.spent += passed.min(ROUND_NS);
        if limit != u64::MAX && self.spent > limit {
            return false;
        }
        self.pauses = 0;
        if self.rounds.is_multiple_of(ROUNDS_A_YIELD) {
            if let Some(thread) = current::try_current() {
                let is_worker = thread.tool.kind.get() == ::ompt::Thread::WORKER;
                apart::look(&thread.seated, thread.gtid(), is_worker, now);
            }
            give_way();
        }
        true
    }

    /// Starts over: something happened meanwhile, so the next thing may be near.
    #[inline]
    pub fn restart(&mut self) {
        *self = Spinner::new();
    }
}

/// A wait in a state that debuggers see while the thread sleeps.
pub struct InState(pub State);

impl Waiter for InState {
    type Pace = Spinner;

    #[inline(always)]
    fn begin(&self) -> Spinner {
        Spinner::new()
    }

    #[inline(always)]
    fn pause(&self, pace: &mut Spinner) -> bool {
        pace.pause()
    }

    #[inline(always)]
    fn sleep(&self, event: &Event, ticket: Ticket) {
        sleep_in(self.0, event, ticket);
    }
}

/// Waits until `ready` says so: spinning first, then asleep on `event`, which whoever makes it
/// ready must notify.
#[inline]
pub fn until(event: &Event, mut ready: impl FnMut() -> bool) {
    until_in(State::OVERHEAD, event, &mut ready);
}

/// As [`until`], in a state that debuggers see while the thread sleeps.
#[inline]
pub fn until_in(state: State, event: &Event, ready: impl FnMut() -> bool) {
    waiter::until(&InState(state), event, ready);
}

/// As [`until_in`], with a spinner of the caller's.
#[inline]
pub fn until_paced_by(state: State, spinner: Spinner, event: &Event, ready: impl FnMut() -> bool) {
    waiter::until_paced_by(&InState(state), spinner, event, ready);
}

/// Sleeps on `event`. Where nobody keeps the thread's state, it is `state` meanwhile, for debuggers.
#[cold]
pub fn sleep_in(state: State, event: &Event, ticket: Ticket) {
    let untold = current::try_current().filter(|thread| thread.tool.state() == State::UNDEFINED);
    if let Some(thread) = untold {
        thread.tool.set_state(state);
    }
    event.sleep(ticket);
    if let Some(thread) = untold {
        thread.tool.set_state(State::UNDEFINED);
    }
}

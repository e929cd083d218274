//! How threads wait: they spin while the CPUs suffice, then yield, then sleep.
//!
//! `OMP_WAIT_POLICY`, `KMP_BLOCKTIME` and `GOMP_SPINCOUNT` set how long a thread spins. There are two ways of having
//! too few CPUs, and they need opposite answers:
//!
//! - The runtime is oversubscribed: more of its threads are attached than there are CPUs. Spinning would keep its own
//!   threads from working, so a waiter yields for a moment and sleeps. It does not yield where a yield has been late,
//!   because another process then had the CPU.
//! - Other processes take the CPUs. A thread that sleeps queues behind them at every wake, so a waiter spins on and
//!   counts only the time that it was really running. It yields now and then, because the thread that it waits for may
//!   be in the queue of this CPU; `place/apart.rs` moves it in that case.

use crate::icv::{self, WaitPolicy};
use crate::model::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::objects::current;
use crate::objects::structures::Member;
use crate::park::event::{Event, Ticket};
use crate::park::waiter::{self, Waiter};
use crate::place::{self, apart};
use ::ompt::State;
use std::time::Duration;

/// The number of attached threads: members of teams, including idle workers of hot teams.
static ATTACHED: AtomicU32 = AtomicU32::new(0);
/// The number of CPUs that the process may use; set by [`set_up`].
static CPUS: AtomicU32 = AtomicU32::new(1);
/// How long a thread spins if the CPUs suffice, in nanoseconds.
static SPIN_NS: AtomicU64 = AtomicU64::new(DEFAULT_SPIN_NS);

/// The default of [`SPIN_NS`]: longer than a time slice of the kernel, so that threads of a team still meet if they are
/// interrupted at different times. On 2 CPUs with one other busy process, 300 regions of 5 microseconds took 50 ms with
/// 20 ms of spinning and 400 ms with 2 ms (medians).
const DEFAULT_SPIN_NS: u64 = 10_000_000;
/// The number of pauses between two looks at the clock.
const PAUSES_A_ROUND: u32 = 64;
/// The number of rounds between two yields while the CPUs suffice.
const ROUNDS_A_YIELD: u32 = 4;
/// The most that one round counts as. The thread was not running in what is beyond.
const ROUND_NS: u64 = 10_000;
/// The number of pauses before the first yield when oversubscribed.
const CROWDED_PAUSES: u32 = 5;
/// How long an oversubscribed thread yields before it sleeps. Teams that meet often meet within this time by yielding
/// alone, which costs less than a sleep and a wake each. If other processes take the CPUs, a thread that yields longer
/// would only lose its turn to them.
const CROWDED_NS: u64 = 200_000;
/// How often an oversubscribed thread yields before it sleeps, if the settings forbid spinning.
const YIELDS_BEFORE_SLEEP: u32 = 2;

/// Reads the wait policy and the number of CPUs. Called when the runtime comes up.
pub fn set_up() {
    let settings = icv::settings();
    CPUS.store(place::available_cpus(), Ordering::Relaxed);
    let spin = match (settings.wait_policy, settings.blocktime, settings.spin_count) {
        (_, Some(microseconds), _) => microseconds.saturating_mul(1000),
        // One pause takes about ten nanoseconds on the machines that libgomp's counts were made for.
        (_, None, Some(count)) => count.saturating_mul(10),
        (Some(WaitPolicy::Active), None, None) => u64::MAX,
        (Some(WaitPolicy::Passive), None, None) => 0,
        (None, None, None) => DEFAULT_SPIN_NS,
    };
    SPIN_NS.store(spin, Ordering::Relaxed);
}

/// Sets how long threads spin before they sleep, in milliseconds; `i32::MAX` is for ever (`kmp_set_blocktime`).
pub fn set_blocktime(ms: i32) {
    let spin = if ms == i32::MAX { u64::MAX } else { u64::from(ms.max(0).unsigned_abs()) * 1_000_000 };
    SPIN_NS.store(spin, Ordering::Relaxed);
}

/// Returns how long threads spin before they sleep, in milliseconds; `i32::MAX` is for ever (`kmp_get_blocktime`).
pub fn blocktime() -> i32 {
    match SPIN_NS.load(Ordering::Relaxed) {
        u64::MAX => i32::MAX,
        ns => i32::try_from(ns / 1_000_000).unwrap_or(i32::MAX),
    }
}

/// Limits threads that spin for ever to the default time, for the throughput library (`kmp_set_library_throughput`).
pub fn spin_no_longer_for_ever() {
    // If the exchange fails, threads do not spin for ever.
    let _ = SPIN_NS.compare_exchange(u64::MAX, DEFAULT_SPIN_NS, Ordering::Relaxed, Ordering::Relaxed);
}

/// How long a thread may look for what another processor does, in nanoseconds; 0 where there are too few CPUs.
pub fn spin_ns() -> u64 {
    if oversubscribed() { 0 } else { SPIN_NS.load(Ordering::Relaxed) }
}

/// Adds `n` to the number of attached threads.
pub fn attach(n: i32) {
    ATTACHED.fetch_add(n as u32, Ordering::Relaxed);
}

/// Sets the number of attached threads in a forked child, which has only the calling thread.
pub fn attached_after_fork(attached: bool) {
    ATTACHED.store(u32::from(attached), Ordering::Relaxed);
    // What is known of late yields is the parent's.
    for known in [&LATE, &PENALTY, &LOOKED, &USED] {
        known.store(0, Ordering::Relaxed);
    }
}

/// Whether more threads are attached than there are CPUs.
#[inline]
pub fn oversubscribed() -> bool {
    ATTACHED.load(Ordering::Relaxed) > CPUS.load(Ordering::Relaxed)
}

/// Nanoseconds of the clock that `omp_get_wtime` reads.
pub fn now_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

#[inline(always)]
fn clock_ns(clock: libc::clockid_t) -> u64 {
    // SAFETY: an all-zero timespec is valid, and the call only writes it.
    unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(clock, &mut time);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
}

/// When an oversubscribed thread last came back late from a yield, by [`now_ns`].
static LATE: AtomicU64 = AtomicU64::new(0);
/// A yield that takes longer than this is late: a thread with work of its own, perhaps of another process, got the CPU.
/// A thread that yields goes to the end of the CPU's queue, but one that sleeps is served soon after its wake.
///
/// The value is well above what a team's own threads take when they have just been woken (50 microseconds for 8 threads
/// on 2 CPUs), and well below the kernel's time slice.
const LATE_NS: u64 = 500_000;
/// How long oversubscribed threads sleep without yielding first after a late yield, in nanoseconds, if other processes
/// take CPUs. Doubles while yields keep being late. With 3 threads on 2 CPUs beside two busy processes, 200 regions
/// took 600 ms by yielding and 60 ms by sleeping.
static PENALTY: AtomicU64 = AtomicU64::new(0);
const MIN_PENALTY_NS: u64 = 5_000_000;
const MAX_PENALTY_NS: u64 = 64_000_000;
/// Late yields within this time of each other have the same cause and count once.
const SAME_NS: u64 = 500_000;
/// When the CPU time of the process was looked at, and what it was then, in nanoseconds.
static LOOKED: AtomicU64 = AtomicU64::new(0);
static USED: AtomicU64 = AtomicU64::new(0);
/// Other processes take CPUs if this one has less than so many percent of the CPUs' time since a look that is not older
/// than this.
const ALONE_PERCENT: u64 = 90;
const KNOWN_NS: u64 = 50_000_000;

/// Whether a yield has come back late recently, so that sleeping is better. When that is over, begins to count the CPU
/// time anew.
fn yields_are_late(now: u64) -> bool {
    let penalty = PENALTY.load(Ordering::Relaxed);
    let until = LATE.load(Ordering::Relaxed) + penalty;
    if penalty > 0 && now >= until && LOOKED.load(Ordering::Relaxed) < until {
        // Threads that slept have used little CPU time. From now on they yield.
        cpu_time_since_last_look(now);
    }
    now < until
}

/// Notes a late yield that ended at `now`.
#[cold]
fn came_back_late(now: u64) {
    let since = now.saturating_sub(LATE.load(Ordering::Relaxed));
    if since < SAME_NS {
        return;
    }
    LATE.store(now, Ordering::Relaxed);
    let looked = LOOKED.load(Ordering::Relaxed);
    // Nothing is known at the first late yield, and too much may have happened since an old look: serial work, sleep.
    let passed = if looked == 0 { 0 } else { now.saturating_sub(looked) };
    let is_known = passed > 0 && passed < KNOWN_NS;
    let there_was = passed.saturating_mul(u64::from(CPUS.load(Ordering::Relaxed)));
    // A thread of this process that works, or spins in the program's own words, may have had the CPU.
    let is_alone = cpu_time_since_last_look(now) >= there_was / 100 * ALONE_PERCENT || !is_known;
    let penalty = PENALTY.load(Ordering::Relaxed);
    let again = since < 4 * penalty;
    PENALTY.store(
        match (is_alone, again) {
            (true, _) => 0,
            (false, true) => (2 * penalty).min(MAX_PENALTY_NS),
            (false, false) => MIN_PENALTY_NS,
        },
        Ordering::Relaxed,
    );
}

/// The CPU time that the threads of this process have had since it was last looked at, in nanoseconds. Where two
/// threads look at the same time, one of them may get a wrong number.
fn cpu_time_since_last_look(now: u64) -> u64 {
    LOOKED.store(now, Ordering::Relaxed);
    let used = clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID);
    used.saturating_sub(USED.swap(used, Ordering::Relaxed))
}

/// Yields to another thread in this CPU's queue, if there is one.
fn give_way() {
    // SAFETY: the call has no preconditions.
    unsafe { libc::sched_yield() };
}

/// Yields at `now`, where there are more threads than CPUs, and notes if that takes long. A wait may be over when a
/// late yield returns, and no later look at the clock would notice. The clock is part of what a short yield costs, so
/// one yield in eight is timed, and each one once a yield was late because of other processes.
fn give_way_in_crowd(now: u64) {
    give_way();
    let is_timed = now & (7 << 6) == 0 || PENALTY.load(Ordering::Relaxed) > 0;
    if is_timed {
        let back = now_ns();
        if back.saturating_sub(now) > LATE_NS {
            came_back_late(back);
        }
    }
}

/// A phase that takes longer than this, for each time that there are as many threads as CPUs, is a long one.
const LONG_PHASE_NS: u64 = 5_000;
/// What a long phase adds to `Phases::long`, from which each short one takes 1; and how much of it means that phases
/// are long. Of a team that the system interrupts now and then, one phase in hundreds is long.
const LONG: u32 = 4;
const OFTEN: u32 = 9;
/// For so many barriers after long phases members let others go first. Then they try without. If phases are long again
/// soon, the next trial comes after twice as many barriers.
const YIELDS: u32 = 512;
const MOST_YIELDS: u32 = 1 << 14;
const SOON: u32 = 64;

/// Called by a member that goes on after a barrier while there are more threads than CPUs.
///
/// A program's threads may wait for the primary thread in the program's own words: they spin for a flag that it sets
/// next. The primary cannot run before they have used their time slices up, if they were quicker to go on. So members
/// other than the primary yield once, if phases have been long: with 8 threads on 2 CPUs, a round of such a program
/// took 25 to 40 microseconds instead of 200 to 500. Where phases are short, a yield would be a large part of them.
#[cold]
pub fn let_others_go_first(member: &Member) {
    let (now, phases) = (now_ns(), &member.phases);
    let passed = now.saturating_sub(phases.since.replace(now));
    let crowd = u64::from(ATTACHED.load(Ordering::Relaxed) / CPUS.load(Ordering::Relaxed).max(1));
    let is_long = passed > LONG_PHASE_NS * crowd;
    let long = if is_long { phases.long.get() + LONG } else { phases.long.get().saturating_sub(1) };
    phases.long.set(long);
    let yields = phases.yields.get();
    if yields == 0 {
        phases.tried.set(phases.tried.get().saturating_add(1));
    }
    if long >= OFTEN {
        phases.long.set(0);
        if yields == 0 {
            let is_soon = phases.lasted.get() > 0 && phases.tried.get() < SOON;
            let lasts = if is_soon { (2 * phases.lasted.get()).min(MOST_YIELDS) } else { YIELDS };
            phases.lasted.set(lasts);
            phases.yields.set(lasts);
            phases.tried.set(0);
        }
    }
    if yields > 0 && member.tid != 0 && !yields_are_late(now) {
        phases.yields.set(yields - 1);
        give_way_in_crowd(now);
    }
}

/// The spinning of one wait: paces the pauses and decides when to sleep.
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
        let oversubscribed = oversubscribed();
        // Nobody else runs while the thread looks, if there is one CPU.
        let pauses = if oversubscribed && CPUS.load(Ordering::Relaxed) == 1 { CROWDED_PAUSES } else { 0 };
        Spinner { pauses, rounds: 0, oversubscribed, spent: 0, last: 0 }
    }
}

impl Spinner {
    /// The begin of a wait.
    #[inline(always)]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`new`](Self::new), but an oversubscribed thread yields at once: other threads have to run before the
    /// condition can become true.
    #[inline(always)]
    pub fn giving_way() -> Self {
        Spinner { pauses: if oversubscribed() { CROWDED_PAUSES } else { 0 }, ..Self::default() }
    }

    /// Lets a moment pass. Returns false if the caller should sleep instead of calling this again.
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

    /// Ends a round of pauses: looks at the clock, and yields now and then, or each time when oversubscribed.
    #[cold]
    fn round(&mut self) -> bool {
        let limit = SPIN_NS.load(Ordering::Relaxed);
        if limit == 0 {
            return self.oversubscribed && self.yields_before_sleep();
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
            if self.spent > CROWDED_NS.min(limit) || yields_are_late(now) {
                return false;
            }
            give_way_in_crowd(now);
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

    /// Yields if this wait has not yielded often. For threads that do not spin: where they have too few CPUs, the
    /// thread that they wait for may be in this CPU's queue, and a yield costs less than a sleep and a wake.
    fn yields_before_sleep(&mut self) -> bool {
        let now = now_ns();
        self.rounds += 1;
        let yields = self.rounds <= YIELDS_BEFORE_SLEEP && !yields_are_late(now);
        if yields {
            give_way_in_crowd(now);
        }
        yields
    }

    /// Starts over. Something has happened meanwhile, so the condition may become true soon.
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

/// Waits until `ready` returns true: spins first, then sleeps on `event`. Whoever makes the condition true notifies
/// `event` afterwards.
#[inline]
pub fn until(event: &Event, ready: impl FnMut() -> bool) {
    waiter::until(&InState(State::OVERHEAD), event, ready);
}

/// As [`sleep_in`], for at most `limit`.
#[cold]
pub fn sleep_in_for(state: State, event: &Event, ticket: Ticket, limit: Duration) {
    seen_in(state, || event.sleep_for(ticket, limit));
}

/// Sleeps on `event`. Debuggers see `state` meanwhile, unless the thread's state is kept for a tool.
#[cold]
pub fn sleep_in(state: State, event: &Event, ticket: Ticket) {
    seen_in(state, || event.sleep(ticket));
}

/// Sleeps in a state that debuggers see, unless the thread's state is kept for a tool.
fn seen_in(state: State, sleep: impl FnOnce()) {
    let unreported = current::try_current().filter(|thread| thread.tool.state() == State::UNDEFINED);
    if let Some(thread) = unreported {
        thread.tool.set_state(state);
    }
    sleep();
    if let Some(thread) = unreported {
        thread.tool.set_state(State::UNDEFINED);
    }
}

//! How threads wait: spin while the CPUs suffice, then yield, then sleep.
//!
//! `OMP_WAIT_POLICY`, `KMP_BLOCKTIME` and `GOMP_SPINCOUNT` set how long a thread spins. When more
//! threads are attached to teams than there are CPUs, or when the clock shows that this thread was
//! not running while it spun, spinning only keeps others from working, and it stops early.

use crate::icv::{self, Blocktime, WaitPolicy};
use crate::place;
use crate::sync::event::Event;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Threads that take part in teams, idle members of kept teams included.
static ATTACHED: AtomicU32 = AtomicU32::new(0);
/// CPUs that the process may use; filled in by [`set_up`].
static CPUS: AtomicU32 = AtomicU32::new(1);
/// How long to spin when the CPUs suffice, in nanoseconds.
static SPIN_NS: AtomicU64 = AtomicU64::new(DEFAULT_SPIN_NS);

/// Default time to spin before sleeping. Long enough to bridge the serial stretches between the
/// regions of an ordinary loop nest, short enough not to burn a CPU through an I/O phase.
const DEFAULT_SPIN_NS: u64 = 2_000_000;
/// Pauses between two looks at the clock.
const PAUSES_A_ROUND: u32 = 64;
/// A round that took longer than this means that the thread was descheduled meanwhile: others want
/// the CPU, and whoever this thread waits for may be among them.
const DESCHEDULED_NS: u64 = 100_000;
/// Pauses before the first yield when there are more threads than CPUs.
const CROWDED_PAUSES: u32 = 16;
/// How long to yield, when there are more threads than CPUs, before sleeping. Teams that meet often
/// meet within this time by yielding alone, which costs less than a sleep and a wake each; where
/// other processes take the CPUs, a thread that yields for long would only lose its turn to them.
const CROWDED_NS: u64 = 200_000;

/// Reads the wait policy and the number of CPUs. Called when the runtime comes up and in a forked
/// child.
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

/// Counts `n` more (or fewer) threads as attached to teams.
pub fn attach(n: i32) {
    ATTACHED.fetch_add(n as u32, Ordering::Relaxed);
}

/// Starts the count afresh: after `fork` only the calling thread is left.
pub fn attached_after_fork() {
    ATTACHED.store(1, Ordering::Relaxed);
}

/// Whether more threads are attached to teams than there are CPUs.
#[inline]
pub fn crowded() -> bool {
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

/// One wait's spinning: paces the pauses and says when it is time to sleep.
pub struct Spinner {
    pauses: u32,
    crowded: bool,
    started: u64,
    last: u64,
}

impl Spinner {
    #[inline(always)]
    pub fn new() -> Self {
        Spinner { pauses: 0, crowded: crowded(), started: 0, last: 0 }
    }

    /// Lets a moment pass. Returns false when the caller should sleep instead of calling again.
    #[inline(always)]
    pub fn pause(&mut self) -> bool {
        self.pauses += 1;
        let limit = if self.crowded { CROWDED_PAUSES } else { PAUSES_A_ROUND };
        if self.pauses < limit {
            std::hint::spin_loop();
            return true;
        }
        self.round()
    }

    /// The end of a round of pauses: looks at the clock, and yields when crowded.
    #[cold]
    fn round(&mut self) -> bool {
        let limit = SPIN_NS.load(Ordering::Relaxed);
        if limit == 0 {
            return false;
        }
        let now = now_ns();
        if self.started == 0 {
            self.started = now;
        } else if limit == u64::MAX {
            // The user wants it so.
        } else if self.crowded {
            if now - self.started > CROWDED_NS.min(limit) {
                return false;
            }
        } else if now - self.last > DESCHEDULED_NS || now - self.started > limit {
            return false;
        }
        self.last = now;
        if self.crowded {
            // SAFETY: takes no arguments and only gives up the CPU.
            unsafe { libc::sched_yield() };
        } else {
            self.pauses = 0;
        }
        true
    }

    /// Starts over: something happened meanwhile, so the next thing may be near.
    #[inline]
    pub fn restart(&mut self) {
        *self = Spinner::new();
    }
}

/// Waits until `ready` says so: spinning first, then asleep on `event`, which whoever makes it
/// ready must notify.
#[inline]
pub fn until(event: &Event, mut ready: impl FnMut() -> bool) {
    if ready() {
        return;
    }
    let mut spinner = Spinner::new();
    loop {
        if ready() {
            return;
        }
        if spinner.pause() {
            continue;
        }
        let ticket = event.prepare();
        if ready() {
            event.cancel(ticket);
            return;
        }
        event.sleep(ticket);
    }
}

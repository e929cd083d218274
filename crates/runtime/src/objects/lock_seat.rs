//! Where a thread sits while it waits for a lock (`sync/README.md`): by the CPU that the thread is on.

use crate::arch;
use crate::model::hardware::{AtomicU32, Ordering};
use crate::protocol::lock_seats::{GROUPS, SEATS, Seat};
use std::cell::Cell;

/// A thread's seat. Only the thread itself reads and writes the fields.
#[derive(Default)]
pub struct LockSeat {
    seat: Cell<Option<Seat>>,
    /// For how many waits the thread does not ask again which CPU it is on.
    good_for: Cell<u32>,
}

/// So often a thread takes the seat that it had before. The question takes some 10 nanoseconds. A thread that has moved
/// meanwhile may find its seat taken, and polls.
const GOOD_FOR: u32 = 64;

/// For each CPU one more than its cache's number, and the CPU's number among those that share the cache; 0 where no
/// thread has asked yet. Threads on further CPUs have no seats.
static CPUS: [AtomicU32; 1024] = [const { AtomicU32::new(0) }; 1024];

impl LockSeat {
    /// The seat that the calling thread is to take; none if its CPU has none.
    pub fn seat(&self) -> Option<Seat> {
        match self.good_for.get() {
            0 => {
                self.good_for.set(GOOD_FOR);
                self.seat.set(find());
            }
            times => self.good_for.set(times - 1),
        }
        self.seat.get()
    }
}

#[cold]
fn find() -> Option<Seat> {
    // SAFETY: the call takes no arguments. A negative result means that the kernel does not know.
    let cpu = usize::try_from(unsafe { libc::sched_getcpu() }).ok()?;
    let known = CPUS.get(cpu)?;
    let word = match known.load(Ordering::Relaxed) {
        0 => {
            // The thread may move in between: then the word is that of another CPU, and two CPUs share a seat.
            let (cache, number) = arch::last_level_cache();
            let word = ((cache as usize % GROUPS * SEATS + number as usize % SEATS) + 1) as u32;
            known.store(word, Ordering::Relaxed);
            word
        }
        word => word,
    };
    let index = word as usize - 1;
    Seat::new(index / SEATS, index % SEATS)
}

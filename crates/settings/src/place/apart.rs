//! Threads that wait in turns on one CPU while another CPU is free: how they notice, and how one of them moves.
//!
//! A kernel may start or wake a thread on the CPU of the thread that made or woke it, and may move neither for a while.
//! A kernel that packs threads onto few virtual CPUs took 12 to 36 milliseconds, with this runtime and with others.
//! Until then every hand-over waits for a yield: an `ordered` region of 2 threads takes 8 microseconds, instead of 30
//! nanoseconds where each thread has a CPU.
//!
//! So each CPU has a seat, where a thread that waits on the CPU leaves its number. A thread that finds another number
//! in its seat again and again shares the CPU with another waiting thread. If the thread is a worker, it moves to a CPU
//! of its affinity mask where no thread of the runtime waits. Moving takes 200 microseconds in all, and leaves the mask
//! as it was.

use super::in_force;
use super::kernel;
use super::kmp::Strategy;
use crate::model::atomic::{AtomicU32, Ordering};
use std::cell::Cell;

/// The number of the thread that last waited on each CPU, counted from 1; 0 for none. The numbers are hints: no wait
/// depends on them. Threads on CPUs that have no seat stay where the kernel puts them.
static SEATS: [AtomicU32; 1024] = [const { AtomicU32::new(0) }; 1024];
/// How often in a row a thread finds another number in its seat before it moves. A single number may be that of a
/// thread which was passing through.
const ENOUGH: u32 = 2;
/// The least time between two moves of a thread, in nanoseconds. If the kernel brings the thread back each time,
/// because others need the other CPU, moving takes at most a percent of the thread's time.
const REST_NS: u64 = 10_000_000;

/// Where a thread waits. Only the thread itself reads and writes the fields.
#[derive(Default)]
pub struct Seated {
    /// The CPU of the thread's seat, counted from 1; 0 for none.
    cpu: Cell<u32>,
    /// How often in a row the thread has found another number in its seat.
    found: Cell<u32>,
    /// When the thread last moved, on the clock of waits.
    moved: Cell<u64>,
}

/// Finds out whether the calling thread shares its CPU with another waiting thread, and moves the calling thread if so.
/// Called when a thread of a team that is not oversubscribed is about to yield in a wait, at the time `now`.
///
/// `gtid` is the thread's number in the process; `may_move` says that the thread is a worker.
pub fn look(seated: &Seated, gtid: i32, may_move: bool, now: u64) {
    // SAFETY: the call takes no arguments. A negative result means that the kernel does not know.
    let Ok(cpu) = u32::try_from(unsafe { libc::sched_getcpu() }) else { return };
    // Threads of the program stay where they are: their masks belong to the program.
    if seated.shares(&SEATS, cpu, gtid as u32 + 1) && may_move && now.saturating_sub(seated.moved.get()) >= REST_NS {
        seated.moved.set(now);
        leave(cpu);
    }
}

impl Seated {
    /// Takes the seat of `cpu` for the thread with the number `own`. True if other numbers were found there often
    /// enough.
    fn shares(&self, seats: &[AtomicU32], cpu: u32, own: u32) -> bool {
        let Some(seat) = seats.get(cpu as usize) else { return false };
        // A write each time would take the cache line, which several seats share, from other waiting threads.
        if seat.load(Ordering::Relaxed) == own {
            self.found.set(0);
            return false;
        }
        seat.store(own, Ordering::Relaxed);
        let before = self.cpu.replace(cpu + 1);
        if before != cpu + 1 {
            if let Some(left) = before.checked_sub(1) {
                // The exchange fails if another thread has taken the seat.
                let _ = seats[left as usize].compare_exchange(own, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
            self.found.set(0);
            return false;
        }
        let found = self.found.get() + 1;
        self.found.set(found % ENOUGH);
        found == ENOUGH
    }
}

/// Moves the calling thread from `cpu` to another of its affinity mask.
#[cold]
fn leave(cpu: u32) {
    if in_force::request().kmp.strategy == Some(Strategy::Disabled) {
        return;
    }
    let allowed = kernel::of_caller();
    let others = others(&SEATS, &allowed, cpu);
    // A mask that another process gives the thread meanwhile stays.
    if !others.is_empty() && kernel::set_of_caller(&kernel::words(&others)).is_ok() && kernel::of_caller() == others {
        // The kernel refuses only if the process has lost all of these CPUs in the meantime.
        let _ = kernel::set_of_caller(&kernel::words(&allowed));
    }
}

/// Of the CPUs `allowed` all but `cpu`; if there are some where no thread waits, only these.
fn others(seats: &[AtomicU32], allowed: &[u32], cpu: u32) -> Vec<u32> {
    let others: Vec<u32> = allowed.iter().copied().filter(|&other| other != cpu).collect();
    let free = |other: &u32| seats.get(*other as usize).is_none_or(|seat| seat.load(Ordering::Relaxed) == 0);
    let unoccupied: Vec<u32> = others.iter().copied().filter(free).collect();
    if unoccupied.is_empty() { others } else { unoccupied }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats<const N: usize>() -> [AtomicU32; N] {
        [const { AtomicU32::new(0) }; N]
    }

    #[test]
    fn threads_that_alternate_on_a_cpu_share_it() {
        let seats = seats::<2>();
        let (first, second) = (Seated::default(), Seated::default());
        let mut looks = 0;
        while !first.shares(&seats, 1, 1) && !second.shares(&seats, 1, 2) {
            looks += 1;
            assert!(looks < 5);
        }
    }

    #[test]
    fn threads_on_cpus_of_their_own_share_nothing() {
        let seats = seats::<2>();
        let (first, second) = (Seated::default(), Seated::default());
        for _ in 0..9 {
            assert!(!first.shares(&seats, 0, 1));
            assert!(!second.shares(&seats, 1, 2));
        }
    }

    #[test]
    fn who_passes_through_disturbs_nobody() {
        let seats = seats::<3>();
        let (first, guest) = (Seated::default(), Seated::default());
        for _ in 0..9 {
            assert!(!first.shares(&seats, 0, 1));
            assert!(!guest.shares(&seats, 0, 2));
            assert!(!first.shares(&seats, 0, 1));
            assert!(!first.shares(&seats, 0, 1));
            assert!(!guest.shares(&seats, 2, 2));
        }
        assert_eq!(seats[2].load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_cpu_without_a_seat() {
        assert!(!Seated::default().shares(&seats::<2>(), 2, 1));
    }

    #[test]
    fn who_moves_goes_where_nobody_waits() {
        let seats = seats::<4>();
        seats[0].store(1, Ordering::Relaxed);
        assert_eq!(others(&seats, &[0, 1, 2, 9], 2), [1, 9]);
        for seat in &seats {
            seat.store(1, Ordering::Relaxed);
        }
        assert_eq!(others(&seats, &[0, 1, 2], 2), [0, 1]);
        assert!(others(&seats, &[2], 2).is_empty());
    }
}

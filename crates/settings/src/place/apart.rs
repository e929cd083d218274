//! Threads that wait in turns on one CPU while another is free: how they notice, and how one of them moves.
//!
//! A kernel may start a thread, or wake it, on the CPU of the one that made or woke it, and may take its time to move
//! either: one that packs threads onto few virtual CPUs took 12 to 36 milliseconds, with this runtime and with others.
//! Until then every hand-over waits for a yield: 8 microseconds for an `ordered` region of 2 threads, which takes 30
//! nanoseconds where each has a CPU. So each CPU has a seat, where the thread that waits there leaves its number. Who
//! finds another's number again and again shares the CPU with another waiting thread; if it is a worker it moves to a
//! CPU of its affinity mask where nobody of ours waits, which takes 200 microseconds in all. The mask is the same
//! before and after.

use super::in_force;
use super::kernel;
use super::kmp::Strategy;
use crate::model::atomic::{AtomicU32, Ordering};
use std::cell::Cell;

/// Who last waited on each CPU: a thread's number, counted from 1; 0 for nobody. These are hints: whatever is read
/// here, no wait depends on it. Threads on CPUs that have no seat stay where the kernel puts them.
static SEATS: [AtomicU32; 1024] = [const { AtomicU32::new(0) }; 1024];
/// How often in a row a thread finds that another has waited on its CPU since it last looked, before it moves. Once may
/// be a thread that was passing through.
const ENOUGH: u32 = 2;
/// The least time between two moves of a thread, in nanoseconds: if the kernel brings it back, because others need the
/// CPU that it went to, moving takes a percent of its time at most.
const REST_NS: u64 = 10_000_000;

/// Where a thread waits. Only the thread itself touches it.
#[derive(Default)]
pub struct Seated {
    /// The CPU of its seat, counted from 1; 0 for none.
    cpu: Cell<u32>,
    /// How often in a row it has found another in its seat.
    found: Cell<u32>,
    /// When it last moved, on the clock of waits.
    moved: Cell<u64>,
}

/// Looks whether the calling thread, which is about to give way in a wait at the time `now`, shares its CPU with
/// another that waits, and moves it if so. For teams that the CPUs suffice for.
///
/// `gtid` is the thread's number in the process; `may_move` says that the thread is a worker.
pub fn look(seated: &Seated, gtid: i32, may_move: bool, now: u64) {
    // SAFETY: takes no arguments; negative where the kernel does not tell.
    let Ok(cpu) = u32::try_from(unsafe { libc::sched_getcpu() }) else { return };
    // The program's own threads stay where they are, so that their masks are never touched.
    if seated.shares(&SEATS, cpu, gtid as u32 + 1) && may_move && now.saturating_sub(seated.moved.get()) >= REST_NS {
        seated.moved.set(now);
        leave(cpu);
    }
}

impl Seated {
    /// Takes the seat of `cpu` for the thread whose number is `own`. Whether another has been found there often enough.
    fn shares(&self, seats: &[AtomicU32], cpu: u32, own: u32) -> bool {
        let Some(seat) = seats.get(cpu as usize) else { return false };
        // Nothing is written as long as nothing changes: waiting threads share the lines of the seats.
        if seat.load(Ordering::Relaxed) == own {
            self.found.set(0);
            return false;
        }
        seat.store(own, Ordering::Relaxed);
        let before = self.cpu.replace(cpu + 1);
        if before != cpu + 1 {
            if let Some(left) = before.checked_sub(1) {
                // A failed exchange means that another has taken the seat.
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
    // A mask that somebody else gives the thread meanwhile stays.
    if !others.is_empty() && kernel::set_of_caller(&kernel::words(&others)).is_ok() && kernel::of_caller() == others {
        // The kernel had this mask a moment ago; it refuses only if the process has lost all of these CPUs since.
        let _ = kernel::set_of_caller(&kernel::words(&allowed));
    }
}

/// Of the CPUs `allowed` all but `cpu`: those where nobody waits, if there are any.
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

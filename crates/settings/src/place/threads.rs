//! Binding threads to places: the place of a thread, and the system calls that bind the thread.

use super::bind::{Bind, Fork, Partition};
use super::cpus::available_cpus;
use super::display;
use super::in_force;
use super::kernel;
use super::layout::{self, Order};
use super::machine::{machine, place_list, places, report};
use super::sysfs::show_list;
use crate::model::atomic::Ordering;
use crate::warn_once;
use std::cell::Cell;

/// `omp_get_num_procs`: the processors that the process may use (OpenMP 5.1 §3.7.1); see [`available_cpus`].
pub fn num_procs() -> i32 {
    let made_up = in_force::request().root.is_some();
    let count = if made_up { machine().cpus.len() } else { available_cpus() as usize };
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The place of thread `tid` of a team, and the place partition of its implicit task. `gtid` is the thread's number in
/// the process. Place -1 means that the thread is not bound.
pub fn place_of(fork: &Fork, tid: u32, gtid: i32) -> (i32, Partition) {
    let list = place_list();
    let count = list.places.len();
    match (fork.policy, &list.order) {
        (Bind::True, Order::Close) => Fork { policy: Bind::Close, ..*fork }.place_of(tid),
        (Bind::True, Order::ByThread { offset }) if count > 0 => (by_thread(gtid, *offset, count), fork.partition),
        (Bind::True, Order::Balanced { cores }) => {
            (layout::balanced_place(cores, fork.nthreads, tid).map_or(-1, |place| place as i32), fork.partition)
        }
        _ => fork.place_of(tid),
    }
}

fn by_thread(gtid: i32, offset: u32, count: usize) -> i32 {
    ((gtid.max(0) as u64 + u64::from(offset)) % count as u64) as i32
}

/// Binds the calling thread, whose number in the process is `gtid`, to a place. Does nothing if the thread is bound to
/// this place already, as `bound` says. This is the only system call on the way into a region.
#[cold]
pub fn go(bound: &Cell<i32>, gtid: i32, place: i32) {
    let Some(target) = usize::try_from(place).ok().and_then(|index| places().get(index)) else { return };
    if bound.get() == place {
        return;
    }
    // The place is noted even if the kernel refuses. Otherwise every region would make the system call again.
    bound.set(place);
    if !machine().made_up
        && let Err(error) = kernel::confine_caller(&target.mask)
    {
        let cpus = show_list(&target.cpus);
        let then = "threads run where the system puts them";
        warn_once!("cannot bind a thread to place {place} (CPUs {cpus}): {error}; {then}");
    }
    if in_force::request().kmp.verbose {
        let (process, thread_id) = display::numbers();
        let cpus = show_list(&target.cpus);
        report(&format!("pid {process} tid {thread_id} thread {gtid} bound to CPUs {{{cpus}}}"));
    }
}

/// Binds the calling thread, which is the first initial thread, to its place where threads are bound. Otherwise
/// confines the thread to the part of the machine that `KMP_HW_SUBSET` leaves. Counts the CPUs first.
pub fn bind_initial(bound: &Cell<i32>, gtid: i32) {
    available_cpus();
    let request = in_force::request();
    if request.kmp.verbose {
        machine();
    }
    if request.bind.first().is_none_or(|&bind| bind == Bind::False) || request.kmp.reset {
        if request.confines() {
            free(bound);
        }
        return;
    }
    let list = place_list();
    match &list.order {
        Order::Spread | Order::Close => go(bound, gtid, 0),
        Order::ByThread { offset } if !list.places.is_empty() => {
            go(bound, gtid, by_thread(gtid, *offset, list.places.len()))
        }
        Order::ByThread { .. } | Order::Balanced { .. } => {}
    }
}

/// Gives a new worker, the calling thread, the process's CPUs if its creator may have been bound.
pub fn settle_worker(bound: &Cell<i32>) {
    if kernel::CONFINED.load(Ordering::Relaxed) {
        free(bound);
    }
}

/// Gives the calling thread all CPUs that the process may use.
#[cold]
pub fn free(bound: &Cell<i32>) {
    bound.set(-1);
    let machine = machine();
    if !machine.made_up {
        // Where the kernel refuses, the thread stays where it is.
        let _ = kernel::confine_caller(&kernel::words(&machine.cpus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_the_places_in_turn() {
        assert_eq!([0, 1, 2, 3, 4].map(|gtid| by_thread(gtid, 3, 4)), [3, 0, 1, 2, 3]);
        assert_eq!(by_thread(i32::MAX, u32::MAX, 7), ((i32::MAX as u64 + u32::MAX as u64) % 7) as i32);
    }
}

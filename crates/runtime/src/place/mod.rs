//! Processors and places: how many CPUs there are to use, the place list that `OMP_PLACES` and its kin describe, the
//! binding of threads to places, and what is displayed of it. OpenMP 5.1 §2.6.2, §3.3, §6.4, §6.5, §6.13 and §6.14.
//!
//! `request.rs` reads the environment, `machine.rs` looks at the machine (`topology.rs`, from `/sys`) and makes the
//! place list (`layout.rs`), both once. `bind.rs` says which place each thread of a team gets; `team/places.rs` sends
//! the threads there.

pub mod apart;
pub(crate) mod bind;
pub(crate) mod cpus;
pub mod display;
pub(crate) mod format;
#[cfg(test)]
mod fuzz;
pub mod in_force;
mod kmp;
mod layer;
mod layout;
mod machine;
pub mod mask;
pub(crate) mod request;
mod scan;
mod spec;
mod subset;
pub(crate) mod sysfs;
#[cfg(test)]
pub(crate) mod testing;
mod topology;

pub use bind::Fork;
pub use cpus::{available_cpus, cpus_of_process};
pub use request::{Request, read};

use crate::model::atomic::{AtomicBool, Ordering};
use std::cell::Cell;

use crate::warnings;
use bind::Bind;
use layout::Order;
pub use machine::number_of_places;
use machine::{machine, narrate, place_list};
use sysfs::show_list;

/// A run of places in the place list: the value of place-partition-var. No places: `count` is 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    /// Index of the first place.
    pub first: u32,
    pub count: u32,
}

impl Partition {
    /// The whole place list.
    pub fn all() -> Partition {
        Partition { first: 0, count: places().len() as u32 }
    }
}

/// What the threads of a region do about affinity when they enter and leave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Affinity(u8);

impl Affinity {
    /// Nothing.
    pub const NONE: Affinity = Affinity(0);
    /// They go to the places that the primary thread chose.
    pub const BIND: Affinity = Affinity(1);
    /// Whether they say where they are is looked into at each region.
    pub const WATCHED: Affinity = Affinity(2);
    /// They say where they are.
    pub const SHOW: Affinity = Affinity(4);
    /// The primary thread of an outermost region is freed again.
    pub const RESET: Affinity = Affinity(8);

    /// What every region of the process does.
    pub fn of_process() -> Affinity {
        let request = in_force::request();
        let mut affinity = Affinity::NONE;
        if request.display {
            affinity = affinity.and(Affinity::WATCHED);
        }
        if request.kmp.reset {
            affinity = affinity.and(Affinity::RESET);
        }
        affinity
    }

    /// Both.
    pub fn and(self, other: Affinity) -> Affinity {
        Affinity(self.0 | other.0)
    }

    /// Whether all of `other` is in it.
    #[inline(always)]
    pub fn has(self, other: Affinity) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in this but not in `other`.
    pub fn without(self, other: Affinity) -> Affinity {
        Affinity(self.0 & !other.0)
    }

    /// What stays from one region to the next.
    pub fn lasting(self) -> Affinity {
        Affinity(self.0 & (Affinity::WATCHED.0 | Affinity::RESET.0))
    }
}

/// A set of CPUs to which a thread can be bound.
#[derive(Debug)]
pub struct Place {
    /// In ascending order, without repetitions, never empty.
    cpus: Vec<u32>,
    /// The same as the bit mask that the kernel takes.
    mask: Box<[u64]>,
}

impl Place {
    /// A place of these CPUs, which are in ascending order.
    pub(crate) fn new(cpus: Vec<u32>) -> Place {
        let mask = mask::words(&cpus);
        Place { cpus, mask }
    }

    /// The CPUs' numbers, ascending.
    pub fn cpus(&self) -> &[u32] {
        &self.cpus
    }

    /// Binds the calling thread to this place; false where the kernel refuses.
    pub(crate) fn bind_caller(&self) -> bool {
        CONFINED.store(true, Ordering::Relaxed);
        mask::set_of_caller(&self.mask).is_ok()
    }
}

/// Whether any thread has been bound. New threads begin with their creators' masks, so from then on they must be told
/// otherwise.
pub(crate) static CONFINED: AtomicBool = AtomicBool::new(false);

/// `omp_get_num_procs`: the processors that the process may use (OpenMP 5.1 §3.7.1); see [`available_cpus`].
pub fn num_procs() -> i32 {
    let count = match in_force::request().root {
        Some(_) => machine().cpus.len(),
        None => available_cpus() as usize,
    };
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The place list, made on the first call. Empty where neither places nor binding were asked for.
pub fn places() -> &'static [Place] {
    &place_list().places
}

/// The place of thread `tid` of a team, which is number `gtid` in the process, and the place partition of its implicit
/// task. Place -1 means that it is not to be bound.
pub fn place_of(fork: &Fork, tid: u32, gtid: i32) -> (i32, Partition) {
    let list = place_list();
    let count = list.places.len();
    match (fork.policy, &list.order) {
        (Bind::True, Order::ByThread { offset }) if count > 0 => (by_thread(gtid, *offset, count), fork.partition),
        (Bind::True, Order::Balanced { cores }) => {
            (layout::balanced_place(cores, fork.nthreads, tid).map_or(-1, |place| place as i32), fork.partition)
        }
        _ => fork.place_of(tid),
    }
}

pub(crate) fn by_thread(gtid: i32, offset: u32, count: usize) -> i32 {
    ((gtid.max(0) as u64 + u64::from(offset)) % count as u64) as i32
}

/// Moves the calling thread, whose number in the process is `gtid`, to a place, if it is not there already: the only
/// system call on the way into a region. `bound` has the place that the thread is bound to.
#[cold]
pub fn go(bound: &Cell<i32>, gtid: i32, place: i32) {
    let Some(target) = usize::try_from(place).ok().and_then(|index| places().get(index)) else { return };
    if bound.get() == place {
        return;
    }
    // The place is noted even if the kernel refuses, so that it is not asked again at every region.
    bound.set(place);
    if !machine().made_up && !target.bind_caller() {
        complain_of_refusal(place, target);
    }
    if in_force::request().kmp.verbose {
        let (process, thread_id) = display::numbers();
        let cpus = show_list(target.cpus());
        narrate(&format!("pid {process} tid {thread_id} thread {gtid} bound to CPUs {{{cpus}}}"));
    }
}

#[cold]
fn complain_of_refusal(place: i32, target: &Place) {
    static SAID: AtomicBool = AtomicBool::new(false);
    let error = std::io::Error::last_os_error();
    if !SAID.swap(true, Ordering::Relaxed) {
        let cpus = show_list(target.cpus());
        warnings::warn(&format!(
            "ferromp: cannot bind a thread to place {place} (CPUs {cpus}): {error}; threads run where the system puts them\n"
        ));
    }
}

/// Binds the calling thread, the first initial one, to its place where threads are to be bound, and keeps it to the
/// part of the machine that the program is to use. Counts the CPUs before it does.
pub fn bind_initial(bound: &Cell<i32>, gtid: i32) {
    available_cpus();
    let request = in_force::request();
    if request.kmp.verbose {
        machine();
    }
    if in_force::binds().first().is_none_or(|&bind| bind == Bind::False) || request.kmp.reset {
        if request.confines() {
            free(bound);
        }
        return;
    }
    let list = place_list();
    match &list.order {
        Order::Close => go(bound, gtid, 0),
        Order::ByThread { offset } if !list.places.is_empty() => {
            go(bound, gtid, by_thread(gtid, *offset, list.places.len()))
        }
        Order::ByThread { .. } | Order::Balanced { .. } => {}
    }
}

/// A new worker, which has begun with its creator's mask: where threads have been bound, it gets the process's CPUs.
pub fn settle_worker(bound: &Cell<i32>) {
    if CONFINED.load(Ordering::Relaxed) {
        free(bound);
    }
}

/// Gives the calling thread all CPUs that the process may use.
#[cold]
pub fn free(bound: &Cell<i32>) {
    bound.set(-1);
    let machine = machine();
    if !machine.made_up {
        CONFINED.store(true, Ordering::Relaxed);
        // Where the kernel refuses, the thread stays where it is.
        let _ = mask::set_of_caller(&mask::words(&machine.cpus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks() {
        let place = Place::new(vec![0, 63, 64, 130]);
        assert_eq!(*place.mask, [1 << 63 | 1, 1, 4]);
    }

    #[test]
    fn a_bound_thread_runs_where_it_should() {
        let cpu = *cpus::mask().last().unwrap();
        let bound = std::thread::spawn(move || {
            assert!(Place::new(vec![cpu]).bind_caller());
            // SAFETY: the call has no preconditions.
            unsafe { libc::sched_getcpu() }
        });
        assert_eq!(bound.join().unwrap(), cpu as i32);
    }

    #[test]
    fn threads_take_the_places_in_turn() {
        assert_eq!([0, 1, 2, 3, 4].map(|gtid| by_thread(gtid, 3, 4)), [3, 0, 1, 2, 3]);
        assert_eq!(by_thread(i32::MAX, u32::MAX, 7), ((i32::MAX as u64 + u32::MAX as u64) % 7) as i32);
    }

    #[test]
    fn what_lasts() {
        let all = Affinity::BIND.and(Affinity::SHOW).and(Affinity::RESET);
        assert!(all.has(Affinity::BIND) && !all.has(Affinity::WATCHED));
        assert_eq!(all.lasting(), Affinity::RESET);
    }
}

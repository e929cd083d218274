//! Binding the calling thread to places (OpenMP 5.1 §2.6.2).

use crate::objects::structures::Thread;
use crate::place;
pub(crate) use crate::place::bind::Bind;
use crate::place::cpus::available_cpus;
pub(crate) use crate::place::layout::Order;
use crate::place::machine::{machine, narrate, place_list};
use crate::place::sysfs::show_list;
use crate::place::{CONFINED, Place, by_thread, mask, places};
use crate::{icv, warnings};
use std::sync::atomic::{AtomicBool, Ordering};

/// Moves the calling thread to a place, if it is not there already: the only system call on the way into a region.
#[cold]
pub fn go(thread: &Thread, place: i32) {
    let Some(target) = usize::try_from(place).ok().and_then(|index| places().get(index)) else { return };
    if thread.place() == place {
        return;
    }
    // The place is noted even if the kernel refuses, so that it is not asked again at every region.
    thread.set_place(place);
    if !machine().made_up && !target.bind_caller() {
        complain_of_refusal(place, target);
    }
    if icv::settings().affinity.kmp.verbose {
        let (process, thread_id) = place::numbers();
        let number = thread.gtid();
        narrate(&format!(
            "pid {process} tid {thread_id} thread {number} bound to CPUs {{{}}}",
            show_list(target.cpus())
        ));
    }
}

#[cold]
pub(crate) fn complain_of_refusal(place: i32, target: &Place) {
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
pub fn bind_initial(thread: &Thread) {
    available_cpus();
    let settings = icv::settings();
    if settings.affinity.kmp.verbose {
        machine();
    }
    if settings.bind.first().is_none_or(|&bind| bind == Bind::False) || settings.affinity.kmp.reset {
        if settings.affinity.confines() {
            free(thread);
        }
        return;
    }
    let list = place_list();
    match &list.order {
        Order::Close => go(thread, 0),
        Order::ByThread { offset } if !list.places.is_empty() => {
            go(thread, by_thread(thread.gtid(), *offset, list.places.len()))
        }
        Order::ByThread { .. } | Order::Balanced { .. } => {}
    }
}

/// A new worker, which has begun with its creator's mask: where threads have been bound, it gets the process's CPUs.
pub fn settle_worker(thread: &Thread) {
    if CONFINED.load(Ordering::Relaxed) {
        free(thread);
    }
}

/// Gives the calling thread all CPUs that the process may use.
#[cold]
pub fn free(thread: &Thread) {
    thread.set_place(-1);
    let machine = machine();
    if !machine.made_up {
        CONFINED.store(true, Ordering::Relaxed);
        // Where the kernel refuses, the thread stays where it is.
        let _ = mask::set_of_caller(&mask::words(&machine.cpus));
    }
}

//! OMPD's side of the runtime: what a debugger's library reads, and where it lies (OpenMP 5.1 chapter 5).
//!
//! The library works from outside, on a stopped process or a core file. It finds everything from one exported object,
//! [`ferromp_ompd`]: the offsets of fields, taken from the types themselves, and the roots of what there is.
//! `README.md` has what a reader may rely on.

pub mod breakpoints;
mod locations;
pub mod threads;

use crate::allocators::table;
use crate::icv::{self, Icvs};
use crate::layout::{Shown, place};
use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Team};
use crate::objects::structures::{ParallelTool, TaskTool, ThreadTool};
use crate::objects::structures::{Task, TaskThread};
use crate::protocol::barrier::Arrival;
use crate::shown::{PROCESS, Process};
use ompd_layout::{Entry, Field, Header, MAGIC, VERSION};
use std::ffi::c_void;
use std::mem::offset_of;

/// What the library reads first.
#[repr(C, align(2048))]
pub struct Object {
    header: Header,
    entries: [Entry; Field::COUNT],
    /// The newest descriptor of a thread; each leads to the one before.
    pub(crate) threads: AtomicPtr<Thread>,
    /// What the whole process has; null until it is known.
    process: AtomicPtr<c_void>,
    /// Whether states, frames and places of constructs are kept.
    kept: AtomicU32,
}

// The object lies in one page, which changes with the first thread, so that each core file has it.
const _: () = assert!(size_of::<Object>() == 2048);

/// The object. Its symbol is one of those that a stripped library keeps.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name by which debuggers find it")]
pub static ferromp_ompd: Object = Object {
    header: Header { magic: MAGIC, version: VERSION, entries: Field::COUNT as u32 },
    entries: ENTRIES,
    threads: AtomicPtr::new(std::ptr::null_mut()),
    process: AtomicPtr::new(std::ptr::null_mut()),
    kept: AtomicU32::new(0),
};

/// Whether a debugger wants to know all of what happens: `OMP_DEBUG` is `enabled`, and the runtime is up.
static WATCHES: AtomicBool = AtomicBool::new(false);

/// Whether a debugger wants to know all of what happens. One relaxed load.
#[inline(always)]
pub fn watches() -> bool {
    cfg!(feature = "ompt") && WATCHES.load(Ordering::Relaxed)
}

/// The settings have been read: debuggers may load their library.
pub fn start_up() {
    show_process(&PROCESS);
    locations::publish();
}

/// No event will be missed from here on: begins to watch, if the user wants that. Returns whether a debugger watches.
pub fn watch() -> bool {
    WATCHES.store(icv::settings().debug, Ordering::Relaxed);
    watches()
}

/// Says whether states, frames and places of constructs are kept from here on.
pub fn show_kept(kept: bool) {
    ferromp_ompd.kept.store(kept.into(), Ordering::Release);
}

/// Says where the description of the whole process lies. It stays there.
pub fn show_process<T>(process: &'static T) {
    ferromp_ompd.process.store(std::ptr::from_ref(process).cast_mut().cast(), Ordering::Release);
}

/// Where each field lies.
const ENTRIES: [Entry; Field::COUNT] = {
    let mut entries = [Entry::ABSENT; Field::COUNT];
    put(
        &mut entries,
        0,
        &[
            (Field::RootThreads, place!(Object, threads)),
            (Field::RootProcess, place!(Object, process)),
            (Field::RootKept, place!(Object, kept)),
        ],
    );
    put(&mut entries, 0, Thread::SHOWN);
    put(&mut entries, offset_of!(Thread, tool), ThreadTool::SHOWN);
    put(&mut entries, offset_of!(Thread, tasks), TaskThread::SHOWN);
    put(&mut entries, 0, Member::SHOWN);
    put(&mut entries, offset_of!(Member, arrival), Arrival::SHOWN);
    put(&mut entries, 0, Team::SHOWN);
    put(&mut entries, offset_of!(Team, tool), ParallelTool::SHOWN);
    put(&mut entries, 0, Task::SHOWN);
    put(&mut entries, offset_of!(Task, tool), TaskTool::SHOWN);
    put(&mut entries, 0, crate::objects::task::SHOWN);
    put(&mut entries, 0, crate::objects::lock_word::SHOWN);
    put(&mut entries, 0, Icvs::SHOWN);
    put(&mut entries, 0, Process::SHOWN);
    put(&mut entries, 0, icv::lists::List::SHOWN);
    put(&mut entries, 0, table::Allocator::SHOWN);
    let mut field = 0;
    while field < Field::COUNT {
        assert!(entries[field].size != 0, "each field has its place");
        field += 1;
    }
    entries
};

/// Enters fields of a part that lies `offset` bytes into what the library knows.
const fn put(entries: &mut [Entry; Field::COUNT], offset: usize, shown: Shown) {
    let mut next = 0;
    while next < shown.len() {
        let (field, entry) = shown[next];
        assert!(entries[field as usize].size == 0, "each field has one place");
        entries[field as usize] = Entry { offset: offset as u32 + entry.offset, size: entry.size };
        next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_leads_to_its_field() {
        let thread = crate::objects::current::current();
        let entry = ENTRIES[Field::ThreadTask as usize];
        // SAFETY: the entry is an offset into the descriptor.
        let task = unsafe { *std::ptr::from_ref(thread).byte_add(entry.offset as usize).cast::<*const Task>() };
        assert!(std::ptr::eq(task, thread.task()));
        assert_eq!(entry.size as usize, size_of::<*const Task>());
    }

    #[test]
    fn each_live_thread_is_in_the_list() {
        let here = crate::objects::current::current();
        let listed = || crate::ompd::threads::all().filter(|thread| thread.pthread() != 0);
        assert!(listed().any(|thread| std::ptr::eq(thread, here)));
        let there = std::thread::spawn(|| std::ptr::from_ref(crate::objects::current::current()) as usize)
            .join()
            .expect("it ends");
        assert!(!listed().any(|thread| std::ptr::from_ref(thread) as usize == there));
    }
}

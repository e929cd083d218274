//! The runtime's part of OMPD: the object from which a debugger's library reads (OpenMP 5.1 chapter 5).
//!
//! The library works on a stopped process or a core file. It starts from one exported object, [`ferromp_ompd`], which
//! has the offset of each field, computed from the types themselves, and the roots of all structures. `README.md` says
//! what the library may rely on.

pub mod breakpoints;
pub(crate) mod locations;
pub mod threads;

pub use breakpoints::{debugging, start_debugging};

use crate::allocators::table;
use crate::icv::{self, Icvs};
use crate::layout::{Shown, place};
use crate::model::atomic::{AtomicPtr, AtomicU32, Ordering};
use crate::objects::structures::{Member, ParallelTool, Task, TaskThread, TaskTool, Team, Thread, ThreadTool};
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
    /// The newest descriptor of a thread. Each descriptor leads to the one before.
    pub(crate) threads: AtomicPtr<Thread>,
    /// The description of the whole process; null until the settings have been read.
    process: AtomicPtr<c_void>,
    /// Whether states, frames and the places of constructs are kept.
    kept: AtomicU32,
}

// The object lies in one page. The first thread changes the page, so that each core file has the object.
const _: () = assert!(size_of::<Object>() == 2048);

/// The object. A stripped library keeps its symbol.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name by which debuggers find it")]
pub static ferromp_ompd: Object = Object {
    header: Header { magic: MAGIC, version: VERSION, entries: Field::COUNT as u32 },
    entries: ENTRIES,
    threads: AtomicPtr::new(std::ptr::null_mut()),
    process: AtomicPtr::new(std::ptr::null_mut()),
    kept: AtomicU32::new(0),
};

/// The settings have been read: debuggers may load their library.
pub fn start_up() {
    ferromp_ompd.process.store((&raw const PROCESS).cast_mut().cast(), Ordering::Release);
    locations::publish();
}

/// Says whether states, frames and the places of constructs are kept from here on.
pub fn show_kept(kept: bool) {
    ferromp_ompd.kept.store(kept.into(), Ordering::Release);
}

/// The offset and size of each field.
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

/// Enters the fields of a part that lies `offset` bytes into the library's structure.
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

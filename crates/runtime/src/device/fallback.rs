//! Target constructs on the host (OpenMP 5.1 §2.14.5–7): a target task that runs the region as an initial task, in its place or
//! when it is its turn, and the ordering that constructs without a region take part in.

use crate::abi::Call;
use crate::arch;
use crate::ompt::Entered;
use crate::task::{self, Body, Dependence, Task, flag};
use crate::team::{Member, Outlined, initial};
use crate::thread::{self, Thread};
use std::ffi::c_void;

/// `depend` and `nowait` clauses.
#[derive(Clone, Copy)]
pub struct Synchronisation<'a> {
    pub dependences: &'a [Dependence],
    pub nowait: bool,
}

/// A target construct's region.
pub struct Region<'a> {
    /// The code, which takes a pointer to the addresses.
    pub function: *const c_void,
    /// Where each variable of the region is, or its value, as the code expects it.
    pub addresses: &'a [usize],
    /// Which of these variables get a copy of their own.
    pub privates: &'a [Private],
    /// The `thread_limit` clause.
    pub thread_limit: Option<i32>,
}

/// A firstprivate variable of a region.
#[derive(Clone, Copy)]
pub struct Private {
    /// Its place among the addresses.
    pub index: usize,
    pub bytes: usize,
    /// A power of two.
    pub align: usize,
}

/// What the payload of a target task begins with. The addresses follow, then the private copies.
#[repr(C)]
struct Payload {
    function: *const c_void,
    thread_limit: Option<i32>,
}

/// Executes a target region on the host: at once, or with `nowait` as a deferred task.
///
/// # Safety
/// The code and the addresses belong together, and private variables have as many bytes as said.
#[cold]
pub unsafe fn execute(thread: &'static Thread, region: &Region, order: Synchronisation, call: Call) {
    let _in = Entered::new(thread, call);
    let (offsets, bytes) = layout(region);
    let task = create(thread, bytes, order);
    let payload = task.payload();
    // SAFETY: the payload has as many bytes as `layout` says and is nobody else's yet; the variables are as the caller says.
    unsafe {
        payload.cast::<Payload>().write(Payload { function: region.function, thread_limit: region.thread_limit });
        let addresses = payload.add(size_of::<Payload>()).cast::<usize>();
        std::ptr::copy_nonoverlapping(region.addresses.as_ptr(), addresses, region.addresses.len());
        for (private, offset) in region.privates.iter().zip(offsets) {
            let copy = payload.add(offset);
            let copy = copy.add(copy.align_offset(private.align));
            let address = addresses.add(private.index);
            std::ptr::copy_nonoverlapping(*address as *const u8, copy, private.bytes);
            *address = copy as usize;
        }
    }
    task.set_body(Body { function: run as *const c_void, a: payload as usize, b: 0, after: std::ptr::null() });
    task::launch(thread, task, order.dependences, call);
}

/// Orders a construct that has nothing to do on the host, such as `target update`, among the tasks that it depends on.
#[cold]
pub fn order(thread: &'static Thread, order: Synchronisation, call: Call) {
    extern "C" fn nothing() {}
    if order.dependences.is_empty() {
        return;
    }
    let _in = Entered::new(thread, call);
    let task = create(thread, 0, order);
    task.set_body(Body { function: nothing as *const c_void, a: 0, b: 0, after: std::ptr::null() });
    task::launch(thread, task, order.dependences, call);
}

/// A target task, not yet generated.
pub(super) fn create(thread: &Thread, bytes: usize, order: Synchronisation) -> &'static Task {
    let flags = if order.nowait { flag::TARGET } else { flag::TARGET | flag::UNDEFERRED };
    task::create(thread, bytes, flags, 0)
}

/// Where each private copy may begin, before it is aligned, and how many bytes there are in all.
fn layout(region: &Region) -> (Vec<usize>, usize) {
    let mut end = size_of::<Payload>() + size_of_val(region.addresses);
    let offsets = region.privates.iter().map(|private| {
        let offset = end;
        end += private.bytes + private.align - 1;
        offset
    });
    (offsets.collect(), end)
}

/// The body of a target task.
unsafe extern "C" fn run(payload: *const Payload) {
    // SAFETY: `execute` has filled the payload, and it lives until the task ends.
    let (head, addresses) = unsafe { (&*payload, payload.add(1).cast::<usize>()) };
    let outlined = Outlined { invoke, function: head.function, argc: 0, head: addresses, tail: std::ptr::null() };
    initial::execute(thread::current(), &outlined, head.thread_limit);
}

/// Calls `function(addresses)` for the initial task of a region.
unsafe fn invoke(outlined: &Outlined, _: &Thread, _: &Member, exit_frame: *mut usize) {
    // SAFETY: as the caller of `execute` said.
    unsafe { arch::call_outlined(outlined.function, outlined.head as usize, 0, exit_frame) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_copies_do_not_overlap() {
        let privates = [Private { index: 0, bytes: 5, align: 1 }, Private { index: 1, bytes: 64, align: 64 }];
        let region = Region { function: std::ptr::null(), addresses: &[0, 0], privates: &privates, thread_limit: None };
        let start = size_of::<Payload>() + 16;
        assert_eq!(layout(&region), (vec![start, start + 5], start + 5 + 64 + 63));
    }
}

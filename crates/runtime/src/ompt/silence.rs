//! Silence: the end of events, and of what is kept for them, once no tool is active any more (OpenMP 5.1 §4.6.1.20).
//!
//! The finaliser of a tool must not run while another thread is inside a callback. `README.md` has the protocol.

use super::registry::{has_tool, turn_events};
use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::objects::switch::{ACTIVE, MAY_HAVE_TOOL, active};
use crate::ompd::{self, threads};
use crate::park::futex;
use crate::protocol::slots;
use std::time::{Duration, Instant};

/// Whether tools have been turned off, and the last callback has returned or has been given up.
static SILENT: AtomicBool = AtomicBool::new(false);

/// How long the finaliser waits for callbacks on other threads.
const PATIENCE: Duration = Duration::from_secs(1);

/// Called when the search for tools is over, and when the tools have ended. Without a tool and a debugger, entry points
/// need not look for either any more. A thread that is inside an entry point may finish in either form of the function.
pub fn settle() {
    #[cfg(feature = "ompt")]
    if ompd::start_debugging() {
        ACTIVE.store(true, Ordering::SeqCst);
    } else if !active() {
        MAY_HAVE_TOOL.store(false, Ordering::Relaxed);
        current::note_no_tool();
    }
    ompd::show_kept(active());
}

/// Whether the entry points of a tool answer questions about the thread: while a tool is active, and in a callback that
/// began before tools were turned off, until all such callbacks have returned.
pub fn answers(thread: &Thread) -> bool {
    has_tool() || (thread.tool.in_callback() && !SILENT.load(Ordering::Relaxed))
}

/// Registers the process for `membarrier`, which [`wait_for_callbacks`] uses. Called before the first tool is active.
pub fn prepare() {
    membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: the call takes no pointers.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Turns events off for good, and waits, for a bounded time, until no other thread is inside a callback.
pub fn silence() {
    turn_events(false);
    settle();
    wait_for_callbacks();
    SILENT.store(true, Ordering::Relaxed);
    if !active() {
        // States are not kept any more. A debugger must not read stale ones.
        threads::all().for_each(|thread| thread.tool.set_state(ompt::State::UNDEFINED));
    }
}

/// Waits, for a bounded time, until no other thread is inside a callback that began before the call. The caller has
/// turned events off, or has emptied the slots of one tool.
pub fn wait_for_callbacks() {
    let fence = || {
        if !membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) {
            // An old kernel has no `membarrier`. The other threads' stores become visible within this time.
            futex::rest(Duration::from_millis(1));
        }
    };
    let own = current::try_current().map(std::ptr::from_ref);
    let others = threads::all().filter(|&thread| Some(std::ptr::from_ref(thread)) != own);
    let mut patience = None;
    slots::wait_for_callbacks(others.map(|thread| &thread.tool.calling), fence, || {
        let patience = *patience.get_or_insert_with(|| Instant::now() + PATIENCE);
        futex::rest(Duration::from_micros(20));
        Instant::now() < patience
    });
}

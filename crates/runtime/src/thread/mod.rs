//! Threads: the descriptor of each, how code finds its own, the pool of idle ones, waiting, and what
//! happens to them at `fork` and `exit`.
//!
//! A descriptor lives for ever once made and is used again after its thread has ended, so that a
//! stale pointer to one is never dangling. A foreign thread (one that the runtime did not create)
//! that enters any door becomes a root: it gets a descriptor and an initial task (OpenMP 5.1 §1.3).

pub mod pool;
pub mod process;
pub mod root;
mod team;
pub mod wait;

use crate::icv::{self, Icvs};
use crate::objects::current::asked;

/// What `read` finds among the ICVs of the calling thread's current task. Where [`asked`] has no thread, they are an
/// initial task's.
#[inline(always)]
pub fn read_icvs<T>(read: impl FnOnce(&Icvs) -> T) -> T {
    match asked() {
        Some(thread) => read(thread.icvs()),
        None => {
            prepare_to_answer();
            read(&icv::initial())
        }
    }
}

/// Sees that the environment has been read, for a question that is not about the calling thread. In a signal handler no
/// tool is looked for: the dynamic linker allocates memory when it does not find one.
#[inline]
pub fn prepare_to_answer() {
    if asked().is_none() && !process::is_prepared() {
        prepare_in_handler();
    }
}

#[cold]
fn prepare_in_handler() {
    let held = crate::signals::hold();
    let first_use = process::prepare();
    drop((first_use, held));
}

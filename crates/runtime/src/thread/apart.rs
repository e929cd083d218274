//! Moving a worker that waits on one CPU with another: `place/apart.rs` has the seats.

use crate::objects::current;
use crate::place::apart::{REST_NS, SEATS, leave};

/// Looks whether the calling thread, which is about to give way in a wait at the time `now`, shares its CPU with
/// another that waits, and moves it if so. For teams that the CPUs suffice for.
pub fn look(now: u64) {
    let Some(thread) = current::try_current() else { return };
    // SAFETY: takes no arguments; negative where the kernel does not tell.
    let Ok(cpu) = u32::try_from(unsafe { libc::sched_getcpu() }) else { return };
    let seated = &thread.seated;
    // The program's own threads stay where they are, so that their masks are never touched.
    if seated.shares(&SEATS, cpu, thread.gtid() as u32 + 1)
        && thread.tool.kind.get() == ::ompt::Thread::WORKER
        && now.saturating_sub(seated.moved.get()) >= REST_NS
    {
        seated.moved.set(now);
        leave(cpu);
    }
}

//! What `ompt_set_callback` answers for each event, and why where it is not *always*
//! (OpenMP 5.1 §4.6.1.3).

use ::ompt::{Event, SetResult};

/// The answer for an event.
pub fn answer(event: Event) -> SetResult {
    match event {
        Event::ThreadBegin
        | Event::ThreadEnd
        | Event::ParallelBegin
        | Event::ParallelEnd
        | Event::TaskCreate
        | Event::TaskSchedule
        | Event::ImplicitTask
        | Event::ControlTool
        | Event::SyncRegionWait
        | Event::SyncRegion
        | Event::MutexReleased
        | Event::LockInit
        | Event::LockDestroy
        | Event::MutexAcquire
        | Event::MutexAcquired
        | Event::NestLock => SetResult::ALWAYS,
        // gcc expands static loops, and the end of `single`, in the program itself; the runtime is
        // not called.
        Event::Work => SetResult::SOMETIMES,
        // gcc expands `masked` in the program itself.
        Event::Masked => SetResult::SOMETIMES,
        // Known to OpenMP 5.1 and not dispatched: dependences, flush, cancellation, reductions,
        // chunks, errors, and everything of devices.
        event if event.name().is_some() => SetResult::NEVER,
        _ => SetResult::ERROR,
    }
}

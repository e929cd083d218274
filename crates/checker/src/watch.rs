//! The thread that notices when a program does not go on. Only `ferromp check` asks for it (`FERROMP_CHECKER_WATCH`, in
//! milliseconds), because a program may count its threads.

use crate::shared::MODEL;
use std::time::Duration;

/// Starts to watch this process, if the environment asks for it.
pub fn begin() {
    let quiet = std::env::var("FERROMP_CHECKER_WATCH").ok().and_then(|text| text.parse().ok());
    let Some(quiet) = quiet.map(Duration::from_millis) else { return };
    // SAFETY: a full set is valid, and both calls only read and write the two sets.
    let before = unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        // The program's signals are the program's: the thread inherits this mask.
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        before
    };
    // Without a further thread, a hanging program goes unreported.
    let _ = std::thread::Builder::new().name("ferromp-check".into()).stack_size(256 << 10).spawn(move || watch(quiet));
    // SAFETY: the set is the thread's own of before.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
}

/// Compares the count of events at each tick, and reports a silence once.
fn watch(quiet: Duration) {
    let (mut seen, mut reported) = (0, u64::MAX);
    loop {
        std::thread::sleep(quiet);
        let mut model = MODEL.lock();
        if model.finalized {
            return;
        }
        if model.events != seen {
            seen = model.events;
        } else if reported != seen && seen != 0 {
            reported = seen;
            model.quiet();
        }
    }
}

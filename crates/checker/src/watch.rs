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
    // Without a thread to spare, a program that hangs is not told of.
    let _ = std::thread::Builder::new().name("ferromp-check".into()).stack_size(256 << 10).spawn(move || watch(quiet));
    // SAFETY: the set is the one that the thread had.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
}

/// Looks again and again; speaks once for each silence.
fn watch(quiet: Duration) {
    let (mut seen, mut told) = (0, u64::MAX);
    loop {
        std::thread::sleep(quiet);
        let mut model = MODEL.lock();
        if model.finalized {
            return;
        }
        if model.events != seen {
            seen = model.events;
        } else if told != seen && seen != 0 {
            told = seen;
            model.quiet();
        }
    }
}

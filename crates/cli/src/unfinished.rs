//! What a command is writing and has not finished: a signal that ends the command removes it.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

/// The signals that end the command. SIGKILL leaves what is unfinished under a name of its own.
const ENDING: [i32; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];
/// How often a folder is removed that still gets files.
const ATTEMPTS: u32 = 100;

/// What is not finished.
static PATH: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A file or folder that is not finished, until dropped. There is one at a time.
pub struct Unfinished(());

impl Unfinished {
    /// Makes something at a path. From its existence on, the signals that end the command remove it before. Threads
    /// that the command starts later leave the signals to the thread that does this.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn make<T>(make: impl FnOnce() -> Result<T>, path: impl FnOnce(&T) -> &Path) -> Result<(Unfinished, T)> {
        static WATCH: Once = Once::new();
        WATCH.call_once(watch);
        // A signal waits for the lock, so that nothing is made that it does not know.
        let mut unfinished = PATH.lock().unwrap_or_else(PoisonError::into_inner);
        let made = make()?;
        *unfinished = Some(path(&made).to_owned());
        Ok((Unfinished(()), made))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        *PATH.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Starts the thread that waits for the signals. If there can be no thread, the signals act as ever.
fn watch() {
    // SAFETY: the set and the mask are this thread's, and all are valid for writing; sigaction only reads.
    let (signals, before) = unsafe {
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut signals);
        for signal in ENDING {
            let mut action: libc::sigaction = std::mem::zeroed();
            let known = libc::sigaction(signal, std::ptr::null(), &mut action) == 0;
            // A signal that is ignored stays ignored, as nohup wants it.
            if known && action.sa_sigaction == libc::SIG_DFL {
                libc::sigaddset(&mut signals, signal);
            }
        }
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, &signals, &mut before);
        (signals, before)
    };
    let thread = std::thread::Builder::new().name("ferromp-signals".to_owned());
    if thread.spawn(move || wait(signals)).is_err() {
        // SAFETY: the mask is the one that the thread had.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
    }
}

/// Waits for a signal, removes what is not finished, and lets the signal end the process.
fn wait(signals: libc::sigset_t) {
    let mut signal = 0;
    // SAFETY: the set is valid, and the number may be written.
    while unsafe { libc::sigwait(&signals, &mut signal) } != 0 {}
    // The lock is held to the end: a thread that fails because its files have vanished waits here, and says nothing.
    let path = PATH.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = &*path {
        remove(path);
    }
    // SAFETY: the signal's action is the default, which ends the process, once this thread does not block the signal.
    unsafe {
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &signals, std::ptr::null_mut());
        libc::raise(signal);
    }
}

fn remove(path: &Path) {
    for _ in 0..ATTEMPTS {
        let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        if removed.is_ok() || !path.exists() {
            return;
        }
        // The other threads go on writing.
        std::thread::sleep(Duration::from_millis(1));
    }
}

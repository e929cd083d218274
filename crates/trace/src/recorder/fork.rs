//! What happens at a fork: the child begins a recording of its own.

use super::session::Session;
use super::{devices, local};
use std::sync::Once;

/// Has forks noticed from here on. Called before there is anything that a child must not have.
pub fn notice() {
    unsafe extern "C" fn before_fork() {
        local::before_fork();
    }
    unsafe extern "C" fn in_parent() {
        local::in_parent();
    }
    unsafe extern "C" fn in_child() {
        local::in_child();
        devices::forget();
        Session::forked();
    }
    // The handlers are installed once: if they ran twice, the second run would take the first run's mark for the
    // thread's state.
    static HANDLERS: Once = Once::new();
    // SAFETY: the handlers are functions of this library; the system forgets them if it is unloaded.
    HANDLERS.call_once(|| unsafe {
        libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child));
    });
}

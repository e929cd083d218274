//! One word of thread-local memory that is read without a call. A shared library's `thread_local!` would cost a call of
//! `__tls_get_addr` an event; the initial-exec model costs two loads.

/// The word of a thread that has not yet recorded; any other value is the owner's.
pub const NEW: usize = 0;

pub use crate::arch::{set_thread_word as set, thread_word as get};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_own_word() {
        let word = || {
            let before = get();
            set(42);
            (before, get())
        };
        assert_eq!(std::thread::spawn(word).join().unwrap(), (NEW, 42));
        assert_eq!(std::thread::spawn(word).join().unwrap(), (NEW, 42));
    }
}

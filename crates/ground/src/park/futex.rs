//! The futex system call: sleeping while a 32-bit word has a value, and waking the threads that sleep on the word.
//!
//! See futex(2). Under loom a table of modelled condition variables stands in, one a word; under
//! `--cfg simulated` the simulator does, which knows what the calls cost.

#[cfg(not(simulated))]
use crate::model::atomic::{AtomicU32, AtomicU64};

/// Sleeps while `*word == expected`. Returns on a wake, on a signal or spuriously; callers re-check.
#[cfg(not(any(loom, simulated)))]
#[cold]
pub fn wait(word: &AtomicU32, expected: u32) {
    wait_for(word, expected, None);
}

/// As [`wait`], and returns after `limit` at the latest.
#[cfg(not(any(loom, simulated)))]
#[cold]
pub fn wait_for(word: &AtomicU32, expected: u32, limit: Option<std::time::Duration>) {
    let limit =
        limit.map(|limit| libc::timespec { tv_sec: limit.as_secs() as _, tv_nsec: limit.subsec_nanos().into() });
    call(word, libc::FUTEX_WAIT, expected, limit.as_ref().map_or(std::ptr::null(), std::ptr::from_ref));
}

/// Sleeps for `time`. `std::thread::sleep` never ends under signals in quick succession: the kernel counts its slack of
/// some 50 us into the time that is left.
#[cfg(not(any(loom, simulated)))]
#[cold]
pub fn rest(time: std::time::Duration) {
    let begun = std::time::Instant::now();
    while let Some(left) = time.checked_sub(begun.elapsed()) {
        wait_for(&AtomicU32::new(0), 0, Some(left));
    }
}

/// Wakes up to `count` threads that sleep on `word`.
#[cfg(not(any(loom, simulated)))]
#[cold]
pub fn wake(word: &AtomicU32, count: i32) {
    call(word, libc::FUTEX_WAKE, count as u32, std::ptr::null());
}

/// The system call. errno is left as the program had it.
#[cfg(not(any(loom, simulated)))]
fn call(word: &AtomicU32, operation: i32, value: u32, limit: *const libc::timespec) {
    // SAFETY: the word and the timeout, null for none, outlive the call, and a private futex touches nothing else. A
    // wake only reads the address.
    unsafe {
        let errno = libc::__errno_location();
        let saved = *errno;
        libc::syscall(libc::SYS_futex, word.as_ptr(), operation | libc::FUTEX_PRIVATE_FLAG, value, limit);
        *errno = saved;
    }
}

/// As [`wait`], on the lower half of a word of 64 bits.
#[cfg(not(any(loom, simulated)))]
#[cold]
pub fn wait_on_lower_half(word: &AtomicU64, expected: u32) {
    wait(lower_half(word), expected);
}

/// Wakes one thread that sleeps on the lower half of `word`.
#[cfg(not(any(loom, simulated)))]
#[cold]
pub fn wake_on_lower_half(word: &AtomicU64) {
    wake(lower_half(word), 1);
}

/// The half that the kernel looks at. Nothing is read or written through the half here.
#[cfg(not(any(loom, simulated)))]
fn lower_half(word: &AtomicU64) -> &AtomicU32 {
    // SAFETY: the first four bytes of the word, which on a little-endian machine are its lower half; they live as long
    // as the word.
    unsafe { AtomicU32::from_ptr(word.as_ptr().cast()) }
}

#[cfg(loom)]
mod modelled {
    use super::{AtomicU32, AtomicU64};
    use crate::model::atomic::Ordering;
    use loom::sync::{Arc, Condvar, Mutex};
    use std::collections::BTreeMap;

    loom::lazy_static! {
        // The threads that sleep on a word, by the word's address.
        static ref QUEUES: Mutex<BTreeMap<usize, Arc<Condvar>>> = Mutex::new(BTreeMap::new());
    }

    /// The modelled sleep: compares under the queues' lock, as the kernel does.
    fn sleep(address: usize, is_as_expected: impl Fn() -> bool) {
        let mut queues = QUEUES.lock().unwrap();
        if is_as_expected() {
            let queue = queues.entry(address).or_insert_with(|| Arc::new(Condvar::new())).clone();
            drop(queue.wait(queues).unwrap());
        }
    }

    /// The modelled wake of one thread, or of all: under the queues' lock, as the kernel does.
    fn rouse(address: usize, count: i32) {
        let queues = QUEUES.lock().unwrap();
        match queues.get(&address) {
            Some(queue) if count == 1 => queue.notify_one(),
            Some(queue) => queue.notify_all(),
            None => {}
        }
    }

    pub fn wait(word: &AtomicU32, expected: u32) {
        sleep(std::ptr::from_ref(word) as usize, || word.load(Ordering::SeqCst) == expected);
    }

    pub fn wake(word: &AtomicU32, count: i32) {
        rouse(std::ptr::from_ref(word) as usize, count);
    }

    pub fn wait_on_lower_half(word: &AtomicU64, expected: u32) {
        sleep(std::ptr::from_ref(word) as usize, || word.load(Ordering::SeqCst) as u32 == expected);
    }

    pub fn wake_on_lower_half(word: &AtomicU64) {
        rouse(std::ptr::from_ref(word) as usize, 1);
    }
}

#[cfg(loom)]
pub use modelled::{wait, wait_on_lower_half, wake, wake_on_lower_half};

#[cfg(simulated)]
pub use ferromp_simulator::futex::{wait, wait_on_lower_half, wake, wake_on_lower_half};

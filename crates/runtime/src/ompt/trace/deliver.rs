//! The helper thread, which is no thread of OpenMP's. It hands buffers back to tools (OpenMP 5.1 §4.5.2.24), in the
//! order in which each channel has filled them. No lock is held while a tool's function runs.

use super::buffers::Completed;
use super::cursor;
use super::progress::Progress;
use crate::first_use::caller;
use crate::model::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::ompt::unwind;
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::stack;
use ::ompt::BufferComplete;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};

/// A buffer on its way to the tool.
pub struct Delivery {
    /// The device's number.
    pub device: c_int,
    /// The tool's number.
    pub tool: usize,
    /// The progress of the buffer's channel.
    pub progress: &'static Progress,
    /// How many buffers the trace has of the tool's.
    pub lent: &'static AtomicU32,
    pub completed: Completed,
}

static QUEUE: Mutex<VecDeque<Delivery>> = Mutex::new(VecDeque::new());
/// Wakes the helper when a buffer is queued.
static ARRIVED: Event = Event::new();
/// Wakes threads that wait for deliveries.
static DELIVERED: Event = Event::new();
/// The helper, as `pthread_self` has it; 0 while there is none.
static HELPER: AtomicUsize = AtomicUsize::new(0);
/// Whether the helper is to end when the queue is empty. Written with `CREATING` held; `ARRIVED` wakes the helper.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Held while the helper is created or ended.
static CREATING: Mutex<()> = Mutex::new(());

/// Whether the calling thread is the helper. The helper is then inside a tool's callback, and cannot wait for itself.
pub fn is_helper() -> bool {
    HELPER.load(Ordering::Relaxed) == caller()
}

/// Creates the helper if there is none. Returns false if no thread can be created.
pub fn start() -> bool {
    CREATING.with(|()| {
        if HELPER.load(Ordering::Relaxed) != 0 {
            return true;
        }
        // SAFETY: the function takes no argument.
        let created = unsafe { stack::create(run, std::ptr::null_mut()) };
        let Ok(thread) = created else { return false };
        HELPER.store(thread as usize, Ordering::Relaxed);
        true
    })
}

/// Ends the helper after it has delivered what is queued, and waits for its end. On the helper itself, which is inside
/// a callback, nothing happens.
pub fn end() {
    if is_helper() {
        return;
    }
    CREATING.with(|()| {
        let helper = HELPER.load(Ordering::Relaxed);
        if helper == 0 {
            return;
        }
        ENDING.store(true, Ordering::Relaxed);
        ARRIVED.notify_all();
        // SAFETY: the helper is joinable, and only the thread that finds it here joins it.
        unsafe { libc::pthread_join(helper as libc::pthread_t, std::ptr::null_mut()) };
        ENDING.store(false, Ordering::Relaxed);
        HELPER.store(0, Ordering::Relaxed);
    });
    // A buffer may have been queued after the helper's last look. Either its poster sees that there is no helper, or
    // this thread sees the buffer.
    if QUEUE.with(|queue| !queue.is_empty()) {
        start();
    }
}

/// Queues a buffer.
#[cold]
pub fn post(delivery: Delivery) {
    QUEUE.with(|queue| queue.push_back(delivery));
    ARRIVED.notify_all();
    if HELPER.load(Ordering::Relaxed) == 0 {
        start();
    }
}

/// Takes the first buffer in the queue that is the next of its channel. A buffer with a lower number may not be queued
/// yet.
fn next() -> Option<Delivery> {
    QUEUE.with(|queue| {
        let index = queue.iter().position(|delivery| delivery.progress.take(delivery.completed.number))?;
        queue.remove(index)
    })
}

/// As [`BufferComplete`], of a function that may unwind.
type Complete = unsafe extern "C-unwind" fn(c_int, *mut c_void, usize, u64, c_int);
const _: () = assert!(size_of::<Complete>() == size_of::<BufferComplete>());

impl Delivery {
    fn hand_over(self) {
        let Completed { memory, used, number } = self.completed;
        // SAFETY: the buffer is the device's until the callback.
        let begin = unsafe { cursor::seal(&memory, used) };
        // SAFETY: `owner` is the function that the tool gave to `ompt_start_trace`. `unwind.rs` says what happens if
        // the function unwinds.
        let complete = unsafe { std::mem::transmute::<usize, Complete>(memory.owner) };
        unwind::in_tool(self.tool, || {
            // SAFETY: the tool's own function and buffer. The buffer is the tool's from here on.
            unsafe { complete(self.device, memory.buffer as *mut c_void, memory.bytes, begin, 1) }
        });
        self.lent.fetch_sub(1, Ordering::Relaxed);
        self.progress.deliver(number);
        DELIVERED.notify_all();
    }
}

extern "C" fn run(_: *mut c_void) -> *mut c_void {
    // Signals are for the program's threads.
    // SAFETY: a full set of signals for this thread.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, std::ptr::null_mut());
    }
    // Before the first delivery, which `start` may not have reached with its own store.
    HELPER.store(caller(), Ordering::Relaxed);
    loop {
        let ticket = ARRIVED.prepare();
        match next() {
            Some(delivery) => {
                ARRIVED.cancel(ticket);
                delivery.hand_over();
            }
            None if ENDING.load(Ordering::Relaxed) => {
                ARRIVED.cancel(ticket);
                return std::ptr::null_mut();
            }
            None => ARRIVED.sleep(ticket),
        }
    }
}

/// Makes the next delivery, on the helper, which is inside a callback. If there is none, lets another thread run.
pub fn make_one() {
    match next() {
        Some(delivery) => delivery.hand_over(),
        None => std::thread::yield_now(),
    }
}

/// Waits until deliveries have made `done` true. The helper, which is inside a callback, makes the deliveries here.
pub fn wait(done: impl Fn() -> bool) {
    while !done() {
        if is_helper() {
            make_one();
            continue;
        }
        let ticket = DELIVERED.prepare();
        if done() {
            DELIVERED.cancel(ticket);
        } else {
            DELIVERED.sleep(ticket);
        }
    }
}

/// In a forked child: there is no helper, and the queued buffers are the parent's.
pub fn after_fork() {
    QUEUE.renew_after_fork();
    CREATING.renew_after_fork();
    ARRIVED.forget_sleepers();
    DELIVERED.forget_sleepers();
    HELPER.store(0, Ordering::Relaxed);
}

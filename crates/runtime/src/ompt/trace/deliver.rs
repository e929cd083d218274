//! The helper thread, which is no thread of OpenMP's: it hands buffers back to tools (OpenMP 5.1 §4.5.2.24), in the
//! order in which each strip has filled them. No lock is held while a tool's function runs.

use super::buffers::Parcel;
use super::progress::Progress;
use crate::model::atomic::{AtomicBool, AtomicUsize, Ordering};
use crate::ompt::unwind;
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::stack;
use ::ompt::BufferComplete;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};

/// The trace that a buffer belongs to. It lives for ever.
pub trait Owner: Sync {
    /// The device's number.
    fn device(&self) -> c_int;
    /// The tool's number.
    fn tool(&self) -> usize;
    /// How far buffers have come that are posted for `strip`.
    fn progress(&self, strip: usize) -> &Progress;
    /// The tool has one of its buffers back, or has given none.
    fn has_back(&self);
}

/// A buffer on its way to the tool.
struct Delivery {
    trace: &'static dyn Owner,
    /// Which strip filled it, or what stands for one (`session.rs`).
    strip: usize,
    parcel: Parcel,
}

static QUEUE: Mutex<VecDeque<Delivery>> = Mutex::new(VecDeque::new());
/// Where the helper waits for deliveries.
static ARRIVED: Event = Event::new();
/// Where others wait until something has been delivered.
static DELIVERED: Event = Event::new();
/// The helper, as `pthread_self` has it; 0 while there is none.
static HELPER: AtomicUsize = AtomicUsize::new(0);
/// Whether the helper is to end when nothing is queued. Written with `CREATING`; `ARRIVED` tells the helper.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Held while the helper is created or ended.
static CREATING: Mutex<()> = Mutex::new(());

/// The calling thread, as `pthread_self` has it.
pub fn caller() -> usize {
    // SAFETY: only asks for the caller's identity.
    unsafe { libc::pthread_self() as usize }
}

/// Whether the calling thread is the helper: it is inside a tool's callback then, and cannot wait for itself.
pub fn is_helper() -> bool {
    HELPER.load(Ordering::Relaxed) == caller()
}

/// Sees that there is a helper. False where there is none to be had.
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

/// Ends the helper when it has delivered what is queued, and waits for that. Not for the helper itself, which is inside
/// a callback.
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
        // SAFETY: the helper is joinable, and whoever finds it here alone joins it.
        unsafe { libc::pthread_join(helper as libc::pthread_t, std::ptr::null_mut()) };
        ENDING.store(false, Ordering::Relaxed);
        HELPER.store(0, Ordering::Relaxed);
    });
    // A buffer that was queued behind the helper's last look: its poster sees that there is no helper, or it is seen
    // here.
    if QUEUE.with(|queue| !queue.is_empty()) {
        start();
    }
}

/// Queues a buffer.
#[cold]
pub fn post(trace: &'static dyn Owner, strip: usize, parcel: Parcel) {
    QUEUE.with(|queue| queue.push_back(Delivery { trace, strip, parcel }));
    ARRIVED.notify_all();
    if HELPER.load(Ordering::Relaxed) == 0 {
        start();
    }
}

/// Takes the first buffer that is next in its strip: one that was filled before it may still be on its way here.
fn next() -> Option<Delivery> {
    QUEUE.with(|queue| {
        let index = queue.iter().position(|delivery| delivery.progress().take(delivery.parcel.number))?;
        queue.remove(index)
    })
}

impl Delivery {
    fn progress(&self) -> &Progress {
        self.trace.progress(self.strip)
    }

    fn hand_over(&self) {
        let Parcel { buffer, bytes, begin, used, rooms, owner, .. } = self.parcel;
        // SAFETY: the buffer is the device's until the callback.
        let begin = unsafe { super::cursor::seal(buffer, begin, used, rooms) };
        // SAFETY: `owner` is the function that the tool gave to `ompt_start_trace`; what it throws ends here.
        let complete = unsafe { std::mem::transmute::<usize, Complete>(owner) };
        let device = self.trace.device();
        // SAFETY: the tool's own buffer, which it owns from here on.
        unwind::in_tool(self.trace.tool(), || unsafe { complete(device, buffer as *mut c_void, bytes, begin, 1) });
        self.trace.has_back();
        self.progress().deliver(self.parcel.number);
        DELIVERED.notify_all();
    }
}

/// As [`BufferComplete`], of a function that may unwind.
type Complete = unsafe extern "C-unwind" fn(c_int, *mut c_void, usize, u64, c_int);
const _: () = assert!(size_of::<Complete>() == size_of::<BufferComplete>());

extern "C" fn run(_: *mut c_void) -> *mut c_void {
    // Signals are the program's threads'.
    // SAFETY: a full set of signals for this thread.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, std::ptr::null_mut());
    }
    // Before the first delivery: `start` may not have come to it.
    HELPER.store(caller(), Ordering::Relaxed);
    loop {
        while let Some(delivery) = next() {
            delivery.hand_over();
        }
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

/// Makes the next delivery, on the helper, which is inside a callback; where there is none, lets another thread run.
pub fn make_one() {
    match next() {
        Some(delivery) => delivery.hand_over(),
        None => std::thread::yield_now(),
    }
}

/// Waits until `done`, which deliveries bring about. On the helper itself, which is inside a callback, they are made
/// here.
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

/// In a forked child there is no helper, and what was on its way is the parent's.
pub fn after_fork() {
    QUEUE.renew_after_fork();
    CREATING.renew_after_fork();
    ARRIVED.forget_sleepers();
    DELIVERED.forget_sleepers();
    HELPER.store(0, Ordering::Relaxed);
}

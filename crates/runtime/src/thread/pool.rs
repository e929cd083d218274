//! The pool: workers that no team needs now, and how new ones are made.

use crate::icv;
use crate::objects::current;
use crate::objects::structures::Idle;
use crate::objects::structures::Member;
use crate::objects::structures::Thread;
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::shown;
use crate::stack::{STACK_SIZE, create, stack_size};
use crate::thread::roster;
use crate::thread::wait;
use crate::warnings;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Idle workers, the last to come first to go: its caches are warmest.
pub(crate) static POOL: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());
/// Workers that exist as threads.
pub(crate) static WORKERS: AtomicU32 = AtomicU32::new(0);
/// Workers that have a slot in a team.
static SERVING: AtomicU32 = AtomicU32::new(0);
/// Workers that have ended, but for their way out of the C library: see [`join_dismissed`].
pub(crate) static ENDED: Mutex<Vec<libc::pthread_t>> = Mutex::new(Vec::new());
/// Where the end of the program waits for workers to come to the pool, and to end.
pub(crate) static ARRIVED: Event = Event::new();

/// Takes an idle worker of that device out of the pool. Threads of one device serve no other, nor the host.
fn idle_worker(device: i32) -> Option<&'static Thread> {
    POOL.with(|pool| {
        let index = pool.iter().rposition(|thread| thread.device() == device)?;
        Some(pool.remove(index))
    })
}

/// The first function of a worker. It takes the worker's descriptor.
pub type Start = extern "C" fn(*mut std::ffi::c_void) -> *mut std::ffi::c_void;

/// Gives an idle worker, or a new one whose first function is `start`, the slot `member`. The worker fills the slot from
/// now on, as a thread of `device`. Returns false, and says why once, if there is no thread to be had.
pub fn assign(member: &'static Member, device: i32, start: Start) -> bool {
    let slot = std::ptr::from_ref(member).cast_mut();
    SERVING.fetch_add(1, Ordering::Relaxed);
    if let Some(thread) = idle_worker(device) {
        member.set_thread(thread);
        thread.idle.assigned.store(slot, Ordering::Release);
        thread.idle.event.notify_all();
        return true;
    }
    if roster::live() >= icv::settings().extensions.process_threads {
        SERVING.fetch_sub(1, Ordering::Relaxed);
        ARRIVED.notify_all();
        warn_of_limit_once();
        return false;
    }
    let thread = roster::descriptor(ompt_worker());
    thread.set_device(device);
    member.set_thread(thread);
    thread.idle.assigned.store(slot, Ordering::Release);
    thread.idle.dismissed.store(false, Ordering::Relaxed);
    if let Err(error) = spawn(thread, start) {
        SERVING.fetch_sub(1, Ordering::Relaxed);
        ARRIVED.notify_all();
        roster::give_back(thread);
        warn_once(error);
        return false;
    }
    true
}

fn ompt_worker() -> ::ompt::Thread {
    ::ompt::Thread::WORKER
}

#[cold]
fn warn_once(error: i32) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    if !WARNED.swap(true, Ordering::Relaxed) {
        warnings::warn(&format!(
            "ferromp: cannot create a thread ({}); parallel regions run with fewer threads\n",
            std::io::Error::from_raw_os_error(error)
        ));
    }
}

#[cold]
fn warn_of_limit_once() {
    static WARNED: AtomicBool = AtomicBool::new(false);
    if !WARNED.swap(true, Ordering::Relaxed) {
        warnings::warn(&format!(
            "ferromp: KMP_DEVICE_THREAD_LIMIT: the process has its {} threads; parallel regions run with fewer\n",
            icv::settings().extensions.process_threads
        ));
    }
}

/// As the settings say. Called when the runtime comes up and when they have changed.
pub fn set_up() {
    STACK_SIZE.store(icv::settings().stack_size.unwrap_or(0), Ordering::Relaxed);
    shown::show_stack_size(stack_size());
}

/// Whether a worker has been created since the program's begin.
static HAD_WORKERS: AtomicBool = AtomicBool::new(false);

/// Whether workers have been created already: their stacks are what they are.
pub fn had_workers() -> bool {
    HAD_WORKERS.load(Ordering::Relaxed)
}

/// Sets the stack size of workers, as long as none has been created (`kmp_set_stacksize`).
pub fn set_stack_size(bytes: usize) {
    if !had_workers() {
        STACK_SIZE.store(bytes.max(libc::PTHREAD_STACK_MIN), Ordering::Relaxed);
        shown::show_stack_size(stack_size());
    }
}

/// Creates the operating system's thread for a descriptor.
fn spawn(thread: &'static Thread, start: Start) -> Result<(), i32> {
    // Release: who counts this worker knows that it serves.
    WORKERS.fetch_add(1, Ordering::Release);
    HAD_WORKERS.store(true, Ordering::Relaxed);
    resume();
    let argument = std::ptr::from_ref(thread).cast_mut().cast();
    // SAFETY: `start` takes a descriptor, and descriptors live for ever.
    unsafe { create(start, argument) }.map(drop).inspect_err(|_| {
        WORKERS.fetch_sub(1, Ordering::Relaxed);
    })
}

impl Idle {
    pub(crate) fn take_slot(&self) -> Option<&'static Member> {
        let slot = self.assigned.swap(std::ptr::null_mut(), Ordering::Acquire);
        self.serving.set(!slot.is_null());
        // SAFETY: null or a slot, and slots live for ever.
        unsafe { slot.as_ref() }
    }

    /// Waits for the next slot; None when the worker is to end.
    pub(crate) fn wait_for_slot(&self) -> Option<&'static Member> {
        wait::until_in(::ompt::State::IDLE, &self.event, || {
            !self.assigned.load(Ordering::Relaxed).is_null() || self.dismissed.load(Ordering::Relaxed)
        });
        self.take_slot()
    }
}

/// A worker's team was given up: the worker is on its way to the pool. Called before the team's
/// primary thread can know.
pub fn served(thread: &Thread) {
    thread.idle.serving.set(false);
    SERVING.fetch_sub(1, Ordering::Relaxed);
}

/// How long [`dismiss_all`] waits for a worker that gives no sign, because it does not come back from a tool's
/// callback.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends all idle workers and waits until they are gone, so that a tool hears the end of each. Those that have a slot in
/// a team of another root, or in a region that the program ends inside, stay where they are, and so does the caller, if
/// it is a worker whose end a tool is just told of. Called at the end of the program.
pub fn dismiss_all() {
    let caller = current::try_current().filter(|thread| thread.tool.kind.get() == ::ompt::Thread::WORKER);
    let own = u32::from(caller.is_some_and(|thread| !thread.idle.serving.get()));
    let gone = || WORKERS.load(Ordering::Acquire) <= SERVING.load(Ordering::Relaxed) + own;
    let mut last_sign = Instant::now();
    while !gone() && last_sign.elapsed() < PATIENCE {
        for thread in POOL.with(std::mem::take) {
            thread.idle.dismissed.store(true, Ordering::Release);
            thread.idle.event.notify_all();
        }
        let before = WORKERS.load(Ordering::Relaxed);
        // Some may still be on their way to the pool, or busy with their last event. The pool first:
        // one that was there, but that another root has taken since, counts as serving by then.
        let ticket = ARRIVED.prepare();
        if POOL.with(|pool| !pool.is_empty()) || gone() {
            ARRIVED.cancel(ticket);
        } else {
            ARRIVED.sleep_for(ticket, PATIENCE);
        }
        if WORKERS.load(Ordering::Relaxed) != before {
            last_sign = Instant::now();
        }
    }
}

/// Waits until the system has the threads back that [`dismiss_all`] has ended, and with them their stacks. The C
/// library unmaps the stack of a thread that nobody joins only when a later one ends.
pub fn join_dismissed() {
    for id in ENDED.with(std::mem::take) {
        // SAFETY: a joinable thread, taken from the list by this thread alone.
        unsafe { libc::pthread_join(id, std::ptr::null_mut()) };
    }
}

/// Lets the threads go that [`dismiss_all`] has ended. Does not wait: destructors of theirs may need what the caller,
/// who is ending the program, holds.
pub fn release_dismissed() {
    for id in ENDED.with(std::mem::take) {
        // SAFETY: as in `join_dismissed`.
        unsafe { libc::pthread_detach(id) };
    }
}

/// In a forked child no worker exists any more, but for the caller if it is one.
pub fn after_fork() {
    POOL.renew_after_fork();
    ENDED.renew_after_fork();
    ARRIVED.forget_sleepers();
    let caller = current::try_current().filter(|thread| thread.tool.kind.get() == ::ompt::Thread::WORKER);
    WORKERS.store(u32::from(caller.is_some()), Ordering::Relaxed);
    SERVING.store(u32::from(caller.is_some_and(|thread| thread.idle.serving.get())), Ordering::Relaxed);
}

/// Whether the runtime has been paused, and no worker created since. A plain flag.
pub(crate) static PAUSED: AtomicBool = AtomicBool::new(false);

/// Ends a pause, as the next region would. False where there is none.
pub fn resume() -> bool {
    PAUSED.swap(false, Ordering::Relaxed)
}

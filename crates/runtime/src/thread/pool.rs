//! The pool: workers that no team needs now, and how new ones are made.

use crate::icv;
use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::objects::structures::Member;
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use crate::protocol::idle::Workers;
use crate::shown;
use crate::stack::{STACK_SIZE, create, stack_size};
use crate::thread::roster;
use crate::warnings;
use std::time::{Duration, Instant};

/// The workers of the process.
pub(crate) static WORKERS: Workers<&Thread> = Workers::new();
/// Workers that have ended, but for their way out of the C library: see [`join_dismissed`].
pub(crate) static ENDED: Mutex<Vec<libc::pthread_t>> = Mutex::new(Vec::new());

/// The first function of a worker. It takes the worker's descriptor.
pub type Start = extern "C" fn(*mut std::ffi::c_void) -> *mut std::ffi::c_void;

/// Gives an idle worker, or a new one whose first function is `start`, the slot `member`. The worker fills the slot
/// from now on, as a thread of `device`. Returns false, and says why once, if there is no thread to be had.
pub fn assign(member: &'static Member, device: i32, start: Start) -> bool {
    let slot = std::ptr::from_ref(member).cast_mut();
    // Threads of one device serve no other, nor the host.
    if let Some(thread) = WORKERS.take(|thread| thread.device() == device) {
        member.set_thread(thread);
        thread.idle.assign(slot);
        return true;
    }
    if roster::live() >= icv::settings().process_threads {
        WORKERS.refuse();
        warn_of_limit_once();
        return false;
    }
    let thread = roster::descriptor(ompt_worker());
    thread.set_device(device);
    member.set_thread(thread);
    thread.idle.begin(slot);
    if let Err(error) = spawn(thread, start) {
        WORKERS.refuse();
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
            icv::settings().process_threads
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
    WORKERS.create();
    HAD_WORKERS.store(true, Ordering::Relaxed);
    resume();
    let argument = std::ptr::from_ref(thread).cast_mut().cast();
    // SAFETY: `start` takes a descriptor, and descriptors live for ever.
    unsafe { create(start, argument) }.map(drop).inspect_err(|_| {
        WORKERS.fail();
    })
}

/// A worker's team was given up: the worker is on its way to the pool. Called before the team's
/// primary thread can know.
pub fn served(thread: &Thread) {
    WORKERS.leave_team(&thread.idle);
}

/// How long [`dismiss_all`] waits for a worker that gives no sign, because it does not come back from a tool's
/// callback.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends all idle workers and waits until they are gone, so that a tool hears the end of each. Those that have a slot in
/// a team of another root, or in a region that the program ends inside, stay where they are, and so does the caller, if
/// it is a worker whose end a tool is just told of. Called at the end of the program.
pub fn dismiss_all() {
    let caller = current::try_current().filter(|thread| thread.tool.kind.get() == ::ompt::Thread::WORKER);
    let own = u32::from(caller.is_some_and(|thread| !thread.idle.is_serving()));
    let mut last_sign = Instant::now();
    WORKERS.dismiss_all(
        own,
        |thread| thread.idle.dismiss(),
        |event, ticket| event.sleep_for(ticket, PATIENCE),
        |sign| {
            if sign {
                last_sign = Instant::now();
            }
            last_sign.elapsed() < PATIENCE
        },
    );
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
    ENDED.renew_after_fork();
    let caller = current::try_current().filter(|thread| thread.tool.kind.get() == ::ompt::Thread::WORKER);
    WORKERS.after_fork(caller.map(|thread| thread.idle.is_serving()));
}

/// Whether the runtime has been paused, and no worker created since. A plain flag.
pub(crate) static PAUSED: AtomicBool = AtomicBool::new(false);

/// Ends a pause, as the next region would. False where there is none.
pub fn resume() -> bool {
    PAUSED.swap(false, Ordering::Relaxed)
}

//! The pool: idle workers that no team has, the creation of workers, and their end with the program.

use crate::icv;
use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::objects::structures::{Member, Thread};
use crate::park::mutex::Mutex;
use crate::protocol::idle::Workers;
use crate::shown;
use crate::stack::{STACK_SIZE, create, stack_size};
use crate::thread::roster;
use crate::warn_once;
use std::time::{Duration, Instant};

/// The workers of the process.
pub(crate) static WORKERS: Workers<&Thread> = Workers::new();
/// Workers that have ended, except for their way out of the C library: see [`join_dismissed`].
pub(crate) static ENDED: Mutex<Vec<libc::pthread_t>> = Mutex::new(Vec::new());

/// The first function of a worker. It takes the worker's descriptor.
pub type Start = extern "C" fn(*mut std::ffi::c_void) -> *mut std::ffi::c_void;

/// Gives the slot `member` to an idle worker, or to a new one whose first function is `start`. The worker is a thread
/// of `device`. Returns false, and warns once, if no thread can be created.
pub fn assign(member: &'static Member, device: i32, start: Start) -> bool {
    let slot = std::ptr::from_ref(member).cast_mut();
    // A worker of one device never works for another device or for the host.
    if let Some(thread) = WORKERS.take(|thread| thread.device() == device) {
        member.thread.set(thread);
        thread.idle.assign(slot);
        return true;
    }
    let limit = icv::settings().process_threads;
    if roster::live() >= limit {
        WORKERS.refuse();
        warn_once!("KMP_DEVICE_THREAD_LIMIT: the process has its {limit} threads; parallel regions run with fewer");
        return false;
    }
    let thread = roster::descriptor(::ompt::Thread::WORKER);
    thread.set_device(device);
    member.thread.set(thread);
    thread.idle.begin(slot);
    if let Err(error) = spawn(thread, start) {
        WORKERS.refuse();
        roster::give_back(thread);
        let error = std::io::Error::from_raw_os_error(error);
        warn_once!("cannot create a thread ({error}); parallel regions run with fewer threads");
        return false;
    }
    true
}

/// Reads the settings. Called when the runtime comes up and when the settings have changed.
pub fn set_up() {
    take_stack_size(icv::settings().stack_size.unwrap_or(0));
}

fn take_stack_size(bytes: usize) {
    STACK_SIZE.store(bytes, Ordering::Relaxed);
    shown::PROCESS.stack_size.store(stack_size(), Ordering::Relaxed);
}

/// Whether a worker has been created since the begin of the program.
static HAD_WORKERS: AtomicBool = AtomicBool::new(false);

/// Whether a worker has been created already, so that the stack size cannot change any more.
pub fn had_workers() -> bool {
    HAD_WORKERS.load(Ordering::Relaxed)
}

/// Sets the stack size of workers, as long as none has been created (`kmp_set_stacksize`).
pub fn set_stack_size(bytes: usize) {
    if !had_workers() {
        take_stack_size(bytes.max(libc::PTHREAD_STACK_MIN));
    }
}

/// Creates the operating system's thread for a descriptor.
fn spawn(thread: &'static Thread, start: Start) -> Result<(), i32> {
    WORKERS.create();
    HAD_WORKERS.store(true, Ordering::Relaxed);
    resume();
    let argument = std::ptr::from_ref(thread).cast_mut().cast();
    // SAFETY: `start` takes a descriptor, and descriptors are never freed.
    unsafe { create(start, argument) }.map(drop).inspect_err(|_| {
        WORKERS.fail();
    })
}

/// How long [`dismiss_all`] waits without any progress: a worker may never return from a tool's callback.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends all idle workers and waits until they are gone, so that a tool gets `thread_end` for each. Called at the end of
/// the program. These workers stay: those with a slot in a team of another root, those of a region that the program
/// ends inside, and the caller, if it is a worker in the tool's `thread_end` callback.
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

/// Joins the threads that [`dismiss_all`] has ended, so that their stacks are freed. The C library unmaps the stack of
/// a detached thread only when a later thread ends.
pub fn join_dismissed() {
    for id in ENDED.with(std::mem::take) {
        // SAFETY: the id is that of a joinable thread, and this thread alone has taken it from the list.
        unsafe { libc::pthread_join(id, std::ptr::null_mut()) };
    }
}

/// Detaches the threads that [`dismiss_all`] has ended. Does not join them: their destructors may need a lock that the
/// caller, which is ending the program, holds.
pub fn release_dismissed() {
    for id in ENDED.with(std::mem::take) {
        // SAFETY: as in [`join_dismissed`].
        unsafe { libc::pthread_detach(id) };
    }
}

/// Forgets all workers in a forked child, except the caller if it is one.
pub fn after_fork() {
    ENDED.renew_after_fork();
    let caller = current::try_current().filter(|thread| thread.tool.kind.get() == ::ompt::Thread::WORKER);
    WORKERS.after_fork(caller.map(|thread| thread.idle.is_serving()));
}

/// Whether the runtime has been paused, and no worker has been created since.
pub(crate) static PAUSED: AtomicBool = AtomicBool::new(false);

/// Ends a pause, as the next region would. Returns false if there is none.
pub fn resume() -> bool {
    PAUSED.swap(false, Ordering::Relaxed)
}

//! The helper thread (`ompt_thread_other`): does what must not wait for a thread of the program, for all devices. It begins target tasks
//! whose predecessors are complete, and does what is left of those whose operations on a device are (OpenMP 5.1 §2.14.5).
//!
//! It is there from its first job on. What it does is short: it never waits for a device.

use crate::icv;
use crate::ompt;
use crate::place;
use crate::sync::event::Event;
use crate::sync::mutex::Mutex;
use crate::task::{self, Task};
use crate::thread::{self, root};
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Something to be done. It takes no lock that its poster holds.
pub type Job = Box<dyn FnOnce() + Send>;

/// What is to be done, and whether there is a thread that does it.
#[derive(Default)]
struct Work {
    jobs: VecDeque<Job>,
    /// Target tasks that wait for nothing any more, by priority, the highest last; those of one priority in order of arrival.
    tasks: BTreeMap<i32, VecDeque<Ready>>,
    has_thread: bool,
    /// The thread is to end when nothing is left to be done.
    ending: bool,
}

struct Ready(&'static Task);
// SAFETY: a task that is ready belongs to whoever takes it.
unsafe impl Send for Ready {}

static WORK: Mutex<Work> = Mutex::new(Work { jobs: VecDeque::new(), tasks: BTreeMap::new(), has_thread: false, ending: false });
/// Where the helper waits for work.
static POSTED: Event = Event::new();
/// Where others wait for the helper.
static DONE: Event = Event::new();
/// Jobs that devices will post, and work that is posted and not done.
static EXPECTED: AtomicUsize = AtomicUsize::new(0);

/// Hands a job to the helper. Any thread.
pub fn post(job: Job) {
    put(|work| work.jobs.push_back(job));
}

/// Has the helper begin a target task that waits for nothing. Any thread.
pub fn execute(task: &'static Task) {
    put(|work| work.tasks.entry(task.priority()).or_default().push_back(Ready(task)));
}

/// A device will post a job, which calls [`has_come`] when it is done.
pub fn expect() {
    EXPECTED.fetch_add(1, Ordering::Relaxed);
}

/// Ends what [`expect`] began.
pub fn has_come() {
    // Release: whoever finds that nothing is left sees what was done.
    if EXPECTED.fetch_sub(1, Ordering::SeqCst) == 1 {
        DONE.notify_all();
    }
}

fn put(add: impl FnOnce(&mut Work)) {
    expect();
    let had_thread = WORK.with(|work| {
        add(work);
        std::mem::replace(&mut work.has_thread, true)
    });
    if had_thread {
        POSTED.notify_all();
    } else if let Err(error) = spawn() {
        without_thread(error);
    }
}

fn spawn() -> Result<(), i32> {
    let mut id: libc::pthread_t = 0;
    // SAFETY: the function has the right type and takes no argument; nobody joins the thread.
    unsafe {
        match libc::pthread_create(&mut id, std::ptr::null(), start, std::ptr::null_mut()) {
            0 => {
                libc::pthread_detach(id);
                Ok(())
            }
            error => Err(error),
        }
    }
}

/// There is no thread to be had: the calling one does the work.
#[cold]
fn without_thread(error: i32) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    if !WARNED.swap(true, Ordering::Relaxed) {
        icv::warn(&format!(
            "ferromp: cannot create a thread ({}); threads of the program complete target tasks\n",
            std::io::Error::from_raw_os_error(error)
        ));
    }
    while do_one() {}
    WORK.with(|work| work.has_thread = false);
    while do_one() {}
}

extern "C" fn start(_: *mut c_void) -> *mut c_void {
    let thread = root::enter_as_helper();
    place::settle_worker(thread);
    let inside = ompt::stay_inside(thread);
    ompt::idle(thread);
    while wait_for_work() {
        ompt::awake(thread);
        while do_one() {}
        ompt::idle(thread);
    }
    ompt::awake(thread);
    drop(inside);
    root::leave_helper(thread);
    WORK.with(|work| work.has_thread = false);
    DONE.notify_all();
    std::ptr::null_mut()
}

/// Waits for work. False when the thread is to end.
fn wait_for_work() -> bool {
    let look = || {
        WORK.with(|work| {
            let idle = work.jobs.is_empty() && work.tasks.is_empty();
            if idle && work.ending {
                return Some(false);
            }
            (!idle).then_some(true)
        })
    };
    loop {
        let ticket = POSTED.prepare();
        if let Some(answer) = look() {
            POSTED.cancel(ticket);
            return answer;
        }
        POSTED.sleep(ticket);
    }
}

/// Does one thing, if there is one: jobs first, because others may wait for what they complete.
fn do_one() -> bool {
    if let Some(job) = WORK.with(|work| work.jobs.pop_front()) {
        job();
    } else if let Some(Ready(task)) = WORK.with(next_task) {
        task::target::execute(thread::current(), task);
    } else {
        return false;
    }
    has_come();
    true
}

fn next_task(work: &mut Work) -> Option<Ready> {
    let mut highest = work.tasks.last_entry()?;
    let task = highest.get_mut().pop_front();
    if highest.get().is_empty() {
        highest.remove();
    }
    task
}

/// How long [`drain`] and [`end`] wait for a helper or device that gives no sign.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until everything that has been begun on devices is complete and told to tools.
pub fn drain() {
    wait_until(|| EXPECTED.load(Ordering::SeqCst) == 0);
}

/// As [`drain`]; then the helper ends, and tools hear of it. Another begins with the next job.
pub fn end() {
    drain();
    if WORK.with(|work| std::mem::replace(&mut work.ending, work.has_thread)) {
        return;
    }
    POSTED.notify_all();
    wait_until(|| WORK.with(|work| !work.has_thread));
    WORK.with(|work| work.ending = false);
}

fn wait_until(ready: impl Fn() -> bool) {
    let patience = Instant::now() + PATIENCE;
    while !ready() && Instant::now() < patience {
        let ticket = DONE.prepare();
        if ready() {
            DONE.cancel(ticket);
            return;
        }
        DONE.sleep_for(ticket, PATIENCE);
    }
}

/// In a forked child there is no helper, and no device that would post a job.
pub fn after_fork() {
    WORK.renew_after_fork();
    POSTED.forget_sleepers();
    DONE.forget_sleepers();
    EXPECTED.store(0, Ordering::Relaxed);
}

//! The helper thread (`ompt_thread_other`): does what must not wait for a thread of the program, for all devices. It
//! begins target tasks whose predecessors are complete, and does what is left of those whose operations on a device are
//! (OpenMP 5.1 §2.14.5).
//!
//! It is there from its first job on. What it does is short: it never waits for a device.

use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::current;
use crate::objects::structures::Task;
use crate::ompt;
use crate::park::event::{Event, Ticket};
use crate::place;
use crate::protocol::inbox::{Inbox, Work};
use crate::task;
use crate::thread::helpers;
use crate::thread::roster;
use crate::warnings;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// Something to be done. It takes no lock that its poster holds.
pub type Job = Box<dyn FnOnce() + Send>;

/// What is to be done.
#[derive(Default)]
struct Posted {
    jobs: VecDeque<Job>,
    /// Target tasks that wait for nothing any more, by priority, the highest last; those of one priority in order of
    /// arrival.
    tasks: BTreeMap<i32, VecDeque<Ready>>,
}

/// One thing to be done.
enum Item {
    Job(Job),
    Task(Ready),
}

struct Ready(&'static Task);
// SAFETY: a task that is ready belongs to whoever takes it.
unsafe impl Send for Ready {}

static INBOX: Inbox<Posted> = Inbox::new(Posted { jobs: VecDeque::new(), tasks: BTreeMap::new() });

impl Work for Posted {
    type Item = Item;

    fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.tasks.is_empty()
    }

    /// Jobs first, because others may wait for what they complete.
    fn next(&mut self) -> Option<Item> {
        if let Some(job) = self.jobs.pop_front() {
            return Some(Item::Job(job));
        }
        let mut highest = self.tasks.last_entry()?;
        let task = highest.get_mut().pop_front();
        if highest.get().is_empty() {
            highest.remove();
        }
        task.map(Item::Task)
    }
}

/// Hands a job to the helper. Any thread.
pub fn post(job: Job) {
    put(|posted| posted.jobs.push_back(job));
}

/// Has the helper begin a target task that waits for nothing. Any thread.
pub fn execute(task: &'static Task) {
    put(|posted| posted.tasks.entry(task.priority()).or_default().push_back(Ready(task)));
}

/// A device will post a job, which calls [`has_come`] when it is done.
pub fn expect() {
    INBOX.expect();
}

/// Ends what [`expect`] began.
pub fn has_come() {
    INBOX.has_come();
}

fn put(add: impl FnOnce(&mut Posted)) {
    if INBOX.put(add) {
        begin();
    }
}

/// Creates the thread, which counts as there already.
fn begin() {
    if let Err(error) = spawn() {
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
        warnings::warn(&format!(
            "ferromp: cannot create a thread ({}); threads of the program complete target tasks\n",
            std::io::Error::from_raw_os_error(error)
        ));
    }
    loop {
        while do_one() {}
        if !INBOX.leave() {
            return;
        }
    }
}

extern "C" fn start(_: *mut c_void) -> *mut c_void {
    let thread = helpers::enter_as_helper();
    place::settle_worker(&thread.place);
    let inside = ompt::stay_inside(thread);
    ompt::idle(thread);
    while INBOX.wait() {
        ompt::awake(thread);
        while do_one() {}
        ompt::idle(thread);
    }
    ompt::awake(thread);
    drop(inside);
    helpers::leave_helper(thread);
    if INBOX.leave() {
        begin();
    }
    std::ptr::null_mut()
}

/// Does one thing, if there is one.
fn do_one() -> bool {
    match INBOX.take() {
        Some(Item::Job(job)) => job(),
        Some(Item::Task(Ready(task))) => task::target::execute(current::current(), task),
        None => return false,
    }
    has_come();
    true
}

/// How long [`drain`] and [`end`] wait for a helper or device that gives no sign.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until everything that has been begun on devices is complete and told to tools.
pub fn drain() {
    INBOX.drain(patiently());
}

/// As [`drain`]; then the helper ends, and tools hear of it. Another begins with the next job.
pub fn end() {
    drain();
    INBOX.end(patiently());
}

/// As [`end`], unless a thread comes meanwhile that may use devices.
pub fn rest() {
    let nobody_came = |event: &Event, ticket| {
        event.sleep_for(ticket, A_WHILE);
        !roster::is_any_left()
    };
    INBOX.drain(nobody_came);
    INBOX.end(nobody_came);
}

/// How long [`rest`] sleeps before it looks who has come.
const A_WHILE: Duration = Duration::from_millis(5);

/// Sleeps, for so long in all as patience lasts.
fn patiently() -> impl Fn(&Event, Ticket) -> bool {
    let patience = Instant::now() + PATIENCE;
    move |event, ticket| {
        event.sleep_for(ticket, PATIENCE);
        Instant::now() < patience
    }
}

/// In a forked child there is no helper, and no device that would post a job.
pub fn after_fork() {
    INBOX.after_fork();
}

//! The helper thread (`ompt_thread_other`) does what must not wait for a thread of the program, for all devices. It
//! begins target tasks whose predecessors are complete, and finishes those whose operations on a device are complete
//! (OpenMP 5.1 §2.14.5).
//!
//! The thread exists from its first job on. Its jobs are short: it never waits for a device. `device/README.md` has the
//! protocol.

use crate::objects::structures::Thread;
use crate::ompt;
use crate::park::event::{Event, Ticket};
use crate::place;
use crate::protocol::inbox::{Inbox, Work};
use crate::thread::helpers;
use crate::thread::roster;
use crate::warn_once;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// Something that the helper does. A job takes no lock that its poster holds.
pub type Job = Box<dyn FnOnce() + Send>;

/// Jobs by priority, the highest last; those of one priority in the order of their arrival.
#[derive(Default)]
pub(super) struct Posted(BTreeMap<i32, VecDeque<Job>>);

pub(super) static INBOX: Inbox<Posted> = Inbox::new(Posted(BTreeMap::new()));

impl Work for Posted {
    type Item = Job;

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn next(&mut self) -> Option<Job> {
        let mut highest = self.0.last_entry()?;
        let job = highest.get_mut().pop_front();
        if highest.get().is_empty() {
            highest.remove();
        }
        job
    }
}

/// Hands a job to the helper, before all that have a priority: others may wait for what the job completes. Any thread.
pub fn post(job: Job) {
    post_at(i32::MAX, job);
}

/// Hands a job to the helper with a task's priority. Any thread.
pub(super) fn post_at(priority: i32, job: Job) {
    if INBOX.put(|posted| posted.0.entry(priority).or_default().push_back(job)) {
        begin();
    }
}

/// Creates the thread, which the inbox counts as present already.
fn begin() {
    let mut id: libc::pthread_t = 0;
    // SAFETY: the function has the right type and takes no argument.
    match unsafe { libc::pthread_create(&mut id, std::ptr::null(), start, std::ptr::null_mut()) } {
        // SAFETY: the thread is new, and no thread joins it.
        0 => drop(unsafe { libc::pthread_detach(id) }),
        error => without_thread(error),
    }
}

/// Does the work on the calling thread, since the system gives no other.
#[cold]
fn without_thread(error: i32) {
    let error = std::io::Error::from_raw_os_error(error);
    warn_once!("cannot create a thread ({error}); threads of the program complete target tasks");
    loop {
        do_all();
        if !INBOX.leave() {
            return;
        }
    }
}

extern "C" fn start(_: *mut c_void) -> *mut c_void {
    serve(|| INBOX.wait().then_some(()), |_, ()| do_all());
    if INBOX.leave() {
        begin();
    }
    std::ptr::null_mut()
}

/// Runs a thread of the runtime's own, which belongs to no team: does each item of work that `wait` waits for. Tools
/// see the thread idle between two items.
pub(super) fn serve<W>(wait: impl Fn() -> Option<W>, work: impl Fn(&'static Thread, W)) {
    let thread = helpers::enter_as_helper();
    place::settle_worker(&thread.place);
    let inside = ompt::stay_inside(thread);
    ompt::idle(thread);
    while let Some(item) = wait() {
        ompt::awake(thread);
        work(thread, item);
        ompt::idle(thread);
    }
    ompt::awake(thread);
    drop(inside);
    helpers::leave_helper(thread);
}

/// Does all jobs that are there.
fn do_all() {
    while let Some(job) = INBOX.take() {
        job();
        INBOX.has_come();
    }
}

/// How long [`drain`] and [`end`] wait for a helper or device that gives no sign.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until everything that has been begun on devices is complete and reported to tools.
pub fn drain() {
    INBOX.drain(patiently());
}

/// As [`drain`]; then the helper ends, and tools hear of its end. Another one begins with the next job.
pub fn end() {
    drain();
    INBOX.end(patiently());
}

/// As [`end`]. Gives up if a thread comes meanwhile that may use devices.
pub fn rest() {
    let unless_some_thread_came = |event: &Event, ticket| {
        event.sleep_for(ticket, A_WHILE);
        !roster::is_any_left()
    };
    INBOX.drain(unless_some_thread_came);
    INBOX.end(unless_some_thread_came);
}

/// How long [`rest`] sleeps before it looks whether a thread has come.
const A_WHILE: Duration = Duration::from_millis(5);

/// Sleeps for at most [`PATIENCE`] in all.
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

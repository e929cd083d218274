//! Model test of the helper thread's inbox (`device/README.md`): everything that is put in is done, once; who waits for
//! the end of all sees what was done; the thread is created when it is needed, ends when it is told to, and what comes
//! meanwhile finds another; nobody sleeps for ever.
#![cfg(loom)]

use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::protocol::inbox::Inbox;
use ferromp_ground::protocol::inbox::Work;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::sync::Mutex;

/// Jobs by number.
#[derive(Default)]
struct Jobs(Vec<usize>);

impl Work for Jobs {
    type Item = usize;

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn next(&mut self) -> Option<usize> {
        self.0.pop()
    }
}

struct Helped {
    inbox: Inbox<Jobs>,
    /// The threads that there have been. Not modelled: touched in between the model's steps alone.
    threads: Mutex<Vec<thread::JoinHandle<()>>>,
    /// How often each job has been done: a race on a word is an error that loom finds.
    done: Vec<UnsafeCell<u32>>,
}

// SAFETY: loom's cells check every access themselves.
unsafe impl Sync for Helped {}
// SAFETY: as above.
unsafe impl Send for Helped {}

impl Helped {
    fn new(jobs: usize) -> Arc<Self> {
        Arc::new(Helped {
            inbox: Inbox::new(Jobs::default()),
            threads: Mutex::default(),
            done: (0..jobs).map(|_| UnsafeCell::new(0)).collect(),
        })
    }

    fn drain(&self) {
        self.inbox.drain(sleep);
    }

    fn end(&self) {
        self.inbox.end(sleep);
    }

    /// As [`end`](Self::end), when nobody posts any more: no thread is left.
    fn end_for_ever(&self) {
        self.end();
        loop {
            let Some(thread) = self.threads.lock().unwrap().pop() else { return };
            thread.join().unwrap();
        }
    }

    /// Whether the job has been done once.
    fn is_done(&self, job: usize) -> bool {
        // SAFETY: loom checks that nobody writes the word now.
        self.done[job].with(|times| unsafe { *times }) == 1
    }
}

fn post(helped: &Arc<Helped>, job: usize) {
    if helped.inbox.put(|jobs| jobs.0.push(job)) {
        begin(helped);
    }
}

fn begin(helped: &Arc<Helped>) {
    let another = helped.clone();
    let thread = thread::spawn(move || help(&another));
    helped.threads.lock().unwrap().push(thread);
}

/// The helper thread.
fn help(helped: &Arc<Helped>) {
    while helped.inbox.wait() {
        while let Some(job) = helped.inbox.take() {
            // SAFETY: loom checks that nobody else touches the word now.
            helped.done[job].with_mut(|times| unsafe { *times += 1 });
            helped.inbox.has_come();
        }
    }
    if helped.inbox.leave() {
        begin(helped);
    }
}

fn sleep(event: &Event, ticket: Ticket) -> bool {
    event.sleep(ticket);
    true
}

fn check(preemptions: usize, body: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(body);
}

#[test]
fn all_is_done_when_nothing_is_expected_any_more() {
    check(2, || {
        let helped = Helped::new(2);
        post(&helped, 0);
        post(&helped, 1);
        helped.drain();
        assert!(helped.is_done(0) && helped.is_done(1));
        helped.end_for_ever();
    });
}

#[test]
fn what_a_device_will_post_is_waited_for() {
    check(2, || {
        let helped = Helped::new(1);
        helped.inbox.expect();
        let device = {
            let helped = helped.clone();
            thread::spawn(move || {
                post(&helped, 0);
                helped.inbox.has_come();
            })
        };
        helped.drain();
        assert!(helped.is_done(0));
        device.join().unwrap();
        helped.end_for_ever();
    });
}

#[test]
fn what_is_posted_while_the_thread_ends_is_done() {
    check(2, || {
        let helped = Helped::new(2);
        post(&helped, 0);
        let other = {
            let helped = helped.clone();
            thread::spawn(move || post(&helped, 1))
        };
        helped.end();
        other.join().unwrap();
        helped.drain();
        assert!(helped.is_done(0) && helped.is_done(1));
        helped.end_for_ever();
    });
}

#[test]
fn what_nobody_does_or_hears_of_is_caught() {
    assert_caught("inbox: no look at what has come meanwhile", "what_is_posted_while_the_thread_ends_is_done");
    assert_caught("inbox: the end comes in silence", "what_a_device_will_post_is_waited_for");
}

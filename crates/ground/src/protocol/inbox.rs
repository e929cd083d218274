//! The work of a thread that exists only while there is work: how work is put in, taken out and waited for, and how the
//! thread ends. `device/README.md` has the protocol; `tests/loom_helper.rs` checks this very code.

use crate::model;
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::model::mutation;
use crate::park::event::{Event, Ticket};
use crate::park::mutex::Mutex;

/// Work of one kind or several, in the order in which it is to be done.
pub trait Work: Default {
    type Item;

    fn is_empty(&self) -> bool;

    /// What is to be done first.
    fn next(&mut self) -> Option<Self::Item>;
}

/// The work, and whether there is a thread that does it.
#[derive(Default)]
struct Held<W> {
    work: W,
    has_thread: bool,
    /// The thread is to end when nothing is left to be done.
    ending: bool,
}

/// Work, and those who wait for it.
pub struct Inbox<W> {
    held: Mutex<Held<W>>,
    /// Where the thread waits for work.
    posted: Event,
    /// Where others wait for the thread.
    done: Event,
    /// Work that is there and not done, and such as somebody has announced.
    expected: AtomicUsize,
}

impl<W: Work> Inbox<W> {
    model::const_unless_modelled! {
        pub fn new(work: W) -> Self {
            let held = Held { work, has_thread: false, ending: false };
            Inbox { held: Mutex::new(held), posted: Event::new(), done: Event::new(), expected: AtomicUsize::new(0) }
        }
    }

    /// Puts something in. Returns whether the caller is to create the thread.
    #[must_use]
    pub fn put(&self, add: impl FnOnce(&mut W)) -> bool {
        self.expect();
        let had_thread = self.held.with(|held| {
            add(&mut held.work);
            std::mem::replace(&mut held.has_thread, true)
        });
        if had_thread {
            self.posted.notify_all();
        }
        !had_thread
    }

    /// Something will be put in, whose end [`has_come`](Self::has_come) tells.
    pub fn expect(&self) {
        self.expected.fetch_add(1, Ordering::Relaxed);
    }

    /// Something is done that was put in, or that was [expected](Self::expect).
    pub fn has_come(&self) {
        // Release: a thread that finds that nothing is left sees what was done.
        if self.expected.fetch_sub(1, Ordering::SeqCst) == 1 && !mutation::is("inbox: the end comes in silence") {
            self.done.notify_all();
        }
    }

    /// Takes out what is to be done first.
    pub fn take(&self) -> Option<W::Item> {
        self.held.with(|held| held.work.next())
    }

    /// The thread waits until there is something. False when it is to end.
    pub fn wait(&self) -> bool {
        let look = || {
            self.held.with(|held| {
                let idle = held.work.is_empty();
                if idle && held.ending { Some(false) } else { (!idle).then_some(true) }
            })
        };
        loop {
            let ticket = self.posted.prepare();
            if let Some(answer) = look() {
                self.posted.cancel(ticket);
                return answer;
            }
            self.posted.sleep(ticket);
        }
    }

    /// The thread has ended, or there is none to be had. Returns whether the caller is to create another, for what has
    /// come meanwhile.
    #[must_use]
    pub fn leave(&self) -> bool {
        let left = self.held.with(|held| {
            held.has_thread = !held.work.is_empty() && !mutation::is("inbox: no look at what has come meanwhile");
            held.has_thread
        });
        if !left {
            self.done.notify_all();
        }
        left
    }

    /// Waits until all is done that was put in or expected. `sleep` sleeps with the ticket, and says whether to go on
    /// waiting.
    pub fn drain(&self, sleep: impl Fn(&Event, Ticket) -> bool) {
        self.wait_until(|| self.expected.load(Ordering::SeqCst) == 0, sleep);
    }

    /// Has the thread end when nothing is left, and waits until it has. Nothing is done if somebody else does this
    /// already.
    pub fn end(&self, sleep: impl Fn(&Event, Ticket) -> bool) {
        if self.held.with(|held| std::mem::replace(&mut held.ending, true)) {
            return;
        }
        self.posted.notify_all();
        self.wait_until(|| self.held.with(|held| !held.has_thread), sleep);
        self.held.with(|held| held.ending = false);
    }

    fn wait_until(&self, ready: impl Fn() -> bool, sleep: impl Fn(&Event, Ticket) -> bool) {
        while !ready() {
            let ticket = self.done.prepare();
            if ready() {
                return self.done.cancel(ticket);
            }
            if !sleep(&self.done, ticket) {
                return;
            }
        }
    }

    /// In a forked child there is no thread, and what was announced will not come.
    #[cfg(not(loom))]
    pub fn after_fork(&self) {
        self.held.renew_after_fork();
        self.posted.forget_sleepers();
        self.done.forget_sleepers();
        self.expected.store(0, Ordering::Relaxed);
    }
}

//! The streams of a device. A stream is created when no other one is free, and is kept for ever.

use crate::park::mutex::Mutex;

/// The streams of one kind of one device.
pub struct Pool<S: 'static> {
    free: Mutex<Vec<&'static S>>,
    all: Mutex<Vec<&'static S>>,
}

impl<S> Pool<S> {
    pub const fn new() -> Self {
        Pool { free: Mutex::new(Vec::new()), all: Mutex::new(Vec::new()) }
    }

    /// A stream that no other caller has.
    pub fn take(&self, create: impl FnOnce() -> S) -> &'static S {
        self.free.with(Vec::pop).unwrap_or_else(|| {
            let stream: &'static S = Box::leak(Box::new(create()));
            self.all.with(|all| all.push(stream));
            stream
        })
    }

    /// Takes a stream of this pool back.
    pub fn give_back(&self, stream: &'static S) {
        self.free.with(|free| free.push(stream));
    }

    /// All streams, those that are in use included.
    pub fn all(&self) -> Vec<&'static S> {
        self.all.with(|all| all.clone())
    }

    /// In a forked child, where the thread that held a list does not exist. Streams that such threads had are not used
    /// again.
    pub fn after_fork(&self) {
        self.free.force_open();
        self.all.force_open();
    }
}

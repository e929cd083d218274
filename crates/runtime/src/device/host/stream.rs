//! Streams of a host device. A synchronous one performs its operations at once, on the thread that asks for them; an
//! asynchronous one hands them to the device's executor.

use super::HostDevice;
use super::executor::{Executor, Work};
use super::lane::Lanes;
use super::operation::{Operation, What};
use super::queue::Progress;
use crate::device::driver::{Address, Direction, Driver, Launch, Mark, Note, Stream};
use crate::park::mutex::Mutex;
use crate::thread::wait;
use std::any::Any;

/// The synchronous stream of a device, which all use at once: it keeps nothing.
pub struct Direct {
    lanes: &'static Lanes,
    executor: &'static Executor,
}

/// An asynchronous stream.
struct Queued {
    executor: &'static Executor,
    progress: &'static Progress,
}

/// The asynchronous streams of a device.
pub struct Streams {
    executor: &'static Executor,
    free: Mutex<Vec<&'static Queued>>,
    /// All that there are.
    all: Mutex<Vec<&'static Queued>>,
}

impl Streams {
    pub const fn new(executor: &'static Executor) -> Self {
        Streams { executor, free: Mutex::new(Vec::new()), all: Mutex::new(Vec::new()) }
    }

    /// A stream for the caller.
    pub fn take(&self) -> &'static dyn Stream {
        self.free.with(Vec::pop).unwrap_or_else(|| {
            let stream: &'static Queued =
                Box::leak(Box::new(Queued { executor: self.executor, progress: Box::leak(Box::new(Progress::new())) }));
            self.all.with(|all| all.push(stream));
            stream
        })
    }

    /// Takes a stream back.
    pub fn give_back(&self, stream: &'static dyn Stream) {
        let address = std::ptr::from_ref(stream).cast::<u8>();
        let ours =
            self.all.with(|all| all.iter().copied().find(|queued| std::ptr::from_ref(*queued).cast() == address));
        if let Some(queued) = ours {
            queued.executor.call();
            self.free.with(|free| free.push(queued));
        }
    }

    /// In a forked child.
    pub fn after_fork(&self) {
        self.free.force_open();
        self.all.force_open();
        for queued in self.all.with(|all| all.clone()) {
            queued.progress.after_fork();
        }
    }
}

/// The copy that a transfer is.
fn transfer<A>(direction: Direction, device: Address, host: *mut u8, bytes: usize) -> What<A> {
    match direction {
        Direction::ToDevice => What::Copy { to: device, from: host as usize, bytes },
        Direction::FromDevice => What::Copy { to: host as usize, from: device, bytes },
    }
}

/// Whether the memory of this device is there for the processor that a host device is.
fn is_ours(other: &dyn Driver) -> bool {
    let other: &dyn Any = other;
    other.is::<HostDevice>()
}

impl Direct {
    pub const fn new(lanes: &'static Lanes, executor: &'static Executor) -> Self {
        Direct { lanes, executor }
    }

    /// # Safety
    /// As for [`Operation::perform`].
    #[inline]
    unsafe fn perform(&self, what: What<&[usize]>, note: Note) {
        // SAFETY: the caller's.
        unsafe { Operation { what, note }.perform(self.lanes) };
    }
}

impl Stream for Direct {
    unsafe fn transfer(&self, direction: Direction, device: Address, host: *mut u8, bytes: usize, note: Note) {
        // SAFETY: the caller's.
        unsafe { self.perform(transfer(direction, device, host, bytes), note) };
    }

    unsafe fn within(&self, to: Address, from: Address, bytes: usize, note: Note) {
        // SAFETY: the caller's.
        unsafe { self.perform(What::Copy { to, from, bytes }, note) };
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        if is_ours(other) {
            // SAFETY: the caller's.
            unsafe { self.perform(What::Copy { to, from, bytes }, note) };
        }
        is_ours(other)
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note) {
        // SAFETY: the caller's.
        unsafe { self.perform(What::Fill { to, value, bytes }, note) };
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        // SAFETY: the caller's.
        unsafe { self.perform(What::launch(launch), note) };
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark { stream: 0, position: 0 }
    }

    fn after(&self, mark: Mark) {
        // SAFETY: 0, or where a stream of ours has its progress; streams live for ever.
        if let Some(progress) = unsafe { (mark.stream as *const Progress).as_ref() } {
            progress.wait(mark.position);
        }
    }

    fn then(&self, job: Box<dyn FnOnce() + Send>) {
        // Nothing is under way.
        self.executor.hand_on(job);
    }

    fn wait(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Queued {
    fn queue(&self, what: What<Box<[usize]>>, note: Note) {
        self.progress.queue();
        self.executor.queue(Work::Operation(Operation { what, note }), Some(self.progress));
    }
}

impl Stream for Queued {
    unsafe fn transfer(&self, direction: Direction, device: Address, host: *mut u8, bytes: usize, note: Note) {
        self.queue(transfer(direction, device, host, bytes), note);
    }

    unsafe fn within(&self, to: Address, from: Address, bytes: usize, note: Note) {
        self.queue(What::Copy { to, from, bytes }, note);
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        if is_ours(other) {
            self.queue(What::Copy { to, from, bytes }, note);
        }
        is_ours(other)
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note) {
        self.queue(What::Fill { to, value, bytes }, note);
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        self.queue(What::launch_with(launch, launch.arguments.into()), note);
        Ok(())
    }

    fn mark(&self) -> Mark {
        self.executor.call();
        Mark { stream: std::ptr::from_ref(self.progress) as usize, position: self.progress.position() }
    }

    fn after(&self, _: Mark) {
        // All streams of the device have one executor, which performs everything in the order in which it was queued.
    }

    fn then(&self, job: Box<dyn FnOnce() + Send>) {
        self.executor.queue(Work::Job(job), None);
        self.executor.call();
    }

    fn wait(&self) -> Result<(), String> {
        self.executor.call();
        self.progress.wait(self.progress.position());
        Ok(())
    }
}

impl Progress {
    /// Waits until all operations before `position` are complete.
    fn wait(&self, position: u64) {
        wait::until(&self.event, || self.has_reached(position));
    }
}
